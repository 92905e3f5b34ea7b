"""How well a pose fits what the clip itself stores: the feet and hands in the body, and the muscles at its ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...ir import Curve
from ...math3d import Array, multiply_quaternions, rotate
from ...raw import RawMuscles
from ..clips.fit import angles
from ..clips.muscles import BODY_MUSCLES, GOAL_CURVES, GOALS, OLD_BODY_MUSCLES
from .body import Body, without_details
from .pose import Pose, Values, pose_body, stored_transform
from .sampling import sample

ROTATION_MEAN, ROTATION_P95 = 0.5, 0.8
"""Degrees within which a clip on its own avatar comes to its goals' rotations."""

FEET_MEAN = 0.004
"""Share of the avatar's scale within which it comes to its feet's positions."""

NUMBERING = 1e-4

PROBES = 16
"""Poses by which avatars are compared."""

CHUNK = 4096
"""Poses measured at a time, which bounds the memory."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Residual:
    """Distances (N, 4) in metres and degrees (N, 4) between the bones and the clip's goals, in the order of GOALS."""

    metres: Array
    degrees: Array


def has_goals(curves: Mapping[str, object]) -> bool:
    """Whether the clip stores all four goals."""
    return all(name in curves for name in GOAL_CURVES)


def clip_residual(body: Body, curves: Mapping[str, Curve], times: Array) -> Residual:
    """Of a clip that has goals, at ``times`` (N,)."""
    parts = []
    for begin in range(0, len(times), CHUNK):
        values = sample(curves, times[begin : begin + CHUNK])
        parts.append(residual(body, values, pose_body(body, values, len(times[begin : begin + CHUNK]))))
    return Residual(
        metres=np.concatenate([part.metres for part in parts]), degrees=np.concatenate([part.degrees for part in parts])
    )


def residual(body: Body, values: Values, pose: Pose) -> Residual:
    """``values`` must have the goals, at the times of the pose."""
    metres, degrees = [], []
    for name in GOALS:
        position, rotation = goal(body, pose, name)
        stored, turned = stored_transform(values, name, len(position), (0.0, 0.0, 0.0), body.scale)
        wanted = pose.body_position + rotate(pose.body_rotation, stored)
        metres.append(np.linalg.norm(wanted - position, axis=-1))
        degrees.append(np.degrees(angles(multiply_quaternions(pose.body_rotation, turned), rotation)))
    return Residual(metres=np.stack(metres, axis=-1), degrees=np.stack(degrees, axis=-1))


def goal(body: Body, pose: Pose, bone: str) -> tuple[Array, Array]:
    """Position (N, 3) and rotation (N, 4) of a goal by the bones: a hand's joint, or a foot's sole, one length of the
    foot along its axis."""
    node, axes = body.nodes[bone], body.axes[bone]
    rotation = multiply_quaternions(pose.rotations[:, node], axes.post)
    position = pose.positions[:, node]
    if bone.endswith("Foot"):
        position = position + rotate(rotation, (axes.length, 0.0, 0.0))
    return position, rotation


def rotations_met(measured: Residual) -> bool:
    """Whether the bones are turned as on the avatar that the clip was made for."""
    mean, most = measured.degrees.mean(), np.percentile(measured.degrees, 95)
    return bool(mean < ROTATION_MEAN and most < ROTATION_P95)


def goals_met(measured: Residual, body: Body) -> bool:
    """Whether the feet come to their places, too."""
    return rotations_met(measured) and bool(measured.metres[:, :2].mean() < FEET_MEAN * body.scale)


def rotation_residual(body: Body, curves: Mapping[str, Curve], duration: float) -> float:
    """Mean degrees between the bones and the goals over a few poses: least on the avatar that the clip was made for."""
    times = np.linspace(0.0, duration, PROBES)
    return float(clip_residual(without_details(body), curves, times).degrees.mean())


def loop_gap(curves: Mapping[str, Curve], duration: float) -> float:
    """The largest difference of a body muscle between the clip's end and its start."""
    own = {name: curve for name, curve in curves.items() if name in BODY_MUSCLES}
    start, stop = (sample(own, np.array([time])) for time in (0.0, duration))
    return max((float(abs(start[name][0] - stop[name][0])) for name in own), default=0.0)


def numbering_residual(curves: Mapping[str, Curve], muscles: RawMuscles, duration: float) -> float | None:
    """Largest difference between the muscles' own change over the clip and the one stored beside them: 0 but for
    rounding where every curve has its right name. None where the clip stores none that is finite."""
    names = BODY_MUSCLES if len(muscles.delta) == len(BODY_MUSCLES) else OLD_BODY_MUSCLES
    if len(muscles.delta) != len(names) or not np.isfinite(muscles.delta).all():
        return None
    start, stop = (sample(curves, np.array([time])) for time in (0.0, duration))
    own = [float(start[name][0] - stop[name][0]) if name in curves else 0.0 for name in names]
    return float(np.abs(np.array(own) - muscles.delta).max())
