"""Weighted tangents: segments that are Bezier curves in time and value, as cubics in time within a bound.

Unity's documentation of Keyframe: a weight is the share of the segment's length at which the handle lies, a third
when the side is not weighted. x(s) and y(s) are then cubic in s, but y is no cubic in x unless both weights are 1/3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cubics import Array
from .segments import evaluate, hermite

THIRD = 1.0 / 3.0
BOUND = 2e-5
"""Error aimed at, as a share of the segment's extent in value (that of its four Bezier points)."""
MAX_DEPTH = 24
"""Halvings of s; a curve that stands upright beyond them is left as it is, and its error told."""
MAX_PIECES = 96
"""Pieces of one segment: an upright turn takes about 90."""
_PROBES = np.array([0.15, 0.35, 0.5, 0.65, 0.85])


def is_plain(out_weight: Array, in_weight: Array) -> NDArray[np.bool_]:
    """Whether the weights are those of an ordinary (Hermite) segment."""
    return (np.abs(out_weight - THIRD) < 1e-6) & (np.abs(in_weight - THIRD) < 1e-6)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Cubics ``rows`` (n, 4) of the ``segments`` (n,), each from ``offsets`` (n,) after its segment's start on, within
    ``errors`` (n,) of the curve. Ordered by segment, then time."""

    segments: NDArray[np.int64]
    offsets: Array
    rows: Array
    errors: Array


def bezier_pieces(
    lengths: Array, values: tuple[Array, Array], slopes: tuple[Array, Array], weights: tuple[Array, Array]
) -> Pieces:
    """Weighted segments as cubics, split where they are not yet within the bound.

    ``lengths`` (S,) > 0; ``values``, ``slopes`` and ``weights`` are (S,) at the start and at the end. Weights are
    clipped to 0..1, where Unity keeps them, so that time runs forward.
    """
    first, last = (np.clip(weight, 0.0, 1.0) for weight in weights)
    x = np.stack([0 * lengths, first * lengths, (1.0 - last) * lengths, lengths])
    y = np.stack([values[0], values[0] + slopes[0] * x[1], values[1] - slopes[1] * last * lengths, values[1]])
    bounds = BOUND * np.ptp(y, axis=0)
    made = np.ones(len(lengths), np.int64)
    segments = np.arange(len(lengths))
    left, right = np.zeros(len(lengths)), np.ones(len(lengths))
    done: list[tuple[NDArray[np.int64], Array, Array, Array]] = []
    for _ in range(MAX_DEPTH):
        rows, sizes, errors = _fit(x[:, segments], y[:, segments], left, right)
        split = (errors > bounds[segments]) & (sizes > lengths[segments] * 1e-9)
        made += np.bincount(segments[split], minlength=len(lengths))
        split &= made[segments] <= MAX_PIECES
        done.append((segments[~split], left[~split], rows[~split], errors[~split]))
        segments, left, right = segments[split], left[split], right[split]
        middle = (left + right) / 2
        segments = np.concatenate([segments, segments])
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
    rows, _, errors = _fit(x[:, segments], y[:, segments], left, right)
    done.append((segments, left, rows, errors))
    segments, left, rows, errors = (np.concatenate(column) for column in zip(*done, strict=True))
    order = np.lexsort((left, segments))
    segments = segments[order]
    return Pieces(segments, _bezier(x[:, segments], left[order]), rows[order], errors[order])


def _bezier(points: Array, s: Array) -> Array:
    """Of (4, n) points at s (..., n)."""
    r = 1.0 - s
    result: Array = r**3 * points[0] + 3 * r * r * s * points[1] + 3 * r * s * s * points[2] + s**3 * points[3]
    return result


def _fit(x: Array, y: Array, left: Array, right: Array) -> tuple[Array, Array, Array]:
    """Hermite cubics (n, 4) in time through both ends of each piece [left, right] of s, their lengths in time, and
    the largest error in value at the probes."""
    x0, x1, y0, y1 = _bezier(x, left), _bezier(x, right), _bezier(y, left), _bezier(y, right)
    lengths = np.maximum(x1 - x0, np.finfo(np.float64).tiny ** 0.25)  # whose cube is still a number
    chord = (y1 - y0) / lengths
    rows = hermite(lengths, y0, y1, _slope(x, y, left, chord), _slope(x, y, right, chord))
    s = left + (right - left) * _PROBES[:, None]
    errors = np.abs(evaluate(rows, _bezier(x, s) - x0) - _bezier(y, s)).max(axis=0, initial=0.0)
    return rows, lengths, errors


def _slope(x: Array, y: Array, s: Array, chord: Array) -> Array:
    """dy/dx at s; where time stands still (a weight of 0 or 1) the chord's slope."""
    dx, dy = _derivative(x, s), _derivative(y, s)
    moves = dx > 1e-9 * x[-1]
    return np.where(moves, dy / np.where(moves, dx, 1.0), chord)


def _derivative(points: Array, s: Array) -> Array:
    d, r = 3 * np.diff(points, axis=0), 1.0 - s
    result: Array = r * r * d[0] + 2 * r * s * d[1] + s * s * d[2]
    return result
