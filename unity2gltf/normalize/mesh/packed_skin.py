"""m_CompressedMesh: the skin and, before Unity 5.0, the bind poses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Fault
from ...ir import F32
from ...raw import RawPacked
from .packed import has_items, rows_of, unpack_ints

WEIGHT_TOTAL = 31  # a compressed vertex's weights are integers of this sum


def unpack_bind_poses(compressed: Mapping[str, RawPacked]) -> F32 | None:
    """m_BindPoses of before 5.0 as (B, 4, 4) ``[row, column]``, or None.

    Which index runs fastest is not documented: an affine matrix shows it, since its last row is 0 0 0 1.
    """
    flat = rows_of(compressed, "m_BindPoses", 16)
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
    if not has_items(compressed, "m_BoneIndices") or not has_items(compressed, "m_Weights"):
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
