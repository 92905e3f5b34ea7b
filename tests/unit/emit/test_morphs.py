"""Morph targets: names, weights, dense and sparse, semantics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.builders.assets import UP, faces, frame, one_mesh, quad_geometry, shape, strip_geometry
from tests.reference.gltf_accessors import buffers_of, read_accessor
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.emit.document import Document, build_document
from unity2gltf.emit.morphs import target_weights
from unity2gltf.ir import Asset, Geometry


def written(asset: Asset, *, sparse: bool = False) -> tuple[Document, list[str]]:
    diagnostics = Diagnostics()
    return build_document(asset, diagnostics, sparse_morphs=sparse), [item.code.name for item in diagnostics.items]


def targets_of(document: Document) -> list[dict[str, int]]:
    return document.json["meshes"][0]["primitives"][0]["targets"]


def decoded(document: Document, index: int) -> np.ndarray[Any, Any]:
    return read_accessor(document.json, buffers_of(document.json, document.chunks), index)


def many_vertices(*frames: Any, count: int = 100) -> Geometry:
    return strip_geometry(count, shapes=tuple(shape(f"s{n}", one) for n, one in enumerate(frames)))


def test_frames_become_targets_named_after_their_weight() -> None:
    document, codes = written(faces())
    assert document.json["meshes"][0]["extras"]["targetNames"] == ["Smile@50", "Smile", "Blink", "Nothing", "Puff"]
    assert len(targets_of(document)) == 5 and codes == ["SHAPE_FRAMES"]


def test_names_that_clash_are_numbered_and_reported() -> None:
    still = frame(1.0, {})
    shapes = (shape("A", still), shape("A", still), shape("A#2", still), shape("A", frame(0.125, {}), still))
    document, codes = written(one_mesh(strip_geometry(shapes=shapes)))
    names = document.json["meshes"][0]["extras"]["targetNames"]
    assert names == ["A", "A#2", "A#2#2", "A@12.5", "A#3"]
    assert codes == ["SHAPE_RENAMED", "SHAPE_FRAMES"]


def test_default_weights_are_spread_over_frames() -> None:
    document, _ = written(faces())
    # Smile at 0.75 lies half-way between its frames of 0.5 and 1
    assert document.json["meshes"][0]["weights"] == [0.5, 0.5, 0.5, 0.0, 0.0]
    assert document.json["nodes"][1]["weights"] == [0.5, 0.0, 0.0, 0.0, 1.0]
    assert "weights" not in document.json["nodes"][0]


def test_weights_too_few_are_zero_and_too_many_are_ignored() -> None:
    shapes = (shape("a", frame(1.0, {})), shape("b", frame(2.0, {})))
    assert target_weights(shapes, (0.5,)) == [0.5, 0.0]
    assert target_weights(shapes, (0.5, 1.0, 9.0)) == [0.5, 0.5]


@pytest.mark.parametrize("sparse", [False, True])
def test_sparse_and_dense_targets_hold_the_stored_deltas(sparse: bool) -> None:
    document, _ = written(faces(), sparse=sparse)
    targets = targets_of(document)
    smile = np.zeros((40, 3))
    smile[1], smile[3] = (0, 2, 0), (0, -1, 0.25)
    np.testing.assert_array_equal(decoded(document, targets[1]["POSITION"]), smile)
    puff = decoded(document, targets[4]["POSITION"])
    assert puff[:, 2].tolist() == [v / 8 for v in range(40)]
    kinds = ["sparse" in document.json["accessors"][target["POSITION"]] for target in targets]
    assert kinds == [sparse, sparse, sparse, False, False]  # Nothing is all zeros, Puff moves everything


def test_sparse_bounds_include_the_vertices_left_at_zero() -> None:
    document, _ = written(faces(), sparse=True)
    accessor = document.json["accessors"][targets_of(document)[1]["POSITION"]]
    assert accessor["min"] == [0, -1, 0] and accessor["max"] == [0, 2, 0.25]
    lonely = many_vertices(*[frame(1.0, {v: (1, 2, 3)}) for v in range(5)])
    document, _ = written(one_mesh(lonely), sparse=True)
    assert document.json["accessors"][targets_of(document)[0]["POSITION"]]["min"] == [0, 0, 0]


def test_sparse_accessors_have_no_base_and_their_views_no_target() -> None:
    document, _ = written(faces(), sparse=True)
    json = document.json
    sparse = [accessor for accessor in json["accessors"] if "sparse" in accessor]
    assert len(sparse) == 4  # three positions and the normals of Blink
    for accessor in sparse:
        assert "bufferView" not in accessor
        for part in ("indices", "values"):
            view = json["bufferViews"][accessor["sparse"][part]["bufferView"]]
            assert "target" not in view and "byteStride" not in view


def test_what_sparse_targets_would_save_is_told_where_it_is_much() -> None:
    few = many_vertices(*[frame(1.0, {3: (1, 0, 0)})] * 20, count=100_000)
    document, codes = written(one_mesh(few))
    assert codes == ["SHAPE_DENSE"] and not any("sparse" in accessor for accessor in document.json["accessors"])
    assert written(one_mesh(few), sparse=True)[1] == []


def test_one_frames_semantics_share_their_index_view() -> None:
    document, _ = written(faces(), sparse=True)
    blink = targets_of(document)[2]
    views = [document.json["accessors"][index]["sparse"]["indices"]["bufferView"] for index in blink.values()]
    assert list(blink) == ["POSITION", "NORMAL"] and views[0] == views[1]


def test_all_zero_targets_share_a_plain_accessor() -> None:
    document, _ = written(faces())
    targets = targets_of(document)
    nothing = targets[3]
    assert nothing["POSITION"] == nothing["NORMAL"] == targets[0]["NORMAL"] == targets[4]["NORMAL"]
    accessor = document.json["accessors"][nothing["POSITION"]]
    assert "sparse" not in accessor and accessor["min"] == accessor["max"] == [0, 0, 0]


def test_every_target_has_the_same_semantics() -> None:
    document, _ = written(faces())
    assert {tuple(target) for target in targets_of(document)} == {("POSITION", "NORMAL")}


def test_rows_that_change_nothing_are_left_out() -> None:
    moved = frame(1.0, {2: (0, 0, 0), 5: (1, 0, 0), 9: (-0.0, 0, 0)})
    document, _ = written(one_mesh(many_vertices(moved, moved)), sparse=True)
    assert document.json["accessors"][targets_of(document)[0]["POSITION"]]["sparse"]["count"] == 1


def test_vertices_out_of_order_are_sorted_and_the_last_of_a_twin_counts() -> None:
    mixed = frame(1.0, {9: (9, 0, 0), 2: (2, 0, 0)})
    object.__setattr__(mixed, "indices", np.array([9, 2, 9, 1]))
    object.__setattr__(mixed, "positions", np.array([(9, 0, 0), (2, 0, 0), (8, 0, 0), (0, 0, 0)], np.float32))
    document, _ = written(one_mesh(many_vertices(mixed, mixed)), sparse=True)
    index = targets_of(document)[0]["POSITION"]
    sparse = document.json["accessors"][index]["sparse"]
    assert bytes(document.chunks[sparse["indices"]["bufferView"]]) == np.array([2, 9], "<u2").tobytes()
    values = decoded(document, index)
    assert values[2].tolist() == [2, 0, 0] and values[9].tolist() == [8, 0, 0]


@pytest.mark.parametrize("vertex", [-1, 100])
def test_a_frame_beyond_the_vertices_is_a_fault(vertex: int) -> None:
    with pytest.raises(Fault) as caught:
        written(one_mesh(many_vertices(frame(1.0, {vertex: (1, 0, 0)}))))
    assert caught.value.code.name == "SHAPE_INVALID"


def test_normal_deltas_without_normals_are_reported() -> None:
    shapes = (shape("s", frame(1.0, {1: (1, 0, 0)}, normals=[(0, 1, 0)])),)
    document, codes = written(one_mesh(strip_geometry(shapes=shapes)))
    assert list(targets_of(document)[0]) == ["POSITION"] and codes == ["MESH_ATTRIBUTE_DROPPED"]


def test_tangent_deltas_are_vec3() -> None:
    moved = frame(1.0, {1: (1, 0, 0)}, normals=[(0, 1, 0)], tangents=[(0, 0, 1)])
    document, codes = written(one_mesh(quad_geometry(normals=UP, shapes=(shape("s", moved),))))
    target = targets_of(document)[0]
    assert list(target) == ["POSITION", "NORMAL", "TANGENT"] and codes == ["VERTEX_COLORS_IGNORED"]
    assert document.json["accessors"][target["TANGENT"]]["type"] == "VEC3"
    assert decoded(document, target["TANGENT"])[1].tolist() == [0, 0, 1]


def test_sparse_accessors_write_their_offsets_of_zero_for_readers_that_need_them() -> None:
    json = build_document(faces(400), Diagnostics(), sparse_morphs=True).json
    sparse = [accessor["sparse"] for accessor in json["accessors"] if "sparse" in accessor]
    assert sparse
    assert all(part["indices"]["byteOffset"] == part["values"]["byteOffset"] == 0 for part in sparse)
