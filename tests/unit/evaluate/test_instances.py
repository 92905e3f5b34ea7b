"""Nodes that draw a mesh in many places, and levels of detail, as our reader takes them from a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.gltf.instances import NAME, instance_matrices
from unity2gltf.evaluate.gltf.nodes import depth_order, node_parents, posed_parents


def file_of(attributes: Any, *arrays: np.ndarray) -> Gltf:
    """A document of one node with the extension; accessor i holds float32 array i."""
    buffer = b"".join(array.astype("<f4").tobytes() for array in arrays)
    views, accessors, begin = [], [], 0
    for array in arrays:
        size = array.size * 4
        views.append({"buffer": 0, "byteOffset": begin, "byteLength": size})
        kind = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[array.shape[1]]
        accessors.append({"bufferView": len(accessors), "componentType": 5126, "count": len(array), "type": kind})
        begin += size
    node = {"mesh": 0, "extensions": {NAME: {"attributes": attributes}}}
    return Gltf({"nodes": [node], "bufferViews": views, "accessors": accessors}, [memoryview(buffer)])


MOVES = np.array([[1, 2, 3], [4, 5, 6]], np.float32)


def test_a_node_without_the_extension_draws_once() -> None:
    np.testing.assert_array_equal(instance_matrices(Gltf({"nodes": [{"mesh": 0}]}, []), 0), np.eye(4)[None])


def test_missing_attributes_are_the_identity() -> None:
    matrices = instance_matrices(file_of({"TRANSLATION": 0}, MOVES), 0)
    np.testing.assert_array_equal(matrices[:, :3, 3], MOVES)
    np.testing.assert_array_equal(matrices[:, :3, :3], np.tile(np.eye(3), (2, 1, 1)))


def test_all_three_together() -> None:
    turn, size = np.array([[0, 0, 1, 0]]), np.array([[2, 3, 4]])
    attributes = {"TRANSLATION": 0, "ROTATION": 1, "SCALE": 2}
    (matrix,) = instance_matrices(file_of(attributes, MOVES[:1], turn, size), 0)
    np.testing.assert_array_equal(matrix @ (1, 1, 1, 1), (1 - 2, 2 - 3, 3 + 4, 1))


@pytest.mark.parametrize(
    ("attributes", "arrays"),
    [
        ({}, []),
        ({"_ID": 0}, [MOVES]),
        ({"TRANSLATION": 9}, [MOVES]),
        ({"TRANSLATION": -1}, [MOVES]),
        ({"TRANSLATION": "0"}, [MOVES]),
        ({"TRANSLATION": 0, "SCALE": 1}, [MOVES, MOVES[:1]]),
        ({"ROTATION": 0}, [MOVES]),
        ([], [MOVES]),
        (None, [MOVES]),
    ],
)
def test_attributes_that_make_no_sense(attributes: Any, arrays: list[np.ndarray]) -> None:
    with pytest.raises(GlbError):
        instance_matrices(file_of(attributes, *arrays), 0)


def nodes(*items: dict[str, Any]) -> Gltf:
    return Gltf({"nodes": list(items)}, [])


def lod(*ids: Any) -> dict[str, Any]:
    return {"extensions": {"MSFT_lod": {"ids": list(ids)}}}


def test_a_level_stands_below_the_parent_of_level_0() -> None:
    gltf = nodes({"children": [1]}, lod(2, 3), {}, {"children": [4]}, {})
    assert posed_parents(gltf, node_parents(gltf)).tolist() == [-1, 0, 0, 0, 3]


def test_a_level_with_a_parent_of_its_own_stays_there() -> None:
    gltf = nodes({"children": [1]}, lod(3), {"children": [3]}, {})
    assert posed_parents(gltf, node_parents(gltf)).tolist() == [-1, 0, -1, 2]


def test_a_level_above_its_own_level_0_is_a_circle() -> None:
    gltf = nodes({"children": [1]}, lod(0))
    with pytest.raises(GlbError, match="own ancestors"):
        depth_order(posed_parents(gltf, node_parents(gltf)))


@pytest.mark.parametrize("ids", [[7], [-1], ["1"], [None]])
def test_ids_that_make_no_sense(ids: list[Any]) -> None:
    gltf = nodes({"children": [1]}, lod(*ids))
    with pytest.raises(GlbError):
        posed_parents(gltf, node_parents(gltf))
