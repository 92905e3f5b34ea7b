"""KHR_texture_transform: tiling and offset of a texture slot (Unity's ``_ST``)."""

from __future__ import annotations

from typing import Any

from ...ir import TextureUse
from .hooks import TEXTURE_INFO


@TEXTURE_INFO.add("KHR_texture_transform")
def texture_transform(use: TextureUse) -> dict[str, Any] | None:
    """Offset and scale where they are not the identity."""
    transform: dict[str, Any] = {}
    if use.offset != (0.0, 0.0):
        transform["offset"] = list(use.offset)
    if use.scale != (1.0, 1.0):
        transform["scale"] = list(use.scale)
    return transform or None
