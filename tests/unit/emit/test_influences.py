"""Ragged influences to JOINTS and WEIGHTS sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.builders.assets import ragged, spread, strip, triangle
from tests.reference.gltf_accessors import buffers_of, read_accessor
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.emit.document import build_document
from unity2gltf.emit.influences import pad


def test_up_to_four_influences_fill_one_set() -> None:
    joints, weights = pad(ragged([{7: 0.75, 3: 0.25}, {2: 1.0}]), np.uint8)
    assert joints.tolist() == [[[7, 3, 0, 0], [2, 0, 0, 0]]]
    assert weights.tolist() == [[[0.75, 0.25, 0, 0], [1, 0, 0, 0]]]


def test_the_fifth_influence_opens_a_second_set() -> None:
    joints, weights = pad(ragged([spread(5), {0: 1.0}]), np.uint8)
    assert joints.shape == (2, 2, 4)
    assert joints[:, 0].tolist() == [[0, 1, 2, 3], [4, 0, 0, 0]]
    np.testing.assert_allclose(weights[:, 0], [[5 / 15, 4 / 15, 3 / 15, 2 / 15], [1 / 15, 0, 0, 0]], atol=1e-7)
    assert weights[1, 1].tolist() == [0, 0, 0, 0]


def test_a_vertex_without_influences_moves_with_joint_zero() -> None:
    joints, weights = pad(ragged([{}, {5: 1.0}, {}]), np.uint8)
    assert joints[0].tolist() == [[0, 0, 0, 0], [5, 0, 0, 0], [0, 0, 0, 0]]
    assert weights[0, :, 0].tolist() == [1, 1, 1]


def test_the_heaviest_absorbs_what_rounding_leaves() -> None:
    thirds = ragged([{0: 0.3334, 1: 0.3333, 2: 0.3332}])  # sums to 0.9999
    _, weights = pad(thirds, np.uint8)
    assert abs(float(weights.sum(dtype=np.float64)) - 1) < 6e-8
    assert weights[0, 0, 1:3].tolist() == thirds.weights[1:].tolist()


def test_joints_widen_with_the_skin_not_with_the_vertices() -> None:
    for joints, component in ((256, 5121), (257, 5123)):
        document = build_document(strip((1, 2, 3), joints), Diagnostics())
        attributes = document.json["meshes"][0]["primitives"][0]["attributes"]
        assert document.json["accessors"][attributes["JOINTS_0"]]["componentType"] == component


def test_twelve_influences_take_three_sets() -> None:
    document = build_document(strip(), Diagnostics())
    attributes = document.json["meshes"][0]["primitives"][0]["attributes"]
    assert [name for name in attributes if name[0] in "JW"] == [
        f"{what}_{n}" for what, n in (("JOINTS", 0), ("WEIGHTS", 0))
    ] + ["JOINTS_1", "WEIGHTS_1", "JOINTS_2", "WEIGHTS_2"]
    data = buffers_of(document.json, document.chunks)
    last = read_accessor(document.json, data, attributes["JOINTS_2"])
    assert last[4].tolist() == [8, 9, 10, 11] and not last[[0, 1, 2, 3, 5]].any()


def test_meshes_of_the_same_influences_share_accessors() -> None:
    built = strip((1, 2, 3), 4)
    twin = replace(built, meshes=built.meshes * 2, nodes=(*built.nodes, replace(built.nodes[-1], mesh=1)))
    first, second = (mesh["primitives"][0]["attributes"] for mesh in build_document(twin, Diagnostics()).json["meshes"])
    assert first == second


def test_a_skinned_node_of_an_unskinned_mesh_gets_joint_zero() -> None:
    built = strip((1, 2, 3), 4)
    rigid = replace(built, meshes=(replace(built.meshes[0], influences=None),))
    document = build_document(rigid, Diagnostics())
    attributes = document.json["meshes"][0]["primitives"][0]["attributes"]
    weights = read_accessor(document.json, buffers_of(document.json, document.chunks), attributes["WEIGHTS_0"])
    assert weights.tolist() == [[1, 0, 0, 0]] * 3


def test_influences_that_no_skin_uses_are_left_out_and_reported() -> None:
    built = triangle()
    loose = replace(built, meshes=(replace(built.meshes[0], influences=ragged([{0: 1.0}] * 3)),))
    diagnostics = Diagnostics()
    document = build_document(loose, diagnostics)
    assert list(document.json["meshes"][0]["primitives"][0]["attributes"]) == ["POSITION"]
    assert [item.code.name for item in diagnostics.items] == ["MESH_ATTRIBUTE_DROPPED"]


def test_a_joint_that_the_skin_lacks_is_a_fault() -> None:
    built = strip((1, 2, 3), 4)
    broken = replace(built, meshes=(replace(built.meshes[0], influences=ragged([{4: 1.0}] * 3)),))
    with pytest.raises(Fault):
        build_document(broken, Diagnostics())


def test_influences_of_another_vertex_count_are_a_fault() -> None:
    built = strip((1, 2, 3), 4)
    broken = replace(built, meshes=(replace(built.meshes[0], influences=ragged([{0: 1.0}] * 2)),))
    with pytest.raises(Fault):
        build_document(broken, Diagnostics())
