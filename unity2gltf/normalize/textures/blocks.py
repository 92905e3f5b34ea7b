"""Decoders of block-compressed pixels. Each maker returns a ``formats.Decoder``.

Pillow decodes the BC family: unlike texture2ddecoder it knows that BC2 and BC3 always interpolate four colours and
that BC1 has transparent texels, and it releases the interpreter lock.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from threading import get_ident
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Fault
from .plain import canvas, fill, place

_STRIP_PIXELS = 1 << 17

_Decode = Callable[[NDArray[np.uint8], int, int], NDArray[np.uint8]]


def library(name: str, package: str = "") -> Any:
    """A module that decodes, imported when first needed. Raises TEXTURE_FORMAT where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        package = package or name
        message = f"this texture's format needs the package {package} (pip install {package}): {error}"
        raise Fault(codes.TEXTURE_FORMAT, message, package=package) from error


def pillow(mode: str, number: int) -> _Decode:
    """BC``number`` through Pillow, which gives ``mode``: RGBA, RGB, or L for the red of BC4."""

    def decode_rows(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
        image = library("PIL.Image", "pillow").frombytes(mode, (width, height), data, "bcn", number)
        return np.frombuffer(image.tobytes(), np.uint8)

    return _in_strips(decode_rows, "R" if mode == "L" else mode)


def packed(function: str, *arguments: Any) -> _Decode:
    """A ``texture2ddecoder`` function for blocks of 4 x 4 pixels; it gives BGRA."""
    return _in_strips(_texture2ddecoder(function, *arguments), "BGRA")


def _texture2ddecoder(function: str, *arguments: Any) -> _Decode:
    def decode_rows(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
        try:
            decoded = getattr(library("texture2ddecoder"), function)(data.tobytes(), width, height, *arguments)
        except RuntimeError as error:
            raise Fault(codes.TEXTURE_CORRUPT, f"the block decoder refused the data: {error}") from error
        return np.frombuffer(decoded, np.uint8)

    return decode_rows


def _in_strips(decode_rows: _Decode, order: str) -> _Decode:
    """Decode some rows of blocks (4 pixels high) at a time into one picture. What the library allocates stays small
    and in the processor's cache: at 2048 x 2048 DXT1 takes a fifth of the time, and no format takes more."""

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
        pixels = canvas(height, width, order, np.uint8, 255)
        row_bytes = len(data) // height
        rows = max(_STRIP_PIXELS // width // 4, 1) * 4
        for start in range(0, height, rows):
            strip = pixels[start : start + rows]
            values = decode_rows(data[start * row_bytes : (start + len(strip)) * row_bytes], width, len(strip))
            values = values.reshape(len(strip), width, len(order))
            if order == "RGBA":
                strip[:] = values
            else:
                fill(strip, values, order)
        return pixels

    return decode


def pvrtc(bits: int) -> _Decode:
    """PVRTC 1 of 2 or 4 bits a pixel. Its blocks lie in Morton order, which needs sides that are powers of two."""
    unpack = _texture2ddecoder("decode_pvrtc", bits == 2)

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
        if width & (width - 1) or height & (height - 1):
            raise Fault(codes.TEXTURE_CORRUPT, f"PVRTC needs sides that are powers of two, not {width} x {height}")
        return place(unpack(data, width, height).reshape(height, width, 4), "BGRA", 255)

    return decode


def astc(block_width: int, block_height: int, hdr: bool) -> _Decode:
    """ASTC; values of the HDR profile are cut to 0..1 by the 8 bits of the result."""

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
        astc_encoder = library("astc_encoder", "astc-encoder-py")
        image = astc_encoder.ASTCImage(astc_encoder.ASTCType.U8, width, height, 1)
        context = _astc_context(block_width, block_height, hdr, get_ident())
        try:
            context.decompress(data.tobytes(), image, astc_encoder.ASTCSwizzle.from_str("RGBA"))
        except astc_encoder.ASTCError as error:
            raise Fault(codes.TEXTURE_CORRUPT, f"the ASTC decoder refused the data: {error}") from error
        return np.frombuffer(image.data, np.uint8).reshape(height, width, 4)

    return decode


@lru_cache(maxsize=8)
def _astc_context(block_width: int, block_height: int, hdr: bool, thread: int) -> Any:
    """A decoding context: 2 to 9 ms to make, and to be used by one ``thread`` only."""
    astc_encoder = library("astc_encoder", "astc-encoder-py")
    profile = astc_encoder.ASTCProfile.HDR if hdr else astc_encoder.ASTCProfile.LDR
    # 8-bit decoding is defined for the LDR profile only
    flags = 0 if hdr else astc_encoder.ASTCConfigFlags.USE_DECODE_UNORM8
    config = astc_encoder.ASTCConfig(profile, block_width, block_height, block_z=1, quality=100, flags=flags)
    return astc_encoder.ASTCContext(config)
