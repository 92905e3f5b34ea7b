"""Other sizes of decoded pixels. Channels are independent of each other, as in Unity's own mips: alpha may hold
smoothness, a mask or nothing, and must not weigh the colours beside it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MODES = {1: "L", 3: "RGB", 4: "CMYK"}
"""Pillow's modes by channels. Four are called CMYK, since of RGBA it would multiply the colours by alpha."""


def resize(pixels: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """(H, W, 1..4) uint8 to ``height`` x ``width``: the mean of the pixels covered where neither side grows, bilinear
    where one does. Pixels of that size already are returned as they are."""
    from PIL import Image

    if pixels.shape[:2] == (height, width):
        return pixels
    if pixels.shape[2] not in _MODES:
        return np.concatenate([resize(pixels[..., [k]], width, height) for k in range(pixels.shape[2])], axis=-1)
    shrinks = width <= pixels.shape[1] and height <= pixels.shape[0]
    mode = _MODES[pixels.shape[2]]
    size = (pixels.shape[1], pixels.shape[0])
    image = Image.frombuffer(mode, size, np.ascontiguousarray(pixels), "raw", mode, 0, 1)
    kind = Image.Resampling.BOX if shrinks else Image.Resampling.BILINEAR
    return np.asarray(image.resize((width, height), kind)).reshape(height, width, -1)


def fitted(width: int, height: int, max_side: int) -> tuple[int, int]:
    """``width`` x ``height`` scaled down so that the longer side is ``max_side``; as it is where that is 0 or more."""
    longer = max(width, height)
    if max_side <= 0 or longer <= max_side:
        return width, height
    scale = max_side / longer
    return max(round(width * scale), 1), max(round(height * scale), 1)
