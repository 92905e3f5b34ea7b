"""What the humanoid does: it reaches far out, and it strolls along a curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .clips import shape_binding, transform_binding
from .goals import REACH, STROLL, table
from .human import euler
from .muscles import ATTRIBUTES, GOAL_CURVES, Keys, MuscleContent, Other, place_names

Array = NDArray[np.float64]

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
SIXTEENTHS = tuple(k / 16 for k in range(17))
"""Times of the keys, in seconds: those of the muscles, and those of goals and dense samples."""

REACH_ROOT = {
    "RootT.x": (0.0, 0.02, 0.06, 0.04, 0.0),
    "RootT.y": (0.97, 0.93, 0.88, 0.92, 0.96),
    "RootT.z": (0.02, 0.06, 0.12, 0.08, 0.05),
}
"""In units of the avatar's scale."""

REACH_TURN = ((0.0, 0.0, 0.0), (8.0, 10.0, -4.0), (20.0, 28.0, 6.0), (14.0, 30.0, 10.0), (5.0, 20.0, 3.0))
"""Degrees about x, y (up) and z."""

REACH_MUSCLES = {
    "Spine Front-Back": (0.0, 0.3, 0.8, 0.4, 0.1),
    "Spine Left-Right": (0.0, -0.3, -0.6, -0.2, 0.0),
    "Spine Twist Left-Right": (0.0, 0.4, 0.9, 0.5, 0.1),
    "Chest Front-Back": (0.1, 0.3, 0.5, 0.3, 0.1),
    "Chest Left-Right": (0.0, 0.4, 0.7, 0.5, 0.0),
    "Chest Twist Left-Right": (0.0, -0.2, 0.5, 0.6, 0.2),
    "Left Shoulder Down-Up": (0.0, 0.2, 0.5, 0.4, 0.1),
    "Left Shoulder Front-Back": (0.1, 0.5, 0.9, 0.3, 0.0),
    "Left Arm Down-Up": (-0.2, 0.1, 0.6, 0.5, 0.0),
    "Left Arm Front-Back": (0.2, -0.3, -0.7, -0.4, 0.1),
    "Left Arm Twist In-Out": (0.1, -0.4, -0.8, -0.3, 0.2),
    "Left Forearm Stretch": (0.3, 0.1, -0.3, 0.1, 0.4),
    "Left Forearm Twist In-Out": (0.0, 0.5, 0.9, 0.6, 0.1),
    "Left Hand Down-Up": (0.0, -0.4, -0.8, -0.5, 0.0),
    "Left Hand In-Out": (0.0, 0.5, 1.1, 0.5, 0.1),
    "Right Shoulder Down-Up": (0.0, 0.5, 0.9, 0.5, 0.2),
    "Right Shoulder Front-Back": (0.0, -0.4, -0.8, -0.5, 0.0),
    "Right Arm Down-Up": (-0.1, 0.5, 1.15, 0.7, 0.1),
    "Right Arm Front-Back": (0.1, 0.5, 0.8, 0.6, 0.3),
    "Right Arm Twist In-Out": (0.0, 0.4, 0.9, 0.6, 0.1),
    "Right Forearm Stretch": (0.2, 0.5, 0.9, 0.6, 0.3),
    "Right Forearm Twist In-Out": (-0.2, 0.2, 0.8, 0.4, 0.0),
    "Right Hand Down-Up": (0.0, 0.4, 0.9, 0.4, 0.1),
    "Right Hand In-Out": (0.0, -0.5, -1.0, -0.4, 0.0),
    "Left Upper Leg Front-Back": (0.5, 0.3, -0.25, 0.0, 0.4),
    "Left Upper Leg In-Out": (0.0, 0.4, 0.9, 0.5, 0.1),
    "Left Upper Leg Twist In-Out": (0.0, -0.4, -0.9, -0.4, 0.0),
    "Left Lower Leg Stretch": (0.8, 0.5, 0.1, 0.4, 0.7),
    "Left Lower Leg Twist In-Out": (0.0, 0.4, 0.8, 0.3, 0.0),
    "Left Foot Up-Down": (0.0, 0.4, 0.8, 0.2, -0.1),
    "Left Foot Twist In-Out": (0.0, -0.4, -0.9, -0.3, 0.0),
    "Left Toes Up-Down": (0.0, 0.3, 0.7, 0.3, 0.0),
    "Right Upper Leg Front-Back": (0.6, 0.7, 1.1, 0.9, 0.6),
    "Right Upper Leg In-Out": (0.0, 0.3, 0.8, 0.6, 0.2),
    "Right Upper Leg Twist In-Out": (0.1, 0.4, 0.8, 0.5, 0.1),
    "Right Lower Leg Stretch": (0.9, 0.8, 0.5, 0.6, 0.9),
    "Right Lower Leg Twist In-Out": (0.0, -0.4, -0.9, -0.5, 0.0),
    "Right Foot Up-Down": (0.0, -0.4, -0.9, -0.5, 0.0),
    "Right Foot Twist In-Out": (0.0, 0.5, 1.0, 0.4, 0.1),
    "LeftHand.Index.1 Stretched": (0.2, -0.3, -0.9, -0.4, 0.2),
    "LeftHand.Index.2 Stretched": (0.1, -0.4, -1.0, -0.5, 0.1),
    "LeftHand.Index.Spread": (0.0, 0.4, 0.8, 0.2, 0.0),
}
"""Values at the quarters of a second."""

REACH_DENSE = {
    **{"Neck Nod Down-Up": 0.4, "Neck Tilt Left-Right": -0.3, "Neck Turn Left-Right": 0.5},
    **{"Head Nod Down-Up": -0.3, "Head Tilt Left-Right": 0.25, "Head Turn Left-Right": 0.45},
}
"""How far these go and come back."""

REACH_CONSTANT = {"LeftHand.Thumb.1 Stretched": -0.5, "LeftHand.Thumb.Spread": 0.6, "Right Toes Up-Down": 0.3}
"""Every other muscle stands at 0, eyes and jaw among them, which this body has not."""

_SWING = (0.0, 1.0, 0.0, -1.0, 0.0)
"""A leg goes forward and back in a second."""

STROLL_SWINGS = {
    **{"Left Upper Leg Front-Back": (0.55, -0.5), "Right Upper Leg Front-Back": (0.55, 0.5)},
    **{"Left Lower Leg Stretch": (0.75, 0.2), "Right Lower Leg Stretch": (0.75, -0.2)},
    **{"Left Upper Leg Twist In-Out": (0.1, 0.15), "Right Upper Leg Twist In-Out": (0.1, -0.15)},
    **{"Left Foot Up-Down": (0.0, 0.3), "Right Foot Up-Down": (0.0, -0.3)},
    **{"Left Arm Front-Back": (0.0, -0.3), "Right Arm Front-Back": (0.0, 0.3)},
    **{"Spine Twist Left-Right": (0.0, 0.2), "Chest Twist Left-Right": (0.0, 0.25)},
}
"""Middle and swing."""

STROLL_CONSTANT = {
    **{"Left Arm Down-Up": -0.35, "Right Arm Down-Up": -0.35},
    **{"Left Forearm Stretch": 0.6, "Right Forearm Stretch": 0.6, "Spine Front-Back": 0.05},
}
STRIDE, TURN = 1.25, 30.0
"""How far a stroll gets in a second, in units of the avatar's scale, and degrees by which it turns to the right."""


def reach(hat: str, body: str, shape: str) -> MuscleContent:
    """One second without a loop. Beside the muscles, the object at path ``hat`` tips, and ``shape`` of ``body``
    swells."""
    arcs = np.sin(np.pi * np.array(SIXTEENTHS))
    streamed = {name: _keys(values) for name, values in REACH_ROOT.items()}
    streamed |= _turning("Root", np.array([euler(angles) for angles in REACH_TURN]))
    streamed |= {name: _keys(values) for name, values in REACH_MUSCLES.items()}
    goals = {name: Keys(SIXTEENTHS, row) for name, row in zip(GOAL_CURVES, table(REACH, 28), strict=True)}
    dense = {name: _binary(high * arcs).tolist() for name, high in REACH_DENSE.items()}
    moved = {*streamed, *goals, *dense, *place_names("Motion")}
    tip = _turning("", np.array([euler((0.0, 0.0, degrees)) for degrees in (0.0, 10.0, 35.0, 15.0, 0.0)]))
    return MuscleContent(
        "Reach",
        1.0,
        streamed | goals,
        dense,
        constants={name: REACH_CONSTANT.get(name, 0.0) for name in ATTRIBUTES if name not in moved},
        others=(
            Other(transform_binding(hat, "rotation"), list(tip.values())),
            Other(shape_binding(body, shape), [Keys(QUARTERS, (0.0, 50.0, 100.0, 50.0, 0.0))]),
        ),
    )


def stroll() -> MuscleContent:
    """One second that loops: the body goes ahead and turns. Few muscles, and goals of the feet alone."""
    rise = (0.0, 1.0, 2.0, 3.0, 4.0)
    angles = np.array([euler((0.0, TURN * step / 4, 0.0)) for step in rise])
    streamed = {"RootT.z": _keys([STRIDE * step / 4 for step in rise]), "RootT.x": _keys((0.0, 0.05, 0.16, 0.3, 0.5))}
    streamed |= {"RootT.y": _keys((0.98, 0.95, 0.98, 0.95, 0.98))} | _turning("Root", angles)
    streamed |= {
        name: _keys([middle + swing * step for step in _SWING]) for name, (middle, swing) in STROLL_SWINGS.items()
    }
    feet = zip(GOAL_CURVES[:14], table(STROLL, 14), strict=True)
    goals = {name: Keys(SIXTEENTHS, row) for name, row in feet}
    keep = ("m_LoopBlendPositionY", "m_KeepOriginalPositionY", "m_KeepOriginalPositionXZ", "m_KeepOriginalOrientation")
    speed = {"m_AverageSpeed": {"x": 0.4375, "z": 1.0}, "m_AverageAngularSpeed": 0.5}
    flags = {"?m_LoopTime": True, **dict.fromkeys(keep, True), "m_CycleOffset": 0.25, **speed}
    return MuscleContent("Stroll", 1.0, streamed | goals, constants=STROLL_CONSTANT, flags=flags)


def _keys(values: Array | list[float] | tuple[float, ...]) -> Keys:
    return Keys(QUARTERS, _binary(np.array(values)).tolist())


def _turning(name: str, rotations: Array) -> dict[str, Keys]:
    """Four curves through rotations (5, 4)."""
    return {f"{name}Q.{axis}": _keys(values) for axis, values in zip("xyzw", rotations.T, strict=True)}


def _binary(values: Array) -> Array:
    """Rounded to 1 / 4096, as in the figure's clips."""
    return np.asarray(np.round(values * 4096) / 4096)
