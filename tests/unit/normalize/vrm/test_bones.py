"""Unity's human bones by VRM's names, and what becomes of a rig that lacks some."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.builders.avatars import BODY, avatar
from unity2gltf.ir import Asset
from unity2gltf.normalize.vrm.bones import PARENTS, REQUIRED, choose_bones, missing_bones, vrm_bone
from unity2gltf.validate.checks import vrm as check


def chosen(asset: Asset, **moved: int) -> tuple[dict[str, int], list[str]]:
    humanoid = asset.humanoids[0]
    return choose_bones(replace(humanoid, bones={**humanoid.bones, **moved}), asset.nodes)


def test_every_bone_has_its_vrm_name() -> None:
    bones, left_out = chosen(avatar())
    assert sorted(bones) == sorted(vrm_bone(bone) for bone in BODY) and left_out == []
    assert missing_bones(bones, left_out) == []
    assert avatar().nodes[bones["leftUpperArm"]].name == "LeftUpperArm"


@pytest.mark.parametrize(
    ("unity", "vrm"),
    [
        ("Hips", "hips"),
        ("UpperChest", "upperChest"),
        ("LeftThumbProximal", "leftThumbMetacarpal"),
        ("RightThumbIntermediate", "rightThumbProximal"),
        ("LeftThumbDistal", "leftThumbDistal"),
        ("RightLittleIntermediate", "rightLittleIntermediate"),
    ],
)
def test_names(unity: str, vrm: str) -> None:
    assert vrm_bone(unity) == vrm and vrm in PARENTS


def test_the_table_is_that_of_the_check_which_was_written_apart() -> None:
    assert {bone: above for bone, above in PARENTS.items() if above} == check._ABOVE
    assert set(REQUIRED) == check._MUST and len(REQUIRED) == 15
    assert len(PARENTS) == 55


def test_an_upper_chest_without_a_chest_is_the_chest() -> None:
    asset = avatar(without=["Chest"])
    place = next(index for index, node in enumerate(asset.nodes) if node.name == "Chest")
    bones, left_out = chosen(asset, UpperChest=place)
    assert bones["chest"] == place and "upperChest" not in bones and left_out == []


def test_a_finger_without_its_first_bone_is_left_out() -> None:
    asset = avatar()
    hand = asset.humanoids[0].bones["LeftHand"]
    tip = len(asset.nodes)
    asset = replace(asset, nodes=(*asset.nodes, replace(asset.nodes[hand], parent=hand)))
    assert chosen(asset, LeftIndexDistal=tip)[1] == ["leftIndexDistal"]
    assert chosen(asset, LeftIndexProximal=tip)[1] == []


def test_optional_bones_may_be_missing_between_others() -> None:
    bones, left_out = chosen(avatar(without=["Chest", "Neck", "LeftShoulder", "LeftEye"]))
    assert "head" in bones and "leftUpperArm" in bones and left_out == []


def test_a_missing_bone_is_named_alone() -> None:
    bones, left_out = chosen(avatar(without=["LeftUpperArm"]))
    assert left_out == ["leftHand", "leftLowerArm"]
    assert missing_bones(bones, left_out) == ["leftUpperArm"]


def test_without_hips_there_is_nothing() -> None:
    bones, left_out = chosen(avatar(without=["Hips"]))
    assert bones == {} and missing_bones(bones, left_out) == ["hips"]


def test_a_bone_in_the_wrong_place_is_left_out() -> None:
    asset = avatar()
    bones, left_out = chosen(asset, LeftHand=asset.humanoids[0].bones["RightHand"])
    assert left_out == ["leftHand"] and missing_bones(bones, left_out) == ["leftHand"]


def test_two_bones_on_one_node_are_one() -> None:
    asset = avatar()
    _, left_out = chosen(asset, Spine=asset.humanoids[0].bones["Hips"])
    assert "spine" in left_out


def test_names_of_no_bone_are_left_out() -> None:
    assert chosen(avatar(), **{"": 3, "Tail": 4})[1] == ["", "tail"]
