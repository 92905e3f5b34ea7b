"""Rotations that are no cubic quaternion curves, as cubics: Hermite pieces through points of the curve, with its own
one-sided derivatives, as many as it takes.

The error of such a piece falls with the fourth power of its length, so that from one measurement the number of pieces
that is needed can be told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import cubics
from .cubics import Array, value_at
from .density import limit_total, whole_pieces
from .piecewise import Ints, split_times


@dataclass(frozen=True, slots=True)
class Directions:
    """Quaternions (N, 4), and these with their derivatives, of segments (N,) at seconds (N,) after each one's start.
    Their lengths matter for the pieces between them, not for what they mean."""

    value: Callable[[Ints, Array], Array]
    value_and_slope: Callable[[Ints, Array], tuple[Array, Array]]


PROBES = (0.25, 0.5, 0.75)
"""Where in a piece the error is measured."""

ROUNDS = 8


def angles(one: Array, other: Array) -> Array:
    """(N,) radians by which rotations differ; lengths and signs of the quaternions do not count."""
    with np.errstate(invalid="ignore", divide="ignore"):
        one = one / np.linalg.norm(one, axis=-1, keepdims=True)
        other = other / np.linalg.norm(other, axis=-1, keepdims=True)
    nearest = np.minimum(np.linalg.norm(one - other, axis=-1), np.linalg.norm(one + other, axis=-1))
    furthest = np.sqrt(2.0)  # half a turn, and what a quaternion without a direction counts as
    result: Array = 4.0 * np.arcsin(np.minimum(np.nan_to_num(nearest, nan=furthest), furthest) / 2.0)
    return result


def hermite(curve: Directions, segment: Ints, begin: Array, length: Array) -> Array:
    """(4, N, 4) coefficients of the pieces that begin ``begin`` seconds after their segments and last ``length``."""
    value, slope = curve.value_and_slope(segment, begin)
    end, arriving = curve.value_and_slope(segment, begin + length)
    return cubics.hermite(length[:, None], value, end, slope, arriving)


def measure(curve: Directions, coefficients: Array, segment: Ints, begin: Array, length: Array) -> Array:
    """(N,) the largest angle in radians between the pieces and the curve at the probes."""
    worst = np.zeros(len(segment))
    for probe in PROBES:
        offset = probe * length
        drawn = value_at(coefficients, offset[:, None])
        worst = np.maximum(worst, angles(drawn, curve.value(segment, begin + offset)))
    return worst


def fit_pieces(
    times: Array, which: Ints, pieces: Ints, curve: Directions, target: float, most: int
) -> tuple[Ints, Array]:
    """The number of pieces, (N,), that brings segments ``which`` (N,) within ``target`` radians of the curve, and the
    error reached. ``pieces`` (N,) is where to start, ``most`` and the limit on a track's keys where to end."""
    pieces, errors = pieces.copy(), np.zeros(len(which))
    if not len(which):
        return pieces, errors
    open_ = np.arange(len(which))
    for _ in range(ROUNDS):
        errors[open_] = _errors(times, which[open_], pieces[open_], curve)
        open_ = open_[(errors[open_] > target) & (pieces[open_] < most)]
        if not len(open_):
            break
        factor = 1.1 * (errors[open_] / target) ** 0.25
        pieces[open_] = whole_pieces(np.maximum(pieces[open_] * factor, pieces[open_] + 1), most)
        limited = limit_total(pieces, len(times))
        if limited is not pieces:
            return limited, _errors(times, which, limited, curve)
    return pieces, errors


def _errors(times: Array, which: Ints, pieces: Ints, curve: Directions) -> Array:
    """(N,) the error of each of the segments when it is cut into its pieces."""
    every = np.zeros(len(times) - 1, dtype=np.int64)
    every[which] = pieces
    starts, segment = split_times(times, np.maximum(every, 1))
    length = np.diff(starts)
    chosen = np.flatnonzero(every[segment[:-1]] > 0)
    segment, begin, length = segment[chosen], starts[chosen] - times[segment[chosen]], length[chosen]
    found = measure(curve, hermite(curve, segment, begin, length), segment, begin, length)
    worst = np.zeros(len(every))
    np.maximum.at(worst, segment, found)
    result: Array = worst[which]
    return result
