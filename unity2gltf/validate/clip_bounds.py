"""How far the rounding of local transforms, and of weights, may carry to vertices: first order, by absolute values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..ir import Asset, Geometry, Path
from ..math3d import compose
from .mirror import TRS

Array = NDArray[np.float64]
Limits = Mapping[tuple[int, Path], float]
"""By node and path: how far a value may be off, in metres, radians, scale or weight of a target."""


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

    def world(self, pose: Mapping[int, TRS], limits: Limits) -> Array:
        """(N, 4, 4) by how much entries of world matrices may be off: d(P L) = dP |L| + |P| dL."""
        parts = [part.copy() for part in self._rest]
        for node, transform in pose.items():
            for part, value in zip(parts, transform, strict=True):
                part[node] = value
        local = compose(*parts)
        world, bounds = local.copy(), _local_bounds(limits, np.abs(parts[2]))
        for level in self._levels[1:]:
            above = self._parents[level]
            bounds[level] = bounds[above] @ np.abs(local[level]) + np.abs(world[above]) @ bounds[level]
            world[level] = world[above] @ local[level]
        return bounds

    def vertices(self, index: int, world: Array, bounds: Array, limits: Limits) -> float:
        """Metres that vertices of a node's mesh may be off when world matrices are off by ``bounds`` and the weights
        of its morph targets by their limit."""
        node, geometry = self.asset.nodes[index], self._geometry(index)
        if geometry.stub:
            return 0.0
        places = [index] if node.skin is None else list(self.asset.skins[node.skin].joints)
        bind = np.eye(4)[None] if node.skin is None else self.asset.skins[node.skin].inverse_bind.astype(np.float64)
        deltas = self._largest_deltas(index)
        reach = np.append(np.abs(geometry.positions).max(axis=0, initial=0.0) + deltas, 1.0)
        off = np.einsum("nij,nj->ni", bounds[places, :3], np.abs(bind) @ reach)
        limit = float(np.sqrt(np.square(off).sum(axis=1)).max(initial=0.0))
        driven = limits.get((index, Path.WEIGHTS), 0.0) * deltas
        return limit + driven * 3.0 * float(np.abs(world[places] @ bind)[:, :3, :3].max(initial=0.0))

    def _geometry(self, index: int) -> Geometry:
        mesh = self.asset.nodes[index].mesh
        assert mesh is not None, "only nodes with meshes have vertices"
        return self.asset.geometries[self.asset.meshes[mesh].geometry]

    def _largest_deltas(self, index: int) -> float:
        """The largest components of all blend-shape frames, added up."""
        geometry = self._geometry(index)
        if id(geometry) not in self._deltas:
            frames = [frame.positions for shape in geometry.shapes for frame in shape.frames]
            self._deltas[id(geometry)] = sum(float(np.abs(rows).max(initial=0.0)) for rows in frames)
        return self._deltas[id(geometry)]


def _local_bounds(limits: Limits, scales: Array) -> Array:
    """(N, 4, 4) of local matrices: a turn by a small angle moves each column of the matrix by at most that share."""
    result = np.zeros((len(scales), 4, 4))
    for (node, path), limit in limits.items():
        if path is Path.TRANSLATION:
            result[node, :3, 3] += limit
        elif path is Path.SCALE:
            result[node, :3, :3] += limit
        elif path in (Path.ROTATION, Path.EULER):
            result[node, :3, :3] += limit * scales[node]
    return result


def _levels(parents: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Nodes by depth; parents come before their children."""
    depth = np.zeros(len(parents), np.int64)
    for index, parent in enumerate(parents.tolist()):
        depth[index] = depth[parent] + 1 if parent >= 0 else 0
    return [np.flatnonzero(depth == level) for level in range(int(depth.max(initial=0)) + 1)]
