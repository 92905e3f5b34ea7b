"""Samples of a height map to a grid of vertices and triangles, in Unity's space.

A terrain begins at its object's place and runs along +X (columns) and +Z (rows). Stored heights are integers of which
32766 is the whole range; the patch bounds that Unity stores beside them, fractions of the range, say so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...ir import F32

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Cells = NDArray[np.bool_]

TOP = 32766
"""The stored height that stands for the whole range (TerrainData.size.y)."""

_SOBEL = (1.0, 2.0, 1.0)


def positions(heights: NDArray[np.int16], rows: Ints, columns: Ints, scale: tuple[float, float, float]) -> F32:
    """(len(rows) * len(columns), 3) metres of the samples in these rows and columns of ``heights`` (R, C)."""
    points = np.empty((len(rows), len(columns), 3), np.float32)
    points[..., 0] = columns * scale[0]
    points[..., 1] = heights[np.ix_(rows, columns)] * (scale[1] / TOP)
    points[..., 2] = (rows * scale[2])[:, None]
    return points.reshape(-1, 3)


def normals(heights: NDArray[np.int16], rows: Ints, columns: Ints, scale: tuple[float, float, float]) -> F32:
    """(len(rows) * len(columns), 3) unit normals by Sobel's filter over eight neighbours, as Unity's own; beyond the
    edge of the terrain heights are those of the edge."""
    last_row, last_column = (side - 1 for side in heights.shape)
    before, after = np.maximum(rows - 1, 0), np.minimum(rows + 1, last_row)
    left, right = np.maximum(columns - 1, 0), np.minimum(columns + 1, last_column)
    rise = scale[1] / TOP
    across, along = np.zeros((2, len(rows), len(columns)))
    for weight, row, column in zip(_SOBEL, (before, rows, after), (left, columns, right), strict=True):
        across += weight * (heights[np.ix_(row, right)].astype(np.float64) - heights[np.ix_(row, left)])
        along += weight * (heights[np.ix_(after, column)].astype(np.float64) - heights[np.ix_(before, column)])
    result = np.empty((len(rows), len(columns), 3))
    result[..., 0] = across * (-rise / scale[0])
    result[..., 1] = 2 * sum(_SOBEL)  # the slopes are sums over two cells, weighted 1, 2 and 1
    result[..., 2] = along * (-rise / scale[2])
    result /= np.linalg.norm(result, axis=-1, keepdims=True)
    return result.reshape(-1, 3).astype(np.float32)


def coordinates(rows: Ints, columns: Ints) -> F32:
    """(len(rows) * len(columns), 2) UVs from 0 at the origin to 1 at the far corner."""
    uvs = np.empty((len(rows), len(columns), 2), np.float32)
    uvs[..., 0] = columns / columns[-1]
    uvs[..., 1] = (rows / rows[-1])[:, None]
    return uvs.reshape(-1, 2)


def triangles(rows: int, columns: int, surface: Cells | None) -> NDArray[np.uint32]:
    """(6 n,) indices of two triangles a cell, split from the corner at the origin to the opposite one; clockwise from
    above, as Unity draws. ``surface`` (rows - 1, columns - 1): False leaves a cell out."""
    corner = np.arange(rows - 1, dtype=np.uint32)[:, None] * np.uint32(columns) + np.arange(
        columns - 1, dtype=np.uint32
    )
    corner = corner.reshape(-1) if surface is None else corner[surface]
    result = np.empty((len(corner), 6), np.uint32)
    for place, step in enumerate((0, columns, columns + 1, 0, columns + 1, 1)):
        np.add(corner, np.uint32(step), out=result[:, place])
    return result.reshape(-1)
