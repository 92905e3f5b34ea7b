"""Humanoid clips: curves by the names that the editor gives them, and what m_MuscleClip says of them beside.

A clip's curves of muscles, of the body (RootT, RootQ) and of goals (LeftFootT ..) are bound to the Animator itself by
number. Before 5.6 there is no UpperChest, so numbers from 48 on are three lower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import typetree
from .clips import Segment, binding, compiled_clip, dense_fields, keyed
from .human import NEWER, has_upper_chest
from .values import ANIMATION_CLIP, ANIMATOR, f32, xform

MUSCLE = 8
"""A binding's customType for a muscle, the body or a goal."""

HUMANOID = 3
"""m_AnimationType of Unity 4."""

OLD_CURVES = 134
"""Length of m_IndexArray before 5.6."""

GOALS = ("LeftFoot", "RightFoot", "LeftHand", "RightHand")
TRUNK = (
    *(
        f"{bone} {way}"
        for bone in ("Spine", "Chest", NEWER)
        for way in ("Front-Back", "Left-Right", "Twist Left-Right")
    ),
    *(f"{bone} {way}" for bone in ("Neck", "Head") for way in ("Nod Down-Up", "Tilt Left-Right", "Turn Left-Right")),
    *(f"{side} Eye {way}" for side in ("Left", "Right") for way in ("Down-Up", "In-Out")),
    *("Jaw Close", "Jaw Left-Right"),
)
LEG = (
    *("Upper Leg Front-Back", "Upper Leg In-Out", "Upper Leg Twist In-Out", "Lower Leg Stretch"),
    *("Lower Leg Twist In-Out", "Foot Up-Down", "Foot Twist In-Out", "Toes Up-Down"),
)
ARM = (
    *("Shoulder Down-Up", "Shoulder Front-Back", "Arm Down-Up", "Arm Front-Back", "Arm Twist In-Out"),
    *("Forearm Stretch", "Forearm Twist In-Out", "Hand Down-Up", "Hand In-Out"),
)
STILL = (*[(0.0, 0.0)] * 6, (1.0, 1.0))
FINGER = ("1 Stretched", "Spread", "2 Stretched", "3 Stretched")


def place_names(name: str) -> tuple[str, ...]:
    """The seven curves of a position and a rotation."""
    return (*(f"{name}T.{axis}" for axis in "xyz"), *(f"{name}Q.{axis}" for axis in "xyzw"))


BODY_MUSCLES = (*TRUNK, *(f"{side} {name}" for part in (LEG, ARM) for side in ("Left", "Right") for name in part))
FINGER_MUSCLES = tuple(
    f"{side}Hand.{finger}.{kind}"
    for side in ("Left", "Right")
    for finger in ("Thumb", "Index", "Middle", "Ring", "Little")
    for kind in FINGER
)
ROOT = place_names("Root")
GOAL_CURVES = tuple(name for goal in GOALS for name in place_names(goal))
ATTRIBUTES = (*place_names("Motion"), *ROOT, *GOAL_CURVES, *BODY_MUSCLES, *FINGER_MUSCLES)


def attributes(version: str) -> tuple[str, ...]:
    """Names of the curves by number."""
    new = has_upper_chest(version)
    return tuple(name for name in ATTRIBUTES if new or not name.startswith(NEWER))


@dataclass(frozen=True, slots=True)
class Keys:
    """A cubic through ``values`` at ``times``; the slopes even out between neighbours."""

    times: Sequence[float]
    values: Sequence[float]

    @property
    def slopes(self) -> list[float]:
        slopes: list[float] = np.gradient(np.array(self.values), np.array(self.times), edge_order=2).tolist()
        return slopes


@dataclass(frozen=True, slots=True)
class Other:
    """A curve that no muscle is: its binding, and its keys, one list a component."""

    binding: Mapping[str, Any]
    keys: Sequence[Keys]


@dataclass(frozen=True, slots=True)
class MuscleContent:
    """A humanoid clip: muscles by name as ``streamed`` keys, as ``dense`` samples ``rate`` times a second, or as
    ``constants``, and ``others`` in the stream."""

    name: str
    stop: float
    streamed: Mapping[str, Keys]
    dense: Mapping[str, Sequence[float]] = field(default_factory=dict)
    rate: float = 16.0
    constants: Mapping[str, float] = field(default_factory=dict)
    others: Sequence[Other] = ()
    flags: Mapping[str, Any] = field(default_factory=dict)


def muscle_clip(content: MuscleContent, version: str) -> dict[str, Any]:
    """Fields of a humanoid AnimationClip."""
    content = _fitting(content, version)
    names = attributes(version)
    streamed, bindings = _stream(content, names)
    dense = np.array(list(content.dense.values()), np.float64).T if content.dense else np.zeros((0, 0))
    clip = compiled_clip(
        content.name,
        [*bindings, *(_bound(names, name) for name in (*content.dense, *content.constants))],
        streamed=streamed,
        dense=dense_fields(dense, content.rate),
        constants=list(content.constants.values()),
        stop=content.stop,
    )
    clip["?m_ClipBindingConstant"] = clip.pop("m_ClipBindingConstant")
    ends = _ends(content)
    muscle = clip["m_MuscleClip"]
    muscle["?m_LoopTime"] = muscle.pop("m_LoopTime")
    muscle |= _poses(ends, version) | {
        "m_IndexArray": _index(content, names, version),
        "m_ValueArrayDelta": [{"m_Start": start, "m_Stop": stop} for start, stop in _all_ends(content, ends)],
    }
    clip["m_MuscleClip"] = muscle | dict(content.flags)
    return clip | {"?m_AnimationType": HUMANOID}


def _fitting(content: MuscleContent, version: str) -> MuscleContent:
    """Without the muscles that the version does not know, and with constants in the stream where it has no others."""
    known = set(attributes(version))
    streamed = {name: keys for name, keys in content.streamed.items() if name in known}
    constants = {name: value for name, value in content.constants.items() if name in known}
    inner = typetree.find(typetree.tree(ANIMATION_CLIP, version), "m_MuscleClip", "m_Clip", "data")
    if not typetree.has(inner, "m_ConstantClip"):
        streamed |= {name: Keys((0.0, content.stop), (value, value)) for name, value in constants.items()}
        constants = {}
    return replace(content, streamed=streamed, constants=constants)


def _bound(names: Sequence[str], name: str) -> dict[str, Any]:
    return binding("", names.index(name), ANIMATOR, MUSCLE)


def _stream(content: MuscleContent, names: Sequence[str]) -> tuple[list[Segment], list[Mapping[str, Any]]]:
    """Muscles first, then the others."""
    segments: list[Segment] = []
    bindings = [_bound(names, name) for name in content.streamed] + [dict(other.binding) for other in content.others]
    for curve, keys in enumerate(_streamed_keys(content)):
        slopes = keys.slopes if len(keys.times) > 2 else [0.0] * len(keys.times)
        segments += keyed(curve, keys.times, keys.values, slopes)
    return segments, list(bindings)


def _streamed_keys(content: MuscleContent) -> list[Keys]:
    return [*content.streamed.values(), *(keys for other in content.others for keys in other.keys)]


def _index(content: MuscleContent, names: Sequence[str], version: str) -> NDArray[np.int32]:
    """m_IndexArray: the curve of each attribute."""
    numbers = dict(zip(content.streamed, range(len(content.streamed)), strict=True))
    after = len(_streamed_keys(content))
    numbers |= {name: after + k for k, name in enumerate((*content.dense, *content.constants))}
    length = 200 if has_upper_chest(version) else OLD_CURVES
    index = np.full(length, -1, np.int32)
    index[[names.index(name) for name in numbers]] = list(numbers.values())
    return index


# --- start and stop -----------------------------------------------------------------------------------------------


def _ends(content: MuscleContent) -> dict[str, tuple[float, float]]:
    """Values of each muscle at the start and at the stop."""
    ends = {name: (f32(keys.values[0]), f32(keys.values[-1])) for name, keys in content.streamed.items()}
    ends |= {name: (f32(samples[0]), f32(samples[-1])) for name, samples in content.dense.items()}
    return ends | {name: (f32(value), f32(value)) for name, value in content.constants.items()}


def _all_ends(content: MuscleContent, ends: Mapping[str, tuple[float, float]]) -> list[tuple[float, float]]:
    """The same of every curve, in order."""
    others = [(f32(keys.values[0]), f32(keys.values[-1])) for other in content.others for keys in other.keys]
    own = [ends[name] for name in content.streamed]
    return [*own, *others, *(ends[name] for name in (*content.dense, *content.constants))]


def _poses(ends: Mapping[str, tuple[float, float]], version: str) -> dict[str, Any]:
    """Where the body and the feet are, and how far each muscle gets."""
    known = [name for name in BODY_MUSCLES if name in attributes(version)]
    change = {name: f32(start - stop) for name, (start, stop) in ends.items()}
    hands = {
        f"m_{side}HandPose": {"m_DoFArray": [change.get(name, 0.0) for name in FINGER_MUSCLES if name.startswith(side)]}
        for side in ("Left", "Right")
    }
    return {
        "m_DeltaPose": {"m_DoFArray": [change.get(name, 0.0) for name in known], **hands},
        "m_StartX": _place(ends, "Root", 0),
        "?m_StopX": _place(ends, "Root", 1),
        "m_LeftFootStartX": _place(ends, "LeftFoot", 0),
        "m_RightFootStartX": _place(ends, "RightFoot", 0),
    }


def _place(ends: Mapping[str, tuple[float, float]], name: str, end: int) -> dict[str, Any]:
    """Unmoved where the clip does not say."""
    values = np.array([ends.get(curve, STILL[k])[end] for k, curve in enumerate(place_names(name))])
    length = float(np.linalg.norm(values[3:])) or 1.0
    return xform(values[:3].tolist(), (values[3:] / length).tolist(), (1.0, 1.0, 1.0))
