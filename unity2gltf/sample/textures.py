"""Pictures as the fields of Unity's Texture2D."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bc3 import encode_bc3

Stream = Callable[[bytes], dict[str, Any]]
"""Puts bytes into a .resS file and gives the m_StreamData that points at them."""

RGBA32, DXT5 = 4, 12
DEFAULT_USAGE, DXT5NM = 0, 3  # m_LightmapFormat: what a texture holds


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """``pixels`` (H, W, 4), bottom row first. ``srgb``: colours, which the game makes linear; data is linear already.

    ``normals``: x in alpha, y in green, 255 in red and blue, as Unity packs normal maps for desktops; stored as DXT5,
    while other pictures are RGBA32. ``keep``: the bytes that are there, where the declared size is a lie.
    """

    name: str
    pixels: NDArray[np.uint8]
    srgb: bool = True
    normals: bool = False
    keep: int | None = None

    def stored(self) -> bytes:
        """The bytes of the pixels."""
        return (encode_bc3(self.pixels) if self.normals else self.pixels.tobytes())[: self.keep]


def texture_fields(picture: Picture, stream: Stream | None = None) -> dict[str, Any]:
    """A Texture2D without mips; its pixels stand in the object, or in the .resS file of ``stream``."""
    data = picture.stored()
    height, width = picture.pixels.shape[:2]
    return {
        "m_Name": picture.name,
        "m_Width": width,
        "m_Height": height,
        "m_CompleteImageSize": len(data),
        "m_TextureFormat": DXT5 if picture.normals else RGBA32,
        "m_MipCount": 1,
        "m_ImageCount": 1,
        "m_TextureDimension": 2,
        "m_TextureSettings": {"m_FilterMode": 1, "m_Aniso": 1},
        "m_LightmapFormat": DXT5NM if picture.normals else DEFAULT_USAGE,
        "m_ColorSpace": int(picture.srgb),
        "image data": b"" if stream else data,
        "m_StreamData": stream(data) if stream else None,
    }
