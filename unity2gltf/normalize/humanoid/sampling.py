"""The curves of a humanoid clip at given times, and the times at which a clip is sampled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ... import codes
from ...diagnostics import Fault
from ...ir import Curve
from ...math3d import Array
from ..clips.cubics import shift, value_at

MOST_KEYS = 1 << 18
"""Of one clip: two and a half hours at 30 a second."""
NEAR, NEAR_SECONDS = 0.05, 2e-4
"""Keys no further apart are one, as a share of a sample's time and in seconds: streamed and dense curves round the same
time apart, by some microseconds."""

BISECTIONS = 24
"""Halvings that find where a cubic passes 0, to a ten-millionth of its segment."""


def key_times(curves: Mapping[str, Curve], duration: float, rate: float) -> Array:
    """(K,) from 0 to ``duration``: every key of the curves and, between them, ``rate`` a second.

    Raises :class:`Fault` CLIP_INVALID where that comes to more than :data:`MOST_KEYS`.
    """
    if duration <= 0:
        return np.zeros(1)
    if duration * rate > MOST_KEYS:
        raise Fault(codes.CLIP_INVALID, f"{duration:g} s have too many keys at {rate:g} a second", seconds=duration)
    step = 1.0 / rate
    own = np.unique(np.concatenate([curve.times for curve in curves.values()]))
    keys = np.array([0.0, *_apart(own, min(NEAR * step, NEAR_SECONDS), duration), duration])
    if len(keys) > MOST_KEYS:
        raise Fault(codes.CLIP_INVALID, f"the muscles have {len(keys)} keys of their own", keys=len(keys))
    grid = np.arange(1, int(duration * rate) + 1) * step
    after = np.searchsorted(keys, grid).clip(1, len(keys) - 1)
    free = (np.abs(keys[after] - grid) > 0.5 * step) & (np.abs(grid - keys[after - 1]) > 0.5 * step)
    return np.union1d(keys, grid[free])


def _apart(times: Array, gap: float, end: float) -> Iterator[float]:
    """Those of ``times`` (K,), ascending, that are more than ``gap`` from the one before, from 0 and from ``end``."""
    last = 0.0
    for time in times.tolist():
        if last + gap < time < end - gap:
            yield time
            last = time


def sample(curves: Mapping[str, Curve], times: Array, within: Array | None = None) -> dict[str, Array]:
    """Each curve at ``times`` (N,). ``within`` (N,): times whose segment of a curve counts, so that the end of a
    segment can be asked for the value before a jump; ``times`` themselves if None."""
    within = times if within is None else within
    result = {}
    for name, curve in curves.items():
        row = np.maximum(np.searchsorted(curve.times, within, side="right") - 1, 0)
        offset = np.where(within < curve.times[0], 0.0, times - curve.times[row])
        result[name] = value_at(curve.coefficients[row].T, offset)
    return result


def turning_points(curves: Mapping[str, Curve], keys: Array) -> Array:
    """Times between ``keys`` (K,) at which a curve passes 0: muscles have another range on either side."""
    found = [np.zeros(0)]
    starts, ends = keys[:-1], keys[1:]
    for curve in curves.values():
        row = np.maximum(np.searchsorted(curve.times, (starts + ends) / 2, side="right") - 1, 0)
        cubics = shift(curve.coefficients[row].T, starts - curve.times[row])
        first, last = cubics[3], value_at(cubics, ends - starts)
        crossed = np.flatnonzero(first * last < 0)
        lengths = (ends - starts)[crossed]
        offset = _zero(cubics[:, crossed], lengths)
        inside = np.minimum(offset, lengths - offset) > NEAR * lengths
        found.append((starts[crossed] + offset)[inside])
    return np.unique(np.concatenate(found))


def _zero(cubics: Array, lengths: Array) -> Array:
    """(N,) where cubics (4, N) pass 0 that have other signs at 0 and at their ``lengths``."""
    if not cubics[:2].any():
        straight: Array = -cubics[3] / cubics[2]
        return straight
    low, high = np.zeros_like(lengths), lengths
    for _ in range(BISECTIONS):
        half = (low + high) / 2
        is_before = value_at(cubics, half) * cubics[3] > 0
        low, high = np.where(is_before, half, low), np.where(is_before, high, half)
    return low
