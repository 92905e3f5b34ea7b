"""The figure's bones: a table of world positions, from which local poses and bind poses follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..math3d import compose, multiply_quaternions, rotation_matrices

Array = NDArray[np.float64]

TRUNK = (
    # name, parent, head (x, y, z) in metres: +X is the figure's right, +Z where it looks
    ("Hips", None, (0.0, 0.92, 0.0)),
    ("Spine", "Hips", (0.0, 1.02, -0.01)),
    ("Chest", "Spine", (0.0, 1.14, -0.015)),
    ("UpperChest", "Chest", (0.0, 1.26, -0.01)),
    ("Neck", "UpperChest", (0.0, 1.40, -0.01)),
    ("Head", "Neck", (0.0, 1.48, 0.0)),
)
LIMBS = (
    ("Shoulder", "UpperChest", (0.04, 1.34, -0.01)),
    ("UpperArm", "Shoulder", (0.155, 1.335, -0.015)),
    ("LowerArm", "UpperArm", (0.38, 1.19, -0.035)),
    ("Hand", "LowerArm", (0.57, 1.06, 0.0)),
    ("UpperLeg", "Hips", (0.095, 0.88, 0.0)),
    ("LowerLeg", "UpperLeg", (0.11, 0.48, 0.015)),
    ("Foot", "LowerLeg", (0.115, 0.09, -0.02)),
)
TIPS = {"Head": (0.0, 1.74, 0.0), "Hand": (0.66, 1.0, 0.02), "Foot": (0.125, 0.03, 0.14)}
"""Where bones without a child end."""


class Bone(NamedTuple):
    """One more bone than the figure has: its parent, where it starts, and where it ends if it has no child."""

    name: str
    parent: str
    head: tuple[float, float, float]
    tip: tuple[float, float, float] | None = None


class Rig(NamedTuple):
    """An object between the figure's root and its hips: its local pose, of one scale."""

    name: str
    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float]
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """Bones in order, parents first. ``heads`` and ``tails`` (B, 3) and ``rotations`` (B, 4) xyzw are in the
    figure's space; ``local_positions`` and ``local_rotations`` relative to the parent bone, those of the hips to the
    ``rig`` (None: to the figure). +Y runs along a bone."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Array
    tails: Array
    rotations: Array
    local_positions: Array
    local_rotations: Array
    rig: Rig | None = None

    @property
    def scale(self) -> float:
        """Figure units in one unit of a bone."""
        return 1.0 if self.rig is None else self.rig.scale

    @property
    def paths(self) -> tuple[str, ...]:
        """Each bone's path from the figure's root: ``Hips/Spine``."""
        paths: list[str] = []
        top = "" if self.rig is None else self.rig.name + "/"
        for name, parent in zip(self.names, self.parents, strict=True):
            paths.append(top + name if parent < 0 else f"{paths[parent]}/{name}")
        return tuple(paths)

    @property
    def world(self) -> Array:
        """(B, 4, 4) bone to figure."""
        return compose(self.heads, self.rotations, np.full_like(self.heads, self.scale))

    @property
    def bind_poses(self) -> Array:
        """(B, 4, 4) figure to bone: the inverses of the rest pose."""
        return np.asarray(np.linalg.inv(self.world))

    def index(self, names: Sequence[str]) -> list[int]:
        return [self.names.index(name) for name in names]


def build_skeleton(more: Sequence[Bone] = (), rig: Rig | None = None) -> Skeleton:
    """The 20 bones of the figure, standing with its arms a little lowered, and ``more`` of them."""
    rows = [*TRUNK, *(_side(row, "Left", -1.0) for row in LIMBS), *(_side(row, "Right", 1.0) for row in LIMBS)]
    rows += [bone[:3] for bone in more]
    names = tuple(name for name, _, _ in rows)
    parents = tuple(-1 if parent is None else names.index(parent) for _, parent, _ in rows)
    heads = np.array([head for _, _, head in rows])
    tips = {bone.name: np.array(bone.tip) for bone in more if bone.tip}
    tails = np.array([_tail(index, names, parents, heads, tips) for index in range(len(names))])
    rotations = np.array([point_up(tail - head) for head, tail in zip(heads, tails, strict=True)])
    local_positions, local_rotations = _localise(parents, heads, rotations, rig)
    return Skeleton(names, parents, heads, tails, rotations, local_positions, local_rotations, rig)


def _side(
    row: tuple[str, str, tuple[float, float, float]], side: str, sign: float
) -> tuple[str, str, tuple[float, float, float]]:
    name, parent, (x, y, z) = row
    trunk = any(parent == bone for bone, _, _ in TRUNK)
    return side + name, parent if trunk else side + parent, (sign * x, y, z)


def _tail(index: int, names: tuple[str, ...], parents: tuple[int, ...], heads: Array, tips: dict[str, Array]) -> Array:
    """The first child's head, or the tip in the table."""
    if names[index] in tips:
        return tips[names[index]]
    kind = names[index].removeprefix("Left").removeprefix("Right")
    if kind in TIPS:
        mirror = -1.0 if names[index].startswith("Left") else 1.0
        return np.array(TIPS[kind]) * [mirror, 1.0, 1.0]
    return np.asarray(heads[parents.index(index)])


def point_up(direction: Array) -> Array:
    """The shortest rotation, xyzw, that takes +Y to ``direction``."""
    unit = direction / np.linalg.norm(direction)
    half = np.append(np.cross([0.0, 1.0, 0.0], unit), 1.0 + unit[1])
    if half[3] < 1e-9:
        return np.array([1.0, 0.0, 0.0, 0.0])
    return np.asarray(half / np.linalg.norm(half))


def _localise(parents: tuple[int, ...], heads: Array, rotations: Array, rig: Rig | None) -> tuple[Array, Array]:
    """Relative to the parent: a bone's, the rig's, or none."""
    positions, locals_ = heads.copy(), rotations.copy()
    scale = 1.0 if rig is None else rig.scale
    for bone, parent in enumerate(parents):
        if parent >= 0:
            head, turn = heads[parent], rotations[parent]
        elif rig is not None:
            head, turn = np.array(rig.position), np.array(rig.rotation)
        else:
            continue
        positions[bone] = rotation_matrices(turn).T @ (heads[bone] - head) / scale
        locals_[bone] = multiply_quaternions(turn * [-1, -1, -1, 1], rotations[bone])
    return positions, locals_
