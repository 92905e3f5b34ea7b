"""The arithmetic of cubics ((a d + b) d + c) d + v, in float64. ``coefficients`` (4, ...) are a, b, c, v."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def shift(coefficients: Array, offsets: Array) -> Array:
    """The same cubics, (4, ...), about points that lie ``offsets`` later."""
    a, b, c, _ = coefficients
    moved = np.empty_like(coefficients)
    moved[0] = a
    moved[1] = b + (3 * offsets) * a
    moved[2] = (b + moved[1]) * offsets + c
    moved[3] = value_at(coefficients, offsets)
    return moved


def value_at(coefficients: Array, offsets: Array) -> Array:
    """The values, (...), of cubics (4, ...) ``offsets`` later."""
    a, b, c, v = coefficients
    value: Array = a * offsets
    value += b
    value *= offsets
    value += c
    value *= offsets
    value += v
    return value


def hermite(lengths: Array, start: Array, end: Array, leaving: Array, arriving: Array) -> Array:
    """(4, ...) cubics that last ``lengths`` (> 0), by their values and slopes at both ends."""
    chord = (end - start) / lengths
    a = (leaving + arriving - 2 * chord) / lengths**2
    b = (3 * chord - 2 * leaving - arriving) / lengths
    return np.stack(np.broadcast_arrays(a, b, leaving, start))
