"""Nodes, the scene and skins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.builders.assets import asset, quad, source, strip, triangle
from tests.reference.gltf_accessors import buffers_of, read_accessor
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.emit.document import build_document
from unity2gltf.ir import Node, Space


def test_nodes_keep_their_indices_and_defaults_are_left_out() -> None:
    nodes = build_document(quad(), Diagnostics()).json["nodes"]
    assert [node["name"] for node in nodes] == ["Room", "Wall", "", "Hidden"]
    assert nodes[0]["children"] == [1, 2] and nodes[1]["children"] == [3]
    assert nodes[0]["translation"] == [1, 2, 3] and "rotation" not in nodes[0] and "scale" not in nodes[0]
    assert nodes[1]["scale"] == [2, 2, 2] and nodes[2]["rotation"] == [0, 1, 0, 0]


def test_marks_carry_the_source_and_what_is_known_of_the_node() -> None:
    nodes = build_document(quad(), Diagnostics()).json["nodes"]
    mark = {"input": "game/level0", "file": "level0", "path_id": "10", "type": "GameObject"}
    assert nodes[0]["extras"]["unity"] == {**mark, "layer": 5}
    assert nodes[3]["extras"]["unity"]["active"] is False and "active" not in nodes[1]["extras"]["unity"]


def test_a_node_without_source_or_extras_has_no_mark() -> None:
    assert build_document(asset([Node(name="x")]), Diagnostics()).json["nodes"] == [{"name": "x"}]


def test_the_skinned_node_names_its_game_object() -> None:
    node = build_document(strip(), Diagnostics()).json["nodes"][-1]
    assert node["extras"]["unity"] == {**source(12, "SkinnedMeshRenderer").mark(), "node": 13}
    assert node["mesh"] == 0 and node["skin"] == 0 and "translation" not in node


def test_the_scene_holds_all_roots() -> None:
    json = build_document(strip(), Diagnostics()).json
    assert json["scene"] == 0 and json["scenes"][0]["nodes"] == [0, 14]


def test_an_asset_without_nodes_is_an_empty_scene() -> None:
    json = build_document(asset([]), Diagnostics()).json
    assert "nodes" not in json and "nodes" not in json["scenes"][0] and "buffers" not in json


def test_lone_surrogates_in_names_are_replaced_and_reported() -> None:
    diagnostics = Diagnostics()
    json = build_document(asset([Node(name="a\udc80")]), diagnostics).json
    assert json["nodes"][0]["name"] == "a\ufffd"
    assert [item.code.name for item in diagnostics.items] == ["TEXT_REPLACED"]


@pytest.mark.parametrize("parent", [0, 1, -2])
def test_a_node_before_its_parent_is_a_fault(parent: int) -> None:
    with pytest.raises(Fault):
        build_document(asset([Node(name="x", parent=parent)]), Diagnostics())


def test_only_gltf_space_is_written() -> None:
    with pytest.raises(ValueError, match="glTF space"):
        build_document(replace(triangle(), space=Space.UNITY), Diagnostics())


def test_inverse_bind_matrices_are_written_by_columns() -> None:
    document = build_document(strip(), Diagnostics())
    skin = document.json["skins"][0]
    assert skin["joints"] == list(range(1, 13)) and skin["skeleton"] == 1 and skin["name"] == "Body"
    matrices = read_accessor(document.json, buffers_of(document.json, document.chunks), skin["inverseBindMatrices"])
    assert matrices[3].tolist() == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -3, 0, 0, 1]
    view = document.json["bufferViews"][document.json["accessors"][skin["inverseBindMatrices"]]["bufferView"]]
    assert "target" not in view and "byteStride" not in view


def test_skins_of_the_same_matrices_share_an_accessor() -> None:
    built = strip()
    json = build_document(replace(built, skins=built.skins * 2), Diagnostics()).json
    assert json["skins"][0]["inverseBindMatrices"] == json["skins"][1]["inverseBindMatrices"]


def test_broken_skins_are_faults() -> None:
    built = strip()
    skin = built.skins[0]
    perspective = skin.inverse_bind.copy()
    perspective[2, 3] = (0, 0, 1, 1)
    for broken in (
        replace(skin, joints=(), inverse_bind=np.zeros((0, 4, 4), np.float32)),
        replace(skin, joints=skin.joints[:-1]),
        replace(skin, joints=(*skin.joints[:-1], 99)),
        replace(skin, inverse_bind=perspective),
    ):
        with pytest.raises(Fault):
            build_document(
                replace(built, skins=(broken,), meshes=(replace(built.meshes[0], influences=None),)), Diagnostics()
            )
