"""The points that a picture has to show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.preview.pose import NoSuchClip, crowd, drawn_parts, find_clip

from .handmade import write_gltf

MESH = {"mesh": 0}


def test_parts_lie_where_their_nodes_put_them(tmp_path: Path) -> None:
    nodes = [{"translation": [0, 0, 5], "children": [1]}, MESH | {"scale": [2, 2, 2]}]
    (part,) = drawn_parts(read_gltf(write_gltf(tmp_path / "a.gltf", nodes, shown=[0])))
    assert sorted(map(tuple, part.tolist())) == [(0, 0, 5), (0, 2, 5), (4, 0, 5)]


def test_a_clip_moves_them(tmp_path: Path) -> None:
    gltf = read_gltf(write_gltf(tmp_path / "a.gltf", [MESH], clips=("Up", "Walk")))
    (part,) = drawn_parts(gltf, find_clip(gltf, "walk"), 1.0)
    assert part[:, 1].min() == pytest.approx(4.0)
    (late,) = drawn_parts(gltf, 0, 99.0)
    assert late[:, 1].min() == pytest.approx(8.0)


def test_vertices_that_no_index_names_are_not_shown(tmp_path: Path) -> None:
    positions = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (500, 500, 500)]
    (part,) = drawn_parts(read_gltf(write_gltf(tmp_path / "a.gltf", [MESH], positions)))
    assert part.max() == 1


def test_nodes_of_no_scene_are_not_shown(tmp_path: Path) -> None:
    away = MESH | {"translation": [9, 9, 9]}
    assert len(drawn_parts(read_gltf(write_gltf(tmp_path / "a.gltf", [MESH, away], shown=[0])))) == 1
    assert drawn_parts(read_gltf(write_gltf(tmp_path / "b.gltf", [{"name": "empty"}]))) == []


def test_indices_beyond_the_vertices_are_refused_before_any_renderer_sees_them(tmp_path: Path) -> None:
    gltf = read_gltf(write_gltf(tmp_path / "a.gltf", [MESH], indices=(0, 1, 3)))
    with pytest.raises(GlbError, match="no indices below 3"):
        drawn_parts(gltf)


def test_a_clip_that_is_not_there_says_which_are(tmp_path: Path) -> None:
    gltf = read_gltf(write_gltf(tmp_path / "a.gltf", [MESH], clips=("Up", "Walk")))
    with pytest.raises(NoSuchClip, match="no animation 'Run'; it has Up, Walk"):
        find_clip(gltf, "Run")


def test_outermost_points_enclose_all_of_a_part(tmp_path: Path) -> None:
    points = np.random.default_rng(5).normal(size=(300, 3)).astype(np.float32)
    gltf = read_gltf(write_gltf(tmp_path / "a.gltf", [MESH], points, tuple(range(300))))
    (part,) = drawn_parts(gltf)
    assert len(part) <= 26
    assert np.array_equal(part.min(axis=0), points.min(axis=0))
    assert np.array_equal(part.max(axis=0), points.max(axis=0))


def test_the_crowd_leaves_out_what_is_parked_far_away() -> None:
    cube = np.array([[0.0, 0, 0], [1, 1, 1]])
    parts = [cube, cube + 2, cube - 1, cube + np.array([0, 5000, 0])]
    assert len(crowd(parts)) == 3
    assert len(crowd(parts[:1])) == 1
    assert len(crowd(parts[:2])) == 2
