"""The figure: its geometry, skeleton, weights and shapes are what a game's would be."""

from __future__ import annotations

import numpy as np
import pytest

from unity2gltf.math3d import compose
from unity2gltf.sample.body import MAX_INFLUENCES, body_mesh
from unity2gltf.sample.meshdata import MeshContent
from unity2gltf.sample.pictures import checker
from unity2gltf.sample.props import HAT, PEDESTAL, turned_mesh
from unity2gltf.sample.skeleton import build_skeleton

SKELETON = build_skeleton()
BODY = body_mesh(SKELETON)
MESHES = [BODY, turned_mesh("Hat", HAT), turned_mesh("Pedestal", PEDESTAL)]


@pytest.mark.parametrize("mesh", MESHES, ids=lambda mesh: mesh.name)
def test_surface_is_closed_and_faces_outwards(mesh: MeshContent) -> None:
    triangles = np.concatenate(mesh.submeshes)
    corners = mesh.positions[triangles].astype(np.float64)
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume > 0, "triangles must show their front side, (b - a) x (c - a), outwards"
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.abs(faces.sum(axis=0)).max() < 1e-4, "the faces of a closed surface cancel out"
    smooth = mesh.normals[triangles].mean(axis=1)
    assert (np.einsum("ij,ij->i", faces, smooth) > 0).mean() > 0.99


@pytest.mark.parametrize("mesh", MESHES, ids=lambda mesh: mesh.name)
def test_frames_are_unit_and_follow_the_uvs(mesh: MeshContent) -> None:
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)
    assert np.allclose(np.linalg.norm(mesh.tangents[:, :3], axis=1), 1, atol=1e-6)
    assert np.abs((mesh.normals * mesh.tangents[:, :3]).sum(axis=1)).max() < 1e-5
    assert set(np.unique(mesh.tangents[:, 3])) <= {-1.0, 1.0}
    t = np.concatenate(mesh.submeshes)
    p, uv = mesh.positions[t].astype(np.float64), mesh.uv[t].astype(np.float64)
    e1, e2, d1, d2 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0], uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
    determinant = d1[:, :1] * d2[:, 1:] - d2[:, :1] * d1[:, 1:]
    along_v = (e2 * d1[:, :1] - e1 * d2[:, :1]) * np.sign(determinant)
    side = np.cross(mesh.normals[t[:, 0]], mesh.tangents[t[:, 0], :3]) * mesh.tangents[t[:, 0], 3:]
    assert ((side * along_v).sum(axis=1) > 0).mean() > 0.97, "w cross(n, t) runs along +V"


def test_size_of_the_figure() -> None:
    low, high = BODY.positions.min(axis=0), BODY.positions.max(axis=0)
    assert 1.7 < high[1] < 1.8
    assert -0.01 < low[1] < 0.02, "it stands on the ground"
    assert 1000 < len(BODY.positions) < 3000
    assert len(BODY.submeshes) == 2
    assert BODY.positions[:, 2].max() > -BODY.positions[:, 2].min(), "nose and shoes point along +Z"
    assert set(np.unique(np.concatenate(BODY.submeshes))) == set(range(len(BODY.positions)))


def test_left_is_minus_x() -> None:
    heads = dict(zip(SKELETON.names, SKELETON.heads, strict=True))
    assert heads["LeftHand"][0] < 0 < heads["RightHand"][0]
    assert len(SKELETON.names) == 20


def test_local_poses_compose_to_the_world_poses() -> None:
    local = compose(SKELETON.local_positions, SKELETON.local_rotations, np.ones((20, 3)))
    world: list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]] = []
    for bone, parent in enumerate(SKELETON.parents):
        world.append(local[bone] if parent < 0 else world[parent] @ local[bone])
    assert np.allclose(world, SKELETON.world, atol=1e-12)
    assert np.allclose(np.array(world) @ SKELETON.bind_poses, np.eye(4), atol=1e-12)
    tips = np.einsum(
        "bij,bj->bi", SKELETON.world, np.insert(np.zeros((20, 3)), 1, 0.1, axis=1)[:, [0, 1, 2, 3]] + [0, 0, 0, 1]
    )
    direction = (SKELETON.tails - SKELETON.heads) / np.linalg.norm(SKELETON.tails - SKELETON.heads, axis=1)[:, None]
    assert np.allclose(tips[:, :3], SKELETON.heads + 0.1 * direction, atol=1e-9), "+Y runs along a bone"


def test_influences_up_to_twelve() -> None:
    assert BODY.skin is not None
    counts = np.diff(BODY.skin.offsets)
    assert counts.max() == MAX_INFLUENCES
    assert counts.min() >= 1
    assert (counts > 4).mean() > 0.2, "the four-influence form must differ from the unlimited one"
    assert (np.add.reduceat(BODY.skin.units, BODY.skin.offsets[:-1]) == 65535).all()
    vertex = np.repeat(np.arange(len(counts)), counts)
    same = vertex[1:] == vertex[:-1]
    assert (np.diff(BODY.skin.units)[same] <= 0).all(), "heaviest first"
    assert len(np.unique(vertex * 1000 + BODY.skin.joints)) == len(vertex), "no joint twice in a vertex"


def test_shapes() -> None:
    assert [(name, [f.full_weight for f in frames]) for name, frames in BODY.shapes.items()] == [
        ("Nose", [100.0]),
        ("Breathe", [50.0, 100.0]),
        ("Cheeks", [100.0]),
    ]
    half, full = BODY.shapes["Breathe"]
    shared = np.intersect1d(half.index, full.index)
    at_half = half.position[np.isin(half.index, shared)]
    at_full = full.position[np.isin(full.index, shared)]
    assert np.abs(at_full - 2 * at_half).max() > 0.01, "frame 50 is no mere half of frame 100"
    assert 0.05 < BODY.shapes["Nose"][0].position[:, 2].max() < 0.2
    assert [f[-1].tangent is not None for f in BODY.shapes.values()] == [False, False, True]


def test_texture_has_checks_and_a_gradient() -> None:
    pixels = checker()
    assert pixels.shape == (64, 64, 4)
    assert pixels[0, 0, 0] > pixels[0, 8, 0]
    assert pixels[63, 63, 0] > pixels[0, 0, 0]
    assert (pixels[..., 3] == 255).all()
