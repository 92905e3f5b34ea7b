"""Pictures to files: a background below them, PNG for one view, animated WebP for a turntable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

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


def write_still(image: Image.Image, path: Path) -> None:
    """A PNG, whole or not at all."""
    _replace(path, lambda beside: image.save(beside, "PNG", compress_level=_PNG_LEVEL))


def write_turntable(images: Sequence[Image.Image], path: Path) -> None:
    """An animated WebP that goes round for ever, whole or not at all."""
    step = round(1000 * TURN_SECONDS / len(images))
    first, *rest = images
    _replace(
        path,
        lambda beside: first.save(
            beside, "WEBP", save_all=True, append_images=rest, duration=step, loop=0, quality=QUALITY, method=4
        ),
    )


def _replace(path: Path, write: Callable[[Path], None]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    try:
        write(beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
