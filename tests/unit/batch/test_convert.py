"""The call that scripts make."""

from __future__ import annotations

from pathlib import Path

import pytest

from unity2gltf import Options, convert
from unity2gltf.errors import UsageError
from unity2gltf.sample import write_player


def test_one_input_needs_no_list(tmp_path: Path) -> None:
    write_player(tmp_path / "Game_Data", "2022.3.20f1")
    options = Options(include=("scenes",), verify="none")
    for one in (tmp_path / "Game_Data", str(tmp_path / "Game_Data")):
        report = convert(one, tmp_path / "out", options)
        assert [asset.output for asset in report.assets] == ["scenes/Studio.glb"]


def test_no_kinds_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="--include must name at least one of"):
        Options(include=())
