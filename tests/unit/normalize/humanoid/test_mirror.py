"""Left and right exchanged: a clip whose mirror image is what the mirrored clip plays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.builders.humans import Axes, stick
from tests.unit.normalize.clips.splines import curve, line
from tests.unit.normalize.humanoid.sticks import BACK_Z, QUARTER_X, QUARTER_Z, body, close, same_turn, turn
from unity2gltf.ir import Curve
from unity2gltf.normalize.clips.muscles import GOAL_CURVES, NAMES
from unity2gltf.normalize.humanoid.body import Body
from unity2gltf.normalize.humanoid.mirror import mirrored
from unity2gltf.normalize.humanoid.pose import Pose, pose_body
from unity2gltf.normalize.humanoid.sampling import sample

UP = line((0.0, 0.0), (1.0, 1.0))


def rows(given: Curve) -> list[list[float]]:
    return [[time, *row] for time, row in zip(given.times.tolist(), given.coefficients.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Left Arm Down-Up", "Right Arm Down-Up"),
        ("Right Forearm Twist In-Out", "Left Forearm Twist In-Out"),
        ("Left Eye In-Out", "Right Eye In-Out"),
        ("LeftHand.Thumb.Spread", "RightHand.Thumb.Spread"),
        ("RightHand.Little.3 Stretched", "LeftHand.Little.3 Stretched"),
        ("Spine Front-Back", "Spine Front-Back"),
        ("Head Nod Down-Up", "Head Nod Down-Up"),
        ("Jaw Close", "Jaw Close"),
        *((name, name) for name in ("RootT.y", "RootT.z", "RootQ.x", "RootQ.w", "MotionT.z", "MotionQ.w")),
    ],
)
def test_sides_are_exchanged(name: str, other: str) -> None:
    found = mirrored({name: UP})
    assert list(found) == [other] and rows(found[other]) == rows(UP)


@pytest.mark.parametrize(
    "name",
    [
        *("Spine Left-Right", "Chest Twist Left-Right", "UpperChest Left-Right", "Neck Tilt Left-Right"),
        *("Head Turn Left-Right", "Jaw Left-Right"),
        *(f"{root}{axis}" for root in ("Root", "Motion") for axis in ("T.x", "Q.y", "Q.z")),
    ],
)
def test_what_goes_to_a_side_goes_to_the_other(name: str) -> None:
    found = mirrored({name: curve((0.0, 1.0, -2.0, 3.0, 4.0), (1.0, 6.0))})
    assert rows(found[name]) == [[0, -1, 2, -3, -4], [1, 0, 0, 0, -6]]


def test_goals_are_left_out_and_all_else_stays() -> None:
    """13 muscles of the middle lean or turn to a side."""
    found = mirrored(dict.fromkeys(NAMES, UP))
    assert found.keys() == set(NAMES) - set(GOAL_CURVES)
    turned = [name for name, given in found.items() if given is not UP]
    assert sum(name.endswith("Left-Right") for name in turned) == 3 * 2 + 2 * 2 + 1 and len(turned) == 11 + 6


# --- poses --------------------------------------------------------------------------------------------------------

CYCLE = (0.5, 0.5, 0.5, 0.5)
"""x to y to z to x: a bone of the middle twists about y, leans to a side about z, and to the front about x."""


def symmetric() -> Body:
    """The same stick on both sides of the plane x = 0."""
    joints = stick()
    for name, joint in joints.items():
        if name in ("Spine", "Chest", "Neck", "Head"):
            joints[name] = replace(joint, axes=Axes(pre=CYCLE, post=CYCLE, minimum=(-90, -90, -70)))
        elif name.startswith("Right"):
            joints[name] = replace(joint, axes=Axes(signs=(1, -1, -1)))
    return body(joints, {"Head": 0.5, "Hips": 0.5})


def posed(made: Body, curves: dict[str, Curve]) -> Pose:
    return pose_body(made, sample(curves, np.zeros(1)), 1)


def test_a_raised_arm_and_a_leaning_head() -> None:
    made = symmetric()
    steady = {"Left Arm Down-Up": 1.0, "Head Tilt Left-Right": 0.5, "Head Nod Down-Up": 1.0}
    curves = {name: curve((0.0, value)) for name, value in steady.items()}
    before, after = posed(made, curves).local[0], posed(made, mirrored(curves)).local[0]
    same_turn(before[made.nodes["LeftUpperArm"]], QUARTER_Z)
    same_turn(after[made.nodes["RightUpperArm"]], BACK_Z)
    same_turn(after[made.nodes["LeftUpperArm"]], turn("z", 0))
    # half tangents of 45 about z and 90 about x: (1, -0, 0.4142, 1) and its mirror image
    length = np.sqrt(2 + 0.41421356**2)
    same_turn(before[made.nodes["Head"]], np.array([1, 0, 0.41421356, 1]) / length)
    same_turn(after[made.nodes["Head"]], np.array([1, 0, -0.41421356, 1]) / length)
    nod = {"Head Nod Down-Up": curves["Head Nod Down-Up"]}
    same_turn(posed(made, mirrored(nod)).local[0, made.nodes["Head"]], QUARTER_X)


def test_the_mirrored_clip_is_the_mirror_image() -> None:
    """Every muscle at a value of its own, the body anywhere: x of each place changes its sign, and y and z of each
    rotation, on the other side."""
    made = symmetric()
    curves = {
        name: curve((0.0, ((37 * number) % 41 - 20) / 25))
        for number, name in enumerate(NAMES)
        if name not in GOAL_CURVES
    }
    before, after = posed(made, curves), posed(made, mirrored(curves))
    for bone, node in made.nodes.items():
        for side, other in (("Left", "Right"), ("Right", "Left")):
            if bone.startswith(side):
                twin = made.nodes[other + bone.removeprefix(side)]
                break
        else:
            twin = node
        close(after.positions[0, twin], before.positions[0, node] * (-1, 1, 1))
        same_turn(after.rotations[0, twin], before.rotations[0, node] * (1, -1, -1, 1))
