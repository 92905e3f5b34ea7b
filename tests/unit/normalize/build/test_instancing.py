"""``--instancing``: the same mesh side by side, drawn by one node."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.builders.proof import document_of, proven, written
from tests.builders.raw import FakeRoot, hierarchy, node, raw_mesh, renderer, source
from tests.unit.normalize.build.test_hierarchy import MESH, build, names
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.evaluate.gltf.pose import GltfPoser
from unity2gltf.ir import Asset
from unity2gltf.raw import RawNode
from unity2gltf.validate.roundtrip import roundtrip

QUARTER = (0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5))


def crate(number: int, x: float, parent: int = 0, **more: Any) -> RawNode:
    return node(number, f"Crate{number}", parent, position=(x, 0.0, 0.0), renderer=renderer(number + 50, MESH), **more)


def joined(*nodes: RawNode, **options: Any) -> Asset:
    return build(hierarchy(*nodes), instancing=True, **options)[0]


ROOM = (node(1, "Room", position=(100.0, 0.0, 0.0)), crate(3, 1.0), crate(5, 2.0, rotation=QUARTER), crate(7, 3.0))


def test_siblings_with_one_mesh_become_one_node() -> None:
    asset = joined(*ROOM)
    assert names(asset) == ["Room", "Crate3"]
    one = asset.nodes[1]
    assert (one.parent, one.mesh, one.source, one.translation) == (0, 0, None, (0.0, 0.0, 0.0))
    assert [item.name for item in one.instances] == ["Crate3", "Crate5", "Crate7"]
    assert [item.translation[0] for item in one.instances] == [1.0, 2.0, 3.0]
    result = proven(asset)
    assert result.passed and result.vertices == 3 * 4


def test_the_file_requires_the_extension_and_keeps_names_and_marks() -> None:
    json = document_of(joined(*ROOM)).json
    assert json["extensionsRequired"] == json["extensionsUsed"] == ["EXT_mesh_gpu_instancing"]
    item = json["nodes"][1]
    attributes = item["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
    assert attributes.keys() == {"TRANSLATION", "ROTATION"}  # all scales are 1
    assert item["extras"]["unity"]["instances"][1] == {"name": "Crate5", **source(5, "GameObject").mark()}
    gltf = written(joined(*ROOM))
    np.testing.assert_array_equal(gltf.accessor(attributes["TRANSLATION"]), [(-1, 0, 0), (-2, 0, 0), (-3, 0, 0)])
    np.testing.assert_allclose(gltf.accessor(attributes["ROTATION"])[1], (0, -QUARTER[1], 0, QUARTER[3]), atol=1e-7)


def test_our_reader_draws_every_instance() -> None:
    poser = GltfPoser(written(joined(*ROOM)))
    vertices = poser.vertices(1, poser.world(), [])
    assert vertices.shape == (12, 3)
    np.testing.assert_allclose(vertices[0], (-101, 0, 0), atol=1e-6)
    np.testing.assert_allclose(vertices[8 + 3], (-104, 0, 0), atol=1e-6)  # (1, 0, 0) of the quad at x = 3
    np.testing.assert_allclose(vertices[4 + 3], (-102, 0, -1), atol=1e-6)  # turned a quarter about y


def test_equal_places_still_have_an_attribute() -> None:
    asset = joined(node(1, "Room"), crate(3, 0.0), crate(5, 0.0))
    attributes = document_of(asset).json["nodes"][1]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
    assert attributes.keys() == {"TRANSLATION"}
    assert proven(asset).passed


@pytest.mark.parametrize(
    "nodes",
    [
        (node(1, "Room"), crate(3, 1.0)),
        (node(1, "Room"), crate(3, 1.0), node(5, "Other", 0), crate(7, 2.0, 2)),
        (node(1, "Room"), crate(3, 1.0), crate(5, 2.0), node(7, "On it", 2)),
    ],
    ids=["one alone", "different parents", "one has a child"],
)
def test_what_is_left_alone(nodes: tuple[RawNode, ...]) -> None:
    assert all(not item.instances for item in joined(*nodes).nodes)
    assert joined(*nodes).nodes == build(hierarchy(*nodes))[0].nodes


def test_hidden_ones_are_joined_with_their_like() -> None:
    nodes = (node(1, "Room"), crate(3, 1.0), crate(5, 2.0), crate(7, 3.0, active=False), crate(9, 4.0, active=False))
    asset = joined(*nodes, inactive="flag")
    assert [(item.active, len(item.instances)) for item in asset.nodes] == [(True, 0), (True, 2), (False, 2)]
    assert proven(asset).passed


def test_other_materials_are_another_mesh() -> None:
    other = renderer(99, MESH, materials=(None, None))
    asset = joined(*ROOM[:3], node(11, "Twice", 0, renderer=other))
    assert names(asset) == ["Room", "Crate3", "Twice"]


def test_shapes_and_skins_are_not_joined() -> None:
    content = FakeRoot().add(raw_mesh())
    skins = [node(n, f"S{n}", 0, renderer=renderer(n + 50, MESH, skinned=True)) for n in (3, 5)]
    asset, _ = build(hierarchy(node(1, "Room"), *skins), content, instancing=True)
    assert len(asset.nodes) == 2  # without shapes or bones such a renderer is like any other


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda json: json["nodes"][1].update(translation=[1, 0, 0]), "translation"),
        (lambda json: json["nodes"][1].pop("extensions"), "vertices"),
        (lambda json: json["nodes"][1]["extras"]["unity"]["instances"].pop(), "2 instances, wanted are 3"),
        (lambda json: json["nodes"][1]["extras"]["unity"]["instances"].reverse(), "source mark"),
        (
            lambda json: json["nodes"][1]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"].pop("ROTATION"),
            "vertices are up to",
        ),
    ],
)
def test_the_round_trip_sees_instances_that_went_wrong(change: Any, problem: str) -> None:
    asset = joined(*ROOM)
    result = roundtrip(asset, written(asset, change), "quick", diagnostics=Diagnostics(), max_influences=8)
    assert problem in " ".join(result.problems)
