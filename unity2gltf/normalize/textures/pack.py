"""Channels of decoded pixels put together as glTF wants them. All pixels are 8 bits a channel, top row first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..srgb import linear_array_to_srgb, srgb_array_to_linear
from .recipes import ALPHA, BLUE, GREEN, RED, Plane, Tap
from .resize import resize

Pixels = NDArray[np.uint8]
PixelsOf = Callable[[Tap], tuple[Pixels, bool] | None]
"""The pixels (H, W, 4) of a tap's texture and whether its colours are sRGB; None where it cannot be had."""

DXT5NM, PLAIN, ASTC_NM = 3, 4, 10  # Unity's TextureUsageMode of normal maps
_ROUNDING = 4.0  # bytes: half a step of 5 bits
_UNIT = 0.1  # how far the length of a stored normal may be off, on the average


@lru_cache(maxsize=64)
def ramp(low: float, high: float, srgb: bool) -> Pixels:
    """(256,) what each byte becomes: decoded where it is sRGB, then ``low`` to ``high``, cut to 0..1."""
    values = np.arange(256) / 255
    values = low + (high - low) * (srgb_array_to_linear(values) if srgb else values)
    table: Pixels = np.rint(np.clip(values, 0, 1) * 255).astype(np.uint8)
    table.flags.writeable = False
    return table


@lru_cache(maxsize=1)
def srgb_ramp() -> Pixels:
    """(256,) linear bytes as sRGB bytes."""
    table: Pixels = np.rint(linear_array_to_srgb(np.arange(256) / 255) * 255).astype(np.uint8)
    table.flags.writeable = False
    return table


def pack(planes: Sequence[Plane], pixels_of: PixelsOf) -> Pixels:
    """(H, W, planes) of the largest texture's size; smaller ones are stretched, missing ones are neutral."""
    found = [pixels_of(plane) if isinstance(plane, Tap) else None for plane in planes]
    height = max((item[0].shape[0] for item in found if item), default=1)
    width = max((item[0].shape[1] for item in found if item), default=1)
    packed = np.empty((height, width, len(planes)), np.uint8)
    for index, (plane, item) in enumerate(zip(planes, found, strict=True)):
        packed[..., index] = _plane(plane, item, height, width)
    return packed


def _plane(plane: Plane, item: tuple[Pixels, bool] | None, height: int, width: int) -> Pixels | int:
    if not isinstance(plane, Tap):
        return _byte(plane)
    if item is None:
        return _byte(plane.neutral)
    pixels, srgb = item
    channel = pixels[..., plane.channel]
    if channel.shape != (height, width):
        channel = resize(channel[..., None], width, height)[..., 0]
    result: Pixels = ramp(plane.low, plane.high, srgb and plane.channel != ALPHA)[channel]
    return result


def _byte(value: float) -> int:
    return round(min(max(value, 0.0), 1.0) * 255)


def is_opaque(pixels: Pixels) -> bool:
    """Is alpha 255 everywhere?"""
    return int(pixels[..., ALPHA].min()) == 255


def look_up(pixels: Pixels, table: Pixels) -> Pixels:
    """Colours by a ``table`` (256,); alpha stays."""
    result = pixels.copy()
    result[..., :ALPHA] = table[pixels[..., :ALPHA]]
    return result


def as_srgb(pixels: Pixels) -> Pixels:
    """The colours of linear pixels as sRGB; alpha stays."""
    return look_up(pixels, srgb_ramp())


def undo_premultiplied(pixels: Pixels) -> tuple[Pixels, int]:
    """Colours divided by alpha, where all are stored times alpha (none exceeds it), and how many pixels that changed.

    Transparent black stays as it is: there is nothing to divide.
    """
    alpha = pixels[..., ALPHA:]
    if is_opaque(pixels) or bool((pixels[..., :ALPHA] > alpha).any()):
        return pixels, 0
    result = pixels.copy()
    partial = (alpha[..., 0] > 0) & (alpha[..., 0] < 255)
    color = pixels[partial].astype(np.uint32)
    over = color[:, ALPHA:]
    result[partial, :ALPHA] = (color[:, :ALPHA] * 255 + over // 2) // over
    return result, len(color)


def masked(pixels: Pixels, mask: Pixels) -> Pixels:
    """sRGB colours times a mask (H, W, 1) of linear numbers; alpha stays."""
    result = pixels.copy()
    result[..., :ALPHA] = _dimmed()[pixels[..., :ALPHA], resize(mask, pixels.shape[1], pixels.shape[0])]
    return result


@lru_cache(maxsize=1)
def _dimmed() -> Pixels:
    """(256, 256) the sRGB byte of each sRGB byte times each linear one."""
    steps = np.arange(256) / 255
    linear = srgb_array_to_linear(steps).astype(np.float32)
    products = linear[:, None] * steps.astype(np.float32)
    table: Pixels = np.rint(linear_array_to_srgb(products) * 255).astype(np.uint8)
    return table


def unpack_normals(pixels: Pixels, usage: int) -> Pixels:
    """(H, W, 3) x, y and z of a normal map as bytes of n / 2 + 1 / 2; y is green, z is worked out from x and y.

    x is red times alpha, as Unity's shaders have it: DXT5nm has a full red and x in alpha, BC5 and RGB a full alpha.
    Three layouts differ: ASTC's own has y in red, too, and so has the DXT5nm of Unity before 2017, whose shaders read
    alpha alone; in a plain map alpha may be anything.
    """
    red, alpha = pixels[..., RED], pixels[..., ALPHA]
    if usage == ASTC_NM or (usage == DXT5NM and not is_opaque(pixels) and _is_grey(pixels)):
        x = alpha
    elif usage == PLAIN or is_opaque(pixels) or (usage != DXT5NM and _is_plain(pixels)):
        x = red
    else:
        x = ((red.astype(np.uint16) * alpha + 127) // 255).astype(np.uint8)
    result = np.empty((*pixels.shape[:2], 3), np.uint8)
    result[..., RED], result[..., GREEN] = x, pixels[..., GREEN]
    result[..., BLUE] = _depths()[_squares()[x] + _squares()[pixels[..., GREEN]]]
    return result


def _is_grey(pixels: Pixels) -> bool:
    """Are red, green and blue one, but for the 5 and 6 bits of DXT5, on the average of one pixel in sixteen?"""
    some = pixels[::4, ::4].astype(np.int16)
    off = np.abs(some[..., (RED, BLUE)] - some[..., GREEN, None])
    return bool(off.mean() <= _ROUNDING)


def _is_plain(pixels: Pixels) -> bool:
    """Are red, green and blue unit vectors, on the average of one pixel in sixteen? Not where red is full: x is in
    alpha there, and (1, 0, 0) would be a surface that lies on its side everywhere."""
    if int(pixels[..., RED].min()) == 255:
        return False
    vectors = pixels[::4, ::4, :ALPHA].astype(np.float32) / 127.5 - 1
    return bool(np.abs(np.linalg.norm(vectors, axis=-1) - 1).mean() <= _UNIT)


@lru_cache(maxsize=1)
def _squares() -> NDArray[np.uint32]:
    """(256,) the square of 255 n of each byte."""
    squares: NDArray[np.uint32] = ((2 * np.arange(256) - 255) ** 2).astype(np.uint32)
    return squares


@lru_cache(maxsize=1)
def _depths() -> Pixels:
    """(2 * 255^2 + 1,) the byte of z for each sum of the squares of 255 x and 255 y."""
    rest = 1 - np.arange(2 * 255**2 + 1) / 255**2
    depths: Pixels = np.rint((np.sqrt(np.maximum(rest, 0)) / 2 + 0.5) * 255).astype(np.uint8)
    return depths
