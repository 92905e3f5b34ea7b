"""Terrains, levels of detail and instances that lie, end to end: the right code, and the rest is made and proven."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unity2gltf.batch.run import convert
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.options import Options
from unity2gltf.sample import FileBuilder, Hierarchy, MeshContent, curve, key, legacy_clip, mesh_fields
from unity2gltf.sample.values import (
    ANIMATION,
    ANIMATION_CLIP,
    LOD_GROUP,
    MESH,
    MESH_FILTER,
    MESH_RENDERER,
    TERRAIN,
    TERRAIN_DATA,
    TERRAIN_LAYER,
    TEXTURE_2D,
    pptr,
    vector,
)
from unity2gltf.validate.structure import check_structure

VERSION = "2022.3.20f1"
NAN, INF = float("nan"), float("inf")

TRIANGLE = MeshContent(
    name="Triangle",
    positions=np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0]], np.float32),
    normals=np.tile(np.array([0, 0, -1], np.float32), (3, 1)),
    tangents=np.tile(np.array([1, 0, 0, -1], np.float32), (3, 1)),
    uv=np.zeros((3, 2), np.float32),
    submeshes=(np.array([[0, 1, 2]]),),
)


class Place:
    """A prefab that is being built: a triangle, and what a test adds."""

    def __init__(self) -> None:
        self.file = FileBuilder(VERSION)
        self.tree = Hierarchy(self.file)
        self.top = self.tree.add("Place")
        self.mesh = self.file.add(MESH, mesh_fields(TRIANGLE, self.file))
        self.thing("Triangle")

    def thing(self, name: str, parent: Any = None, **pose: Any) -> int:
        """A GameObject that draws the triangle; its renderer's path id."""
        item = self.tree.add(name, parent or self.top, **pose)
        self.tree.component(item, MESH_FILTER, {"m_Mesh": pptr(self.mesh)})
        return self.tree.component(item, MESH_RENDERER, {"m_Materials": [pptr(0)]})

    def terrain(self, heightmap: dict[str, Any], **splats: Any) -> None:
        ground = {"m_Resolution": 3, "m_Heights": [0] * 9, "m_Scale": vector((1, 1, 1)), **heightmap}
        data = {"m_Name": "Ground", "m_Heightmap": ground, "m_SplatDatabase": splats}
        item = self.tree.add("Ground", self.top)
        fields = {"m_TerrainData": pptr(self.file.add(TERRAIN_DATA, data)), "m_DrawHeightmap": True}
        self.tree.component(item, TERRAIN, fields)

    def lods(self, *levels: tuple[float, list[int]]) -> None:
        stored = [
            {"screenRelativeHeight": height, "renderers": [{"renderer": pptr(r)} for r in renderers]}
            for height, renderers in levels
        ]
        self.tree.component(self.top, LOD_GROUP, {"m_LODs": stored})

    def converted(self, tmp_path: Path, **options: Any) -> tuple[list[str], int]:
        """Codes of the prefab's diagnostics, and how many of its nodes draw; the file is proven."""
        self.tree.write()
        (tmp_path / "game").mkdir()
        (tmp_path / "game" / "a.assets").write_bytes(self.file.to_bytes())
        report = convert([tmp_path / "game"], tmp_path / "out", Options(include=("prefabs",), **options))
        (asset,) = (item for item in report.assets if item.kind == "prefab")
        assert asset.output is not None
        assert all(item.roundtrip is not None and item.roundtrip["passed"] for item in report.assets)
        gltf = read_gltf(tmp_path / "out" / asset.output)
        assert check_structure(gltf) == []
        drawing = sum("mesh" in node for node in gltf.items("nodes"))
        return [item.code.name for item in asset.diagnostics if item.code.severity != "info"], drawing


@pytest.mark.parametrize(
    "heightmap",
    [
        {"m_Resolution": 4},
        {"m_Resolution": 0},
        {"m_Resolution": -3},
        {"m_Resolution": 2**31 - 1},
        {"m_Resolution": 1, "m_Heights": [0]},
        {"m_Heights": []},
        {"m_Scale": vector((0, 1, 1))},
        {"m_Scale": vector((1, NAN, 1))},
        {"m_Scale": vector((1, 1, INF))},
        {"m_Scale": vector((-1, 1, 1))},
        {"m_Scale": vector((1e35, 1, 1))},
    ],
)
def test_a_height_map_that_lies_costs_the_terrain_alone(heightmap: dict[str, Any], tmp_path: Path) -> None:
    place = Place()
    place.terrain(heightmap)
    assert place.converted(tmp_path) == (["TERRAIN_INVALID"], 1)


@pytest.mark.parametrize("heights", [[-32768] * 9, [32767] * 9, [0, 32767, -32768] * 3])
def test_heights_beyond_the_range_are_heights(heights: list[int], tmp_path: Path) -> None:
    place = Place()
    place.terrain({"m_Heights": heights, "m_Scale": vector((1, 1e6, 1))})
    assert place.converted(tmp_path) == ([], 2)


def test_heights_and_steps_so_small_that_slopes_are_huge(tmp_path: Path) -> None:
    place = Place()
    place.terrain({"m_Heights": [0, 32767, 0] * 3, "m_Scale": vector((1e-38, 1e20, 1e-38))})
    assert place.converted(tmp_path) == ([], 2)


def odd_layers(place: Place) -> dict[str, Any]:
    tile = {"m_TileSize": vector((NAN, 0)), "m_TileOffset": vector((INF, -INF))}
    low, high = vector((NAN, 0, 0, 0)), vector((INF, 1, 1, 1))
    layer = place.file.add(
        TERRAIN_LAYER, {"m_Name": "Odd", **tile, "m_DiffuseRemapMin": low, "m_DiffuseRemapMax": high}
    )
    alpha = place.file.add(TEXTURE_2D, {"m_Name": "Alpha", "m_Width": 4, "m_Height": 4, "m_TextureFormat": 4})
    return {
        "m_TerrainLayers": [pptr(layer), pptr(999), pptr(0), pptr(place.mesh), pptr(layer)],
        "m_AlphaTextures": [pptr(alpha)],
    }


def far_layers(place: Place) -> dict[str, Any]:
    layer = place.file.add(TERRAIN_LAYER, {"m_Name": "Far", "m_DiffuseTexture": pptr(1, 1)})
    place.file.external("gone.assets")
    return {"m_TerrainLayers": [pptr(layer)], "m_AlphaTextures": [pptr(77)]}


def broken_layer(place: Place) -> dict[str, Any]:
    return {"m_TerrainLayers": [pptr(place.file.add_bytes(TERRAIN_LAYER, b"\x01\x00\x00\x00"))]}


@pytest.mark.parametrize("splats", [odd_layers, far_layers, broken_layer])
def test_layers_that_lie_cost_themselves(splats: Callable[[Place], dict[str, Any]], tmp_path: Path) -> None:
    place = Place()
    place.terrain({}, **splats(place))
    codes, drawing = place.converted(tmp_path)
    assert drawing == 2 and codes
    assert set(codes) <= {
        "REFERENCE_MISSING",
        "OBJECT_CORRUPT",
        "TEXTURE_MISSING",
        "TEXTURE_CORRUPT",
        "MATERIAL_VALUE_FIXED",
    }


def test_a_terrain_of_no_data(tmp_path: Path) -> None:
    place = Place()
    for pointer in (pptr(0), pptr(999), pptr(place.mesh)):
        item = place.tree.add("Ground", place.top)
        place.tree.component(item, TERRAIN, {"m_TerrainData": pointer, "m_DrawHeightmap": True})
    codes, drawing = place.converted(tmp_path)
    assert drawing == 1 and set(codes) <= {"REFERENCE_MISSING", "OBJECT_CORRUPT"}


@pytest.mark.parametrize("clips", ["embed", "library"])
def test_levels_and_instances_of_a_rig_that_moves(clips: str, tmp_path: Path) -> None:
    """The pivot turns with all levels; one level sways by itself, and is left out where the file plays the clip."""
    place = Place()
    pivot = place.tree.add("Pivot", place.top, position=(3.0, 0.0, 0.0))
    near, far = place.thing("Near", pivot), place.thing("Far", pivot, position=(0.0, 1.0, 0.0))
    sway = place.thing("Sway", pivot, scale=(2.0, 1.0, 1.0))
    for number in range(3):
        place.thing(f"Leaf{number}", pivot, position=(0.1 * number, 0.0, 0.0))
    still, flat = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
    turn = [key(time, (0.0, np.sin(time), 0.0, np.cos(time)), flat, flat) for time in (0.0, 0.5, 1.0)]
    shift = [key(time, (time, 0.0, 0.0), still, still) for time in (0.0, 1.0)]
    curves = {"m_RotationCurves": [curve("Pivot", turn)], "m_PositionCurves": [curve("Pivot/Sway", shift)]}
    spin = pptr(place.file.add(ANIMATION_CLIP, legacy_clip("Spin", 1.0, curves)))
    place.tree.component(place.top, ANIMATION, {"m_Animation": spin, "m_Animations": [spin]})
    place.lods((0.5, [near]), (0.2, [far]), (0.1, [sway]))
    codes, drawing = place.converted(tmp_path, lod="msft", instancing=True, verify="full", clips=clips)
    assert codes == []
    leaves = 1 if clips == "embed" else 3  # clips of files of their own may move anything below their rig
    assert drawing == 1 + (2 if clips == "embed" else 3) + leaves


@pytest.mark.parametrize("height", [NAN, INF, -1.0, 1e30])
def test_levels_of_any_height(height: float, tmp_path: Path) -> None:
    place = Place()
    near, far = place.thing("Near"), place.thing("Far")
    place.lods((height, [near]), (height, [far, 0, 999, near]), (0.0, []), (height, [far]))
    assert place.converted(tmp_path, lod="msft") == ([], 3)


def test_levels_that_stand_in_their_own_way(tmp_path: Path) -> None:
    """Level 0 hangs on level 1, and both in two groups."""
    place = Place()
    far = place.tree.add("Far", place.top, scale=(0.0, 1.0, 1.0))
    place.tree.component(far, MESH_FILTER, {"m_Mesh": pptr(place.mesh)})
    low = place.tree.component(far, MESH_RENDERER, {"m_Materials": [pptr(0)]})
    near = place.thing("Near", far, position=(0.0, 0.0, 1.0))
    place.lods((0.5, [near]), (0.1, [low]))
    place.tree.component(far, LOD_GROUP, {"m_LODs": [{"screenRelativeHeight": 0.5, "renderers": []}]})
    codes, _ = place.converted(tmp_path, lod="msft", instancing=True)
    assert codes == []


def test_instances_of_any_size(tmp_path: Path) -> None:
    place = Place()
    for scale in ((0.0, 0.0, 0.0), (-1.0, 1.0, 1.0), (1e-20, 1e20, 1.0), (NAN, 1.0, 1.0)):
        place.thing("Same", scale=scale, rotation=(0.0, 0.0, 0.0, 0.0), position=(1e6, 0.0, 0.0))
    codes, drawing = place.converted(tmp_path, instancing=True)
    assert drawing == 1 and set(codes) == {"NODE_VALUE_FIXED"}
