"""The node tree of a glTF document: parents, depth order and local matrices (glTF 2.0, 3.5.2 and 3.5.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..document import Gltf
from ..fields import GlbError, Json, get_indices, get_numbers, get_object

Array = NDArray[np.float64]
TRS = tuple[Sequence[float], Sequence[float], Sequence[float]]
"""Local translation, rotation (xyzw) and scale of a node."""


def node_parents(gltf: Gltf) -> NDArray[np.int64]:
    """(N,) parent of each node, -1 for roots. A node with two parents is a :class:`GlbError`."""
    nodes = gltf.items("nodes")
    parents = np.full(len(nodes), -1, np.int64)
    for index, node in enumerate(nodes):
        pointer = f"/nodes/{index}"
        for child in get_indices(node, "children", pointer, len(nodes)):
            if parents[child] >= 0:
                raise GlbError(f"{pointer}/children", f"node {child} already has the parent {parents[child]}")
            parents[child] = index
    return parents


def posed_parents(gltf: Gltf, parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """(N,) the node below which each one is drawn: its parent, and for a root that MSFT_lod names as a lower level of
    detail the parent of the node whose place it takes."""
    nodes, above = gltf.items("nodes"), parents.copy()
    for index, node in enumerate(nodes):
        pointer = f"/nodes/{index}/extensions"
        lod = get_object(get_object(node, "extensions", f"/nodes/{index}"), "MSFT_lod", pointer)
        for level in get_indices(lod, "ids", f"{pointer}/MSFT_lod", len(nodes)):
            if parents[level] < 0:
                above[level] = parents[index]
    return above


def depth_order(parents: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Node indices by depth, roots first. A node that no root reaches is its own ancestor: a :class:`GlbError`."""
    children: dict[int, list[int]] = {}
    for child, parent in enumerate(parents.tolist()):
        children.setdefault(parent, []).append(child)
    levels: list[NDArray[np.int64]] = []
    level, reached = children.get(-1, []), 0
    while level:
        levels.append(np.array(level, np.int64))
        reached += len(level)
        level = [child for node in level for child in children.get(node, ())]
    if reached != len(parents):
        raise GlbError("/nodes", f"{len(parents) - reached} nodes are their own ancestors or hang below such")
    return levels


def local_matrices(gltf: Gltf) -> Array:
    """(N, 4, 4) of all nodes: from their ``matrix`` (stored column by column) or their TRS."""
    nodes = gltf.items("nodes")
    matrices = trs_matrices([node_trs(node, f"/nodes/{index}") for index, node in enumerate(nodes)])
    for index, node in enumerate(nodes):
        if "matrix" in node:
            matrices[index] = np.array(get_numbers(node, "matrix", f"/nodes/{index}", 16)).reshape(4, 4).T
    return matrices


def node_trs(node: Json, pointer: str) -> tuple[list[float], list[float], list[float]]:
    """Translation, rotation and scale of a node, with the defaults of the specification."""
    return (
        get_numbers(node, "translation", pointer, 3, (0.0, 0.0, 0.0)),
        get_numbers(node, "rotation", pointer, 4, (0.0, 0.0, 0.0, 1.0)),
        get_numbers(node, "scale", pointer, 3, (1.0, 1.0, 1.0)),
    )


def trs_matrices(transforms: Sequence[TRS]) -> Array:
    """(n, 4, 4): T R S as the specification has it. Rotations must be unit quaternions and are taken as they stand."""
    x, y, z, w = np.array([rotation for _, rotation, _ in transforms], np.float64).reshape(-1, 4).T
    turns = np.array(
        [
            [1 - 2 * y * y - 2 * z * z, 2 * x * y - 2 * w * z, 2 * x * z + 2 * w * y],
            [2 * x * y + 2 * w * z, 1 - 2 * x * x - 2 * z * z, 2 * y * z - 2 * w * x],
            [2 * x * z - 2 * w * y, 2 * y * z + 2 * w * x, 1 - 2 * x * x - 2 * y * y],
        ]
    )
    matrices = np.tile(np.eye(4), (len(transforms), 1, 1))
    scales = np.array([scale for _, _, scale in transforms], np.float64).reshape(-1, 3)
    matrices[:, :3, :3] = np.einsum("ijn,nj->nij", turns, scales)
    matrices[:, :3, 3] = np.array([translation for translation, _, _ in transforms], np.float64).reshape(-1, 3)
    return matrices
