"""What a user may write for a size and a background, and what is refused with a sentence."""

from __future__ import annotations

import math

import pytest

from unity2gltf.errors import UsageError
from unity2gltf.preview.look import BACKGROUND, Look, parse_background, parse_size


@pytest.mark.parametrize(("text", "size"), [("512", (512, 512)), ("640x480", (640, 480)), (" 64X32 ", (64, 32))])
def test_sizes(text: str, size: tuple[int, int]) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "x", "640x", "-5", "1e3", "640x480x2", "123456"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(UsageError, match="a size is"):
        parse_size(text)


def test_backgrounds() -> None:
    assert parse_background("#102030") == (16, 32, 48, 255)
    assert parse_background("#10203040") == (16, 32, 48, 64)
    assert parse_background("White") == (255, 255, 255, 255)
    assert parse_background("transparent") == (0, 0, 0, 0)
    assert parse_background(BACKGROUND) == Look().background
    with pytest.raises(UsageError, match="a background is"):
        parse_background("nosuch")


@pytest.mark.parametrize(
    "fields",
    [{"width": 15}, {"height": 4097}, {"frames": 0}, {"frames": 361}, {"time": -1.0}, {"time": math.nan}],
)
def test_looks_that_make_no_sense(fields: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Look(**fields)  # type: ignore[arg-type]
