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

WEIGHT_TOTAL = 31  # a compressed vertex's weights are integers of this sum
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
    positions = _rows(compressed, "m_Vertices", 3)
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


def _has(compressed: Mapping[str, RawPacked], name: str) -> bool:
    return name in compressed and compressed[name].num_items > 0


def _rows(compressed: Mapping[str, RawPacked], name: str, width: int) -> NDArray[np.float64] | None:
    if not _has(compressed, name):
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
    xy = _rows(compressed, "m_Normals", 2)
    if xy is None:
        return None
    return _unit(xy, _signs(compressed, "m_NormalSigns", len(xy))).astype(np.float32)


def _tangents(compressed: Mapping[str, RawPacked]) -> F32 | None:
    """Two sign bits a tangent: of z, then of w."""
    xy = _rows(compressed, "m_Tangents", 2)
    if xy is None:
        return None
    signs = _signs(compressed, "m_TangentSigns", 2 * len(xy)).reshape(-1, 2)
    return np.column_stack([_unit(xy, signs[:, 0]), signs[:, 1]]).astype(np.float32)


def _colors(compressed: Mapping[str, RawPacked]) -> F32 | None:
    """m_FloatColors (5.0 on), or m_Colors before: one RGBA32 an item, red in the lowest byte."""
    colors = _rows(compressed, "m_FloatColors", 4)
    if colors is not None:
        return colors.astype(np.float32)
    if not _has(compressed, "m_Colors"):
        return None
    words = unpack_ints(compressed["m_Colors"])
    return (words[:, None] >> np.arange(0, 32, 8, dtype=np.uint32) & np.uint32(255)).astype(np.float32) / np.float32(
        255
    )


def _uvs(compressed: Mapping[str, RawPacked], uv_info: int | None, vertex_count: int) -> dict[str, F32]:
    """UV sets one after another: as m_UVInfo lists them, or without it one or two sets of two components."""
    if not _has(compressed, "m_UV"):
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


def unpack_bind_poses(compressed: Mapping[str, RawPacked]) -> F32 | None:
    """m_BindPoses of before 5.0 as (B, 4, 4) ``[row, column]``, or None.

    Which index runs fastest is not documented: an affine matrix shows it, since its last row is 0 0 0 1.
    """
    flat = _rows(compressed, "m_BindPoses", 16)
    if flat is None:
        return None
    matrices = flat.reshape(-1, 4, 4)
    affine = np.array([0.0, 0.0, 0.0, 1.0])
    as_stored, transposed = (np.abs(last - affine).sum() for last in (matrices[:, 3, :], matrices[:, :, 3]))
    return np.ascontiguousarray(matrices if as_stored <= transposed else matrices.transpose(0, 2, 1), np.float32)


def unpack_skin(
    compressed: Mapping[str, RawPacked], vertex_count: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]] | None:
    """Weights and bone slots, both (V, 4), or None when the mesh has no compressed skin.

    A vertex lists weights until their sum reaches 31; after three that fall short, the fourth is the rest and has a
    bone but no stored weight. Raises :class:`Fault` when the lists end before the vertices do.
    """
    if not _has(compressed, "m_BoneIndices") or not _has(compressed, "m_Weights"):
        return None
    weights, bones = (unpack_ints(compressed[name]).astype(np.int64) for name in ("m_Weights", "m_BoneIndices"))
    stored, rest = _vertex_spans(weights)
    starts = _chain(stored, vertex_count)
    counts, fourths = stored[starts], rest[starts]
    bone_starts = np.concatenate([[0], np.cumsum(counts + (fourths > 0))])
    if len(starts) < vertex_count or bone_starts[-1] > len(bones) or np.any(starts + counts > len(weights)):
        raise Fault(
            codes.MESH_DATA_TRUNCATED,
            f"the compressed skin covers {len(starts)} of {vertex_count} vertices",
            weights=len(weights),
            bones=len(bones),
        )
    dense = np.zeros((vertex_count, 4), np.float32)
    slots = np.zeros((vertex_count, 4), np.int64)
    for column in range(4):
        rows = np.flatnonzero(counts > column if column < 3 else fourths > 0)
        values = weights[starts[rows] + column] if column < 3 else fourths[rows]
        dense[rows, column] = values / np.float64(WEIGHT_TOTAL)
        slots[rows, column] = bones[bone_starts[rows] + column]
    return dense, slots


def _vertex_spans(weights: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """If a vertex began at each place of ``weights``: how many it stores (1 to 3), and what is left for a fourth."""
    padded = np.concatenate([weights, np.zeros(2, np.int64)])
    first = padded[:-2]
    second = first + padded[1:-1]
    third = second + padded[2:]
    stored = np.where(first >= WEIGHT_TOTAL, 1, np.where(second >= WEIGHT_TOTAL, 2, 3))
    return stored, np.where(stored == 3, np.maximum(WEIGHT_TOTAL - third, 0), 0)


def _chain(steps: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The first ``count`` places reached from 0 by going on by ``steps[place]``, up to the end.

    Doubling: the places after n hops, and the hops of n at once, give the places after 2n.
    """
    end = len(steps)
    hop = np.append(np.minimum(np.arange(end) + steps, end), end)
    places = np.zeros(1, np.int64)
    while len(places) < count and places[-1] < end:
        places = np.concatenate([places, hop[places]])
        hop = hop[hop]
    places = places[:count]
    return places[places < end]
