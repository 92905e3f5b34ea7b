"""Skins: joints slot by slot, bind poses, optimised hierarchies, orphans."""

from __future__ import annotations

import math

import numpy as np

from tests.builders.raw import (
    IDENTITY,
    QUAD,
    FakeNames,
    FakeRoot,
    avatar,
    hierarchy,
    node,
    raw_mesh,
    renderer,
    skin_of,
    source,
    transform,
)
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Asset, Influences
from unity2gltf.math3d import compose
from unity2gltf.normalize.build.asset import build_hierarchy, build_mesh
from unity2gltf.normalize.build.bindposes import usable_bind_poses
from unity2gltf.normalize.build.renderers import skin_limit
from unity2gltf.normalize.build.skin import within_slots
from unity2gltf.normalize.content import Library
from unity2gltf.options import UNLIMITED, Options
from unity2gltf.raw import RawAnimator, RawHierarchy
from unity2gltf.source import Missing

MESH = source(100, "Mesh")


def build(raw: RawHierarchy, root: FakeRoot, **options: object) -> tuple[Asset, Diagnostics]:
    diagnostics = Diagnostics()
    asset, _ = build_hierarchy(
        raw, "prefab", "Thing", raw.nodes[0].source, Library(root), Options(**options), diagnostics
    )
    return asset, diagnostics


def translation(x: float, y: float, z: float) -> np.ndarray:
    matrix = IDENTITY.copy()
    matrix[:3, 3] = x, y, z
    return matrix


def worlds(asset: Asset) -> list[np.ndarray]:
    result: list[np.ndarray] = []
    for item in asset.nodes:
        local = compose(item.translation, item.rotation, item.scale)
        result.append(local if item.parent < 0 else result[item.parent] @ local)
    return result


def rest(asset: Asset) -> np.ndarray:
    """Posed vertices of the first skinned node, vertex by vertex."""
    item = next(n for n in asset.nodes if n.skin is not None)
    assert item.mesh is not None
    mesh, skin = asset.meshes[item.mesh], asset.skins[item.skin or 0]
    influences, positions = mesh.influences, asset.geometries[mesh.geometry].positions
    assert influences is not None
    world = worlds(asset)
    posed = np.zeros((len(positions), 3))
    for vertex, position in enumerate(positions):
        for entry in range(influences.offsets[vertex], influences.offsets[vertex + 1]):
            slot = int(influences.joints[entry])
            matrix = world[skin.joints[slot]] @ skin.inverse_bind[slot]
            posed[vertex] += influences.weights[entry] * (matrix @ [*position, 1.0])[:3]
    return posed


def rig(bones: tuple[object, ...], **changes: object) -> tuple[RawHierarchy, FakeRoot]:
    """Root / Hips / Spine, Root / Body (skinned); vertices 0-1 follow Hips, 2-3 Spine."""
    bind = np.stack([translation(0, -1, 0), translation(0, -3, 0)])
    mesh = raw_mesh(skin=skin_of([0, 0, 1, 1]), bind_poses=bind, bone_paths=("Hips", "Hips/Spine"), **changes)
    raw = hierarchy(
        node(1, "Root"),
        node(3, "Hips", 0, position=(0.0, 1.0, 0.0)),
        node(5, "Spine", 1, position=(0.0, 2.0, 0.0)),
        node(7, "Body", 0, position=(7.0, 0.0, 0.0), renderer=renderer(9, MESH, skinned=True, bones=bones)),
    )
    return raw, FakeRoot().add(mesh)


def test_bones_become_joints_and_the_mesh_hangs_on_a_childless_node_at_the_scene_root() -> None:
    raw, root = rig((transform(3), transform(5)))
    asset, diagnostics = build(raw, root)
    extra = asset.nodes[4]
    assert (extra.name, extra.parent, extra.game_object, extra.mesh, extra.skin) == ("Body", -1, 3, 0, 0)
    assert extra.source == source(9, "SkinnedMeshRenderer")
    assert asset.nodes[3].mesh is None
    assert asset.skins[0].joints == (1, 2)
    assert asset.skins[0].skeleton == 1
    np.testing.assert_allclose(rest(asset), QUAD, atol=1e-7)
    form = diagnostics.items[0]
    assert (form.code.name, form.data["limit"], len(diagnostics.items)) == ("SKIN_FORM", 255, 1)


def test_null_bones_are_found_by_the_hash_of_a_path_suffix() -> None:
    raw, root = rig((None, None))
    asset, diagnostics = build(raw, root)
    assert asset.skins[0].joints == (1, 2)
    assert diagnostics.items[0].code.name == "SKIN_BONE_BY_HASH"
    assert diagnostics.items[0].data == {"count": 2}


def test_a_bone_that_is_nowhere_gets_a_placeholder_that_keeps_the_rest_shape() -> None:
    raw, root = rig(
        (transform(3), Missing("level1", 4, "file not found")), bone_name_hashes=np.array([7, 8], np.uint32)
    )
    asset, diagnostics = build(raw, root)
    placeholder = asset.nodes[asset.skins[0].joints[1]]
    assert placeholder.name == "missing_8"
    assert placeholder.parent == 0
    shift = np.array([7.0, 0.0, 0.0])  # the renderer stands at x = 7, and an unmoved placeholder moves with it
    np.testing.assert_allclose(rest(asset), QUAD + np.array([[0, 0, 0], [0, 0, 0], shift, shift]), atol=1e-6)
    assert diagnostics.items[0].data["placeholders"] == ["missing_8"]


def test_a_sheared_placeholder_still_keeps_the_rest_shape() -> None:
    shear = IDENTITY.copy()
    shear[0, 1] = 0.5
    raw, _ = rig((None, None))
    mesh = raw_mesh(skin=skin_of([0, 0, 1, 1]), bind_poses=np.stack([shear, shear]))
    asset, _ = build(raw, FakeRoot().add(mesh))
    np.testing.assert_allclose(rest(asset), QUAD + np.array([7, 0, 0]), atol=1e-6)


def test_bone_lists_of_different_lengths_are_padded_and_reported() -> None:
    raw, root = rig((transform(3), transform(5), transform(1)))
    asset, diagnostics = build(raw, root)
    assert asset.skins[0].joints == (1, 2, 0)
    np.testing.assert_array_equal(asset.skins[0].inverse_bind[2], IDENTITY)
    assert diagnostics.items[0].code.name == "SKIN_LENGTHS"
    assert diagnostics.items[0].data == {"bones": 3, "bind_poses": 2}


def test_an_all_zero_bind_pose_becomes_identity() -> None:
    diagnostics = Diagnostics()
    bind = usable_bind_poses(np.stack([np.zeros((4, 4), np.float32), translation(1, 2, 3)]), 3, diagnostics)
    np.testing.assert_array_equal(bind, [IDENTITY, translation(1, 2, 3), IDENTITY])
    assert diagnostics.items[0].data["slots"] == [0]


def test_weighted_influences_of_slots_that_do_not_exist_are_dropped_and_reported() -> None:
    influences = Influences(
        offsets=np.array([0, 2, 3]), joints=np.array([5, 1, 9], np.int32), weights=np.array([0.75, 0.25, 1], np.float32)
    )
    diagnostics = Diagnostics()
    kept = within_slots(influences, 2, diagnostics)
    assert kept.offsets.tolist() == [0, 1, 1]
    assert kept.joints.tolist() == [1]
    assert kept.weights.tolist() == [1.0]
    assert diagnostics.items[0].data == {"count": 2, "slots": 2, "largest": 9, "max_weight": 1.0}


def test_renderers_with_the_same_bones_and_bind_poses_share_the_skin() -> None:
    raw, root = rig((transform(3), transform(5)))
    twin = node(21, "Twin", 0, renderer=renderer(29, MESH, skinned=True, bones=(transform(3), transform(5))))
    asset, _ = build(hierarchy(*raw.nodes, twin), root)
    assert [n.skin for n in asset.nodes if n.skin is not None] == [0, 0]


def test_joints_in_different_trees_get_one_root_above_them() -> None:
    raw, root = rig((transform(3), transform(31)))
    asset, _ = build(hierarchy(*raw.nodes, node(31, "Elsewhere")), root)
    added = next(i for i, n in enumerate(asset.nodes) if n.name == "Body joints")
    assert asset.nodes[added].parent == -1
    assert asset.skins[0].skeleton == added
    assert {n.name for n in asset.nodes if n.parent == added} == {"Root", "Elsewhere"}
    assert all(n.parent < i for i, n in enumerate(asset.nodes))


def test_blend_shapes_without_bones_stay_in_place() -> None:
    raw = hierarchy(node(1, "Root"), node(3, "Face", 0, renderer=renderer(9, MESH, skinned=True)))
    asset, _ = build(raw, FakeRoot().add(raw_mesh()))
    assert asset.nodes[1].mesh == 0
    assert len(asset.nodes) == 2


def test_an_optimised_hierarchy_is_rebuilt_from_its_avatar() -> None:
    record = avatar(
        40, [("", -1, (0, 0, 0)), ("Hips", 0, (0, 1, 0)), ("Hips/Spine", 1, (0, 2, 0)), ("Body", 0, (0, 0, 0))]
    )
    animator = RawAnimator(source=source(41, "Animator"), avatar=record.source, has_transform_hierarchy=False)
    raw, root = rig(())
    body = raw.nodes[3]
    raw = hierarchy(
        node(1, "Root", animator=animator),
        node(7, "Body", 0, position=(7.0, 0.0, 0.0), renderer=body.renderer),
        node(11, "Spine", 0, position=(0.0, 3.0, 0.5)),
    )
    asset, diagnostics = build(raw, root.add(record))
    by_name = {n.name: n for n in asset.nodes if n.source is None or n.source.type in ("Avatar", "GameObject")}
    assert by_name["Hips"].parent == 0
    joints = asset.skins[0].joints
    assert [asset.nodes[j].name for j in joints] == ["Hips", "Spine"]
    np.testing.assert_allclose(rest(asset), QUAD, atol=1e-6)
    exposed = next(i for i, n in enumerate(asset.nodes) if n.source == source(11, "GameObject"))
    assert asset.nodes[exposed].parent == joints[1]
    np.testing.assert_allclose(worlds(asset)[exposed][:3, 3], [0, 3, 0.5], atol=1e-6)
    rebuilt = next(d for d in diagnostics.items if d.code.name == "SKIN_REBUILT")
    assert rebuilt.data == {"bones": 2, "exposed": 1}


def test_an_orphan_gets_flat_joints_named_by_the_index_or_their_slot() -> None:
    turned = compose((0, 0, 0), (0, 0, math.sin(0.3), math.cos(0.3)), (2, 2, 2)).astype(np.float32)
    mesh = raw_mesh(
        skin=skin_of([0, 0, 1, 1]), bind_poses=np.stack([translation(0, -1, 0), turned]), bone_paths=("A/Hips",)
    )
    root = FakeRoot(names=FakeNames(["A/Hips"])).add(mesh)
    asset = build_mesh(mesh.source, Library(root), Options(), Diagnostics())
    assert asset is not None
    assert [n.name for n in asset.nodes] == ["Quad", "Hips", "bone_1", "Quad"]
    assert [n.parent for n in asset.nodes] == [-1, 0, 0, -1]
    np.testing.assert_allclose(rest(asset), QUAD, atol=1e-6)


def test_the_influence_limit_is_the_largest_of_the_quality_levels() -> None:
    levels = (("Low", 1), ("Medium", 2), ("High", 4))
    assert skin_limit("auto", levels) == 4
    assert skin_limit("auto", (*levels, ("Ultra", 255))) == UNLIMITED
    assert skin_limit("auto", ()) == UNLIMITED
    assert skin_limit("2", levels) == 2
    assert skin_limit("unlimited", levels) == UNLIMITED


def test_a_renderers_own_quality_overrides_the_limit() -> None:
    weights = np.tile(np.array([0.4, 0.3, 0.2, 0.1], np.float32), (4, 1))
    joints = np.tile(np.array([0, 1, 0, 1], np.int32), (4, 1))
    joints[:, 2:] = [[2, 3]]
    bind = np.tile(IDENTITY, (4, 1, 1))
    mesh = raw_mesh(skin=(weights, joints), bind_poses=bind)
    raw = hierarchy(
        node(1, "Root"),
        node(3, "Body", 0, renderer=renderer(9, MESH, skinned=True, bones=(transform(1),) * 4, quality=2)),
    )
    asset, _ = build(raw, FakeRoot().add(mesh))
    influences = asset.meshes[0].influences
    assert influences is not None
    assert influences.max_count == 2
    np.testing.assert_allclose(influences.weights[:2], [4 / 7, 3 / 7], atol=1e-7)


def test_an_avatars_default_pose_of_nan_and_long_rotations_is_put_right() -> None:
    record = avatar(40, [("", -1, (0, 0, 0)), ("Hips", 0, (0, math.inf, 0)), ("Hips/Spine", 1, (0, 2, 0))])
    record.rotations[1] = math.nan
    record.rotations[2] = 0, 3, 0, 4
    animator = RawAnimator(source=source(41, "Animator"), avatar=record.source, has_transform_hierarchy=False)
    raw, root = rig(())
    raw = hierarchy(node(1, "Root", animator=animator), node(7, "Body", 0, renderer=raw.nodes[3].renderer))
    asset, diagnostics = build(raw, root.add(record))
    bones = {n.name: n for n in asset.nodes if n.source == record.source}
    assert (bones["Hips"].translation, bones["Hips"].rotation) == ((0, 0, 0), (0, 0, 0, 1))
    assert bones["Spine"].rotation == (0, 0.6, 0, 0.8)
    fixed = [d for d in diagnostics.items if d.code.name == "NODE_VALUE_FIXED"]
    assert [d.where.rsplit("/", 1)[-1] for d in fixed] == ["bone 'Hips'"]


def test_a_mesh_in_place_names_its_renderer_too() -> None:
    raw = hierarchy(node(1, "Root"), node(3, "Face", 0, renderer=renderer(9, MESH, skinned=True)))
    asset, _ = build(raw, FakeRoot().add(raw_mesh()))
    assert asset.nodes[1].source == source(3, "GameObject")
    assert asset.nodes[1].renderer == source(9, "SkinnedMeshRenderer")
