"""Terrains the slow way: one vertex, triangle or pixel at a time, in plain numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Grid = Sequence[Sequence[float]]
Rgb = tuple[float, float, float]
Vector = tuple[float, float, float]


def held(grid: Grid, row: int, column: int) -> float:
    """A height, that of the edge beyond it."""
    return grid[min(max(row, 0), len(grid) - 1)][min(max(column, 0), len(grid[0]) - 1)]


def normal(metres: Grid, row: int, column: int, across: float, along: float) -> Vector:
    """The normal at a sample by Sobel's filter; ``across`` and ``along`` are metres between samples."""
    slope_x = slope_z = 0.0
    for step, weight in ((-1, 1.0), (0, 2.0), (1, 1.0)):
        slope_x += weight * (held(metres, row + step, column + 1) - held(metres, row + step, column - 1))
        slope_z += weight * (held(metres, row + 1, column + step) - held(metres, row - 1, column + step))
    x, y, z = -slope_x / (8 * across), 1.0, -slope_z / (8 * along)
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def surface_height(corners: Sequence[Vector], triangles: Sequence[tuple[int, int, int]], x: float, z: float) -> float:
    """The height of the first triangle above or below a place, by barycentric coordinates."""
    for a, b, c in triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners[a], corners[b], corners[c]
        area = (bx - ax) * (cz - az) - (cx - ax) * (bz - az)
        s = ((x - ax) * (cz - az) - (cx - ax) * (z - az)) / area
        t = ((bx - ax) * (z - az) - (x - ax) * (bz - az)) / area
        if s >= -1e-9 and t >= -1e-9 and s + t <= 1 + 1e-9:
            return ay + s * (by - ay) + t * (cy - ay)
    raise AssertionError("no triangle there")


def to_linear(stored: float) -> float:
    return stored / 12.92 if stored <= 0.04045 else ((stored + 0.055) / 1.055) ** 2.4


def to_srgb(linear: float) -> float:
    return linear * 12.92 if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


@dataclass(frozen=True)
class SlowLayer:
    """``color`` rows of 0..1 stored colours and ``weight`` rows of 0..1, both with the top row first."""

    color: Sequence[Sequence[Rgb]]
    weight: Grid
    tiles: tuple[float, float]
    offset: tuple[float, float] = (0.0, 0.0)


def ground(layers: Sequence[SlowLayer], u: float, v: float, centred: bool, linear: bool) -> Rgb:
    """The stored colour of the ground at (u, v), v up: each layer's texture repeated, each weight held at its edge,
    both between four pixels."""
    total = [0.0, 0.0, 0.0]
    for layer in layers:
        weight = _weight(layer.weight, u, v, centred)
        color = _tile(layer.color, u * layer.tiles[0] + layer.offset[0], v * layer.tiles[1] + layer.offset[1], linear)
        for channel in range(3):
            total[channel] += weight * color[channel]
    red, green, blue = (to_srgb(min(part, 1.0)) if linear else min(part, 1.0) for part in total)
    return red, green, blue


def _weight(rows: Grid, u: float, v: float, centred: bool) -> float:
    height, width = len(rows), len(rows[0])
    x = u * (width - 1) if centred else min(max(u * width - 0.5, 0.0), width - 1.0)
    y = (1 - v) * (height - 1) if centred else min(max((1 - v) * height - 0.5, 0.0), height - 1.0)
    column, row = math.floor(x), math.floor(y)
    right, below = min(column + 1, width - 1), min(row + 1, height - 1)
    s, t = x - column, y - row
    above = rows[row][column] * (1 - s) + rows[row][right] * s
    return above * (1 - t) + (rows[below][column] * (1 - s) + rows[below][right] * s) * t


def _tile(rows: Sequence[Sequence[Rgb]], u: float, v: float, linear: bool) -> Rgb:
    height, width = len(rows), len(rows[0])
    x, y = u * width - 0.5, -v * height - 0.5
    column, row = math.floor(x), math.floor(y)
    s, t = x - column, y - row
    parts = []
    for channel in range(3):
        values = [[rows[(row + j) % height][(column + i) % width][channel] for i in (0, 1)] for j in (0, 1)]
        values = [[to_linear(value) if linear else value for value in pair] for pair in values]
        above, below = (pair[0] * (1 - s) + pair[1] * s for pair in values)
        parts.append(above * (1 - t) + below * t)
    return parts[0], parts[1], parts[2]
