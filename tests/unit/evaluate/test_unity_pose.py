"""Unity's side against numbers worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.unit.evaluate.handmade import asset, figure, frame, geometry, influences
from unity2gltf.evaluate.unity.pose import UnityPoser
from unity2gltf.evaluate.unity.shapes import active_frames
from unity2gltf.ir import Asset, BlendShape, Mesh, Node, Skin, Space

HALF = math.sqrt(0.5)
TURN_Z = (0.0, 0.0, HALF, HALF)
"""A quarter turn about Z: +X goes to +Y, whatever the handedness of the picture."""


def arm(weights: list[list[tuple[int, float]]], **knee: object) -> Asset:
    """Vertices at x = 1, 2, 3; bone 0 at the origin, bone 1 at x = 2, both bound where they stand."""
    nodes = [
        Node(name="hip"),
        Node(name="knee", parent=0, translation=(2.0, 0.0, 0.0), **knee),  # type: ignore[arg-type]
        Node(name="body", mesh=0, skin=0, translation=(7.0, 7.0, 7.0), scale=(3.0, 3.0, 3.0)),
    ]
    bind = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    bind[1, 0, 3] = -2.0
    skin = Skin(name="body", source=None, joints=(0, 1), inverse_bind=bind)
    shown = geometry([(1, 0, 0), (2, 0, 0), (3, 0, 0)])
    return asset(
        nodes,
        geometries=(shown,),
        meshes=(Mesh(geometry=0, primitives=(), influences=influences(weights)),),
        skins=(skin,),
    )


RIGID = [[(0, 1.0)], [(1, 1.0)], [(1, 1.0)]]


def posed(unity: Asset) -> np.ndarray:
    poser = UnityPoser(unity)
    return poser.vertices(2, poser.world(), ())


def test_bind_pose_ignores_the_renderers_own_transform() -> None:
    assert posed(arm(RIGID)).tolist() == [[1, 0, 0], [2, 0, 0], [3, 0, 0]]


def test_a_bone_turned_by_a_quarter() -> None:
    np.testing.assert_allclose(posed(arm(RIGID, rotation=TURN_Z)), [(1, 0, 0), (2, 0, 0), (2, 1, 0)], atol=1e-15)


def test_two_influences_meet_half_way() -> None:
    blended = [[(0, 1.0)], [(1, 1.0)], [(0, 0.5), (1, 0.5)]]
    np.testing.assert_allclose(posed(arm(blended, rotation=TURN_Z))[2], (2.5, 0.5, 0), atol=1e-15)


def test_scale_acts_before_rotation() -> None:
    moved = posed(arm(RIGID, rotation=TURN_Z, scale=(3.0, 1.0, 1.0)))
    np.testing.assert_allclose(moved[2], (2, 3, 0), atol=1e-15)


def test_a_vertex_without_influences_moves_with_joint_0() -> None:
    unity = arm([[], [(1, 1.0)], []], rotation=TURN_Z)
    assert posed(unity)[[0, 2]].tolist() == [[1, 0, 0], [3, 0, 0]]
    bare = replace(unity, meshes=(replace(unity.meshes[0], influences=None),))
    assert posed(bare).tolist() == [[1, 0, 0], [2, 0, 0], [3, 0, 0]]


def test_a_mesh_without_a_skin_moves_with_its_node() -> None:
    nodes = [
        Node(name="a", translation=(1.0, 0.0, 0.0), scale=(2.0, 2.0, 2.0)),
        Node(name="b", parent=0, rotation=TURN_Z, mesh=0),
    ]
    unity = asset(
        nodes, geometries=(geometry([(1, 0, 0), (0, 1, 0), (0, 0, 1)]),), meshes=(Mesh(geometry=0, primitives=()),)
    )
    poser = UnityPoser(unity)
    np.testing.assert_allclose(poser.vertices(1, poser.world(), ()), [(1, 2, 0), (-1, 0, 0), (1, 0, 2)], atol=1e-15)


def test_overrides_replace_the_local_transform() -> None:
    poser = UnityPoser(arm(RIGID))
    world = poser.world({0: ((0.0, 5.0, 0.0), (0.0, 0.0, 0.0, 2.0), (1.0, 1.0, 1.0))})
    assert world[1, :3, 3].tolist() == [2, 5, 0], "rotations are normalised, children follow"
    assert poser.world()[1, :3, 3].tolist() == [2, 0, 0], "and nothing is kept"


def test_a_zero_rotation_is_the_identity() -> None:
    poser = UnityPoser(arm(RIGID, rotation=(0.0, 0.0, 0.0, 0.0)))
    assert poser.world()[1, :3, :3].tolist() == np.eye(3).tolist()


TWO = BlendShape(name="s", frames=(frame(0.4, {0: (1, 0, 0)}), frame(1.0, {0: (0, 1, 0)})))
ONE = BlendShape(name="s", frames=(frame(0.5, {0: (1, 0, 0)}),))


@pytest.mark.parametrize(
    ("shape", "weight", "wanted"),
    [
        (ONE, 0.0, []), (ONE, 0.25, [0.5]), (ONE, 0.5, [1]), (ONE, 1.0, [2]), (ONE, -0.5, [-1]),
        (TWO, 0.2, [0.5]), (TWO, 0.4, [1]), (TWO, 0.55, [0.75, 0.25]), (TWO, 1.0, [0, 1]), (TWO, 1.5, [1.5]),
        (TWO, -0.4, [-1]), (BlendShape(name="s", frames=(frame(0.0, {}),)), 1.0, []),
        (BlendShape(name="s", frames=()), 1.0, []),
    ],
)  # fmt: skip
def test_frames_share_as_unity_has_it(shape: BlendShape, weight: float, wanted: list[float]) -> None:
    assert [factor for _, factor in active_frames(shape, weight)] == pytest.approx(wanted)


def test_shapes_act_before_the_skin() -> None:
    unity = arm(RIGID, rotation=TURN_Z)
    shape = BlendShape(name="s", frames=(frame(1.0, {2: (1, 0, 0)}),))
    unity = replace(unity, geometries=(replace(unity.geometries[0], shapes=(shape,)),))
    poser = UnityPoser(unity)
    np.testing.assert_allclose(poser.vertices(2, poser.world(), (0.5,))[2], (2, 1.5, 0), atol=1e-15)


def test_the_renderers_weights_come_before_the_meshs() -> None:
    poser = UnityPoser(figure())
    assert poser.default_weights(4) == (0.25, 1.2)
    assert poser.default_weights(5) == (0.0, 0.0)


def test_spread_is_the_box_around_the_places_of_a_vertex() -> None:
    unity = arm([[(0, 1.0)], [(1, 1.0)], [(0, 0.5), (1, 0.5)]], rotation=TURN_Z)
    poser = UnityPoser(unity)
    spread = poser.spread(2, poser.world(), (), np.array([0, 2]))
    np.testing.assert_allclose(spread, [0, math.sqrt(2)], atol=1e-15)  # (3, 0, 0) and (2, 1, 0)


def test_only_unity_space_is_posed() -> None:
    with pytest.raises(ValueError, match="Unity space"):
        UnityPoser(replace(figure(), space=Space.GLTF))
    with pytest.raises(ValueError, match="does not come after its parent"):
        UnityPoser(asset([Node(name="a", parent=0)]))


def test_blocks_of_many_vertices_join_up() -> None:
    """More vertices than a block holds come out as one by one."""
    count = (1 << 16) + 3
    unity = arm(RIGID, rotation=TURN_Z)
    rows = [[(v % 2, 1.0)] for v in range(count)]
    shown = geometry(np.arange(count * 3).reshape(-1, 3) % 7)
    unity = replace(unity, geometries=(shown,), meshes=(Mesh(geometry=0, primitives=(), influences=influences(rows)),))
    moved = posed(unity)
    x, y, z = shown.positions.T.astype(float)
    turned = np.stack([2 - y, x - 2, z], axis=1)
    wanted = np.where((np.arange(count) % 2)[:, None], turned, shown.positions)
    np.testing.assert_allclose(moved, wanted, atol=1e-12)
