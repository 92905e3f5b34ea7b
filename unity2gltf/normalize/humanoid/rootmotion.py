"""The motion of the object itself, taken out of the body's: what Unity's Animator moves by its root motion.

The body's place is projected: its turn about Y, its way along the ground, its height. Each of the three moves the
object unless the clip's import settings bake it into the pose (m_LoopBlendOrientation, ..PositionXZ, ..PositionY).
Motion curves (MotionT, MotionQ) are the object's motion themselves, where a clip has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...math3d import Array, conjugate, multiply_quaternions, rotate
from ...raw import RawMuscles
from .body import Body
from .pose import Pose, Values, place

NO_MOVE = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Motion:
    """``position`` (N, 3) and ``rotation`` (N, 4): the object since the clip's start, in its own axes then.
    ``frame_position`` and ``frame_rotation``: where the clip's own axes have the object, which poses are told in."""

    position: Array
    rotation: Array
    frame_position: Array
    frame_rotation: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RootMotion:
    """How a clip moves the object of its rig. ``first_position`` and ``first_rotation``: the projected body at the
    start; ``origin_position`` and ``origin_rotation``: where the object stands in the clip's axes then."""

    by_curves: bool
    flags: Mapping[str, Any]
    first_position: Array
    first_rotation: Array
    origin_position: Array
    origin_rotation: Array

    def at(self, body: Body, pose: Pose, values: Values) -> Motion:
        """The motion at the times of N poses."""
        position, rotation = _projected(self.by_curves, self.flags, body, pose, values, self.first_position)
        if self.flags.get("m_LoopBlendOrientation") and not self.by_curves:
            rotation = np.broadcast_to(self.first_rotation, rotation.shape)
        back = conjugate(self.first_rotation)
        moved = rotate(conjugate(self.origin_rotation), position - self.first_position)
        turned = multiply_quaternions(back, rotation)
        return Motion(
            position=moved,
            rotation=turned,
            frame_position=self.origin_position + rotate(self.origin_rotation, moved),
            frame_rotation=multiply_quaternions(self.origin_rotation, turned),
        )


def root_motion(body: Body, pose: Pose, values: Values, flags: Mapping[str, Any], muscles: RawMuscles) -> RootMotion:
    """Of the clip whose first ``pose`` and ``values`` (one of each) these are. ``flags`` by Unity's names."""
    by_curves = any(name.startswith("Motion") for name in values)
    position, rotation = _projected(by_curves, flags, body, pose, values, None)
    origin = (position[0], rotation[0]) if by_curves else _origin(flags, muscles, body.scale)
    return RootMotion(
        by_curves=by_curves,
        flags=flags,
        first_position=position[0],
        first_rotation=rotation[0],
        origin_position=origin[0],
        origin_rotation=origin[1],
    )


def relative(motion: Motion, positions: Array, rotations: Array) -> tuple[Array, Array]:
    """Positions (N, 3) and rotations (N, 4) of the clip's axes in those of the moving object."""
    back = conjugate(motion.frame_rotation)
    return rotate(back, positions - motion.frame_position), multiply_quaternions(back, rotations)


def yaw(rotations: Array) -> Array:
    """The part of rotations (N, 4) that turns about Y."""
    flat = rotations * (0.0, 1.0, 0.0, 1.0)
    length = np.linalg.norm(flat, axis=-1, keepdims=True)
    upright: Array = np.where(length > 0, flat / np.where(length > 0, length, 1.0), (0.0, 0.0, 0.0, 1.0))
    return upright


def _projected(
    by_curves: bool, flags: Mapping[str, Any], body: Body, pose: Pose, values: Values, first: Array | None
) -> tuple[Array, Array]:
    """The body's place (N, 3) and turn (N, 4) as far as they move the object; what is baked stays where it was
    ``first`` (None: at the start)."""
    if by_curves:
        return place(values, "Motion", len(pose.body_position), NO_MOVE, body.scale)
    position = pose.body_position.copy()
    if first is not None:
        baked = [bool(flags.get(f"m_LoopBlendPosition{axes}")) for axes in ("XZ", "Y", "XZ")]
        position[:, baked] = first[baked]
    return position, yaw(pose.body_rotation)


def _origin(flags: Mapping[str, Any], muscles: RawMuscles, scale: float) -> tuple[Array, Array]:
    """Where the object stands at the start: in the clip's own origin where the settings keep that, else below the body,
    at the height of its feet or of its centre."""
    start, turn = np.array(muscles.start[:3]) * scale, np.array(muscles.start[3:])
    height = start[1]
    if flags.get("m_HeightFromFeet"):
        feet = [start + rotate(turn, np.array(foot[:3]) * scale) for foot in (muscles.left_foot, muscles.right_foot)]
        height = min(foot[1] for foot in feet)
    along = not flags.get("m_KeepOriginalPositionXZ")
    position = np.array([start[0] * along, 0.0 if flags.get("m_KeepOriginalPositionY") else height, start[2] * along])
    upright = np.array([0.0, 0.0, 0.0, 1.0])
    return position, upright if flags.get("m_KeepOriginalOrientation") else yaw(turn[None])[0]
