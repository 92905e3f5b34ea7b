"""Animations: layout of samplers, what is shared, names, pointers, and clips that break their contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import pytest

from tests.builders.assets import asset, faces, frame, geometry, material, one_mesh, shape, source, submesh
from tests.reference.gltf_accessors import buffers_of, read_accessor
from tests.unit.evaluate.clip_by_hand import COLOR, HIP, moving, moving_by_hand, track, walk
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.animations import AnimationNames
from unity2gltf.emit.document import Document, build_document
from unity2gltf.emit.write import write_document
from unity2gltf.ir import Asset, Clip, Node, Path, Space, Track
from unity2gltf.normalize.space import to_gltf

VISIBLE = "/nodes/0/extensions/KHR_node_visibility/visible"


def written(shown: Asset) -> tuple[Document, list[str]]:
    diagnostics = Diagnostics()
    if shown.space is Space.UNITY:
        shown = to_gltf(shown, 8, Diagnostics())
    return build_document(shown, diagnostics), told(diagnostics)


def told(diagnostics: Diagnostics) -> list[str]:
    """Codes reported, but for what the meshes alone are told for."""
    names = [item.code.name for item in diagnostics.items]
    return [name for name in names if name not in ("VERTEX_COLORS_IGNORED", "SHAPE_FRAMES")]


def clip(*tracks: Track, name: str = "Clip", rig: int = 0, **more: Any) -> Clip:
    return Clip(
        name=name, source=source(70, "AnimationClip"), rig=rig, duration=2.0, channels=(), tracks=tracks, **more
    )


def glide(node: int = 0, **more: Any) -> Track:
    return track(node, Path.TRANSLATION, "LINEAR", (0, 2), [(1, 2, 3), (4, 5, 6)], **more)


def moved(*tracks: Track, **more: Any) -> Asset:
    """Shapes on a strip, a second node without a mesh, and a material."""
    built = faces()
    nodes = (built.nodes[0], Node(name="Twin"))
    return replace(built, nodes=nodes, materials=(material(),), clips=(clip(*tracks),) if tracks else (), **more)


def array(document: Document, index: int) -> np.ndarray[Any, Any]:
    """Scalars flat, vectors in rows."""
    values = read_accessor(document.json, buffers_of(document.json, document.chunks), index)
    return values[:, 0] if values.shape[1] == 1 else values


def test_every_sampler_is_the_one_worked_out_by_hand(tmp_path: FilePath) -> None:
    document, codes = written(moving())
    hand, (item,) = moving_by_hand(), document.json["animations"]
    expected = hand.json["animations"][0]
    assert codes == [] or set(codes) == {"UV_SETS_RENUMBERED"}
    assert [channel["target"] for channel in item["channels"]] == [c["target"] for c in expected["channels"]]
    for found, wanted in zip(item["samplers"], expected["samplers"], strict=True):
        assert found.get("interpolation", "LINEAR") == wanted["interpolation"]
        for key in ("input", "output"):
            np.testing.assert_array_equal(array(document, found[key]), hand.arrays[wanted[key]])
            assert document.json["accessors"][found[key]]["type"] == hand.json["accessors"][wanted[key]]["type"]
    assert item["extras"]["unity"] == {**source(70, "AnimationClip").mark(), "loop": True, "rig": 0}
    assert document.json["extensionsUsed"] == ["KHR_animation_pointer"]
    assert document.stats["clips"] == 1 and document.stats["channels"] == 7
    write_document(document, tmp_path / "walk.glb", format="glb", max_glb=1 << 30, diagnostics=Diagnostics())


def test_key_times_have_bounds_and_views_of_animations_neither_target_nor_stride() -> None:
    document, _ = written(moving())
    for sampler in document.json["animations"][0]["samplers"]:
        times, values = (document.json["accessors"][sampler[key]] for key in ("input", "output"))
        assert times["min"] == [0.0] and times["max"] == [2.0]
        assert "min" not in values
        for accessor in (times, values):
            assert not {"target", "byteStride"} & document.json["bufferViews"][accessor["bufferView"]].keys()


def test_equal_tracks_share_accessors_over_the_file_and_samplers_within_an_animation() -> None:
    other = replace(clip(glide(1), name="Other"), source=source(71, "AnimationClip"))
    document, _ = written(replace(moved(glide(0), glide(1)), clips=(clip(glide(0), glide(1)), other)))
    first, second = document.json["animations"]
    assert len(first["samplers"]) == 1 and [c["sampler"] for c in first["channels"]] == [0, 0]
    assert first["samplers"] == second["samplers"]


def test_equal_numbers_of_other_types_are_not_shared() -> None:
    row = track(0, Path.WEIGHTS, "LINEAR", (0, 1, 2, 3, 4), np.arange(25).reshape(5, 5))
    again = track(1, Path.TRANSLATION, "LINEAR", (0, 1, 2), np.arange(9).reshape(3, 3))
    document, _ = written(moved(row, again))
    samplers = document.json["animations"][0]["samplers"]
    kinds = [document.json["accessors"][s["output"]]["type"] for s in samplers]
    assert kinds == ["SCALAR", "VEC3"]


def test_weights_of_a_spline_are_in_value_out_key_by_key() -> None:
    values = np.arange(10).reshape(2, 5)
    document, _ = written(moved(track(0, Path.WEIGHTS, "CUBICSPLINE", (0, 1), values, (values + 100, values + 200))))
    found = array(document, document.json["animations"][0]["samplers"][0]["output"])
    one = [*range(100, 105), *range(5), *range(200, 205)]
    assert found.tolist() == [*one, *(number + 5 for number in one)]


@pytest.mark.parametrize(("width", "kind"), [(1, "SCALAR"), (2, "VEC2"), (3, "VEC3"), (4, "VEC4")])
def test_pointers_are_written_by_their_width(width: int, kind: str) -> None:
    document, _ = written(moved(pointing("/materials/0/alphaCutoff", width)))
    (sampler,) = document.json["animations"][0]["samplers"]
    assert document.json["accessors"][sampler["output"]]["type"] == kind


def pointing(pointer: str, width: int = 4, mode: str = "STEP") -> Track:
    return track(-1, Path.POINTER, mode, (0, 2), np.ones((2, width)), pointer=pointer)


def test_a_pointer_to_an_extension_makes_its_object_and_truth_is_bytes(tmp_path: FilePath) -> None:
    hidden = track(-1, Path.POINTER, "STEP", (0, 1, 2), [[1], [0], [0.5]], pointer=VISIBLE)
    document, _ = written(moved(hidden, pointing(COLOR)))
    assert document.json["nodes"][0]["extensions"] == {"KHR_node_visibility": {}}
    assert document.json["extensionsUsed"] == ["KHR_animation_pointer", "KHR_node_visibility"]
    found = array(document, document.json["animations"][0]["samplers"][0]["output"])
    assert found.tolist() == [1, 0, 1]
    (truth, _) = document.json["animations"][0]["samplers"]
    assert document.json["accessors"][truth["output"]]["componentType"] == 5121
    target = document.json["animations"][0]["channels"][0]["target"]
    assert target == {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": VISIBLE}}}
    write_document(document, tmp_path / "pointer.glb", format="glb", max_glb=1 << 30, diagnostics=Diagnostics())


def test_weights_under_a_pointer_are_a_list_of_any_length() -> None:
    document, _ = written(moved(pointing("/meshes/0/weights", 5)))
    (sampler,) = document.json["animations"][0]["samplers"]
    assert document.json["accessors"][sampler["output"]]["count"] == 10


def test_without_tracks_there_is_no_animation() -> None:
    document, codes = written(replace(moved(), clips=(clip(),)))
    assert "animations" not in document.json and codes == [] and document.stats["clips"] == 0


def test_names_are_made_unique_by_the_rig_then_by_number() -> None:
    clips = (clip(glide(), name="run"), clip(glide(), name="run", rig=1), clip(glide(), name="run", rig=1))
    document, _ = written(replace(moved(), clips=(*clips, clip(glide(), name="run@Twin#2"), clip(glide(), name=""))))
    names = [item.get("name") for item in document.json["animations"]]
    assert names == ["run", "run@Twin", "run@Twin#2", "run@Twin#2@Face", ""]


def test_thousands_of_equal_names_all_become_unique() -> None:
    names = AnimationNames()
    assert len({names.unique("idle", "rig") for _ in range(20_000)}) == 20_000


def test_extras_cannot_hide_where_a_clip_comes_from() -> None:
    document, _ = written(replace(moved(), clips=(clip(glide(), extras={"path_id": 1, "rig": "x", "source": "y"}),)))
    unity = document.json["animations"][0]["extras"]["unity"]
    assert (unity["path_id"], unity["rig"], unity["source"]) == ("70", 0, "y")


def test_text_that_utf8_cannot_hold_is_replaced() -> None:
    document, codes = written(replace(moved(), clips=(clip(glide(), name="a\ud800"),)))
    assert document.json["animations"][0]["name"] == "a\ufffd" and codes == ["TEXT_REPLACED"]


NAN, ONES = float("nan"), np.ones((2, 3))
BROKEN: dict[str, Callable[[], Track]] = {
    "no such node": lambda: glide(9),
    "a node below zero": lambda: glide(-1),
    "weights without a mesh": lambda: track(1, Path.WEIGHTS, "STEP", (0,), [[1] * 5]),
    "weights of other targets": lambda: track(0, Path.WEIGHTS, "STEP", (0,), [[1] * 4]),
    "euler angles": lambda: track(0, Path.EULER, "STEP", (0,), [[0, 0, 0]]),
    "a rotation of three numbers": lambda: track(0, Path.ROTATION, "STEP", (0,), [[0, 0, 1]]),
    "a pointer of five numbers": lambda: pointing(COLOR, 5),
    "a pointer without components": lambda: pointing("/meshes/0/weights", 0),
    "a pointer to nothing": lambda: pointing("/materials/1/pbrMetallicRoughness/baseColorFactor"),
    "a pointer to a list's end": lambda: pointing("/nodes/0/weights/7", 1),
    "a pointer without a slash": lambda: pointing("materials/0/alphaCutoff", 1),
    "truth between true and false": lambda: pointing(VISIBLE, 1, "LINEAR"),
    "no keys": lambda: replace(glide(), times=np.zeros(0, np.float32), values=np.zeros((0, 3), np.float32)),
    "one key of a spline": lambda: track(0, Path.SCALE, "CUBICSPLINE", (0,), ONES[:1], (ONES[:1], ONES[:1])),
    "negative times": lambda: track(0, Path.SCALE, "STEP", (-1, 0), ONES),
    "equal times": lambda: track(0, Path.SCALE, "STEP", (1, 1), ONES),
    "times that are NaN": lambda: track(0, Path.SCALE, "STEP", (0, NAN), ONES),
    "times without end": lambda: track(0, Path.SCALE, "STEP", (0, np.inf), ONES),
    "double times": lambda: replace(glide(), times=np.arange(2.0)),
    "double values": lambda: replace(glide(), values=ONES),
    "values that are NaN": lambda: track(0, Path.SCALE, "STEP", (0, 1), ONES * NAN),
    "a slope without end": lambda: track(0, Path.SCALE, "CUBICSPLINE", (0, 1), ONES, (ONES, ONES * np.inf)),
    "more values than times": lambda: track(0, Path.SCALE, "STEP", (0,), ONES),
    "flat values": lambda: replace(glide(), values=np.ones(2, np.float32)),
    "a spline without tangents": lambda: track(0, Path.SCALE, "CUBICSPLINE", (0, 1), ONES),
    "a spline without out-tangents": lambda: replace(
        track(0, Path.SCALE, "CUBICSPLINE", (0, 1), ONES, (ONES, ONES)), out_tangents=None
    ),
    "tangents of another width": lambda: track(0, Path.SCALE, "CUBICSPLINE", (0, 1), ONES, (ONES, np.ones((2, 4)))),
    "tangents of a line": lambda: track(0, Path.SCALE, "LINEAR", (0, 1), ONES, (ONES, ONES)),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_clip_is_left_out_whole_and_the_others_go_on(what: str) -> None:
    bad = replace(clip(glide(1), BROKEN[what]()), name="Bad", source=source(71, "AnimationClip"))
    document, codes = written(replace(moved(), clips=(bad, clip(glide()))))
    assert codes == ["CLIP_INVALID"]
    assert [item["name"] for item in document.json["animations"]] == ["Clip"]
    assert document.stats["channels"] == 1
    alone, _ = written(moved(glide()))
    assert len(document.json["accessors"]) == len(alone.json["accessors"]), "nothing of it was written"


def test_a_clip_of_no_rig_is_left_out() -> None:
    assert written(replace(moved(), clips=(clip(glide(), rig=2),)))[1] == ["CLIP_INVALID"]


@pytest.mark.parametrize("twice", [(glide(), glide()), (pointing(COLOR), pointing(COLOR, 4, "LINEAR"))])
def test_two_tracks_for_one_target_are_a_fault(twice: tuple[Track, Track]) -> None:
    diagnostics = Diagnostics()
    build_document(moved(*twice), diagnostics)
    assert told(diagnostics) == ["CLIP_INVALID"]
    assert diagnostics.items[-1].where.startswith('level0:70/AnimationClip "Clip"')


def test_one_node_may_have_all_its_parts_moved() -> None:
    assert written(moved(glide(), track(0, Path.SCALE, "STEP", (0,), [(1, 1, 1)]), pointing(VISIBLE, 1)))[1] == []


def test_a_stub_is_a_triangle_in_one_place_with_targets_that_cost_nothing(tmp_path: FilePath) -> None:
    """What a file of animations alone has where weights are driven."""
    shapes = tuple(shape(f"s{number}", frame(0.5, {}), frame(1.0, {})) for number in range(50))
    stub = geometry(np.zeros((3, 3)), [submesh([0, 1, 2])], shapes=shapes, stub=True)
    drive = track(0, Path.WEIGHTS, "LINEAR", (0, 1), np.eye(2, 100))
    document, codes = written(replace(one_mesh(stub), clips=(clip(drive),)))
    (mesh,) = document.json["meshes"]
    assert codes == [] and mesh["extras"]["unity"]["stub"] is True
    assert len(mesh["primitives"][0]["targets"]) == len(mesh["extras"]["targetNames"]) == 100
    assert len({target["POSITION"] for target in mesh["primitives"][0]["targets"]}) == 1
    assert sum(map(len, document.chunks[:3])) < 100, "vertices, zeros and indices"
    write_document(document, tmp_path / "stub.glb", format="glb", max_glb=1 << 30, diagnostics=Diagnostics())


def test_a_thousand_tracks_are_a_thousand_channels_that_share_their_times() -> None:
    random = np.random.default_rng(1)
    nodes = [Node(name=str(number)) for number in range(1000)]
    keys = [random.random((3, 40, 4)).astype(np.float32) for _ in nodes]
    tracks = [
        track(node, Path.ROTATION, "CUBICSPLINE", np.arange(40), v, (a, b)) for node, (v, a, b) in enumerate(keys)
    ]
    document, _ = written(asset(nodes, clips=(clip(*tracks),)))
    assert document.stats["channels"] == 1000
    assert len({sampler["input"] for sampler in document.json["animations"][0]["samplers"]}) == 1


def test_arrays_that_need_no_interleaving_are_not_copied() -> None:
    values = np.ones((1000, 3), np.float32)
    one = replace(glide(), times=np.arange(1000, dtype=np.float32), values=values)
    document, _ = written(moved(one))
    sampler = document.json["animations"][0]["samplers"][0]
    view = document.json["accessors"][sampler["output"]]["bufferView"]
    assert np.shares_memory(np.frombuffer(document.chunks[view], np.uint8), values)


def test_a_glide_of_unity_is_mirrored_on_the_way(tmp_path: FilePath) -> None:
    document, _ = written(replace(moving(walk(tracks=(glide(HIP),))), space=Space.UNITY))
    found = array(document, document.json["animations"][0]["samplers"][0]["output"])
    assert found.tolist() == [[-1, 2, 3], [-4, 5, 6]]
