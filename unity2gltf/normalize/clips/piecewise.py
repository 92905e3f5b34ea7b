"""Piecewise cubics of several numbers over one set of keys, in float64 about key times that float32 can hold.

Curves of one channel have keys of their own; here they are re-expanded, exactly, about the union of their times. The
times are rounded first and the cubics expanded about the rounded ones, so that what is written in float32 is the
curve itself and not a shifted copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...ir import Curve
from .cubics import Array, shift, value_at

Ints = NDArray[np.int64]

ROUNDING = 2.0**-24
"""Half a float32 ulp, relative: what writing a number costs."""

LANDING = 2.0**-21
"""A segment that misses the next key by no more than this share of the terms it is the sum of has landed on it: its
float32 coefficients say no more. Segments of real clips land within 2**-22."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spline:
    """W numbers over time: on [times[k], times[k+1]) they are ((a d + b) d + c) d + v with d = t - times[k].

    ``times`` (K,) are seconds that float32 holds exactly, rising strictly from 0 to the end of the clip.
    ``coefficients`` (4, K, W) are a, b, c, v; the last row is the value at the end, with a = b = c = 0.
    """

    times: Array
    coefficients: Array

    @property
    def lengths(self) -> Array:
        """(K - 1,) seconds from key to key."""
        return np.diff(self.times)

    @property
    def moves(self) -> bool:
        """Whether any segment is more than a constant."""
        return bool(self.coefficients[:3, :-1].any())

    @property
    def bends(self) -> bool:
        """Whether any segment is more than a straight line."""
        return bool(self.coefficients[:2, :-1].any())


def single(times: ArrayLike) -> Array:
    """Times rounded to float32, in float64."""
    return np.asarray(times).astype(np.float32).astype(np.float64)


def unite(curves: Sequence[Curve], duration: float) -> Spline:
    """The curves, one a component, over the union of their times in 0..duration (and these two).

    Times that collide in float32 become one key, which takes what comes later; no key lies past the duration.
    """
    end = float(single(duration))
    inner = np.concatenate([single(curve.times) for curve in curves])
    times = np.unique(np.concatenate([[0.0, end], inner[(inner > 0.0) & (inner < end)]]))
    coefficients = np.stack([_expand(curve, times) for curve in curves], axis=-1)
    coefficients[:3, -1] = 0.0
    return Spline(times=times, coefficients=coefficients)


def _expand(curve: Curve, times: Array) -> Array:
    """(4, K): the curve's cubics about other times; before its first key it stands still."""
    row = np.searchsorted(single(curve.times), times, side="right") - 1
    before = row < 0
    row = np.maximum(row, 0)
    expanded = shift(curve.coefficients[row].T, times - curve.times[row])
    expanded[:3, before] = 0.0
    expanded[3, before] = curve.coefficients[0, 3]
    return expanded


def ends(spline: Spline) -> tuple[Array, Array]:
    """Value and slope, both (K - 1, W), that each segment has where the next begins."""
    moved = shift(spline.coefficients[:, :-1], spline.lengths[:, None])
    return moved[3], moved[2]


def evaluate(spline: Spline, times: Array) -> Array:
    """(N, W) at ``times`` (N,)."""
    row = np.clip(np.searchsorted(spline.times, times, side="right") - 1, 0, len(spline.times) - 1)
    return value_at(spline.coefficients[:, row], (times - spline.times[row])[:, None])


def split_times(times: Array, pieces: Ints) -> tuple[Array, Ints]:
    """Key times when segment k is cut into ``pieces[k]`` equal pieces, and the segment of each (the last time has one
    of its own). Pieces shorter than float32 tells apart fall together."""
    segment = np.repeat(np.arange(len(pieces)), pieces)
    step = np.arange(len(segment)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    inner = single(times[segment] + step / pieces[segment] * np.diff(times)[segment])
    starts = np.append(inner, times[-1])
    kept = np.append(starts[1:] > starts[:-1], True)
    return starts[kept], np.append(segment, len(pieces))[kept]


def rekey(spline: Spline, starts: Array, segment: Ints) -> Spline:
    """The same numbers with keys at ``starts``, each in its segment of the spline."""
    offsets = starts - spline.times[segment]
    return Spline(times=starts, coefficients=shift(spline.coefficients[:, segment], offsets[:, None]))


def subdivide(spline: Spline, pieces: Ints) -> Spline:
    """The same numbers with segment k cut into ``pieces[k]``."""
    return rekey(spline, *split_times(spline.times, pieces)) if (pieces > 1).any() else spline


def snap(spline: Spline) -> Spline:
    """Segments that are straight or constant but for less than the rounding of the values they lie between become so:
    float32 coefficients rarely say 0."""
    a, b, c, v = spline.coefficients[:, :-1]
    length = spline.lengths[:, None]
    end = value_at(spline.coefficients[:, :-1], length)
    rounding = ROUNDING * np.maximum(np.abs(v), np.abs(end)).max(axis=1, keepdims=True, initial=0.0)
    # How far d (d - l) and d (d^2 - l^2) rise from 0 on 0..l.
    bend = np.abs(b) * length**2 / 4 + np.abs(a) * length**3 * 0.385
    straight = bend <= rounding
    still = straight & (np.abs(end - v) <= rounding)
    snapped = spline.coefficients.copy()
    snapped[:2, :-1][:, straight] = 0.0
    snapped[2, :-1] = np.where(still, 0.0, np.where(straight, (end - v) / length, c))
    return Spline(times=spline.times, coefficients=snapped)


def jumps(spline: Spline) -> NDArray[np.bool_]:
    """(K,): whether the segment before a key does not end on it, by more than rounding: of the segment's own terms, of
    the key's time, or of the largest component, within which :func:`snap` stills the others."""
    a, b, c, v = spline.coefficients[:, :-1]
    length = spline.lengths[:, None]
    end, slope = ends(spline)
    after = spline.coefficients[3, 1:]
    terms = np.abs(v) + np.abs(after) + (np.abs(c) + np.abs(slope)) * length
    terms += np.abs(b) * length**2 + np.abs(a) * length**3
    tick = np.spacing(spline.times[1:].astype(np.float32)).astype(np.float64)[:, None]
    allowed = LANDING * terms + (np.abs(slope) + np.abs(spline.coefficients[2, 1:])) * tick
    allowed += 2 * ROUNDING * np.maximum(np.abs(v), np.abs(after)).max(axis=1, keepdims=True, initial=0.0)
    result = np.zeros(len(spline.times), dtype=np.bool_)
    result[1:] = (np.abs(end - after) > allowed).any(axis=1)
    return result
