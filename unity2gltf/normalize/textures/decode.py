"""A texture as 8-bit pixels: the first mip, or the one that fits a size. Every size is checked before a native decoder
sees the data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...raw import RawTexture
from . import crunch
from .formats import FORMATS, Format, refused
from .graphics import TEXTURE_FORMATS
from .levels import Level, choose, lay_out, level_sizes, without_first
from .platforms import block_height_log, block_linear, from_xbox_360, on_switch, report_order
from .quantise import quantise, report_saturation, with_full_alpha
from .resize import fitted, resize

MAX_SIDE = 16384
"""Unity's largest texture side."""
MAX_PIXELS = 1 << 28
"""16384 x 16384: 1 GiB as RGBA."""


def decode_texture(raw: RawTexture, diagnostics: Diagnostics, max_side: int = 0) -> NDArray[np.uint8]:
    """(height, width, 4) RGBA, top row first, values as stored (no colour space is applied). May be a read-only view.

    ``max_side`` above 0 is the most that the longer side may have: the largest stored mip within it is decoded, or
    where there is none the smallest one, which is then scaled down.

    Raises :class:`Fault` TEXTURE_MISSING (no pixels), TEXTURE_FORMAT, TEXTURE_LIMIT or TEXTURE_CORRUPT. Values that
    8 bits cannot hold (outside 0..1, NaN) are cut and counted in TEXTURE_CLAMPED.
    """
    number, form = _format(raw)
    _check_sides(raw)
    report_order(raw, diagnostics)
    stored, level, data = _level(raw, number, form, max_side)
    across, down = stored.blocks(level.width, level.height)
    assert stored.decode is not None
    decoded = stored.decode(data, across * stored.block[0], down * stored.block[1])
    pixels = decoded[: level.height, : level.width]
    if stored is not form:
        pixels = with_full_alpha(pixels)
    if pixels.dtype != np.uint8:
        pixels = quantise(pixels, form, diagnostics)
    elif form.hdr:
        report_saturation(pixels, form, diagnostics)
    pixels = resize(pixels, *fitted(level.width, level.height, max_side))
    return pixels if raw.cube else pixels[::-1]


def image_bytes(raw: RawTexture) -> int:
    """Bytes of one image of a cubemap or array, all its mips. Raises :class:`Fault` as :func:`decode_texture` does."""
    _, form = _format(raw)
    _check_sides(raw)
    if form.crunch or block_height_log(raw):
        raise refused(raw.format, form, "several images are not read from crunched or block-linear data")
    *_, last = lay_out(form, raw.width, raw.height, raw.mip_count)
    return last.offset + last.size


def _format(raw: RawTexture) -> tuple[int, Format]:
    """The TextureFormat and its row, which has a decoder."""
    number = raw.format
    if raw.graphics_format:
        known = TEXTURE_FORMATS.get(raw.graphics_format)
        if known is None:
            message = f"graphics format {raw.graphics_format} is not decoded"
            raise Fault(codes.TEXTURE_FORMAT, message, graphics_format=raw.graphics_format)
        number = known
    form = FORMATS.get(number)
    if form is None:
        raise Fault(codes.TEXTURE_FORMAT, f"texture format {number} is unknown", format=number)
    if form.note:
        raise refused(number, form, form.note)
    return number, form


def _check_sides(raw: RawTexture) -> None:
    width, height = raw.width, raw.height
    if width == height == len(raw.data) == 0:
        raise Fault(codes.TEXTURE_MISSING, "the texture is empty: the game fills it when it runs", name=raw.name)
    if width < 1 or height < 1:
        raise Fault(codes.TEXTURE_CORRUPT, f"the texture is {width} x {height} pixels", width=width, height=height)
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        message = f"the texture is {width} x {height} pixels; the limit is {MAX_SIDE} a side"
        raise Fault(codes.TEXTURE_LIMIT, message, width=width, height=height, limit=MAX_SIDE)


def _level(raw: RawTexture, number: int, form: Format, max_side: int) -> tuple[Format, Level, NDArray[np.uint8]]:
    """The level to decode, exactly its bytes, and the format that they are stored in. The first mip must be there
    whole, whichever is taken."""
    data = np.frombuffer(raw.data, np.uint8)
    if not len(data):
        raise Fault(codes.TEXTURE_MISSING, "the texture's pixels are not in the input", name=raw.name)
    if log := block_height_log(raw):  # where its other mips begin is not known
        form = on_switch(number)
        first = Level(0, raw.width, raw.height, 0, form.size(raw.width, raw.height))
        return form, first, block_linear(data, *form.blocks(raw.width, raw.height), form.block_bytes, log)
    data = from_xbox_360(raw, number, data)
    if form.crunch:
        return form, *_crunched(raw, data, form, max_side)
    levels = lay_out(form, raw.width, raw.height, raw.mip_count)
    if 0 < raw.mips_stripped < len(levels) and len(data) < levels[0].size:
        levels = without_first(levels, raw.mips_stripped)
    _check_length(raw, form, levels[0].size, len(data))
    # a count of mips that the data does not bear out is none to rely on
    level = choose([level for level in levels if level.offset + level.size <= len(data)], max_side)
    return form, level, data[level.offset : level.offset + level.size]


def _crunched(raw: RawTexture, data: NDArray[np.uint8], form: Format, max_side: int) -> tuple[Level, NDArray[np.uint8]]:
    count = min(raw.mip_count, crunch.level_count(data))
    sizes = level_sizes(raw.width, raw.height, count)
    level = choose([Level(k, *size, 0, form.size(*size)) for k, size in enumerate(sizes)], max_side)
    unpacked = crunch.unpack(data, raw.width, raw.height, form.block_bytes, raw.version, level.number)
    _check_length(raw, form, level.size, len(unpacked))
    return level, unpacked[: level.size]


def _check_length(raw: RawTexture, form: Format, needed: int, found: int) -> None:
    if found < needed:
        message = f"{raw.width} x {raw.height} pixels of {form.name} need {needed} bytes; there are {found}"
        raise Fault(codes.TEXTURE_CORRUPT, message, needed=needed, found=found)
