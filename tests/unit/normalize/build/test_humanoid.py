"""Rigs with a human avatar: which node is which bone, and what it hangs in."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.builders.humans import Axes, Joint, stick
from tests.unit.normalize.build.people import AVATAR, Built, Figure, Pose, build, context_of
from tests.unit.normalize.humanoid.sticks import (
    BACK_Y,
    BACK_Z,
    QUARTER_X,
    QUARTER_Y,
    QUARTER_Z,
    STRAIGHT,
    avatar,
    close,
    same_turn,
)
from unity2gltf.math3d import multiply_quaternions
from unity2gltf.normalize.build.clips import find_rigs
from unity2gltf.normalize.build.humanoid import HumanRig, human_rig
from unity2gltf.normalize.humanoid.body import make_body
from unity2gltf.normalize.humanoid.frame import Frame
from unity2gltf.raw import RawAvatar
from unity2gltf.source import Missing

ARMATURE = Pose((1.0, 2.0, 3.0), QUARTER_Y, (2.0, 2.0, 2.0))
ROLL = Pose((0.1, 0.0, 0.0), QUARTER_Z, (1.0, 3.0, 1.0))
CUFF = Pose((0.0, 1.0, 0.0), QUARTER_X)


def rigged(figure: Figure, made: RawAvatar | None = None) -> tuple[HumanRig, dict[int, str]]:
    """The figure's avatar (or another) on the figure, and the names of its nodes."""
    raw, context = context_of(figure)
    (rig,) = find_rigs(raw, context).values()
    names = {index: node.name for index, node in enumerate(context.nodes)}
    return human_rig(make_body(made or figure.avatar_of()), rig, context), names


def same_frame(found: Frame | None, position: Any, rotation: Any, scale: Any) -> None:
    assert found is not None
    close(found.position, position)
    same_turn(found.rotation, rotation)
    close(found.scale, scale)


# --- nodes --------------------------------------------------------------------------------------------------------


def test_bones_are_found_by_their_paths() -> None:
    human, names = rigged(Figure(between={"LeftLowerArm": [("Roll", ROLL)]}))
    assert {names[node] for node in human.bones().values()} == set(human.body.nodes)
    assert all(names[node] == bone for bone, node in human.bones().items())
    assert human.nodes[0] == human.node == 0, "the root of the skeleton is the Animator's object"


def test_bones_that_are_not_there() -> None:
    """With the chest goes all that hangs on it."""
    human, names = rigged(Figure(without=["Chest", "LeftFoot"]))
    lower = {"Hips", "Spine", "LeftUpperLeg", "LeftLowerLeg", "RightUpperLeg", "RightLowerLeg", "RightFoot"}
    assert set(human.bones()) == set(human.bone_frames()) == lower
    assert {names[node] for node in human.bones().values()} == lower


def test_without_hips_there_is_no_place_for_them() -> None:
    human, _ = rigged(Figure(without=["Hips"]))
    assert human.hips is None and human.bones() == {} and human.bone_frames() == {}


def test_nodes_between_bones_belong_to_the_skeleton() -> None:
    joints = {}
    for name, joint in stick().items():
        if name == "Head":
            joints["Tie"] = Joint("Neck", (0.0, 0.1, 0.0))
        joints[name] = joint
    human, names = rigged(Figure(joints))
    tie = list(joints).index("Tie")
    assert names[human.nodes[tie]] == "Tie" and "Tie" not in human.bones()


def test_a_node_that_hangs_elsewhere_is_no_bone() -> None:
    """The avatar says that the neck is below the chest; on the rig it stands beside the armature."""
    figure = Figure(joints=stick() | {"Stray": Joint("Top", (0.0, 0.0, 0.0))})
    made = figure.avatar_of()
    assert made.human is not None
    ids = made.human.ids.copy()
    names = list(figure.joints)
    ids[names.index("Neck")], ids[names.index("Head")] = ids[names.index("Stray")], 12345
    human, _ = rigged(figure, replace(made, human=replace(made.human, ids=ids)))
    assert set(human.body.nodes) - set(human.bones()) == {"Neck", "Head"}


# --- frames -------------------------------------------------------------------------------------------------------


def test_a_bone_that_hangs_on_its_parent_has_nothing_between() -> None:
    human, _ = rigged(Figure(rest={"Spine": Pose((5.0, 5.0, 5.0), QUARTER_Z, (9.0, 9.0, 9.0))}))
    for bone in ("Spine", "Chest", "LeftHand"):
        same_frame(human.bone_frames()[bone], (0, 0, 0), STRAIGHT, (1, 1, 1))


def test_objects_between_two_bones() -> None:
    """The fore-arm's parent in the skeleton is the upper arm. Roll at (0.1, 0, 0), a quarter about z and three times as
    high; Cuff 1 above it, which is 3 to its left: at (-2.9, 0, 0). Rz(90) Rx(90) takes x to y, y to z, z to x, and
    Cuff's z is Roll's -y, the one that is stretched."""
    human, _ = rigged(Figure(between={"LeftLowerArm": [("Roll", ROLL), ("Cuff", CUFF)]}))
    found = human.bone_frames()["LeftLowerArm"]
    same_frame(found, (-2.9, 0, 0), multiply_quaternions(QUARTER_Z, QUARTER_X), (1, 1, 3))
    same_frame(human.bone_frames()["LeftHand"], (0, 0, 0), STRAIGHT, (1, 1, 1))
    one, _ = rigged(Figure(between={"LeftLowerArm": [("Roll", ROLL)]}))
    same_frame(one.bone_frames()["LeftLowerArm"], (0.1, 0, 0), QUARTER_Z, (1, 3, 1))


def test_hips_are_placed_from_the_animator_on() -> None:
    """Past the armature, and whatever hangs in it; the Animator's own place does not count."""
    human, _ = rigged(Figure(top=Pose((7.0, 7.0, 7.0), QUARTER_X, (5.0, 5.0, 5.0)), armature=ARMATURE))
    same_frame(human.hips, (1, 2, 3), QUARTER_Y, (2, 2, 2))
    assert human.bone_frames()["Hips"] is human.hips
    # one more at (0, 0, 1), turned back: z of the armature is x of the Animator
    mount = Pose((0.0, 0.0, 1.0), BACK_Y, (0.5, 0.5, 0.5))
    human, _ = rigged(Figure(armature=ARMATURE, between={"Hips": [("Mount", mount)]}))
    same_frame(human.hips, (3, 2, 3), STRAIGHT, (1, 1, 1))


def test_a_mirrored_object_between() -> None:
    human, _ = rigged(Figure(between={"Head": [("Flip", Pose(scale=(-1.0, 1.0, 1.0)))]}))
    found = human.bone_frames()["Head"]
    assert np.prod(found.scale) == pytest.approx(-1.0)
    positions, _ = found.inside(np.array([[1.0, 2.0, 3.0]]), np.array([STRAIGHT]))
    close(positions, [(-1, 2, 3)])


# --- humanoids of an asset ----------------------------------------------------------------------------------------


def named(built: Built) -> tuple[dict[str, str], dict[str, Any]]:
    """Names of the nodes by bone, and poses by name."""
    (found,) = built.asset.humanoids
    nodes = built.asset.nodes
    assert nodes[found.rig].name == "Figure"
    return {bone: nodes[node].name for bone, node in found.bones.items()}, {
        nodes[node].name: pose for node, pose in found.t_pose.items()
    }


def test_the_asset_says_which_node_is_which_bone() -> None:
    built = build()
    (found,) = built.asset.humanoids
    bones, _ = named(built)
    assert bones == {name: name for name in stick() if name != "Top"}
    assert (found.avatar, found.source) == ("Stick", AVATAR)
    assert built.codes() == set()


def test_limits_are_degrees_by_muscle() -> None:
    joints = stick()
    joints["Head"] = replace(joints["Head"], axes=Axes(minimum=(-10, -20, -30), maximum=(15, 25.5, 35)))
    (found,) = build(Figure(joints, without=["LeftHand"])).asset.humanoids
    head = {"Head Turn Left-Right": (-10, 15), "Head Tilt Left-Right": (-20, 25.5), "Head Nod Down-Up": (-30, 35)}
    assert {name: found.limits[name] for name in head} == {
        name: pytest.approx(limits, abs=1e-5) for name, limits in head.items()
    }
    assert found.limits["Right Hand In-Out"] == pytest.approx((-90, 90), abs=1e-5)
    assert "Left Hand In-Out" not in found.limits, "that hand is not on the rig"


def test_the_t_pose_is_relative_to_the_nodes_own_parents() -> None:
    """In the skeleton the hips are at (0, 1, 0), (-1, -1, -3) from the armature, (3, -1, -1) in its axes, half of that
    in its units. The head is 0.1 above the neck, in an object that lies 0.1 to the left and a quarter about z."""
    joints = stick()
    joints["Chest"] = replace(joints["Chest"], rotation=QUARTER_X)
    rest = {"Chest": Pose((9.0, 9.0, 9.0), BACK_Z)}
    between = {"Head": [("Hat", Pose((-0.1, 0.0, 0.0), QUARTER_Z))]}
    _, poses = named(build(Figure(joints, armature=ARMATURE, between=between, rest=rest)))
    assert set(poses) == set(stick()) - {"Top"}
    close(poses["Hips"][0], (1.5, -0.5, -0.5))
    same_turn(poses["Hips"][1], BACK_Y)
    close(poses["Chest"][0], (0, 0.2, 0))
    same_turn(poses["Chest"][1], QUARTER_X)
    close(poses["Head"][0], (0.1, -0.1, 0))  # (0.1, 0.1, 0) turned back
    same_turn(poses["Head"][1], BACK_Z)


def test_missing_bones_are_told() -> None:
    built = build(Figure(without=["RightFoot", "LeftUpperArm"]))
    assert set(named(built)[0]) == set(stick()) - {"Top", "RightFoot", "LeftUpperArm", "LeftLowerArm", "LeftHand"}
    (told,) = built.told("HUMANOID_BONES_MISSING")
    assert told == {"avatar": "Stick", "bones": ["RightFoot", "LeftUpperArm", "LeftLowerArm", "LeftHand"]}
    (message,) = built.messages("HUMANOID_BONES_MISSING")
    assert message.startswith("the rig lacks 4 bones of avatar 'Stick': ")
    (item,) = built.items
    assert item.source == AVATAR


def test_a_generic_avatar_makes_no_human() -> None:
    built = build(avatars=[avatar(None)])
    assert built.asset.humanoids == () and built.codes() == set()


@pytest.mark.parametrize("reference", [None, Missing("cab-1", 5, "file not found")])
def test_an_animator_without_an_avatar(reference: Missing | None) -> None:
    built = build(Figure(avatar=reference))
    assert built.asset.humanoids == () and built.codes() == set()


def test_a_broken_avatar_is_told_where_it_is() -> None:
    built = build(avatars=[Figure().avatar_of(scale=math.nan)])
    assert built.asset.humanoids == ()
    (item,) = built.items
    assert (item.code.name, item.source) == ("AVATAR_INVALID", AVATAR) and item.where.startswith("level0:400/Avatar")


def test_an_avatar_that_cannot_be_read_is_told() -> None:
    built = build(avatars=[])
    assert built.asset.humanoids == () and built.codes() == {"OBJECT_CORRUPT"}
