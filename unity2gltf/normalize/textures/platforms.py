"""Textures as consoles keep them, put into rows: the Nintendo Switch's block-linear order, the Xbox 360's bytes.

On the Switch (Tegra X1) a GOB is 64 bytes by 8 rows of pixels or blocks, kept as 512 bytes; 2^n GOBs one below the
other form a block, and blocks follow row by row. Within a GOB the bits of a byte's number are, from the high one down,
x5 y2 y1 x4 y0 x3 x2 x1 x0. Unity keeps n in bytes 8 to 11 of m_PlatformBlob; 0 is a texture in plain rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...raw import RawTexture
from .formats import FORMATS, Format, refused

XBOX_360, SWITCH = 11, 38
"""Unity's BuildTarget."""

GOB_BYTES, GOB_ROWS = 64, 8
_MAX_LOG = 5  # a block is at most 32 GOBs high
_ON_SWITCH = {3: 4, 8: 14}
"""Formats of three bytes a pixel are stored with four there: RGB24 as RGBA32, BGR24 as BGRA32."""

_AS_BYTES = frozenset((1, 3, 4, 5, 8, 14, 62, 63))
_AS_WORDS = frozenset((7, 10, 11, 12, 28, 29))
"""On the Xbox 360: TextureFormats in which each two bytes are swapped."""


_UNKNOWN_ORDER = {
    10: "PlayStation 3",
    30: "PlayStation Vita",
    31: "PlayStation 4",
    33: "Xbox One",
    35: "Nintendo 3DS",
    36: "Wii U",
    42: "Xbox Series",
    43: "Xbox One",
    44: "PlayStation 5",
}
"""Consoles, by BuildTarget, some of whose textures are kept in an order that no public source describes for Unity."""


def report_order(raw: RawTexture, diagnostics: Diagnostics) -> None:
    """Say that a texture of such a console may come out scrambled."""
    console = _UNKNOWN_ORDER.get(raw.platform)
    if console is not None:
        text = f"the texture was built for {console}: it is read in plain rows and may come out scrambled"
        diagnostics.add(codes.TEXTURE_ORDER, text, platform=raw.platform)


def block_height_log(raw: RawTexture) -> int:
    """log2 of the GOBs in a block of the Switch's order; 0 where the texture is in plain rows."""
    return int.from_bytes(raw.platform_blob[8:12], "little") if raw.platform == SWITCH else 0


def on_switch(number: int) -> Format:
    """The format as which a block-linear texture of TextureFormat ``number`` is stored. Raises TEXTURE_FORMAT."""
    form = FORMATS[_ON_SWITCH.get(number, number)]
    if form.block_bytes not in (1, 2, 4, 8, 16) or form.crunch:
        raise refused(number, form, "how the Switch's block-linear order keeps its pixels is not known")
    return form


def block_linear(data: NDArray[np.uint8], across: int, down: int, block_bytes: int, log: int) -> NDArray[np.uint8]:
    """The first mip in rows: ``down`` rows of ``across`` pixels or blocks of ``block_bytes``.

    Raises TEXTURE_CORRUPT where the data has too few bytes, or 2^``log`` GOBs are no height of a block."""
    if not 0 <= log <= _MAX_LOG:
        raise Fault(codes.TEXTURE_CORRUPT, f"a Switch texture has blocks of 2^{log} GOBs", log=log)
    row_bytes = across * block_bytes
    columns = -(-row_bytes // GOB_BYTES)
    rows = -(-down // (GOB_ROWS << log))
    needed = columns * rows * (GOB_BYTES * GOB_ROWS << log)
    if len(data) < needed:
        message = f"{across} x {down} blocks in the Switch's order need {needed} bytes; there are {len(data)}"
        raise Fault(codes.TEXTURE_CORRUPT, message, needed=needed, found=len(data))
    # axes: row of blocks, column, GOB in the block, then the bits x5, y2 y1, x4, y0, x3..x0
    bits = data[:needed].reshape(rows, columns, 1 << log, 2, 4, 2, 2, 16)
    plain = bits.transpose(0, 2, 4, 6, 1, 3, 5, 7).reshape(-1, columns * GOB_BYTES)
    return np.ascontiguousarray(plain[:down, :row_bytes]).reshape(-1)


def from_xbox_360(raw: RawTexture, number: int, data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The data in little-endian order. Raises TEXTURE_FORMAT for a format whose order is not known."""
    if raw.platform != XBOX_360 or number in _AS_BYTES:
        return data
    if number not in _AS_WORDS:
        raise refused(number, FORMATS[number], "its byte order on the Xbox 360 is not known")
    if FORMATS[number].crunch and data[:2].tobytes() == b"Hx":  # the signature of a file that was not swapped
        return data
    even = len(data) & ~1
    swapped = data[:even].view("<u2").byteswap().view(np.uint8)
    return swapped if even == len(data) else np.append(swapped, data[even:])
