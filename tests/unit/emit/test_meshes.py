"""Meshes, primitives and their attributes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.builders.assets import SQUARE, UP, geometry, one_mesh, painted, quad, quad_geometry, submesh, triangle
from tests.reference.gltf_accessors import buffers_of, read_accessor
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.emit.attributes import color_bytes
from unity2gltf.emit.document import build_document
from unity2gltf.ir import Asset, Mesh, Topology


def written(asset: Asset, **options: bool) -> tuple[dict[str, Any], list[Any], list[str]]:
    diagnostics = Diagnostics()
    document = build_document(asset, diagnostics, **options)
    return document.json, document.chunks, [item.code.name for item in diagnostics.items]


def attributes_of(json: dict[str, Any], mesh: int = 0, primitive: int = 0) -> dict[str, int]:
    return json["meshes"][mesh]["primitives"][primitive]["attributes"]


def test_a_triangle_is_two_accessors() -> None:
    json, chunks, codes = written(triangle())
    assert codes == [] and len(json["accessors"]) == 2
    assert json["accessors"][0]["min"] == [0, 0, 0] and json["accessors"][0]["max"] == [1, 1, 0]
    assert json["bufferViews"][0]["target"] == 34962 and json["bufferViews"][1]["target"] == 34963
    assert bytes(chunks[1]) == np.array([0, 1, 2], "<u2").tobytes()


def test_bounds_are_exact_in_float32() -> None:
    positions = np.array([(0.1, 1 / 3, -0.7), (1e-8, 3.3, 1e8), (0, 0, 0)], np.float32)
    json, _, _ = written(one_mesh(geometry(positions, [submesh([0, 1, 2])])))
    assert np.array_equal(np.float32(json["accessors"][0]["min"]), positions.min(axis=0))
    assert np.array_equal(json["accessors"][0]["max"], positions.max(axis=0).astype(float))


def test_meshes_of_one_geometry_share_accessors() -> None:
    json, _, _ = written(quad())
    first, second = attributes_of(json, 0, 1), attributes_of(json, 1, 0)
    assert {name: first[name] for name in ("POSITION", "NORMAL", "TANGENT", "TEXCOORD_0")} == {
        name: second[name] for name in ("POSITION", "NORMAL", "TANGENT", "TEXCOORD_0")
    }
    assert json["meshes"][0]["primitives"][1]["indices"] == json["meshes"][1]["primitives"][0]["indices"]


def test_vertex_colours_multiply_only_where_the_shader_uses_them() -> None:
    json, chunks, _ = written(quad(), custom_attributes=True)
    kept, used = attributes_of(json, 0, 0), attributes_of(json, 0, 1)
    assert "COLOR_0" not in kept and "_COLOR" not in used and kept["_COLOR"] == used["COLOR_0"]
    colors = read_accessor(json, buffers_of(json, chunks), used["COLOR_0"])
    assert colors.tolist() == [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 1]]
    assert json["accessors"][used["COLOR_0"]]["componentType"] == 5121


def test_colours_that_the_shader_ignores_are_no_attribute_by_default_but_stay_in_the_file() -> None:
    json, _, codes = written(quad())
    assert codes == ["VERTEX_COLORS_IGNORED"]  # once, though three primitives of two meshes share the colours
    primitive, used = json["meshes"][0]["primitives"][0], attributes_of(json, 0, 1)
    assert not [name for name in primitive["attributes"] if name.startswith("_")]
    assert primitive["extras"]["unity"]["attributes"] == {"_COLOR": used["COLOR_0"]}


def test_colours_become_bytes_only_when_exact() -> None:
    every = np.arange(256, dtype=np.float32).reshape(-1, 4) / np.float32(255)
    packed = color_bytes(every)
    assert packed is not None and packed.ravel().tolist() == list(range(256))
    for value in (0.5, 1.0000001, -0.01, 2.0):
        assert color_bytes(np.full((1, 4), value, np.float32)) is None


def test_inexact_colours_stay_floats() -> None:
    json, _, _ = written(one_mesh(quad_geometry(colors=np.full((4, 4), 0.5, np.float32))), custom_attributes=True)
    assert json["accessors"][attributes_of(json)["_COLOR"]]["componentType"] == 5126


def test_tangents_without_normals_are_dropped_and_reported() -> None:
    json, _, codes = written(one_mesh(quad_geometry(normals=None)))
    assert "TANGENT" not in attributes_of(json) and codes == ["MESH_ATTRIBUTE_DROPPED", "VERTEX_COLORS_IGNORED"]


def test_uv_sets_are_renumbered_and_wide_ones_kept_whole() -> None:
    json, chunks, codes = written(painted(), custom_attributes=True)
    primitive = json["meshes"][0]["primitives"][0]
    assert primitive["extras"]["unity"] == {"submesh": 0, "uv": {"0": 1, "1": 3}}
    attributes = primitive["attributes"]
    assert [name for name in attributes if "UV" in name or "TEX" in name] == ["TEXCOORD_0", "TEXCOORD_1", "_UV3"]
    data = buffers_of(json, chunks)
    assert read_accessor(json, data, attributes["_UV3"])[1].tolist() == [0.25, 0.25, 0.5]
    assert read_accessor(json, data, attributes["TEXCOORD_1"])[1].tolist() == [0.25, 0.25]
    assert codes == ["UV_SETS_RENUMBERED"]


def test_contiguous_uv_sets_need_no_map() -> None:
    json, _, _ = written(painted())
    assert json["meshes"][1]["primitives"][0]["extras"]["unity"] == {"submesh": 0}


@pytest.mark.parametrize(("vertices", "component"), [(65535, 5123), (65536, 5125)])
def test_the_restart_value_widens_the_indices(vertices: int, component: int) -> None:
    positions = np.zeros((vertices, 3), np.float32)
    json, _, _ = written(one_mesh(geometry(positions, [submesh([0, 1, vertices - 1])])))
    assert json["accessors"][1]["componentType"] == component


@pytest.mark.parametrize("topology", list(Topology))
def test_topologies_keep_their_mode(topology: Topology) -> None:
    shown = geometry(SQUARE[:3], [submesh([0, 1, 2, 0, 1, 2], topology=topology)])
    json, _, _ = written(one_mesh(shown))
    assert json["meshes"][0]["primitives"][0].get("mode", 4) == topology


def test_submesh_numbers_are_unitys_own() -> None:
    json, _, _ = written(one_mesh(geometry(SQUARE, [submesh([0, 1, 2], 3)])))
    assert json["meshes"][0]["primitives"][0]["extras"]["unity"]["submesh"] == 3


def test_a_mesh_without_primitives_is_a_fault() -> None:
    with pytest.raises(Fault):
        written(replace(triangle(), meshes=(Mesh(geometry=0, primitives=()),)))


@pytest.mark.parametrize(
    "shown",
    [
        geometry(np.zeros((0, 3)), [submesh([0])]),
        geometry(SQUARE, [submesh([])]),
        geometry(SQUARE, [submesh([0, 1, 4])]),
        quad_geometry(normals=UP[:3]),
    ],
    ids=["no vertices", "no indices", "index past the vertices", "too few normals"],
)
def test_what_cannot_be_written_is_a_fault(shown: Any) -> None:
    with pytest.raises(Fault) as caught:
        written(one_mesh(shown))
    assert caught.value.code.name == "ASSET_FAILED"
