"""Avatar objects to :class:`raw.RawAvatar`: the skeleton in its default pose, the table of path hashes, and the human
body that is mapped to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..codes import OBJECT_CORRUPT
from ..diagnostics import Fault
from ..raw import RawAvatar, RawAxes, RawHuman
from ..source import Source
from .objects import Fields, inner

if TYPE_CHECKING:
    from .content import ContentRoot

FIELDS = frozenset(("m_Name", "m_Avatar", "m_TOS"))


def read_avatar(root: ContentRoot, source: Source) -> RawAvatar:
    """An avatar. Raises :class:`Fault`; an avatar without a skeleton has arrays of length 0."""
    fields = root.read(source, FIELDS)
    constant = fields["m_Avatar"]
    skeleton, pose = _skeleton(constant)
    parents = np.asarray(skeleton["m_Node"]["m_ParentId"], np.int32)
    ids = np.asarray(skeleton["m_ID"], np.uint32)
    if not len(parents) == len(ids) == len(pose):
        raise Fault(
            OBJECT_CORRUPT,
            "an avatar's skeleton, its ids and its pose differ in length",
            nodes=len(parents),
            ids=len(ids),
            pose=len(pose),
        )
    return RawAvatar(
        source=source,
        name=fields["m_Name"],
        parents=parents,
        ids=ids,
        positions=_columns(pose["t"], 3),
        rotations=_columns(pose["q"], 4),
        scales=_columns(pose["s"], 3),
        tos=read_tos(fields["m_TOS"]),
        human=_human(inner(constant["m_Human"])) if "m_Human" in constant else None,
    )


def _skeleton(constant: dict[str, Any]) -> tuple[Any, NDArray[Any]]:
    """The skeleton and its pose: m_DefaultPose, else (before 4.3) m_SkeletonPose."""
    if "m_AvatarSkeleton" not in constant:
        return constant["m_Skeleton"]["data"], constant["m_SkeletonPose"]["data"]["m_X"]
    skeleton = constant["m_AvatarSkeleton"]["data"]
    pose = constant["m_DefaultPose"]["data"]["m_X"]
    if len(pose) != len(skeleton["m_ID"]):
        pose = constant["m_AvatarSkeletonPose"]["data"]["m_X"]
    return skeleton, pose


def _human(human: Fields) -> RawHuman | None:
    """None where no bone of the body is mapped, as in generic avatars."""
    bones = _integers(human["m_HumanBoneIndex"])
    if all(bone < 0 for bone in bones):
        return None
    skeleton, pose = inner(human["m_Skeleton"]), inner(human["m_SkeletonPose"])["m_X"]
    axes, root = skeleton["m_AxesArray"], human["m_RootX"]
    x, y, z = map(float, root["t"][:3])
    qx, qy, qz, qw = map(float, root["q"])
    return RawHuman(
        parents=np.asarray(skeleton["m_Node"]["m_ParentId"], np.int32),
        axes=np.asarray(skeleton["m_Node"]["m_AxesId"], np.int32),
        ids=np.asarray(skeleton["m_ID"], np.uint32),
        positions=_columns(pose["t"], 3),
        rotations=_columns(pose["q"], 4),
        scales=_columns(pose["s"], 3),
        limits=RawAxes(
            pre=_columns(axes["m_PreQ"], 4),
            post=_columns(axes["m_PostQ"], 4),
            signs=_columns(axes["m_Sgn"], 3),
            minimum=_columns(axes["m_Limit"]["m_Min"], 3),
            maximum=_columns(axes["m_Limit"]["m_Max"], 3),
            lengths=np.asarray(axes["m_Length"], np.float32),
        ),
        bones=bones,
        masses=tuple(np.asarray(human["m_HumanBoneMass"], np.float64).tolist()),
        left_hand=_integers(inner(human["m_LeftHand"]).get("m_HandBoneIndex", ())),
        right_hand=_integers(inner(human["m_RightHand"]).get("m_HandBoneIndex", ())),
        root_position=(x, y, z),
        root_rotation=(qx, qy, qz, qw),
        scale=float(human["m_Scale"]),
        arm_twist=float(human["m_ArmTwist"]),
        fore_arm_twist=float(human["m_ForeArmTwist"]),
        upper_leg_twist=float(human["m_UpperLegTwist"]),
        leg_twist=float(human["m_LegTwist"]),
        has_tdof=bool(human.get("m_HasTDoF", False)),
    )


def _integers(array: Any) -> tuple[int, ...]:
    return tuple(np.asarray(array, np.int64).tolist())


def _columns(array: NDArray[Any], count: int) -> NDArray[np.float32]:
    """Before 5.4 positions and scales have a fourth component."""
    return np.asarray(array[:, :count], np.float32)


def read_tos(entries: Any) -> dict[int, str]:
    """A table of hash to path."""
    return {int(hash_): str(path) for hash_, path in entries}
