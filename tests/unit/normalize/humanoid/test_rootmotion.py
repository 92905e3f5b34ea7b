"""The object's own motion taken out of the body's: what moves, what is baked, and where it starts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.normalize.humanoid.sticks import (
    BACK_Z,
    HALF,
    NODES,
    QUARTER_X,
    QUARTER_Y,
    QUARTER_Z,
    STRAIGHT,
    body,
    close,
    same_turn,
    turn,
)
from unity2gltf.math3d import Array, multiply_quaternions
from unity2gltf.normalize.humanoid.pose import pose_body
from unity2gltf.normalize.humanoid.rootmotion import Motion, RootMotion, relative, yaw

# --- yaw ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rotation", "wanted"),
    [
        (STRAIGHT, STRAIGHT),
        (QUARTER_Y, QUARTER_Y),
        (QUARTER_X, STRAIGHT),
        (QUARTER_Z, STRAIGHT),
        ((0, 1, 0, 0), (0, 1, 0, 0)),
        (multiply_quaternions(QUARTER_Y, turn("x", 30)), QUARTER_Y),  # leans first, then turns
        (multiply_quaternions(turn("y", -120), turn("z", 80)), turn("y", -120)),
        ((0.5, 0.5, 0.5, 0.5), QUARTER_Y),
        ((1, 0, 0, 0), STRAIGHT),  # upside down: it might be any
    ],
)
def test_the_part_about_y(rotation: tuple[float, ...], wanted: tuple[float, ...]) -> None:
    same_turn(yaw(np.array([rotation], float)), [wanted])


# --- a walk -------------------------------------------------------------------------------------------------------

TURNS = (QUARTER_Y, (0.0, 1.0, 0.0, 0.0))
"""The body looks along x, and then back along -z. It leans by 30 degrees to the front, which is no turn."""

PLACES = ((1.0, 1.0, 2.0), (3.0, 1.5, 2.0))
"""Two units ahead, along x, and half a unit up."""


BELOW = 1.7 * 0.8660254
"""How far the feet are below the head of a body that leans by 30 degrees."""


def walk(extra: dict[str, tuple[float, float]] | None = None) -> dict[str, Array]:
    rotations = [multiply_quaternions(rotation, turn("x", 30)) for rotation in TURNS]
    values = {
        f"RootT.{axis}": np.array(numbers) for axis, numbers in zip("xyz", zip(*PLACES, strict=True), strict=True)
    }
    values |= {
        f"RootQ.{axis}": np.array(numbers) for axis, numbers in zip("xyzw", np.transpose(rotations), strict=True)
    }
    return values | {name: np.array(pair) for name, pair in (extra or {}).items()}


def motion(flags: dict[str, Any] | None = None, scale: float = 1.0, values: dict[str, Array] | None = None) -> Motion:
    made, values = body(scale=scale), walk() if values is None else values
    first = {name: numbers[:1] for name, numbers in values.items()}
    return RootMotion(made, flags or {}, pose_body(made, first, 1), first).at(pose_body(made, values, 2), values)


def test_the_object_goes_where_the_body_goes() -> None:
    """Since the start, in its own axes then: it looks along x, which is ahead, +z."""
    found = motion()
    close(found.position, [(0, 0, 0), (0, 0.5, 2)])
    same_turn(found.rotation, [STRAIGHT, QUARTER_Y])
    close(found.frame_position, [(1, 1, 2), (3, 1.5, 2)])
    same_turn(found.frame_rotation, TURNS)


def test_units_are_those_of_the_avatar() -> None:
    found = motion(scale=0.5)
    close(found.position, [(0, 0, 0), (0, 0.25, 1)])
    close(found.frame_position, [(0.5, 0.5, 1), (1.5, 0.75, 1)])


BAKED = {
    "m_LoopBlendPositionXZ": ((0, 0.5, 0), QUARTER_Y),
    "m_LoopBlendPositionY": ((0, 0, 2), QUARTER_Y),
    "m_LoopBlendOrientation": ((0, 0.5, 2), STRAIGHT),
}


@pytest.mark.parametrize("flag", BAKED)
def test_what_is_baked_into_the_pose_does_not_move_the_object(flag: str) -> None:
    position, rotation = BAKED[flag]
    found = motion({flag: True})
    close(found.position, [(0, 0, 0), position])
    same_turn(found.rotation, [STRAIGHT, rotation])
    same_turn(found.frame_rotation, multiply_quaternions([QUARTER_Y] * 2, [STRAIGHT, rotation]))
    unset = motion(dict.fromkeys(BAKED, False))
    close(unset.position, motion().position)


def test_all_baked_is_no_motion() -> None:
    found = motion(dict.fromkeys(BAKED, True))
    close(found.position, [(0, 0, 0)] * 2)
    same_turn(found.rotation, [STRAIGHT] * 2)
    close(found.frame_position, [(1, 1, 2)] * 2)
    same_turn(found.frame_rotation, [QUARTER_Y] * 2)


# --- where it starts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "start"),
    [
        ({}, (1, 1, 2)),
        ({"m_KeepOriginalPositionXZ": True}, (0, 1, 0)),
        ({"m_KeepOriginalPositionY": True}, (1, 0, 2)),
        ({"m_KeepOriginalPositionXZ": True, "m_KeepOriginalPositionY": True}, (0, 0, 0)),
        ({"m_HeightFromFeet": True}, (1, 1 - BELOW, 2)),
        ({"m_HeightFromFeet": True, "m_KeepOriginalPositionY": True}, (1, 0, 2)),
    ],
)
def test_the_object_starts_below_the_body_or_at_the_clips_origin(
    flags: dict[str, bool], start: tuple[float, ...]
) -> None:
    """Below the body, at its height or that of its lower foot, 1.7 m below the head, where the mass is."""
    found = motion(flags)
    close(found.frame_position, np.array([(0, 0, 0), (2, 0.5, 0)]) + start)
    close(found.position, [(0, 0, 0), (0, 0.5, 2)])
    same_turn(found.frame_rotation, TURNS)


def test_the_height_of_feet_is_in_metres() -> None:
    """The body's place is in units of the avatar, its bones are not."""
    close(motion({"m_HeightFromFeet": True}, scale=2.0).frame_position[0], (2, 2 - BELOW, 4))


def test_the_lower_foot_leads_at_all_times() -> None:
    """The body leans by 60 degrees in the end: its head is half a unit higher, its feet are 0.85 m below that."""
    leaning = multiply_quaternions(TURNS[1], turn("x", 60)).tolist()
    values = walk()
    for axis, number in zip("xyzw", leaning, strict=True):
        values[f"RootQ.{axis}"][1] = number
    found = motion({"m_HeightFromFeet": True}, values=values)
    close(found.position[1], (0, (1.5 - 0.85) - (1 - BELOW), 2))
    kept = motion({"m_HeightFromFeet": True, "m_KeepOriginalPositionY": True}, values=values)
    close(kept.position[1], (0, 0.5, 2))


def test_offsets_are_said_of_the_object() -> None:
    """It stands 0.1 m higher, and looks a quarter to the right of where the body looks."""
    found = motion({"m_Level": 0.1, "m_OrientationOffsetY": 90.0})
    close(found.frame_position, [(1, 1.1, 2), (3, 1.6, 2)])
    same_turn(found.frame_rotation, multiply_quaternions(TURNS, [QUARTER_Y] * 2))
    same_turn(found.rotation, [STRAIGHT, QUARTER_Y])


def test_the_clips_own_axes_may_be_kept() -> None:
    """The object looks along z as the clip has it, though the body looks along x, and goes there: to its right."""
    found = motion({"m_KeepOriginalOrientation": True})
    close(found.frame_position, [(1, 1, 2), (3, 1.5, 2)])
    same_turn(found.frame_rotation, [STRAIGHT, QUARTER_Y])
    close(found.position, [(0, 0, 0), (2, 0.5, 0)])
    same_turn(found.rotation, [STRAIGHT, QUARTER_Y])


# --- motion curves ------------------------------------------------------------------------------------------------


def test_motion_curves_are_the_motion_itself() -> None:
    """From (1, 0, 0) on, turned a quarter about z, 3 units up: along x as the object stands. No setting bakes them,
    and none moves where they start."""
    curves = {"MotionT.x": (1.0, 1.0), "MotionT.y": (0.0, 3.0), "MotionQ.z": (HALF, 0.0), "MotionQ.w": (HALF, 1.0)}
    every = dict.fromkeys((*BAKED, "m_KeepOriginalOrientation", "m_KeepOriginalPositionXZ"), True)
    for flags in ({}, every):
        found = motion(flags, scale=2.0, values=walk(curves))
        close(found.position, [(0, 0, 0), (6, 0, 0)])
        same_turn(found.rotation, [STRAIGHT, BACK_Z])
        close(found.frame_position, [(2, 0, 0), (2, 6, 0)])
        same_turn(found.frame_rotation, [QUARTER_Z, STRAIGHT])


def test_a_motion_curve_alone_will_do() -> None:
    close(motion(values=walk({"MotionT.z": (0.0, 5.0)})).position, [(0, 0, 0), (0, 0, 5)])


# --- the body on the object ---------------------------------------------------------------------------------------


def test_what_the_body_does_beside_the_objects_motion() -> None:
    """The object stands at (1, 0, 0) a quarter about y: (1, 2, 3) is 3 ahead of it on z, which it sees at -x."""
    moved = Motion(
        position=np.zeros((1, 3)),
        rotation=np.array([STRAIGHT]),
        frame_position=np.array([(1.0, 0.0, 0.0)]),
        frame_rotation=np.array([QUARTER_Y]),
    )
    position, rotation = relative(moved, np.array([(1.0, 2.0, 3.0)]), np.array([QUARTER_Y]))
    close(position, [(-3, 2, 0)])
    same_turn(rotation, [STRAIGHT])


@pytest.mark.parametrize(
    "kept", [(), ("m_KeepOriginalPositionY",), ("m_KeepOriginalOrientation",), ("m_HeightFromFeet",)]
)
def test_a_body_that_goes_and_turns_stands_still_on_its_object(kept: tuple[str, ...]) -> None:
    found, made = motion(dict.fromkeys(kept, True)), body()
    hips = pose_body(made, walk(), 2)
    position, rotation = relative(found, hips.positions[:, NODES["Hips"]], hips.rotations[:, NODES["Hips"]])
    close(position[1], position[0])
    same_turn(rotation[1], rotation[0])
