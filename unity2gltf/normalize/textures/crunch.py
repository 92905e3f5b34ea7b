"""Crunched textures (CRN): the header is checked here, since the unpacker trusts it.

A CRN file is big-endian: ``HHHIHHHBBBHIII`` (signature, header size, header CRC-16, data size, data CRC-16, width,
height, levels, faces, format, flags, reserved, two user words), four palettes of (offset, size: 24 bits; count: 16
bits), the size (16 bits) and offset (24 bits) of the code tables, then one 32-bit offset a level.
"""

from __future__ import annotations

import binascii
import struct
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Fault
from ...raw import Version
from .blocks import library

_HEADER = struct.Struct(">HHHIHHHBBBHIII")
_HEADER_BYTES, _WIDTH, _HEIGHT, _LEVELS = 1, 5, 6, 7  # places in it
_LEVELS_AT = 16  # bytes
_PALETTES = 4
_FIXED = _HEADER.size + _PALETTES * 8 + 5
_MAX_LEVELS = 16
_FIRST_ETC = 10
_TIMEOUT = 60.0  # seconds; the largest texture takes less than one
_CHILD = """
import sys
sys.path.append(sys.argv[1])
import texture2ddecoder
sys.stdout.buffer.write(getattr(texture2ddecoder, sys.argv[2])(sys.stdin.buffer.read()))
"""
# CRN format numbers whose blocks are those of the Unity format: DXT1, DXT5 (colour and channel-swapped forms),
# ETC1 and ETC2, ETC2 with alpha, and the newer ETC1S / ETC2AS.
_BLOCK_BYTES = {0: 8, 2: 16, 3: 16, 4: 16, 5: 16, 6: 16, 10: 8, 11: 8, 12: 16, 13: 8, 14: 16}


def level_count(data: NDArray[np.uint8]) -> int:
    """The levels that the header states; 1 where there is no header to state them."""
    return int(data[_LEVELS_AT]) if len(data) > _LEVELS_AT else 1


def unpack(
    data: NDArray[np.uint8], width: int, height: int, block_bytes: int, version: Version, level: int = 0
) -> NDArray[np.uint8]:
    """The block data of mip ``level`` of a texture whose first is ``width`` x ``height`` pixels.

    Raises TEXTURE_CORRUPT where the data contradicts itself or the texture."""
    content = data.tobytes()
    _check(content, width, height, block_bytes)
    # Unity 2017.3 changed the coder; its ETC forms exist in the newer coding only
    modern = version >= (2017, 3, 0) or content[18] >= _FIRST_ETC
    function = "unpack_unity_crunch" if modern else "unpack_crunch"
    return np.frombuffer(_run_unpacker(function, _from_level(content, level)), np.uint8)


def _from_level(content: bytes, level: int) -> bytes:
    """A file that begins with ``level``, as the unpacker gives the first: smaller sides, fewer levels, and their
    offsets moved to the front of the table. The data stays where it is."""
    if not level:
        return content
    head = list(_HEADER.unpack_from(content))
    head[_WIDTH] = max(head[_WIDTH] >> level, 1)
    head[_HEIGHT] = max(head[_HEIGHT] >> level, 1)
    head[_LEVELS] -= level
    offsets = content[_FIXED + 4 * level : _FIXED + 4 * (head[_LEVELS] + level)]
    header = _HEADER.pack(*head) + content[_HEADER.size : _FIXED] + offsets + bytes(4 * level)
    header += content[len(header) : head[_HEADER_BYTES]]
    crc = _crc(header[6:])
    return header[:4] + struct.pack(">H", crc) + header[6:] + content[len(header) :]


def _run_unpacker(function: str, content: bytes) -> bytes:
    """Call texture2ddecoder in a process of its own (about 20 ms): the unpacker writes past its tables when their
    codes are wrong, even where every checksum holds, and only a process can be lost without loss."""
    folder = str(Path(library("texture2ddecoder").__file__).parent.parent)
    command = [sys.executable, "-I", "-S", "-c", _CHILD, folder, function]
    try:
        child = subprocess.run(command, input=content, capture_output=True, timeout=_TIMEOUT, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise Fault(codes.TEXTURE_CORRUPT, "crunched data does not unpack", reason=type(error).__name__) from error
    return child.stdout


def _check(content: bytes, width: int, height: int, block_bytes: int) -> None:
    def require(condition: bool, what: str) -> None:
        if not condition:
            raise Fault(codes.TEXTURE_CORRUPT, f"crunched data: {what}")

    require(len(content) >= _FIXED, "the header is cut off")
    signature, header, header_crc, size, data_crc, wide, high, levels, faces, form, *_ = _HEADER.unpack_from(content)
    require(signature == 0x4878, "the signature is not Hx")
    require((wide, high) == (width, height), f"it holds {wide} x {high} pixels, the texture {width} x {height}")
    require(_BLOCK_BYTES.get(form) == block_bytes, f"its format {form} is not the texture's")
    require(1 <= levels <= _MAX_LEVELS and faces == 1, f"{levels} levels and {faces} faces")
    require(_FIXED + 4 * levels <= header <= size <= len(content), "the sizes in the header do not fit the data")
    require(_crc(content[6:header]) == header_crc, "the header's checksum differs")
    require(_crc(content[header:size]) == data_crc, "the data's checksum differs")
    for offset, length in _ranges(content, size, levels):
        require(header <= offset and length > 0 and offset + length <= size, "a part lies outside the data")


def _crc(part: bytes) -> int:
    """CRN's checksum is the inverted CRC-16 of polynomial 0x1021 that starts from all ones."""
    return 0xFFFF ^ binascii.crc_hqx(part, 0xFFFF)


def _ranges(content: bytes, size: int, levels: int) -> list[tuple[int, int]]:
    """(offset, length) of every palette in use, of the code tables, and of every level."""

    def number(start: int, length: int) -> int:
        return int.from_bytes(content[start : start + length], "big")

    palettes = range(_HEADER.size, _HEADER.size + 8 * _PALETTES, 8)
    tables = palettes.stop
    offsets = [*struct.unpack_from(f">{levels}I", content, _FIXED), size]
    return [
        *((number(start, 3), number(start + 3, 3)) for start in palettes if number(start + 6, 2)),
        (number(tables + 2, 3), number(tables, 2)),
        *((first, following - first) for first, following in pairwise(offsets)),
    ]
