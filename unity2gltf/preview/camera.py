"""Where the camera stands so that all points are in the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..math3d import Array

FOV_DEG = 30.0
"""Of the picture's height: a long lens, which distorts little."""

FILL = 0.92
"""Share of the picture that the points may take."""

FRONT = (0.55, 0.42, 1.0)
"""From the model towards the camera. What Unity calls forward is +Z, so this sees faces, from above and one side."""

SMALLEST = 1e-6
"""Metres: a model is taken for at least that large."""

_PASSES = 4  # of centring, each of which leaves about a tenth of what is off


@dataclass(frozen=True, slots=True)
class View:
    """Metres. ``axes`` (3, 3): the camera's right, up and backward as rows."""

    position: Array
    target: Array
    axes: Array
    near: float
    far: float


def around(frames: int) -> list[tuple[float, float, float]]:
    """Directions of ``frames`` views, :data:`FRONT` first, then counterclockwise as seen from above."""
    x, y, z = FRONT
    turns = [2 * math.pi * k / frames for k in range(frames)]
    return [(x * math.cos(t) + z * math.sin(t), y, z * math.cos(t) - x * math.sin(t)) for t in turns]


def opposite(direction: Sequence[float]) -> tuple[float, float, float]:
    """The view from behind, and from below."""
    x, y, z = direction
    return -x, -y, -z


def fit(points: Array, direction: Sequence[float], aspect: float) -> View:
    """The closest view from ``direction`` that shows all ``points`` (P, 3), in the middle of the picture."""
    axes = _axes(direction)
    target = (points.min(axis=0) + points.max(axis=0)) / 2
    distance = 0.0
    for _ in range(_PASSES):
        seen = (points - target) @ axes.T
        distance = _distance(seen, aspect)
        screen = seen[:, :2] / (distance - seen[:, 2:])
        middle = (screen.min(axis=0) + screen.max(axis=0)) / 2
        target = target + distance * (middle @ axes[:2])
    seen = (points - target) @ axes.T
    return _view(target, axes, _distance(seen, aspect), seen[:, 2])


def turntable(points: Array, directions: Sequence[Sequence[float]], aspect: float) -> list[View]:
    """Views that keep their distance and target, so that the model turns in place."""
    target = (points.min(axis=0) + points.max(axis=0)) / 2
    all_axes = [_axes(direction) for direction in directions]
    distance = max(_distance((points - target) @ axes.T, aspect) for axes in all_axes)
    return [_view(target, axes, distance, (points - target) @ axes[2]) for axes in all_axes]


def _axes(direction: Sequence[float]) -> Array:
    backward = np.array(direction, np.float64) / np.linalg.norm(direction)
    right = np.cross((0.0, 1.0, 0.0), backward)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(backward, right), backward])


def _distance(seen: Array, aspect: float) -> float:
    """From the target, for points (P, 3) in the camera's axes around it."""
    half = math.tan(math.radians(FOV_DEG) / 2) * FILL
    wanted = seen[:, 2] + np.maximum(np.abs(seen[:, 0]) / (half * aspect), np.abs(seen[:, 1]) / half)
    reach = max(float(np.ptp(seen, axis=0).max()), SMALLEST)
    return max(float(wanted.max()), float(seen[:, 2].max()) + 0.05 * reach, SMALLEST)


def _view(target: Array, axes: Array, distance: float, depths: Array) -> View:
    """``depths``: of the points, towards the camera, from the target. Planes lie a little before and behind them."""
    slack = 0.02 * distance
    near = max(distance - float(depths.max()) - slack, 1e-3 * distance)
    far = distance - float(depths.min()) + slack
    return View(target + distance * axes[2], target, axes, near, far)
