"""A glTF document in memory and its accessors as arrays. Follows glTF 2.0, section 3.6 (binary data storage)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .fields import GlbError, Json, as_integer, get_integer, get_object, get_text

COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("i1"),
    5121: np.dtype("u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
SHAPES: dict[str, tuple[int, int]] = {
    "SCALAR": (1, 1),
    "VEC2": (2, 1),
    "VEC3": (3, 1),
    "VEC4": (4, 1),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}
"""Accessor types as (rows, columns)."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """How one element lies in memory: columns of a matrix start at multiples of four bytes (3.6.2.4)."""

    dtype: np.dtype[Any]
    rows: int
    columns: int
    count: int

    @property
    def column_bytes(self) -> int:
        size = self.rows * self.dtype.itemsize
        return (size + 3) // 4 * 4 if self.columns > 1 else size

    @property
    def element_bytes(self) -> int:
        return self.column_bytes * self.columns


@dataclass(frozen=True, slots=True, eq=False)
class Gltf:
    """``json`` is the document (its top-level collections are lists of objects), ``buffers`` the bytes of each buffer
    cut to its declared length, ``image_files`` the files that images name by a relative URI, by image index."""

    json: Json
    buffers: list[memoryview]
    image_files: dict[int, Path] = field(default_factory=dict)

    def items(self, collection: str) -> list[Json]:
        """A top-level collection: ``nodes``, ``meshes``, ``accessors`` ...; empty when absent."""
        items: list[Json] = self.json.get(collection, [])
        return items

    def layout(self, index: int) -> Layout:
        """Component type, shape and count of an accessor."""
        pointer = f"/accessors/{index}"
        item = self.items("accessors")[as_integer(index, pointer, 0, len(self.items("accessors")))]
        component = get_integer(item, "componentType", pointer)
        if component not in COMPONENTS:
            raise GlbError(f"{pointer}/componentType", f"{component} is no component type")
        kind = get_text(item, "type", pointer)
        if kind not in SHAPES:
            raise GlbError(f"{pointer}/type", f"{kind!r} is no accessor type")
        count = get_integer(item, "count", pointer, low=1)
        return Layout(COMPONENTS[component], *SHAPES[kind], count)

    def accessor(self, index: int) -> NDArray[Any]:
        """An accessor's elements as :meth:`stored`, but ``normalized`` integers as float64 (3.6.2.2)."""
        values = self.stored(index)
        normalized = self.items("accessors")[index].get("normalized", False)
        return _dequantise(values, f"/accessors/{index}") if normalized else values

    def stored(self, index: int) -> NDArray[Any]:
        """An accessor's elements: (count,) for SCALAR, (count, n) for VECn, (count, n, n) ``[row, column]`` for MATn.

        Of the stored type, sparse elements applied; without those the result is a read-only view of the file. Raises
        :class:`GlbError` on anything that does not lie within its buffer.
        """
        layout = self.layout(index)
        item = self.items("accessors")[index]
        pointer = f"/accessors/{index}"
        values = self._base(item, layout, pointer)
        if "sparse" in item:
            values = self._sparse(get_object(item, "sparse", pointer), values, layout, f"{pointer}/sparse")
        return values

    def view(self, index: object, pointer: str) -> tuple[memoryview, int | None]:
        """The bytes of a buffer view and its stride, checked against its buffer."""
        place = as_integer(index, pointer, 0, len(self.items("bufferViews")))
        item, pointer = self.items("bufferViews")[place], f"/bufferViews/{place}"
        buffer = self.buffers[get_integer(item, "buffer", pointer, below=len(self.buffers))]
        begin = get_integer(item, "byteOffset", pointer, 0)
        end = begin + get_integer(item, "byteLength", pointer, low=1)
        if end > len(buffer):
            raise GlbError(pointer, f"it ends at byte {end} of a buffer of {len(buffer)}")
        stride = get_integer(item, "byteStride", pointer, low=4, below=253) if "byteStride" in item else None
        if stride is not None and stride % 4:
            raise GlbError(f"{pointer}/byteStride", f"{stride} is no multiple of 4")
        return buffer[begin:end], stride

    def _base(self, item: Json, layout: Layout, pointer: str) -> NDArray[Any]:
        if "bufferView" in item:
            offset = get_integer(item, "byteOffset", pointer, 0)
            return self._elements(item["bufferView"], offset, layout, pointer)
        # Zeros cost the file nothing, so a count is believed only within reason: what uses them has as many elements.
        if layout.count * layout.element_bytes > (1 << 16) + 16 * sum(map(len, self.buffers)):
            raise GlbError(f"{pointer}/count", f"{layout.count} zeros are out of proportion to the file")
        return np.zeros(_shape(layout), layout.dtype)

    def _elements(self, view: object, offset: int, layout: Layout, pointer: str) -> NDArray[Any]:
        data, stride = self.view(view, f"{pointer}/bufferView")
        begin = get_integer(self.items("bufferViews")[as_integer(view, pointer)], "byteOffset", pointer, 0)
        if offset % layout.dtype.itemsize or (begin + offset) % layout.dtype.itemsize:
            raise GlbError(f"{pointer}/byteOffset", f"it is not aligned to {layout.dtype.itemsize} bytes")
        step = stride or layout.element_bytes
        if step < layout.element_bytes:
            raise GlbError(pointer, f"elements of {layout.element_bytes} bytes overlap at a stride of {step}")
        end = offset + step * (layout.count - 1) + layout.element_bytes
        if end > len(data):
            raise GlbError(pointer, f"it ends at byte {end} of a view of {len(data)}")
        strides = (step, layout.dtype.itemsize, layout.column_bytes)
        full: NDArray[Any] = np.ndarray(
            (layout.count, layout.rows, layout.columns), layout.dtype, data, offset, strides
        )
        return full.reshape(_shape(layout)) if layout.columns == 1 else full

    def _sparse(self, sparse: Json, base: NDArray[Any], layout: Layout, pointer: str) -> NDArray[Any]:
        count = get_integer(sparse, "count", pointer, low=1, below=layout.count + 1)
        indices = self.sparse_indices(sparse, count, pointer)
        if len(indices) > 1 and not np.all(indices[1:] > indices[:-1]):
            raise GlbError(f"{pointer}/indices", "they do not rise strictly")
        if indices[-1] >= layout.count:
            raise GlbError(f"{pointer}/indices", f"{indices[-1]} is not below the accessor's count {layout.count}")
        where = get_object(sparse, "values", pointer)
        values = self._packed(where, Layout(layout.dtype, layout.rows, layout.columns, count), f"{pointer}/values")
        result = base.copy()
        result[indices] = values
        return result

    def sparse_indices(self, sparse: Json, count: int, pointer: str) -> NDArray[Any]:
        """The (count,) element numbers of a sparse accessor, as stored."""
        where = get_object(sparse, "indices", pointer)
        component = get_integer(where, "componentType", f"{pointer}/indices")
        if component not in (5121, 5123, 5125):
            raise GlbError(f"{pointer}/indices/componentType", f"{component} is not allowed here")
        return self._packed(where, Layout(COMPONENTS[component], 1, 1, count), f"{pointer}/indices")

    def _packed(self, where: Json, layout: Layout, pointer: str) -> NDArray[Any]:
        view = get_integer(where, "bufferView", pointer, below=len(self.items("bufferViews")))
        if {"target", "byteStride"} & self.items("bufferViews")[view].keys():
            raise GlbError(f"/bufferViews/{view}", "a view of sparse data has neither target nor stride")
        return self._elements(view, get_integer(where, "byteOffset", pointer, 0), layout, pointer)


def _shape(layout: Layout) -> tuple[int, ...]:
    if layout.columns > 1:
        return (layout.count, layout.rows, layout.columns)
    return (layout.count, layout.rows) if layout.rows > 1 else (layout.count,)


def _dequantise(values: NDArray[Any], pointer: str) -> NDArray[np.float64]:
    if values.dtype.kind not in "iu" or values.dtype.itemsize > 2:
        raise GlbError(f"{pointer}/normalized", f"{values.dtype} cannot be normalised")
    result: NDArray[np.float64] = np.maximum(values / float(np.iinfo(values.dtype).max), -1.0)
    return result
