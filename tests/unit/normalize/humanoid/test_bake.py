"""Whole clips on the stick figure: curves of bones, their keys, and how exact they are between these."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.builders.humans import Axes, Joint, stick
from tests.unit.normalize.clips.splines import curve, line
from tests.unit.normalize.humanoid.sticks import (
    BACK_Y,
    HALF,
    QUARTER_Y,
    QUARTER_Z,
    STRAIGHT,
    body,
    close,
    played,
    same_turn,
    turn,
)
from unity2gltf.diagnostics import Fault
from unity2gltf.ir import Curve
from unity2gltf.math3d import Array, multiply_quaternions
from unity2gltf.normalize.clips.muscles import places_body
from unity2gltf.normalize.humanoid import follow as module
from unity2gltf.normalize.humanoid.bake import Baked, Moved, MuscleClip, bake, driven_bones, muscles_of
from unity2gltf.normalize.humanoid.body import Body
from unity2gltf.normalize.humanoid.frame import Frame

BEND, ARM, TWIST = "Spine Front-Back", "Right Arm Down-Up", "Right Arm Twist In-Out"
"""Of the stick, each a quarter about z, z and x at 1."""

HIGH = {"RootT.y": curve((0.0, 1.8))}
"""The head, where all the mass is, stays where it is in the T-pose, and so do the hips at 1 m."""


def baked(
    curves: Mapping[str, Curve], duration: float = 1.0, rate: float = 1.0, root: str = "keep", **more: Any
) -> Baked:
    """On the stick with nothing between its bones, unless ``body`` and ``frames`` say else."""
    made: Body = more.pop("body", None) or body()
    frames = more.pop("frames", None)
    clip = MuscleClip(
        curves=curves,
        duration=duration,
        rate=rate,
        flags=more.pop("flags", {}),
    )
    assert not more
    return bake(made, clip, {bone: Frame.still() for bone in made.nodes} if frames is None else frames, root)


def at(moved: Moved | None, time: float) -> Array:
    assert moved is not None
    return np.array([played(own, time) for own in moved.curves])


def turned(moved: Moved | None, time: float) -> Array:
    """A rotation as players take it: of unit length."""
    value = at(moved, time)
    return np.asarray(value / np.linalg.norm(value))


def keys(moved: Moved) -> list[float]:
    (times,) = {tuple(own.times.tolist()) for own in moved.curves}
    return list(times)


# --- which bones --------------------------------------------------------------------------------------------------


def test_only_bones_that_the_clip_turns() -> None:
    """Muscles of the upper body alone leave the hips and the legs to other clips."""
    made = body()
    curves = {
        BEND: line((0.0, 0.0), (1.0, 1.0)),
        "Left Hand Down-Up": curve((0.0, 0.0)),
        "Jaw Close": curve((0.0, 1.0)),
    }
    assert driven_bones(made, curves) == ["Spine", "LeftHand"] and not places_body(curves)
    found = baked(curves)
    assert set(found.bones) == {"Spine", "LeftHand"}
    assert (found.hips, found.object_position, found.object_rotation) == (None, None, None)


def test_a_twist_turns_the_next_bone_too() -> None:
    made = body()
    assert muscles_of(made, "RightLowerArm") == ["Right Forearm Twist In-Out", "Right Forearm Stretch", TWIST]
    assert muscles_of(made, "Neck") == ["Neck Turn Left-Right", "Neck Tilt Left-Right", "Neck Nod Down-Up"]
    assert sorted(driven_bones(made, {TWIST: line((0.0, 0.0), (1.0, 1.0))})) == ["RightLowerArm", "RightUpperArm"]
    found = baked({TWIST: line((0.0, 0.0), (1.0, 1.0))})
    same_turn(at(found.bones["RightUpperArm"], 1.0), turn("x", 45))
    same_turn(at(found.bones["RightLowerArm"], 1.0), turn("x", 45))
    assert muscles_of(body(arm_twist=0.0), "RightLowerArm")[-1] == TWIST


def test_the_body_as_a_whole_moves_the_hips() -> None:
    found = baked(HIGH)
    assert set(found.bones) == {"Hips"}
    close(at(found.hips, 0.0), (0, 1, 0))
    same_turn(at(found.bones["Hips"], 0.5), STRAIGHT)
    assert [places_body({name: HIGH["RootT.y"]}) for name in ("RootT.x", "RootQ.w", "MotionT.x", BEND)] == [
        True, True, False, False
    ]  # fmt: skip


def test_bones_that_are_not_on_the_rig_are_left_out() -> None:
    frames = {bone: Frame.still() for bone in ("Chest", "Head")}
    found = baked(HIGH | {BEND: curve((0.0, 1.0)), "Head Nod Down-Up": curve((0.0, 1.0))}, frames=frames)
    assert set(found.bones) == {"Head"} and found.hips is None


def test_bones_that_are_not_on_the_rig_move_the_hips_all_the_same() -> None:
    """The spine bends by a quarter: see the tests of poses for the numbers."""
    found = baked(HIGH | {BEND: curve((0.0, 1.0))}, frames={"Hips": Frame.still()})
    same_turn(at(found.bones["Hips"], 0.0), turn("z", -63.434949))
    close(at(found.hips, 0.0), (0.0894427, 1.8 - 0.6260990, 0))


def test_details_turn_and_do_not_count_for_the_whole() -> None:
    joints = stick() | {"Thumb": Joint("LeftHand", (-0.1, 0, 0), finger=(0, 0), axes=Axes())}
    found = baked(HIGH | {"LeftHand.Thumb.1 Stretched": curve((0.0, 1.0))}, body=body(joints))
    same_turn(at(found.bones["LeftThumbProximal"], 0.0), QUARTER_Z)
    close(at(found.hips, 0.0), (0, 1, 0))


def test_what_bones_hang_in_is_taken_off() -> None:
    """The arm hangs in an object that stands a quarter about y; the hips in one at (1, 2, 3), turned so, too, and twice
    as large: (0, 1, 0) is (-1, -1, -3) from there, (3, -1, -1) in its axes, half of that in its units."""
    between = Frame(position=np.array([1.0, 2.0, 3.0]), rotation=np.array(QUARTER_Y), scale=np.array([2.0, 2.0, 2.0]))
    frames = {"RightUpperArm": between, "Hips": between}
    found = baked(HIGH | {ARM: curve((0.0, 1.0))}, frames=frames, body=body(masses={"Spine": 1.0}))
    same_turn(at(found.bones["RightUpperArm"], 0.0), multiply_quaternions(BACK_Y, QUARTER_Z))
    found = baked(HIGH, frames=frames)
    close(at(found.hips, 0.0), (1.5, -0.5, -0.5))
    same_turn(at(found.bones["Hips"], 0.0), BACK_Y)


# --- keys ---------------------------------------------------------------------------------------------------------


def test_a_pose_is_one_key() -> None:
    found = baked(HIGH | {BEND: curve((0.0, 1.0))}, duration=0.0, rate=30.0)
    assert found.keys.tolist() == [0.0]
    for moved in (*found.bones.values(), found.hips):
        assert moved is not None
        assert keys(moved) == [0.0] and (moved.error, moved.mean_error) == (0.0, 0.0)
        assert all(own.coefficients[0, :3].tolist() == [0.0, 0.0, 0.0] for own in moved.curves)
    same_turn(at(found.bones["Spine"], 0.0), QUARTER_Z)


def test_keys_at_the_rate_and_at_the_muscles_own() -> None:
    muscle = line((0.0, 0.0), (0.3, 0.3), (1.0, 1.0))
    found = baked({BEND: muscle}, rate=4.0)
    assert found.keys.tolist() == keys(found.bones["Spine"]) == [0.0, 0.3, 0.5, 0.75, 1.0]
    for time in found.keys:
        same_turn(at(found.bones["Spine"], time), turn("z", 90 * time))


@pytest.mark.parametrize("rate", [0.0, -1.0])
def test_without_a_rate_there_are_30_keys_a_second(rate: float) -> None:
    assert len(baked({BEND: curve((0.0, 0.0))}, rate=rate).keys) == 31


def test_a_bone_has_a_key_where_its_muscle_changes_its_range() -> None:
    """From -0.3 of 20 degrees to 0.7 of 60: 20 degrees a second until 0.3, 60 from there on."""
    joints = stick()
    joints["Spine"] = replace(joints["Spine"], axes=Axes(minimum=(0, 0, -20), maximum=(0, 0, 60)))
    found = baked({BEND: line((0.0, -0.3), (1.0, 0.7)), ARM: line((0.0, 0.0), (1.0, 1.0))}, body=body(joints))
    assert keys(found.bones["Spine"]) == pytest.approx([0.0, 0.3, 1.0])
    assert keys(found.bones["RightUpperArm"]) == [0.0, 1.0]
    for time, angle in {0.0: -6, 0.15: -3, 0.3: 0, 0.65: 21, 1.0: 42}.items():
        same_turn(turned(found.bones["Spine"], time), turn("z", angle), 1e-5)
    slope = found.bones["Spine"].curves[2].coefficients[:, 2]
    assert slope[:2] == pytest.approx(np.radians([20 / 2 * math.cos(np.radians(3)), 60 / 2]), rel=1e-4)


def test_too_many_keys_are_a_fault() -> None:
    with pytest.raises(Fault, match="too many keys"):
        baked({BEND: curve((0.0, 0.0))}, duration=1e9)


# --- between keys -------------------------------------------------------------------------------------------------

SQUARE = curve((0.0, 0.0, 1.0, 0.0, 0.0), (1.0, 1.0))
"""t^2: a turn of 90 degrees that begins slowly, which no cubic follows."""


def test_an_even_turn_is_met_half_way() -> None:
    found = baked({BEND: line((0.0, 0.0), (1.0, 1.0))}).bones["Spine"]
    same_turn(turned(found, 0.5), turn("z", 45), 1e-5)
    assert found.error == pytest.approx(0.0, abs=1e-5)


def test_the_error_is_the_angle_half_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the angle is u = 45 degrees t^2, its slope 0 at the start and pi / 2 at the end. The cubic is half-way at
    (p0 + p1) / 2 + (m0 - m1) / 8: for sin u (0 + 0.70711) / 2 - 0.70711 pi / 16 = 0.21471, for cos u
    (1 + 0.70711) / 2 + 0.70711 pi / 16 = 0.99239. That is a turn of 2 atan(0.21471 / 0.99239) = 24.417 degrees; it
    should be 22.5."""
    monkeypatch.setattr(module, "ROUNDS", 0)
    wanted = 2 * math.atan2(HALF / 2 - HALF * math.pi / 16, (1 + HALF) / 2 + HALF * math.pi / 16)
    assert math.degrees(wanted) == pytest.approx(24.417, abs=1e-3)
    found = baked({BEND: SQUARE, ARM: SQUARE}).bones["Spine"]
    assert keys(found) == [0.0, 1.0]
    same_turn(turned(found, 0.5), turn("z", math.degrees(wanted)), 1e-5)
    assert found.error == found.mean_error == pytest.approx(wanted - math.radians(22.5), abs=1e-5)


def test_segments_that_are_too_far_off_are_halved() -> None:
    """Until a tenth of a degree is left, which is what is told: the worst of all middles, and their mean."""
    found = baked({BEND: SQUARE}).bones["Spine"]
    times = np.array(keys(found))
    assert len(times) > 2 and set(times * 16) <= set(range(17))
    middles = (times[1:] + times[:-1]) / 2
    off = []
    for time in middles:
        x, y, z, w = turned(found, time)
        assert (x, y) == (0.0, 0.0)
        off.append(abs(math.degrees(2 * math.atan2(z, w)) - 90 * time**2))
    assert math.degrees(found.error) == pytest.approx(max(off), abs=1e-4)
    assert math.degrees(found.mean_error) == pytest.approx(sum(off) / len(off), abs=1e-4)
    assert 0 < max(off) < 0.1
    for time in times:
        same_turn(at(found, time), turn("z", 90 * time**2))


def test_halving_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times, which makes 16 of each segment at most, and what is left then is told."""
    monkeypatch.setattr(module, "NEAR_RADIANS", 1e-9)
    found = baked({BEND: SQUARE}).bones["Spine"]
    assert len(keys(found)) <= 17 and min(np.diff(keys(found))) == 1 / 16 and found.error > 1e-9


def test_the_hips_follow_a_cubic_exactly() -> None:
    """t^3 - t^2 of 2 m, and back: nothing is in the way, so that nothing is between the keys."""
    found = baked({"RootT.y": curve((0.0, 1.0, -1.0, 0.0, 0.9), (1.0, 0.9))}, body=body(scale=2.0))
    assert found.hips is not None and keys(found.hips) == [0.0, 1.0]
    close(found.hips.curves[1].coefficients, [(2, -2, 0, 1.0), (0, 0, 0, 1.0)], 1e-3)
    assert found.hips.error == pytest.approx(0.0, abs=1e-5)


def test_the_error_of_the_hips_is_in_metres(monkeypatch: pytest.MonkeyPatch) -> None:
    """RootQ goes straight from (0, 0, 0, 1) to (0, 0, 1, 1), an angle a of 2 atan t. From the head, the hips are at 0.8
    (sin a, -cos a); those begin at (0, -1) with slopes (2, 0) and end at (1, 0) with (0, 1). Half-way the cubic is at
    (1 / 2 + 2 / 8, -1 / 2 - 1 / 8) = (0.75, -0.625), and should be at (0.8, -0.6), since tan of half of a is 1 / 2."""
    monkeypatch.setattr(module, "ROUNDS", 0)
    found = baked(HIGH | {"RootQ.z": line((0.0, 0.0), (1.0, 1.0)), "RootQ.w": curve((0.0, 1.0))})
    assert found.hips is not None
    close(at(found.hips, 0.5), (0.8 * 0.75, 1.8 - 0.8 * 0.625, 0), 1e-5)
    assert found.hips.error == found.hips.mean_error == pytest.approx(0.8 * math.hypot(0.05, 0.025), abs=1e-5)


def test_the_hips_may_be_off_by_half_a_thousandth_of_the_body() -> None:
    """The same, of a body whose unit is 1 m and of one of 8 m: keys are added until that is so."""
    counts = []
    for scale in (1.0, 8.0):
        curves = {"RootT.y": curve((0.0, 1.8 / scale)), "RootQ.z": line((0.0, 0.0), (1.0, 1.0))}
        found = baked(curves | {"RootQ.w": curve((0.0, 1.0))}, body=body(scale=scale)).hips
        assert found is not None and 0 < found.error <= 5e-4 * scale
        times = np.array(keys(found))
        for time in (times[1:] + times[:-1]) / 2:
            sine, cosine = 2 * time / (1 + time**2), (1 - time**2) / (1 + time**2)
            close(at(found, time), (0.8 * sine, 1.8 - 0.8 * cosine, 0), found.error + 1e-7)
        counts.append(len(times))
    assert counts[0] > counts[1] > 2


def test_hips_go_on_where_their_quaternion_changes_its_sign() -> None:
    """The spine bends by a = -150 degrees t. From the hips, the shoulders are at 0.2 up and 0.4 along up turned by a:
    there the frame's up points. Past -90 degrees, at -120 of the spine, its quaternion is found with another sign."""
    joints = stick()
    joints["Spine"] = replace(joints["Spine"], axes=Axes(minimum=(0, 0, -150)))
    found = baked(HIGH | {BEND: line((0.0, 0.0), (1.0, -1.0))}, body=body(joints), rate=8.0).bones["Hips"]
    assert found.error < math.radians(0.1)
    for time in np.linspace(0.0, 1.0, 41):
        a = math.radians(-150 * time)
        x, y = -2 * math.sin(a), 1 + 2 * math.cos(a)
        same_turn(turned(found, time), turn("z", math.degrees(math.atan2(x, y))), math.radians(0.1))


def test_a_jump_at_a_key_stays_one() -> None:
    found = baked({BEND: curve((0.0, 0.0), (0.5, 1.0)), "RootT.y": curve((0.0, 1.8), (0.5, 2.8))})
    spine, hips = found.bones["Spine"], found.hips
    assert keys(spine) == [0.0, 0.5, 1.0] and hips is not None
    for time, wanted in {0.0: STRAIGHT, 0.4999999: STRAIGHT, 0.5: QUARTER_Z, 1.0: QUARTER_Z}.items():
        same_turn(at(spine, time), wanted)
        close(at(hips, time)[1], 1.0 if time < 0.5 else 2.8 - 0.6260990)
    assert spine.error == pytest.approx(0.0, abs=1e-9)


def test_a_jump_at_the_end_is_no_part_of_the_clip() -> None:
    found = baked({BEND: curve((0.0, 0.0), (1.0, 1.0))}).bones["Spine"]
    same_turn(at(found, 1.0), STRAIGHT)


def test_slopes_are_those_of_either_side() -> None:
    """Up by 90 degrees a second, then down by as much."""
    found = baked({BEND: line((0.0, 0.0), (1.0, 1.0), (2.0, 0.0))}, duration=2.0).bones["Spine"]
    half_angle = math.radians(45)
    z = found.curves[2].coefficients
    assert z[0, 2] == pytest.approx(half_angle, rel=1e-4)
    assert z[1, 2] == pytest.approx(-half_angle * HALF, rel=1e-4)
    a, b, c, _ = z[0]
    assert 3 * a + 2 * b + c == pytest.approx(half_angle * HALF, rel=1e-4)


def test_chunks_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 2)
    curves = HIGH | {
        "RootT.x": line((0.0, 0.0), (1.0, 5.0)),
        "RootQ.y": curve((0.0, HALF)),
        "RootQ.w": curve((0.0, HALF)),
    }
    found = baked(curves, rate=5.0)
    assert found.hips is not None
    assert keys(found.hips) == keys(found.bones["Hips"]) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    for time in (0.0, 0.1, 0.2, 0.55, 0.8, 0.99, 1.0):
        close(at(found.hips, time), (5 * time, 1, 0), 1e-5)
        same_turn(at(found.bones["Hips"], time), QUARTER_Y, 1e-5)


# --- root motion --------------------------------------------------------------------------------------------------

WALK = HIGH | {"RootT.z": line((0.0, 1.0), (1.0, 3.0))}
TURN = {"RootQ.y": curve((0.0, 0.0), (0.5, HALF)), "RootQ.w": curve((0.0, 1.0), (0.5, HALF))}


def test_kept_motion_is_on_the_hips() -> None:
    found = baked(WALK)
    close(at(found.hips, 0.5), (0, 1, 2), 1e-5)
    assert found.object_position is None and found.object_rotation is None


@pytest.mark.parametrize(("flags", "hips"), [({}, (0, -0.8, 0)), ({"m_KeepOriginalPositionY": True}, (0, 1, 0))])
def test_split_motion_is_on_the_object(flags: dict[str, Any], hips: tuple[float, ...]) -> None:
    """2 m ahead. The object starts where the head is, or on the ground below it."""
    found = baked(WALK, root="split", flags=flags)
    for time in (0.0, 0.5, 1.0):
        close(at(found.hips, time), hips, 1e-5)
        close(at(found.object_position, time), (0, 0, 2 * time), 1e-5)
        same_turn(at(found.object_rotation, time), STRAIGHT)


def test_stripped_motion_is_gone() -> None:
    found = baked(WALK | TURN, root="strip")
    for time in (0.0, 0.5, 1.0):
        close(at(found.hips, time), (0, -0.8, 0), 1e-5)
        same_turn(at(found.bones["Hips"], time), STRAIGHT)
    assert found.object_position is None and found.object_rotation is None


def test_a_split_turn() -> None:
    """At half-time the body jumps a quarter about y."""
    found = baked(WALK | TURN, root="split")
    for time, wanted in {0.0: STRAIGHT, 0.4999: STRAIGHT, 0.5: QUARTER_Y, 1.0: QUARTER_Y}.items():
        same_turn(at(found.object_rotation, time), wanted)
        same_turn(at(found.bones["Hips"], time), STRAIGHT)
        close(at(found.object_position, time), (0, 0, 2 * time), 1e-5)


def test_what_is_baked_stays_on_the_hips() -> None:
    flags = {"m_LoopBlendPositionXZ": True, "m_LoopBlendOrientation": True}
    rise = WALK | {"RootT.y": line((0.0, 1.8), (1.0, 2.8))} | TURN
    found = baked(rise, root="split", flags=flags)
    close(at(found.object_position, 1.0), (0, 1, 0), 1e-5)
    same_turn(at(found.object_rotation, 1.0), STRAIGHT)
    close(at(found.hips, 1.0), (0, -0.8, 2), 1e-5)
    same_turn(at(found.bones["Hips"], 1.0), QUARTER_Y)


def test_motion_curves_are_split_off_as_they_are() -> None:
    """The object goes 3 m to the right while the body goes 2 m ahead."""
    curves = WALK | {"MotionT.x": line((0.0, 0.0), (1.0, 3.0))}
    found = baked(curves, root="split")
    close(at(found.object_position, 1.0), (3, 0, 0), 1e-5)
    close(at(found.hips, 1.0), (-3, 1, 3), 1e-5)
    kept = baked(curves)
    close(at(kept.hips, 1.0), (0, 1, 3), 1e-5)


def test_legs_do_not_depend_on_where_the_motion_is() -> None:
    for root in ("keep", "split", "strip"):
        found = baked(WALK | {"Left Upper Leg Twist In-Out": curve((0.0, 1.0))}, root=root)
        same_turn(at(found.bones["LeftUpperLeg"], 1.0), turn("x", 45))
        same_turn(at(found.bones["LeftLowerLeg"], 1.0), turn("x", 45))
