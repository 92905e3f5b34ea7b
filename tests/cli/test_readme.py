"""The README against the program: a table that forgets an option or names one that is gone is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from unity2gltf.cli.app import app
from unity2gltf.codes import CODES

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
GROUP: Any = typer.main.get_command(app)
EVERYWHERE = {"--help"}


def first_cells(heading: str) -> Iterator[str]:
    """First cells of the first table after a line."""
    lines = README.split(heading, 1)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return
        yield line.split("|")[1]


def test_every_command_is_in_the_table() -> None:
    listed = {found[1] for cell in first_cells("## Commands") if (found := re.search(r"unity2gltf (\w+)", cell))}
    assert listed == set(GROUP.commands)


def test_every_option_of_convert_is_in_the_table() -> None:
    listed = set(re.findall(r"--[a-z-]+", " ".join(first_cells("Options of `convert`:"))))
    convert = GROUP.commands["convert"]
    known = {name for item in convert.params for name in item.opts if name.startswith("--")}
    assert listed == known - EVERYWHERE - {"--out"}


@pytest.mark.parametrize("code", sorted(set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", README))))
def test_every_code_that_it_names_exists(code: str) -> None:
    assert code in CODES
