"""The first mip of a texture as 8-bit pixels. Every size is checked before a native decoder sees the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...raw import RawTexture
from . import crunch
from .formats import FORMATS, Format

MAX_SIDE = 16384
"""Unity's largest texture side."""
MAX_PIXELS = 1 << 28
"""16384 x 16384: 1 GiB as RGBA."""

_XBOX_360, _SWITCH = 11, 38


def decode_texture(raw: RawTexture, diagnostics: Diagnostics) -> NDArray[np.uint8]:
    """(height, width, 4) RGBA, top row first, values as stored (no colour space is applied). May be a read-only view.

    Raises :class:`Fault` TEXTURE_MISSING (no pixels), TEXTURE_FORMAT, TEXTURE_LIMIT or TEXTURE_CORRUPT. Values that
    8 bits cannot hold (outside 0..1, NaN) are cut and counted in TEXTURE_CLAMPED.
    """
    form = _format(raw)
    _check_sides(raw)
    data = _first_mip(raw, form)
    across, down = form.blocks(raw.width, raw.height)
    assert form.decode is not None
    decoded = form.decode(data, across * form.block[0], down * form.block[1])
    pixels = decoded[: raw.height, : raw.width]
    if pixels.dtype != np.uint8:
        pixels = _quantise(pixels, form, diagnostics)
    elif form.hdr:
        _report_saturation(pixels, form, diagnostics)
    return pixels[::-1]


def _format(raw: RawTexture) -> Format:
    form = FORMATS.get(raw.format)
    if form is None:
        raise Fault(codes.TEXTURE_FORMAT, f"texture format {raw.format} is unknown", format=raw.format)
    reason = form.note
    if raw.platform == _XBOX_360:
        reason = "the Xbox 360 byte and tile order is not decoded"
    elif raw.platform == _SWITCH and any(raw.platform_blob[8:12]):  # log2 of the GOBs a block, 0 = linear
        reason = "the Switch block-linear layout is not decoded"
    if reason:
        raise Fault(codes.TEXTURE_FORMAT, f"texture format {form.name}: {reason}", format=raw.format, name=form.name)
    return form


def _check_sides(raw: RawTexture) -> None:
    width, height = raw.width, raw.height
    if width == height == len(raw.data) == 0:
        raise Fault(codes.TEXTURE_MISSING, "the texture is empty: the game fills it when it runs", name=raw.name)
    if width < 1 or height < 1:
        raise Fault(codes.TEXTURE_CORRUPT, f"the texture is {width} x {height} pixels", width=width, height=height)
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        message = f"the texture is {width} x {height} pixels; the limit is {MAX_SIDE} a side"
        raise Fault(codes.TEXTURE_LIMIT, message, width=width, height=height, limit=MAX_SIDE)


def _first_mip(raw: RawTexture, form: Format) -> NDArray[np.uint8]:
    """Exactly the bytes of the first mip, of which there are enough."""
    data = np.frombuffer(raw.data, np.uint8)
    if not len(data):
        raise Fault(codes.TEXTURE_MISSING, "the texture's pixels are not in the input", name=raw.name)
    if form.crunch:
        data = crunch.unpack(data, raw.width, raw.height, form.block_bytes, raw.version)
    needed = form.size(raw.width, raw.height)
    if len(data) < needed:
        message = f"{raw.width} x {raw.height} pixels of {form.name} need {needed} bytes; there are {len(data)}"
        raise Fault(codes.TEXTURE_CORRUPT, message, needed=needed, found=len(data))
    return data[:needed]


def _quantise(values: NDArray[Any], form: Format, diagnostics: Diagnostics) -> NDArray[np.uint8]:
    """float32 to 8 bits, rounded; what lies outside 0..1 is cut, NaN becomes 0."""
    outside = int(np.count_nonzero(~((values >= 0) & (values <= 1)).all(axis=-1)))
    if outside:
        _report_clamped(outside, values.shape[0] * values.shape[1], form, diagnostics)
        values = np.clip(np.nan_to_num(values, nan=0.0), 0, 1)
    result: NDArray[np.uint8] = (values * np.float32(255) + np.float32(0.5)).astype(np.uint8)
    return result


def _report_saturation(pixels: NDArray[Any], form: Format, diagnostics: Diagnostics) -> None:
    """The decoder has cut the values already: those at the top of the range are the ones that may have been above."""
    saturated = int(np.count_nonzero((pixels[..., :3] == 255).any(axis=-1)))
    if saturated:
        _report_clamped(saturated, pixels.shape[0] * pixels.shape[1], form, diagnostics)


def _report_clamped(pixels: int, of: int, form: Format, diagnostics: Diagnostics) -> None:
    message = f"{pixels} of {of} pixels of {form.name} lie outside 0..1 and were cut to it"
    diagnostics.add(codes.TEXTURE_CLAMPED, message, pixels=pixels, of=of, format=form.name)
