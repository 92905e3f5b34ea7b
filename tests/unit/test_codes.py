"""Codes are a promise to scripts: each is used, and named as its own variable."""

from __future__ import annotations

from pathlib import Path

import unity2gltf
from unity2gltf import codes
from unity2gltf.codes import CODES

PACKAGE = Path(unity2gltf.__file__).parent


def test_every_code_is_reported_somewhere() -> None:
    files = [path for path in PACKAGE.rglob("*.py") if path.name != "codes.py"]
    text = "\n".join(path.read_text("utf-8") for path in files)
    assert [name for name in CODES if name not in text] == []


def test_a_code_is_the_variable_of_its_name() -> None:
    assert all(getattr(codes, name) is code for name, code in CODES.items())
