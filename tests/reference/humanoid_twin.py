"""A humanoid's pose worked out once more, one plain Python step a number: muscles to bones to the body in its place.

Everything is in Unity's space: vectors xyz, quaternions xyzw, products act right to left. Nothing of the package is
used but the record of an avatar's human part. A pose is a dict of curve names to values; what it leaves out is zero, as
is a body that it leaves in place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from unity2gltf.raw import RawHuman

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Place = tuple[Vector, Quaternion]

NOWHERE: Vector = (0.0, 0.0, 0.0)
STRAIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)

# --- names --------------------------------------------------------------------------------------------------------

SIDES = ("Left", "Right")
BONES = (
    *("Hips", "LeftUpperLeg", "RightUpperLeg", "LeftLowerLeg", "RightLowerLeg", "LeftFoot", "RightFoot", "Spine"),
    *("Chest", "UpperChest", "Neck", "Head", "LeftShoulder", "RightShoulder", "LeftUpperArm", "RightUpperArm"),
    *("LeftLowerArm", "RightLowerArm", "LeftHand", "RightHand", "LeftToes", "RightToes", "LeftEye", "RightEye", "Jaw"),
)
"""m_HumanBoneIndex and m_HumanBoneMass in order; before 5.6 there is no UpperChest."""

FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")
PHALANGES = ("Proximal", "Intermediate", "Distal")
FINGER_BONES = tuple(f"{finger} {phalanx}" for finger in FINGERS for phalanx in PHALANGES)
"""m_HandBoneIndex in order."""

GOALS = ("LeftFoot", "RightFoot", "LeftHand", "RightHand")

_TRUNK_MUSCLES = (
    *("Spine Front-Back", "Spine Left-Right", "Spine Twist Left-Right"),
    *("Chest Front-Back", "Chest Left-Right", "Chest Twist Left-Right"),
    *("UpperChest Front-Back", "UpperChest Left-Right", "UpperChest Twist Left-Right"),
    *("Neck Nod Down-Up", "Neck Tilt Left-Right", "Neck Turn Left-Right"),
    *("Head Nod Down-Up", "Head Tilt Left-Right", "Head Turn Left-Right"),
    *("Left Eye Down-Up", "Left Eye In-Out", "Right Eye Down-Up", "Right Eye In-Out", "Jaw Close", "Jaw Left-Right"),
)
_LEG_MUSCLES = (
    *("Upper Leg Front-Back", "Upper Leg In-Out", "Upper Leg Twist In-Out", "Lower Leg Stretch"),
    *("Lower Leg Twist In-Out", "Foot Up-Down", "Foot Twist In-Out", "Toes Up-Down"),
)
_ARM_MUSCLES = (
    *("Shoulder Down-Up", "Shoulder Front-Back", "Arm Down-Up", "Arm Front-Back", "Arm Twist In-Out"),
    *("Forearm Stretch", "Forearm Twist In-Out", "Hand Down-Up", "Hand In-Out"),
)
MUSCLES = (
    *_TRUNK_MUSCLES,
    *(f"{side} {name}" for side in SIDES for name in _LEG_MUSCLES),
    *(f"{side} {name}" for side in SIDES for name in _ARM_MUSCLES),
)
"""The 55 of the body."""


def _finger_muscles(side: str) -> tuple[str, ...]:
    kinds = ("1 Stretched", "Spread", "2 Stretched", "3 Stretched")
    return tuple(f"{side}Hand.{finger}.{kind}" for finger in FINGERS for kind in kinds)


def _place_names(name: str) -> tuple[str, ...]:
    return (*(f"{name}T.{axis}" for axis in "xyz"), *(f"{name}Q.{axis}" for axis in "xyzw"))


ATTRIBUTES = (
    *_place_names("Motion"),
    *_place_names("Root"),
    *(name for goal in GOALS for name in _place_names(goal)),
    *MUSCLES,
    *_finger_muscles("Left"),
    *_finger_muscles("Right"),
)
"""Names of the curves by a binding's attribute, from 5.6 on."""

OLD_ATTRIBUTES = tuple(name for name in ATTRIBUTES if not name.startswith("UpperChest"))
"""The same before 5.6."""

Triple = tuple[str | None, str | None, str | None]


def _triples() -> dict[str, Triple]:
    """The muscles about x (twist), y and z of each bone."""
    found: dict[str, Triple] = {"Jaw": (None, "Jaw Left-Right", "Jaw Close")}
    for bone in ("Spine", "Chest", "UpperChest"):
        found[bone] = (f"{bone} Twist Left-Right", f"{bone} Left-Right", f"{bone} Front-Back")
    for bone in ("Neck", "Head"):
        found[bone] = (f"{bone} Turn Left-Right", f"{bone} Tilt Left-Right", f"{bone} Nod Down-Up")
    for side in SIDES:
        s = side + " "
        found[f"{side}Eye"] = (None, s + "Eye In-Out", s + "Eye Down-Up")
        found[f"{side}UpperLeg"] = (s + "Upper Leg Twist In-Out", s + "Upper Leg In-Out", s + "Upper Leg Front-Back")
        found[f"{side}LowerLeg"] = (s + "Lower Leg Twist In-Out", None, s + "Lower Leg Stretch")
        found[f"{side}Foot"] = (None, s + "Foot Twist In-Out", s + "Foot Up-Down")
        found[f"{side}Toes"] = (None, None, s + "Toes Up-Down")
        found[f"{side}Shoulder"] = (None, s + "Shoulder Front-Back", s + "Shoulder Down-Up")
        found[f"{side}UpperArm"] = (s + "Arm Twist In-Out", s + "Arm Front-Back", s + "Arm Down-Up")
        found[f"{side}LowerArm"] = (s + "Forearm Twist In-Out", None, s + "Forearm Stretch")
        found[f"{side}Hand"] = (None, s + "Hand In-Out", s + "Hand Down-Up")
        for finger in FINGERS:
            start = f"{side}Hand.{finger}"
            found[f"{side} {finger} Proximal"] = (None, f"{start}.Spread", f"{start}.1 Stretched")
            found[f"{side} {finger} Intermediate"] = (None, None, f"{start}.2 Stretched")
            found[f"{side} {finger} Distal"] = (None, None, f"{start}.3 Stretched")
    return found


TRIPLES = _triples()

# --- arithmetic ---------------------------------------------------------------------------------------------------


def plus(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a: Vector, number: float) -> Vector:
    return (a[0] * number, a[1] * number, a[2] * number)


def each(a: Vector, b: Vector) -> Vector:
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a: Vector) -> Vector:
    return times(a, 1 / math.hypot(*a))


def middle(*points: Vector) -> Vector:
    total = NOWHERE
    for point in points:
        total = plus(total, point)
    return times(total, 1 / len(points))


def product(*rotations: Quaternion) -> Quaternion:
    """Hamilton's product; the last turns first."""
    x, y, z, w = STRAIGHT
    for qx, qy, qz, qw in rotations:
        x, y, z, w = (
            w * qx + x * qw + y * qz - z * qy,
            w * qy - x * qz + y * qw + z * qx,
            w * qz + x * qy - y * qx + z * qw,
            w * qw - x * qx - y * qy - z * qz,
        )
    return (x, y, z, w)


def conjugate(q: Quaternion) -> Quaternion:
    return (-q[0], -q[1], -q[2], q[3])


def normal(q: Quaternion) -> Quaternion:
    length = math.hypot(*q)
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


def turn(q: Quaternion, v: Vector) -> Vector:
    """A vector turned by a unit quaternion: q v q^-1."""
    x, y, z, _ = product(q, (*v, 0.0), conjugate(q))
    return (x, y, z)


def about_x(angle: float) -> Quaternion:
    return (math.sin(angle / 2), 0.0, 0.0, math.cos(angle / 2))


def look_rotation(forward: Vector, up: Vector) -> Quaternion:
    """The rotation that takes +z to ``forward`` and +y as near as can be to ``up``."""
    z = unit(forward)
    x = unit(cross(up, z))
    return from_axes(x, cross(z, x), z)


def from_axes(x: Vector, y: Vector, z: Vector) -> Quaternion:
    """The rotation whose matrix has these columns: of four ways to write it the one with the largest divisor."""
    squares = (
        1 + x[0] - y[1] - z[2],
        1 - x[0] + y[1] - z[2],
        1 - x[0] - y[1] + z[2],
        1 + x[0] + y[1] + z[2],
    )
    sums = {
        (0, 1): x[1] + y[0], (0, 2): x[2] + z[0], (1, 2): y[2] + z[1],
        (0, 3): y[2] - z[1], (1, 3): z[0] - x[2], (2, 3): x[1] - y[0],
    }  # fmt: skip
    best = squares.index(max(squares))
    parts = [squares[k] if k == best else sums[min(k, best), max(k, best)] for k in range(4)]
    return normal((parts[0], parts[1], parts[2], parts[3]))


def angle_between(one: Quaternion, other: Quaternion) -> float:
    """Degrees from one rotation to the other; good for small ones, too."""
    x, y, z, w = product(conjugate(normal(one)), normal(other))
    return math.degrees(2 * math.atan2(math.hypot(x, y, z), abs(w)))


# --- the avatar ---------------------------------------------------------------------------------------------------


def bone_nodes(human: RawHuman) -> dict[str, int]:
    """Node of each human bone and finger bone that the avatar has."""
    body = list(human.bones)
    if len(body) == len(BONES) - 1:
        body.insert(BONES.index("UpperChest"), -1)
    nodes = dict(zip(BONES, body, strict=True))
    for side, hand in (("Left", human.left_hand), ("Right", human.right_hand)):
        nodes |= {f"{side} {bone}": node for bone, node in zip(FINGER_BONES, hand, strict=False)}
    return {bone: node for bone, node in nodes.items() if node >= 0}


def bone_masses(human: RawHuman) -> dict[str, float]:
    masses = list(human.masses)
    if len(masses) == len(BONES) - 1:
        masses.insert(BONES.index("UpperChest"), 0.0)
    return dict(zip(BONES, masses, strict=True))


def t_pose(human: RawHuman) -> list[Quaternion]:
    """Local rotations of the nodes in m_SkeletonPose."""
    return [normal(_quaternion(row)) for row in human.rotations.tolist()]


def _vector(row: Sequence[float]) -> Vector:
    return (row[0], row[1], row[2])


def _quaternion(row: Sequence[float]) -> Quaternion:
    return (row[0], row[1], row[2], row[3])


def post(human: RawHuman, node: int) -> Quaternion:
    return normal(_quaternion(human.limits.post[human.axes[node]].tolist()))


def twist_factors(human: RawHuman) -> dict[str, tuple[float, str]]:
    """The share of a bone's twist that its child takes, and the child."""
    found = {}
    for side in SIDES:
        found[f"{side}UpperArm"] = (human.arm_twist, f"{side}LowerArm")
        found[f"{side}LowerArm"] = (human.fore_arm_twist, f"{side}Hand")
        found[f"{side}UpperLeg"] = (human.upper_leg_twist, f"{side}LowerLeg")
        found[f"{side}LowerLeg"] = (human.leg_twist, f"{side}Foot")
    return found


# --- 1, 2, 3: muscles to local rotations --------------------------------------------------------------------------


def angles(human: RawHuman, bone: str, node: int, pose: Mapping[str, float]) -> Vector:
    """Radians about x, y and z. A muscle of 1 is the upper limit, of -1 the lower one; beyond, it goes on."""
    row = human.axes[node]
    found = [0.0, 0.0, 0.0]
    for axis, muscle in enumerate(TRIPLES[bone]):
        value = pose.get(muscle, 0.0) if muscle else 0.0
        low, high = float(human.limits.minimum[row, axis]), float(human.limits.maximum[row, axis])
        found[axis] = (-value * low if value < 0 else value * high) * float(human.limits.signs[row, axis])
    return (found[0], found[1], found[2])


def swing_and_twist(x: float, y: float, z: float) -> Quaternion:
    """The twist about x first, then the swing (0, tan y/2, tan z/2, 1)."""
    tx, ty, tz = math.tan(x / 2), math.tan(y / 2), math.tan(z / 2)
    return normal((tx, ty + tx * tz, tz - tx * ty, 1.0))


def muscle_rotation(human: RawHuman, node: int, x: float, y: float, z: float) -> Quaternion:
    before = normal(_quaternion(human.limits.pre[human.axes[node]].tolist()))
    return product(before, swing_and_twist(x, y, z), conjugate(post(human, node)))


def local_rotations(human: RawHuman, pose: Mapping[str, float]) -> list[Quaternion]:
    """Of all nodes. A bone of a limb keeps a part of its twist and hands the rest to its child, which turns about the
    bone's own axis by it and so ends up as it would have. Nodes that no muscle moves, or without axes, stay as in the
    T-pose."""
    nodes, factors = bone_nodes(human), twist_factors(human)
    result = t_pose(human)
    for bone, node in nodes.items():
        if bone in TRIPLES and human.axes[node] >= 0:
            x, y, z = angles(human, bone, node, pose)
            kept = 1 - factors[bone][0] if bone in factors else 1.0
            result[node] = muscle_rotation(human, node, kept * x, y, z)
    for bone, (factor, child) in factors.items():
        if bone in nodes and child in nodes and human.axes[nodes[bone]] >= 0:
            x, _, _ = angles(human, bone, nodes[bone], pose)
            own = post(human, nodes[bone])
            rest = product(own, about_x(factor * x), conjugate(own))
            between = between_rotation(human, nodes[bone], nodes[child])
            result[nodes[child]] = product(conjugate(between), rest, between, result[nodes[child]])
    return result


def between_rotation(human: RawHuman, bone: int, child: int) -> Quaternion:
    """Of the nodes between a bone and its child, as they stand in the T-pose: mostly there are none."""
    rest, node = t_pose(human), int(human.parents[child])
    result = STRAIGHT
    while node != bone:
        result = product(rest[node], result)
        node = int(human.parents[node])
    return result


# --- 4: positions, mass centre ------------------------------------------------------------------------------------


def model_space(human: RawHuman, local: Sequence[Quaternion]) -> list[Place]:
    """Of all nodes: parents come first; a child's place is stretched by the scales above it."""
    places: list[Place] = []
    scales: list[Vector] = []
    for node, parent in enumerate(human.parents.tolist()):
        position, scale = _vector(human.positions[node].tolist()), _vector(human.scales[node].tolist())
        if parent < 0:
            places.append((position, local[node]))
            scales.append(scale)
            continue
        place, rotation = places[parent]
        places.append(
            (plus(place, turn(rotation, each(scales[parent], position))), normal(product(rotation, local[node])))
        )
        scales.append(each(scales[parent], scale))
    return places


def mass_points(at: Mapping[str, Vector]) -> dict[str, Vector]:
    """Where the mass of each bone sits, from the places of the bones that there are."""
    points = {"Hips": middle(at["LeftUpperLeg"], at["RightUpperLeg"], at["Spine"])}
    for side in SIDES:
        points[f"{side}UpperLeg"] = middle(at[f"{side}UpperLeg"], at[f"{side}LowerLeg"])
        points[f"{side}LowerLeg"] = middle(at[f"{side}LowerLeg"], at[f"{side}Foot"])
        points[f"{side}UpperArm"] = middle(at[f"{side}UpperArm"], at[f"{side}LowerArm"])
        if f"{side}Shoulder" in at:
            points[f"{side}Shoulder"] = middle(at[f"{side}Shoulder"], at[f"{side}UpperArm"])
    points["LeftLowerArm"] = middle(at["LeftUpperArm"], at["LeftHand"])  # the upper arm: so it is in Unity
    points["RightLowerArm"] = middle(at["RightLowerArm"], at["RightHand"])
    if "Neck" in at:
        points["Neck"] = middle(at["Neck"], at["Head"])
    torso = [bone for bone in ("Spine", "Chest", "UpperChest") if bone in at]
    for bone, after in pairwise(torso):
        points[bone] = middle(at[bone], at[after])
    points[torso[-1]] = last_torso_point(torso[-1], at)
    for bone in at:
        points.setdefault(bone, at[bone])
    return points


def last_torso_point(bone: str, at: Mapping[str, Vector]) -> Vector:
    arms = (at["LeftUpperArm"], at["RightUpperArm"])
    if bone == "Spine":
        return plus(times(at[bone], 0.1), times(middle(*arms), 0.9))
    if "LeftShoulder" in at and "RightShoulder" in at:
        neck = (at["Neck"],) if "Neck" in at else ()
        return middle(at[bone], *neck, at["LeftShoulder"], at["RightShoulder"])
    return middle(at[bone], *arms)


def mass_centre(human: RawHuman, places: Sequence[Place]) -> Vector:
    masses = bone_masses(human)
    total = NOWHERE
    for bone, point in mass_points(_body(human, places)).items():
        total = plus(total, times(point, masses[bone]))
    return total


def _body(human: RawHuman, places: Sequence[Place]) -> dict[str, Vector]:
    return {bone: places[node][0] for bone, node in bone_nodes(human).items() if bone in BONES}


# --- 5: the body's frame ------------------------------------------------------------------------------------------


def body_axes(human: RawHuman, places: Sequence[Place]) -> Quaternion:
    """The rotation of the trunk as hips and shoulders span it, whatever it is in the T-pose."""
    at = _body(human, places)
    up = minus(middle(at["LeftUpperArm"], at["RightUpperArm"]), middle(at["LeftUpperLeg"], at["RightUpperLeg"]))
    right = plus(minus(at["RightUpperLeg"], at["LeftUpperLeg"]), minus(at["RightUpperArm"], at["LeftUpperArm"]))
    return look_rotation(cross(right, up), up)


def body_frame(human: RawHuman, places: Sequence[Place]) -> Quaternion:
    """F: the trunk's rotation since the T-pose."""
    return product(body_axes(human, places), conjugate(normal(human.root_rotation)))


def rest_body(human: RawHuman) -> Place:
    """What m_RootX must be: mass centre and rotation of the trunk in the T-pose."""
    places = model_space(human, t_pose(human))
    return mass_centre(human, places), body_axes(human, places)


# --- 6, 7: the body put in its place, goals -----------------------------------------------------------------------


def body_place(human: RawHuman, pose: Mapping[str, float]) -> Place:
    """Metres and rotation of the body that RootT and RootQ tell."""
    position, rotation = read_place(pose, "Root")
    return times(position, human.scale), normal(rotation)


def read_place(pose: Mapping[str, float], name: str) -> Place:
    """Seven curves: ``nameT.x`` to ``nameQ.w``."""
    x, y, z = (pose.get(f"{name}T.{axis}", 0.0) for axis in "xyz")
    qx, qy, qz = (pose.get(f"{name}Q.{axis}", 0.0) for axis in "xyz")
    return (x, y, z), (qx, qy, qz, pose.get(f"{name}Q.w", 1.0))


def placed(human: RawHuman, places: Sequence[Place], body: Place) -> list[Place]:
    """All nodes, moved as one so that the mass centre and the trunk are where ``body`` says."""
    centre = mass_centre(human, places)
    whole = product(body[1], conjugate(body_frame(human, places)))
    return [
        (plus(body[0], turn(whole, minus(position, centre))), normal(product(whole, rotation)))
        for position, rotation in places
    ]


def goal(human: RawHuman, name: str, places: Sequence[Place], body: Place) -> Place:
    """A hand's or foot's place as a clip stores it: in the body, in units of the avatar's scale. A foot's is its sole,
    the length of its axes along x."""
    node = bone_nodes(human)[name]
    position, joint = places[node]
    rotation = product(joint, post(human, node))
    if name.endswith("Foot"):
        length = float(human.limits.lengths[human.axes[node]])
        position = plus(position, turn(rotation, (length, 0.0, 0.0)))
    back = conjugate(body[1])
    return times(turn(back, minus(position, body[0])), 1 / human.scale), normal(product(back, rotation))


@dataclass(frozen=True, slots=True)
class Posed:
    """``local``: rotations of the human skeleton's nodes; ``places``: them in the space of the Animator, the body put
    where it belongs; ``goals``: by name, in the body's space and units of the scale."""

    local: list[Quaternion]
    places: list[Place]
    body: Place
    goals: dict[str, Place]


def posed(human: RawHuman, pose: Mapping[str, float]) -> Posed:
    """Everything of one moment."""
    local = local_rotations(human, pose)
    body = body_place(human, pose)
    places = placed(human, model_space(human, local), body)
    goals = {name: goal(human, name, places, body) for name in GOALS}
    return Posed(local=local, places=places, body=body, goals=goals)
