"""Curves of humanoid clips: their names by number, which bone each turns, and how they are found in a clip."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.reference.clip_writer import binding, clip, compiled, frame, keys, rows
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.clips.decode import decode_clip
from unity2gltf.normalize.clips.decoded import DecodedClip
from unity2gltf.normalize.clips.muscles import (
    AXES,
    BODY_MUSCLES,
    BONES,
    FREE_CURVES,
    GOAL_CURVES,
    NAMES,
    OLD_BODY_MUSCLES,
    REQUIRED,
    ROOT_CURVES,
    TWISTS,
    UPPER_CHEST,
    hand_bones,
    names_in,
)
from unity2gltf.raw import RawBinding, RawClip, RawCurve, RawMuscles

NEW, OLD, BEFORE_BINDINGS = (2019, 4, 0), (5, 5, 6), (4, 2, 2)

# --- names by number ----------------------------------------------------------------------------------------------


def test_names_are_where_unity_numbers_them() -> None:
    """0 motion, 7 body, 14 goals, 42 the 55 muscles of the body, 97 and 117 the 20 of each hand, 137 translations."""
    numbers = {
        0: "MotionT.x", 3: "MotionQ.x", 6: "MotionQ.w", 7: "RootT.x", 9: "RootT.z", 10: "RootQ.x", 13: "RootQ.w",
        14: "LeftFootT.x", 17: "LeftFootQ.x", 21: "RightFootT.x", 28: "LeftHandT.x", 35: "RightHandT.x",
        41: "RightHandQ.w", 42: "Spine Front-Back", 48: "UpperChest Front-Back", 51: "Neck Nod Down-Up",
        57: "Left Eye Down-Up", 61: "Jaw Close", 62: "Jaw Left-Right", 63: "Left Upper Leg Front-Back",
        71: "Right Upper Leg Front-Back", 79: "Left Shoulder Down-Up", 88: "Right Shoulder Down-Up",
        96: "Right Hand In-Out", 97: "LeftHand.Thumb.1 Stretched", 98: "LeftHand.Thumb.Spread",
        101: "LeftHand.Index.1 Stretched", 116: "LeftHand.Little.3 Stretched", 117: "RightHand.Thumb.1 Stretched",
        136: "RightHand.Little.3 Stretched", 137: "SpineTDOF.x", 199: "RightHandTDOF.z",
    }  # fmt: skip
    assert {number: NAMES[number] for number in numbers} == numbers
    assert len(NAMES) == len(set(NAMES)) == 200
    parts = (ROOT_CURVES, GOAL_CURVES, BODY_MUSCLES, FREE_CURVES)
    assert tuple(map(len, parts)) == (14, 28, 55, 63)
    assert names_in((5, 6, 0)) == names_in((2022, 3, 20)) == NAMES


def test_before_5_6_there_is_no_upper_chest() -> None:
    """Its three muscles were 48 to 50; its three translations stood among the last 63."""
    old = names_in((5, 5, 6))
    assert old == names_in((4, 0, 1))
    assert old[47:50] == ("Chest Twist Left-Right", "Neck Nod Down-Up", "Neck Tilt Left-Right")
    assert (old[93], old[94], old[133]) == (
        "Right Hand In-Out", "LeftHand.Thumb.1 Stretched", "RightHand.Little.3 Stretched"
    )  # fmt: skip
    assert len(OLD_BODY_MUSCLES) == 52 and len(old) == 194
    assert not any(name.startswith("UpperChest") for name in (*old, *OLD_BODY_MUSCLES))


# --- bones --------------------------------------------------------------------------------------------------------

TRIPLES: dict[str, tuple[int | None, int | None, int | None]] = {
    "Spine": (2, 1, 0), "Chest": (5, 4, 3), "UpperChest": (8, 7, 6), "Neck": (11, 10, 9), "Head": (14, 13, 12),
    "LeftEye": (None, 16, 15), "RightEye": (None, 18, 17), "Jaw": (None, 20, 19),
    "LeftUpperLeg": (23, 22, 21), "LeftLowerLeg": (25, None, 24), "LeftFoot": (None, 27, 26),
    "LeftToes": (None, None, 28),
    "RightUpperLeg": (31, 30, 29), "RightLowerLeg": (33, None, 32), "RightFoot": (None, 35, 34),
    "RightToes": (None, None, 36),
    "LeftShoulder": (None, 38, 37), "LeftUpperArm": (41, 40, 39), "LeftLowerArm": (43, None, 42),
    "LeftHand": (None, 45, 44),
    "RightShoulder": (None, 47, 46), "RightUpperArm": (50, 49, 48), "RightLowerArm": (52, None, 51),
    "RightHand": (None, 54, 53),
}  # fmt: skip
"""Muscles of the body by number, about x (twist), y and z."""


def test_each_muscle_turns_one_axis_of_one_bone() -> None:
    for bone, triple in TRIPLES.items():
        assert AXES[bone] == tuple("" if number is None else NAMES[42 + number] for number in triple), bone
    used = [name for axes in AXES.values() for name in axes if name]
    assert sorted(used) == sorted(NAMES[42:137])
    assert len(AXES) == len(TRIPLES) + 30 and "Hips" not in AXES


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_a_finger_spreads_at_its_first_joint_and_stretches_at_all(side: str) -> None:
    hand = hand_bones(side)
    assert len(hand) == 15 and hand[:4] == [
        f"{side}Thumb{joint}" for joint in ("Proximal", "Intermediate", "Distal")
    ] + [f"{side}IndexProximal"]
    first = {"Thumb": 97, "Index": 101, "Middle": 105, "Ring": 109, "Little": 113}
    for finger, left in first.items():
        number = left + (0 if side == "Left" else 20)
        assert AXES[f"{side}{finger}Proximal"] == ("", NAMES[number + 1], NAMES[number])
        assert AXES[f"{side}{finger}Intermediate"] == ("", "", NAMES[number + 2])
        assert AXES[f"{side}{finger}Distal"] == ("", "", NAMES[number + 3])


def test_bones_in_the_order_of_the_avatar() -> None:
    assert len(BONES) == 25 and UPPER_CHEST == 9
    numbers = {0: "Hips", 5: "LeftFoot", 8: "Chest", 10: "Neck", 12: "LeftShoulder", 18: "LeftHand", 24: "Jaw"}
    assert {number: BONES[number] for number in numbers} == numbers
    assert len(REQUIRED) == 15 and {"Hips", "Spine", "Head", "LeftFoot", "RightHand"} <= set(REQUIRED)
    assert not {"Chest", "UpperChest", "Neck", "LeftShoulder", "LeftToes", "Jaw"} & set(REQUIRED)


def test_limbs_hand_their_twist_on() -> None:
    assert set(TWISTS) == {
        (f"{side}{bone}", f"{side}{child}", factor)
        for side in ("Left", "Right")
        for bone, child, factor in (
            ("UpperArm", "LowerArm", "arm_twist"),
            ("LowerArm", "Hand", "fore_arm_twist"),
            ("UpperLeg", "LowerLeg", "upper_leg_twist"),
            ("LowerLeg", "Foot", "leg_twist"),
        )
    }


# --- compiled clips -----------------------------------------------------------------------------------------------


def muscle(attribute: int) -> RawBinding:
    return binding(95, attribute, custom_type=8)


def decoded(raw: RawClip) -> tuple[DecodedClip, dict[str, Any]]:
    """The clip, and what is told by code."""
    diagnostics = Diagnostics()
    found = decode_clip(raw, diagnostics)
    return found, {item.code.name: item.data for item in diagnostics.items}


def first_values(found: DecodedClip) -> dict[str, float]:
    return {name: rows(curve)[0][4] for name, curve in found.muscles.items()}


@pytest.mark.parametrize(
    ("version", "name"),
    [(NEW, "UpperChest Front-Back"), ((5, 6, 0), "UpperChest Front-Back"), (OLD, "Neck Nod Down-Up")],
)
def test_the_number_of_a_binding_is_the_muscle(version: tuple[int, int, int], name: str) -> None:
    """A line of slope 2, samples 0 and 3 a second apart, and a constant; with them a Transform's position."""
    raw = clip(
        version=version,
        compiled=compiled(
            [frame(0.0, (0, 0.0, 0.0, 2.0, 1.0), *((n, 0.0, 0.0, 0.0, 9.0) for n in (1, 2, 3)))],
            streamed=4,
            dense=[[0.0], [3.0]],
            constants=[0.5],
        ),
        bindings=(muscle(48), binding(4, 1, path=11), muscle(13), muscle(7)),
    )
    found, told = decoded(raw)
    assert {muscle: rows(curve) for muscle, curve in found.muscles.items()} == {
        name: [(0.0, 0.0, 0.0, 2.0, 1.0)],
        "RootQ.w": [(0.0, 0.0, 0.0, 3.0, 0.0), (1.0, 0.0, 0.0, 0.0, 3.0)],
        "RootT.x": [(0.0, 0.0, 0.0, 0.0, 0.5)],
    }
    assert (found.kind, found.extras["muscles"], len(found.curves), told) == ("humanoid", 3, 1, {})


def index_array(numbers: dict[int, int], length: int = 134) -> tuple[int, ...]:
    return tuple(numbers.get(attribute, -1) for attribute in range(length))


def test_before_bindings_the_index_array_says_which_curve_is_which() -> None:
    raw = clip(
        version=BEFORE_BINDINGS,
        compiled=compiled([frame(0.0, (0, 0.0, 0.0, 0.0, 1.0), (1, 0.0, 0.0, 0.0, 2.0))], streamed=2, dense=[[3.0]]),
        muscles=RawMuscles(index_array=index_array({8: 2, 42: 1, 48: 0})),
    )
    found, told = decoded(raw)
    assert first_values(found) == {"RootT.y": 3.0, "Spine Front-Back": 2.0, "Neck Nod Down-Up": 1.0}
    assert (found.kind, found.curves, told) == ("humanoid", (), {})


def test_an_index_array_that_is_longer_than_the_names_or_points_past_the_curves() -> None:
    raw = clip(
        version=BEFORE_BINDINGS,
        compiled=compiled(constants=[1.0]),
        muscles=RawMuscles(index_array=(*index_array({42: 0, 43: 7}, 194), 0, 0)),
    )
    found, told = decoded(raw)
    assert first_values(found) == {"Spine Front-Back": 1.0}
    assert found.lost_muscles == ("Spine Left-Right",)
    assert told == {"CLIP_INVALID": {"curves_without_a_value": 1}}


@pytest.mark.parametrize(
    ("index", "wrong"),
    [
        ({}, 0),  # says nothing
        ({42: 0, 43: 1}, 0),
        ({42: 0}, 0),  # says nothing of 43
        ({42: 0, 43: 0}, 1),
        ({42: 1, 43: 0, 44: 2}, 2),
    ],
)
def test_where_the_index_array_does_not_fit_the_bindings(index: dict[int, int], wrong: int) -> None:
    raw = clip(
        compiled=compiled(constants=[1.0, 2.0]),
        bindings=(muscle(42), muscle(43)),
        muscles=RawMuscles(index_array=index_array(index, 200)),
    )
    found, told = decoded(raw)
    assert first_values(found) == {"Spine Front-Back": 1.0, "Spine Left-Right": 2.0}, "the bindings count"
    assert told == ({"CLIP_INVALID": {"muscles_numbered_otherwise": wrong}} if wrong else {})


@pytest.mark.parametrize(("version", "attribute"), [(NEW, 200), (NEW, 0xFFFFFFFF), (OLD, 194)])
def test_a_number_without_a_name_is_told(version: tuple[int, int, int], attribute: int) -> None:
    raw = clip(version=version, compiled=compiled(constants=[1.0, 2.0]), bindings=(muscle(42), muscle(attribute)))
    found, told = decoded(raw)
    assert first_values(found) == {"Spine Front-Back": 1.0}
    assert told == {"CLIP_INVALID": {"muscles_without_a_name": 1}}


def test_a_muscle_that_is_bound_twice_is_told() -> None:
    """The last counts."""
    bindings = (muscle(42), muscle(43), muscle(42), binding(95, 42, custom_type=0))
    found, told = decoded(clip(compiled=compiled(constants=[1.0, 2.0, 3.0, 4.0]), bindings=bindings))
    assert first_values(found) == {"Spine Front-Back": 3.0, "Spine Left-Right": 2.0}
    assert told == {"CLIP_INVALID": {"muscles_bound_twice": 1}}


def test_curves_that_are_no_number_are_lost() -> None:
    raw = clip(
        compiled=compiled(constants=[math.nan, 2.0, math.inf]),
        bindings=(muscle(42), muscle(43), muscle(44), muscle(45)),
    )
    found, told = decoded(raw)
    assert first_values(found) == {"Spine Left-Right": 2.0}
    assert found.lost_muscles == ("Spine Front-Back", "Spine Twist Left-Right", "Chest Front-Back")
    assert (found.kind, found.extras["muscles"]) == ("humanoid", 4)
    assert told == {
        "CLIP_INVALID": {"bindings_without_curves": 1, "curves_without_a_value": 3, "values_that_are_not_finite": 2}
    }


def test_only_the_animators_own_are_muscles() -> None:
    """The same number of another class, or of an Animator's own property, is something else."""
    raw = clip(compiled=compiled(constants=[1.0, 2.0]), bindings=(binding(95, 42), binding(114, 42, custom_type=24)))
    found, _ = decoded(raw)
    assert (found.kind, dict(found.muscles), len(found.curves)) == ("generic", {}, 2)


@pytest.mark.parametrize(
    ("attributes", "others", "kind"),
    [((0, 7), True, "generic"), ((0, 7), False, "humanoid"), ((7, 42), True, "humanoid"), ((14,), True, "humanoid")],
)
def test_root_curves_alone_make_no_human(attributes: tuple[int, ...], others: bool, kind: str) -> None:
    """A generic clip with a root node has them, too, beside its own curves."""
    own = (binding(1, 99),) if others else ()
    raw = clip(
        compiled=compiled(constants=[0.0] * (len(attributes) + len(own))), bindings=(*map(muscle, attributes), *own)
    )
    assert decoded(raw)[0].kind == kind


def test_what_the_clip_says_of_its_muscles_goes_along() -> None:
    said = RawMuscles(index_array=(3,), delta=(0.5,) * 55)
    raw = clip(compiled=compiled(constants=[1.0]), bindings=(muscle(42),), muscles=said, flags={"m_Mirror": True})
    found, _ = decoded(raw)
    assert found.humanoid is said and found.extras["m_Mirror"] is True


# --- the editor's form --------------------------------------------------------------------------------------------


def named(attribute: str, *own: tuple[float, float, float, float], class_id: int = 95) -> RawCurve:
    return RawCurve(kind="float", path="", keys=keys(*own), attribute=attribute, class_id=class_id)


def test_in_the_editors_form_the_text_is_the_muscle() -> None:
    line = ((0.0, 1.0, 0.0, 2.0), (1.0, 3.0, 2.0, 0.0))
    raw = clip(
        curves=(
            named("Spine Front-Back", *line),
            named("LeftFootT.x", *line),
            named("LeftHand.Thumb.Spread", *line),
            named("spine front-back", *line),
            named("Spine Front-Back", *line, class_id=114),
        )
    )
    found, told = decoded(raw)
    assert list(found.muscles) == ["Spine Front-Back", "LeftFootT.x", "LeftHand.Thumb.Spread"]
    assert all(rows(curve) == [(0, 0, 0, 2, 1), (1, 0, 0, 0, 3)] for curve in found.muscles.values())
    assert [(curve.attribute, curve.type_id) for curve in found.curves] == [
        ("spine front-back", 95), ("Spine Front-Back", 114)
    ]  # fmt: skip
    assert (found.kind, told) == ("humanoid", {})


def test_keys_that_are_no_number_cost_the_muscle() -> None:
    nan = named("Spine Left-Right", (0.0, np.nan, 0.0, 0.0), (1.0, np.nan, 0.0, 0.0))
    found, told = decoded(clip(curves=(named("Spine Front-Back", (0.0, 1.0, 0.0, 0.0)), nan)))
    assert (first_values(found), found.lost_muscles) == ({"Spine Front-Back": 1.0}, ("Spine Left-Right",))
    assert "CLIP_INVALID" in told
