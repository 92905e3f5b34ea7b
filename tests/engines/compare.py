"""What an engine tells of a file, held against what it must show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .expected import Expected, Pose
from .limits import Limits

Array = NDArray[np.float64]

NAME_BYTES = 56
"""Of longer names Blender keeps 63 bytes, a number at the end included."""


@dataclass
class Outcome:
    """``worst`` and ``between``: the largest distance as a share of the model's size, at gated poses and at others;
    ``heads``: how many heads of bones were compared, beside vertices."""

    poses: int = 0
    heads: int = 0
    worst: float = 0.0
    between: float = 0.0
    failures: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Shape:
    """One object that an engine must show: the names it may have, its parts' numbers, and the vertices of each that
    the engine keeps."""

    names: tuple[str, ...]
    parts: tuple[int, ...]
    rows: tuple[NDArray[np.int64] | slice, ...]
    count: int
    influences: int
    shapes: tuple[str, ...]

    def points(self, posed: Sequence[Array]) -> Array:
        return np.concatenate([posed[part][rows] for part, rows in zip(self.parts, self.rows, strict=True)])


def compare(engine: str, limits: Limits, expected: Expected, result: dict[str, Any], folder: Path) -> Outcome:
    """``folder`` holds the vertices that the runner wrote."""
    outcome = Outcome()
    if "error" in result:
        outcome.failures.append(result["error"])
        return outcome
    met = limits.met(expected)
    outcome.limits = [limit.when for limit in met]
    outcome.failures += names_lost("node", node_names(expected), result["nodes"])
    outcome.failures += clip_differences(engine, expected, result["clips"])
    if "blank" in result:
        outcome.poses = len(expected.poses)
        if any(part.triangles for part in expected.parts):
            outcome.failures += [f"nothing is drawn in {describe(expected, number)}" for number in result["blank"]]
        return outcome
    outcome.failures += names_lost("joint", joint_names(expected), result["bones"])
    shapes = wanted_shapes(engine, expected)
    found = [len(shapes), len(result["objects"])]
    if found[0] != found[1]:
        outcome.failures.append(f"{found[1]} objects are drawn, {found[0]} are wanted")
        return outcome
    asked = replace(limits, known=tuple(met))
    compare_poses(engine, asked, expected, shapes, result, folder, outcome)
    return outcome


# --- names ----------------------------------------------------------------------------------------------------------


def reduced(name: str) -> str:
    """A name without the number that engines add to make it unique, and cut like the shortest of them cuts."""
    return re.sub(r"(\.\d{3,})+$", "", name).encode()[:NAME_BYTES].decode(errors="ignore")


def node_names(expected: Expected) -> list[str]:
    return [node["name"] for node in expected.gltf.items("nodes") if node.get("name")]


def joint_names(expected: Expected) -> list[str]:
    nodes = expected.gltf.items("nodes")
    joints = {joint for skin in expected.gltf.items("skins") for joint in skin["joints"]}
    return [nodes[joint]["name"] for joint in sorted(joints) if nodes[joint].get("name")]


def names_lost(what: str, wanted: Sequence[str], told: Sequence[str]) -> list[str]:
    """Names that fewer things bear than should."""
    lost = Counter(map(reduced, wanted)) - Counter(reduced(name or "") for name in told)
    return [f"{lost.total()} {what} names are lost, such as {next(iter(lost))!r}"] if lost else []


def clip_differences(engine: str, expected: Expected, told: Sequence[dict[str, Any]]) -> list[str]:
    clips = expected.gltf.items("animations")
    failures = names_lost("clip", [clip["name"] for clip in clips if clip.get("name")], [c["name"] for c in told])
    if len(clips) != len(told):
        return [*failures, f"{len(told)} clips, {len(clips)} are wanted"]
    for number, clip in enumerate(told):
        channels = expected.player.channels(number)
        end = max((float(channel.times[-1]) for channel in channels), default=0.0)
        if "duration" in clip and abs(clip["duration"] - end) > 1e-4:
            failures.append(f"clip {clip['name']!r} takes {clip['duration']} s, not {end}")
        tracks = sum(track_count(engine, expected, channel.node, channel.path) for channel in channels)
        if "tracks" in clip and clip["tracks"] != tracks:
            failures.append(f"clip {clip['name']!r} has {clip['tracks']} tracks, {tracks} are wanted")
    return failures


def track_count(engine: str, expected: Expected, node: int, path: str) -> int:
    """Engines play a weights channel on each primitive; Babylon.js has a track for each target besides."""
    if path != "weights":
        return 0 if path == "pointer" else 1
    own = [part for part in expected.parts if part.node == node]
    return len(own) * (len(own[0].shapes) if engine == "babylon" else 1)


def describe(expected: Expected, pose: int) -> str:
    item = expected.poses[pose]
    return "the rest pose" if item.clip is None else f"clip {item.name!r} at {item.time:.4f} s"


# --- vertices -------------------------------------------------------------------------------------------------------


def wanted_shapes(engine: str, expected: Expected) -> list[Shape]:
    """Blender makes one object of a node's primitives and drops unused vertices; others make one a primitive."""
    parts = expected.parts
    if engine != "blender":
        kept = [n for n, part in enumerate(parts) if part.triangles or engine == "babylon"]
        return [
            Shape(
                (reduced(parts[n].name),),
                (n,),
                (slice(None),),
                expected.gltf.layout(parts[n].accessor).count,
                parts[n].influences,
                parts[n].shapes,
            )
            for n in kept
        ]
    shapes = []
    for node in dict.fromkeys(part.node for part in parts):
        own = [n for n, part in enumerate(parts) if part.node == node]
        used = tuple(parts[n].used for n in own)
        most = max(parts[n].influences for n in own)
        first = parts[own[0]]
        # the importer moves a skinned mesh off an animated node, to an object that is named after the mesh
        names = tuple(reduced(name) for name in (first.name, *([first.mesh] if first.influences else [])))
        shapes.append(Shape(names, tuple(own), used, sum(map(len, used)), most, first.shapes))
    return shapes


def compare_poses(
    engine: str,
    limits: Limits,
    expected: Expected,
    shapes: Sequence[Shape],
    result: dict[str, Any],
    folder: Path,
    outcome: Outcome,
) -> None:
    """Distances of every vertex, and of every bone's head, in every pose; objects and shapes are paired by the rest
    pose. ``limits`` knows those that the file meets."""
    tolerance = max([limits.tolerance, *(limit.tolerance or 0.0 for limit in limits.known)])
    clips = all(limit.clips for limit in limits.known)
    objects: Sequence[dict[str, Any]] = result["objects"]
    if not shapes:
        return
    pairs: list[int] = []
    size = 1.0
    for number, pose in enumerate(expected.poses):
        posed = expected.posed(pose, limits.influences, sliders=engine == "blender")
        points = [shape.points(posed) for shape in shapes]
        told = read_points(folder / f"{number}.f32", [item["vertices"] for item in objects])
        if told is None:
            outcome.failures.append(f"vertices are missing in {describe(expected, number)}")
            return
        if number == 0:
            size = max(float(np.ptp(np.concatenate(points), axis=0).max()), 1e-9)
            pairs = pair(shapes, objects, points, told)
            outcome.failures += list(object_differences(engine, limits, shapes, objects, pairs))
            if -1 in pairs:
                return
        errors = [float(np.abs(told[n] - points[pairs[n]]).max(initial=0.0)) / size for n in range(len(told))]
        names = [item["name"] for item in objects]
        heads = head_distances(expected, pose, result["bones"], folder / f"{number}.heads.f32")
        outcome.heads += len(heads)
        errors += [distance / size for distance in heads.values()]
        names += [f"head of {name}" for name in heads]
        worst = max(errors)
        outcome.poses += 1
        if pose.clip is not None and not clips:
            continue
        if not (pose.keyed or limits.between_keys):
            outcome.between = max(outcome.between, worst)
            continue
        outcome.worst = max(outcome.worst, worst)
        if not worst <= tolerance:
            name = names[errors.index(worst)]
            outcome.failures.append(f"{name!r} is {worst:.1e} of the size off in {describe(expected, number)}")


def head_distances(expected: Expected, pose: Pose, bones: Sequence[str], path: Path) -> dict[str, float]:
    """How far the heads of bones are from their joints, in metres, where the engine tells heads."""
    if not path.is_file():
        return {}
    heads = np.fromfile(path, "<f4").astype(np.float64).reshape(len(bones), 3)
    joints = expected.joints(pose)
    return {
        name: float(np.linalg.norm(head - joints[name]))
        for name, head in zip(bones, heads, strict=True)
        if name in joints and bones.count(name) == 1
    }


def read_points(path: Path, counts: Sequence[int]) -> list[Array] | None:
    data = np.fromfile(path, "<f4").astype(np.float64).reshape(-1, 3) if path.is_file() else np.zeros((0, 3))
    if len(data) != sum(counts):
        return None
    return np.split(data, np.cumsum(counts)[:-1])


def pair(
    shapes: Sequence[Shape], objects: Sequence[dict[str, Any]], points: Sequence[Array], told: Sequence[Array]
) -> list[int]:
    """The shape of each object: of those with its name and number of vertices, the nearest; -1 = none."""
    free: dict[tuple[str, int], set[int]] = {}
    for number, shape in enumerate(shapes):
        for name in shape.names:
            free.setdefault((name, shape.count), set()).add(number)
    taken: set[int] = set()
    pairs = []
    for item, own in zip(objects, told, strict=True):
        candidates = sorted(free.get((reduced(item["name"]), item["vertices"]), set()) - taken)
        if not candidates:
            pairs.append(-1)
            continue
        distances = [float(np.abs(points[number] - own).max(initial=0.0)) for number in candidates]
        pairs.append(candidates[int(np.argmin(distances))])
        taken.add(pairs[-1])
    return pairs


def object_differences(
    engine: str, limits: Limits, shapes: Sequence[Shape], objects: Sequence[dict[str, Any]], pairs: Sequence[int]
) -> Iterator[str]:
    for item, number in zip(objects, pairs, strict=True):
        if number < 0:
            yield f"{item['name']!r} with {item['vertices']} vertices is nothing of the file"
            continue
        shape = shapes[number]
        wanted, told = min(shape.influences, limits.influences), item["influences"]
        if told < wanted or (engine == "blender" and told != wanted):
            yield f"{item['name']!r} has {told} influences a vertex, {wanted} are wanted"
        if [reduced(name) for name in item["shapes"]] != [reduced(name) for name in shape.shapes]:
            yield f"{item['name']!r} has the shapes {item['shapes'][:4]}, wanted are {list(shape.shapes[:4])}"
