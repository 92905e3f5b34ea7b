"""What the frames of blend shapes change, sorted and pruned, and how much sparse morph targets save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..codes import SHAPE_INVALID
from ..diagnostics import Fault
from ..ir import F32, Asset, BlendFrame, Geometry
from .buffers import aligned

_ROW = 12  # bytes of a VEC3 of floats


@dataclass(frozen=True, slots=True, eq=False)
class FrameDeltas:
    """The vertices that a frame moves: ``indices`` (K,) strictly ascending, ``values`` (K, 3) by semantic, or None
    where nothing changes."""

    indices: NDArray[np.unsignedinteger]
    values: Mapping[str, F32 | None]

    def dense_bytes(self, vertex_count: int) -> int:
        return self._moving * vertex_count * _ROW

    @property
    def sparse_bytes(self) -> int:
        """Bytes of the values and of the indices that they share."""
        return self._moving * len(self.indices) * _ROW + aligned(self.indices.nbytes)

    @property
    def _moving(self) -> int:
        return sum(values is not None for values in self.values.values())


MorphPlan = tuple[FrameDeltas, ...]
"""The frames of a geometry, shapes in order and frames ascending."""


def plan_morphs(asset: Asset) -> dict[int, MorphPlan]:
    """The frames of every geometry in use. Raises :class:`Fault` on a frame that names vertices beyond the mesh."""
    used = sorted({mesh.geometry for mesh in asset.meshes if asset.geometries[mesh.geometry].shapes})
    return {index: _plan(asset.geometries[index]) for index in used}


def sparse_saving(asset: Asset, plans: Mapping[int, MorphPlan]) -> int:
    """Bytes that sparse targets would take less than dense ones."""
    return sum(
        max(0, frame.dense_bytes(asset.geometries[index].vertex_count) - frame.sparse_bytes)
        for index, plan in plans.items()
        for frame in plan
    )


def _plan(geometry: Geometry) -> MorphPlan:
    semantics = morph_semantics(geometry)
    frames = [frame for shape in geometry.shapes for frame in shape.frames]
    return tuple(_frame_deltas(frame, semantics, geometry.vertex_count) for frame in frames)


def morph_semantics(geometry: Geometry) -> list[str]:
    """Those that a frame of the mesh changes and the mesh itself has: glTF wants a base for every delta."""
    frames = [frame for shape in geometry.shapes for frame in shape.frames]
    normals = geometry.normals is not None and any(frame.normals is not None for frame in frames)
    tangents = (
        geometry.normals is not None
        and geometry.tangents is not None
        and any(frame.tangents is not None for frame in frames)
    )
    return ["POSITION", *["NORMAL"] * normals, *["TANGENT"] * tangents]


def _frame_deltas(frame: BlendFrame, semantics: Sequence[str], vertex_count: int) -> FrameDeltas:
    """Less the rows that change nothing, in ascending order; of a vertex named twice the last row counts."""
    indices = frame.indices
    if len(indices) and not (int(indices.min()) >= 0 and int(indices.max()) < vertex_count):
        raise Fault(SHAPE_INVALID, "a blend shape frame moves vertices that the mesh does not have")
    arrays = {"POSITION": frame.positions, "NORMAL": frame.normals, "TANGENT": frame.tangents}
    kept = {name: arrays[name] for name in semantics}
    moving = np.zeros(len(indices), bool)
    for values in kept.values():
        if values is not None:
            moving |= values.any(axis=1)
    rows = np.flatnonzero(moving) if np.all(np.diff(indices) > 0) else _sorted_rows(indices, moving)
    whole = len(rows) == len(indices) and bool(np.all(rows == np.arange(len(rows))))
    chosen = indices if whole else indices[rows]
    selected = {
        name: None if values is None else _moving_values(values if whole else values[rows])
        for name, values in kept.items()
    }
    narrow = np.uint16 if vertex_count <= 0xFFFF else np.uint32
    return FrameDeltas(chosen.astype(narrow), selected)


def _sorted_rows(indices: NDArray[np.int64], moving: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Rows in order of their vertex, the last row of each vertex only, and of these the moving ones."""
    _, from_end = np.unique(indices[::-1], return_index=True)
    rows = len(indices) - 1 - from_end
    return rows[moving[rows]]


def _moving_values(values: F32) -> F32 | None:
    return values if values.any() else None
