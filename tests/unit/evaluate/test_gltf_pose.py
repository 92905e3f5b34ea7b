"""glTF's side against numbers worked out by hand, from files written by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.unit.evaluate.draft import Draft
from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.evaluate.gltf.pose import GltfPoser

HALF = math.sqrt(0.5)
TURN_Z = [0, 0, HALF, HALF]
COLUMNS_OF_KNEE = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1]
IDENTITY = np.eye(4).ravel().tolist()


def arm(weights: list[list[float]], *, sets: int = 1, **knee: Any) -> Draft:
    """Vertices at x = 1, 2, 3; bone 0 at the origin, bone 1 at x = 2; ``weights`` of bones 0 and 1 a vertex, which
    stand in the last of ``sets`` JOINTS sets."""
    draft = Draft()
    draft.json["nodes"] = [
        {"children": [1]},
        {"translation": [2, 0, 0], **knee},
        {"mesh": 0, "skin": 0, "translation": [7, 7, 7]},
    ]
    names = {"POSITION": draft.add([(1, 0, 0), (2, 0, 0), (3, 0, 0)], "f4", "VEC3")}
    for number in range(sets):
        last = number == sets - 1
        names[f"JOINTS_{number}"] = draft.add([(0, 1, 0, 0)] * 3, "u1", "VEC4")
        values = [(a, b, 0, 0) for a, b in weights] if last else [(0, 0, 0, 0)] * 3
        names[f"WEIGHTS_{number}"] = draft.add(values, "f4", "VEC4")
    draft.json["meshes"] = [{"primitives": [{"attributes": names}]}]
    inverse = draft.add([IDENTITY, COLUMNS_OF_KNEE], "f4", "MAT4")
    draft.json["skins"] = [{"joints": [0, 1], "inverseBindMatrices": inverse}]
    return draft


RIGID = [[1, 0], [0, 1], [0, 1]]


def posed(draft: Draft, weights: tuple[float, ...] = ()) -> np.ndarray:
    poser = GltfPoser(parse_glb(draft.glb()))
    return poser.vertices(2, poser.world(), weights)


def test_bind_pose_ignores_the_nodes_own_transform() -> None:
    assert posed(arm(RIGID)).tolist() == [[1, 0, 0], [2, 0, 0], [3, 0, 0]]


@pytest.mark.parametrize("sets", [1, 2, 3])
def test_a_bone_turned_by_a_quarter(sets: int) -> None:
    moved = posed(arm(RIGID, sets=sets, rotation=TURN_Z))
    np.testing.assert_allclose(moved, [(1, 0, 0), (2, 0, 0), (2, 1, 0)], atol=1e-15)


def test_two_influences_and_scale() -> None:
    moved = posed(arm([[1, 0], [0, 1], [0.5, 0.5]], rotation=TURN_Z, scale=[3, 1, 1]))
    np.testing.assert_allclose(moved[2], (2.5, 1.5, 0), atol=1e-15)


def test_a_matrix_is_stored_by_columns() -> None:
    turned = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1]
    draft = arm(RIGID)
    draft.json["nodes"][1] = {"matrix": turned}
    assert posed(draft)[2].tolist() == [2, 1, 0]


def test_a_rotation_is_taken_as_it_stands() -> None:
    """Readers do not normalise: a file must hold unit quaternions, and posing shows when it does not."""
    assert posed(arm(RIGID, rotation=[0, 0, 2 * HALF, 2 * HALF]))[2] != pytest.approx([2, 1, 0], abs=0.5)


def test_normalised_byte_weights() -> None:
    draft = arm(RIGID, rotation=TURN_Z)
    index = draft.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    draft.arrays[index] = np.array([(255, 0, 0, 0), (0, 255, 0, 0), (51, 204, 0, 0)], np.uint8)
    draft.json["accessors"][index].update(componentType=5121, normalized=True)
    np.testing.assert_allclose(posed(draft)[2], (2.2, 0.8, 0), atol=1e-12)


def shaped(draft: Draft) -> Draft:
    primitive = draft.json["meshes"][0]["primitives"][0]
    primitive["targets"] = [{"POSITION": draft.add([(0, 0, 0), (0, 0, 0), (1, 0, 0)], "f4", "VEC3")}, {}]
    return draft


def test_targets_act_before_the_skin() -> None:
    draft = shaped(arm(RIGID, rotation=TURN_Z))
    np.testing.assert_allclose(posed(draft, (0.5, 9.0))[2], (2, 1.5, 0), atol=1e-15)


def test_default_weights_of_node_then_mesh_then_zero() -> None:
    draft = shaped(arm(RIGID))
    assert GltfPoser(parse_glb(draft.glb())).default_weights(2) == [0, 0]
    draft.json["meshes"][0]["weights"] = [0.5, 0]
    assert GltfPoser(parse_glb(draft.glb())).default_weights(2) == [0.5, 0]
    draft.json["nodes"][2]["weights"] = [0, 0.25]
    assert GltfPoser(parse_glb(draft.glb())).default_weights(2) == [0, 0.25]


def test_overrides_replace_the_local_transform() -> None:
    poser = GltfPoser(parse_glb(arm(RIGID).glb()))
    world = poser.world({0: ([0, 5, 0], TURN_Z, [1, 1, 1])})
    np.testing.assert_allclose(world[1, :3, 3], (0, 7, 0), atol=1e-15)
    assert poser.world()[1, :3, 3].tolist() == [2, 0, 0]


def test_primitives_that_share_accessors_share_vertices() -> None:
    draft = arm(RIGID)
    primitives = draft.json["meshes"][0]["primitives"]
    primitives.append(dict(primitives[0], mode=0))
    assert len(posed(draft)) == 3
    other = {**primitives[0]["attributes"], "POSITION": draft.add([(9, 9, 9)] * 3, "f4", "VEC3")}
    primitives.append({"attributes": other})
    assert posed(draft)[3:].tolist() == [[9, 9, 9]] * 3


def test_a_skin_without_matrices_has_identities() -> None:
    draft = arm(RIGID)
    del draft.json["skins"][0]["inverseBindMatrices"]
    assert posed(draft).tolist() == [[1, 0, 0], [4, 0, 0], [5, 0, 0]]


def attributes(draft: Draft) -> dict[str, int]:
    names: dict[str, int] = draft.json["meshes"][0]["primitives"][0]["attributes"]
    return names


def joint_out_of_range(draft: Draft) -> None:
    draft.arrays[attributes(draft)["JOINTS_0"]][2, 3] = 2


BREAKS: list[tuple[str, Callable[[Draft], Any]]] = [
    ("own ancestors", lambda d: d.json["nodes"][1].update(children=[0])),
    ("already has the parent", lambda d: d.json["nodes"][2].update(children=[1])),
    ("outside 0 .. 2", lambda d: d.json["nodes"][0].update(children=[3])),
    ("4 numbers are wanted", lambda d: d.json["nodes"][1].update(rotation=[0, 0, 1])),
    ("finite number is wanted", lambda d: d.json["nodes"][1].update(translation=[0, "x", 1])),
    ("joints are no indices below 2", joint_out_of_range),
    ("0 JOINTS and 1 WEIGHTS", lambda d: attributes(d).pop("JOINTS_0")),
    ("POSITION is missing", lambda d: attributes(d).pop("POSITION")),
    ("wanted is \\(any, 3\\)", lambda d: attributes(d).update(POSITION=attributes(d)["WEIGHTS_0"])),
    ("2 float matrices are wanted", lambda d: d.json["skins"][0].update(inverseBindMatrices=0)),
    ("no primitives", lambda d: d.json["meshes"][0].update(primitives=[])),
    ("object is wanted", lambda d: d.json["meshes"][0].update(primitives=[3])),
    ("object is wanted", lambda d: d.json["meshes"][0]["primitives"][0].update(targets=["x"])),
    ("has no mesh", lambda d: d.json["nodes"][2].pop("mesh")),
]


@pytest.mark.parametrize(("complaint", "damage"), BREAKS, ids=[str(n) for n in range(len(BREAKS))])
def test_files_that_make_no_sense(complaint: str, damage: Callable[[Draft], Any]) -> None:
    draft = arm(RIGID)
    damage(draft)
    with pytest.raises(GlbError, match=complaint):
        posed(draft)


def test_weights_that_do_not_match_the_targets() -> None:
    with pytest.raises(GlbError, match="1 weights for 2 morph targets"):
        posed(shaped(arm(RIGID)), (1.0,))
