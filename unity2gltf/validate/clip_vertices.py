"""Vertices in the poses of clips: both players pose their own side, and every vertex of what moves is compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..evaluate.gltf.pose import GltfPoser
from ..evaluate.gltf.samplers import Pose as GltfPose
from ..evaluate.unity.curves import Pose as UnityPose
from ..evaluate.unity.pose import UnityPoser
from ..ir import Asset, Clip, Path
from .clip_bounds import Bounds
from .clip_times import single, unity_times
from .clips import ClipComparison, Pair
from .measure import Measure, tolerance
from .mirror import mirrored_matrices, mirrored_points
from .poses import target_weights
from .sizes import chain_sizes, largest, node_size

Array = NDArray[np.float64]
Allowance = Callable[[int, Array, Sequence[float]], Array | None]
"""(V,) metres that cut influences explain of a node's vertices, from world matrices and shape weights."""

SHARES = {
    "quick": (0.382, 0.871, 0.137, 0.618),
    "full": (0.382, 0.871, 0.137, 0.618, 0.0, 1.0, 0.25, 0.743),
}
"""Where in a clip vertices are posed, as shares of its duration."""

MOST_VERTICES = {"quick": 4_000_000, "full": 16_000_000}
"""Vertices posed for all clips of a file (a node counts as :data:`NODE_COST` more). Where more move, clips have fewer
poses, the first ones, or none (but for the first clip); every transform and weight is compared in any case."""

NODE_COST = 50
"""Vertices that take as long as posing one node."""


class ClipVertices:
    """Poses the vertices of one file's clips. Differences go to ``measure``, sums to ``clips.sums``."""

    def __init__(
        self, clips: ClipComparison, unity: UnityPoser, gltf: GltfPoser, allowance: Allowance, count: int
    ) -> None:
        self.asset: Asset = unity.asset
        self.clips, self.unity, self.gltf, self.allowance = clips, unity, gltf, allowance
        self.measure = Measure(clips.problems)
        self._bounds = Bounds(self.asset)
        self._share = MOST_VERTICES[clips.level] / max(count, 1)
        self._credit = 0.0

    def compare(self, number: int, clip: Clip, label: str, pairs: Sequence[Pair]) -> None:
        """As many poses of a clip as its share of :data:`MOST_VERTICES`, and what is left of those before, allows."""
        moved = self._moved(clip)
        if not moved:
            return
        vertices = sum(self.asset.geometry_of(index).vertex_count for index in moved)
        cost = vertices + NODE_COST * len(self.asset.nodes)
        self._credit += self._share
        poses = min(len(SHARES[self.clips.level]), int(self._credit // cost))
        if not self.clips.sums.vertices:
            poses = max(poses, 1)
        self._credit -= poses * cost
        times = single(np.array(SHARES[self.clips.level][:poses]) * clip.duration)
        jumps = np.unique(np.concatenate([np.zeros(0), *(pair.rounding.jumps for pair in pairs)]))
        asked = unity_times(times, jumps)
        unity, written = self.clips.unity.poses(clip, asked), self.clips.gltf.poses(number, times)
        for place in range(poses):
            self._pose(f"{label} at {times[place]:.6g} s", unity[place], written[place], moved)
            self.clips.sums.vertices += vertices
        approximate = any(pair.approximate for pair in pairs)
        sums = self.clips.sums.approximate if approximate else self.clips.sums.exact
        sums.max_vertex_m = max(sums.max_vertex_m, self.measure.exact.max_m)
        self.measure.exact.max_m = 0.0

    def _pose(self, what: str, pose: UnityPose, written: GltfPose, moved: Sequence[int]) -> None:
        worlds = self.unity.world(pose[0]), self.gltf.world(written[0])
        bounds = self._bounds.world(pose[0], written[0])
        wanted = mirrored_matrices(worlds[0])
        slack = bounds.max(axis=(1, 2)) + tolerance(1.0) * chain_sizes(self.asset, wanted)
        wrong = np.flatnonzero(~(np.abs(wanted - worlds[1]).max(axis=(1, 2)) <= slack))
        if len(wrong):
            self.clips.problems.add(f"{what}: the world transforms of {len(wrong)} nodes differ, such as {wrong[0]}")
        for index in moved:
            shapes = pose[1].get(index, self.unity.default_weights(index))
            targets = written[1].get(index) or self.gltf.default_weights(index)
            unity = mirrored_points(self.unity.vertices(index, worlds[0], shapes))
            found = self.gltf.vertices(index, worlds[1], targets)
            limit = tolerance(max(largest(unity), node_size(self.asset, index, worlds[0])))
            apart = np.subtract(target_weights(self.asset.geometry_of(index), shapes), targets)
            limit += self._bounds.vertices(index, worlds[0], bounds, float(np.abs(apart).max(initial=0.0)))
            self.measure.compare(f"node {index}, {what}", unity, found, limit, self.allowance(index, worlds[0], shapes))

    def _moved(self, clip: Clip) -> list[int]:
        """Nodes whose vertices the clip moves: by their own or an ancestor's transform, a joint's, or their weights."""
        below = {c.node for c in clip.channels if c.path not in (Path.WEIGHTS, Path.POINTER)}
        driven = {c.node for c in clip.channels if c.path is Path.WEIGHTS}
        for index, node in enumerate(self.asset.nodes):
            if node.parent in below:
                below.update((index, *node.levels))
        skins = [not below.isdisjoint(skin.joints) for skin in self.asset.skins]
        nodes = enumerate(self.asset.nodes)
        return [
            index
            for index, node in nodes
            if node.mesh is not None
            and (index in driven or (index in below if node.skin is None else skins[node.skin]))
        ]
