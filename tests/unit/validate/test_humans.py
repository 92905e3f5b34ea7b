"""Maps of human bones and VRM: a right file passes, and every damage is caught by structure or by the round trip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.builders.avatars import VRM, avatar, smile
from tests.builders.proof import written
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Asset
from unity2gltf.normalize.vrm.asset import vrm_asset
from unity2gltf.validate.roundtrip import roundtrip
from unity2gltf.validate.structure import check_structure

Json = dict[str, Any]
Damage = Callable[[Json], Any]


def human() -> Asset:
    found = vrm_asset(avatar(shapes=[smile("Joy"), smile("Smirk", 0.5, 1.0)]), VRM, Diagnostics())
    assert found is not None
    return found


def vrm(json: Json) -> Json:
    item: Json = json["extensions"]["VRMC_vrm"]
    return item


def bones(json: Json) -> Json:
    item: Json = vrm(json)["humanoid"]["humanBones"]
    return item


def rig(json: Json) -> Json:
    item: Json = json["nodes"][0]["extras"]["unity"]["humanoid"]
    return item


def file_map(json: Json) -> Json:
    item: Json = json["asset"]["extras"]["unity"]
    return item


def bind(json: Json) -> Json:
    item: Json = vrm(json)["expressions"]["preset"]["happy"]["morphTargetBinds"][0]
    return item


def arms_down(json: Json) -> None:
    for node in json["nodes"]:
        if node["name"] == "LeftUpperArm":
            node["rotation"] = [0.0, 0.0, -0.6, 0.8]


def upside_down(json: Json) -> None:
    json["nodes"][0]["rotation"] = [1.0, 0.0, 0.0, 0.0]


def turned_away(json: Json) -> None:
    json["nodes"][0]["rotation"] = [0.0, 1.0, 0.0, 0.0]


WHERE = "/extensions/VRMC_vrm"
HUMANS = f"{WHERE}/humanoid/humanBones"

DAMAGES: list[tuple[str, str, Damage]] = [
    ("VRM_INVALID", f"{WHERE}/specVersion", lambda j: vrm(j).update(specVersion="0.0")),
    ("FORMAT_BROKEN", f"{WHERE}/specVersion", lambda j: vrm(j).pop("specVersion")),
    ("VRM_INVALID", f"{WHERE}/meta/name", lambda j: vrm(j)["meta"].update(name="")),
    ("FORMAT_BROKEN", f"{WHERE}/meta/name", lambda j: vrm(j)["meta"].pop("name")),
    ("VRM_INVALID", f"{WHERE}/meta/authors", lambda j: vrm(j)["meta"].update(authors=[])),
    ("VRM_INVALID", f"{WHERE}/meta/authors", lambda j: vrm(j)["meta"].update(authors=["Ada", ""])),
    ("VRM_INVALID", f"{WHERE}/meta/licenseUrl", lambda j: vrm(j)["meta"].update(licenseUrl="https://x.example/")),
    ("VRM_INVALID", HUMANS, lambda j: bones(j).pop("leftHand")),
    ("VRM_INVALID", HUMANS, lambda j: bones(j).update(tail={"node": 22})),
    ("VRM_INVALID", HUMANS, lambda j: bones(j).update(jaw=bones(j)["leftEye"])),
    ("VRM_INVALID", f"{HUMANS}/leftEye", lambda j: bones(j).update(leftEye={"node": 0})),
    ("VRM_INVALID", f"{HUMANS}/rightHand", lambda j: bones(j)["rightHand"].update(node=24)),
    ("VRM_INVALID", f"{HUMANS}/upperChest", lambda j: bones(j).update(upperChest=bones(j).pop("chest"))),
    ("VRM_INVALID", f"{HUMANS}/leftIndexDistal", lambda j: bones(j).update(leftIndexDistal={"node": 22})),
    ("FORMAT_BROKEN", f"{HUMANS}/hips/node", lambda j: bones(j)["hips"].update(node=99)),
    ("FORMAT_BROKEN", f"{HUMANS}/hips", lambda j: bones(j).update(hips=1)),
    ("VRM_INVALID", f"{WHERE}/expressions/custom/sad", lambda j: vrm(j)["expressions"]["custom"].update(sad={})),
    ("VRM_INVALID", f"{WHERE}/expressions/preset/x", lambda j: vrm(j)["expressions"]["preset"].update(x={})),
    ("FORMAT_BROKEN", f"{WHERE}/expressions/preset/happy/morphTargetBinds/0/index", lambda j: bind(j).update(index=3)),
    ("FORMAT_BROKEN", "/nodes/0", lambda j: bind(j).update(node=0)),
    ("VRM_INVALID", f"{WHERE}/expressions/preset/happy/morphTargetBinds/0/weight", lambda j: bind(j).update(weight=2)),
    ("VRM_INVALID", f"{WHERE}/lookAt/type", lambda j: vrm(j)["lookAt"].update(type="ears")),
    ("FORMAT_BROKEN", f"{WHERE}/lookAt/offsetFromHeadBone", lambda j: vrm(j)["lookAt"].update(offsetFromHeadBone=[1])),
    (
        "VRM_INVALID",
        f"{WHERE}/lookAt/rangeMapVerticalUp/outputScale",
        lambda j: vrm(j)["lookAt"]["rangeMapVerticalUp"].update(outputScale=-1.0),
    ),
    ("VRM_POSE", WHERE, arms_down),
    ("VRM_POSE", WHERE, upside_down),
    ("VRM_POSE", WHERE, turned_away),
    ("EXTENSION_UNDECLARED", WHERE, lambda j: j.pop("extensionsUsed")),
    ("HUMANOID_INVALID", "/asset/extras/unity/humanoid", lambda j: file_map(j)["humanoid"].update(Spine=1)),
    ("FORMAT_BROKEN", "/asset/extras/unity/humanoid/Spine", lambda j: file_map(j)["humanoid"].update(Spine=-1)),
    (
        "FORMAT_BROKEN",
        "/asset/extras/unity/muscle_limits/Left Eye In-Out/1",
        lambda j: file_map(j)["muscle_limits"].update({"Left Eye In-Out": [1, "x"]}),
    ),
    ("HUMANOID_INVALID", "/nodes/0/extras/unity/humanoid/bones", lambda j: rig(j)["bones"].update(Spine=1)),
    ("HUMANOID_INVALID", "/nodes/0/extras/unity/humanoid/bones/Jaw", lambda j: rig(j)["bones"].update(Jaw=24)),
    (
        "FORMAT_BROKEN",
        "/nodes/0/extras/unity/humanoid/muscle_limits/Tail",
        lambda j: rig(j)["muscle_limits"].update(Tail=[1]),
    ),
]
"""Code, pointer, and what to do to the JSON of the avatar."""


def test_a_right_avatar_has_no_issue() -> None:
    gltf = written(human())
    assert check_structure(gltf) == [] and gltf.json["extensionsUsed"] == ["VRMC_vrm"]


@pytest.mark.parametrize(("code", "pointer", "damage"), DAMAGES)
def test_structure_catches(code: str, pointer: str, damage: Damage) -> None:
    found = check_structure(written(human(), damage))
    assert (code, pointer) in [(issue.code, issue.pointer) for issue in found]


def test_nodes_in_a_circle_are_no_place_for_bones() -> None:
    def circle(json: Json) -> None:
        json["nodes"][1].setdefault("children", []).append(0)

    assert {issue.code for issue in check_structure(written(human(), circle))} >= {"NODE_TREE"}


def problems(damage: Damage) -> list[str]:
    asset = human()
    result = roundtrip(asset, written(asset, damage), "quick", diagnostics=Diagnostics(), max_influences=8)
    return result.problems


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda j: bones(j)["leftHand"].update(node=20), f"{HUMANS}/leftHand/node: 20 in the file, wanted is 12"),
        (lambda j: vrm(j)["meta"].update(name="Eve"), "/meta/name: 'Eve' in the file, wanted is 'Figure'"),
        (lambda j: bind(j).update(index=2), "morphTargetBinds: "),
        (lambda j: vrm(j)["lookAt"]["offsetFromHeadBone"].reverse(), "/lookAt/offsetFromHeadBone: "),
        (lambda j: vrm(j)["expressions"].pop("custom"), "/expressions/custom: None in the file"),
        (lambda j: j["extensions"].pop("VRMC_vrm"), "/specVersion: None in the file, wanted is '1.0'"),
        (lambda j: file_map(j)["humanoid"].update(Hips=2), "/asset/extras/unity/humanoid/Hips: 2 in the file"),
        (lambda j: file_map(j)["muscle_limits"].popitem(), "/asset/extras/unity/muscle_limits/"),
        (lambda j: j["asset"].pop("extras"), "/asset/extras/unity/humanoid: None in the file"),
        (lambda j: rig(j).update(avatar="Eve"), "/nodes/0/extras/unity/humanoid/avatar: 'Eve'"),
        (lambda j: rig(j)["source"].update(path_id="1"), "/nodes/0/extras/unity/humanoid/source/path_id: '1'"),
        (lambda j: j["nodes"][3].update(extras={"unity": {"humanoid": {"bones": {}}}}), "/nodes/3/extras/unity/"),
        (arms_down, "LeftUpperArm"),
    ],
)
def test_the_round_trip_catches(damage: Damage, words: str) -> None:
    assert any(words in problem for problem in problems(damage)), problems(damage)


def test_an_avatar_where_there_is_none_is_caught() -> None:
    asset = avatar()
    result = roundtrip(asset, written(human()), "quick", diagnostics=Diagnostics(), max_influences=8)
    assert any("/extensions/VRMC_vrm" in problem for problem in result.problems)


def test_several_rigs_are_all_told_of_and_the_first_is_the_file_s() -> None:
    asset = avatar()
    first = asset.humanoids[0]
    second = replace(first, rig=first.bones["Hips"], avatar="Half", bones={"Spine": first.bones["Spine"]}, t_pose={})
    both = replace(asset, humanoids=(first, second))
    gltf = written(both)
    assert check_structure(gltf) == []
    assert gltf.json["nodes"][1]["extras"]["unity"]["humanoid"]["avatar"] == "Half"
    assert file_map(gltf.json)["humanoid"] == first.bones
    assert roundtrip(both, gltf, "quick", diagnostics=Diagnostics(), max_influences=8).passed
