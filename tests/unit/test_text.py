"""Numbers in sentences."""

from __future__ import annotations

import pytest

from unity2gltf.text import counted, millimetres


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 assets"), (1, "1 asset"), (2, "2 assets"), (1234567, "1,234,567 assets")],
)
def test_one_is_singular(number: int, words: str) -> None:
    assert counted(number, "asset") == words


def test_plurals_that_do_more_than_add_an_s() -> None:
    assert counted(1, "vertex", "vertices") == "1 vertex"
    assert counted(3, "vertex", "vertices") == "3 vertices"


@pytest.mark.parametrize(
    ("metres", "words"),
    [(0.0, "0 mm"), (3.14e-5, "0.031 mm"), (0.00921, "9.2 mm"), (1.25, "1,250.0 mm")],
)
def test_millimetres(metres: float, words: str) -> None:
    assert millimetres(metres) == words
