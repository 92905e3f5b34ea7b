"""Quaternion curves: component-wise cubics, normalised after evaluation by Unity and by glTF alike, hence exact as
they are. What is done to them: signs, keys of (nearly) unit length, and density.

A cubic between unit quaternions is shorter than 1 half-way, so that keys put there can be too short for glTF. Only
directions count: such a segment is drawn anew as the same directions at a length of its own, q / |q| times what runs
evenly from the length of one key to that of the next. Its neighbours keep their keys, and stay exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...diagnostics import Diagnostics
from .cubics import Array, shift, value_at
from .density import MOST_PIECES, limit_total, report_short, whole_pieces
from .fit import Directions, fit_pieces, hermite
from .piecewise import Ints, Spline, ends, jumps, rekey, split_times

UNIT_TOLERANCE = 0.005
"""How far a key may be from unit length; the Khronos validator allows 0.0077."""

ZERO = 1e-6
"""A quaternion no longer than this has no direction: it is the identity, as in Unity."""

FIT = 2e-6
"""Radians within which segments are drawn anew: a float32 quaternion tells no less apart."""

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def normalise(quaternions: Array) -> Array:
    """(N, 4) of unit length; those without direction are the identity."""
    length = np.linalg.norm(quaternions, axis=-1, keepdims=True)
    unit: Array = np.where(length > ZERO, quaternions / np.where(length > ZERO, length, 1.0), IDENTITY)
    return unit


def zero_keys(spline: Spline) -> int:
    """How many keys hold a quaternion without direction."""
    return int((np.linalg.norm(spline.coefficients[3], axis=-1) <= ZERO).sum())


def continuous_signs(spline: Spline) -> Spline:
    """The same rotations with each segment in the half of quaternion space where the one before it ended. Only at
    jumps is there anything to do, and a jump from q to -q is none any more."""
    end = ends(spline)[0]
    turned = np.einsum("kw,kw->k", end, spline.coefficients[3, 1:]) < 0
    signs = np.cumprod(np.concatenate([[1.0], np.where(turned, -1.0, 1.0)]))
    return Spline(times=spline.times, coefficients=spline.coefficients * signs[:, None])


def to_unit(spline: Spline, tolerance: float, diagnostics: Diagnostics) -> tuple[Spline, float]:
    """The rotations with keys dense enough for ``tolerance`` radians (0 = no more keys) and of unit length, with the
    error in radians where segments had to be drawn anew (0 = exact)."""
    spline = continuous_signs(spline)
    first, last, ready = _lengths(spline)
    wanted = _direction_pieces(spline, tolerance)
    pieces = limit_total(whole_pieces(wanted), len(spline.times))
    which = np.flatnonzero(~ready | _short_between(spline, pieces))
    curve = _unit_curve(spline, first, last)
    pieces[which], errors = fit_pieces(spline.times, which, pieces[which], curve, FIT, MOST_PIECES)
    # Where that fails (a quaternion that passes 0) and the keys are sound, the one cubic is exact, if sparse.
    given_up = (errors > FIT) & ready[which]
    pieces[which[given_up]] = 1
    report_short(int((wanted > pieces).sum()), diagnostics)
    which, errors = which[~given_up], errors[~given_up]
    starts, segment = split_times(spline.times, pieces)
    result = rekey(spline, starts, segment)
    if len(which):
        _draw_anew(result, segment, np.isin(segment, which), starts - spline.times[segment], curve)
    result.coefficients[3, -1] = normalise(spline.coefficients[3, -1:])[0] * first[-1]
    error = float(errors.max(initial=0.0))
    return result, error if error > 1e-9 else 0.0


def _draw_anew(result: Spline, segment: Ints, chosen: NDArray[np.bool_], begin: Array, curve: Directions) -> None:
    rows = np.flatnonzero(chosen[:-1])
    result.coefficients[:, rows] = hermite(curve, segment[rows], begin[rows], result.lengths[rows])


def _lengths(spline: Spline) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Lengths that keys get, (K,), that segments end on, (K - 1,), and whether both are what a segment has already."""
    start, stop = np.linalg.norm(spline.coefficients[3], axis=-1), np.linalg.norm(ends(spline)[0], axis=-1)
    first = _allowed(start)
    last = np.where(jumps(spline)[1:], _allowed(stop), first[1:])
    return first, last, (first[:-1] == start[:-1]) & (np.abs(last - stop) < 1e-4)


def _allowed(length: Array) -> Array:
    return np.where(np.abs(length - 1.0) <= UNIT_TOLERANCE, length, 1.0)


def _short_between(spline: Spline, pieces: Ints) -> NDArray[np.bool_]:
    """(K - 1,) whether keys put inside a segment would be too far from unit length."""
    starts, segment = split_times(spline.times, pieces)
    length = np.linalg.norm(rekey(spline, starts, segment).coefficients[3], axis=-1)
    inner = starts > spline.times[segment]
    off = np.zeros(len(spline.times), dtype=np.bool_)
    off[segment[inner & (np.abs(length - 1.0) > UNIT_TOLERANCE)]] = True
    return off[:-1]


def _unit_curve(spline: Spline, first: Array, last: Array) -> Directions:
    growth = (last - first[:-1]) / spline.lengths

    def value(segment: Ints, seconds: Array) -> Array:
        unit = normalise(value_at(spline.coefficients[:, segment], seconds[:, None]))
        return unit * (first[segment] + growth[segment] * seconds)[:, None]

    def value_and_slope(segment: Ints, seconds: Array) -> tuple[Array, Array]:
        moved = shift(spline.coefficients[:, segment], seconds[:, None])
        length = np.linalg.norm(moved[3], axis=-1, keepdims=True)
        unit = normalise(moved[3])
        across = moved[2] - unit * np.einsum("nw,nw->n", unit, moved[2])[:, None]
        turning = np.where(length > ZERO, across / np.where(length > ZERO, length, 1.0), 0.0)
        size = (first[segment] + growth[segment] * seconds)[:, None]
        return unit * size, turning * size + unit * growth[segment][:, None]

    return Directions(value, value_and_slope)


def _direction_pieces(spline: Spline, tolerance: float) -> Array:
    """(K - 1,) pieces wanted so that slerp (or lerp, normalised) of the keys stays within ``tolerance`` radians.

    On the sphere, an arc of h seconds at even speed is off by h^2 / 8 times the acceleration across the direction;
    lerp is off from slerp by 0.004 times the cube of the angle. Both are taken at five points; they get nine tenths
    and one tenth of the tolerance.
    """
    wanted = np.ones(len(spline.times) - 1)
    if not tolerance > 0 or not spline.moves:
        return wanted
    chosen = np.flatnonzero(spline.coefficients[:3, :-1].any(axis=(0, 2)))
    length = spline.lengths[chosen]
    speed, acceleration = np.zeros(len(chosen)), np.zeros(len(chosen))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        fast, faster = _motion(shift(spline.coefficients[:, chosen], (share * length)[:, None]))
        speed, acceleration = np.maximum(speed, fast), np.maximum(acceleration, faster)
    even = length * np.sqrt(2 * acceleration / (8 * 0.9 * tolerance))
    near = 2 * speed * length / np.cbrt(0.1 * tolerance / 0.004)
    wanted[chosen] = np.maximum(even, near)
    return wanted


def _motion(moved: Array) -> tuple[Array, Array]:
    """(N,) speed of the direction of quaternions, and the part of its acceleration that is not along the arc's own
    curvature, in radians of quaternion space (half of a rotation's). ``moved`` (4, N, 4) as :func:`shift` gives."""
    _, b, slope, value = moved
    length = np.maximum(np.linalg.norm(value, axis=-1, keepdims=True), ZERO)
    unit = value / length
    radial = np.einsum("nw,nw->n", unit, slope)[:, None]
    across = (slope - unit * radial) / length
    bend = 2 * b
    bend = (bend - unit * np.einsum("nw,nw->n", unit, bend)[:, None]) / length
    acceleration = bend - 2 * radial / length * across
    return np.linalg.norm(across, axis=-1), np.linalg.norm(acceleration, axis=-1)
