"""Fewer samples of a height map, and how far that moves the surface.

1025 samples a side are a million vertices and 60 MB: what Blender, browsers and game engines still open. Indices are 32
bits wide from 257 samples on, which all of them read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .heights import TOP, Cells, Ints

MOST_SAMPLES = 1025
"""A side. Unity's own resolutions are 2^n + 1, of which 2049 and 4097 are above."""

_STRIP = 256  # rows at a time: bounds the temporaries


@dataclass(frozen=True, slots=True)
class Moved:
    """Metres between the samples left out and the surface that is drawn in their place."""

    max_m: float
    rms_m: float


def step_of(samples: int) -> int:
    """The power of two at which a side of ``samples`` comes down to :data:`MOST_SAMPLES` at most."""
    step = 1
    while math.ceil((samples - 1) / step) + 1 > MOST_SAMPLES:
        step *= 2
    return step


def kept(samples: int, step: int) -> Ints:
    """Every ``step``-th sample from the first, and the last: edges stay, so that neighbours still meet."""
    numbers = np.arange(0, samples, step)
    return numbers if numbers[-1] == samples - 1 else np.append(numbers, samples - 1)


def moved(heights: NDArray[np.int16], rows: Ints, columns: Ints, height_m: float) -> Moved:
    """How far the triangles between the kept rows and columns lie from all samples, up or down."""
    left = np.minimum(np.searchsorted(columns, np.arange(heights.shape[1]), "right") - 1, len(columns) - 2)
    u = (np.arange(heights.shape[1]) - columns[left]) / (columns[left + 1] - columns[left])
    coarse = heights[np.ix_(rows, columns)].astype(np.float64)
    most, squares = 0.0, 0.0
    for begin in range(0, heights.shape[0], _STRIP):
        these = np.arange(begin, min(begin + _STRIP, heights.shape[0]))
        low = np.minimum(np.searchsorted(rows, these, "right") - 1, len(rows) - 2)
        v = ((these - rows[low]) / (rows[low + 1] - rows[low]))[:, None]
        near, far = coarse[np.ix_(low, left)], coarse[np.ix_(low + 1, left + 1)]
        by_row = near + v * (coarse[np.ix_(low + 1, left)] - near) + u * (far - coarse[np.ix_(low + 1, left)])
        by_column = near + u * (coarse[np.ix_(low, left + 1)] - near) + v * (far - coarse[np.ix_(low, left + 1)])
        errors = np.abs(np.where(v >= u, by_row, by_column) - heights[these])
        most = max(most, float(errors.max()))
        squares += float(np.square(errors).sum())
    scale = abs(height_m) / TOP
    return Moved(most * scale, math.sqrt(squares / heights.size) * scale)


def surface_of(surface: Cells, rows: Ints, columns: Ints) -> Cells:
    """Which of the larger cells are drawn: those of which at least half is."""
    if surface.shape == (len(rows) - 1, len(columns) - 1):
        return surface
    sums = np.add.reduceat(np.add.reduceat(surface.astype(np.int64), rows[:-1], axis=0), columns[:-1], axis=1)
    areas = np.diff(rows)[:, None] * np.diff(columns)
    drawn: Cells = 2 * sums >= areas
    return drawn
