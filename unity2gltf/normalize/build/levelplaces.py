"""Where a lower level of detail stands below the parent of level 0."""

from __future__ import annotations

import numpy as np

from ...ir import Node
from ...math3d import Array, compose, decompose
from ..chains import chain_matrix

Pose = tuple[tuple[float, float, float], tuple[float, float, float, float], tuple[float, float, float]]
"""Local translation, rotation (xyzw) and scale."""

IDENTITY: Pose = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0))
_SHEAR = 1e-6  # of the largest entry: what float32 numbers may lose


class Places:
    """Looks at ``nodes``, which may grow. ``moving``: nodes that clips or poses move."""

    def __init__(self, nodes: list[Node], moving: set[int]) -> None:
        self._nodes = nodes
        self._moving = moving

    def frame(self, carrier: int) -> int:
        """The node in whose place a carrier's mesh is drawn: the carrier, or what its extra node hangs below (-1 = the
        scene)."""
        node = self._nodes[carrier]
        return carrier if node.game_object is None else node.parent

    def pose(self, owner: int, carrier: int) -> Pose | str:
        """The place of a carrier's mesh below the owner's parent, or why there is no fixed one."""
        if self._nodes[carrier].skin is not None:
            return IDENTITY  # joints place it
        down, up = self._between(self.frame(carrier), self._nodes[owner].parent)
        if not self._moving.isdisjoint((*down, *up)):
            return "it does not move with level 0"
        if not up and len(down) == 1:
            node = self._nodes[down[0]]
            return node.translation, node.rotation, node.scale
        if not up and not down:
            return IDENTITY
        return _decomposed(chain_matrix(self._nodes, up), chain_matrix(self._nodes, down))

    def _between(self, frame: int, above: int) -> tuple[list[int], list[int]]:
        """The nodes from ``frame`` up to a common ancestor, and those from ``above`` up to it; neither has it."""
        ancestors = [above]
        while ancestors[-1] >= 0:
            ancestors.append(self._nodes[ancestors[-1]].parent)
        down = []
        while frame not in ancestors:
            down.append(frame)
            frame = self._nodes[frame].parent
        return down, ancestors[: ancestors.index(frame)]


def _decomposed(above: Array, frame: Array) -> Pose | str:
    """inverse(above) frame as translation, rotation and scale."""
    with np.errstate(all="ignore"):
        if not (np.isfinite(above).all() and np.isfinite(frame).all()) or abs(np.linalg.det(above)) < 1e-30:
            return "level 0's parent has no size"
        matrix = np.linalg.inv(above) @ frame
        parts = decompose(matrix)
        if not np.abs(compose(*parts) - matrix).max() <= _SHEAR * float(np.abs(matrix).max()):
            return "its place below level 0's parent shears"
    (x, y, z), (qx, qy, qz, qw), (sx, sy, sz) = (part.tolist() for part in parts)
    return (x, y, z), (qx, qy, qz, qw), (sx, sy, sz)
