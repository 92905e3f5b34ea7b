"""Avatars made ready for posing, and those that are not fit for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.builders.humans import Axes, Joint, human, stick, with_masses
from tests.unit.normalize.humanoid.sticks import BACK_Z, HALF, NODES, QUARTER_X, QUARTER_Z, avatar, body, same_turn
from unity2gltf.diagnostics import Fault
from unity2gltf.normalize.humanoid.body import make_body, without_details
from unity2gltf.raw import RawHuman


def test_what_a_body_holds() -> None:
    made = body(masses={"Hips": 0.25, "LeftHand": 0.5}, scale=0.75, fore_arm_twist=0.25)
    assert (made.name, made.source.path_id, made.scale, made.has_tdof) == ("Stick", 400, 0.75, False)
    assert made.parents[:4] == (-1, 0, 1, 2) and made.ids == tuple(range(18))
    assert made.nodes == {name: number for name, number in NODES.items() if name != "Top"}
    assert set(made.axes) == set(made.nodes) - {"Hips"}, "no muscle turns the hips"
    assert {bone: mass for bone, mass in made.masses.items() if mass} == {"Hips": 0.25, "LeftHand": 0.5}
    assert set(made.masses) == set(made.nodes)
    assert made.given["LeftLowerArm"] == made.given["RightLowerArm"] == 0.25
    assert made.given["LeftUpperArm"] == made.given["RightLowerLeg"] == made.given["LeftUpperLeg"] == 0.5
    assert {(taken.bone, bone) for bone, taken in made.taken.items()} == {
        (f"{side}{bone}", f"{side}{child}")
        for side in ("Left", "Right")
        for bone, child in (
            ("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot")
        )
    }  # fmt: skip
    assert made.taken["RightHand"].share == 0.25
    assert made.has("Neck", "LeftHand") and not made.has("Neck", "UpperChest")


def test_limits_are_radians_and_turns_of_unit_length() -> None:
    joints = stick()
    axes = Axes(
        pre=(0.0, 0.0, 0.0, 2.0),
        post=(3.0, 0.0, 0.0, 4.0),
        signs=(1.0, -1.0, 1.0),
        minimum=(-20.0, -30.0, -40.0),
        maximum=(50.0, 60.0, 180.0),
        length=0.125,
    )
    joints["LeftFoot"] = replace(joints["LeftFoot"], axes=axes, rotation=(0.0, 6.0, 0.0, 8.0))
    made = body(joints, root_rotation=(0.0, 0.0, 5.0, 5.0))
    found = made.axes["LeftFoot"]
    assert found.pre.tolist() == [0.0, 0.0, 0.0, 1.0]
    assert found.post == pytest.approx([0.6, 0.0, 0.0, 0.8])
    assert found.signs.tolist() == [1.0, -1.0, 1.0]
    assert found.minimum == pytest.approx([-math.pi / 9, -math.pi / 6, -math.pi * 2 / 9])
    assert found.maximum == pytest.approx([math.pi * 5 / 18, math.pi / 3, math.pi])
    assert found.length == 0.125
    assert made.rotations[NODES["LeftFoot"]] == pytest.approx([0.0, 0.6, 0.0, 0.8])
    assert made.root_rotation == pytest.approx([0.0, 0.0, HALF, HALF])
    assert {array.dtype for array in (made.positions, made.rotations, made.scales, found.minimum)} == {np.dtype(float)}


def test_before_5_6_there_are_24_bones() -> None:
    """Neck is number 9 there, where UpperChest is since."""
    new = human(with_masses(stick(), Chest=0.25, Neck=0.5, Head=0.125))
    old = replace(new, bones=new.bones[:9] + new.bones[10:], masses=new.masses[:9] + new.masses[10:])
    assert len(old.bones) == len(old.masses) == 24
    made = make_body(avatar(old))
    assert made.nodes == make_body(avatar(new)).nodes
    assert [made.masses[bone] for bone in ("Chest", "Neck", "Head")] == [0.25, 0.5, 0.125]


def test_fingers_eyes_and_the_upper_chest_are_bones_like_others() -> None:
    joints = stick() | {
        "Up": Joint("Chest", (0, 0.1, 0), 9, axes=Axes(), mass=0.5),
        "Eye": Joint("Head", (0, 0, 0), 22, axes=Axes()),
        "Thumb": Joint("LeftHand", (0, 0, 0), finger=(0, 1), axes=Axes()),
        "Little": Joint("RightHand", (0, 0, 0), finger=(1, 14), axes=Axes()),
    }
    made = make_body(avatar(human(joints)))
    added = {"UpperChest": 18, "LeftEye": 19, "LeftThumbIntermediate": 20, "RightLittleDistal": 21}
    assert {bone: node for bone, node in made.nodes.items() if node >= 18} == added
    assert set(added) <= set(made.axes)
    assert made.masses["UpperChest"] == 0.5 and "LeftThumbIntermediate" not in made.masses


def test_an_avatar_may_have_no_hands() -> None:
    assert body(left_hand=(), right_hand=()).nodes == body().nodes


# --- what is no human ---------------------------------------------------------------------------------------------


def test_a_generic_avatar_is_none() -> None:
    with pytest.raises(Fault, match="avatar 'Stick' has no human part") as told:
        make_body(avatar(None))
    assert told.value.code.name == "AVATAR_INVALID"


def test_bones_that_every_human_has() -> None:
    joints = stick()
    for name in ("LeftHand", "Spine"):
        joints[name] = replace(joints[name], bone=None)
    with pytest.raises(Fault, match="avatar 'Stick' lacks Spine, LeftHand") as told:
        body(joints)
    assert told.value.data == {"bones": ["Spine", "LeftHand"]}


def changed(array: Any, place: Any, value: float) -> Any:
    copy = array.copy()
    copy[place] = value
    return copy


BROKEN: dict[str, tuple[Callable[[RawHuman], dict[str, Any]], str]] = {
    "an id too few": (lambda h: {"ids": h.ids[:-1]}, "differ in length"),
    "a scale too few": (lambda h: {"scales": h.scales[:-1]}, "differ in length"),
    "an axis too few": (lambda h: {"axes": h.axes[:-1]}, "differ in length"),
    "a limit too few": (lambda h: {"limits": replace(h.limits, minimum=h.limits.minimum[:-1])}, "differ in length"),
    "26 bones": (lambda h: {"bones": (*h.bones, -1)}, "differ in length"),
    "24 bones, 25 masses": (lambda h: {"bones": h.bones[:-1]}, "differ in length"),
    "its own parent": (lambda h: {"parents": changed(h.parents, 3, 3)}, "comes before its parent"),
    "no parent": (lambda h: {"parents": changed(h.parents, 3, -2)}, "comes before its parent"),
    "a bone past the nodes": (lambda h: {"bones": (*h.bones[:-1], 18)}, "are no nodes of its skeleton"),
    "a node twice": (lambda h: {"bones": (*h.bones[:-1], 3)}, "are no nodes of its skeleton"),
    "a finger too many": (lambda h: {"left_hand": (-1,) * 16}, "are no nodes of its skeleton"),
    "a finger past the nodes": (lambda h: {"right_hand": (-1,) * 14 + (99,)}, "are no nodes of its skeleton"),
    "a bone without axes": (lambda h: {"axes": changed(h.axes, 5, -1)}, "human bone Head has no axes"),
    "axes that are not there": (lambda h: {"axes": changed(h.axes, 5, 17)}, "human bone Head has no axes"),
    "NaN for a place": (lambda h: {"positions": changed(h.positions, (9, 1), np.nan)}, "not finite"),
    "a turn of no length": (lambda h: {"rotations": changed(h.rotations, 9, 0.0)}, "not finite"),
    "an endless limit": (
        lambda h: {"limits": replace(h.limits, maximum=changed(h.limits.maximum, (2, 2), np.inf))},
        "not finite",
    ),
    "an axis of no direction": (
        lambda h: {"limits": replace(h.limits, post=changed(h.limits.post, 6, 0.0))},
        "not finite",
    ),
    "a body of no direction": (lambda h: {"root_rotation": (0.0, 0.0, 0.0, 0.0)}, "not finite"),
    "NaN for a mass": (lambda h: {"masses": (math.nan, *h.masses[1:])}, "not finite"),
    "NaN for a twist": (lambda h: {"leg_twist": math.nan}, "not finite"),
    "no size": (lambda h: {"scale": 0.0}, "a scale of 0"),
    "a size below 0": (lambda h: {"scale": -1.0}, "a scale of 0"),
    "NaN for a size": (lambda h: {"scale": math.nan}, "not finite"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_numbers_that_do_not_fit(name: str) -> None:
    change, words = BROKEN[name]
    whole = human(stick())
    make_body(avatar(whole))
    with np.errstate(all="raise"), pytest.raises(Fault, match=words) as told:
        make_body(avatar(replace(whole, **change(whole))))
    assert told.value.code.name == "AVATAR_INVALID"


def test_axes_of_the_hips_may_be_missing() -> None:
    whole = human(stick())
    assert "Hips" in make_body(avatar(replace(whole, axes=changed(whole.axes, 1, -1)))).nodes


# --- twists -------------------------------------------------------------------------------------------------------


def test_the_next_bone_turns_about_the_axis_of_the_one_before() -> None:
    joints = stick()
    joints["LeftUpperLeg"] = replace(joints["LeftUpperLeg"], axes=Axes(pre=QUARTER_X, post=BACK_Z))
    same_turn(body(joints).taken["LeftLowerLeg"].axis, BACK_Z)


def test_nodes_between_turn_how_the_axis_is_seen() -> None:
    """Past one that stands a quarter about z, then one a quarter about x: Rx(-90) Rz(-90), which turns x to z."""
    joints = {}
    for name, joint in stick().items():
        if name == "RightHand":
            joints["Roll"] = replace(joint, bone=None, axes=None, rotation=QUARTER_Z)
            joints["Cuff"] = Joint("Roll", (0, 0, 0), rotation=QUARTER_X)
            joint = replace(joint, parent="Cuff", position=(0, 0, 0))
        joints[name] = joint
    same_turn(body(joints).taken["RightHand"].axis, (-0.5, -0.5, -0.5, 0.5))


# --- the body without its details ---------------------------------------------------------------------------------


def test_what_carries_mass_stays_with_all_above_it() -> None:
    joints = {}
    for name, joint in stick().items():
        if name == "Spine":
            joints["Belt"] = Joint("Hips", (0, 0.1, 0))
            joints["Buckle"] = Joint("Belt", (0, 0, 0.1))
            joint = replace(joint, parent="Belt")
        joints[name] = joint
    joints |= {
        "Eye": Joint("Head", (0, 0, 0), 22, axes=Axes()),
        "Jaw": Joint("Head", (0, 0, 0), 24, axes=Axes()),
        "Thumb": Joint("LeftHand", (0, 0, 0), finger=(0, 0), axes=Axes()),
        "LeftToes": Joint("LeftFoot", (0, 0, 0.1), 20, axes=Axes()),
    }
    whole = body(joints)
    less = without_details(whole)
    kept = [name for name in joints if name not in ("Buckle", "Eye", "Jaw", "Thumb")]
    names = list(joints)
    assert less.ids == tuple(names.index(name) for name in kept)
    assert [kept[parent] for parent in less.parents[1:]] == [joints[name].parent for name in kept[1:]]
    assert less.parents[0] == -1
    assert less.nodes == {name: kept.index(name) for name in kept if joints[name].bone is not None}
    assert less.positions == pytest.approx(np.array([joints[name].position for name in kept]))
    assert less.rotations.shape == (len(kept), 4) and less.scales.shape == (len(kept), 3)
    assert set(less.axes) == set(less.nodes) - {"Hips"}
    assert less.masses == whole.masses and less.given == whole.given and less.taken == whole.taken
