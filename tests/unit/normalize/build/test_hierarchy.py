"""Hierarchies to assets: what is drawn, where it hangs, what is shared."""

from __future__ import annotations

import numpy as np
import pytest

from tests.builders.raw import (
    QUAD,
    QUAD_INDICES,
    FakeRoot,
    hierarchy,
    node,
    raw_mesh,
    renderer,
    source,
    transform,
)
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Asset
from unity2gltf.normalize.build.asset import build_hierarchy
from unity2gltf.normalize.content import Library
from unity2gltf.options import Options
from unity2gltf.raw import RawHierarchy, RawLod
from unity2gltf.source import Missing

MESH = source(100, "Mesh")


def build(
    raw: RawHierarchy, root: FakeRoot | None = None, kind: str = "prefab", **options: object
) -> tuple[Asset, Diagnostics]:
    diagnostics = Diagnostics()
    library = Library(root or FakeRoot().add(raw_mesh()))
    asset, _ = build_hierarchy(raw, kind, "Thing", raw.nodes[0].source, library, Options(**options), diagnostics)
    return asset, diagnostics


def names(asset: Asset) -> list[str]:
    return [n.name for n in asset.nodes]


def codes_of(diagnostics: Diagnostics) -> list[str]:
    return [item.code.name for item in diagnostics.items]


def test_a_mesh_renderer_draws_on_its_own_node() -> None:
    raw = hierarchy(node(1, "Root"), node(3, "Child", 0, position=(1.0, 2.0, 3.0), renderer=renderer(9, MESH)))
    asset, diagnostics = build(raw)
    assert names(asset) == ["Root", "Child"]
    assert asset.nodes[1].mesh == 0
    assert asset.nodes[1].translation == (1.0, 2.0, 3.0)
    assert asset.nodes[1].parent == 0
    assert codes_of(diagnostics) == []


def test_equal_uses_share_a_mesh_and_different_materials_share_the_geometry() -> None:
    raw = hierarchy(
        node(1, "Root"),
        node(3, "A", 0, renderer=renderer(11, MESH)),
        node(5, "B", 0, renderer=renderer(12, MESH)),
        node(7, "C", 0, renderer=renderer(13, MESH, materials=(None, None))),
    )
    asset, _ = build(raw)
    assert [n.mesh for n in asset.nodes[1:]] == [0, 0, 1]
    assert len(asset.geometries) == 1
    assert [p.submesh for p in asset.meshes[1].primitives] == [0, 0]  # the last submesh is drawn again


def test_a_submesh_without_a_slot_is_not_drawn_and_listed() -> None:
    root = FakeRoot().add(raw_mesh(submeshes=(QUAD_INDICES[:3], QUAD_INDICES[3:])))
    asset, diagnostics = build(hierarchy(node(1, "Root", renderer=renderer(9, MESH))), root)
    assert [p.submesh for p in asset.meshes[0].primitives] == [0]
    item = next(d for d in diagnostics.items if d.code.name == "MATERIAL_SLOTS")
    assert item.data["submeshes"] == [1]


def test_an_empty_submesh_is_left_out() -> None:
    root = FakeRoot().add(raw_mesh(submeshes=(QUAD_INDICES[:0], QUAD_INDICES)))
    asset, _ = build(hierarchy(node(1, "Root", renderer=renderer(9, MESH, materials=(None, None)))), root)
    numbers = [asset.geometries[0].submeshes[p.submesh].number for p in asset.meshes[0].primitives]
    assert numbers == [1]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"enabled": False}, "disabled"), ({"shadows_only": True}, "shadows only")],
)
def test_hidden_renderers_keep_the_node_without_the_mesh(changes: dict[str, bool], reason: str) -> None:
    raw = hierarchy(node(1, "Root"), node(3, "Hidden", 0, renderer=renderer(9, MESH, **changes)))
    asset, diagnostics = build(raw)
    assert asset.nodes[1].mesh is None
    assert asset.nodes[1].active is False
    assert [d.data["reason"] for d in diagnostics.items] == [reason]
    flagged, _ = build(raw, inactive="flag")
    assert flagged.nodes[1].mesh == 0
    assert flagged.nodes[1].active is False


def test_inactivity_is_inherited_but_a_prefabs_root_counts_as_active() -> None:
    raw = hierarchy(
        node(1, "Root", active=False),
        node(3, "Off", 0, active=False),
        node(5, "Below", 1, renderer=renderer(9, MESH)),
        node(7, "On", 0, renderer=renderer(10, MESH)),
    )
    asset, _ = build(raw)
    assert [n.active for n in asset.nodes] == [True, False, False, True]
    assert [n.mesh for n in asset.nodes] == [None, None, None, 0]
    scene, _ = build(raw, kind="scene")
    assert [n.active for n in scene.nodes] == [False] * 4
    skipped, _ = build(raw, inactive="skip")
    assert names(skipped) == ["Root", "On"]


def test_only_the_first_lod_is_drawn_unless_all_are_wanted() -> None:
    raw = hierarchy(
        node(1, "Root"),
        node(3, "Near", 0, renderer=renderer(11, MESH)),
        node(5, "Far", 0, renderer=renderer(12, MESH)),
        lods=(
            RawLod(
                source=source(50, "LODGroup"),
                levels=((0.5, (source(11, "MeshRenderer"),)), (0.1, (source(12, "MeshRenderer"), None))),
            ),
        ),
    )
    asset, _ = build(raw)
    assert [n.mesh for n in asset.nodes] == [None, 0, None]
    assert asset.nodes[2].active is True
    assert asset.nodes[2].extras == {"lod": 1}
    everything, _ = build(raw, lod="all")
    assert [n.mesh for n in everything.nodes] == [None, 0, 0]


def test_a_missing_mesh_names_the_file_wanted() -> None:
    missing = Missing("cab-1234", 77, "file not found")
    asset, diagnostics = build(hierarchy(node(1, "Root", renderer=renderer(9, missing))))
    assert asset.meshes == ()
    item = diagnostics.items[0]
    assert (item.code.name, item.data["wanted"], item.data["path_id"]) == ("REFERENCE_MISSING", "cab-1234", "77")
    assert item.source == source(9, "MeshRenderer")


def test_a_missing_built_in_mesh_is_generated() -> None:
    missing = Missing("library/unity default resources", 10202, "file not found")
    asset, diagnostics = build(hierarchy(node(1, "Root", renderer=renderer(9, missing))))
    assert asset.geometries[0].vertex_count == 24
    assert codes_of(diagnostics) == ["MESH_BUILTIN"]


def test_a_broken_mesh_fails_its_renderer_only_and_is_reported_for_each_user() -> None:
    broken = raw_mesh(101, "Broken", vertex_data=b"")
    root = FakeRoot().add(raw_mesh(), broken)
    raw = hierarchy(
        node(1, "Root"),
        node(3, "Bad", 0, renderer=renderer(11, source(101, "Mesh"))),
        node(5, "Good", 0, renderer=renderer(12, MESH)),
    )
    asset, diagnostics = build(raw, root)
    assert [n.mesh for n in asset.nodes] == [None, None, 0]
    item = diagnostics.items[0]
    assert item.code.severity == "error"
    assert item.where.startswith('level0:101/Mesh "Broken"')
    assert item.source == source(101, "Mesh")


def test_static_batches_hang_below_the_batch_root_and_draw_their_own_submeshes() -> None:
    root = FakeRoot().add(raw_mesh(submeshes=(QUAD_INDICES[:3], QUAD_INDICES[3:])))
    raw = hierarchy(
        node(1, "Batch", position=(0.0, 5.0, 0.0)),
        node(
            3,
            "Part",
            0,
            position=(9.0, 0.0, 0.0),
            renderer=renderer(9, MESH, submeshes=(1,), static_batch_root=transform(1)),
        ),
    )
    asset, _ = build(raw, root)
    extra = asset.nodes[2]
    assert (extra.name, extra.parent, extra.translation, extra.game_object) == ("Part", 0, (0.0, 0.0, 0.0), 1)
    assert [p.submesh for p in asset.meshes[0].primitives] == [1]
    assert asset.nodes[1].mesh is None


def test_transforms_that_are_not_finite_are_replaced_and_reported() -> None:
    raw = hierarchy(
        node(1, "Root", position=(float("nan"), 1.0, 2.0), rotation=(0.0, 0.0, 0.0, 0.0), renderer=renderer(9, MESH))
    )
    asset, diagnostics = build(raw)
    assert asset.nodes[0].translation == (0.0, 1.0, 2.0)
    assert asset.nodes[0].rotation == (0.0, 0.0, 0.0, 1.0)
    assert codes_of(diagnostics) == ["NODE_VALUE_FIXED"]


def test_rotations_become_unit_quaternions() -> None:
    asset, _ = build(hierarchy(node(1, "Root", rotation=(0.0, 0.0, 0.0, 2.0), renderer=renderer(9, MESH))))
    assert asset.nodes[0].rotation == (0.0, 0.0, 0.0, 1.0)


def test_prune_vertices_drops_what_no_primitive_names() -> None:
    root = FakeRoot().add(raw_mesh(submeshes=(QUAD_INDICES[:3],)))
    raw = hierarchy(node(1, "Root", renderer=renderer(9, MESH)))
    whole, _ = build(raw, root)
    pruned, _ = build(raw, root, prune_vertices=True)
    assert whole.geometries[0].vertex_count == 4
    np.testing.assert_array_equal(pruned.geometries[0].positions, QUAD[:3])
    np.testing.assert_array_equal(pruned.geometries[0].submeshes[0].indices, [0, 1, 2])


def test_a_batched_mesh_below_a_root_that_is_skipped_keeps_that_root() -> None:
    part = renderer(9, MESH, submeshes=(0,), static_batch_root=transform(3))
    raw = hierarchy(node(1, "Root"), node(3, "Batch", 0, active=False), node(5, "Part", 0, renderer=part))
    asset, _ = build(raw, inactive="skip")
    assert names(asset) == ["Root", "Batch", "Part", "Part"]
    assert asset.nodes[asset.nodes[2].parent].name == "Batch"
