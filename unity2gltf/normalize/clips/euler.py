"""Euler curves (degrees) as quaternion splines: products of half-angle rotations with their exact derivatives at the
keys, and as many keys as it takes.

Unity's RotationOrder names the axes in the order in which they turn the object: ZXY is q = qY qX qZ.
"""

from __future__ import annotations

import numpy as np

from ...diagnostics import Diagnostics
from ...math3d import multiply_quaternions
from .cubics import Array, shift, value_at
from .density import limit_total, report_short, whole_pieces
from .fit import Directions, fit_pieces, hermite
from .piecewise import Ints, Spline, ends, split_times

ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
"""By number."""

MOST_TURN = 90.0
"""Degrees that an axis turns between keys at most."""

MOST_TURN_PIECES = 4096
"""Pieces of one segment: one of 1,024 turns still has its keys every 90 degrees."""

ERROR = np.radians(0.005)
"""Radians at the probes; half of what is promised, for what lies between them."""


def quaternions(degrees: Array, order: int) -> Array:
    """(N, 3) degrees about x, y, z to (N, 4) quaternions."""
    return _product(_axes(degrees), order)


def to_quaternions(spline: Spline, order: int, diagnostics: Diagnostics) -> tuple[Spline, float]:
    """The rotations as quaternion cubics, with the largest error in radians (0 = exact)."""
    curve = _curve(spline, order)
    pieces = limit_total(whole_pieces(_turns(spline), MOST_TURN_PIECES), len(spline.times))
    which = np.flatnonzero(spline.coefficients[:3, :-1].any(axis=(0, 2)))
    pieces[which], errors = fit_pieces(spline.times, which, pieces[which], curve, ERROR, MOST_TURN_PIECES)
    report_short(int((errors > ERROR).sum()), diagnostics)
    starts, segment = split_times(spline.times, pieces)
    rows, begin, length = segment[:-1], (starts - spline.times[segment])[:-1], np.diff(starts)
    coefficients = np.zeros((4, len(starts), 4))
    coefficients[:, :-1] = hermite(curve, rows, begin, length)
    coefficients[3, -1] = quaternions(spline.coefficients[3, -1:], order)[0]
    error = float(errors.max(initial=0.0))
    return Spline(times=starts, coefficients=coefficients), error if error > 1e-9 else 0.0


def _turns(spline: Spline) -> Array:
    """(K - 1,) how often an axis can turn by :data:`MOST_TURN`: the slopes' Bezier hull bounds them."""
    _, b, c, _ = spline.coefficients[:, :-1]
    length = spline.lengths[:, None]
    arriving = ends(spline)[1]
    fastest = np.maximum(np.maximum(np.abs(c), np.abs(c + b * length)), np.abs(arriving))
    turns: Array = (fastest * length).max(axis=1) / MOST_TURN
    return turns


def _curve(spline: Spline, order: int) -> Directions:
    def value(segment: Ints, seconds: Array) -> Array:
        return quaternions(value_at(spline.coefficients[:, segment], seconds[:, None]), order)

    def value_and_slope(segment: Ints, seconds: Array) -> tuple[Array, Array]:
        moved = shift(spline.coefficients[:, segment], seconds[:, None])
        axes, slopes = _axes(moved[3]), _slopes(moved[3], moved[2])
        slope = np.zeros((len(segment), 4))
        for axis in range(3):
            slope += _product([*axes[:axis], slopes[axis], *axes[axis + 1 :]], order)
        return _product(axes, order), slope

    return Directions(value, value_and_slope)


def _axes(degrees: Array) -> list[Array]:
    """The rotation about each axis, (N, 4)."""
    half = np.radians(degrees) / 2
    result = []
    for axis in range(3):
        quaternion = np.zeros((len(half), 4))
        quaternion[:, axis], quaternion[:, 3] = np.sin(half[:, axis]), np.cos(half[:, axis])
        result.append(quaternion)
    return result


def _slopes(degrees: Array, per_second: Array) -> list[Array]:
    """Their derivatives."""
    half, speed = np.radians(degrees) / 2, np.radians(per_second) / 2
    result = []
    for axis in range(3):
        quaternion = np.zeros((len(half), 4))
        quaternion[:, axis] = np.cos(half[:, axis]) * speed[:, axis]
        quaternion[:, 3] = -np.sin(half[:, axis]) * speed[:, axis]
        result.append(quaternion)
    return result


def _product(axes: list[Array], order: int) -> Array:
    """What turns first stands rightmost."""
    first, second, third = (axes["XYZ".index(axis)] for axis in ORDERS[order])
    return multiply_quaternions(third, multiply_quaternions(second, first))
