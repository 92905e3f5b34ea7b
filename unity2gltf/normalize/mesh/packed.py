"""m_CompressedMesh: PackedBitVectors to float arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...ir import F32, U32
from ...raw import RawPacked

MAX_BITS = 32
MAX_CONSTANT_ITEMS = 1 << 22
"""Items of 0 bits take no bytes, so nothing in the file bounds their number: beyond this it is not believed."""

UV_BITS, UV_PRESENT, UV_DIMENSION, UV_SETS = 4, 4, 3, 8  # m_UVInfo: 4 bits a set: bit 2 present, bits 0-1 dimension - 1


def unpack_ints(packed: RawPacked) -> U32:
    """The vector's integers (num_items,): ``bit_size`` bits each, lowest bit first, without padding between them.

    Raises :class:`Fault` when the bytes are too few or the sizes absurd.
    """
    count, bits = packed.num_items, packed.bit_size
    needed = -(-count * bits // 8)
    if bits > MAX_BITS or needed > len(packed.data) or (bits == 0 and count > MAX_CONSTANT_ITEMS):
        raise Fault(
            codes.MESH_DATA_TRUNCATED,
            f"a packed vector of {count} items of {bits} bits does not fit its {len(packed.data)} bytes",
            items=count,
            bits=bits,
            present=len(packed.data),
        )
    if bits == 0:
        return np.zeros(count, np.uint32)
    groups = -(-count // 8)  # eight items end on a byte boundary: item k of every group starts at the same bit
    padded = np.zeros(groups * bits, np.uint8)
    padded[:needed] = packed.data[:needed]
    table = padded.reshape(groups, bits)
    items = np.empty((groups, 8), np.uint32)
    for lane in range(8):
        items[:, lane] = _lane(table, lane * bits, bits)
    return items.reshape(-1)[:count]


def _lane(table: NDArray[np.uint8], first_bit: int, bits: int) -> NDArray[np.uint64]:
    """Of every row the integer of ``bits`` bits that starts at ``first_bit``."""
    first, shift = divmod(first_bit, 8)
    word = np.zeros(len(table), np.uint64)
    for byte in range(-(-(shift + bits) // 8)):
        word |= table[:, first + byte].astype(np.uint64) << np.uint64(8 * byte)
    return word >> np.uint64(shift) & np.uint64((1 << bits) - 1)


def unpack_floats(packed: RawPacked) -> NDArray[np.float64]:
    """The vector's numbers (num_items,) float64: start + x range / (2^bits - 1); 0 bits means start."""
    items = unpack_ints(packed)
    if packed.bit_size == 0:
        return np.full(len(items), packed.start)
    return items.astype(np.float64) * (packed.range / ((1 << packed.bit_size) - 1)) + packed.start


def unpack_attributes(
    compressed: Mapping[str, RawPacked], uv_info: int | None, diagnostics: Diagnostics
) -> dict[str, F32]:
    """Every attribute that the compressed mesh holds, by name, float32 (V, n). Broken ones are reported, left out."""
    found: dict[str, F32] = {}
    positions = rows_of(compressed, "m_Vertices", 3)
    if positions is None:
        return found
    found["position"] = positions.astype(np.float32)
    readers: dict[str, Callable[[], F32 | None]] = {
        "normal": lambda: _normals(compressed),
        "tangent": lambda: _tangents(compressed),
        "color": lambda: _colors(compressed),
    }
    for name, read in readers.items():
        with diagnostics.guard(codes.MESH_UNREADABLE, f"compressed {name}"):
            values = read()
            if values is not None:
                found[name] = values
    with diagnostics.guard(codes.MESH_UNREADABLE, "compressed UVs"):
        found.update(_uvs(compressed, uv_info, len(positions)))
    return found


def has_items(compressed: Mapping[str, RawPacked], name: str) -> bool:
    """Whether the compressed mesh has anything under that name."""
    return name in compressed and compressed[name].num_items > 0


def rows_of(compressed: Mapping[str, RawPacked], name: str, width: int) -> NDArray[np.float64] | None:
    """A vector of floats as (N, width), or None when there is none. Raises :class:`Fault`."""
    if not has_items(compressed, name):
        return None
    values = unpack_floats(compressed[name])
    return values[: len(values) // width * width].reshape(-1, width)


def _signs(compressed: Mapping[str, RawPacked], name: str, count: int) -> NDArray[np.float64]:
    """Sign bits as 1.0 (set) or -1.0."""
    bits = unpack_ints(compressed[name]) if name in compressed else np.zeros(0, np.uint32)
    if len(bits) < count:
        raise Fault(codes.MESH_DATA_TRUNCATED, f"{name} has {len(bits)} of {count} signs", present=len(bits))
    return np.where(bits[:count] > 0, 1.0, -1.0)


def _unit(xy: NDArray[np.float64], signs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vectors (V, 3) of their x, y and the sign of z; x, y longer than 1 by rounding are shortened to 1."""
    squared = np.einsum("ij,ij->i", xy, xy)
    xy = xy / np.sqrt(np.maximum(squared, 1.0))[:, None]
    z = np.sqrt(np.maximum(1.0 - squared, 0.0)) * signs
    return np.column_stack([xy, z])


def _normals(compressed: Mapping[str, RawPacked]) -> F32 | None:
    xy = rows_of(compressed, "m_Normals", 2)
    if xy is None:
        return None
    return _unit(xy, _signs(compressed, "m_NormalSigns", len(xy))).astype(np.float32)


def _tangents(compressed: Mapping[str, RawPacked]) -> F32 | None:
    """Two sign bits a tangent: of z, then of w."""
    xy = rows_of(compressed, "m_Tangents", 2)
    if xy is None:
        return None
    signs = _signs(compressed, "m_TangentSigns", 2 * len(xy)).reshape(-1, 2)
    return np.column_stack([_unit(xy, signs[:, 0]), signs[:, 1]]).astype(np.float32)


def _colors(compressed: Mapping[str, RawPacked]) -> F32 | None:
    """m_FloatColors (5.0 on), or m_Colors before: one RGBA32 an item, red in the lowest byte."""
    colors = rows_of(compressed, "m_FloatColors", 4)
    if colors is not None:
        return colors.astype(np.float32)
    if not has_items(compressed, "m_Colors"):
        return None
    words = unpack_ints(compressed["m_Colors"])
    return (words[:, None] >> np.arange(0, 32, 8, dtype=np.uint32) & np.uint32(255)).astype(np.float32) / np.float32(
        255
    )


def _uvs(compressed: Mapping[str, RawPacked], uv_info: int | None, vertex_count: int) -> dict[str, F32]:
    """UV sets one after another: as m_UVInfo lists them, or without it one or two sets of two components."""
    if not has_items(compressed, "m_UV"):
        return {}
    values = unpack_floats(compressed["m_UV"])
    if uv_info:
        fields = [(number, uv_info >> UV_BITS * number) for number in range(UV_SETS)]
        widths = {number: 1 + (field & UV_DIMENSION) for number, field in fields if field & UV_PRESENT}
    else:
        widths = {number: 2 for number in range(min(2, len(values) // max(1, 2 * vertex_count)))}
    if sum(widths.values()) * vertex_count > len(values):
        raise Fault(codes.MESH_DATA_TRUNCATED, "the compressed UVs are fewer than m_UVInfo says", present=len(values))
    sets: dict[str, F32] = {}
    start = 0
    for number, width in widths.items():
        end = start + width * vertex_count
        sets[f"uv{number}"] = values[start:end].reshape(vertex_count, width).astype(np.float32)
        start = end
    return sets
