"""Scenes and the node tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...evaluate.document import Gltf
from ...evaluate.fields import GlbError, get_index, get_indices
from ...evaluate.gltf.nodes import depth_order, local_matrices, node_parents
from ..issues import Issue, issue
from .extensions import lower_levels


def check_tree(gltf: Gltf) -> Iterator[Issue]:
    """Trees without cycles or second parents, scenes of roots, and every node in a scene."""
    scenes, count = gltf.items("scenes"), len(gltf.items("nodes"))
    get_index(gltf.json, "scene", "", len(scenes))
    try:
        parents = node_parents(gltf)
        depth_order(parents)
    except GlbError as error:
        yield issue("NODE_TREE", error.pointer, error.message)
        return
    local_matrices(gltf)  # raises where a transform is malformed
    reached: set[int] = set()
    for index, scene in enumerate(scenes):
        roots = get_indices(scene, "nodes", f"/scenes/{index}", count)
        yield from _roots(roots, parents, f"/scenes/{index}/nodes")
        reached.update(roots)
    reached.update(lower_levels(gltf))  # shown in the place of another node, if at all
    for index in range(count):
        if parents[index] < 0 and index not in reached:
            yield issue("NODE_UNREACHED", f"/nodes/{index}", "no scene has this root")


def _roots(roots: list[int], parents: NDArray[np.int64], pointer: str) -> Iterator[Issue]:
    if len(set(roots)) != len(roots):
        yield issue("NODE_TREE", pointer, "a root is named twice")
    for root in roots:
        if parents[root] >= 0:
            yield issue("NODE_TREE", pointer, f"node {root} is a child of node {parents[root]}")
