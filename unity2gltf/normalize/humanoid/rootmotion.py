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
from ..clips.muscles import moves_object
from .body import Body
from .frame import NO_TURN
from .goals import goal
from .pose import Pose, Values, stored_transform

NO_MOVE = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Motion:
    """``position`` (N, 3) and ``rotation`` (N, 4): the object since the clip's start, in its own axes then.
    ``frame_position`` and ``frame_rotation``: where the clip's own axes have the object, which poses are told in."""

    position: Array
    rotation: Array
    frame_position: Array
    frame_rotation: Array


class RootMotion:
    """How a clip moves the object of its rig. ``flags`` by Unity's names; ``pose`` and ``values`` are the clip's first,
    one of each."""

    def __init__(self, body: Body, flags: Mapping[str, Any], pose: Pose, values: Values) -> None:
        self._body = body
        self._by_curves = moves_object(values)
        self._by_feet = bool(flags.get("m_HeightFromFeet")) and not flags.get("m_KeepOriginalPositionY")
        baked = [bool(flags.get(f"m_LoopBlendPosition{axes}")) for axes in ("XZ", "Y", "XZ")]
        self._is_baked = np.array(baked) & (not self._by_curves)
        self._turns = self._by_curves or not flags.get("m_LoopBlendOrientation")
        position, rotation = self._projected(pose, values)
        self._first_position, self._first_rotation = position[0], rotation[0]
        self._origin_position, self._origin_rotation = self._first_position, self._first_rotation
        if not self._by_curves:
            self._origin_position, self._origin_rotation = _origin(flags, self._first_position, self._first_rotation)

    def at(self, pose: Pose, values: Values) -> Motion:
        """The motion at the times of N poses."""
        position, rotation = self._projected(pose, values)
        position = np.where(self._is_baked, self._first_position, position)
        if not self._turns:
            rotation = np.broadcast_to(self._first_rotation, rotation.shape)
        moved = rotate(conjugate(self._origin_rotation), position - self._first_position)
        turned = multiply_quaternions(conjugate(self._first_rotation), rotation)
        return Motion(
            position=moved,
            rotation=turned,
            frame_position=self._origin_position + rotate(self._origin_rotation, moved),
            frame_rotation=multiply_quaternions(self._origin_rotation, turned),
        )

    def _projected(self, pose: Pose, values: Values) -> tuple[Array, Array]:
        """Where the body is (N, 3), at the height of its centre or of its lower foot, and its turn about Y (N, 4); or
        the clip's own curves of the object."""
        if self._by_curves:
            return stored_transform(values, "Motion", len(pose.body_position), NO_MOVE, self._body.scale)
        position = pose.body_position.copy()
        if self._by_feet:
            soles = [goal(self._body, pose, foot)[0][:, 1] for foot in ("LeftFoot", "RightFoot")]
            position[:, 1] = np.minimum(*soles)
        return position, yaw(pose.body_rotation)


def _origin(flags: Mapping[str, Any], first_position: Array, first_rotation: Array) -> tuple[Array, Array]:
    """Where the object stands at the start: in the clip's own origin where the settings keep that, else where the body
    is; moved by the settings' offsets, which are said of the object and so take the body the other way."""
    kept = [bool(flags.get(f"m_KeepOriginalPosition{axes}")) for axes in ("XZ", "Y", "XZ")]
    position = np.where(kept, 0.0, first_position)
    position[1] += float(flags.get("m_Level", 0.0))
    half = np.radians(float(flags.get("m_OrientationOffsetY", 0.0))) / 2
    rotation = NO_TURN if flags.get("m_KeepOriginalOrientation") else first_rotation
    return position, multiply_quaternions(rotation, (0.0, np.sin(half), 0.0, np.cos(half)))


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
