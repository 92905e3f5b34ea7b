"""Pictures to files: what is below them, and that all of them come to be, or none."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unity2gltf.preview.pictures import over, write_pictures

HALF = np.full((1, 1, 4), (100, 50, 10, 128), np.uint8)
"""A half-transparent orange as Filament gives it: times alpha."""


@pytest.mark.parametrize(
    ("background", "expected"),
    [
        ((255, 255, 255, 255), (227, 177, 137)),  # 100 + 255 * 127 / 255
        ((128, 128, 128, 255), (164, 114, 74)),
        ((0, 0, 0, 0), (199, 100, 20, 128)),
        ((0, 0, 0, 255), (100, 50, 10)),
    ],
)
def test_a_half_transparent_thing_lets_half_of_the_background_through(
    background: tuple[int, int, int, int], expected: tuple[int, ...]
) -> None:
    pixel = np.array(over(HALF, background))[0, 0]
    assert pixel.tolist() == pytest.approx(expected, abs=1)


def frames(count: int, alive: list[int]) -> Iterator[Image.Image]:
    """One colour each; ``alive`` gets how many of them were held when each was asked for."""
    made: list[weakref.ref[Image.Image]] = []
    for number in range(count):
        alive.append(sum(other() is not None for other in made))
        picture = Image.new("RGB", (16, 16), (number * 20, 0, 0))
        made.append(weakref.ref(picture))
        yield picture


def test_views_of_a_turntable_are_not_held(tmp_path: Path) -> None:
    alive: list[int] = []
    still, turntable = tmp_path / "a/b.png", tmp_path / "a/b.webp"
    write_pictures(frames(12, alive), still, turntable, 12)
    assert max(alive) <= 2
    with Image.open(turntable) as picture:
        assert picture.n_frames == 12  # type: ignore[attr-defined]
        reds = []
        for number in range(12):
            picture.seek(number)
            reds.append(int(np.array(picture.convert("RGB"))[8, 8, 0]))
    assert reds == pytest.approx([number * 20 for number in range(12)], abs=6)
    assert sorted(path.name for path in still.parent.iterdir()) == ["b.png", "b.webp"]


def test_nothing_stays_of_what_fails(tmp_path: Path) -> None:
    def failing() -> Iterator[Image.Image]:
        yield from frames(3, [])
        raise RuntimeError("the renderer is gone")

    with pytest.raises(RuntimeError, match="gone"):
        write_pictures(failing(), tmp_path / "b.png", tmp_path / "b.webp", 5)
    assert list(tmp_path.iterdir()) == []
