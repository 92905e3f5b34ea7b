"""Signed EAC (GL_COMPRESSED_SIGNED_R11_EAC and RG11), which no decoder at hand gives with its sign.

A block of 4 x 4 values is 8 bytes: a signed base, a multiplier and the number of a modifier row (4 bits each), then 16
indices of 3 bits from the high bits down, column by column (Khronos Data Format 1.3, chapter 22).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .plain import place

MODIFIERS = np.array(
    [
        (-3, -6, -9, -15, 2, 5, 8, 14),
        (-3, -7, -10, -13, 2, 6, 9, 12),
        (-2, -5, -8, -13, 1, 4, 7, 12),
        (-2, -4, -6, -13, 1, 3, 5, 12),
        (-3, -6, -8, -12, 2, 5, 7, 11),
        (-3, -7, -9, -11, 2, 6, 8, 10),
        (-4, -7, -8, -11, 3, 6, 7, 10),
        (-3, -5, -8, -11, 2, 4, 7, 10),
        (-2, -6, -8, -10, 1, 5, 7, 9),
        (-2, -5, -8, -10, 1, 4, 7, 9),
        (-2, -4, -8, -10, 1, 3, 7, 9),
        (-2, -5, -7, -10, 1, 4, 6, 9),
        (-3, -4, -7, -10, 2, 3, 6, 9),
        (-1, -2, -3, -10, 0, 1, 2, 9),
        (-4, -6, -8, -9, 3, 5, 7, 8),
        (-3, -5, -7, -9, 2, 4, 6, 8),
    ],
    np.int32,
)
"""The modifiers of an index, by row."""

_TOP = 1023
_SHIFTS = np.arange(45, -1, -3, dtype=np.uint64)
_STRIP_BLOCKS = 1 << 11  # at a time, to stay in the processor's cache


def signed_eac(channels: int) -> Callable[[NDArray[np.uint8], int, int], NDArray[np.float32]]:
    """A ``formats.Decoder`` of one channel or two (R, or RG): float32 in -1..1."""

    def decode(data: NDArray[np.uint8], width: int, height: int) -> NDArray[np.float32]:
        blocks = data.reshape(-1, 8)
        values = np.empty((len(blocks), 16), np.float32)
        for start in range(0, len(blocks), _STRIP_BLOCKS):
            values[start : start + _STRIP_BLOCKS] = _values(blocks[start : start + _STRIP_BLOCKS])
        # rows of blocks, blocks of a row, channels, columns, rows
        grid = values.reshape(height // 4, width // 4, channels, 4, 4).transpose(0, 4, 1, 3, 2)
        return place(grid.reshape(height, width, channels), "RG"[:channels], 1)

    return decode


def _values(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(B, 8) bytes to (B, 16) values, column by column."""
    words = blocks.view(">u8").astype(np.uint64)
    indices = ((words >> _SHIFTS) & np.uint64(7)).astype(np.intp)
    base = np.maximum(blocks[:, :1].view(np.int8).astype(np.int32), -127)  # -128 is -127 (as -1.0 is)
    multiplier, row = (blocks[:, 1:2] >> 4).astype(np.int32), blocks[:, 1:2] & 15
    scale = np.where(multiplier > 0, multiplier * 8, 1)
    numbers = base * 8 + MODIFIERS[row, indices] * scale
    values: NDArray[np.float32] = np.clip(numbers, -_TOP, _TOP).astype(np.float32) / np.float32(_TOP)
    return values
