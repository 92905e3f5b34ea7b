"""How far small differences of local transforms and weights carry to vertices: to first order, by absolute values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
        self._parents = posed_parents(asset)
        self._local = _local([(node.translation, node.rotation, node.scale) for node in nodes])
        self._levels = _levels(self._parents)
        self._deltas: dict[int, float] = {}

    def world(self, pose: Mapping[int, TRS], written: Mapping[int, TRS]) -> Array:
        """(N, 4, 4) by how much entries of world matrices may differ, when Unity's side poses some nodes as ``pose``
        and the file the same ones as ``written``: d(P L) = dP |L| + |P| dL."""
        local = self._local.copy()
        if pose:
            local[list(pose)] = _local(list(pose.values()))
        world, bounds = local.copy(), np.zeros_like(local)
        posed = sorted(pose.keys() & written.keys())
        if posed:
            bounds[posed] = np.abs(mirrored_matrices(local[posed]) - _local([written[node] for node in posed]))
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


def posed_parents(asset: Asset) -> NDArray[np.int64]:
    """(N,) the node below which each one is drawn: its parent, or for a lower level of detail that of the node whose
    level it is."""
    parents = np.array([node.parent for node in asset.nodes], np.int64)
    for node in asset.nodes:
        parents[list(node.levels)] = node.parent
    return parents


def _levels(parents: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Node indices by depth, roots first."""
    depth = np.full(len(parents), -1, np.int64)
    for index, parent in enumerate(parents.tolist()):
        chain = [index]
        while parent >= 0 and depth[parent] < 0:
            chain.append(parent)
            parent = int(parents[parent])
        first = depth[parent] + 1 if parent >= 0 else 0
        for step, node in enumerate(reversed(chain)):
            depth[node] = first + step
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)


def _local(transforms: Sequence[TRS]) -> Array:
    """(n, 4, 4) of translations, rotations and scales."""
    columns = (np.array([transform[part] for transform in transforms], np.float64) for part in range(3))
    return compose(*columns)
