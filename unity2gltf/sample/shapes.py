"""Surfaces by formula: grids swept around an axis, with smooth normals, tangents and UVs. Unity space, metres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """``positions`` (V, 3), ``uv`` (V, 2) v up, ``triangles`` (T, 3), front side by (b - a) x (c - a)."""

    positions: Array
    uv: Array
    triangles: NDArray[np.int64]


def sweep(centres: ArrayLike, across: ArrayLike, along: ArrayLike, sides: int) -> Surface:
    """Rings around a line: ring r is ``centres[r]`` + cos(a) ``across[r]`` + sin(a) ``along[r]``, each (R, 3).

    The seam is doubled (sides + 1 vertices a ring) so that u runs 0 to 1; v runs 0 to 1 over the rings.
    """
    c, x, y = (np.asarray(part, dtype=np.float64)[:, None, :] for part in (centres, across, along))
    angles = np.linspace(0.0, 2.0 * np.pi, sides + 1)
    angles[-1] = 0.0  # the seam's two columns lie on the very same points
    points = c + np.cos(angles)[None, :, None] * x + np.sin(angles)[None, :, None] * y
    rings = points.shape[0]
    u, v = np.meshgrid(np.linspace(0.0, 1.0, sides + 1), np.linspace(0.0, 1.0, rings))
    corner = np.arange(rings * (sides + 1)).reshape(rings, sides + 1)
    a, b, c2, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]
    triangles = np.stack([np.stack([a, d, c2], -1), np.stack([a, c2, b], -1)], axis=2).reshape(-1, 3)
    positions = points.reshape(-1, 3)
    return _compact(positions, np.stack([u, v], -1).reshape(-1, 2), _drop_flat(positions, triangles))


def capsule(
    start: ArrayLike, end: ArrayLike, radii: tuple[float, float], depth: float, sides: int, rings: int
) -> Surface:
    """A rounded limb from ``start`` to ``end``; the ends are domes. ``depth`` scales the radius towards +Z."""
    low, high = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    axis = (high - low) / np.linalg.norm(high - low)
    right = np.cross(axis, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    forward = np.cross(right, axis)
    length = float(np.linalg.norm(high - low))
    dome = np.linspace(0.0, np.pi / 2, max(rings // 4, 3))
    middle = np.linspace(0.0, 1.0, max(rings - 2 * len(dome), 2))[1:-1]
    rise, girth = np.sin(dome), np.cos(dome)
    height = np.concatenate([-radii[0] * girth, middle * length, length + radii[1] * rise])
    radius = np.concatenate([radii[0] * rise, radii[0] + middle * (radii[1] - radii[0]), radii[1] * girth])
    return sweep(low + height[:, None] * axis, radius[:, None] * right, radius[:, None] * forward * depth, sides)


def ellipsoid(centre: ArrayLike, radii: Sequence[float], sides: int, rings: int) -> Surface:
    """A ball with radii (x, y, z), poles up and down."""
    polar = np.linspace(-np.pi / 2, np.pi / 2, rings)
    rise, girth = radii[1] * np.sin(polar), np.cos(polar)
    girth[[0, -1]] = 0.0
    unit = np.eye(3)
    middle = np.asarray(centre, dtype=np.float64) + rise[:, None] * unit[1]
    return sweep(middle, girth[:, None] * radii[0] * unit[0], girth[:, None] * radii[2] * unit[2], sides)


def lathe(profile: Sequence[tuple[float, float]], sides: int) -> list[Surface]:
    """A profile of (radius, height), bottom first, turned about +Y: one surface a segment, so that edges stay hard."""
    return [_band(low, high, sides) for low, high in pairwise(profile)]


def _band(low: tuple[float, float], high: tuple[float, float], sides: int) -> Surface:
    radius, height = np.array([low, high]).T
    unit = np.eye(3)
    return sweep(height[:, None] * unit[1], radius[:, None] * unit[0], radius[:, None] * unit[2], sides)


def _compact(positions: Array, uv: Array, triangles: NDArray[np.int64]) -> Surface:
    """Without the vertices that no triangle names."""
    used, renamed = np.unique(triangles, return_inverse=True)
    return Surface(positions[used], uv[used], renamed.reshape(-1, 3))


def _drop_flat(positions: Array, triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Without the triangles that a pole squeezes to a line."""
    solid: NDArray[np.bool_] = np.linalg.norm(_face_normals(positions, triangles), axis=1) > 1e-12
    return triangles[solid]


def _face_normals(positions: Array, triangles: NDArray[np.int64]) -> Array:
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    return np.asarray(np.cross(b - a, c - a))


def normals(positions: Array, triangles: NDArray[np.int64]) -> Array:
    """(V, 3) unit normals: faces averaged by area over vertices at the same place, so that seams do not show."""
    _, place = np.unique(np.round(positions, 6), axis=0, return_inverse=True)
    total = np.zeros((place.max() + 1, 3))
    faces = _face_normals(positions, triangles)
    for corner in range(3):
        np.add.at(total, place.reshape(-1)[triangles[:, corner]], faces)
    return _unit(total[place.reshape(-1)], (0.0, 1.0, 0.0))


def tangents(surface: Surface, normal: Array) -> Array:
    """(V, 4): the direction of +u in the surface, and w so that w cross(n, t) runs along +v."""
    p, uv, index = surface.positions, surface.uv, surface.triangles
    e1, e2 = p[index[:, 1]] - p[index[:, 0]], p[index[:, 2]] - p[index[:, 0]]
    d1, d2 = uv[index[:, 1]] - uv[index[:, 0]], uv[index[:, 2]] - uv[index[:, 0]]
    scale = d1[:, :1] * d2[:, 1:] - d2[:, :1] * d1[:, 1:]
    along_u = (e1 * d2[:, 1:] - e2 * d1[:, 1:]) * np.sign(scale)
    along_v = (e2 * d1[:, :1] - e1 * d2[:, :1]) * np.sign(scale)
    u, v = np.zeros_like(p), np.zeros_like(p)
    for corner in range(3):
        np.add.at(u, index[:, corner], along_u)
        np.add.at(v, index[:, corner], along_v)
    tangent = _unit(u - normal * (u * normal).sum(1, keepdims=True), (1.0, 0.0, 0.0))
    hand = np.where((np.cross(normal, tangent) * v).sum(1) < 0, -1.0, 1.0)
    return np.concatenate([tangent, hand[:, None]], axis=1)


def _unit(vectors: Array, fallback: tuple[float, float, float]) -> Array:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(length > 1e-12, vectors / np.where(length > 1e-12, length, 1.0), fallback)


def join(parts: Sequence[Surface]) -> Surface:
    """One surface of several, in order."""
    starts = np.cumsum([0, *(len(part.positions) for part in parts)])
    return Surface(
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.uv for part in parts]),
        np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=False)]),
    )
