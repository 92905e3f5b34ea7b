"""The humanoid's body: more bones than the figure has, its T-pose, how bones answer to muscles, and the Avatar of it.

All numbers are made up, but none of them is of no effect: the T-pose leans, axes stand askew to their bones, limits
differ to both sides, the left fore-arm is heavier than the right one, soles lie below ankles, and an object that
stretches and turns stands between the Animator and the hips. ``UpperChest`` is a bone that no human bone is mapped to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from UnityPy.helpers.UnityVersion import UnityVersion

from ..math3d import decompose, multiply_quaternions, name_hash, rotation_matrices
from .goals import ROOT
from .skeleton import Bone, Rig, Skeleton, build_skeleton, point_up
from .values import f32, vector, xform

Array = NDArray[np.float64]
Triple = tuple[float, float, float]

RIG = Rig("Rig", (0.02, 0.05, -0.03), (-float(np.sqrt(0.5)), 0.0, 0.0, float(np.sqrt(0.5))), 0.5)

MORE = (
    Bone("LeftToes", "LeftFoot", (-0.122, 0.045, 0.09), (-0.125, 0.03, 0.14)),
    Bone("RightToes", "RightFoot", (0.122, 0.045, 0.09), (0.125, 0.03, 0.14)),
    Bone("LeftThumb", "LeftHand", (-0.59, 1.045, 0.03), (-0.61, 1.03, 0.05)),
    Bone("LeftIndex", "LeftHand", (-0.63, 1.02, 0.015)),
    Bone("LeftIndexTip", "LeftIndex", (-0.65, 1.0067, 0.018), (-0.66, 1.0, 0.02)),
)

# --- human bones --------------------------------------------------------------------------------------------------

MASSES = {
    "Hips": 0.12, "LeftUpperLeg": 0.15, "RightUpperLeg": 0.15, "LeftLowerLeg": 0.07, "RightLowerLeg": 0.07,
    "LeftFoot": 0.02, "RightFoot": 0.02, "Spine": 0.04, "Chest": 0.14, "UpperChest": 0.0, "Neck": 0.012, "Head": 0.05,
    "LeftShoulder": 0.006, "RightShoulder": 0.006, "LeftUpperArm": 0.025, "RightUpperArm": 0.025,
    "LeftLowerArm": 0.05, "RightLowerArm": 0.02, "LeftHand": 0.01, "RightHand": 0.01,
    "LeftToes": 0.003, "RightToes": 0.003, "LeftEye": 0.0, "RightEye": 0.0, "Jaw": 0.0,
}  # fmt: skip
"""Shares of the whole, in the order of m_HumanBoneIndex."""

NEWER = "UpperChest"
"""The human bone that came with 5.6; this body has a bone of the name, but maps nothing to it."""

FINGERS = {0: "LeftThumb", 3: "LeftIndex", 4: "LeftIndexTip"}
"""Places in m_HandBoneIndex of the left hand; the right one has no fingers."""

TWIST = 0.5
"""Share of a limb bone's twist that the next bone takes."""

LEAN = {"Spine": (14.0, 0.0, 3.0), "Chest": (-3.0, 4.0, 0.0)}
"""Degrees about x, y and z by which the T-pose turns a bone and all above it."""

LEVEL = ("UpperArm", "LowerArm", "Hand")
"""Bones that the T-pose turns until they point sideways."""


@dataclass(frozen=True, slots=True)
class Axes:
    """How a bone of the trunk or of the left side answers: x runs along it (or along ``along``), z is nearest to
    ``bend`` in the T-pose. Muscles of 0 leave it ``zero`` degrees about z from there. Limits in degrees."""

    bend: Triple
    signs: Triple
    minimum: Triple
    maximum: Triple
    zero: float = 0.0
    along: Triple | None = None
    length: float | None = None


AXES = {
    "Hips": Axes((1.0, 0.0, 0.0), (1, 1, 1), (-40, -40, -40), (40, 40, 40), 10.0),
    "Spine": Axes((1.0, 0.05, 0.0), (1, 1, 1), (-40, -35, -30), (38, 36, 45)),
    "Chest": Axes((1.0, 0.0, 0.04), (1, -1, 1), (-35, -40, -35), (40, 34, 42), 3.0),
    "Neck": Axes((1.0, 0.0, -0.06), (-1, 1, 1), (-40, -38, -42), (42, 40, 37)),
    "Head": Axes((1.0, 0.1, 0.0), (1, 1, -1), (-44, -40, -36), (40, 41, 43), -4.0),
    "Shoulder": Axes((0.0, 0.1, 1.0), (1, -1, -1), (0, -15, -14), (0, 16, 30)),
    "UpperArm": Axes((0.05, 0.0, 1.0), (-1, -1, -1), (-90, -100, -60), (80, 95, 100), 40.0),
    "LowerArm": Axes((0.0, 1.0, 0.1), (1, 1, -1), (-90, 0, -80), (85, 0, 78), 75.0),
    "Hand": Axes((0.0, -0.05, 1.0), (1, -1, -1), (0, -40, -80), (0, 36, 75)),
    "UpperLeg": Axes((1.0, 0.0, 0.05), (1, 1, 1), (-60, -60, -90), (65, 55, 50), -30.0),
    "LowerLeg": Axes((1.0, 0.03, 0.0), (-1, 1, -1), (-90, 0, -80), (85, 0, 76), 80.0),
    "Foot": Axes((1.0, 0.0, 0.02), (1, 1, 1), (0, -30, -50), (0, 35, 45), 5.0, (0.0, -1.0, 0.05), 0.085),
    "Toes": Axes((1.0, 0.0, 0.0), (1, 1, -1), (0, 0, -50), (0, 0, 45)),
    "Thumb": Axes((0.0, 0.3, 1.0), (1, 1, -1), (0, -25, -20), (0, 20, 35), 20.0),
    "Index": Axes((0.0, 0.0, 1.0), (1, -1, -1), (0, -20, -50), (0, 25, 45), 40.0),
    "IndexTip": Axes((0.0, 0.1, 1.0), (1, 1, -1), (0, 0, -45), (0, 0, 40), 45.0),
}
"""By bone without its side; the right one is the mirror image."""


def has_upper_chest(version: str) -> bool:
    """Whether the Unity version has 25 human bones and 55 body muscles, and not 24 and 52."""
    return bool(UnityVersion.from_str(version) >= UnityVersion.from_str("5.6.0a1"))


def build_human() -> Skeleton:
    """The figure's bones with toes and fingers, below the rig."""
    return build_skeleton(MORE, RIG)


# --- T-pose -------------------------------------------------------------------------------------------------------


def t_pose(skeleton: Skeleton) -> tuple[Array, Array]:
    """Rotations (B, 4) of the bones in the figure's space and relative to the parent bone, arms held out."""
    placed, local = np.empty_like(skeleton.rotations), np.empty_like(skeleton.rotations)
    for bone, parent in enumerate(skeleton.parents):
        name = skeleton.names[bone]
        above = np.array([0.0, 0.0, 0.0, 1.0]) if parent < 0 else placed[parent]
        rest = skeleton.rotations[bone] if parent < 0 else skeleton.local_rotations[bone]
        turned = multiply_quaternions(above, rest)
        if name in LEAN:
            turned = multiply_quaternions(euler(LEAN[name]), turned)
        if _kind(name) in LEVEL:
            turned = point_up(np.array([_side(name), 0.0, 0.0]))
        placed[bone], local[bone] = turned, multiply_quaternions(_inverse(above), turned)
    return placed, local


def euler(degrees: Triple) -> Array:
    """The rotation by degrees about z, then x, then y, given as (x, y, z)."""
    half = np.radians(degrees) / 2
    x, y, z = (np.append(np.eye(3)[axis] * np.sin(half[axis]), np.cos(half[axis])) for axis in range(3))
    return multiply_quaternions(y, multiply_quaternions(x, z))


def _inverse(rotation: Array) -> Array:
    return np.asarray(rotation * [-1, -1, -1, 1])


def _kind(name: str) -> str:
    return name.removeprefix("Left").removeprefix("Right")


def _side(name: str) -> float:
    """The sign of x: -1 left, 1 right or in the middle."""
    return -1.0 if name.startswith("Left") else 1.0


# --- axes ---------------------------------------------------------------------------------------------------------


def bone_axes(skeleton: Skeleton) -> dict[int, dict[str, Any]]:
    """An entry of m_AxesArray for each bone that has one."""
    placed, _ = t_pose(skeleton)
    found = {}
    for bone, name in enumerate(skeleton.names):
        if _kind(name) in AXES:
            parent = skeleton.parents[bone]
            above = np.array([0.0, 0.0, 0.0, 1.0]) if parent < 0 else placed[parent]
            length = float(np.linalg.norm(skeleton.tails[bone] - skeleton.heads[bone]))
            found[bone] = _axes(name, AXES[_kind(name)], placed[bone], above, length)
    return found


def _axes(name: str, axes: Axes, placed: Array, above: Array, length: float) -> dict[str, Any]:
    """A mirror turns vectors over but axes of rotation the other way round, so on the right y and x change signs."""
    mirrored = name.startswith("Right")
    bend = np.array(axes.bend) * ([1, -1, -1] if mirrored else [1, 1, 1])
    along = rotation_matrices(placed)[:, 1] if axes.along is None else np.array(axes.along)
    frame = _frame(along, bend)
    zero = multiply_quaternions(frame, euler((0.0, 0.0, axes.zero)))
    return {
        "m_PreQ": vector(multiply_quaternions(_inverse(above), zero)),
        "m_PostQ": vector(multiply_quaternions(_inverse(placed), frame)),
        "m_Sgn": vector(np.array(axes.signs) * ([-1, -1, 1] if mirrored else [1, 1, 1])),
        "m_Limit": {"m_Min": vector(np.radians(axes.minimum)), "m_Max": vector(np.radians(axes.maximum))},
        "m_Length": f32(length if axes.length is None else axes.length),
    }


def _frame(along: Array, bend: Array) -> Array:
    """The rotation whose x is ``along`` and whose z is as near as can be to ``bend``."""
    x = along / np.linalg.norm(along)
    z = bend - (bend @ x) * x
    z = z / np.linalg.norm(z)
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    return decompose(matrix)[1]


# --- the Avatar ---------------------------------------------------------------------------------------------------


def human_fields(skeleton: Skeleton, version: str) -> dict[str, Any]:
    """m_Human's data. Its skeleton is the rig, taken away, and all bones, with the hips in the figure's space."""
    axes = bone_axes(skeleton)
    rows = list(axes)
    nodes = [{"m_ParentId": -1, "m_AxesId": -1}] + [
        {"m_ParentId": parent + 1, "m_AxesId": rows.index(bone) if bone in axes else -1}
        for bone, parent in enumerate(skeleton.parents)
    ]
    _, rotations = t_pose(skeleton)
    masses = {name: mass for name, mass in MASSES.items() if name != NEWER or has_upper_chest(version)}
    hand = [skeleton.names.index(FINGERS[k]) + 1 if k in FINGERS else -1 for k in range(15)]
    return {
        "m_RootX": xform(ROOT[:3], ROOT[3:], (1.0, 1.0, 1.0)),
        "m_Skeleton": {
            "data": {"m_Node": nodes, "m_ID": human_ids(skeleton), "m_AxesArray": [axes[bone] for bone in rows]}
        },
        "m_SkeletonPose": {"data": {"m_X": human_pose(skeleton, rotations)}},
        "m_LeftHand": {"data": {"m_HandBoneIndex": hand}},
        "m_RightHand": {"data": {"m_HandBoneIndex": [-1] * 15}},
        "m_HumanBoneIndex": [_node(skeleton, name) for name in masses],
        "m_HumanBoneMass": [f32(mass) for mass in masses.values()],
        "m_Scale": f32(ROOT[1]),
        **dict.fromkeys(("m_ArmTwist", "m_ForeArmTwist", "m_UpperLegTwist", "m_LegTwist"), TWIST),
        **{"m_ArmStretch": f32(0.05), "m_LegStretch": f32(0.05), "m_HasLeftHand": True},
    }


def _node(skeleton: Skeleton, name: str) -> int:
    mapped = name in skeleton.names and name != NEWER
    return skeleton.names.index(name) + 1 if mapped else -1


def human_ids(skeleton: Skeleton) -> list[int]:
    return [name_hash(RIG.name), *map(name_hash, skeleton.paths)]


def human_pose(skeleton: Skeleton, rotations: Array) -> list[dict[str, Any]]:
    """Local, the hips' in the figure's space and with the rig's scale; ``rotations`` (B, 4)."""
    pose = [xform((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0))]
    for bone, parent in enumerate(skeleton.parents):
        if parent < 0:
            pose.append(xform(skeleton.heads[bone].tolist(), rotations[bone].tolist(), (RIG.scale,) * 3))
        else:
            pose.append(xform(skeleton.local_positions[bone].tolist(), rotations[bone].tolist(), (1.0, 1.0, 1.0)))
    return pose


def avatar_fields(skeleton: Skeleton, version: str, objects: Sequence[str] = ()) -> dict[str, Any]:
    """The humanoid's Avatar; ``objects`` are paths of what hangs beside the bones, directly below the root."""
    paths = ["", RIG.name, *skeleton.paths, *objects]
    parents = [-1, 0, *(parent + 2 if parent >= 0 else 1 for parent in skeleton.parents), *(0 for _ in objects)]
    ids = list(map(name_hash, paths))
    still = xform((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0))
    bones = zip(skeleton.local_positions.tolist(), skeleton.local_rotations.tolist(), strict=True)
    rest = [
        still,
        xform(RIG.position, RIG.rotation, (RIG.scale,) * 3),
        *(xform(t, q, (1.0, 1.0, 1.0)) for t, q in bones),
        *(still for _ in objects),
    ]
    nodes = [{"m_ParentId": parent, "m_AxesId": -1} for parent in parents]
    whole, pose = {"data": {"m_Node": nodes, "m_ID": ids}}, {"data": {"m_X": rest}}
    inside = list(range(1, len(skeleton.names) + 2))
    return {
        "m_Name": "HumanoidAvatar",
        "m_Avatar": {
            **dict.fromkeys(("?m_AvatarSkeleton", "?m_Skeleton"), whole),
            **dict.fromkeys(("?m_AvatarSkeletonPose", "?m_DefaultPose", "?m_SkeletonPose"), pose),
            "?m_SkeletonNameIDArray": [name_hash(path.rsplit("/", 1)[-1]) for path in paths],
            "m_Human": {"data": human_fields(skeleton, version)},
            "m_HumanSkeletonIndexArray": inside,
            "?m_HumanSkeletonReverseIndexArray": [node - 1 if node in inside else -1 for node in range(len(paths))],
            "m_RootMotionBoneIndex": -1,
            "m_RootMotionBoneX": still,
        },
        "m_TOS": sorted(zip(ids, paths, strict=True)),
    }
