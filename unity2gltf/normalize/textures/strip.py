"""The images of a cubemap or texture array, one below the other in one picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...raw import RawTexture
from .decode import MAX_PIXELS, decode_texture, image_bytes

MAX_IMAGES = 2048
"""Unity's largest texture array."""


def strip(raw: RawTexture, diagnostics: Diagnostics, max_side: int = 0) -> NDArray[np.uint8]:
    """(images * height, width, 4) RGBA, the first image on top; ``max_side`` is that of one image.

    A cubemap's faces are +X, -X, +Y, -Y, +Z, -Z. Their rows are stored top first, unlike those of all other textures.
    Raises :class:`Fault` as :func:`decode_texture` does, and TEXTURE_LIMIT for more pixels than one texture may have.
    """
    if raw.images <= 1:
        return decode_texture(raw, diagnostics, max_side)
    if raw.images > MAX_IMAGES or raw.images * raw.width * raw.height > MAX_PIXELS:
        message = f"the texture has {raw.images} images of {raw.width} x {raw.height} pixels"
        raise Fault(codes.TEXTURE_LIMIT, message, images=raw.images, limit=MAX_PIXELS)
    size = image_bytes(raw)
    if len(raw.data) < raw.images * size:
        message = f"{raw.images} images need {raw.images * size} bytes; there are {len(raw.data)}"
        raise Fault(codes.TEXTURE_CORRUPT, message, needed=raw.images * size, found=len(raw.data))
    data = np.frombuffer(raw.data, np.uint8)
    parts = (data[index * size : (index + 1) * size] for index in range(raw.images))
    return np.concatenate([decode_texture(replace(raw, data=part), diagnostics, max_side) for part in parts])
