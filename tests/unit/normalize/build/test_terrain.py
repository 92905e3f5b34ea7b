"""Terrain components to nodes, meshes and materials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.builders.raw import FakeRoot, hierarchy, node, source
from tests.builders.surfaces import picture
from tests.builders.terrain import DATA, TERRAIN, layer, terrain, terrain_data
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Asset
from unity2gltf.normalize.build.asset import build_hierarchy, build_mesh
from unity2gltf.normalize.content import Library
from unity2gltf.options import Options
from unity2gltf.raw import RawHierarchy
from unity2gltf.source import Missing

FLAT = np.zeros((3, 3), np.int16)
RED = picture(600, [(255, 0, 0)])
ALPHA = picture(601, [(255, 0, 0, 0)], color_space=0)


def build(raw: RawHierarchy, *records: Any, **options: Any) -> tuple[Asset, Diagnostics]:
    diagnostics = Diagnostics()
    library = Library(FakeRoot().add(*(records or (terrain_data(FLAT),))))
    asset, _ = build_hierarchy(raw, "scene", "Level", raw.nodes[0].source, library, Options(**options), diagnostics)
    return asset, diagnostics


def codes_of(diagnostics: Diagnostics) -> list[str]:
    return [item.code.name for item in diagnostics.items]


def layered(**changes: Any) -> tuple[Any, ...]:
    """A terrain of one layer, and what it needs."""
    one = layer(602, RED.source, **changes)
    return terrain_data(FLAT, layers=(one.source,), alpha_maps=(ALPHA.source,)), one, RED, ALPHA


def test_the_ground_is_a_mesh_on_the_terrains_node() -> None:
    asset, diagnostics = build(hierarchy(node(1, "Ground", position=(1.0, 2.0, 3.0), terrain=terrain())))
    (ground,) = asset.nodes
    assert (ground.mesh, ground.renderer, ground.translation) == (0, TERRAIN, (1.0, 2.0, 3.0))
    assert asset.geometries[0].source == DATA and asset.geometries[0].vertex_count == 9
    assert asset.meshes[0].primitives[0].material is None
    assert codes_of(diagnostics) == []


def test_unity_turns_and_scales_no_terrain() -> None:
    raw = hierarchy(
        node(1, "Turned", position=(5.0, 0.0, 0.0), rotation=(0.0, 1.0, 0.0, 0.0), scale=(2.0, 2.0, 2.0)),
        node(3, "Ground", 0, position=(1.0, 1.0, 0.0), terrain=terrain()),
    )
    asset, _ = build(raw)
    assert [n.mesh for n in asset.nodes] == [None, None, 0]
    extra = asset.nodes[2]
    assert (extra.name, extra.parent, extra.game_object, extra.source) == ("Ground", -1, 1, TERRAIN)
    np.testing.assert_allclose(extra.translation, (3.0, 2.0, 0.0), atol=1e-12)
    assert extra.rotation == (0.0, 0.0, 0.0, 1.0) and extra.scale == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("changes", "reason"), [({"enabled": False}, "disabled"), ({"draws_ground": False}, "its ground is switched off")]
)
def test_what_the_game_does_not_draw(changes: dict[str, bool], reason: str) -> None:
    raw = hierarchy(node(1, "Ground", terrain=terrain(**changes)))
    asset, diagnostics = build(raw)
    assert asset.meshes == () and asset.nodes[0].active is False
    assert diagnostics.items[0].data == {"reason": reason}
    flagged, _ = build(raw, inactive="flag")
    assert flagged.nodes[0].mesh == 0 and flagged.nodes[0].active is False


def test_layers_are_one_material_marked_with_the_terrain() -> None:
    asset, diagnostics = build(hierarchy(node(1, "Ground", terrain=terrain())), *layered())
    (material,) = asset.materials
    assert (material.name, material.source) == ("Ground", TERRAIN)
    assert material.base_color_texture is not None and material.base_color_texture.scale == (1.0, 1.0)
    assert (material.metallic, material.roughness) == (0.0, 1.0)
    assert asset.images[0].sources == (ALPHA.source, RED.source)
    assert (asset.textures[0].wrap, asset.textures[0].min_filter) == ((33071, 33071), 9987)
    (told,) = material.extras["layers"]
    assert told["path_id"] == "602" and told["color"] == RED.source.mark() and told["tile_size"] == [4.0, 4.0]
    assert codes_of(diagnostics) == ["TERRAIN_LAYERS_BAKED"]


def test_maps_that_have_no_place_are_told() -> None:
    records = layered(normal=RED.source, smoothness=0.5)
    _, diagnostics = build(hierarchy(node(1, "Ground", terrain=terrain())), *records)
    item = diagnostics.items[0]
    assert item.code.name == "TERRAIN_MAPS_LEFT"
    assert item.message == "not written: normal maps of 1 layer, smoothness of 1 layer"


@pytest.mark.parametrize("tile", [0.0, float("nan"), float("inf"), 1e-30])
def test_a_tile_without_a_size_is_one_over_the_terrain(tile: float) -> None:
    records = layered(tile_size=(tile, 4.0))
    asset, diagnostics = build(hierarchy(node(1, "Ground", terrain=terrain())), *records)
    assert codes_of(diagnostics)[0] == "MATERIAL_VALUE_FIXED"
    assert not asset.images[0].placeholder


def test_layers_before_2018_3_stand_in_the_terrain_itself() -> None:
    splat = layer(0, RED.source, source=None, name="")
    data = terrain_data(FLAT, version=(2017, 2, 0), layers=(splat,), alpha_maps=(ALPHA.source,))
    asset, _ = build(hierarchy(node(1, "Ground", terrain=terrain())), data, RED, ALPHA)
    assert asset.images[0].sources == (ALPHA.source, RED.source)


def test_missing_layers_and_textures_cost_themselves_only() -> None:
    gone = Missing("cab-1", 7, "file not found")
    data = terrain_data(FLAT, layers=(gone, None), alpha_maps=(ALPHA.source,))
    asset, diagnostics = build(hierarchy(node(1, "Ground", terrain=terrain())), data, ALPHA)
    assert asset.nodes[0].mesh == 0
    assert codes_of(diagnostics) == ["REFERENCE_MISSING", "TERRAIN_LAYERS_BAKED"]


def test_without_images_there_is_a_plain_material() -> None:
    asset, _ = build(hierarchy(node(1, "Ground", terrain=terrain())), *layered(), textures="none")
    assert asset.materials[0].base_color_texture is None and asset.images == ()


def test_two_terrains_of_one_data_share_mesh_and_image() -> None:
    other = terrain(source=source(777, "Terrain"))
    raw = hierarchy(node(1, "A", terrain=terrain()), node(3, "B", position=(4.0, 0.0, 0.0), terrain=other))
    asset, _ = build(raw, *layered())
    assert len(asset.geometries) == len(asset.images) == 1
    assert len(asset.materials) == 2  # each with its own mark


def test_missing_and_broken_data_leave_the_node() -> None:
    missing = terrain(Missing("cab-1", 7, "file not found"))
    asset, diagnostics = build(hierarchy(node(1, "Ground", terrain=missing)))
    assert [n.mesh for n in asset.nodes] == [None] and codes_of(diagnostics) == ["REFERENCE_MISSING"]
    broken = terrain_data(FLAT, columns=9)
    asset, diagnostics = build(hierarchy(node(1, "Ground", terrain=terrain())), broken)
    assert [n.mesh for n in asset.nodes] == [None] and codes_of(diagnostics) == ["TERRAIN_INVALID"]


def test_a_terrain_that_is_one_hole_draws_nothing() -> None:
    holes = terrain_data(FLAT, surface=bytes(4))
    asset, diagnostics = build(hierarchy(node(1, "Ground", terrain=terrain())), holes)
    assert asset.meshes == () and codes_of(diagnostics) == ["MESH_EMPTY"]


def test_a_terrain_alone_has_its_layers() -> None:
    diagnostics = Diagnostics()
    asset = build_mesh(DATA, Library(FakeRoot().add(*layered())), Options(), diagnostics)
    assert asset is not None and asset.kind == "mesh"
    assert asset.nodes[0].source == DATA and asset.materials[0].source == DATA
    assert asset.images[0].sources == (ALPHA.source, RED.source)
