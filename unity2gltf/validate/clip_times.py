"""When two players of one curve are asked, and what may lie between their answers: float32 rounding."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..ir import Channel, Curve, Path
from .measure import EPS32, SMALLEST32

Array = NDArray[np.float64]

MOST_TIMES = {"quick": 2048, "full": 65536}
"""Times a channel is compared at; of more keys an even choice is taken, first and last included."""

INSIDE = {"quick": (0.375,), "full": (0.125, 0.375, 0.5, 0.875)}
"""Where between two neighbouring keys, as shares. Not only the middle: there, slopes that are both off cancel."""

RANDOM_TIMES = {"quick": 0, "full": 64}

VALUE_FACTOR = 16.0
TIME_FACTOR = 2.0
"""A value may be off by VALUE_FACTOR x eps32 x the terms of its cubic, plus its speed x TIME_FACTOR ulps of its time.

Unity stores four float32 coefficients, each off by half an eps32 of its term, and a segment that ends within that of
the next key is one that meets it; the file stores values and slopes, rounded once more. Together that stays below
4 eps32; a key whose segment is taken for meeting the next (2**-21 of terms that count slopes twice) may be off by
as much again, twice. Times are rounded to float32: half an ulp at each end of a segment, a whole one where a segment
is cut ahead of a jump.
"""


def single(times: NDArray[np.floating]) -> Array:
    """Rounded to float32, in float64."""
    return times.astype(np.float32).astype(np.float64)


class Rounding:
    """What rounding to float32 explains of one channel, whose curves are looked at once.

    ``jumps`` (J,): the times at which some component does not go on where its last segment ends, ascending.
    """

    def __init__(self, channel: Channel, duration: float) -> None:
        self._channel = channel
        self._bounds = [None if curve is None else _bounds(curve, duration) for curve in channel.curves]
        found = [
            _jumps(curve, *bounds)
            for curve, bounds in zip(channel.curves, self._bounds, strict=True)
            if curve is not None and bounds is not None and len(curve.times) > 1
        ]
        self.jumps: Array = np.unique(np.concatenate(found)) if found else np.zeros(0)

    def limits(self, times: Array) -> Array:
        """(T, W) how far a component may be off at Unity's ``times``, in the curves' units (weights as fractions)."""
        result = np.zeros((len(times), len(self._bounds)))
        for place, (curve, bounds) in enumerate(zip(self._channel.curves, self._bounds, strict=True)):
            if curve is not None and bounds is not None:
                terms, speed = bounds
                rows = np.maximum(np.searchsorted(curve.times, times, side="right") - 1, 0)
                result[:, place] = VALUE_FACTOR * np.maximum(EPS32 * terms[rows], SMALLEST32)
                result[:, place] += TIME_FACTOR * EPS32 * np.abs(times) * speed[rows]
        return result / 100.0 if self._channel.path is Path.WEIGHTS else result


def unity_times(times: Array, jumps: Array) -> Array:
    """The times at which Unity's side answers for the file's ``times``.

    A jump at t stands in the file at t rounded to float32. So that both sides are asked on the same side of it, a
    file time from there on counts as t at least, and one before as earlier than t.
    """
    if not len(jumps):
        return times
    passed = np.searchsorted(single(jumps), times, side="right")
    after = np.concatenate([[-np.inf], jumps])[passed]
    before = np.concatenate([np.nextafter(jumps, -np.inf), [np.inf]])[passed]
    asked: Array = np.minimum(np.maximum(times, after), before)
    return asked


def sample_times(written: Array, channel: Channel, jumps: Array, duration: float, level: str) -> Array:
    """(T,) float32 times in 0..duration, ascending: all keys of both sides and places between them; for ``full`` one
    ulp to either side of each jump, and random ones too."""
    end = float(np.float32(duration))
    keys = [curve.times for curve in channel.curves if curve is not None]
    base = np.unique(np.clip(single(np.concatenate([written, *keys, [0.0, end]])), 0.0, end))
    inside = [base[:-1] + share * np.diff(base) for share in INSIDE[level]]
    if level == "full":
        at = single(jumps).astype(np.float32)
        inside += [np.nextafter(at, np.float32(way)).astype(np.float64) for way in (-np.inf, np.inf)]
        inside.append(np.random.default_rng(len(base)).uniform(0.0, end, RANDOM_TIMES[level]))
    times = np.unique(np.clip(single(np.concatenate([base, *inside])), 0.0, end))
    most = MOST_TIMES[level]
    if len(times) <= most:
        return times
    return times[np.unique(np.linspace(0, len(times) - 1, most).astype(np.int64))]


def _jumps(curve: Curve, terms: Array, speed: Array) -> Array:
    a, b, c, value = curve.coefficients.T
    length = np.diff(curve.times)
    ends = ((a[:-1] * length + b[:-1]) * length + c[:-1]) * length + value[:-1]
    allowed = VALUE_FACTOR * EPS32 * terms[1:] + TIME_FACTOR * EPS32 * np.abs(curve.times[1:]) * speed[1:]
    jumps: Array = curve.times[1:][np.abs(ends - value[1:]) > allowed]
    return jumps


def _bounds(curve: Curve, duration: float) -> tuple[Array, Array]:
    """(K,) the sum of a segment's terms and its speed at most, the neighbours' if larger: a rounded time may lie
    there."""
    a, b, c, value = np.abs(curve.coefficients).T
    length = np.append(np.diff(curve.times), max(duration - float(curve.times[-1]), 0.0))
    terms = value + (c + (b + a * length) * length) * length
    speed = c + (2 * b + 3 * a * length) * length
    return (_widest(terms), _widest(speed)) if len(terms) > 1 else (terms, speed)


def _widest(values: Array) -> Array:
    result = values.copy()
    np.maximum(result[1:], values[:-1], out=result[1:])
    np.maximum(result[:-1], values[1:], out=result[:-1])
    return result
