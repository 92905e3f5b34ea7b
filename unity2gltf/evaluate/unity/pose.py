"""Unity's hierarchy and skinning (left-handed, metres) over an asset in Unity space, in float64."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...ir import Asset, Influences, Mesh, Skin, Space
from .shapes import morph

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
TRS = tuple[Sequence[float], Sequence[float], Sequence[float]]
"""Local translation, rotation (xyzw) and scale of a node."""

_BLOCK = 1 << 16  # vertices at a time: bounds the temporaries to some 10 MB


class UnityPoser:
    """Poses the nodes and vertices of ``asset`` (Unity space, every influence of the drawn form).

    A vertex without influences moves with joint 0. The transform of a node that carries a skin plays no part. A node
    with a frame (a lower level of detail) is drawn in the frame's place; one with instances has the vertices of each.
    """

    def __init__(self, asset: Asset) -> None:
        if asset.space is not Space.UNITY:
            raise ValueError("the asset must be in Unity space")
        self.asset = asset
        self._parents = np.array([node.parent for node in asset.nodes], dtype=np.int64)
        self._levels = depth_levels(self._parents)
        self._local = _local_matrices([(node.translation, node.rotation, node.scale) for node in asset.nodes])
        self._frames = [(index, node.frame) for index, node in enumerate(asset.nodes) if node.frame is not None]

    def world(self, overrides: Mapping[int, TRS] | None = None) -> Array:
        """(N, 4, 4) local-to-world matrices, with the local transforms of some nodes replaced by ``overrides``."""
        world = self._local.copy()
        if overrides:
            world[list(overrides)] = _local_matrices(list(overrides.values()))
        for level in self._levels[1:]:
            world[level] = world[self._parents[level]] @ world[level]
        for index, frame in self._frames:
            world[index] = world[frame] if frame >= 0 else np.eye(4)
        return world

    def morphed(self, mesh_index: int, shape_weights: Sequence[float]) -> Array:
        """(V, 3) vertices of a mesh in its own space, with its blend shapes at ``shape_weights`` (1.0 = 100)."""
        return morph(self.asset.geometries[self.asset.meshes[mesh_index].geometry], shape_weights)

    def default_weights(self, node_index: int) -> tuple[float, ...]:
        """The blend-shape weights at which a node's mesh stands at rest: the renderer's own, else the mesh's."""
        node, mesh = self.asset.nodes[node_index], self._mesh(node_index)
        return node.weights or mesh.weights

    def vertices(self, node_index: int, world: Array, shape_weights: Sequence[float]) -> Array:
        """(V, 3) world-space vertices of a node's mesh: sum of w_i World(joint_i) BindPose_i (v + deltas), or
        World(node) (v + deltas) where the node has no skin."""
        node = self.asset.nodes[node_index]
        assert node.mesh is not None, "the node has no mesh"
        points = self.morphed(node.mesh, shape_weights)
        if node.instances:
            places = [(item.translation, item.rotation, item.scale) for item in node.instances]
            matrices = world[node_index] @ _local_matrices(places)
            return np.concatenate([points @ matrix[:3, :3].T + matrix[:3, 3] for matrix in matrices])
        if node.skin is None:
            return points @ world[node_index, :3, :3].T + world[node_index, :3, 3]
        matrices = bone_matrices(self.asset.skins[node.skin], world)
        result = np.zeros_like(points)
        for rows in _blocks(np.arange(len(points))):
            for members, joints, weights in _slots(self._influences(node_index), rows):
                result[members] += weights[:, None] * _transform(matrices[joints], points[members])
        return result

    def spread(self, node_index: int, world: Array, shape_weights: Sequence[float], rows: Indices) -> Array:
        """(len(rows),) diagonals of the boxes around World(joint_i) BindPose_i v over the influences i of a vertex.

        Any two convex combinations of those places lie no further apart than this.
        """
        node = self.asset.nodes[node_index]
        assert node.mesh is not None and node.skin is not None, "the node has no skinned mesh"
        points = self.morphed(node.mesh, shape_weights)
        matrices = bone_matrices(self.asset.skins[node.skin], world)
        low, high = np.full(points.shape, np.inf), np.full(points.shape, -np.inf)
        for block in _blocks(rows):
            for members, joints, _ in _slots(self._influences(node_index), block):
                moved = _transform(matrices[joints], points[members])
                low[members] = np.minimum(low[members], moved)
                high[members] = np.maximum(high[members], moved)
        diagonals: Array = np.linalg.norm(high[rows] - low[rows], axis=1)
        return diagonals

    def _mesh(self, node_index: int) -> Mesh:
        mesh = self.asset.nodes[node_index].mesh
        assert mesh is not None, "the node has no mesh"
        return self.asset.meshes[mesh]

    def _influences(self, node_index: int) -> Influences:
        mesh = self._mesh(node_index)
        if mesh.influences is not None:
            return mesh.influences
        count = self.asset.geometries[mesh.geometry].vertex_count
        nothing = np.zeros(0, np.float32)
        return Influences(offsets=np.zeros(count + 1, np.int64), joints=nothing.astype(np.int32), weights=nothing)


def bone_matrices(skin: Skin, world: Array) -> Array:
    """(J, 4, 4) World(joint) BindPose: from the renderer's space at bind time to the world."""
    matrices: Array = world[list(skin.joints)] @ skin.inverse_bind.astype(np.float64)
    return matrices


def _blocks(rows: Indices) -> Iterator[Indices]:
    for begin in range(0, len(rows), _BLOCK):
        yield rows[begin : begin + _BLOCK]


def _slots(influences: Influences, rows: Indices) -> Iterator[tuple[Indices, NDArray[np.int32], Array]]:
    """The influences of some vertices, one slot at a time: vertices that have that slot, joints, weights."""
    first = influences.offsets[rows]
    count = influences.offsets[rows + 1] - first
    bare = rows[count == 0]
    if len(bare):
        yield bare, np.zeros(len(bare), np.int32), np.ones(len(bare))
    slot = 0
    while len(kept := np.flatnonzero(count > slot)):
        rows, first, count = rows[kept], first[kept], count[kept]
        entries = first + slot
        yield rows, influences.joints[entries], influences.weights[entries].astype(np.float64)
        slot += 1


def _transform(matrices: Array, points: Array) -> Array:
    """Each of (n, 3) points by its own of (n, 4, 4) affine matrices."""
    moved: Array = np.einsum("nij,nj->ni", matrices[:, :3, :3], points) + matrices[:, :3, 3]
    return moved


def depth_levels(parents: Indices) -> list[Indices]:
    """Node indices by depth, roots first: each level's parents are ready when it is reached."""
    depth = np.zeros(len(parents), np.int64)
    for index, parent in enumerate(parents.tolist()):
        if not -1 <= parent < index:
            raise ValueError(f"node {index} does not come after its parent {parent}")
        depth[index] = depth[parent] + 1 if parent >= 0 else 0
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)


def _local_matrices(transforms: Sequence[TRS]) -> Array:
    """(n, 4, 4) of translations, rotations and scales. Unity normalises rotations; a zero one is the identity.

    Column k is the scaled basis vector k turned by v + 2 w (r x v) + 2 r x (r x v), r the quaternion's vector part.
    """
    translations, rotations, scales = (
        np.array([transform[part] for transform in transforms], dtype=np.float64).reshape(-1, width)
        for part, width in enumerate((3, 4, 3))
    )
    lengths = np.linalg.norm(rotations, axis=1)
    rotations[lengths == 0] = (0.0, 0.0, 0.0, 1.0)
    rotations /= np.where(lengths == 0, 1.0, lengths)[:, None]
    result = np.zeros((len(transforms), 4, 4))
    for axis, basis in enumerate(np.eye(3)):
        first = np.cross(rotations[:, :3], basis)
        turned = basis + 2 * rotations[:, 3:] * first + 2 * np.cross(rotations[:, :3], first)
        result[:, :3, axis] = turned * scales[:, axis : axis + 1]
    result[:, :3, 3] = translations
    result[:, 3, 3] = 1.0
    return result
