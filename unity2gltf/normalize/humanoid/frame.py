"""What a bone hangs in on a real rig, where objects stand between it and its parent in the avatar's skeleton."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...math3d import Array, between_rotations, conjugate, rotate

NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """The node's parent seen from its parent in the skeleton: ``position`` (3,), ``rotation`` (4,), ``scale`` (3,)."""

    position: Array
    rotation: Array
    scale: Array

    @classmethod
    def still(cls) -> Frame:
        """Nothing between."""
        return cls(position=np.zeros(3), rotation=NO_TURN, scale=np.ones(3))

    def inside(self, positions: Array, rotations: Array) -> tuple[Array, Array]:
        """Positions (N, 3) and rotations (N, 4) of the skeleton as the node has them; along an axis that is scaled to
        nothing it is at 0."""
        scale = np.where(self.scale == 0, np.inf, self.scale)
        return rotate(conjugate(self.rotation), positions - self.position) / scale, self.rotation_inside(rotations)

    def rotation_inside(self, rotations: Array) -> Array:
        """Rotations (N, 4) alone."""
        inside: Array = rotations @ between_rotations(conjugate(self.rotation), NO_TURN)
        return inside * turn_signs(self.scale)


def turn_signs(scale: Array) -> Array:
    """(4,) signs that the components of a rotation get below a node of this ``scale`` (3,): mirrors turn it round."""
    signs = np.where(scale < 0, -1.0, 1.0)
    return np.append(signs * signs.prod(), 1.0)
