"""Height maps to meshes, by hand-computed numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.builders.raw import FakeRoot
from tests.builders.terrain import terrain_data
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.normalize.terrain.decode import Terrain, decode_terrain
from unity2gltf.normalize.terrain.reduce import MOST_SAMPLES, kept, moved, step_of, surface_of
from unity2gltf.raw import RawTerrainData

SLOPE = [[0, 100, 200], [0, 100, 200], [0, 100, 200]]
"""A metre up every column of two metres."""


def decoded(raw: RawTerrainData, diagnostics: Diagnostics | None = None) -> Terrain:
    return decode_terrain(raw, FakeRoot(), Diagnostics() if diagnostics is None else diagnostics)


def test_samples_are_metres_along_x_and_z() -> None:
    geometry = decoded(terrain_data([[0, 100, 200], [300, 400, 32766]])).geometry
    wanted = [(0, 0, 0), (2, 1, 0), (4, 2, 0), (0, 3, 4), (2, 4, 4), (4, 327.66, 4)]
    np.testing.assert_allclose(geometry.positions, wanted, rtol=1e-6)
    np.testing.assert_array_equal(geometry.uvs[0], [(0, 0), (0.5, 0), (1, 0), (0, 1), (0.5, 1), (1, 1)])


def test_triangles_are_clockwise_from_above_and_split_from_the_origin() -> None:
    geometry = decoded(terrain_data([[0, 0], [0, 0]])).geometry
    assert geometry.submeshes[0].indices.tolist() == [0, 2, 3, 0, 3, 1]
    a, b, c = geometry.positions[geometry.submeshes[0].indices[:3]]
    assert np.cross(b - a, c - a)[1] > 0  # Unity's faces: clockwise in a left-handed space is upwards by components


def test_normals_of_a_slope_and_at_its_edges() -> None:
    normals = decoded(terrain_data(SLOPE)).geometry.normals
    assert normals is not None
    middle = np.array([-0.5, 1.0, 0.0]) / math.hypot(0.5, 1.0)
    np.testing.assert_allclose(normals.reshape(3, 3, 3)[:, 1], [middle] * 3, atol=1e-7)
    edge = np.array([-0.25, 1.0, 0.0]) / math.hypot(0.25, 1.0)  # beyond the edge the ground is level
    np.testing.assert_allclose(normals.reshape(3, 3, 3)[:, 0], [edge] * 3, atol=1e-7)


def test_a_slope_along_z_leans_back() -> None:
    normals = decoded(terrain_data(np.transpose(SLOPE))).geometry.normals
    assert normals is not None
    np.testing.assert_allclose(normals[4], np.array([0.0, 1.0, -0.25]) / math.hypot(0.25, 1.0), atol=1e-7)


def test_a_hole_takes_its_cell_and_no_vertex() -> None:
    raw = terrain_data(np.zeros((3, 3)), surface=bytes([1, 0, 255, 1]))
    geometry = decoded(raw).geometry
    assert geometry.vertex_count == 9
    assert geometry.submeshes[0].indices.reshape(-1, 3)[:, 0].tolist() == [0, 0, 3, 3, 4, 4]


def test_holes_in_another_form_are_told() -> None:
    diagnostics = Diagnostics()
    geometry = decoded(terrain_data(np.zeros((3, 3)), surface=b"\x01"), diagnostics).geometry
    assert len(geometry.submeshes[0].indices) == 24
    assert [item.code.name for item in diagnostics.items] == ["TERRAIN_HOLES"]


@pytest.mark.parametrize(
    ("samples", "step"), [(2, 1), (1024, 1), (1025, 1), (1026, 2), (2049, 2), (2050, 4), (4097, 4)]
)
def test_steps_bring_a_side_down_to_the_limit(samples: int, step: int) -> None:
    assert step_of(samples) == step
    numbers = kept(samples, step)
    assert numbers[0] == 0 and numbers[-1] == samples - 1 and len(numbers) <= MOST_SAMPLES


def test_what_a_reduced_surface_is_off() -> None:
    """Of nine samples the corners stay; the middle lies on the diagonal, at half of the far corner's height."""
    heights = np.array([[0, 0, 0], [0, 32766, 0], [0, 0, 200]], np.int16)
    ends = np.array([0, 2])
    off = moved(heights, ends, ends, 327.66)
    assert off.max_m == pytest.approx(327.66 - 1.0)
    right, below = 1.0, 1.0  # edges halfway to the far corner
    assert off.rms_m == pytest.approx(math.sqrt((326.66**2 + right**2 + below**2) / 9))


def test_a_larger_cell_is_drawn_where_half_of_it_is() -> None:
    cells = np.array([[1, 0, 0], [1, 0, 1]], bool)
    assert surface_of(cells, np.array([0, 2]), np.array([0, 2, 3])).tolist() == [[True, True]]
    assert surface_of(~cells, np.array([0, 2]), np.array([0, 2, 3])).tolist() == [[True, True]]
    cells[0, 0] = False
    assert surface_of(cells, np.array([0, 2]), np.array([0, 2, 3])).tolist() == [[False, True]]


def test_a_large_terrain_is_reduced_and_says_by_how_much() -> None:
    heights = np.zeros((3, 1027), np.int16)
    heights[:, 1::2] = 100
    diagnostics = Diagnostics()
    geometry = decoded(terrain_data(heights), diagnostics).geometry
    (item,) = diagnostics.items
    assert item.code.name == "TERRAIN_REDUCED"
    assert (item.data["stored"], item.data["written"]) == ([1027, 3], [514, 2])
    assert item.data["max_m"] == pytest.approx(1.0)
    assert geometry.vertex_count == 514 * 2
    assert geometry.positions[513].tolist() == [2052.0, 0.0, 0.0]


def test_plants_are_counted() -> None:
    diagnostics = Diagnostics()
    decoded(terrain_data(np.zeros((2, 2)), trees=(3, 0, 1), details=2), diagnostics)
    (item,) = diagnostics.items
    assert item.code.name == "TERRAIN_PLANTS_LEFT"
    assert item.message == "4 trees and 2 kinds of detail on the terrain not written"
    assert item.data == {"trees": 4, "by_prototype": [3, 0, 1], "details": 2}


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": 3},
        {"rows": 0},
        {"rows": -2, "columns": -2},
        {"rows": 1, "columns": 4},
        {"scale": (0.0, 1.0, 1.0)},
        {"scale": (1.0, 1.0, -1.0)},
        {"scale": (1.0, float("nan"), 1.0)},
        {"scale": (float("inf"), 1.0, 1.0)},
        {"scale": (1.0, 1e38, 1.0)},
    ],
)
def test_sizes_that_lie(changes: dict[str, object]) -> None:
    with pytest.raises(Fault) as caught:
        decoded(terrain_data(np.zeros((2, 2)), **changes))
    assert caught.value.code.name == "TERRAIN_INVALID"


def test_a_terrain_without_height_is_flat() -> None:
    geometry = decoded(terrain_data(SLOPE, scale=(2.0, 0.0, 4.0))).geometry
    assert not geometry.positions[:, 1].any()
    assert geometry.normals is not None and (geometry.normals == (0, 1, 0)).all()
