"""From muscles to bones: poses of the stick figure, worked out on paper."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from tests.builders.humans import Axes, Joint, stick
from tests.unit.normalize.humanoid.sticks import (
    BACK_X,
    BACK_Z,
    HALF,
    NODES,
    QUARTER_X,
    QUARTER_Y,
    QUARTER_Z,
    SIXTH,
    STRAIGHT,
    THIRD,
    body,
    close,
    same_turn,
    steady,
    turn,
)
from unity2gltf.math3d import multiply_quaternions
from unity2gltf.normalize.humanoid import pose
from unity2gltf.normalize.humanoid.body import Body

# --- angles -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1, -1])
def test_each_side_of_zero_has_its_own_limit(sign: int) -> None:
    """Lower limit -20, upper 60 degrees; beyond 1 a muscle goes on as before."""
    joints = stick()
    joints["Spine"] = replace(joints["Spine"], axes=Axes(signs=(1, 1, sign), minimum=(-9, -9, -20), maximum=(9, 9, 60)))
    muscle = {"Spine Front-Back": np.array([-3.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.0])}
    found = pose.bone_angles(body(joints).axes["Spine"], "Spine", muscle, 7)
    close(np.degrees(found[:, 2]), sign * np.array([-60.0, -20.0, -10.0, 0.0, 15.0, 60.0, 120.0]), 1e-4)
    assert not found[:, :2].any()


def test_limits_may_lie_on_one_side() -> None:
    """From 10 to 50 degrees: a muscle of -1 is 10, one of -0.5 is 5, and at rest it is 0 all the same."""
    joints = stick()
    joints["Head"] = replace(joints["Head"], axes=Axes(minimum=(0, 10, 0), maximum=(0, 50, 0)))
    muscle = {"Head Tilt Left-Right": np.array([-1.0, -0.5, 0.0, 0.5])}
    found = pose.bone_angles(body(joints).axes["Head"], "Head", muscle, 4)
    close(np.degrees(found), [[0, 10, 0], [0, 5, 0], [0, 0, 0], [0, 25, 0]], 1e-4)


def test_muscles_of_a_bone_by_axis() -> None:
    """x twist, y, z; what is not there counts as 0."""
    axes = body().axes
    values = steady(**{"Neck Turn Left-Right": 0.5, "Neck Nod Down-Up": -1.0, "Jaw Close": 1.0})
    close(np.degrees(pose.bone_angles(axes["Neck"], "Neck", values, 1)), [[45, 0, -90]], 1e-4)
    assert pose.bone_angles(axes["LeftHand"], "LeftHand", values, 3).tolist() == [[0, 0, 0]] * 3


def test_half_a_turn_about_one_axis_is_the_most() -> None:
    """A half tangent cannot tell more: 270 degrees end a hair before 180, and not at -90."""
    values = {"Spine Front-Back": np.array([3.0, -3.0])}
    found = pose.bone_angles(body().axes["Spine"], "Spine", values, 2)[:, 2]
    close(np.degrees(found), [180.0, -180.0], 1e-3)
    assert (np.abs(found) < math.pi).all()
    close(pose.swing_twist(np.array([[0.0, 0.0, found[0]]])), [[0, 0, 1, 0]], 1e-5)


# --- rotations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "wanted"),
    [
        ((0, 0, 0), STRAIGHT),
        ((90, 0, 0), QUARTER_X),
        ((0, 90, 0), QUARTER_Y),
        ((0, 0, -90), BACK_Z),
        ((0, 60, 0), (0, 0.5, 0, math.sqrt(0.75))),
        # two quarters at once: half tangents 1 and 1, a third of a turn about the diagonal between both axes; Euler
        # angles would give (0.5, 0.5, 0.5, 0.5), an exponential a turn of 127 degrees
        ((0, 90, 90), (0, THIRD, THIRD, THIRD)),
        # (1, 1 + 1, 1 - 1, 1): the twist first, which takes the swing's axis along
        ((90, 90, 90), (SIXTH, 2 * SIXTH, 0, SIXTH)),
        ((90, 90, 0), (0.5, 0.5, -0.5, 0.5)),
    ],
)
def test_swing_and_twist_by_half_tangents(degrees: tuple[float, ...], wanted: tuple[float, ...]) -> None:
    close(pose.swing_twist(np.radians([degrees])), [wanted])


def test_the_twist_comes_before_the_swing() -> None:
    swing, twist = (0, THIRD, THIRD, THIRD), QUARTER_X
    both = pose.swing_twist(np.radians([[90.0, 90.0, 90.0]]))
    same_turn(both, multiply_quaternions(swing, twist))


def test_a_bone_turns_between_pre_and_post() -> None:
    """Rx(90) Rz(90) Ry(90) Rz(-90): y goes to x, x to -z, -z to -z, and -z to y."""
    joints = stick()
    pre = multiply_quaternions(QUARTER_X, QUARTER_Z)
    joints["Chest"] = replace(joints["Chest"], axes=Axes(pre=pre.tolist(), post=QUARTER_Z))
    found = pose.bone_rotation(body(joints), "Chest", steady(**{"Chest Left-Right": 1.0}), 1)
    # Rz(90) Ry(90) Rz(-90) turns about Rz(90) y = -x, so that the whole is Rx(90) Rx(-90)
    same_turn(found, [STRAIGHT])
    still = pose.bone_rotation(body(joints), "Chest", {}, 2)
    same_turn(still, [QUARTER_X, QUARTER_X])


def test_nodes_without_muscles_stand_as_in_the_t_pose() -> None:
    joints = {}
    for name, joint in stick().items():
        if name == "Head":
            joints["Tie"] = Joint("Neck", (0, 0, 0.1), rotation=QUARTER_Z)
        joints[name] = replace(joint, rotation=QUARTER_Y) if name == "Hips" else joint
    found = pose.local_rotations(body(joints), {"Head Nod Down-Up": np.array([0.0, 1.0])}, 2)
    assert found.shape == (2, 19, 4)
    nodes = {name: number for number, name in enumerate(joints)}
    same_turn(found[:, nodes["Tie"]], [QUARTER_Z] * 2)
    same_turn(found[:, nodes["Hips"]], [QUARTER_Y] * 2)
    same_turn(found[:, nodes["Head"]], [STRAIGHT, QUARTER_Z])
    same_turn(found[:, nodes["LeftHand"]], [STRAIGHT] * 2)


# --- twists -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "own"), [(0.0, 90), (0.25, 67.5), (0.5, 45), (1.0, 0)])
def test_a_share_of_the_twist_goes_to_the_next_bone(share: float, own: float) -> None:
    """The right arm turns 90 degrees about itself with its elbow bent: where the fore-arm ends is the same."""
    made = body(arm_twist=share)
    values = steady(**{"Right Arm Twist In-Out": 1.0, "Right Forearm Stretch": 1.0})
    arm = pose.bone_rotation(made, "RightUpperArm", values, 1)
    fore = pose.bone_rotation(made, "RightLowerArm", values, 1)
    same_turn(arm, [turn("x", own)])
    same_turn(fore, multiply_quaternions([turn("x", 90 - own)], QUARTER_Z))
    same_turn(multiply_quaternions(arm, fore), multiply_quaternions([QUARTER_X], QUARTER_Z))
    same_turn(pose.bone_rotation(made, "RightHand", values, 1), [STRAIGHT])


@pytest.mark.parametrize(
    ("muscle", "bone", "child"),
    [
        ("Left Forearm Twist In-Out", "LeftLowerArm", "LeftHand"),
        ("Left Upper Leg Twist In-Out", "LeftUpperLeg", "LeftLowerLeg"),
        ("Right Lower Leg Twist In-Out", "RightLowerLeg", "RightFoot"),
    ],
)
def test_every_limb_has_its_own_share(muscle: str, bone: str, child: str) -> None:
    made = body(arm_twist=0.5, fore_arm_twist=0.1, upper_leg_twist=0.2, leg_twist=0.4)
    share = {"LeftLowerArm": 0.1, "LeftUpperLeg": 0.2, "RightLowerLeg": 0.4}[bone]
    values = steady(**{muscle: 1.0})
    same_turn(pose.bone_rotation(made, bone, values, 1), [turn("x", 90 * (1 - share))])
    same_turn(pose.bone_rotation(made, child, values, 1), [turn("x", 90 * share)])


def test_the_spine_hands_nothing_on() -> None:
    values = steady(**{"Spine Twist Left-Right": 1.0})
    same_turn(pose.bone_rotation(body(), "Spine", values, 1), [QUARTER_X])
    same_turn(pose.bone_rotation(body(), "Chest", values, 1), [STRAIGHT])


def test_the_twist_is_about_the_axis_of_its_own_bone() -> None:
    """A leg whose x points down: half of its 90 degrees turn the shin about -y."""
    joints = stick()
    joints["LeftUpperLeg"] = replace(joints["LeftUpperLeg"], axes=Axes(pre=BACK_Z, post=BACK_Z))
    values = steady(**{"Left Upper Leg Twist In-Out": 1.0})
    same_turn(pose.taken_twist(body(joints), "LeftLowerLeg", values, 1), [turn("y", -45)])


def test_a_turned_node_between_does_not_move_the_end() -> None:
    """The hand hangs on a node that stands a quarter about z, which sees the arm's x as -y."""
    joints = {}
    for name, joint in stick().items():
        if name == "RightHand":
            joints["Roll"] = replace(joint, bone=None, position=(0.1, 0.0, 0.0), rotation=QUARTER_Z, axes=None)
            joint = replace(joint, parent="Roll", position=(0.0, -0.2, 0.0), axes=Axes(pre=BACK_Z))
        joints[name] = joint
    made, values = body(joints), steady(**{"Right Forearm Twist In-Out": 1.0})
    same_turn(pose.taken_twist(made, "RightHand", values, 1), [turn("y", -45)])
    local = pose.local_rotations(made, values, 1)
    same_turn(local[:, -1], multiply_quaternions([turn("y", -45)], BACK_Z))
    _, rotations = pose.forward_kinematics(made, local)
    same_turn(rotations[:, -1], [QUARTER_X])


# --- places -------------------------------------------------------------------------------------------------------


def test_bones_keep_their_lengths_and_stretch_what_is_below() -> None:
    """The hips stand at 1, a quarter about z and twice as large; the spine 0.2 above them, half as high."""
    joints = stick()
    joints["Hips"] = replace(joints["Hips"], scale=(2.0, 2.0, 2.0))
    joints["Spine"] = replace(joints["Spine"], scale=(1.0, 0.5, 1.0))
    made = body(joints)
    local = made.rotations[None].copy()
    local[:, NODES["Hips"]] = QUARTER_Z
    positions, rotations = pose.forward_kinematics(made, local)
    close(positions[0, NODES["Hips"]], (0, 1, 0))
    close(positions[0, NODES["Spine"]], (-0.4, 1, 0))
    close(positions[0, NODES["Chest"]], (-0.6, 1, 0))
    close(positions[0, NODES["RightUpperArm"]], (-0.8, 1.4, 0))  # up by 0.2 of half of 2, out by 0.2 of 2
    same_turn(rotations[0, NODES["RightHand"]], QUARTER_Z)


def test_rotations_add_up_along_the_chain() -> None:
    """Elbow up by 90 degrees on an arm that is raised by 90: the hand is back over the shoulder."""
    values = steady(**{"Right Arm Down-Up": 1.0, "Right Forearm Stretch": 1.0})
    made = body()
    positions, rotations = pose.forward_kinematics(made, pose.local_rotations(made, values, 1))
    close(positions[0, NODES["RightLowerArm"]], (0.2, 1.9, 0))
    close(positions[0, NODES["RightHand"]], (-0.1, 1.9, 0))
    same_turn(rotations[0, NODES["RightHand"]], (0, 0, 1, 0))


# --- mass ---------------------------------------------------------------------------------------------------------

T_POSE = {
    "Hips": (0, (1 + 1 + 1.2) / 3, 0), "Spine": (0, 1.3, 0), "Chest": (0, (1.4 + 1.6 + 1.6) / 3, 0),
    "Neck": (0, 1.75, 0), "Head": (0, 1.8, 0),
    "LeftUpperLeg": (-0.1, 0.75, 0), "LeftLowerLeg": (-0.1, 0.3, 0), "LeftFoot": (-0.1, 0.1, 0),
    "RightUpperLeg": (0.1, 0.75, 0), "RightLowerLeg": (0.1, 0.3, 0), "RightFoot": (0.1, 0.1, 0),
    "LeftUpperArm": (-0.35, 1.6, 0), "LeftLowerArm": (-0.5, 1.6, 0), "LeftHand": (-0.8, 1.6, 0),
    "RightUpperArm": (0.35, 1.6, 0), "RightLowerArm": (0.65, 1.6, 0), "RightHand": (0.8, 1.6, 0),
}  # fmt: skip
"""Metres of the stick. The left fore-arm is told half-way from the shoulder to the hand, which is its elbow: a slip of
Unity's."""


def placed(made: Body, **moved: tuple[float, float, float]) -> np.ndarray:
    """The T-pose's places of one pose, some bones ``moved``."""
    positions, _ = pose.forward_kinematics(made, made.rotations[None])
    for bone, position in moved.items():
        positions[0, made.nodes[bone]] = position
    return positions


def test_where_the_mass_of_each_bone_is() -> None:
    made = body()
    points = {bone: point[0] for bone, point in pose.mass_points(made, placed(made))}
    assert points.keys() == T_POSE.keys() == made.nodes.keys()
    for bone, point in points.items():
        close(point, T_POSE[bone])


def test_the_left_fore_arm_is_mistaken_for_the_upper_arm() -> None:
    made = body()
    bent = {f"{side}LowerArm": (0.0, 0.0, 9.0) for side in ("Left", "Right")}
    points = dict(pose.mass_points(made, placed(made, **bent)))
    close(points["LeftLowerArm"][0], (-0.5, 1.6, 0))
    close(points["RightLowerArm"][0], (0.4, 0.8, 4.5))


SHOULDERS = {
    "LeftShoulder": Joint("Chest", (-0.1, 0.1, 0), 12, axes=Axes()),
    "RightShoulder": Joint("Chest", (0.1, 0.1, 0), 13, axes=Axes()),
}
UPPER_CHEST = {"UpperChest": Joint("Chest", (0, 0.1, 0), 9, axes=Axes())}
TORSOS: dict[str, tuple[Mapping[str, Joint], tuple[str, ...], Mapping[str, tuple[float, float, float]]]] = {
    # more joints; bones that are not mapped; points at (x, 0, 0) of bones that all lie where TORSO says
    "spine and chest": ({}, (), {"Spine": (1.5, 0, 0), "Chest": ((2 + 30 + 40) / 3, 0, 0)}),
    "with shoulders": (SHOULDERS, (), {"Chest": ((2 + 4 + 10 + 20) / 4, 0, 0), "LeftShoulder": (20, 0, 0)}),
    "all three": (UPPER_CHEST, (), {"Chest": (2.5, 0, 0), "UpperChest": ((3 + 30 + 40) / 3, 0, 0)}),
    "all three with shoulders": (UPPER_CHEST | SHOULDERS, (), {"UpperChest": ((3 + 4 + 10 + 20) / 4, 0, 0)}),
    "spine alone": ({}, ("Chest",), {"Spine": (0.1 * 1 + 0.9 * 35, 0, 0)}),
    "no neck": ({}, ("Neck",), {"Chest": ((2 + 30 + 40) / 3, 0, 0), "Head": (5, 0, 0)}),
    "one shoulder": (
        {"LeftShoulder": SHOULDERS["LeftShoulder"]},
        (),
        {"Chest": ((2 + 30 + 40) / 3, 0, 0), "LeftShoulder": (20, 0, 0)},
    ),
}
TORSO = {"Spine": 1, "Chest": 2, "UpperChest": 3, "Neck": 4, "Head": 5, "LeftShoulder": 10, "RightShoulder": 20,
         "LeftUpperArm": 30, "RightUpperArm": 40}  # fmt: skip


@pytest.mark.parametrize("name", TORSOS)
def test_the_last_of_the_torso_reaches_to_neck_and_arms(name: str) -> None:
    more, unmapped, wanted = TORSOS[name]
    joints = {
        bone: replace(joint, bone=None) if bone in unmapped else joint for bone, joint in {**stick(), **more}.items()
    }
    made = body(joints)
    at = {bone: (float(x), 0.0, 0.0) for bone, x in TORSO.items() if bone in made.nodes}
    points = [(bone, point[0]) for bone, point in pose.mass_points(made, placed(made, **at))]
    assert len(dict(points)) == len(points) == len(made.nodes)
    for bone, point in wanted.items():
        close(dict(points)[bone], point)


def test_the_centre_is_the_sum_of_all_masses() -> None:
    """A quarter at the head, half at the left foot; masses need not sum to 1, the rest weighs at the origin."""
    made = body(masses={"Head": 0.25, "LeftFoot": 0.5})
    close(pose.mass_centre(made, placed(made)), [(-0.05, 0.25 * 1.8 + 0.5 * 0.1, 0)])


# --- the frame ----------------------------------------------------------------------------------------------------


def test_the_frame_of_the_t_pose_is_straight() -> None:
    made = body()
    same_turn(pose.body_frame(made, placed(made)), [STRAIGHT])
    leaning = body(root_rotation=QUARTER_X)
    same_turn(pose.body_frame(leaning, placed(leaning)), [BACK_X])


def test_the_frame_is_half_way_between_hips_and_shoulders_of_one_width() -> None:
    """The chest turns 90 degrees about y: right is along x at the hips, along -z at the shoulders."""
    made = body()
    legs = {"LeftUpperLeg": (-0.2, 1, 0), "RightUpperLeg": (0.2, 1, 0)}
    arms = {"LeftUpperArm": (0, 1.6, 0.2), "RightUpperArm": (0, 1.6, -0.2)}
    same_turn(pose.body_frame(made, placed(made, **legs, **arms)), [turn("y", 45)])


def test_the_frame_leans_with_the_line_from_hips_to_shoulders() -> None:
    """Shoulders 0.6 to the right of the hips and none above: a quarter about -z, whatever they lean to themselves."""
    made = body()
    arms = {"LeftUpperArm": (0.6, 1.2, 0), "RightUpperArm": (0.6, 0.8, 0)}
    same_turn(pose.body_frame(made, placed(made, **arms)), [BACK_Z])
    found = pose.body_frame(made, placed(made, LeftUpperArm=(-0.2, 1.6, 0.6), RightUpperArm=(0.2, 1.6, 0.6)))
    same_turn(found, [turn("x", 45)])


@pytest.mark.parametrize(
    ("forward", "up", "wanted"),
    [
        ((0, 0, 2), (0, 3, 0), STRAIGHT),
        ((1, 0, 0), (0, 1, 0), QUARTER_Y),
        ((0, -1, 0), (0, 0, 1), QUARTER_X),
        ((0, 0, 1), (-1, 0, 0), QUARTER_Z),
        ((0, 0, -1), (0, 1, 0), (0, 1, 0, 0)),
        ((0, 0, 1), (0, -1, 0), (0, 0, 1, 0)),
        ((0, 0, 1), (0, 1, 5), STRAIGHT),  # up is only as near as can be
        ((1, 0, 0), (0, 0, 1), (0.5, 0.5, 0.5, 0.5)),
    ],
)
def test_look_rotation(forward: tuple[float, ...], up: tuple[float, ...], wanted: tuple[float, ...]) -> None:
    same_turn(pose.look_rotation(np.array([forward], float), np.array([up], float)), [wanted])


@pytest.mark.parametrize(("forward", "up"), [((0, 0, 0), (0, 1, 0)), ((0, 0, 1), (0, 0, 2))])
def test_without_a_direction_there_is_no_turn(forward: tuple[float, ...], up: tuple[float, ...]) -> None:
    """Of one pose, and the next has its own."""
    rows = np.array([forward, (1, 0, 0)], float), np.array([up, (0, 1, 0)], float)
    same_turn(pose.look_rotation(*rows), [STRAIGHT, QUARTER_Y])


# --- the body in its place ----------------------------------------------------------------------------------------


def test_a_place_is_told_in_units_of_the_scale() -> None:
    values = {"LeftFootT.x": np.array([1.0, 2.0]), "LeftFootT.z": np.array([-1.0, 0.5])}
    values |= {"LeftFootQ.y": np.array([3.0, 0.0]), "LeftFootQ.w": np.array([3.0, -2.0])}
    position, rotation = pose.stored_transform(values, "LeftFoot", 2, (7.0, 8.0, 9.0), 0.5)
    close(position, [(0.5, 4.0, -0.5), (1.0, 4.0, 0.25)])
    close(rotation, [QUARTER_Y, (0, 0, 0, -1)])


def test_a_rotation_of_no_length_is_none() -> None:
    values = {f"RootQ.{axis}": np.array([0.0, 1e-7]) for axis in "xyzw"}
    close(pose.stored_body(body(), values, 2)[1], [STRAIGHT, STRAIGHT])


def test_a_clip_that_does_not_place_the_body_leaves_it_one_unit_high() -> None:
    position, rotation = pose.stored_body(body(scale=0.75), {}, 2)
    close(position, [(0, 0.75, 0)] * 2)
    close(rotation, [STRAIGHT] * 2)


def test_the_body_is_put_where_the_root_says() -> None:
    """All the mass in the head, a unit of 2 m, a trunk that is said to lean a quarter about x in the T-pose: F undoes
    that. The hips are 0.8 below the head; a quarter about x takes that to -z, one about y then to -x."""
    made = body(scale=2.0, root_rotation=QUARTER_X)
    root = steady(**{"RootT.x": 1.0, "RootT.y": 2.0, "RootT.z": 3.0, "RootQ.y": HALF, "RootQ.w": HALF})
    found = pose.pose_body(made, root, 1)
    close(found.body_position, [(2, 4, 6)])
    same_turn(found.body_rotation, [QUARTER_Y])
    close(found.positions[0, NODES["Head"]], (2, 4, 6))
    close(found.positions[0, NODES["Hips"]], (1.2, 4, 6))
    same_turn(found.rotations[0, NODES["Hips"]], multiply_quaternions(QUARTER_Y, QUARTER_X))
    same_turn(found.local[0], [STRAIGHT] * 18)


def test_the_hips_give_way_where_the_body_is_held() -> None:
    """The spine bends a quarter about z with the body held upright at the head. Shoulders and hips span a line from
    (0, 1) to (-0.4, 1.2), up is (-0.4, 0.2), right is (0.2, 0) at the hips and (0, 0.4) at the shoulders: (0.2, 0.4),
    at right angles to up already. So the frame is turned by atan2(0.4, 0.2) = 63.43 degrees, which the hips turn back.
    The head is at (-0.6, 1.2): hips from there (0.6, -0.2), turned back by cos 0.4472, sin 0.8944:
    (0.4472 0.6 + 0.8944 -0.2, -0.8944 0.6 + 0.4472 -0.2) = (0.08944, -0.62610)."""
    values = steady(**{"Spine Front-Back": 1.0, "RootT.y": 1.8})
    found = pose.pose_body(body(), values, 1)
    close(found.positions[0, NODES["Head"]], (0, 1.8, 0))
    same_turn(found.rotations[0, NODES["Hips"]], turn("z", -63.434949))
    close(found.positions[0, NODES["Hips"]], (0.0894427, 1.8 - 0.6260990, 0))


def test_poses_do_not_depend_on_each_other() -> None:
    values = {"Spine Front-Back": np.array([0.0, 1.0, 0.0]), "RootT.y": np.array([1.0, 1.8, 2.0])}
    found = pose.pose_body(body(), values, 3)
    close(found.positions[:, NODES["Hips"]], [(0, 0.2, 0), (0.0894427, 1.1739010, 0), (0, 1.2, 0)])
    assert found.local.shape == (3, 18, 4) and found.positions.shape == (3, 18, 3)


def test_a_body_without_a_direction_is_not_turned() -> None:
    """Shoulders where the hips are: the frame is straight, less what the trunk is said to lean."""
    joints = stick()
    for side in ("Left", "Right"):
        joints[f"{side}UpperArm"] = replace(joints[f"{side}UpperArm"], position=(0.0, -0.4, 0.0))
    found = pose.pose_body(body(joints, root_rotation=BACK_X), {}, 1)
    same_turn(found.rotations[0, NODES["Hips"]], BACK_X)
    close(found.positions[0, NODES["Head"]], (0, 1, 0))
