"""The round trip passes a file written by hand and catches every kind of damage: what the package is for."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.unit.evaluate.draft import Draft
from tests.unit.evaluate.handmade import by_hand, figure, influences, strip
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.ir import Asset, Mesh, Primitive
from unity2gltf.validate.measure import EPS32, FACTOR
from unity2gltf.validate.roundtrip import RoundTrip, roundtrip


def check(unity: Asset, draft: Draft, level: str = "quick", max_influences: int = 8) -> RoundTrip:
    diagnostics = Diagnostics()
    result = roundtrip(unity, parse_glb(draft.glb()), level, diagnostics=diagnostics, max_influences=max_influences)
    names = [item.code.name for item in diagnostics.items]
    assert names == ([] if result.passed else ["ROUNDTRIP_FAILED"])
    json.dumps([result.to_json(), [item.to_json() for item in diagnostics.items]], allow_nan=False)
    return result


@pytest.mark.parametrize(("level", "poses"), [("quick", 3 + 3), ("full", 17 + 5 + 5)])
def test_a_right_file_passes(level: str, poses: int) -> None:
    result = check(figure(), by_hand(figure()), level)
    assert result.passed and result.problems == [] and result.cut is None
    assert result.poses == poses
    assert result.max_error_m <= result.tolerance_m < 1e-4
    assert 0 <= result.rms_error_m <= result.max_error_m
    random = {"quick": 2, "full": 16}[level]
    assert result.vertices == 8 * (2 + 2 * random + poses - 1 - random), "two nodes at rest and in each pose"


def test_the_same_poses_each_time() -> None:
    assert check(figure(), by_hand(figure()), "full") == check(figure(), by_hand(figure()), "full")


def test_only_signs_change() -> None:
    """Without JSON's or float32's rounding there is no difference at all."""
    result = check(figure(), by_hand(figure()))
    assert result.max_error_m < 1e-6  # a rotation of float32 in the JSON is all that is rounded


# --- damage ---------------------------------------------------------------------------------------------------------


def attributes(draft: Draft, primitive: int = 0) -> dict[str, int]:
    names: dict[str, int] = draft.json["meshes"][0]["primitives"][primitive]["attributes"]
    return names


def accessor(draft: Draft, name: str) -> np.ndarray:
    return draft.arrays[attributes(draft)[name]]


def target(draft: Draft, number: int, semantic: str = "POSITION") -> np.ndarray:
    return draft.arrays[draft.json["meshes"][0]["primitives"][0]["targets"][number][semantic]]


def inverse(draft: Draft) -> np.ndarray:
    return draft.arrays[draft.json["skins"][0]["inverseBindMatrices"]]


def indices(draft: Draft, primitive: int = 0) -> np.ndarray:
    return draft.arrays[draft.json["meshes"][0]["primitives"][primitive]["indices"]]


def negate(array: np.ndarray, *where: int) -> None:
    assert array[where] != 0
    array[where] *= -1


def transpose(matrices: np.ndarray) -> None:
    matrices[:] = matrices.reshape(-1, 4, 4).transpose(0, 2, 1).reshape(-1, 16)


def swap_weights(draft: Draft) -> None:
    weights = accessor(draft, "WEIGHTS_0")
    weights[:, [0, 1]] = weights[:, [1, 0]]


def swap_joints(draft: Draft) -> None:
    draft.json["skins"][0]["joints"].reverse()


def drop_target(draft: Draft) -> None:
    for mesh in draft.json["meshes"]:
        for primitive in mesh["primitives"]:
            del primitive["targets"][1]


def swap_targets(draft: Draft) -> None:
    for mesh in draft.json["meshes"]:
        for primitive in mesh["primitives"]:
            primitive["targets"][:2] = primitive["targets"][1::-1]


def turn_first_triangle(draft: Draft) -> None:
    indices(draft)[:3] = indices(draft)[[0, 2, 1]]


def reverse_all_triangles(draft: Draft) -> None:
    indices(draft)[:] = indices(draft).reshape(-1, 3)[:, ::-1].ravel()


def swap_triangles(draft: Draft) -> None:
    indices(draft)[:6] = indices(draft)[[3, 4, 5, 0, 1, 2]]


def unflip_v(draft: Draft) -> None:
    uv = accessor(draft, "TEXCOORD_0")
    uv[:, 1] = 1 - uv[:, 1]


def swap_uv_sets(draft: Draft) -> None:
    names = attributes(draft)
    names["TEXCOORD_0"], names["TEXCOORD_1"] = names["TEXCOORD_1"], names["TEXCOORD_0"]


def rename_attribute(draft: Draft) -> None:
    names = attributes(draft)
    names["_COLOR"] = names.pop("COLOR_0")


def shift(array: np.ndarray, by: float, *where: int) -> None:
    array[where] += by


def not_a_number(draft: Draft) -> None:
    accessor(draft, "POSITION")[3, 1] = np.nan
    draft.bounds.clear()


def reparent(draft: Draft) -> None:
    draft.json["nodes"][1]["children"] = [2]
    draft.json["nodes"][0]["children"].append(5)
    del draft.json["nodes"][2]["children"]


def node(draft: Draft, index: int) -> dict[str, Any]:
    item: dict[str, Any] = draft.json["nodes"][index]
    return item


def primitive_mark(draft: Draft) -> dict[str, Any]:
    mark: dict[str, Any] = draft.json["meshes"][0]["primitives"][0]["extras"]["unity"]
    return mark


DAMAGES: dict[str, tuple[Callable[[Draft], Any], str]] = {
    "sign in a joint's matrix": (lambda d: negate(inverse(d), 0, 1), "inverse bind"),
    "inverse bind transposed": (lambda d: transpose(inverse(d)), "inverse bind"),
    "inverse bind not mirrored": (lambda d: negate(inverse(d), 1, 12), "inverse bind"),
    "sign of a position": (lambda d: negate(accessor(d, "POSITION"), 5, 0), "up to"),
    "position off by a hair": (lambda d: shift(accessor(d, "POSITION"), 1e-3, 5, 2), "up to"),
    "position not a number": (not_a_number, "not finite"),
    "weights swapped": (swap_weights, "up to"),
    "weights off by a hundredth": (lambda d: shift(accessor(d, "WEIGHTS_0"), 0.01, 0, 0), "up to"),
    "joint of another bone": (lambda d: shift(accessor(d, "JOINTS_0"), 1, 2, 0), "up to"),
    "joints in another order": (swap_joints, "joints differ"),
    "triangle turned": (turn_first_triangle, "1 of 6 triangles differ"),
    "all triangles as in Unity": (reverse_all_triangles, "6 of 6 triangles differ"),
    "triangles swapped": (swap_triangles, "2 of 6 triangles differ"),
    "line's end": (lambda d: shift(indices(d, 1), 1, 2), "indices: 1 differ"),
    "mode": (lambda d: d.json["meshes"][0]["primitives"][1].update(mode=3), "its mode is 3"),
    "shape frame missing": (drop_target, "morph targets"),
    "shapes in another order": (swap_targets, 'shape "Smile"'),
    "delta not mirrored": (lambda d: negate(target(d, 0), 2, 0), 'shape "Smile"'),
    "first frame empty": (lambda d: target(d, 1).fill(0), 'shape "Blink" at 0.5'),
    "normal delta not mirrored": (lambda d: negate(target(d, 0, "NORMAL"), 2, 0), "targets/0/NORMAL"),
    "default weight of the node": (lambda d: node(d, 4)["weights"].__setitem__(0, 0.5), "default weights"),
    "default weight of the mesh": (lambda d: d.json["meshes"][0]["weights"].__setitem__(0, 0.1), "default weights"),
    "node without its weights": (lambda d: node(d, 4).pop("weights"), "default weights"),
    "v not flipped": (unflip_v, "TEXCOORD_0"),
    "UV sets swapped": (swap_uv_sets, "TEXCOORD_0"),
    "UV set missing": (lambda d: attributes(d).pop("TEXCOORD_1"), "TEXCOORD_1 are missing"),
    "normal not mirrored": (lambda d: negate(accessor(d, "NORMAL"), 1, 0), "NORMAL: 1 of 8"),
    "tangent not mirrored": (lambda d: negate(accessor(d, "TANGENT"), 1, 0), "TANGENT: 1 of 8"),
    "tangent's handedness": (lambda d: negate(accessor(d, "TANGENT"), 1, 3), "handedness"),
    "colour": (lambda d: shift(accessor(d, "COLOR_0"), 1, 4, 2), "COLOR_0"),
    "colour under another name": (rename_attribute, "COLOR_0 are missing"),
    "material of a primitive": (lambda d: d.json["meshes"][0]["primitives"][0].pop("material"), "material is None"),
    "material of a primitive that has none": (
        lambda d: d.json["meshes"][0]["primitives"][1].update(material=0), "wanted is None",
    ),
    "materials missing": (lambda d: d.json.update(materials=[]), "1 materials in Unity"),
    "unlit in the file alone": (
        lambda d: d.json["materials"][0].update(extensions={"KHR_materials_unlit": {}}), "unlit is False in Unity",
    ),
    "material's extensions no object": (
        lambda d: d.json["materials"][0].update(extensions=[]), "/materials/0/extensions",
    ),
    "name of a node": (lambda d: node(d, 2).update(name="Elbow"), "it is called"),
    "translation not mirrored": (lambda d: node(d, 2)["translation"].__setitem__(0, 0.25), "translation"),
    "rotation not mirrored": (lambda d: node(d, 1)["rotation"].__setitem__(0, -(0.5**0.5)), "rotation"),
    "rotation not of unit length": (lambda d: node(d, 1).update(rotation=[0.7071, 0, 0, 0.7071]), "rotation"),
    "scale": (lambda d: node(d, 0).update(scale=[2, 2, 1.999]), "scale"),
    "parent": (reparent, "its parent is"),
    "roots in another order": (lambda d: d.json["scenes"][0]["nodes"].reverse(), "roots"),
    "no scene": (lambda d: (d.json.pop("scenes"), d.json.pop("scene")), "no scene"),
    "node without its mesh": (lambda d: node(d, 5).pop("mesh"), "its mesh is 1 in Unity, None"),
    "node without its skin": (lambda d: node(d, 4).pop("skin"), "its skin is 0 in Unity, None"),
    "a node more": (lambda d: d.json["nodes"].append({}), "6 nodes in Unity, 7"),
    "a mesh less": (lambda d: (d.json["meshes"].pop(), node(d, 5).pop("mesh")), "2 meshes in Unity, 1"),
    "a primitive less": (lambda d: d.json["meshes"][0]["primitives"].pop(), "2 primitives in Unity, 1"),
    "no names of targets": (lambda d: d.json["meshes"][0]["extras"].pop("targetNames"), "have 0 names"),
    "name of a target": (lambda d: d.json["meshes"][0]["extras"]["targetNames"].reverse(), "called 'Blink', wanted"),
    "mark of a node": (lambda d: node(d, 1)["extras"]["unity"].update(path_id="12"), "/nodes/1: its source mark"),
    "mark of a mesh": (lambda d: d.json["meshes"][1].pop("extras"), "/meshes/1: its source mark"),
    "another GameObject": (lambda d: node(d, 4)["extras"]["unity"].update(node=2), "names node 2"),
    "number of a submesh": (lambda d: primitive_mark(d).update(submesh=1), "its submesh is 1"),
    "map of UV sets": (lambda d: primitive_mark(d)["uv"].update({"1": 1}), "its UV sets are"),
    "extras no object": (lambda d: node(d, 1).update(extras=[]), "/nodes/1/extras"),
    "accessor out of its buffer": (lambda d: d.json["accessors"][0].update(count=9), "wanted are|ends at byte"),
    "attributes no object": (lambda d: d.json["meshes"][0]["primitives"][0].update(attributes=[]), "object is wanted"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_caught(name: str) -> None:
    damage, complaint = DAMAGES[name]
    draft = by_hand(figure())
    damage(draft)
    result = check(figure(), draft)
    assert not result.passed
    text = "\n".join(result.problems)
    assert re.search(complaint, text), text


POSED = [
    "sign in a joint's matrix", "inverse bind transposed", "joints in another order", "shape frame missing",
    "default weight of the node", "translation not mirrored", "rotation not mirrored", "scale", "parent",
]  # fmt: skip


@pytest.mark.parametrize("name", POSED)
def test_posing_alone_would_catch_it(name: str) -> None:
    """Not only the comparison of stored values: the vertices themselves go astray."""
    draft = by_hand(figure())
    DAMAGES[name][0](draft)
    assert any("vertices are up to" in text or "weights for" in text for text in check(figure(), draft).problems)


def test_a_lost_unlit_is_caught() -> None:
    unity = figure()
    unity = replace(unity, materials=(replace(unity.materials[0], unlit=True),))
    draft = by_hand(unity)
    assert check(unity, draft).problems == ["/materials/0: unlit is True in Unity, False in the file"]
    draft.json["materials"][0]["extensions"] = {"KHR_materials_unlit": {}}
    assert check(unity, draft).passed


def test_problems_are_counted_beyond_the_kept_ones() -> None:
    draft = by_hand(figure())
    draft.arrays = [array * 0 + 1 for array in draft.arrays]
    for item in draft.json["nodes"]:
        item.update(name="?", scale=[3, 3, 3])
    problems = check(figure(), draft).problems
    assert len(problems) == 21 and problems[-1].startswith("and ")


# --- what may differ ------------------------------------------------------------------------------------------------


def allowed(change: Callable[[Draft], Any]) -> bool:
    draft = by_hand(figure())
    change(draft)
    return check(figure(), draft).passed


def rotate_corners(draft: Draft) -> None:
    indices(draft)[:] = np.roll(indices(draft).reshape(-1, 3), 1, axis=1).ravel()


def copy_material(draft: Draft) -> None:
    draft.json["materials"].append(draft.json["materials"][0])
    draft.json["meshes"][0]["primitives"][0]["material"] = 1


def float_colors(draft: Draft) -> None:
    index = attributes(draft)["COLOR_0"]
    draft.arrays[index] = strip().colors  # type: ignore[call-overload]
    draft.json["accessors"][index] = {"componentType": 5126, "type": "VEC4", "count": 8}


def test_harmless_differences() -> None:
    assert allowed(rotate_corners), "a triangle may start at any corner"
    assert allowed(copy_material), "a material may have a copy"
    assert allowed(float_colors), "colours may stay floats"


def test_normals_may_be_brought_to_unit_length() -> None:
    unity = figure()
    shown = replace(unity.geometries[0], normals=unity.geometries[0].normals * np.float32(1.37))  # type: ignore[operator]
    unity = replace(unity, geometries=(shown,))
    assert check(unity, by_hand(figure())).passed


def test_rotations_may_be_brought_to_unit_length() -> None:
    unity = figure()
    long = tuple(3 * value for value in unity.nodes[1].rotation)
    nodes = [replace(one, rotation=long) if index == 1 else one for index, one in enumerate(unity.nodes)]
    assert check(replace(unity, nodes=tuple(nodes)), by_hand(figure())).passed


def test_lone_surrogates_in_names_become_replacement_characters() -> None:
    unity, draft = figure(), by_hand(figure())
    unity = replace(unity, nodes=(replace(unity.nodes[0], name="R\ud800g"), *unity.nodes[1:]))
    draft.json["nodes"][0]["name"] = "R\ufffdg"
    assert check(unity, draft).passed


# --- influences that were cut -----------------------------------------------------------------------------------------


def crowd(counts: list[int]) -> Asset:
    """The figure with ``counts[v]`` influences on vertex v, over twelve bones, heaviest first."""
    unity = figure()
    extra = [replace(unity.nodes[2], name=f"Bone{n}", parent=n % 3, translation=(0.1 * n, 1.0, 0.3)) for n in range(10)]
    bind = np.concatenate([unity.skins[0].inverse_bind, np.tile(np.eye(4, dtype=np.float32), (10, 1, 1))])
    skin = replace(unity.skins[0], joints=(1, 2, *range(6, 16)), inverse_bind=bind)
    rows = [
        [((v + k) % 12, 2.0 ** -(k + 1) / (1 - 2.0**-count)) for k in range(count)] for v, count in enumerate(counts)
    ]
    mesh = replace(unity.meshes[0], influences=influences(rows))
    return replace(unity, nodes=(*unity.nodes, *extra), skins=(skin,), meshes=(mesh, unity.meshes[1]))


def cut(unity: Asset, limit: int) -> Asset:
    rows = unity.meshes[0].influences
    assert rows is not None
    short = []
    for vertex in range(len(rows.offsets) - 1):
        begin = rows.offsets[vertex]
        end = min(int(rows.offsets[vertex + 1]), int(begin) + limit)
        total = float(rows.weights[begin:end].sum())
        pairs = zip(rows.joints[begin:end].tolist(), (rows.weights[begin:end] / total).tolist(), strict=True)
        short.append(list(pairs))
    return replace(unity, meshes=(replace(unity.meshes[0], influences=influences(short)), *unity.meshes[1:]))


COUNTS = [1, 4, 5, 8, 9, 12, 2, 3]


def test_twelve_influences_in_three_sets_pass_uncut() -> None:
    result = check(crowd(COUNTS), by_hand(crowd(COUNTS)), max_influences=0)
    assert result.passed and result.cut is None


def test_cut_influences_are_measured_and_bounded() -> None:
    result = check(crowd(COUNTS), by_hand(cut(crowd(COUNTS), 4)), max_influences=4)
    assert result.passed
    assert result.cut is not None and result.cut["vertices"] == 4 * 3, "four vertices, at rest and in two poses"
    assert 1e-3 < result.cut["max_m"] < 1.0 and result.cut["rms_m"] <= result.cut["max_m"]
    assert result.max_error_m <= result.tolerance_m, "vertices that were not cut stay exact"


def test_a_cut_that_was_not_asked_for_fails() -> None:
    assert not check(crowd(COUNTS), by_hand(cut(crowd(COUNTS), 4)), max_influences=8).passed


def test_a_cut_that_moves_a_vertex_too_far_fails() -> None:
    draft = by_hand(cut(crowd(COUNTS), 4))
    accessor(draft, "WEIGHTS_0")[5] = (0, 0, 0, 1)  # sums to 1, but is not the heaviest four
    assert not check(crowd(COUNTS), draft, max_influences=4).passed


# --- the tolerance --------------------------------------------------------------------------------------------------


def test_tolerance_grows_with_the_size_of_the_numbers() -> None:
    unity = figure()
    far = replace(unity.nodes[0], translation=(1e4, 0.0, 0.0))
    unity = replace(unity, nodes=(far, *unity.nodes[1:]))
    result = check(unity, by_hand(unity))
    assert result.passed
    assert FACTOR * EPS32 * 1e4 < result.tolerance_m < FACTOR * EPS32 * 1e5


def test_numbers_that_overflow_are_problems_not_crashes() -> None:
    unity, draft = figure(), by_hand(figure())
    huge = replace(unity.nodes[0], scale=(1e200, 1e200, 1e200))
    unity = replace(unity, nodes=(huge, *unity.nodes[1:]))
    draft.json["nodes"][0]["scale"] = [1e200, 1e200, 1e200]
    result = check(unity, draft)
    assert not result.passed and math.isfinite(result.rms_error_m)


def test_an_asset_without_meshes_or_skins() -> None:
    unity = replace(figure(), meshes=(), skins=(), materials=(), geometries=())
    unity = replace(unity, nodes=tuple(replace(one, mesh=None, skin=None, weights=()) for one in unity.nodes))
    result = check(unity, by_hand(unity), "full")
    assert result.passed and result.vertices == 0 and result.poses == 1


def test_a_mesh_that_draws_one_submesh_twice() -> None:
    unity = figure()
    twice = Mesh(
        geometry=0,
        primitives=(Primitive(submesh=0, material=0), Primitive(submesh=0, material=None)),
        weights=(0.0, 0.0),
    )
    unity = replace(unity, meshes=(unity.meshes[0], twice))
    assert check(unity, by_hand(unity)).passed
