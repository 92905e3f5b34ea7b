"""How far small differences of local transforms and weights carry to vertices: to first order, by absolute values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..ir import Asset
from ..math3d import compose
from .mirror import TRS, mirrored_matrices

Array = NDArray[np.float64]


class Bounds:
    """Made once for a file: the nodes at rest, and their depths."""

    def __init__(self, asset: Asset) -> None:
        self.asset = asset
        nodes = asset.nodes
        self._parents = np.array([node.parent for node in nodes], np.int64)
        self._rest = [
            np.array([getattr(node, part) for node in nodes], np.float64).reshape(len(nodes), -1)
            for part in ("translation", "rotation", "scale")
        ]
        self._levels = _levels(self._parents)
        self._deltas: dict[int, float] = {}

    def world(self, pose: Mapping[int, TRS], written: Mapping[int, TRS]) -> Array:
        """(N, 4, 4) by how much entries of world matrices may differ, when Unity's side poses some nodes as ``pose``
        and the file the same ones as ``written``: d(P L) = dP |L| + |P| dL."""
        parts = [part.copy() for part in self._rest]
        for node, transform in pose.items():
            for part, value in zip(parts, transform, strict=True):
                part[node] = value
        local = compose(*parts)
        world, bounds = local.copy(), np.zeros_like(local)
        posed = sorted(pose.keys() & written.keys())
        if posed:
            given = compose(*(np.array([written[node][part] for node in posed], np.float64) for part in range(3)))
            bounds[posed] = np.abs(mirrored_matrices(local[posed]) - given)
        for level in self._levels[1:]:
            above = self._parents[level]
            bounds[level] = bounds[above] @ np.abs(local[level]) + np.abs(world[above]) @ bounds[level]
            world[level] = world[above] @ local[level]
        return bounds

    def vertices(self, index: int, world: Array, bounds: Array, weight: float) -> float:
        """Metres that vertices of a node's mesh may differ when world matrices do by ``bounds``, and each weight of
        its morph targets by ``weight``."""
        node, geometry = self.asset.nodes[index], self.asset.geometry_of(index)
        places = [index] if node.skin is None else list(self.asset.skins[node.skin].joints)
        bind = np.eye(4)[None] if node.skin is None else self.asset.skins[node.skin].inverse_bind.astype(np.float64)
        deltas = self._largest_deltas(index)
        reach = np.append(np.abs(geometry.positions).max(axis=0, initial=0.0) + deltas, 1.0)
        off = np.einsum("nij,nj->ni", bounds[places, :3], np.abs(bind) @ reach)
        limit = float(np.sqrt(np.square(off).sum(axis=1)).max(initial=0.0))
        return limit + weight * deltas * 3.0 * float(np.abs(world[places] @ bind)[:, :3, :3].max(initial=0.0))

    def _largest_deltas(self, index: int) -> float:
        """The largest components of all blend-shape frames, added up."""
        geometry = self.asset.geometry_of(index)
        if id(geometry) not in self._deltas:
            frames = [frame.positions for shape in geometry.shapes for frame in shape.frames]
            self._deltas[id(geometry)] = sum(float(np.abs(rows).max(initial=0.0)) for rows in frames)
        return self._deltas[id(geometry)]


def _levels(parents: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Nodes by depth; parents come before their children."""
    depth = np.zeros(len(parents), np.int64)
    for index, parent in enumerate(parents.tolist()):
        depth[index] = depth[parent] + 1 if parent >= 0 else 0
    return [np.flatnonzero(depth == level) for level in range(int(depth.max(initial=0)) + 1)]
