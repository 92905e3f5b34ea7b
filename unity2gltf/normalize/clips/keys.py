"""From a spline to the keys of a glTF sampler: STEP, LINEAR or CUBICSPLINE, whichever is exact.

glTF holds one value a key, so a jump takes two: the segment before it is cut one float32 step early and ends there on
its own value and slope; nothing is squeezed. Numbers that do not change at all are STEP with two equal keys: readers
that know STEP need not interpolate (the slerp of two equal quaternions divides by the sine of 0), the others blend
equal keys.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...ir import F32, Interpolation
from .cubics import Array, shift
from .piecewise import Spline, ends, jumps


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Keys:
    """What a sampler holds: (K,) times and (K, W) values, with tangents for CUBICSPLINE only."""

    interpolation: Interpolation
    times: F32
    values: F32
    in_tangents: F32 | None = None
    out_tangents: F32 | None = None


def write_keys(spline: Spline, linear: bool) -> Keys:
    """The spline as keys, within float32 rounding. ``linear``: straight segments may be written as LINEAR, which is
    not so for quaternions (glTF slerps them)."""
    if not spline.moves:
        return _step(spline)
    times, values, arriving, leaving = _cut_jumps(spline)
    if linear and not spline.bends:
        flat = _equal(values)
        arriving = leaving = np.empty((0, 0), np.float32)
    else:
        flat = _equal(values) & ~leaving[:-1].any(axis=1) & ~arriving[1:].any(axis=1)
    kept = np.ones(len(times), dtype=np.bool_)
    kept[1:-1] = ~(flat[:-1] & flat[1:])
    if flat.all():
        return Keys(interpolation=Interpolation.STEP, times=times[kept], values=values[kept])
    if not leaving.size:
        return Keys(interpolation=Interpolation.LINEAR, times=times[kept], values=values[kept])
    return Keys(
        interpolation=Interpolation.CUBICSPLINE,
        times=times[kept],
        values=values[kept],
        in_tangents=arriving[kept],
        out_tangents=leaving[kept],
    )


def _step(spline: Spline) -> Keys:
    values = _single(spline.coefficients[3])
    kept = np.ones(len(values), dtype=np.bool_)
    kept[1:-1] = ~_equal(values)[:-1]
    return Keys(interpolation=Interpolation.STEP, times=spline.times.astype(np.float32)[kept], values=values[kept])


def _cut_jumps(spline: Spline) -> tuple[F32, F32, F32, F32]:
    """Times, values, in and out tangents (per second), with a key one float32 step before each jump.

    Where two keys are neighbours in float32 there is no room for one, and no float32 time between them either.
    """
    times = spline.times.astype(np.float32)
    leaving = spline.coefficients[2].copy()
    arriving = np.concatenate([np.zeros_like(leaving[:1]), ends(spline)[1]])
    at = np.flatnonzero(jumps(spline))
    early = np.nextafter(times[at], np.float32(0))
    room = early > times[at - 1]
    arriving[at] = 0.0
    leaving[at[~room] - 1] = 0.0
    at, early = at[room], early[room]
    cut = shift(spline.coefficients[:, at - 1], (early - spline.times[at - 1])[:, None])
    return (
        np.insert(times, at, early),
        _single(np.insert(spline.coefficients[3], at, cut[3], axis=0)),
        _single(np.insert(arriving, at, cut[2], axis=0)),
        _single(np.insert(leaving, at, 0.0, axis=0)),
    )


def _single(numbers: Array) -> F32:
    """float32, without negative zeros: they compare equal to 0 and would only make bytes differ."""
    return numbers.astype(np.float32) + np.float32(0)


def _equal(values: F32) -> NDArray[np.bool_]:
    equal: NDArray[np.bool_] = (values[1:] == values[:-1]).all(axis=1)
    return equal
