"""Decoders of uncompressed pixels. Each maker returns a ``formats.Decoder``.

Channels that a format lacks: green and blue 0 and alpha 1, as a shader samples them; the colour of an alpha-only
texture is white, since the shaders that use one (text, masks) take their colour from elsewhere and a sampled black
would erase it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_CHANNELS = "RGBA"
_STRIP_PIXELS = 1 << 15
_POWERS = np.ldexp(np.float32(1), np.arange(-24, 8)).astype(np.float32)  # of RGB9E5, by exponent
_Decode = Callable[[NDArray[np.uint8], int, int], NDArray[Any]]


def canvas(height: int, width: int, order: str, dtype: Any, one: float) -> NDArray[Any]:
    """(height, width, 4) with the value that each channel missing from ``order`` has."""
    pixels: NDArray[Any] = np.empty((height, width, 4), dtype)
    for index, channel in enumerate(_CHANNELS):
        if channel not in order:
            pixels[..., index] = one if channel == "A" or order == "A" else 0
    return pixels


def place(values: NDArray[Any], order: str, one: float) -> NDArray[Any]:
    """(H, W, len(order)) values to RGBA; those already in RGBA order are returned as they are."""
    if order == _CHANNELS:
        return values
    height, width = values.shape[:2]
    pixels = canvas(height, width, order, values.dtype, one)
    fill(pixels, values, order)
    return pixels


def fill(pixels: NDArray[Any], values: NDArray[Any], order: str) -> None:
    """Put (H, W, len(order)) values in their places; of RGBA ``pixels`` the other channels stay as they are."""
    for index, channel in enumerate(order):
        pixels[..., _CHANNELS.index(channel)] = values[..., index]


def bytes_in(order: str) -> _Decode:
    """One byte a channel, in this order in memory. RGBA is not copied."""

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
        return place(data.reshape(height, width, len(order)), order, 255)

    return decode


def words_in(order: str) -> _Decode:
    """Unsigned 16-bit channels, rounded to 8 bits: x / 257, since 65535 = 255 * 257."""

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
        words = data.view("<u2").reshape(height, width, len(order))
        return place(((words.astype(np.uint32) + 128) // 257).astype(np.uint8), order, 255)

    return decode


def packed(**fields: tuple[int, int]) -> _Decode:
    """16-bit pixels with ``channel=(shift, bits)``; a channel of n bits maps 0..2^n - 1 to 0..255, rounded."""
    order = "".join(fields).upper()

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
        words = data.view("<u2").reshape(height, width)
        pixels = canvas(height, width, order, np.uint8, 255)
        for channel, (shift, bits) in fields.items():
            top = (1 << bits) - 1
            scale = ((np.arange(top + 1) * 510 + top) // (2 * top)).astype(np.uint8)
            pixels[..., _CHANNELS.index(channel.upper())] = scale[(words >> shift) & top]
        return pixels

    return decode


def floats(order: str, dtype: str) -> _Decode:
    """Half or single floats, as they are: float32, any range, maybe not finite."""

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.float32]:
        values = data.view(dtype).reshape(height, width, len(order)).astype(np.float32, copy=False)
        return place(values, order, 1)

    return decode


def signed(order: str, dtype: str) -> _Decode:
    """Signed normalised integers: float32 in -1..1; the lowest integer is -1 too."""
    top = np.iinfo(dtype).max

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.float32]:
        values = data.view(dtype).reshape(height, width, len(order)).astype(np.float32)
        values /= top
        return place(np.maximum(values, -1, out=values), order, 1)

    return decode


def shared_exponent(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.float32]:
    """RGB9E5: three 9-bit mantissas from the low bits up and a 5-bit exponent; value = m * 2^(e - 24)."""
    words = data.view("<u4").reshape(height, width)
    pixels = canvas(height, width, "RGB", np.float32, 1)
    rows = max(1, _STRIP_PIXELS // width)
    for start in range(0, height, rows):
        strip = words[start : start + rows]
        scale = _POWERS[strip >> 27]
        for index in range(3):
            pixels[start : start + rows, :, index] = ((strip >> (9 * index)) & 0x1FF) * scale
    return pixels


def yuy2(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """Two pixels in four bytes, Y0 U Y1 V, to RGB by BT.601 of the studio range (Y 16..235), as Direct3D does."""
    quads = data.reshape(height, width // 2, 4)
    pixels = canvas(height, width, "RGB", np.uint8, 255)
    rows = max(1, _STRIP_PIXELS // width)
    for start in range(0, height, rows):
        pixels[start : start + rows, :, :3] = _rgb_of_yuv(quads[start : start + rows].astype(np.int32))
    return pixels


def _rgb_of_yuv(quads: NDArray[np.int32]) -> NDArray[np.int32]:
    """(H, W / 2, 4) Y U Y V to (H, W, 3), in 1/256 of the usual coefficients."""
    luma = 298 * (quads[..., 0::2].reshape(len(quads), -1) - 16) + 128
    blue, red = (np.repeat(quads[..., index] - 128, 2, axis=1) for index in (1, 3))
    values = np.stack([luma + 409 * red, luma - 100 * blue - 208 * red, luma + 516 * blue], axis=-1)
    return (values >> 8).clip(0, 255)
