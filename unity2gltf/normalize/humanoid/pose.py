"""From muscle values to bones, a step a function: Unity's space, N poses at a time, quaternions xyzw.

``Values`` are muscle curves at N times by their names; a muscle that is not there counts as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...math3d import Array, between_rotations, conjugate, matrix_quaternions, multiply_quaternions, rotate
from ..clips.muscles import AXES
from .body import Body, BoneAxes

Values = Mapping[str, Array]

MOST_ANGLE = np.pi * (1 - 1e-6)
"""Radians about one axis; half a turn has no half tangent."""

MIDPOINTS = (
    ("LeftUpperLeg", ("LeftUpperLeg", "LeftLowerLeg")),
    ("RightUpperLeg", ("RightUpperLeg", "RightLowerLeg")),
    ("LeftLowerLeg", ("LeftLowerLeg", "LeftFoot")),
    ("RightLowerLeg", ("RightLowerLeg", "RightFoot")),
    ("LeftUpperArm", ("LeftUpperArm", "LeftLowerArm")),
    ("RightUpperArm", ("RightUpperArm", "RightLowerArm")),
    ("LeftLowerArm", ("LeftUpperArm", "LeftHand")),  # not the fore-arm: a slip of Unity's that stored clips contain
    ("RightLowerArm", ("RightLowerArm", "RightHand")),
    ("Neck", ("Neck", "Head")),
    ("LeftShoulder", ("LeftShoulder", "LeftUpperArm")),
    ("RightShoulder", ("RightShoulder", "RightUpperArm")),
)
"""Where the mass of a bone lies: half-way between two joints."""

OWN_PLACES = ("LeftFoot", "RightFoot", "LeftToes", "RightToes", "LeftHand", "RightHand", "Head")
"""Bones whose mass lies at their joint."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pose:
    """N poses of a body of M nodes. ``local`` (N, M, 4): rotations relative to the parents. ``positions`` (N, M, 3) and
    ``rotations`` (N, M, 4) relative to the Animator's object, the hips where the clip puts them; ``body_position``
    (N, 3) and ``body_rotation`` (N, 4): the clip's root, in metres."""

    local: Array
    positions: Array
    rotations: Array
    body_position: Array
    body_rotation: Array


def pose_body(body: Body, values: Values, count: int) -> Pose:
    """All steps: ``count`` poses of the body as the clip plays them."""
    local = local_rotations(body, values, count)
    positions, rotations = forward_kinematics(body, local)
    root_position, root_rotation = stored_body(body, values, count)
    turn = multiply_quaternions(root_rotation, conjugate(body_frame(body, positions)))
    offsets = positions - mass_centre(body, positions)[:, None]
    return Pose(
        local=local,
        positions=root_position[:, None] + rotate(turn[:, None], offsets),
        rotations=multiply_quaternions(turn[:, None], rotations),
        body_position=root_position,
        body_rotation=root_rotation,
    )


# --- muscles to local rotations -------------------------------------------------------------------------------------


def local_rotations(body: Body, values: Values, count: int) -> Array:
    """(N, M, 4): bones by their muscles; nodes without muscles stand as in the T-pose."""
    local = np.repeat(body.rotations[None], count, axis=0)
    for bone in body.axes:
        local[:, body.nodes[bone]] = bone_rotation(body, bone, values, count)
    return local


def bone_rotation(body: Body, bone: str, values: Values, count: int) -> Array:
    """(N, 4): one bone by its own muscles, and by the twist that it takes over from the bone above."""
    axes = body.axes[bone]
    angles = bone_angles(axes, bone, values, count)
    angles[:, 0] *= 1 - body.given.get(bone, 0.0)
    rotation: Array = swing_twist(angles) @ between_rotations(axes.pre, conjugate(axes.post))
    if bone not in body.taken:
        return rotation
    return multiply_quaternions(taken_twist(body, bone, values, count), rotation)


def bone_angles(axes: BoneAxes, bone: str, values: Values, count: int) -> Array:
    """(N, 3) radians about the bone's x (twist), y and z: below 0 a muscle's share of its least angle, above of its
    most. Values beyond -1..1 are legal and are not cut."""
    still = np.zeros(count)
    muscles = np.stack([values.get(name, still) if name else still for name in AXES[bone]], axis=-1)
    angles = np.where(muscles < 0, -muscles * axes.minimum, muscles * axes.maximum) * axes.signs
    cut: Array = np.clip(angles, -MOST_ANGLE, MOST_ANGLE)
    return cut


def swing_twist(angles: Array) -> Array:
    """(N, 4): first a twist about x, then a swing, both by half tangents of their angles (N, 3)."""
    x, y, z = np.moveaxis(np.tan(angles / 2), -1, 0)
    rotation = np.stack([x, y + x * z, z - x * y, np.ones_like(x)], axis=-1)
    unit: Array = rotation / np.linalg.norm(rotation, axis=-1, keepdims=True)
    return unit


def taken_twist(body: Body, bone: str, values: Values, count: int) -> Array:
    """(N, 4): the share of the twist of the bone above, about that one's own axis; where the limb ends does not
    change."""
    taken = body.taken[bone]
    twist = bone_angles(body.axes[taken.bone], taken.bone, values, count)[:, 0]
    turned: Array = about_x(taken.share * twist) @ between_rotations(taken.axis, conjugate(taken.axis))
    return turned


def about_x(angles: Array) -> Array:
    """(N, 4): turns about the x axis by radians (N,)."""
    still = np.zeros_like(angles)
    return np.stack([np.sin(angles / 2), still, still, np.cos(angles / 2)], axis=-1)


# --- the body as a whole --------------------------------------------------------------------------------------------


def forward_kinematics(body: Body, local: Array) -> tuple[Array, Array]:
    """Positions (N, M, 3) and rotations (N, M, 4) of all nodes, the bones as long as in the T-pose."""
    positions = np.empty((*local.shape[:-1], 3))
    rotations = np.empty_like(local)
    scales = np.empty_like(body.scales)
    for node, parent in enumerate(body.parents):
        if parent < 0:
            positions[:, node], rotations[:, node] = body.positions[node], local[:, node]
            scales[node] = body.scales[node]
            continue
        above = rotations[:, parent]
        positions[:, node] = positions[:, parent] + rotate(above, body.positions[node] * scales[parent])
        rotations[:, node] = multiply_quaternions(above, local[:, node])
        scales[node] = scales[parent] * body.scales[node]
    return positions, rotations


def mass_centre(body: Body, positions: Array) -> Array:
    """(N, 3): where Unity takes the body's centre to be, the masses of its bones each at a point."""
    total = np.zeros((len(positions), 3))
    for bone, point in mass_points(body, positions):
        total += body.masses[bone] * point
    return total


def rest_offset(body: Body) -> float:
    """Metres from the centre of mass in the T-pose to where the avatar says that it is."""
    positions, _ = forward_kinematics(body, body.rotations[None])
    return float(np.linalg.norm(mass_centre(body, positions)[0] - body.root_position))


def mass_points(body: Body, positions: Array) -> Iterator[tuple[str, Array]]:
    """Every bone that has a mass, and the point (N, 3) where it lies. Which points a torso without neck, shoulders or
    chest has is inferred; :func:`rest_offset` tells where that does not hold."""

    def mean(*bones: str) -> Array:
        average: Array = np.mean([positions[:, body.nodes[bone]] for bone in bones], axis=0)
        return average

    yield "Hips", mean("LeftUpperLeg", "RightUpperLeg", "Spine")
    for bone, between in MIDPOINTS:
        if body.has(bone):
            yield bone, mean(*between)
    for bone in OWN_PLACES:
        if body.has(bone):
            yield bone, mean(bone)
    torso = [bone for bone in ("Spine", "Chest", "UpperChest") if body.has(bone)]
    for bone, upper in pairwise(torso):
        yield bone, mean(bone, upper)
    last = torso[-1]
    if body.has("Neck", "LeftShoulder", "RightShoulder"):
        yield last, mean(last, "Neck", "LeftShoulder", "RightShoulder")
    elif last == "Spine":
        yield last, 0.1 * mean("Spine") + 0.9 * mean("LeftUpperArm", "RightUpperArm")
    else:
        yield last, mean(last, "LeftUpperArm", "RightUpperArm")


def body_frame(body: Body, positions: Array) -> Array:
    """(N, 4): how the body is turned by the places of its shoulders and hips; not at all in the T-pose."""
    left_arm, right_arm, left_leg, right_leg = (
        positions[:, body.nodes[bone]] for bone in ("LeftUpperArm", "RightUpperArm", "LeftUpperLeg", "RightUpperLeg")
    )
    up = (left_arm + right_arm) / 2 - (left_leg + right_leg) / 2
    right = (right_leg - left_leg) + (right_arm - left_arm)
    return multiply_quaternions(look_rotation(np.cross(right, up), up), conjugate(body.root_rotation))


def look_rotation(forward: Array, up: Array) -> Array:
    """(N, 4): z along ``forward`` (N, 3), y as near to ``up`` as can be; no turn where these give no direction."""
    z = _directions(forward)
    x = _directions(np.cross(up, z))
    axes = np.stack([x, np.cross(z, x), z], axis=-1)
    axes[~x.any(axis=-1)] = np.eye(3)
    return matrix_quaternions(axes)


def _directions(vectors: Array) -> Array:
    """(N, 3) of unit length, or 0 where a vector has none."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Array = vectors / np.where(length > 0, length, 1.0)
    return unit


def stored_body(body: Body, values: Values, count: int) -> tuple[Array, Array]:
    """Where the clip puts the body: (N, 3) metres and (N, 4)."""
    return stored_transform(values, "Root", count, (0.0, 1.0, 0.0), body.scale)


def stored_transform(
    values: Values, name: str, count: int, still: tuple[float, float, float], scale: float
) -> tuple[Array, Array]:
    """A position (N, 3) in metres and a rotation (N, 4) from the curves ``<name>T.x`` to ``<name>Q.w``; ``still`` in
    units of ``scale`` where there are none. A rotation without direction is none."""
    absent = dict(zip("xyzw", (0.0, 0.0, 0.0, 1.0), strict=True))
    position = np.stack(
        [values.get(f"{name}T.{axis}", np.full(count, at)) for axis, at in zip("xyz", still, strict=True)], axis=-1
    )
    rotation = np.stack([values.get(f"{name}Q.{axis}", np.full(count, at)) for axis, at in absent.items()], axis=-1)
    length = np.linalg.norm(rotation, axis=-1, keepdims=True)
    flat = length < 1e-6
    unit: Array = np.where(flat, tuple(absent.values()), rotation / np.where(flat, 1.0, length))
    return position * scale, unit
