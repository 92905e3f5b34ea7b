"""The generated built-in meshes: counts and sizes of Unity's, closed, wound outward, normals and UVs that fit."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.reference.mesh_writer import SOURCE
from unity2gltf.ir import Geometry, Topology
from unity2gltf.normalize.mesh.builtin import builtin_mesh

IDS = {"Cube": 10202, "Cylinder": 10206, "Sphere": 10207, "Capsule": 10208, "Plane": 10209, "Quad": 10210}
CLOSED = ["Cube", "Cylinder", "Sphere", "Capsule"]


def build(name: str) -> Geometry:
    geometry = builtin_mesh(IDS[name], SOURCE)
    assert geometry is not None
    assert (geometry.name, geometry.source) == (name, SOURCE)
    return geometry


def corners(geometry: Geometry) -> NDArray[np.float64]:
    """(T, 3, 3): the positions of each triangle."""
    (submesh,) = geometry.submeshes
    assert submesh.topology is Topology.TRIANGLES
    return geometry.positions.astype(np.float64)[submesh.indices.reshape(-1, 3)]


def face_normals(geometry: Geometry) -> NDArray[np.float64]:
    a, b, c = np.moveaxis(corners(geometry), 1, 0)
    return np.cross(b - a, c - a)


@pytest.mark.parametrize(
    ("name", "vertices", "triangles", "half_size"),
    [
        ("Cube", 24, 12, (0.5, 0.5, 0.5)),
        ("Cylinder", 88, 80, (0.5, 1.0, 0.5)),
        ("Sphere", 515, 768, (0.5, 0.5, 0.5)),
        ("Capsule", 550, 832, (0.5, 1.0, 0.5)),
        ("Plane", 121, 200, (5.0, 0.0, 5.0)),
        ("Quad", 4, 2, (0.5, 0.5, 0.0)),
    ],
)
def test_counts_and_sizes(name: str, vertices: int, triangles: int, half_size: tuple[float, ...]) -> None:
    geometry = build(name)
    assert (geometry.vertex_count, len(corners(geometry))) == (vertices, triangles)
    assert geometry.positions.max(axis=0) == pytest.approx(half_size, abs=1e-7)
    assert geometry.positions.min(axis=0) == pytest.approx([-value for value in half_size], abs=1e-7)
    assert set(geometry.submeshes[0].indices.tolist()) == set(range(vertices))  # none is unused


@pytest.mark.parametrize(
    ("name", "area", "volume"),
    [
        ("Cube", 6.0, 1.0),
        ("Cylinder", 2.5 * np.pi, np.pi / 2),
        ("Sphere", np.pi, np.pi / 6),
        ("Capsule", 2 * np.pi, None),
    ],
)
def test_the_solids_have_nearly_the_area_and_volume_of_what_they_stand_for(
    name: str, area: float, volume: float | None
) -> None:
    geometry = build(name)
    volume = volume if volume is not None else np.pi / 6 + np.pi / 4  # a sphere and a cylinder of height 1
    assert np.linalg.norm(face_normals(geometry), axis=1).sum() / 2 == pytest.approx(area, rel=0.02)
    a, b, c = np.moveaxis(corners(geometry), 1, 0)
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 == pytest.approx(volume, rel=0.03)  # > 0: outward


@pytest.mark.parametrize("name", CLOSED)
def test_the_solids_are_closed(name: str) -> None:
    edges: Counter[tuple[tuple[float, ...], tuple[float, ...]]] = Counter()
    for triangle in np.round(corners(build(name)), 5) + 0.0:
        points = [tuple(point) for point in triangle.tolist()]
        assert len(set(points)) == 3
        for start, end in zip(points, points[1:] + points[:1], strict=True):
            edges[start, end] += 1
    assert set(edges.values()) == {1}
    assert all((end, start) in edges for start, end in edges)


@pytest.mark.parametrize("name", IDS)
def test_normals_are_unit_and_on_the_faces_side(name: str) -> None:
    geometry = build(name)
    assert geometry.normals is not None
    assert np.linalg.norm(geometry.normals, axis=1) == pytest.approx(1.0, abs=1e-6)
    across = face_normals(geometry)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    at_corners = geometry.normals[geometry.submeshes[0].indices.reshape(-1, 3)]
    assert np.einsum("ij,ikj->ik", across, at_corners).min() > (0.95 if name in CLOSED[1:] else 0.999)


@pytest.mark.parametrize("name", IDS)
def test_uvs_do_not_jump_within_a_triangle_and_are_not_mirrored(name: str) -> None:
    geometry = build(name)
    uv = geometry.uvs[0].astype(np.float64)
    assert uv.min() >= -1e-6
    assert uv.max() <= 1 + 1e-6
    a, b, c = np.moveaxis(uv[geometry.submeshes[0].indices.reshape(-1, 3)], 1, 0)
    area = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    assert area.max() < 0  # clockwise, like the faces
    if name in ("Sphere", "Capsule"):
        assert max(uv.max(axis=0) - uv.min(axis=0)) == pytest.approx(1.0)
        assert np.ptp(np.stack([a, b, c])[..., 0], axis=0).max() < 0.26  # two eighths of the way round, at a pole


def test_no_other_id_is_built_in() -> None:
    assert builtin_mesh(10200, SOURCE) is None
    assert builtin_mesh(0, SOURCE) is None
