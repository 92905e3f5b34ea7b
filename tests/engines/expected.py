"""What an engine must show of a file, by our own evaluator: names, counts, clips and posed vertices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.evaluate.gltf.pose import GltfPoser
from unity2gltf.evaluate.gltf.samplers import GltfPlayer

Array = NDArray[np.float64]

TRIANGLES = 4
CLIPS = 4
"""How many clips of a file are played, evenly chosen."""

NEAR = 2e-3
"""Seconds that a pose keeps away from a jump: engines keep times in float32 or in frames."""

SAME = 1e-4
"""Seconds that two keys of one pose may be apart."""

BEYOND = 0.01
"""Seconds after a clip's end at which its last pose is looked at."""


@dataclass(frozen=True)
class Pose:
    """Clip None is the rest pose. ``keyed``: every channel that moves has a key there."""

    clip: int | None = None
    name: str = ""
    time: float = 0.0
    keyed: bool = True


@dataclass(frozen=True)
class Part:
    """One primitive of a node's mesh: ``used`` are the vertices that its indices name, in order."""

    node: int
    name: str
    mesh: str
    triangles: bool
    accessor: int
    used: NDArray[np.int64]
    influences: int
    shapes: tuple[str, ...]


class Expected:
    """A GLB read back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.gltf = read_gltf(path)
        self.player = GltfPlayer(self.gltf)

    @cached_property
    def parts(self) -> list[Part]:
        """The primitives of each node that has a mesh, in node order."""
        return [
            part
            for index, node in enumerate(self.gltf.items("nodes"))
            if "mesh" in node
            for part in self._parts(index, self.gltf.items("meshes")[node["mesh"]])
        ]

    def _parts(self, node: int, mesh: Mapping[str, Any]) -> Iterator[Part]:
        item = self.gltf.items("nodes")[node]
        shapes = tuple(mesh.get("extras", {}).get("targetNames", ()))
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"]
            count = self.gltf.layout(attributes["POSITION"]).count
            indices = self.gltf.accessor(primitive["indices"]) if "indices" in primitive else np.arange(count)
            used = np.unique(indices).astype(np.int64)
            weights = [self.gltf.accessor(attributes[key]) for key in sorted(attributes) if key.startswith("WEIGHTS")]
            most = (np.concatenate(weights, axis=1)[used] > 0).sum(axis=1).max(initial=0) if weights else 0
            influences = int(most) if "skin" in item else 0
            triangles = primitive.get("mode", TRIANGLES) == TRIANGLES
            names = item.get("name", ""), mesh.get("name", "")
            yield Part(node, *names, triangles, attributes["POSITION"], used, influences, shapes)

    @cached_property
    def poses(self) -> list[Pose]:
        """Rest; then of some clips the start, a key in the middle (three of a humanoid clip), the end, and two times
        between keys."""
        clips = self.gltf.items("animations")
        chosen = sorted({round(k) for k in np.linspace(0, len(clips) - 1, min(CLIPS, len(clips)))})
        return [Pose(), *(pose for clip in chosen for pose in self._clip_poses(clip))]

    def _clip_poses(self, clip: int) -> Iterator[Pose]:
        channels = [channel for channel in self.player.channels(clip) if channel.node >= 0]
        animation = self.gltf.items("animations")[clip]
        name, unity = animation.get("name", ""), animation.get("extras", {}).get("unity", {})
        if not channels:
            return
        moving = [c for c in channels if len(c.times) > 1 and np.ptp(c.values, axis=0).max(initial=0) > 0]
        end = max(float(channel.times[-1]) for channel in channels)
        yield Pose(clip, name, 0.0)
        yield Pose(clip, name, end + BEYOND)
        times = np.unique(np.concatenate([c.times for c in moving])) if moving else np.zeros(0)
        jumps = np.concatenate([np.zeros(0), *(_jumps(c.mode, c.times) for c in moving)])
        free = times[[bool(NEAR < t < end - NEAR and np.abs(jumps - t).min(initial=1) > NEAR) for t in times]]
        if len(free):
            shared = np.array([sum(np.abs(c.times - t).min() < SAME for c in moving) for t in free])
            for share in (0.2, 0.45, 0.7) if "humanoid" in unity else (0.45,):
                best = float(free[np.argmax(shared - np.abs(free / end - share))])
                yield Pose(clip, name, best, bool(shared.max() == len(moving)))
        for share in (0.31, 0.77):
            time = share * end
            if np.abs(jumps - time).min(initial=1) > NEAR:
                yield Pose(clip, name, time, False)

    def posed(self, pose: Pose, influences: int, sliders: bool = False) -> list[Array]:
        """Vertices of each part in world space: all of its accessor, with the engine's number of influences.

        ``sliders``: animated weights are held between 0 and 1, or the first key where that lies outside.
        """
        poser = GltfPoser(self._with_influences(influences))
        overrides, driven = self.player.pose(pose.clip, pose.time) if pose.clip is not None else ({}, {})
        if sliders and pose.clip is not None:
            driven = self._within_sliders(pose.clip, driven)
        world = poser.world(overrides)
        found: dict[int, Array] = {}
        result = []
        for part in self.parts:
            if part.node not in found:
                weights = driven.get(part.node, poser.default_weights(part.node))
                found[part.node] = poser.vertices(part.node, world, weights) / self._share(part.node, influences)
            start = self._starts[part.node][part.accessor]
            result.append(found[part.node][start : start + self.gltf.layout(part.accessor).count])
        return result

    def joints(self, pose: Pose) -> dict[str, Array]:
        """World positions of the joints by name, those that share one left out."""
        poser = GltfPoser(self.gltf)
        overrides = self.player.pose(pose.clip, pose.time)[0] if pose.clip is not None else {}
        world, nodes = poser.world(overrides), self.gltf.items("nodes")
        indices = sorted({joint for skin in self.gltf.items("skins") for joint in skin["joints"]})
        names = [nodes[joint].get("name", "") for joint in indices]
        return {
            name: np.asarray(world[joint])[:3, 3]
            for joint, name in zip(indices, names, strict=True)
            if names.count(name) == 1
        }

    def box(self, pose: Pose) -> list[list[float]]:
        """The lowest and the highest corner of the largest part that has triangles, at rest and in the pose: engines
        leave out what stands beside the picture at rest. Of nothing, a point."""
        rest, posed = self.posed(Pose(), 4), self.posed(pose, 4)
        drawn = [number for number, part in enumerate(self.parts) if part.triangles and len(part.used)]
        if not drawn:
            return [[0.0] * 3, [0.0] * 3]
        largest = max(drawn, key=lambda number: float(np.ptp(posed[number][self.parts[number].used], axis=0).max()))
        points = np.concatenate([vertices[largest][self.parts[largest].used] for vertices in (rest, posed)])
        return [points.min(axis=0).tolist(), points.max(axis=0).tolist()]

    def _within_sliders(self, clip: int, driven: Mapping[int, Sequence[float]]) -> dict[int, Sequence[float]]:
        first = {c.node: c.values[0] for c in self.player.channels(clip) if c.path == "weights"}
        return {
            node: np.clip(weights, np.minimum(first[node], 0), np.maximum(first[node], 1)).tolist()
            for node, weights in driven.items()
        }

    @cached_property
    def _starts(self) -> dict[int, dict[int, int]]:
        """Where the vertices of each accessor begin within what a node's mesh gives."""
        starts: dict[int, dict[int, int]] = {}
        for index, node in enumerate(self.gltf.items("nodes")):
            if "mesh" in node:
                place, own = 0, starts.setdefault(index, {})
                for primitive in self.gltf.items("meshes")[node["mesh"]]["primitives"]:
                    accessor = primitive["attributes"]["POSITION"]
                    if accessor not in own:
                        own[accessor] = place
                        place += self.gltf.layout(accessor).count
        return starts

    def _with_influences(self, count: int) -> Gltf:
        """The document without the JOINTS and WEIGHTS sets beyond ``count``."""
        drop = {f"{kind}_{number}" for kind in ("JOINTS", "WEIGHTS") for number in range(count // 4, 64)}
        meshes = [
            {**mesh, "primitives": [_without(primitive, drop) for primitive in mesh["primitives"]]}
            for mesh in self.gltf.items("meshes")
        ]
        return replace(self.gltf, json={**self.gltf.json, "meshes": meshes})

    def _share(self, node: int, count: int) -> Array:
        """(V, 1) what the used weights of each vertex sum to: dividing by it is renormalising them."""
        item = self.gltf.items("nodes")[node]
        primitives = self.gltf.items("meshes")[item["mesh"]]["primitives"]
        streams = {primitive["attributes"]["POSITION"]: primitive["attributes"] for primitive in primitives}
        shares = []
        for accessor, attributes in streams.items():
            keys = [f"WEIGHTS_{n}" for n in range(count // 4) if f"WEIGHTS_{n}" in attributes and "skin" in item]
            total = sum((self.gltf.accessor(attributes[key]).sum(axis=1) for key in keys), np.zeros(1))
            ones = np.ones(self.gltf.layout(accessor).count)
            shares.append(np.where(total > 0, total, ones) if keys and f"WEIGHTS_{count // 4}" in attributes else ones)
        return np.concatenate(shares)[:, None].astype(np.float64)


def _without(primitive: Mapping[str, Any], drop: set[str]) -> dict[str, Any]:
    attributes = {key: value for key, value in primitive["attributes"].items() if key not in drop}
    return {**primitive, "attributes": attributes}


def _jumps(mode: str, times: Array) -> Array:
    """Times at which a channel jumps: the keys of steps, and two keys that lie next to each other."""
    if mode == "STEP":
        return times
    close = np.flatnonzero(np.diff(times) < 1e-4)
    return np.concatenate([times[close], times[close + 1]])
