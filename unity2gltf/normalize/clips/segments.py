"""Piecewise cubics as curves store them: ``times`` (K,) ascending and ``coefficients`` (..., K, 4) = a, b, c, v of
((a d + b) d + c) d + v with d = t - time of the segment. Leading axes share the times."""

from __future__ import annotations

import numpy as np

from . import cubics
from .cubics import Array, shift, value_at


def evaluate(coefficients: Array, d: Array | float) -> Array:
    """Value of each cubic (..., 4) at the distance ``d`` from its start."""
    return value_at(np.moveaxis(coefficients, -1, 0), np.asarray(d))


def advanced(coefficients: Array, d: Array | float) -> Array:
    """The same cubics (..., 4) about a start that lies ``d`` later (Taylor's expansion, exact)."""
    return np.moveaxis(shift(np.moveaxis(coefficients, -1, 0), np.asarray(d)), 0, -1)


def mirrored(coefficients: Array, lengths: Array) -> Array:
    """The same cubics played backwards: p(length - d)."""
    return advanced(coefficients, lengths) * (-1.0, 1.0, -1.0, 1.0)


def hermite(lengths: Array, start: Array, end: Array, out_slope: Array, in_slope: Array) -> Array:
    """The cubics (..., 4) of segments of the given lengths (> 0) by their values and slopes at both ends."""
    return np.moveaxis(cubics.hermite(lengths, start, end, out_slope, in_slope), 0, -1)


def ascending(times: Array, coefficients: Array) -> tuple[Array, Array]:
    """Without segments of no length: of several at one time the last stays, which holds from there on."""
    kept = np.append(np.diff(times) > 0, True) if len(times) else np.zeros(0, bool)
    return (times, coefficients) if kept.all() else (times[kept], coefficients[..., kept, :])


def cut(times: Array, coefficients: Array, start: float, stop: float) -> tuple[Array, Array]:
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
