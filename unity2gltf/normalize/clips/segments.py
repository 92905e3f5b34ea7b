"""Piecewise cubics: ``times`` (K,) ascending and ``coefficients`` (..., K, 4) = a, b, c, v of
((a d + b) d + c) d + v with d = t - time of the segment. Leading axes share the times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def evaluate(coefficients: Floats, d: Floats | float) -> Floats:
    """Value of each cubic (..., 4) at the distance ``d`` from its start."""
    a, b, c, v = np.moveaxis(coefficients, -1, 0)
    result: Floats = ((a * d + b) * d + c) * d + v
    return result


def advanced(coefficients: Floats, d: Floats | float) -> Floats:
    """The same cubics (..., 4) about a start that lies ``d`` later (Taylor's expansion, exact)."""
    a, b, c, _ = np.moveaxis(coefficients, -1, 0)
    slope = (3 * a * d + 2 * b) * d + c
    return np.stack([a, 3 * a * d + b, slope, evaluate(coefficients, d)], axis=-1)


def mirrored(coefficients: Floats, lengths: Floats) -> Floats:
    """The same cubics played backwards: p(length - d)."""
    return advanced(coefficients, lengths) * (-1.0, 1.0, -1.0, 1.0)


def hermite(lengths: Floats, start: Floats, end: Floats, out_slope: Floats, in_slope: Floats) -> Floats:
    """The cubics (..., 4) of segments of the given lengths (> 0) by their values and slopes at both ends."""
    chord = (end - start) / lengths
    a = (out_slope + in_slope - 2 * chord) / (lengths * lengths)
    b = (3 * chord - 2 * out_slope - in_slope) / lengths
    return np.stack(np.broadcast_arrays(a, b, out_slope, start), axis=-1)


def ascending(times: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
    """Without segments of no length: of several at one time the last stays, which holds from there on."""
    kept = np.append(np.diff(times) > 0, True) if len(times) else np.zeros(0, bool)
    return (times, coefficients) if kept.all() else (times[kept], coefficients[..., kept, :])


def cut(times: Floats, coefficients: Floats, start: float, stop: float) -> tuple[Floats, Floats]:
    """The part on [start, stop] (stop >= start), in seconds since ``start``; exact.

    A segment that runs at ``start`` begins there (so a jump at ``start`` keeps the value after it). No key lies after
    ``stop``; one at ``stop`` holds its value.
    """
    first = max(int(np.searchsorted(times, start, "right")) - 1, 0)
    end = max(int(np.searchsorted(times, stop, "right")), first + 1)
    kept, rows = times[first:end] - start, coefficients[..., first:end, :].copy()
    if kept[0] < 0:
        rows[..., 0, :] = advanced(rows[..., 0, :], -kept[0])
        kept[0] = 0.0
    if kept[0] > stop - start:
        kept[0] = stop - start  # the curve begins after the clip's end: its first value holds before it
    if kept[-1] >= stop - start:
        rows[..., -1, :3] = 0.0
    return ascending(kept, rows)
