"""How large the numbers are that enter a vertex: what rounding errors are proportional to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..ir import Asset

Array = NDArray[np.float64]


def largest(values: NDArray[np.floating]) -> float:
    """The largest magnitude, 0 for nothing."""
    return max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))


def chain_sizes(asset: Asset, world: Array) -> Array:
    """(N,) the largest number in the world matrices of a node and its ancestors, whose rounding it inherits."""
    sizes = np.abs(world).max(axis=(1, 2), initial=0.0).tolist()
    for index, node in enumerate(asset.nodes):
        if node.parent >= 0:
            sizes[index] = max(sizes[index], sizes[node.parent])
    return np.array(sizes)


def node_size(asset: Asset, index: int, world: Array) -> float:
    """The largest coordinate that a node's vertices pass through: |World| |v|, or |World| |BindPose| |v| over the
    joints that its influences name. A bind pose far from the origin enters although the product cancels it, and so do
    the places of ancestors, although the way may lead back to the origin."""
    node = asset.nodes[index]
    assert node.mesh is not None, "the node has no mesh"
    mesh = asset.meshes[node.mesh]
    reach = np.append(np.abs(asset.geometries[mesh.geometry].positions).max(axis=0, initial=0.0), 1.0)
    if node.instances:
        places = [(np.abs(item.translation), np.abs(item.scale).max()) for item in node.instances]
        reach[:3] = np.max([place + np.linalg.norm(reach[:3]) * scale for place, scale in places], axis=0)
    if node.skin is None:
        return max(largest(np.abs(world[index, :3]) @ reach), _farthest_place(asset, [index], world))
    skin = asset.skins[node.skin]
    used = np.unique(mesh.influences.joints) if mesh.influences is not None and len(mesh.influences.joints) else [0]
    bind = np.abs(skin.inverse_bind[used].astype(np.float64)) @ reach
    joints = np.array(skin.joints)[used]
    size = largest(np.einsum("nij,nj->ni", np.abs(world[joints, :3]), bind))
    return max(size, _farthest_place(asset, joints.tolist(), world))


def _farthest_place(asset: Asset, nodes: Iterable[int], world: Array) -> float:
    """The largest coordinate of the nodes' places and of those of their ancestors."""
    seen: set[int] = set()
    for index in nodes:
        while index >= 0 and index not in seen:
            seen.add(index)
            index = asset.nodes[index].parent
    return largest(world[list(seen), :3, 3])
