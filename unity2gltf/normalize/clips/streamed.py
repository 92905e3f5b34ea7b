"""m_StreamedClip: frames of cubic segments, each until the next key of its curve.

The stream is uint32 words: frames {float time; count; count x {curve; float a, b, c, v}}. The first frame, at
-FLT_MAX, holds the values before the first keys; the last one, at +inf, is empty and ends the stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...ir import Curve
from .cubics import Array
from .segments import cut

HEADER, RECORD = 2, 5  # words
END = 0x7F800000  # float32 +inf
FLT_MAX = float(np.finfo(np.float32).max)
MAX_REPEATS = 16
"""Records of one curve in the next frame that a segment is compared with (5 is the most seen)."""
LANDING_ROUNDINGS = 4.0
"""How far a segment may end from the next key, in float32 roundings of its largest term."""
TINY = 1e-9
"""Distance that is never told as a miss: below any unit in use."""


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """The stream as a table sorted by curve, then time: ``curves`` (K,), ``times`` (K,), ``coefficients`` (K, 4)."""

    curves: NDArray[np.int64]
    times: Array
    coefficients: Array

    def rows(self, kept: NDArray[np.bool_] | NDArray[np.int64]) -> Records:
        return Records(self.curves[kept], self.times[kept], self.coefficients[kept])


def read_streamed(words: NDArray[np.uint32], count: int, tally: Counter[str]) -> Records:
    """All usable records of curves 0 to ``count`` - 1, one a curve and time. What is broken is counted in ``tally``
    (``truncated`` when the stream ends too early)."""
    return _once(_usable(_table(np.ascontiguousarray(words, np.uint32), tally), count, tally), tally)


def streamed_curves(
    records: Records, start: float, stop: float, wanted: Callable[[int], bool] = lambda number: True
) -> dict[int, Curve]:
    """Curves by number, cut to [start, stop]; ``wanted`` tells which."""
    firsts = np.flatnonzero(np.diff(records.curves, prepend=-1))
    ends = np.append(firsts[1:], len(records.curves)).tolist()[: len(firsts)]
    result = {}
    for number, first, end in zip(records.curves[firsts].tolist(), firsts.tolist(), ends, strict=True):
        if wanted(number):
            times, rows = cut(records.times[first:end], records.coefficients[first:end], start, stop)
            result[number] = Curve(times=times, coefficients=rows)
    return result


def _frames(words: NDArray[np.uint32], tally: Counter[str]) -> tuple[list[int], list[int]]:
    """Where each frame starts and how many whole records it has, up to the end frame: one step a frame."""
    view, at, size = memoryview(words.data), 0, len(words)
    starts, counts = [], []
    while at + HEADER <= size and view[at] != END:
        whole = min(view[at + 1], (size - at - HEADER) // RECORD)
        starts.append(at)
        counts.append(whole)
        if whole < view[at + 1]:
            break
        at += HEADER + RECORD * whole
    if size and (at + HEADER > size or view[at] != END):
        tally["truncated"] += 1
    elif size > at + HEADER:
        tally["words after the end"] += size - at - HEADER
    return starts, counts


def _table(words: NDArray[np.uint32], tally: Counter[str]) -> Records:
    """The records in the order of the stream."""
    starts, counts = (np.array(column, np.int64) for column in _frames(words, tally))
    is_record = np.zeros(len(words), bool)
    if len(starts):
        is_record[: starts[-1] + HEADER + RECORD * counts[-1]] = True
        is_record[starts] = is_record[starts + 1] = False
    table = words[is_record].reshape(-1, RECORD)
    times = words[starts].view(np.float32).astype(np.float64)
    times[times <= -FLT_MAX] = -FLT_MAX
    floats = table[:, 1:].copy().view(np.float32)
    return Records(table[:, 0].astype(np.int64), np.repeat(times, counts), floats.astype(np.float64))


def _usable(records: Records, count: int, tally: Counter[str]) -> Records:
    """Without records that cannot be used, sorted by curve. Coefficients that are not finite make a step."""
    times = records.times
    no_number = np.isnan(times)
    falls = times < np.fmax.accumulate(times)
    stray = (records.curves >= count) & ~no_number & ~falls
    bad = ~np.isfinite(records.coefficients[:, 3]) & ~stray & ~no_number & ~falls
    dropped = no_number | falls | stray | bad
    if dropped.any():
        tally["times that are no number"] += int(np.count_nonzero(no_number))
        tally["times that fall"] += int(np.count_nonzero(falls))
        tally["curve numbers out of range"] += int(np.count_nonzero(stray))
        tally["values that are not finite"] += int(np.count_nonzero(bad))
        records = records.rows(~dropped)
    records.coefficients[records.times == -FLT_MAX, :3] = 0.0
    if not np.isfinite(records.coefficients).all():
        slopes = records.coefficients[:, :3]
        tally["coefficients that are no number"] += int(np.count_nonzero(np.isnan(slopes).any(axis=1)))
        slopes[~np.isfinite(slopes).all(axis=1)] = 0.0
    small = records.curves.astype(np.uint16) if count <= 1 << 16 else records.curves  # 16 bits sort by radix
    return records.rows(np.argsort(small, kind="stable"))


def _once(records: Records, tally: Counter[str]) -> Records:
    """One record a curve and time. Unity writes a curve several times in a frame where its keys lie closer than the
    frames can tell apart; the one that counts lasts until the curve's next frame, and ends on a key there.

    Segments that move and those that end on no key are counted on the way: a check of the decoding.
    """
    curves, times = records.curves, records.times
    if not len(curves):
        return records
    first = np.ones(len(curves), bool)
    first[1:] = (curves[1:] != curves[:-1]) | (times[1:] != times[:-1])
    starts = np.flatnonzero(first)
    sizes = np.diff(starts, append=len(curves))
    gaps, tolerances = _gaps(records, starts, sizes)
    best = starts
    if not first.all():
        tally["repeated"] += int((sizes - 1).sum())
        tally["repeated groups"] += int(np.count_nonzero(sizes > 1))
        group = np.repeat(np.arange(len(starts)), sizes)
        # A record without a next one should hold, so there the gap is how much it moves.
        ranks = np.where(np.isfinite(gaps), gaps, np.abs(records.coefficients[:, :3]).sum(axis=1))
        best = np.lexsort((-np.arange(len(curves)), ranks, group))[starts]  # of equal ones the last
    moving = records.coefficients[best, :3].any(axis=1) & np.isfinite(gaps[best])
    tally["moving"] += int(np.count_nonzero(moving))
    tally["unlanded"] += int(np.count_nonzero(moving & (gaps[best] > tolerances[best])))
    return records if best is starts and len(starts) == len(curves) else records.rows(best)


def _gaps(records: Records, starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> tuple[Array, Array]:
    """How far each record (K,) ends from the nearest key of its curve's next frame (infinite without one), and how far
    float32 rounding may bring it. ``starts`` and ``sizes``: the groups of one curve and time."""
    count = len(records.curves)
    after = np.repeat(np.append(starts[1:], count), sizes)
    rows = np.flatnonzero(np.append(records.curves, -1)[after] == records.curves)
    after = after[rows]
    a, b, c, v = np.ascontiguousarray(records.coefficients[rows].T)
    times, keys = records.times[after], records.coefficients[:, 3]
    d = times - records.times[rows]
    ends = ((a * d + b) * d + c) * d + v
    nearest = np.abs(keys[after] - ends)
    left = np.repeat(np.append(sizes[1:], 0), sizes)[rows]
    for step in range(1, min(MAX_REPEATS, int(sizes.max(initial=0)))):
        more = np.flatnonzero(left > step)
        nearest[more] = np.minimum(nearest[more], np.abs(keys[after[more] + step] - ends[more]))
    a, b, c, v = np.abs(a), np.abs(b), np.abs(c), np.abs(v)
    largest = ((a * d + b) * d + c) * d + v + ((3 * a * d + 2 * b) * d + c) * np.abs(times)
    gaps, tolerances = np.full(count, np.inf), np.zeros(count)
    gaps[rows] = nearest
    tolerances[rows] = LANDING_ROUNDINGS * float(np.finfo(np.float32).eps) * largest + TINY
    return gaps, tolerances
