"""``--clips library``: clips are made, written and forgotten one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from unity2gltf import Options, pipeline
from unity2gltf.batch.plan import hierarchy_jobs
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.extract.game import open_game
from unity2gltf.normalize.content import Library
from unity2gltf.sample import write_player


def test_clips_are_made_when_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_player(tmp_path / "Game_Data", "2022.3.20f1")
    (root,) = open_game(tmp_path / "Game_Data").roots
    library, options, made = Library(root), Options(clips="library"), []
    decode = library.clip
    monkeypatch.setattr(library, "clip", lambda source, found: made.append(source) or decode(source, found))
    (job,) = hierarchy_jobs(root, options)
    asset, clips = pipeline.build_asset(job, root, library, options, Diagnostics(), {})
    assert asset is not None and asset.clips == () and made == []
    assert [(clip.name, len(made)) for clip in clips] == [("Wave", 1), ("Idle", 2), ("Spin", 3)]
