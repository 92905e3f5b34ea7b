"""Pictures to files: a background below them, PNG for one view, animated WebP for a turntable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .look import Colour

TURN_SECONDS = 4.0
"""How long a turntable takes to go round."""

QUALITY = 85
_PNG_LEVEL = 6


def over(pixels: NDArray[np.uint8], background: Colour) -> Image.Image:
    """The picture on a background, sRGB; without an opacity where the background has none to give. ``pixels`` (H, W, 4)
    are Filament's: colours times alpha."""
    picture = Image.fromarray(_straight(pixels), "RGBA")
    if background[3] == 0:
        return picture
    below = Image.new("RGBA", (pixels.shape[1], pixels.shape[0]), background)
    drawn = Image.alpha_composite(below, picture)
    return drawn.convert("RGB") if background[3] == 255 else drawn


def _straight(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Colours divided by alpha, as image files hold them."""
    alpha = pixels[..., 3]
    partial = (alpha > 0) & (alpha < 255)
    result = pixels.copy()
    colors = pixels[partial].astype(np.uint32)
    over = colors[:, 3:]
    result[partial, :3] = np.minimum((colors[:, :3] * 255 + over // 2) // over, 255)
    return result


def write_pictures(images: Iterator[Image.Image], still: Path, turntable: Path | None, frames: int) -> None:
    """The first of ``images`` as a PNG, and all ``frames`` of them as an animated WebP that goes round for ever. Both
    files come to be, or none."""
    paths = (still, *([turntable] if turntable else []))
    first = next(images)
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        first.save(part_of(still), "PNG", compress_level=_PNG_LEVEL)
        if turntable:
            step = round(1000 * TURN_SECONDS / frames)
            turning = _turning(first, images, frames)
            turning.save(part_of(turntable), "WEBP", save_all=True, duration=step, loop=0, quality=QUALITY, method=4)
        for path in paths:
            part_of(path).replace(path)
    finally:
        remove_parts(*paths)


def part_of(path: Path) -> Path:
    """Where a picture is written before it is whole."""
    return path.with_name(f".{path.name}.part")


def remove_parts(*paths: Path) -> None:
    """Take away what was begun of pictures."""
    for path in paths:
        part_of(path).unlink(missing_ok=True)


def _turning(first: Image.Image, rest: Iterator[Image.Image], frames: int) -> Image.Image:
    """An image of many frames as Pillow takes them. Each is drawn when it is asked for, so that one is held at a time:
    all those of a large turntable would take gigabytes."""
    turning: Any = first.copy()
    shown = 0

    def seek(frame: int) -> None:
        nonlocal shown
        if frame > shown:
            turning.paste(next(rest))
            shown = frame

    turning.n_frames, turning.seek = frames, seek
    picture: Image.Image = turning
    return picture
