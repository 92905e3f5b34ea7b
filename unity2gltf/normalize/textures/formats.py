"""The table of Unity's TextureFormat numbers: one row a format.

A row without a decoder is a format that we know of and do not read; ``note`` says why. Adding a format is one row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Fault
from . import blocks, plain
from .eac import signed_eac

Decoder = Callable[[NDArray[np.uint8], int, int], NDArray[Any]]
"""(bytes of the first mip, width, height in whole blocks) to (height, width, 4) RGBA in the stored row order: uint8,
or float32 for formats whose values may leave 0..1. The caller has checked that the bytes suffice."""


@dataclass(frozen=True, slots=True)
class Format:
    """``block`` is (width, height) in pixels, ``block_bytes`` its size, ``min_blocks`` the least count on a side.

    ``crunch`` formats hold crunched data that unpacks to the block data. ``hdr``: the decoder gives 8 bits of a format
    whose values may exceed 1.
    """

    name: str
    block: tuple[int, int]
    block_bytes: int
    decode: Decoder | None
    min_blocks: int = 1
    crunch: bool = False
    hdr: bool = False
    note: str = ""

    def blocks(self, width: int, height: int) -> tuple[int, int]:
        """Blocks across and down that cover ``width`` x ``height`` pixels."""
        across, down = -(-width // self.block[0]), -(-height // self.block[1])
        return max(across, self.min_blocks), max(down, self.min_blocks)

    def size(self, width: int, height: int) -> int:
        """Bytes of one image of ``width`` x ``height`` pixels."""
        across, down = self.blocks(width, height)
        return across * down * self.block_bytes


def refused(number: int, form: Format, reason: str) -> Fault:
    """TEXTURE_FORMAT for a texture of TextureFormat ``number`` that is not decoded."""
    return Fault(codes.TEXTURE_FORMAT, f"texture format {form.name}: {reason}", format=number, name=form.name)


def _pixels(name: str, size: int, decode: Decoder | None, note: str = "") -> Format:
    return Format(name, (1, 1), size, decode, note=note)


def _blocks(name: str, size: int, decode: Decoder | None, **more: Any) -> Format:
    return Format(name, (4, 4), size, decode, **more)


_ASTC = ((4, 4), (5, 5), (6, 6), (8, 8), (10, 10), (12, 12))


def _astc(first: int, prefix: str, hdr: bool) -> dict[int, Format]:
    """Six rows: 2D ASTC has 16 bytes a block whatever its size."""
    return {
        first + i: Format(f"{prefix}_{w}x{h}", (w, h), 16, blocks.astc(w, h, hdr), hdr=hdr)
        for i, (w, h) in enumerate(_ASTC)
    }


_ATF = "Adobe's container for the Flash player is not read; build the game for another platform"
_3DS = "public sources disagree on the tile order of the Nintendo 3DS; build the game for another platform"

FORMATS: dict[int, Format] = {
    1: _pixels("Alpha8", 1, plain.bytes_in("A")),
    2: _pixels("ARGB4444", 2, plain.packed(r=(8, 4), g=(4, 4), b=(0, 4), a=(12, 4))),
    3: _pixels("RGB24", 3, plain.bytes_in("RGB")),
    4: _pixels("RGBA32", 4, plain.bytes_in("RGBA")),
    5: _pixels("ARGB32", 4, plain.bytes_in("ARGB")),
    6: _pixels("ARGBFloat", 16, plain.floats("ARGB", "<f4")),
    7: _pixels("RGB565", 2, plain.packed(r=(11, 5), g=(5, 6), b=(0, 5))),
    8: _pixels("BGR24", 3, plain.bytes_in("BGR")),
    9: _pixels("R16", 2, plain.words_in("R")),
    10: _blocks("DXT1", 8, blocks.pillow("RGBA", 1)),
    11: _blocks("DXT3", 16, blocks.pillow("RGBA", 2)),
    12: _blocks("DXT5", 16, blocks.pillow("RGBA", 3)),
    13: _pixels("RGBA4444", 2, plain.packed(r=(12, 4), g=(8, 4), b=(4, 4), a=(0, 4))),
    14: _pixels("BGRA32", 4, plain.bytes_in("BGRA")),
    15: _pixels("RHalf", 2, plain.floats("R", "<f2")),
    16: _pixels("RGHalf", 4, plain.floats("RG", "<f2")),
    17: _pixels("RGBAHalf", 8, plain.floats("RGBA", "<f2")),
    18: _pixels("RFloat", 4, plain.floats("R", "<f4")),
    19: _pixels("RGFloat", 8, plain.floats("RG", "<f4")),
    20: _pixels("RGBAFloat", 16, plain.floats("RGBA", "<f4")),
    21: Format("YUY2", (2, 1), 4, plain.yuy2),
    22: _pixels("RGB9e5Float", 4, plain.shared_exponent),
    23: _pixels("RGBFloat", 12, plain.floats("RGB", "<f4")),
    24: _blocks("BC6H", 16, blocks.pillow("RGB", 6), hdr=True),
    25: _blocks("BC7", 16, blocks.pillow("RGBA", 7)),
    26: _blocks("BC4", 8, blocks.pillow("L", 4)),
    27: _blocks("BC5", 16, blocks.pillow("RGB", 5)),
    28: _blocks("DXT1Crunched", 8, blocks.pillow("RGBA", 1), crunch=True),
    29: _blocks("DXT5Crunched", 16, blocks.pillow("RGBA", 3), crunch=True),
    30: Format("PVRTC_RGB2", (8, 4), 8, blocks.pvrtc(2), min_blocks=2),
    31: Format("PVRTC_RGBA2", (8, 4), 8, blocks.pvrtc(2), min_blocks=2),
    32: _blocks("PVRTC_RGB4", 8, blocks.pvrtc(4), min_blocks=2),
    33: _blocks("PVRTC_RGBA4", 8, blocks.pvrtc(4), min_blocks=2),
    34: _blocks("ETC_RGB4", 8, blocks.packed("decode_etc1")),
    35: _blocks("ATC_RGB4", 8, blocks.packed("decode_atc_rgb4")),
    36: _blocks("ATC_RGBA8", 16, blocks.packed("decode_atc_rgba8")),
    37: _pixels("BGRA32 (old)", 4, plain.bytes_in("BGRA")),
    38: _pixels("ATF_RGB_DXT1", 1, None, _ATF),
    39: _pixels("ATF_RGBA_JPG", 1, None, _ATF),
    40: _pixels("ATF_RGB_JPG", 1, None, _ATF),
    41: _blocks("EAC_R", 8, blocks.packed("decode_eacr")),
    42: _blocks("EAC_R_SIGNED", 8, signed_eac(1)),
    43: _blocks("EAC_RG", 16, blocks.packed("decode_eacrg")),
    44: _blocks("EAC_RG_SIGNED", 16, signed_eac(2)),
    45: _blocks("ETC2_RGB", 8, blocks.packed("decode_etc2")),
    46: _blocks("ETC2_RGBA1", 8, blocks.packed("decode_etc2a1")),
    47: _blocks("ETC2_RGBA8", 16, blocks.packed("decode_etc2a8")),
    **_astc(48, "ASTC", hdr=False),
    **_astc(54, "ASTC_RGBA", hdr=False),
    60: _blocks("ETC_RGB4_3DS", 8, None, note=_3DS),
    61: _blocks("ETC_RGBA8_3DS", 16, None, note=_3DS),
    62: _pixels("RG16", 2, plain.bytes_in("RG")),
    63: _pixels("R8", 1, plain.bytes_in("R")),
    64: _blocks("ETC_RGB4Crunched", 8, blocks.packed("decode_etc1"), crunch=True),
    65: _blocks("ETC2_RGBA8Crunched", 16, blocks.packed("decode_etc2a8"), crunch=True),
    **_astc(66, "ASTC_HDR", hdr=True),
    72: _pixels("RG32", 4, plain.words_in("RG")),
    73: _pixels("RGB48", 6, plain.words_in("RGB")),
    74: _pixels("RGBA64", 8, plain.words_in("RGBA")),
    75: _pixels("R8_SIGNED", 1, plain.signed("R", "i1")),
    76: _pixels("RG16_SIGNED", 2, plain.signed("RG", "i1")),
    77: _pixels("RGB24_SIGNED", 3, plain.signed("RGB", "i1")),
    78: _pixels("RGBA32_SIGNED", 4, plain.signed("RGBA", "i1")),
    79: _pixels("R16_SIGNED", 2, plain.signed("R", "<i2")),
    80: _pixels("RG32_SIGNED", 4, plain.signed("RG", "<i2")),
    81: _pixels("RGB48_SIGNED", 6, plain.signed("RGB", "<i2")),
    82: _pixels("RGBA64_SIGNED", 8, plain.signed("RGBA", "<i2")),
}
