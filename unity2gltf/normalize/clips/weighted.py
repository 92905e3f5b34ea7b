"""Weighted tangents: segments that are Bezier curves in time and value, as cubics in time within a bound.

Unity's documentation of Keyframe: a weight is the share of the segment's length at which the handle lies, a third
when the side is not weighted. x(s) and y(s) are then cubic in s, but y is no cubic in x unless both weights are 1/3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .segments import Floats, evaluate, hermite

THIRD = 1.0 / 3.0
BOUND = 2e-5
"""Error aimed at, as a share of the segment's extent in value (that of its four Bezier points)."""
MAX_DEPTH = 24
"""Halvings of s: beyond them a curve that stands upright is left as it is, and its error told."""
MAX_PIECES = 256
"""Pieces of one segment; an upright turn takes about 40."""
_PROBES = np.array([0.15, 0.35, 0.5, 0.65, 0.85])


def is_plain(out_weight: Floats, in_weight: Floats) -> NDArray[np.bool_]:
    """Whether the weights are those of an ordinary (Hermite) segment."""
    return (np.abs(out_weight - THIRD) < 1e-6) & (np.abs(in_weight - THIRD) < 1e-6)


def bezier_pieces(
    length: float, start: float, end: float, slopes: tuple[float, float], weights: tuple[float, float]
) -> tuple[Floats, Floats, float]:
    """One weighted segment of ``length`` > 0 as cubics: times from its start (n,), coefficients (n, 4), largest error.

    ``slopes`` and ``weights`` are those at the start and at the end; weights are clipped to 0..1, where Unity keeps
    them, so that time runs forward.
    """
    first, last = (min(max(weight, 0.0), 1.0) for weight in weights)
    x = np.array([0.0, first, 1.0 - last, 1.0]) * length
    y = np.array([start, start + slopes[0] * first * length, end - slopes[1] * last * length, end])
    bound = BOUND * float(np.ptp(y))
    done: list[tuple[Floats, Floats, Floats]] = []
    cuts = np.linspace(0.0, 1.0, 3)
    left, right = cuts[:-1], cuts[1:]
    for depth in range(MAX_DEPTH + 1):
        pieces, lengths, errors = _fit(x, y, left, right)
        room = sum(len(item[0]) for item in done) + 2 * len(left) <= MAX_PIECES
        good = (errors <= bound) | (lengths <= length * 1e-9) | (depth == MAX_DEPTH or not room)
        done.append((left[good], pieces[good], errors[good]))
        left, right = left[~good], right[~good]
        if not len(left):
            break
        middle = (left + right) / 2
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
    starts, pieces, errors = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(starts)
    return _bezier(x, starts[order]), pieces[order], float(errors.max())


def _bezier(points: Floats, s: Floats) -> Floats:
    r = 1.0 - s
    result: Floats = r**3 * points[0] + 3 * r * r * s * points[1] + 3 * r * s * s * points[2] + s**3 * points[3]
    return result


def _derivative(points: Floats, s: Floats) -> Floats:
    d, r = 3 * np.diff(points), 1.0 - s
    result: Floats = r * r * d[0] + 2 * r * s * d[1] + s * s * d[2]
    return result


def _fit(x: Floats, y: Floats, left: Floats, right: Floats) -> tuple[Floats, Floats, Floats]:
    """Hermite cubics (n, 4) in time through both ends of each piece [left, right] of s, their lengths in time, and
    the largest error in value at the probes."""
    x0, x1, y0, y1 = _bezier(x, left), _bezier(x, right), _bezier(y, left), _bezier(y, right)
    lengths = np.maximum(x1 - x0, np.finfo(np.float64).tiny)
    chord = (y1 - y0) / lengths
    steepest = [_slope(x, y, s, chord) for s in (left, right)]
    pieces = hermite(lengths, y0, y1, steepest[0], steepest[1])
    s = left[:, None] + (right - left)[:, None] * _PROBES
    found = evaluate(pieces[:, None], _bezier(x, s) - x0[:, None])
    return pieces, lengths, np.abs(found - _bezier(y, s)).max(axis=1)


def _slope(x: Floats, y: Floats, s: Floats, chord: Floats) -> Floats:
    """dy/dx at s; where time stands still (a weight of 0 or 1) the chord's slope."""
    dx, dy = _derivative(x, s), _derivative(y, s)
    moves = dx > 1e-9 * x[-1]
    return np.where(moves, dy / np.where(moves, dx, 1.0), chord)
