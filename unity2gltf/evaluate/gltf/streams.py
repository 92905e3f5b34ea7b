"""The vertex data that primitives of a glTF mesh pose: base positions, morph targets, joints and weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..document import Gltf
from ..fields import GlbError, Json, get_integer, get_list, get_object

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Stream:
    """Accessor indices. Primitives of one mesh that name the same ones share their vertices.

    ``targets``: POSITION of each morph target, None where a target moves no positions. ``joints`` and ``weights``:
    one accessor a set, JOINTS_0 first.
    """

    position: int
    targets: tuple[int | None, ...]
    joints: tuple[int, ...]
    weights: tuple[int, ...]


def mesh_streams(gltf: Gltf, mesh_index: int) -> list[Stream]:
    """The distinct streams of a mesh's primitives, in order of first use."""
    pointer = f"/meshes/{mesh_index}"
    primitives = get_list(gltf.items("meshes")[mesh_index], "primitives", pointer)
    streams = [_stream(gltf, item, f"{pointer}/primitives/{place}") for place, item in enumerate(primitives)]
    return list(dict.fromkeys(streams))


def _stream(gltf: Gltf, primitive: Any, pointer: str) -> Stream:
    if not isinstance(primitive, dict):
        raise GlbError(pointer, "an object is wanted")
    count = len(gltf.items("accessors"))
    attributes = get_object(primitive, "attributes", pointer)
    pointer_to = f"{pointer}/attributes"
    targets = get_list(primitive, "targets", pointer)
    for place, target in enumerate(targets):
        if not isinstance(target, dict):
            raise GlbError(f"{pointer}/targets/{place}", "an object is wanted")
    return Stream(
        get_integer(attributes, "POSITION", pointer_to, below=count),
        tuple(
            get_integer(target, "POSITION", f"{pointer}/targets/{place}", below=count) if "POSITION" in target else None
            for place, target in enumerate(targets)
        ),
        _sets(attributes, "JOINTS", pointer_to, count),
        _sets(attributes, "WEIGHTS", pointer_to, count),
    )


def _sets(attributes: Json, semantic: str, pointer: str, count: int) -> tuple[int, ...]:
    found: list[int] = []
    while (key := f"{semantic}_{len(found)}") in attributes:
        found.append(get_integer(attributes, key, pointer, below=count))
    return tuple(found)


def read_vectors(gltf: Gltf, accessor: int, width: int, rows: int | None = None) -> NDArray[Any]:
    """An accessor that must be (rows, width) vectors."""
    values = gltf.accessor(accessor)
    if values.ndim != 2 or values.shape[1] != width or rows not in (None, len(values)):
        raise GlbError(f"/accessors/{accessor}", f"its shape is {values.shape}, wanted is ({rows or 'any'}, {width})")
    return values


def morph(gltf: Gltf, stream: Stream, target_weights: list[float]) -> Array:
    """(V, 3) positions plus weighted morph targets (3.7.2.2)."""
    points: Array = read_vectors(gltf, stream.position, 3).astype(np.float64)
    if len(target_weights) != len(stream.targets):
        raise GlbError("/meshes", f"{len(target_weights)} weights for {len(stream.targets)} morph targets")
    for target, weight in zip(stream.targets, target_weights, strict=True):
        if target is not None and weight != 0.0:
            points += weight * read_vectors(gltf, target, 3, len(points)).astype(np.float64)
    return points


def influences(gltf: Gltf, stream: Stream, joint_count: int) -> list[tuple[NDArray[np.int64], Array]]:
    """Joints and weights, one pair of (V,) arrays a slot; joints lie in the skin."""
    if not stream.joints or len(stream.joints) != len(stream.weights):
        raise GlbError("/meshes", f"{len(stream.joints)} JOINTS and {len(stream.weights)} WEIGHTS sets on a skin")
    rows = gltf.layout(stream.position).count
    slots: list[tuple[NDArray[np.int64], Array]] = []
    for joint_set, weight_set in zip(stream.joints, stream.weights, strict=True):
        joints = read_vectors(gltf, joint_set, 4, rows)
        weights = read_vectors(gltf, weight_set, 4, rows)
        if joints.dtype.kind != "u" or joints.max(initial=0) >= joint_count:
            raise GlbError(f"/accessors/{joint_set}", f"joints are no indices below {joint_count}")
        if weights.dtype.kind != "f":
            raise GlbError(f"/accessors/{weight_set}", f"weights of type {weights.dtype} that are not normalised")
        slots += [(joints[:, k].astype(np.int64), weights[:, k].astype(np.float64)) for k in range(4)]
    return slots
