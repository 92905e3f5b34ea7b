"""The change of handedness, rule by rule, and its properties."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.builders.raw import source
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import (
    Asset,
    BlendFrame,
    BlendShape,
    Channel,
    Clip,
    Geometry,
    Humanoid,
    Influences,
    Interpolation,
    LookAt,
    Material,
    Mesh,
    Node,
    Path,
    Primitive,
    Skin,
    Space,
    Submesh,
    TextureUse,
    Topology,
    Track,
    Vrm,
)
from unity2gltf.math3d import compose
from unity2gltf.normalize.space import mirror_matrices, mirror_track, mirror_vectors, reverse_winding, to_gltf

FINITE = st.floats(-1e6, 1e6, width=32)
S = np.diag([-1.0, 1.0, 1.0, 1.0])


def asset(**changes: object) -> Asset:
    geometry = Geometry(
        source=source(1, "Mesh"),
        name="Triangle",
        positions=np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.float32),
        normals=np.array([[1, 0, 0], [0, 2, 0], [0, 0, 0]], np.float32),
        tangents=np.array([[1, 0, 0, 1], [0, 1, 0, -1], [0, 0, 1, 0.5]], np.float32),
        uvs={0: np.array([[0, 0], [0.25, 0.75], [1, 1]], np.float32), 2: np.array([[1, 2, 3]] * 3, np.float32)},
        submeshes=(Submesh(number=0, topology=Topology.TRIANGLES, indices=np.array([0, 1, 2], np.uint32)),),
        shapes=(
            BlendShape(
                name="Smile",
                frames=(
                    BlendFrame(
                        full_weight=1.0,
                        indices=np.array([2]),
                        positions=np.array([[1, 1, 1]], np.float32),
                        tangents=np.array([[2, 3, 4]], np.float32),
                    ),
                ),
            ),
        ),
        bind_poses=np.zeros((0, 4, 4), np.float32),
        bone_hashes=np.zeros(0, np.uint32),
    )
    values: dict[str, object] = {
        "space": Space.UNITY,
        "kind": "prefab",
        "name": "Triangle",
        "source": source(1, "GameObject"),
        "nodes": (
            Node(name="Root", translation=(1.0, 2.0, 3.0), rotation=(0.5, 0.5, 0.5, 0.5), scale=(1.0, 2.0, 3.0)),
        ),
        "geometries": (geometry,),
        "meshes": (Mesh(geometry=0, primitives=(Primitive(submesh=0, material=None),)),),
    }
    return Asset(**(values | changes))  # type: ignore[arg-type]


def test_every_rule_of_the_mirror() -> None:
    before = asset()
    diagnostics = Diagnostics()
    after = to_gltf(before, 8, diagnostics)
    node, geometry = after.nodes[0], after.geometries[0]
    assert after.space is Space.GLTF
    assert node.translation == (-1.0, 2.0, 3.0)
    assert node.rotation == (0.5, -0.5, -0.5, 0.5)
    assert node.scale == (1.0, 2.0, 3.0)
    np.testing.assert_array_equal(geometry.positions, [[-1, 2, 3], [-4, 5, 6], [-7, 8, 9]])
    np.testing.assert_array_equal(geometry.normals, [[-1, 0, 0], [0, 1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(geometry.tangents, [[-1, 0, 0, -1], [0, 1, 0, 1], [0, 0, 1, -1]])
    np.testing.assert_array_equal(geometry.uvs[0], [[0, 1], [0.25, 0.25], [1, 0]])
    np.testing.assert_array_equal(geometry.uvs[2], [[1, -1, 3]] * 3)
    np.testing.assert_array_equal(geometry.submeshes[0].indices, [2, 1, 0])
    frame = geometry.shapes[0].frames[0]
    np.testing.assert_array_equal(frame.positions, [[-1, 1, 1]])
    np.testing.assert_array_equal(frame.tangents, [[-2, 3, 4]])
    assert frame.normals is None
    assert {d.code.name: d.data["count"] for d in diagnostics.items} == {
        "MESH_NORMALS_FIXED": 1,
        "MESH_NORMALS_ZERO": 1,
    }
    np.testing.assert_array_equal(before.geometries[0].positions[0], [1, 2, 3])  # the input is left as it was


def test_texture_transforms_follow_the_flip_of_v() -> None:
    use = TextureUse(texture=0, scale=(2.0, 3.0), offset=(0.25, 0.5))
    material = Material(name="M", source=source(5, "Material"), base_color_texture=use)
    moved = to_gltf(asset(materials=(material,)), 8, Diagnostics()).materials[0].base_color_texture
    assert moved is not None
    assert moved.scale == (2.0, 3.0)
    assert moved.offset == (0.25, 1.0 - 0.5 - 3.0)
    u, v = 0.3, 0.6
    unity_v = v * 3.0 + 0.5
    assert abs((1.0 - v) * moved.scale[1] + moved.offset[1] - (1.0 - unity_v)) < 1e-12
    assert u * moved.scale[0] + moved.offset[0] == u * 2.0 + 0.25


def test_lines_and_points_keep_their_order() -> None:
    indices = np.arange(6, dtype=np.uint32)
    for topology in (Topology.LINES, Topology.POINTS, Topology.LINE_STRIP):
        np.testing.assert_array_equal(reverse_winding(indices, topology), indices)
    np.testing.assert_array_equal(reverse_winding(indices, Topology.TRIANGLES), [2, 1, 0, 5, 4, 3])


@given(hnp.arrays(np.float32, (5, 3), elements=FINITE))
def test_mirroring_vectors_twice_is_the_identity(vectors: np.ndarray) -> None:
    np.testing.assert_array_equal(mirror_vectors(mirror_vectors(vectors)), vectors)


@given(hnp.arrays(np.float32, (3, 4, 4), elements=FINITE))
def test_mirrored_matrices_are_s_b_s(matrices: np.ndarray) -> None:
    np.testing.assert_array_equal(mirror_matrices(matrices), S @ matrices.astype(np.float64) @ S)
    np.testing.assert_array_equal(mirror_matrices(mirror_matrices(matrices)), matrices)


@given(hnp.arrays(np.float64, 10, elements=st.floats(-2, 2)))
def test_a_mirrored_node_is_its_matrix_mirrored(values: np.ndarray) -> None:
    rotation = values[3:7] if np.linalg.norm(values[3:7]) > 1e-3 else np.array([0.0, 0.0, 0.0, 1.0])
    node = Node(name="N", translation=tuple(values[:3]), rotation=tuple(rotation), scale=tuple(values[7:]))
    moved = to_gltf(asset(nodes=(node,)), 8, Diagnostics()).nodes[0]
    expected = S @ compose(node.translation, node.rotation, node.scale) @ S
    np.testing.assert_allclose(compose(moved.translation, moved.rotation, moved.scale), expected, atol=1e-12)


def test_influences_are_cut_on_a_copy_and_reported_once() -> None:
    influences = Influences(
        offsets=np.array([0, 3, 4, 5]),
        joints=np.array([0, 1, 2, 0, 0], np.int32),
        weights=np.array([0.5, 0.25, 0.25, 1, 1], np.float32),
    )
    skin = Skin(name="S", source=None, joints=(0,), inverse_bind=np.eye(4, dtype=np.float32)[None])
    meshes = tuple(
        Mesh(geometry=0, primitives=(Primitive(submesh=0, material=m),), influences=influences) for m in (None, 0)
    )
    before = asset(meshes=meshes, skins=(skin,))
    diagnostics = Diagnostics()
    after = to_gltf(before, 2, diagnostics)
    cut = after.meshes[0].influences
    assert cut is not None
    assert cut is after.meshes[1].influences
    assert cut.offsets.tolist() == [0, 2, 3, 4]
    np.testing.assert_allclose(cut.weights[:2], [2 / 3, 1 / 3], atol=1e-7)
    assert before.meshes[0].influences is influences
    (told,) = (d for d in diagnostics.items if d.code.name == "SKIN_INFLUENCES_CUT")
    assert told.data == {"vertices": 1, "max_influences": 3, "max_mass_lost": 0.25}
    assert told.message == "1 vertex had up to 3 influences; 2 were kept, and up to 25 % of a vertex's weight was lost"
    assert to_gltf(before, 0, Diagnostics()).meshes[0].influences is influences


@pytest.mark.parametrize(
    ("path", "signs"),
    [
        (Path.TRANSLATION, (-1, 1, 1)),
        (Path.ROTATION, (1, -1, -1, 1)),
        (Path.SCALE, (1, 1, 1)),
        (Path.WEIGHTS, (1, 1)),
        (Path.POINTER, (1, 1, 1, 1)),
    ],
)
def test_values_and_tangents_of_tracks_take_the_same_signs(path: Path, signs: tuple[int, ...]) -> None:
    width = len(signs)
    arrays = [np.arange(1, 1 + 2 * width, dtype=np.float32).reshape(2, width) + 10 * number for number in range(3)]
    values, arriving, leaving = arrays
    before = Track(
        node=0,
        path=path,
        interpolation=Interpolation.CUBICSPLINE,
        times=np.array([0, 1], np.float32),
        values=values,
        in_tangents=arriving,
        out_tangents=leaving,
        pointer="/x",
        error=0.5,
    )
    kept = [array.copy() for array in arrays]
    after = mirror_track(before)
    for found, wanted in zip((after.values, after.in_tangents, after.out_tangents), kept, strict=True):
        assert found is not None and found.dtype == np.float32
        np.testing.assert_array_equal(found, wanted * np.array(signs))
    for array, wanted in zip(arrays, kept, strict=True):
        np.testing.assert_array_equal(array, wanted)
    assert (after.error, after.pointer, after.node) == (0.5, "/x", 0)
    assert after.times is before.times


def test_mirroring_makes_no_negative_zeros_and_needs_no_tangents() -> None:
    still = Track(
        node=0,
        path=Path.ROTATION,
        interpolation=Interpolation.STEP,
        times=np.zeros(1, np.float32),
        values=np.array([(0, 0, 0, 1)], np.float32),
    )
    after = mirror_track(still)
    assert after.values.tobytes() == still.values.tobytes() and after.in_tangents is None


def test_channels_stay_in_unity_space() -> None:
    clip = Clip(name="C", source=source(9, "AnimationClip"), rig=0, duration=1.0, channels=())
    channel = Channel(node=0, path=Path.TRANSLATION, curves=(None, None, None))
    after = to_gltf(asset(clips=(replace(clip, channels=(channel,)),)), 8, Diagnostics()).clips[0]
    assert after.channels == (channel,)


def test_the_t_pose_and_the_place_between_the_eyes_are_mirrored() -> None:
    pose = {0: ((1.0, 2.0, 3.0), (0.1, 0.2, 0.3, 0.9)), 1: ((0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))}
    human = Humanoid(rig=0, avatar="A", source=source(9, "Avatar"), bones={"Hips": 1}, limits={}, t_pose=pose)
    gaze = LookAt(bones=True, ranges={"VerticalUp": 10.0}, origin=(0.25, 1.0, 2.0))
    avatar = Vrm(name="A", authors=("B",), license_url="https://x.example", bones={"hips": 1}, look_at=gaze)
    after = to_gltf(asset(humanoids=(human,), vrm=avatar), 8, Diagnostics())
    assert after.humanoids[0].t_pose == {0: ((-1.0, 2.0, 3.0), (0.1, -0.2, -0.3, 0.9)), 1: pose[1]}
    assert after.vrm is not None and after.vrm.look_at is not None
    assert after.vrm.look_at.origin == (-0.25, 1.0, 2.0) and after.vrm.look_at.ranges == gaze.ranges
    blind = replace(gaze, origin=None)
    seen = to_gltf(asset(vrm=replace(avatar, look_at=blind)), 8, Diagnostics()).vrm
    assert seen is not None and seen.look_at == blind
