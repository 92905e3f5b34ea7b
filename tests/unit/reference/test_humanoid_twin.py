"""The slow twin of humanoid clips against poses worked out on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.builders.humans import Axes, human, stick, with_masses
from tests.reference import humanoid_twin as twin
from tests.reference.humanoid_twin import posed

HALF = math.sqrt(0.5)
QUARTER_X, QUARTER_Y, QUARTER_Z = (HALF, 0.0, 0.0, HALF), (0.0, HALF, 0.0, HALF), (0.0, 0.0, HALF, HALF)
DOWN_Z = (0.0, 0.0, -HALF, HALF)
"""Turns x down."""


def close(found: Sequence[float], wanted: Sequence[float]) -> None:
    assert list(found) == pytest.approx(list(wanted), abs=1e-6)


def same_turn(found: twin.Quaternion, wanted: twin.Quaternion) -> None:
    assert twin.angle_between(found, wanted) < 1e-4


def place(pose: twin.Posed, name: str) -> twin.Place:
    return pose.places[list(stick()).index(name)]


# --- names --------------------------------------------------------------------------------------------------------


def test_attributes_are_where_unity_numbers_them() -> None:
    assert len(twin.MUSCLES) == 55 and len(twin.ATTRIBUTES) == 137 and len(twin.OLD_ATTRIBUTES) == 134
    numbers = {
        0: "MotionT.x", 6: "MotionQ.w", 7: "RootT.x", 10: "RootQ.x", 14: "LeftFootT.x", 21: "RightFootT.x",
        28: "LeftHandT.x", 41: "RightHandQ.w", 42: "Spine Front-Back", 42 + 21: "Left Upper Leg Front-Back",
        42 + 29: "Right Upper Leg Front-Back", 42 + 37: "Left Shoulder Down-Up", 42 + 46: "Right Shoulder Down-Up",
        96: "Right Hand In-Out", 97: "LeftHand.Thumb.1 Stretched", 98: "LeftHand.Thumb.Spread",
        117: "RightHand.Thumb.1 Stretched", 136: "RightHand.Little.3 Stretched",
    }  # fmt: skip
    assert {number: twin.ATTRIBUTES[number] for number in numbers} == numbers


def test_triples_are_those_of_the_numbers() -> None:
    """Body muscles by number: a bone's about x, y, z."""
    numbers = {
        "Spine": (2, 1, 0), "Chest": (5, 4, 3), "UpperChest": (8, 7, 6), "Neck": (11, 10, 9), "Head": (14, 13, 12),
        "LeftEye": (None, 16, 15), "RightEye": (None, 18, 17), "Jaw": (None, 20, 19),
        "LeftUpperLeg": (23, 22, 21), "RightUpperLeg": (31, 30, 29), "LeftLowerLeg": (25, None, 24),
        "RightLowerLeg": (33, None, 32), "LeftFoot": (None, 27, 26), "RightFoot": (None, 35, 34),
        "LeftToes": (None, None, 28), "RightToes": (None, None, 36), "LeftShoulder": (None, 38, 37),
        "RightShoulder": (None, 47, 46), "LeftUpperArm": (41, 40, 39), "RightUpperArm": (50, 49, 48),
        "LeftLowerArm": (43, None, 42), "RightLowerArm": (52, None, 51), "LeftHand": (None, 45, 44),
        "RightHand": (None, 54, 53),
    }  # fmt: skip
    for bone, triple in numbers.items():
        assert twin.TRIPLES[bone] == tuple(None if k is None else twin.MUSCLES[k] for k in triple)
    assert twin.TRIPLES["Left Index Proximal"] == (None, "LeftHand.Index.Spread", "LeftHand.Index.1 Stretched")
    assert twin.TRIPLES["Right Little Distal"] == (None, None, "RightHand.Little.3 Stretched")
    used = [muscle for triple in twin.TRIPLES.values() for muscle in triple if muscle]
    assert sorted(used) == sorted(twin.ATTRIBUTES[42:])


# --- muscles to rotations -----------------------------------------------------------------------------------------


def test_swing_by_hand() -> None:
    third, sixth = 1 / math.sqrt(3), 1 / math.sqrt(6)
    right = math.pi / 2
    close(twin.swing_and_twist(0, right, 0), QUARTER_Y)
    close(twin.swing_and_twist(right, 0, 0), QUARTER_X)
    close(twin.swing_and_twist(0, right, right), (0, third, third, third))
    close(twin.swing_and_twist(right, right, right), (sixth, 2 * sixth, 0, sixth))


@pytest.mark.parametrize(("value", "sign", "degrees"), [(-0.5, 1, -10), (-0.5, -1, 10), (0.25, 1, 15), (2, -1, -120)])
def test_limits_of_both_sides(value: float, sign: float, degrees: float) -> None:
    """Lower limit -20, upper 60; beyond 1 a muscle goes on."""
    joints = stick()
    axes = Axes(signs=(1, 1, sign), minimum=(0, 0, -20), maximum=(0, 0, 60))
    joints["Spine"] = replace(joints["Spine"], axes=axes)
    x, y, z = twin.angles(human(joints), "Spine", 2, {"Spine Front-Back": value})
    close((x, y, z), (0, 0, math.radians(degrees)))


def test_pre_and_post() -> None:
    """Rx(90) Rz(90) Ry(90) Rz(-90), through which y goes to x, to -z, to -z, to y."""
    joints = stick()
    pre = twin.product(QUARTER_X, QUARTER_Z)
    joints["Chest"] = replace(joints["Chest"], axes=Axes(pre=pre, post=QUARTER_Z))
    local = twin.local_rotations(human(joints), {"Chest Left-Right": 1.0})
    same_turn(local[3], twin.product(QUARTER_X, QUARTER_Z, QUARTER_Y, twin.conjugate(QUARTER_Z)))
    close(twin.turn(local[3], (0, 1, 0)), (0, 1, 0))


def test_nodes_without_axes_keep_their_pose() -> None:
    joints = stick()
    joints["Neck"] = replace(joints["Neck"], axes=None, rotation=QUARTER_Z)
    local = twin.local_rotations(human(joints), {"Neck Nod Down-Up": 1.0})
    same_turn(local[4], QUARTER_Z)


def test_half_of_the_twist_goes_to_the_child() -> None:
    """The right arm turns 90 degrees about itself, the elbow bends up: the hand ends in front, the sleeve at 45."""
    pose = posed(human(stick()), {"Right Arm Twist In-Out": 1.0, "Right Forearm Stretch": 1.0})
    arm, fore, hand = (place(pose, "Right" + name) for name in ("UpperArm", "LowerArm", "Hand"))
    same_turn(arm[1], twin.about_x(math.pi / 4))
    same_turn(fore[1], twin.product(QUARTER_X, QUARTER_Z))
    offset = twin.minus(hand[0], arm[0])
    close(twin.turn(twin.conjugate(pose.places[1][1]), offset), (0.3, 0, 0.3))


@pytest.mark.parametrize("factor", [0.0, 0.25, 1.0])
def test_the_end_does_not_feel_the_factor(factor: float) -> None:
    joints = stick()
    joints["LeftUpperLeg"] = replace(joints["LeftUpperLeg"], axes=Axes(pre=DOWN_Z, post=DOWN_Z))
    muscles = {"Left Upper Leg Twist In-Out": 1.0, "Left Upper Leg Front-Back": 0.5, "Left Lower Leg Stretch": 0.4}
    wanted = posed(human(joints), muscles)
    found = posed(human(joints, upper_leg_twist=factor), muscles)
    same_turn(place(found, "LeftLowerLeg")[1], place(wanted, "LeftLowerLeg")[1])
    close(place(found, "LeftFoot")[0], place(wanted, "LeftFoot")[0])
    assert twin.angle_between(place(found, "LeftUpperLeg")[1], place(wanted, "LeftUpperLeg")[1]) > 20


def test_a_turned_node_between_changes_nothing_of_it() -> None:
    joints, extra = stick(), {}
    for name, joint in joints.items():
        if name == "RightHand":
            extra["Roll"] = replace(joint, bone=None, position=(0.1, 0.0, 0.0), rotation=QUARTER_Z, axes=None)
            joint = replace(joint, parent="Roll", position=(0.0, -0.2, 0.0), axes=Axes(pre=DOWN_Z))
        extra[name] = joint
    assert list(extra)[-2:] == ["Roll", "RightHand"]
    muscles = {"Right Forearm Twist In-Out": 1.0}
    wanted, found = posed(human(joints), muscles), posed(human(extra), muscles)
    same_turn(found.places[-1][1], wanted.places[-1][1])
    close(found.places[-1][0], wanted.places[-1][0])


# --- the body -----------------------------------------------------------------------------------------------------


def test_scales_stretch_what_is_below() -> None:
    joints = stick()
    joints["Hips"] = replace(joints["Hips"], scale=(2.0, 2.0, 2.0))
    joints["Spine"] = replace(joints["Spine"], scale=(1.0, 0.5, 1.0))
    places = twin.model_space(human(joints), twin.t_pose(human(joints)))
    close(places[2][0], (0, 1.4, 0))
    close(places[3][0], (0, 1.6, 0))


POINTS = {
    "Hips": (0, (1 + 1 + 1.2) / 3, 0), "Spine": (0, 1.3, 0), "Chest": (0, (1.4 + 1.6 + 1.6) / 3, 0),
    "Neck": (0, 1.75, 0), "Head": (0, 1.8, 0), "LeftUpperLeg": (-0.1, 0.75, 0), "LeftLowerLeg": (-0.1, 0.3, 0),
    "LeftFoot": (-0.1, 0.1, 0), "LeftUpperArm": (-0.35, 1.6, 0), "RightUpperArm": (0.35, 1.6, 0),
    "RightLowerArm": (0.65, 1.6, 0), "LeftLowerArm": (-0.5, 1.6, 0), "LeftHand": (-0.8, 1.6, 0),
}  # fmt: skip
"""Metres of the stick; the left fore-arm's is the elbow, Unity's slip."""


@pytest.mark.parametrize("bone", POINTS)
def test_where_the_mass_of_a_bone_sits(bone: str) -> None:
    one = human(with_masses(stick(), **{bone: 1.0}))
    close(twin.rest_body(one)[0], POINTS[bone])


def test_the_last_of_the_torso() -> None:
    at = {"LeftUpperArm": (-2.0, 3, 0), "RightUpperArm": (2.0, 3, 0), "Neck": (0.0, 4, 0)}
    shoulders = {"LeftShoulder": (-1.0, 2, 0), "RightShoulder": (1.0, 2, 0)}
    close(twin.last_torso_point("UpperChest", at | shoulders | {"UpperChest": (0.0, 0, 4)}), (0, 2, 1))
    close(twin.last_torso_point("Chest", at | {"Chest": (0.0, 0, 3)}), (0, 2, 1))
    close(twin.last_torso_point("Spine", at | {"Spine": (0.0, 0, 1)}), (0, 2.7, 0.1))


def test_the_old_bones_have_no_upper_chest() -> None:
    new = human(with_masses(stick(), Neck=0.5, Head=0.5))
    old = replace(new, bones=new.bones[:9] + new.bones[10:], masses=new.masses[:9] + new.masses[10:])
    assert len(old.bones) == 24 and twin.bone_nodes(old) == twin.bone_nodes(new)
    assert posed(old, {"Neck Nod Down-Up": 0.5}) == posed(new, {"Neck Nod Down-Up": 0.5})


def test_the_body_is_put_where_the_root_says() -> None:
    """All the mass in the head, the T-pose's trunk said to lean 90 degrees about x: F is its inverse."""
    one = human(with_masses(stick(), Head=1.0), scale=2.0, root_rotation=QUARTER_X)
    root = {"RootT.x": 1.0, "RootT.y": 2.0, "RootT.z": 3.0, "RootQ.y": 1.0, "RootQ.w": 1.0}
    pose = posed(one, root)
    close(place(pose, "Head")[0], (2, 4, 6))
    # the hips are 0.8 below the head; a quarter about x takes that to -z, one about y then to -x
    close(place(pose, "Hips")[0], (1.2, 4, 6))
    same_turn(place(pose, "Hips")[1], twin.product(QUARTER_Y, QUARTER_X))


def test_the_frame_follows_hips_and_shoulders() -> None:
    """The spine twists 90 degrees to the right, so the trunk's right is the diagonal between both halves."""
    joints = stick()
    joints["Spine"] = replace(joints["Spine"], axes=Axes(pre=QUARTER_Z, post=QUARTER_Z))  # twist about y
    joints["RightUpperLeg"] = replace(joints["RightUpperLeg"], position=(0.2, 0, 0))
    joints["LeftUpperLeg"] = replace(joints["LeftUpperLeg"], position=(-0.2, 0, 0))
    one = human(joints)
    places = twin.model_space(one, twin.local_rotations(one, {"Spine Twist Left-Right": 1.0}))
    same_turn(twin.body_frame(one, places), (0, math.sin(math.pi / 8), 0, math.cos(math.pi / 8)))
    same_turn(twin.rest_body(one)[1], twin.STRAIGHT)


def test_goals_by_hand() -> None:
    """Feet whose x points down end on the ground 0.1 below the ankle; the body is the head, 1.8 high, turned a quarter
    about y and twice as large a unit."""
    joints = with_masses(stick(), Head=1.0)
    joints["LeftFoot"] = replace(joints["LeftFoot"], axes=Axes(pre=DOWN_Z, post=DOWN_Z, length=0.1))
    pose = posed(human(joints, scale=2.0), {"RootT.y": 0.9, "RootQ.y": 1.0, "RootQ.w": 1.0})
    left, right = pose.goals["LeftFoot"], pose.goals["RightFoot"]
    close(place(pose, "LeftFoot")[0], (0, 0.1, 0.1))
    close(left[0], (-0.05, -0.9, 0))
    close(right[0], (0.05, -0.85, 0))
    same_turn(left[1], DOWN_Z)
    close(pose.goals["RightHand"][0], (0.4, -0.1, 0))
    same_turn(pose.goals["RightHand"][1], twin.STRAIGHT)


@pytest.mark.parametrize("turn", [QUARTER_X, (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), DOWN_Z])
def test_axes_to_quaternion_and_back(turn: twin.Quaternion) -> None:
    x, y, z = (twin.turn(turn, axis) for axis in ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)))
    same_turn(twin.from_axes(x, y, z), turn)
    same_turn(twin.look_rotation(z, y), turn)
