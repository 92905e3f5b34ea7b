"""Influences of a table of a few a vertex, column by column: several times faster than lists of any length."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...ir import F32, Influences
from .ragged import SMALLEST_SHARE

BLOCK = 1 << 14  # vertices at a time: the columns stay in the processor's cache
MAX_JOINT = 0xFFFF  # glTF's JOINTS hold 16 bits, and so do Unity's variable bone weights


@dataclass(slots=True)
class Findings:
    """What was wrong with a table: weights that are negative or not finite, weighted influences of joints that no skin
    can have, vertices whose sum was too far from 1, and the largest distance."""

    weights: int = 0
    joints: int = 0
    sums: int = 0
    deviation: float = 0.0


def from_columns(
    weights: NDArray[np.floating], joints: NDArray[np.integer], tolerance: float
) -> tuple[Influences, Findings]:
    """Influences of ``weights`` and ``joints``, both (V, n), made as in :mod:`ragged`, and what was wrong.

    Zero weights and wrong ones are dropped; a vertex without any other has an empty range.
    """
    size, width = weights.shape
    findings = Findings()
    counts = np.zeros(size + 1, np.int64)  # what becomes the offsets: vertex v's count stands at v + 1
    all_joints, all_weights = np.empty(size * width, np.int32), np.empty(size * width, np.float32)
    end = 0
    for start in range(0, size, BLOCK):
        block = slice(start, min(start + BLOCK, size))
        columns = np.ascontiguousarray(weights[block].T, np.float64)
        slots = _valid(columns, np.ascontiguousarray(joints[block].T), findings)
        shares, slots = _shares(columns, slots, tolerance, findings)
        used = shares > 0
        counts[block.start + 1 : block.stop + 1] = used.sum(axis=0, dtype=np.uint8)
        begin, end = end, end + int(np.count_nonzero(used))
        if end - begin == used.size:
            all_joints[begin:end].reshape(-1, width)[:] = slots.T
            all_weights[begin:end].reshape(-1, width)[:] = shares.T
        else:
            all_joints[begin:end], all_weights[begin:end] = slots.T[used.T], shares.T[used.T]
    return Influences(offsets=np.cumsum(counts), joints=all_joints[:end], weights=all_weights[:end]), findings


def _valid(columns: NDArray[np.float64], slots: NDArray[np.integer], findings: Findings) -> NDArray[np.int32]:
    """Count wrong weights, and those of wrong joints, and make them 0. Returns the joints as int32."""
    if not (columns.min(initial=0.0) >= 0 and columns.max(initial=0.0) < np.inf):  # true for NaN
        wrong = ~(np.isfinite(columns) & (columns >= 0))
        findings.weights += int(np.count_nonzero(wrong))
        columns[wrong] = 0.0
    if slots.min(initial=0) < 0 or slots.max(initial=0) > MAX_JOINT:
        wrong = (slots < 0) | (slots > MAX_JOINT)
        findings.joints += int(np.count_nonzero(wrong & (columns > 0)))
        columns[wrong] = 0.0
        slots = np.where(wrong, 0, slots)
    return slots.astype(np.int32)


def _shares(
    columns: NDArray[np.float64], slots: NDArray[np.int32], tolerance: float, findings: Findings
) -> tuple[F32, NDArray[np.int32]]:
    """Columns (n, V) merged, normalised, heaviest first and rounded, with their joints."""
    for a, b in combinations(range(len(columns)), 2):
        same = (slots[a] == slots[b]) & (columns[b] > 0)
        if same.any():
            columns[a, same] += columns[b, same]
            columns[b, same] = 0.0
    total = columns.sum(axis=0)
    empty = total == 0
    total[empty] = 1.0
    off = np.abs(total - 1.0)
    findings.sums += int(np.count_nonzero(off > tolerance))
    findings.deviation = max(findings.deviation, float(off.max(initial=0.0)))
    columns /= total
    if (columns[1:] > columns[:-1]).any():
        order = np.argsort(-columns, axis=0, kind="stable")  # equal weights keep their order
        columns, slots = np.take_along_axis(columns, order, 0), np.take_along_axis(slots, order, 0)
    shares = columns.astype(np.float32)
    shares[shares < SMALLEST_SHARE] = 0.0
    shares[0] += (np.where(empty, 0.0, 1.0) - shares.sum(axis=0, dtype=np.float64)).astype(np.float32)
    return shares, slots
