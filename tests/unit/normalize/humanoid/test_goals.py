"""How far hands and feet are from where the clip says, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.builders.humans import Axes, stick
from tests.unit.normalize.clips.splines import curve, line
from tests.unit.normalize.humanoid.sticks import (
    BACK_Z,
    HALF,
    QUARTER_Y,
    STRAIGHT,
    body,
    close,
    same_turn,
    steady,
)
from unity2gltf.ir import Curve
from unity2gltf.math3d import multiply_quaternions
from unity2gltf.normalize.clips.muscles import BODY_MUSCLES, GOAL_CURVES
from unity2gltf.normalize.humanoid import goals
from unity2gltf.normalize.humanoid.body import Body
from unity2gltf.normalize.humanoid.goals import Residual
from unity2gltf.normalize.humanoid.pose import pose_body
from unity2gltf.raw import RawMuscles

ROOT = {"RootT.y": 0.9, "RootQ.y": HALF, "RootQ.w": HALF}
"""The head is 1.8 m high, where a unit is 2 m; all turned a quarter about y: left is towards +z."""


def figure() -> Body:
    """All mass in the head. The left foot's x points down, its sole is 0.1 m along it; the right foot has no length."""
    joints = stick()
    joints["LeftFoot"] = replace(joints["LeftFoot"], axes=Axes(pre=BACK_Z, post=BACK_Z, length=0.1))
    return body(joints, scale=2.0)


GOALS = {
    "LeftFoot": ((-0.05, -0.9, 0.0), BACK_Z),  # the sole (-0.1, 0, 0), 1.8 below the head
    "RightFoot": ((0.05, -0.85, 0.0), STRAIGHT),  # the ankle (0.1, 0.1, 0)
    "LeftHand": ((-0.4, -0.1, 0.0), STRAIGHT),  # (-0.8, 1.6, 0)
    "RightHand": ((0.4, -0.1, 0.0), STRAIGHT),
}
"""As a true clip of the T-pose has them: from the head, in its axes, in units of 2 m."""


def stored(**changes: float) -> dict[str, float]:
    values = dict(ROOT)
    for name, (position, rotation) in GOALS.items():
        values |= {f"{name}T.{axis}": number for axis, number in zip("xyz", position, strict=True)}
        values |= {f"{name}Q.{axis}": number for axis, number in zip("xyzw", rotation, strict=True)}
    return values | changes


# --- goals of the bones -------------------------------------------------------------------------------------------


def test_a_foot_is_told_at_its_sole_and_a_hand_at_its_joint() -> None:
    made = figure()
    pose = pose_body(made, steady(**ROOT), 1)
    places = {
        "LeftFoot": (0, 0, 0.1),
        "RightFoot": (0, 0.1, -0.1),
        "LeftHand": (0, 1.6, 0.8),
        "RightHand": (0, 1.6, -0.8),
    }
    for name, place in places.items():
        position, rotation = goals.goal(made, pose, name)
        close(position, [place])
        same_turn(rotation, multiply_quaternions([QUARTER_Y], GOALS[name][1]))


# --- residuals ----------------------------------------------------------------------------------------------------


def test_a_true_clip_has_no_residual() -> None:
    made, values = figure(), steady(**stored())
    found = goals.residual(made, values, pose_body(made, values, 1))
    close(found.metres, [[0, 0, 0, 0]])
    close(found.degrees, [[0, 0, 0, 0]], 1e-5)


def test_what_is_stored_elsewhere_is_told_in_metres_and_degrees() -> None:
    """0.01 and 0.02 units of 2 m; the left hand a quarter about x off, the right one half a turn about z."""
    values = steady(
        **stored(
            **{"LeftFootT.x": -0.04, "RightHandT.y": -0.12},
            **{"LeftHandQ.x": HALF, "LeftHandQ.w": HALF, "RightHandQ.z": 1.0, "RightHandQ.w": 0.0},
        )
    )
    made = figure()
    found = goals.residual(made, values, pose_body(made, values, 1))
    close(found.metres, [[0.02, 0, 0, 0.04]])
    close(found.degrees, [[0, 0, 90, 180]], 1e-5)


def curves(**changes: Curve) -> dict[str, Curve]:
    return {name: curve((0.0, value)) for name, value in stored().items()} | changes


@pytest.mark.parametrize("chunk", [4096, 2])
def test_over_the_clip(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """A hand that is told ever further out, by 1 unit of 2 m a second."""
    monkeypatch.setattr(goals, "CHUNK", chunk)
    away = {"LeftHandT.x": line((0.0, -0.4), (4.0, -4.4))}
    found = goals.clip_residual(figure(), curves(**away), np.arange(5.0))
    close(found.metres, [[0, 0, 2.0 * time, 0] for time in range(5)])
    close(found.degrees, np.zeros((5, 4)), 1e-5)


def test_the_mean_over_a_few_poses() -> None:
    """Of four goals one is 90 degrees off in the second half of the clip."""
    turned = {"RightFootQ.x": curve((0.0, 0.0), (1.0, HALF)), "RightFootQ.w": curve((0.0, 1.0), (1.0, HALF))}
    assert goals.rotation_residual(figure(), curves(**turned), 2.0) == pytest.approx(90 / 4 / 2, abs=1e-5)


def test_a_clip_has_goals_where_it_has_all() -> None:
    assert goals.has_goals(curves())
    assert len(GOAL_CURVES) == 28
    for name in GOAL_CURVES:
        assert not goals.has_goals({other: 0 for other in curves() if other != name})


# --- gates --------------------------------------------------------------------------------------------------------


def measured(degrees: list[float], feet: float = 0.0, hands: float = 0.0) -> Residual:
    """Poses whose goals are all off by so many degrees, and metres."""
    turned = np.repeat(np.array(degrees)[:, None], 4, axis=1)
    metres = np.tile([feet, feet, hands, hands], (len(degrees), 1))
    return Residual(metres=metres, degrees=turned)


@pytest.mark.parametrize(
    ("degrees", "is_right"),
    [
        ([0.49] * 20, True),
        ([0.51] * 20, False),
        ([0.0] * 19 + [9.0], True),  # the worst twentieth may be anything
        ([0.0] * 18 + [0.9, 0.9], False),
        ([0.0] * 18 + [0.7, 0.7], True),
    ],
)
def test_bones_are_turned_right_within_half_a_degree(degrees: list[float], is_right: bool) -> None:
    assert goals.rotations_met(measured(degrees)) is is_right
    assert goals.goals_met(measured(degrees), figure()) is is_right


@pytest.mark.parametrize(("feet", "has_passed"), [(0.0079, True), (0.0081, False)])
def test_feet_come_within_four_thousandths_of_the_body(feet: float, has_passed: bool) -> None:
    """Of 2 m; hands may be anywhere, since other objects move them."""
    assert goals.goals_met(measured([0.0, 0.0], feet, 1.0), figure()) is has_passed
    assert goals.rotations_met(measured([0.0, 0.0], feet, 1.0))


# --- numbering ----------------------------------------------------------------------------------------------------


def test_the_muscles_own_change_is_the_one_that_is_stored() -> None:
    """From 1 to 0.25, from 0 to 0.5, and one that is not in the clip."""
    own = {"Spine Front-Back": line((0.0, 1.0), (2.0, 0.25)), "Right Hand In-Out": line((0.0, 0.0), (2.0, 0.5))}
    delta = [0.0] * 55
    delta[0], delta[54] = 0.75, -0.5
    assert goals.numbering_residual(own, RawMuscles(delta=tuple(delta)), 2.0) == 0.0
    delta[7] = 0.125
    assert goals.numbering_residual(own, RawMuscles(delta=tuple(delta)), 2.0) == 0.125
    shifted = {"Spine Left-Right": own["Spine Front-Back"], "Right Hand In-Out": own["Right Hand In-Out"]}
    assert goals.numbering_residual(shifted, RawMuscles(delta=tuple(delta)), 2.0) == 0.75


def test_before_5_6_there_are_52_changes() -> None:
    """Without the three of the upper chest, which are numbers 6 to 8."""
    own = {"Neck Nod Down-Up": line((0.0, 0.5), (1.0, 0.0)), "UpperChest Front-Back": line((0.0, 9.0), (1.0, 0.0))}
    assert BODY_MUSCLES[9] == "Neck Nod Down-Up"
    old = (0.0,) * 6 + (0.5,) + (0.0,) * 45
    assert goals.numbering_residual(own, RawMuscles(delta=old), 1.0) == 0.0


@pytest.mark.parametrize("count", [0, 54, 56])
def test_without_changes_there_is_nothing_to_compare(count: int) -> None:
    assert goals.numbering_residual({}, RawMuscles(delta=(0.5,) * count), 1.0) is None


# --- loops --------------------------------------------------------------------------------------------------------


def test_how_far_apart_a_clip_ends_from_its_start() -> None:
    """By muscles of the body alone: fingers, the way of the body and goals do not count."""
    own = {"Spine Front-Back": line((0.0, 0.5), (2.0, 0.25)), "Head Turn Left-Right": line((0.0, 0.0), (1.0, 0.125))}
    other = line((0.0, 0.0), (2.0, 9.0))
    others = dict.fromkeys(("RootT.z", "LeftFootT.x", "LeftHand.Thumb.Spread"), other)
    assert goals.loop_gap(own | others, 2.0) == 0.25
    assert goals.loop_gap(own | others, 1.0) == 0.125
    assert goals.loop_gap(others, 2.0) == 0.0
