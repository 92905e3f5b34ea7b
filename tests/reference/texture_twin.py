"""Pixel layouts one pixel or byte at a time, as their descriptions say them; slow and obvious."""

from __future__ import annotations

from unity2gltf.normalize.textures.eac import MODIFIERS


def switch_offset(x: int, y: int, row_bytes: int, log: int) -> int:
    """Where byte ``x`` of row ``y`` lies in the Switch's block-linear order of 2^``log`` GOBs a block."""
    columns = (row_bytes + 63) // 64
    block = (y // (8 << log)) * columns + x // 64
    gob = (block << log) + y // 8 % (1 << log)
    x, y = x % 64, y % 8
    inside = (x // 32) * 256 + (y // 2) * 64 + (x % 32 // 16) * 32 + (y % 2) * 16 + x % 16
    return gob * 512 + inside


def switch_rows(data: bytes, row_bytes: int, rows: int, log: int) -> bytes:
    return bytes(data[switch_offset(x, y, row_bytes, log)] for y in range(rows) for x in range(row_bytes))


def switch_size(row_bytes: int, rows: int, log: int) -> int:
    """Bytes of whole blocks."""
    height = 8 << log
    return (row_bytes + 63) // 64 * 64 * ((rows + height - 1) // height) * height


def signed_eac(block: bytes, x: int, y: int) -> float:
    """The value of pixel (``x``, ``y``) of a block, -1..1."""
    base = max(int.from_bytes(block[:1], signed=True), -127)
    multiplier, row = block[1] >> 4, block[1] & 15
    index = int.from_bytes(block[2:]) >> (45 - 3 * (4 * x + y)) & 7
    modifier = int(MODIFIERS[row][index])
    value = base * 8 + (modifier * multiplier * 8 if multiplier else modifier)
    return min(max(value, -1023), 1023) / 1023


def yuy2(quad: bytes, x: int) -> tuple[int, int, int]:
    """Pixel 0 or 1 of four bytes, by the coefficients of BT.601 in 1/256."""
    c, d, e = quad[2 * x] - 16, quad[1] - 128, quad[3] - 128
    red, green, blue = 298 * c + 409 * e, 298 * c - 100 * d - 208 * e, 298 * c + 516 * d
    return tuple(min(max((value + 128) >> 8, 0), 255) for value in (red, green, blue))  # type: ignore[return-value]
