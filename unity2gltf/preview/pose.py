"""Where the drawn vertices of a file end up: the points that a picture has to show, by our own evaluator of glTF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..evaluate.document import Gltf
from ..evaluate.fields import GlbError, as_object, get_index, get_indices, get_integer, get_list, get_object, get_text
from ..evaluate.gltf.pose import GltfPoser
from ..evaluate.gltf.samplers import GltfPlayer
from ..evaluate.gltf.streams import mesh_streams
from ..math3d import Array

_DIRECTIONS: Array = np.array([d for d in product((-1, 0, 1), repeat=3) if d > (0, 0, 0)], np.float64)
"""(13, 3): along the edges, faces and corners of a cube; the farthest points either way enclose a part closely."""


FAR = 6.0
"""Times the usual distance from the middle: beyond that a part is out of the crowd."""


class NoSuchClip(Exception):
    """The file lacks the animation; the text says which ones it has."""


def find_clip(gltf: Gltf, name: str) -> int:
    """The animation of that name, or else the only one that differs from it in case. Raises :class:`NoSuchClip`."""
    names = [get_text(item, "name", f"/animations/{n}", "") for n, item in enumerate(gltf.items("animations"))]
    if name in names:
        return names.index(name)
    similar = [n for n, other in enumerate(names) if other.casefold() == name.casefold()]
    if len(similar) == 1:
        return similar[0]
    told = ", ".join(names[:8]) + (f" and {len(names) - 8:,} more" if len(names) > 8 else "")
    raise NoSuchClip(f"it has no animation {name!r}" + (f"; it has {told}" if names else "; it has none"))


def drawn_parts(gltf: Gltf, clip: int | None = None, time: float = 0.0) -> list[Array]:
    """(P, 3) outermost points of each drawn part (a primitive of a node's mesh) in world space, metres.

    At rest, or as animation ``clip`` has it at ``time`` seconds. Raises :class:`GlbError`.
    """
    poser = GltfPoser(gltf)
    overrides, weights = GltfPlayer(gltf).pose(clip, time) if clip is not None else ({}, {})
    world = poser.world(overrides)
    parts = [_outermost(part) for node in _shown(gltf) for part in _parts(poser, node, world, weights)]
    if not all(np.isfinite(part).all() for part in parts):
        raise GlbError("/nodes", "vertices end up nowhere (NaN or infinity)")
    return [part for part in parts if len(part)]


def crowd(parts: list[Array]) -> list[Array]:
    """The parts without those that lie far from most of the others: games park things kilometres away."""
    middles = np.array([(part.min(axis=0) + part.max(axis=0)) / 2 for part in parts])
    away = np.linalg.norm(middles - np.median(middles, axis=0), axis=1)
    return [part for part, distance in zip(parts, away, strict=True) if distance <= FAR * np.median(away)]


def _shown(gltf: Gltf) -> Iterator[int]:
    """Nodes with a mesh that the default scene reaches."""
    scenes = gltf.items("scenes")
    if not scenes:
        return
    nodes = gltf.items("nodes")
    scene = get_integer(gltf.json, "scene", "", 0, below=len(scenes))
    waiting = get_indices(scenes[scene], "nodes", f"/scenes/{scene}", len(nodes))
    while waiting:  # the poser has made sure that nodes form trees
        node = waiting.pop()
        waiting += get_indices(nodes[node], "children", f"/nodes/{node}", len(nodes))
        if "mesh" in nodes[node]:
            yield node


def _parts(poser: GltfPoser, node: int, world: Array, weights: Mapping[int, tuple[float, ...]]) -> Iterator[Array]:
    """(V, 3) of each primitive of a node's mesh: the vertices that its indices name."""
    gltf = poser.gltf
    mesh = get_integer(gltf.items("nodes")[node], "mesh", f"/nodes/{node}", below=len(gltf.items("meshes")))
    vertices = poser.vertices(node, world, weights.get(node) or poser.default_weights(node))
    begins: dict[int, int] = {}
    begin = 0
    for stream in mesh_streams(gltf, mesh):
        begins.setdefault(stream.position, begin)
        begin += gltf.layout(stream.position).count
    pointer = f"/meshes/{mesh}"
    for place, item in enumerate(get_list(gltf.items("meshes")[mesh], "primitives", pointer)):
        where = f"{pointer}/primitives/{place}"
        position = get_integer(get_object(item, "attributes", where), "POSITION", f"{where}/attributes")
        own = vertices[begins[position] : begins[position] + gltf.layout(position).count]
        indices = get_index(as_object(item, where), "indices", where, len(gltf.items("accessors")))
        yield own if indices is None else own[_used(gltf, indices, len(own), where)]


def _used(gltf: Gltf, accessor: int, count: int, pointer: str) -> NDArray[np.int64]:
    indices = gltf.accessor(accessor)
    if indices.ndim != 1 or indices.dtype.kind != "u" or int(indices.max()) >= count:
        raise GlbError(f"{pointer}/indices", f"they are no indices below {count}")
    used = np.zeros(count, bool)
    used[indices] = True
    return np.flatnonzero(used)


def _outermost(points: Array) -> Array:
    if not len(points):
        return points
    along = points @ _DIRECTIONS.T
    outermost: Array = points[np.unique(np.concatenate([along.argmin(axis=0), along.argmax(axis=0)]))]
    return outermost
