"""glTF's hierarchy, morphing and skinning (right-handed, metres) over a document, in float64 (glTF 2.0, 3.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..document import Gltf
from ..fields import GlbError, get_index, get_indices, get_numbers
from .instances import instance_matrices
from .nodes import TRS, depth_order, local_matrices, node_parents, posed_parents, trs_matrices
from .streams import Stream, influences, mesh_streams, morph

Array = NDArray[np.float64]

_BLOCK = 1 << 16  # vertices at a time: bounds the blended matrices to 6 MB


class GltfPoser:
    """Poses the nodes and vertices of ``gltf``. Raises :class:`GlbError` where the file makes no sense.

    The transform of a node that has a skin is ignored, as the specification demands (3.7.3.3). Lower levels of detail
    stand where MSFT_lod puts them; a node with EXT_mesh_gpu_instancing has the vertices of one instance after another.
    """

    def __init__(self, gltf: Gltf) -> None:
        self.gltf = gltf
        self.parents = node_parents(gltf)
        self._above = posed_parents(gltf, self.parents)
        self._levels = depth_order(self._above)
        self._local = local_matrices(gltf)
        self._mesh_streams: dict[int, list[Stream]] = {}

    def world(self, overrides: Mapping[int, TRS] | None = None) -> Array:
        """(N, 4, 4) global transforms, with the local transforms of some nodes replaced by ``overrides``."""
        result = self._local.copy()
        if overrides:
            result[list(overrides)] = trs_matrices(list(overrides.values()))
        for level in self._levels[1:]:
            result[level] = np.einsum("nij,njk->nik", result[self._above[level]], result[level])
        return result

    def morphed(self, mesh_index: int, target_weights: Sequence[float]) -> Array:
        """(V, 3) vertices of a mesh in its own space. Primitives that share accessors share vertices; others follow
        one another in the order of the primitives."""
        streams = self._streams(mesh_index)
        return np.concatenate([morph(self.gltf, stream, list(target_weights)) for stream in streams])

    def default_weights(self, node_index: int) -> list[float]:
        """Weights at rest, one a morph target: the node's, else its mesh's, else zeros (3.7.2.2)."""
        node, pointer = self.gltf.items("nodes")[node_index], f"/nodes/{node_index}"
        mesh_index = self._mesh(node_index)
        mesh = self.gltf.items("meshes")[mesh_index]
        zeros = (0.0,) * len(self._streams(mesh_index)[0].targets)
        return get_numbers(node, "weights", pointer) or get_numbers(
            mesh, "weights", f"/meshes/{mesh_index}", default=zeros
        )

    def vertices(self, node_index: int, world: Array, target_weights: Sequence[float]) -> Array:
        """(V, 3) world-space vertices of a node's mesh, morphed and then skinned or moved with the node."""
        skin = get_index(
            self.gltf.items("nodes")[node_index], "skin", f"/nodes/{node_index}", len(self.gltf.items("skins"))
        )
        weights, streams = list(target_weights), self._streams(self._mesh(node_index))
        if skin is None:
            points = np.concatenate([morph(self.gltf, stream, weights) for stream in streams])
            places = world[node_index] @ instance_matrices(self.gltf, node_index)
            return np.concatenate([np.einsum("ij,nj->ni", m[:3, :3], points) + m[:3, 3] for m in places])
        matrices = self.joint_matrices(skin, world)
        return np.concatenate([self._skinned(s, matrices, morph(self.gltf, s, weights)) for s in streams])

    def joint_matrices(self, skin_index: int, world: Array) -> Array:
        """(J, 4, 4) global transform of each joint times its inverse bind matrix."""
        joints, inverse = self.skin(skin_index)
        matrices: Array = np.einsum("nij,njk->nik", world[joints], inverse)
        return matrices

    def skin(self, skin_index: int) -> tuple[list[int], Array]:
        """Joint nodes and (J, 4, 4) inverse bind matrices ``[row, column]``; identities where the file has none."""
        item, pointer = self.gltf.items("skins")[skin_index], f"/skins/{skin_index}"
        joints = get_indices(item, "joints", pointer, len(self.gltf.items("nodes")))
        accessor = get_index(item, "inverseBindMatrices", pointer, len(self.gltf.items("accessors")))
        if accessor is None:
            return joints, np.tile(np.eye(4), (len(joints), 1, 1))
        inverse = self.gltf.accessor(accessor)
        if inverse.shape[1:] != (4, 4) or inverse.dtype != np.float32 or len(inverse) < len(joints):
            raise GlbError(f"{pointer}/inverseBindMatrices", f"{len(joints)} float matrices are wanted")
        return joints, inverse[: len(joints)].astype(np.float64)

    def _skinned(self, stream: Stream, matrices: Array, points: Array) -> Array:
        slots = influences(self.gltf, stream, len(matrices))
        rows = np.ascontiguousarray(matrices[:, :3]).reshape(-1, 12)
        result = np.empty_like(points)
        for begin in range(0, len(points), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            blended = np.zeros((len(points[block]), 12))
            for joints, weights in slots:
                if np.any(weights[block]):
                    blended += weights[block, None] * rows[joints[block]]
            matrix = blended.reshape(-1, 3, 4)
            result[block] = np.einsum("nij,nj->ni", matrix[:, :, :3], points[block]) + matrix[:, :, 3]
        return result

    def _mesh(self, node_index: int) -> int:
        count, pointer = len(self.gltf.items("meshes")), f"/nodes/{node_index}"
        mesh = get_index(self.gltf.items("nodes")[node_index], "mesh", pointer, count)
        if mesh is None:
            raise GlbError(pointer, "the node has no mesh")
        return mesh

    def _streams(self, mesh_index: int) -> list[Stream]:
        if mesh_index not in self._mesh_streams:
            streams = mesh_streams(self.gltf, mesh_index)
            if not streams:
                raise GlbError(f"/meshes/{mesh_index}", "the mesh has no primitives")
            self._mesh_streams[mesh_index] = streams
        return self._mesh_streams[mesh_index]
