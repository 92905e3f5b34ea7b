"""Ragged influences made well: heaviest first, no joint twice in a vertex, weights that sum to 1.

``from_columns`` takes a table of a few influences a vertex and works on whole columns, which is several times faster
than ``from_lists``, which takes lists of any length.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...ir import F32, Influences

SMALLEST_SHARE = 2.0**-126  # of a vertex's weight: a smaller one is not a normal float32
BLOCK = 1 << 14  # vertices at a time in ``from_columns``: the columns stay in the processor's cache


def from_columns(weights: NDArray[np.floating], joints: NDArray[np.integer]) -> tuple[Influences, NDArray[np.float64]]:
    """Influences of ``weights`` >= 0 and ``joints``, both (n, V), and how far each vertex's sum was from 1 (V,).

    Zero weights are dropped; a vertex without any other has an empty range and deviates by 0.
    """
    size = weights.shape[1]
    counts = np.zeros(size + 1, np.int64)  # what becomes the offsets: vertex v's count stands at v + 1
    deviations = np.zeros(size)
    parts = [(np.zeros(0, np.int32), np.zeros(0, np.float32))]
    for start in range(0, size, BLOCK):
        block = slice(start, min(start + BLOCK, size))
        columns, slots = weights[:, block].astype(np.float64), joints[:, block].astype(np.int32)
        shares, slots = _shares(columns, slots, deviations[block])
        used = shares > 0
        counts[block.start + 1 : block.stop + 1] = used.sum(axis=0, dtype=np.uint8)
        if used.all():
            parts.append((slots.T.reshape(-1), shares.T.reshape(-1)))
        else:
            parts.append((slots.T[used.T], shares.T[used.T]))
    all_joints, all_weights = (np.concatenate(list(arrays)) for arrays in zip(*parts, strict=True))
    return Influences(offsets=np.cumsum(counts), joints=all_joints, weights=all_weights), deviations


def _shares(
    columns: NDArray[np.float64], slots: NDArray[np.int32], deviations: NDArray[np.float64]
) -> tuple[F32, NDArray[np.int32]]:
    """Columns (n, V) merged, normalised, heaviest first and rounded, with their joints. Fills ``deviations`` (V,)."""
    for a, b in combinations(range(len(columns)), 2):
        same = (slots[a] == slots[b]) & (columns[b] > 0)
        if same.any():
            columns[a, same] += columns[b, same]
            columns[b, same] = 0.0
    total = columns.sum(axis=0)
    empty = total == 0
    np.abs(total - 1.0, out=deviations)
    deviations[empty] = 0.0
    total[empty] = 1.0
    columns /= total
    if (columns[1:] > columns[:-1]).any():
        order = np.argsort(-columns, axis=0, kind="stable")  # equal weights keep their order
        columns, slots = np.take_along_axis(columns, order, 0), np.take_along_axis(slots, order, 0)
    shares = columns.astype(np.float32)
    shares[shares < SMALLEST_SHARE] = 0.0
    shares[0] += (np.where(empty, 0.0, 1.0) - shares.sum(axis=0, dtype=np.float64)).astype(np.float32)
    return shares, slots


def from_lists(counts: NDArray[np.integer], joints: NDArray[np.integer], weights: NDArray[np.floating]) -> Influences:
    """Influences of positive ``weights``, ``counts[v]`` of them for vertex v: merged, sorted and normalised."""
    size = len(counts)
    vertices = np.repeat(np.arange(size, dtype=np.int64), counts)
    vertices, slots, values = _merge(vertices, joints.astype(np.int64), weights.astype(np.float64))
    values = values / np.bincount(vertices, values, minlength=size)[vertices]
    if len(values) and values.min() < SMALLEST_SHARE:
        used = values >= SMALLEST_SHARE
        vertices, slots, values = vertices[used], slots[used], values[used]
    rising = (np.diff(values) > 0) & (np.diff(vertices) == 0)
    if np.any(rising):
        order = np.lexsort((-values, vertices))  # stable: equal weights keep their order
        slots, values = slots[order], values[order]
    offsets = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(vertices, minlength=size), out=offsets[1:])
    return Influences(offsets=offsets, joints=slots.astype(np.int32), weights=_rounded(offsets, vertices, values))


def _merge(
    vertices: NDArray[np.int64], joints: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Add up the weights of a joint that a vertex names more than once."""
    keys = vertices << 16 | joints
    ordered = np.sort(keys)
    if not np.any(ordered[1:] == ordered[:-1]):
        return vertices, joints, weights
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)  # back to the stored order
    kept = first[order].astype(np.int64)
    return vertices[kept], joints[kept], np.bincount(inverse, weights)[order].astype(np.float64)


def _rounded(offsets: NDArray[np.int64], vertices: NDArray[np.int64], shares: NDArray[np.float64]) -> F32:
    """Float32 weights that sum to 1 a vertex: the first, which is the heaviest, takes what rounding left over.

    It may so end up a few units in the last place below an equal second.
    """
    result = shares.astype(np.float32)
    heaviest = offsets[:-1][np.diff(offsets) > 0]
    rest = 1.0 - np.bincount(vertices, result, minlength=len(offsets) - 1)[vertices[heaviest]]
    result[heaviest] += rest.astype(np.float32)
    return result
