"""Accessors: typed windows on buffer views, one view an accessor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygltflib
from numpy.typing import NDArray

from ..ir import F32
from .context import Context

_COMPONENTS: dict[np.dtype[Any], int] = {
    np.dtype(np.uint8): pygltflib.UNSIGNED_BYTE,
    np.dtype(np.uint16): pygltflib.UNSIGNED_SHORT,
    np.dtype(np.uint32): pygltflib.UNSIGNED_INT,
    np.dtype(np.float32): pygltflib.FLOAT,
}
_TYPES = {
    (): pygltflib.SCALAR,
    (2,): pygltflib.VEC2,
    (3,): pygltflib.VEC3,
    (4,): pygltflib.VEC4,
    (4, 4): pygltflib.MAT4,
}
RESTART_16 = 65535
"""The largest 16-bit index is the primitive restart value and may not be used (glTF 2.0, 3.7.2.1)."""


def add_accessor(
    context: Context, array: NDArray[Any], *, target: int | None = None, normalized: bool = False, bounds: bool = False
) -> int:
    """Write ``array`` (N, ...) of a glTF component type in a view of its own; the index of its accessor.

    ``bounds`` adds min and max, taken in the array's own precision since readers compare them exactly.
    """
    view = context.buffers.add(array, target=target)
    accessor = _accessor(view, array, normalized)
    if bounds:
        columns = array.reshape(len(array), -1)
        accessor.min, accessor.max = columns.min(axis=0).tolist(), columns.max(axis=0).tolist()
    return append_accessor(context, accessor)


def append_accessor(context: Context, accessor: pygltflib.Accessor) -> int:
    accessors: list[pygltflib.Accessor] = context.gltf.accessors
    accessors.append(accessor)
    return len(accessors) - 1


def add_attribute(context: Context, array: NDArray[Any], *, normalized: bool = False, bounds: bool = False) -> int:
    """A vertex attribute (V, 2..4) whose elements fill whole words."""
    return add_accessor(context, array, target=pygltflib.ARRAY_BUFFER, normalized=normalized, bounds=bounds)


def add_indices(context: Context, indices: NDArray[np.uint32]) -> int:
    """Vertex indices, 16 bits wide where the restart value allows. Bytes are avoided: GPUs widen them."""
    width = np.uint16 if int(indices.max()) < RESTART_16 else np.uint32
    return add_accessor(context, indices.astype(width, copy=False), target=pygltflib.ELEMENT_ARRAY_BUFFER)


def zero_accessor(context: Context, count: int) -> int:
    """``count`` zero vectors, written once: a morph target that moves nothing."""
    return context.once(("zeros", count), lambda: add_attribute(context, np.zeros((count, 3), np.float32), bounds=True))


def add_sparse(context: Context, count: int, index_view: int, index_type: int, values: F32, *, bounds: bool) -> int:
    """``values`` (K, 3), K > 0, at the vertices of ``index_view``, and zero elsewhere: ``count`` elements without a
    base view, which is zeros (glTF 2.0, 3.6.2.3)."""
    accessor = pygltflib.Accessor(componentType=pygltflib.FLOAT, count=count, type=pygltflib.VEC3)
    accessor.sparse = pygltflib.Sparse(
        count=len(values),
        indices=pygltflib.AccessorSparseIndices(bufferView=index_view, componentType=index_type),
        values=pygltflib.AccessorSparseValues(bufferView=context.buffers.add(values)),
    )
    if bounds:
        low, high = values.min(axis=0), values.max(axis=0)
        if len(values) < count:  # the elements left at zero count as well
            low, high = np.minimum(low, np.float32(0)), np.maximum(high, np.float32(0))
        accessor.min, accessor.max = low.tolist(), high.tolist()
    return append_accessor(context, accessor)


def component_type(array: NDArray[Any]) -> int:
    """glTF's number for the array's dtype."""
    return _COMPONENTS[array.dtype]


def _accessor(view: int, array: NDArray[Any], normalized: bool) -> pygltflib.Accessor:
    return pygltflib.Accessor(
        bufferView=view,
        componentType=component_type(array),
        normalized=normalized,
        count=len(array),
        type=_TYPES[array.shape[1:]],
    )
