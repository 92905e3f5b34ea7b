"""Everything is in the picture, and fills it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from unity2gltf.preview.camera import FILL, FOV_DEG, FRONT, View, around, fit, opposite, turntable

Array = NDArray[np.float64]
DIRECTIONS = (FRONT, opposite(FRONT), (1.0, 0.0, 0.0), (-0.2, 2.0, 0.1))


def on_screen(points: Array, view: View, aspect: float) -> Array:
    """(P, 3): across and up in half pictures, and the depth from the camera."""
    seen = (points - view.position) @ view.axes.T
    half = math.tan(math.radians(FOV_DEG) / 2)
    depth = -seen[:, 2]
    return np.stack([seen[:, 0] / depth / half / aspect, seen[:, 1] / depth / half, depth], axis=1)


@pytest.mark.parametrize("aspect", [1.0, 2.0, 0.5])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e5])
def test_the_points_fill_the_picture(direction: tuple[float, float, float], aspect: float, scale: float) -> None:
    points = np.random.default_rng(3).normal(size=(200, 3)) * scale * (3.0, 1.0, 0.5) + 7.0 * scale
    view = fit(points, direction, aspect)
    seen = on_screen(points, view, aspect)
    assert np.abs(seen[:, :2]).max() == pytest.approx(FILL, abs=0.01)
    assert seen[:, :2].min(axis=0) + seen[:, :2].max(axis=0) == pytest.approx([0.0, 0.0], abs=0.02)
    assert view.near < seen[:, 2].min()
    assert view.far > seen[:, 2].max()
    assert view.near > 0


def test_a_single_point_is_no_division_by_zero() -> None:
    view = fit(np.array([[1.0, 2.0, 3.0]]), FRONT, 1.0)
    assert np.isfinite(view.position).all()
    assert 0 < view.near < view.far


def test_a_turntable_keeps_its_distance_and_shows_all_from_everywhere() -> None:
    points = np.random.default_rng(4).normal(size=(50, 3)) * (1.0, 2.0, 4.0)
    views = turntable(points, around(6), 1.5)
    distances = [np.linalg.norm(view.position - view.target) for view in views]
    assert distances == pytest.approx([distances[0]] * 6)
    seen = [np.abs(on_screen(points, view, 1.5)[:, :2]).max() for view in views]
    assert max(seen) == pytest.approx(FILL)


def test_a_turntable_begins_in_front_and_goes_round() -> None:
    directions = np.array(around(4))
    assert directions[0] == pytest.approx(FRONT)
    assert directions[2] == pytest.approx([-FRONT[0], FRONT[1], -FRONT[2]])
    assert np.linalg.norm(directions, axis=1) == pytest.approx([np.linalg.norm(FRONT)] * 4)
