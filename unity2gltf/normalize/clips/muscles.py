"""The curves of a humanoid clip by number and name, and which axis of which human bone each muscle turns.

Numbers are those of GenericBinding.attribute (customType 8) and of m_IndexArray from 5.6 on; names are the editor's.
Before 5.6 there is no UpperChest: its three muscles are missing, and all that follow have lower numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

BONES = (
    *("Hips", "LeftUpperLeg", "RightUpperLeg", "LeftLowerLeg", "RightLowerLeg", "LeftFoot", "RightFoot"),
    *("Spine", "Chest", "UpperChest", "Neck", "Head", "LeftShoulder", "RightShoulder", "LeftUpperArm", "RightUpperArm"),
    *("LeftLowerArm", "RightLowerArm", "LeftHand", "RightHand", "LeftToes", "RightToes", "LeftEye", "RightEye", "Jaw"),
)
"""Human bones in the order of m_HumanBoneIndex."""

UPPER_CHEST = BONES.index("UpperChest")
FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")
JOINTS = ("Proximal", "Intermediate", "Distal")
SIDES = ("Left", "Right")

_LIMBS = ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand")
REQUIRED = ("Hips", "Spine", "Head", *(f"{side}{part}" for side in SIDES for part in _LIMBS))
"""Bones that every human avatar has."""


def hand_bones(side: str) -> list[str]:
    """The 15 finger bones of a hand in the order of m_HandBoneIndex."""
    return [f"{side}{finger}{joint}" for finger in FINGERS for joint in JOINTS]


# --- names by number ------------------------------------------------------------------------------------------------

_TORSO = (
    *("Spine Front-Back", "Spine Left-Right", "Spine Twist Left-Right"),
    *("Chest Front-Back", "Chest Left-Right", "Chest Twist Left-Right"),
    *("UpperChest Front-Back", "UpperChest Left-Right", "UpperChest Twist Left-Right"),
    *("Neck Nod Down-Up", "Neck Tilt Left-Right", "Neck Turn Left-Right"),
    *("Head Nod Down-Up", "Head Tilt Left-Right", "Head Turn Left-Right"),
    *("Left Eye Down-Up", "Left Eye In-Out", "Right Eye Down-Up", "Right Eye In-Out", "Jaw Close", "Jaw Left-Right"),
)
_LEG = (
    *("Upper Leg Front-Back", "Upper Leg In-Out", "Upper Leg Twist In-Out", "Lower Leg Stretch"),
    *("Lower Leg Twist In-Out", "Foot Up-Down", "Foot Twist In-Out", "Toes Up-Down"),
)
_ARM = (
    *("Shoulder Down-Up", "Shoulder Front-Back", "Arm Down-Up", "Arm Front-Back", "Arm Twist In-Out"),
    *("Forearm Stretch", "Forearm Twist In-Out", "Hand Down-Up", "Hand In-Out"),
)
BODY_MUSCLES = _TORSO + tuple(f"{side} {name}" for part in (_LEG, _ARM) for side in SIDES for name in part)
"""The 55 muscles of the body, as Unity's HumanTrait lists them."""

OLD_BODY_MUSCLES = tuple(name for name in BODY_MUSCLES if not name.startswith("UpperChest"))
"""The 52 of before 5.6."""

GOALS = ("LeftFoot", "RightFoot", "LeftHand", "RightHand")


def _place(name: str) -> Iterator[str]:
    """The seven curves of a position and a rotation."""
    yield from (f"{name}T.{axis}" for axis in "xyz")
    yield from (f"{name}Q.{axis}" for axis in "xyzw")


def _hand(side: str) -> Iterator[str]:
    for finger in FINGERS:
        for muscle in ("1 Stretched", "Spread", "2 Stretched", "3 Stretched"):
            yield f"{side}Hand.{finger}.{muscle}"


_FREE_BONES = (
    *("Spine", "Chest", "UpperChest", "Neck", "Head"),
    *(f"{side}{part}" for side in SIDES for part in ("UpperLeg", "LowerLeg", "Foot", "Toes")),
    *(f"{side}{part}" for side in SIDES for part in ("Shoulder", "UpperArm", "LowerArm", "Hand")),
)
"""Bones with translations of their own ("TDoF"). Their order is inferred: 21 bones fill m_IndexArray's 200 places."""

ROOT_CURVES = (*_place("Motion"), *_place("Root"))
"""Curves that generic clips with a root node have, too."""

GOAL_CURVES = tuple(name for goal in GOALS for name in _place(goal))
FREE_CURVES = tuple(f"{bone}TDOF.{axis}" for bone in _FREE_BONES for axis in "xyz")

NAMES = (*ROOT_CURVES, *GOAL_CURVES, *BODY_MUSCLES, *_hand("Left"), *_hand("Right"), *FREE_CURVES)
"""Names of the curves by number."""

_WITHOUT_UPPER_CHEST = tuple(name for name in NAMES if not name.startswith("UpperChest"))

FIRST_UPPER_CHEST = (5, 6, 0)
"""The Unity version that brought UpperChest."""


def names_in(version: tuple[int, int, int]) -> tuple[str, ...]:
    """Names of the curves by number in a Unity version."""
    return NAMES if version >= FIRST_UPPER_CHEST else _WITHOUT_UPPER_CHEST


def places_body(names: Iterable[str]) -> bool:
    """Whether curves of these names say where the body is as a whole, and so move the hips."""
    return any(name.startswith("Root") for name in names)


def moves_object(names: Iterable[str]) -> bool:
    """Whether curves of these names are the object's own motion."""
    return any(name.startswith("Motion") for name in names)


# --- bones ----------------------------------------------------------------------------------------------------------

Axes = tuple[str, str, str]
"""Muscles about a bone's x (twist), y and z axis; empty = none."""


def _numbered(*indices: int) -> Axes:
    x, y, z = ("" if index < 0 else BODY_MUSCLES[index] for index in indices)
    return x, y, z


def _finger_axes() -> Iterator[tuple[str, Axes]]:
    for side in SIDES:
        for finger in FINGERS:
            name = f"{side}Hand.{finger}"
            yield f"{side}{finger}Proximal", ("", f"{name}.Spread", f"{name}.1 Stretched")
            yield f"{side}{finger}Intermediate", ("", "", f"{name}.2 Stretched")
            yield f"{side}{finger}Distal", ("", "", f"{name}.3 Stretched")


AXES: dict[str, Axes] = {
    "Spine": _numbered(2, 1, 0),
    "Chest": _numbered(5, 4, 3),
    "UpperChest": _numbered(8, 7, 6),
    "Neck": _numbered(11, 10, 9),
    "Head": _numbered(14, 13, 12),
    "LeftEye": _numbered(-1, 16, 15),
    "RightEye": _numbered(-1, 18, 17),
    "Jaw": _numbered(-1, 20, 19),
    "LeftUpperLeg": _numbered(23, 22, 21),
    "RightUpperLeg": _numbered(31, 30, 29),
    "LeftLowerLeg": _numbered(25, -1, 24),
    "RightLowerLeg": _numbered(33, -1, 32),
    "LeftFoot": _numbered(-1, 27, 26),
    "RightFoot": _numbered(-1, 35, 34),
    "LeftToes": _numbered(-1, -1, 28),
    "RightToes": _numbered(-1, -1, 36),
    "LeftShoulder": _numbered(-1, 38, 37),
    "RightShoulder": _numbered(-1, 47, 46),
    "LeftUpperArm": _numbered(41, 40, 39),
    "RightUpperArm": _numbered(50, 49, 48),
    "LeftLowerArm": _numbered(43, -1, 42),
    "RightLowerArm": _numbered(52, -1, 51),
    "LeftHand": _numbered(-1, 45, 44),
    "RightHand": _numbered(-1, 54, 53),
    **dict(_finger_axes()),
}
"""Which muscles turn each human bone; the hips have none."""

TWISTS = tuple(
    (f"{side}{bone}", f"{side}{child}", factor)
    for bone, child, factor in (
        ("LowerArm", "Hand", "fore_arm_twist"),
        ("UpperArm", "LowerArm", "arm_twist"),
        ("LowerLeg", "Foot", "leg_twist"),
        ("UpperLeg", "LowerLeg", "upper_leg_twist"),
    )
    for side in SIDES
)
"""Bones that leave a share of their twist to the next: bone, child, and the factor's name in ``raw.RawHuman``."""
