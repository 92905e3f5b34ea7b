"""Avatar objects to :class:`raw.RawAvatar`: the skeleton in its default pose and the table of path hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..codes import OBJECT_CORRUPT
from ..diagnostics import Fault
from ..raw import RawAvatar
from ..source import Source

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


def _columns(array: NDArray[Any], count: int) -> NDArray[np.float32]:
    """Before 5.4 positions and scales have a fourth component."""
    return np.asarray(array[:, :count], np.float32)


def read_tos(entries: Any) -> dict[int, str]:
    """A table of hash to path."""
    return {int(hash_): str(path) for hash_, path in entries}
