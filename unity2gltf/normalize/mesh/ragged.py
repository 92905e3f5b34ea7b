"""Ragged influences made well: heaviest first, no joint twice in a vertex, weights that sum to 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...ir import F32, Influences

SMALLEST_SHARE = 2.0**-126  # of a vertex's weight: a smaller one is not a normal float32


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
