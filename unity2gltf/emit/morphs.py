"""Blend shapes to morph targets: one target a frame, dense, or on request sparse where that is smaller.

No sparse form is read right by all: without a base view VTK drops the target; over a shared view of zeros Babylon.js
mixes the targets, unless its rows have gaps, and these Filament cannot read.

All targets of a mesh carry the same semantics. glTF would let a frame without normal deltas go without, but
three.js then takes the base normals for deltas; an accessor of zeros, written once, says "no change".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..codes import MESH_ATTRIBUTE_DROPPED, SHAPE_RENAMED
from ..ir import F32, BlendShape, Geometry
from ..math3d import frame_weights
from ..text import counted
from .accessors import add_attribute, add_sparse, component_type, zero_accessor
from .context import Context
from .frames import FrameDeltas, morph_semantics


def write_targets(context: Context, geometry_index: int) -> list[dict[str, int]]:
    """The morph targets of a geometry, as attributes to accessors."""
    plan = context.morphs.get(geometry_index)
    if plan is None:
        return []
    geometry = context.asset.geometries[geometry_index]
    _report_dropped(context, geometry)
    return [_write_frame(context, frame, geometry.vertex_count) for frame in plan]


def target_names(context: Context, shapes: Sequence[BlendShape]) -> list[str]:
    """The last frame's target has the shape's name, earlier ones ``name@<weight, 0..100>``; clashes get ``#2``."""
    names: dict[str, None] = {}
    renamed = []
    for shape in shapes:
        name = context.text(shape.name)
        for frame in shape.frames:
            wanted = name if frame is shape.frames[-1] else f"{name}@{frame.full_weight * 100:g}"
            unique = _unique(wanted, names)
            names[unique] = None
            if unique != wanted:
                renamed.append(unique)
    if renamed:
        text = f"{counted(len(renamed), 'morph target')} with the name of another got a number"
        context.diagnostics.add(SHAPE_RENAMED, text, names=renamed)
    return list(names)


def last_target(shapes: Sequence[BlendShape], number: int) -> int:
    """Which morph target is the last frame of shape ``number``."""
    return sum(len(shape.frames) for shape in shapes[: number + 1]) - 1


def target_weights(shapes: Sequence[BlendShape], weights: Sequence[float]) -> list[float]:
    """The weight of every morph target when shape s stands at ``weights[s]`` (fractions; missing ones are 0)."""
    result: list[float] = []
    for number, shape in enumerate(shapes):
        weight = weights[number] if number < len(weights) else 0.0
        result += frame_weights(shape.full_weights, weight).tolist()
    return result


def _unique(name: str, taken: Mapping[str, None]) -> str:
    number, unique = 2, name
    while unique in taken:
        unique, number = f"{name}#{number}", number + 1
    return unique


def _report_dropped(context: Context, geometry: Geometry) -> None:
    written = morph_semantics(geometry)
    for semantic, field in (("NORMAL", "normals"), ("TANGENT", "tangents")):
        frames = sum(getattr(frame, field) is not None for shape in geometry.shapes for frame in shape.frames)
        if frames and semantic not in written:
            text = f"blend shapes change {field} that the mesh does not have; these deltas were left out"
            context.diagnostics.add(MESH_ATTRIBUTE_DROPPED, text, attribute=f"morph {semantic}", frames=frames)


def _write_frame(context: Context, frame: FrameDeltas, vertex_count: int) -> dict[str, int]:
    sparse = context.sparse_morphs and frame.sparse_bytes < frame.dense_bytes(vertex_count)
    if sparse:
        view, kind = context.buffers.add(frame.indices), component_type(frame.indices)
    target = {}
    for semantic, values in frame.values.items():
        bounds = semantic == "POSITION"
        if values is None:
            target[semantic] = zero_accessor(context, vertex_count)
        elif sparse:
            target[semantic] = add_sparse(context, vertex_count, view, kind, values, bounds=bounds)
        else:
            target[semantic] = add_attribute(context, _dense(frame.indices, values, vertex_count), bounds=bounds)
    return target


def _dense(indices: NDArray[np.integer], values: F32, vertex_count: int) -> F32:
    if len(indices) == vertex_count:  # strictly ascending, so every vertex in order
        return values
    dense = np.zeros((vertex_count, 3), np.float32)
    dense[indices] = values
    return dense
