"""Fields of constant size: how they lie in bytes, and what one ``struct.unpack`` of them becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

ALIGN = 0x4000
"""Bit of m_MetaFlag: the next value starts at a multiple of four bytes from the object's start."""

SCALARS: dict[str, tuple[str, str]] = {
    "SInt8": ("b", "i1"),
    "UInt8": ("B", "u1"),
    "char": ("B", "u1"),
    "bool": ("?", "?"),
    "SInt16": ("h", "i2"),
    "short": ("h", "i2"),
    "UInt16": ("H", "u2"),
    "unsigned short": ("H", "u2"),
    "SInt32": ("i", "i4"),
    "int": ("i", "i4"),
    "UInt32": ("I", "u4"),
    "unsigned int": ("I", "u4"),
    "Type*": ("I", "u4"),
    "SInt64": ("q", "i8"),
    "long long": ("q", "i8"),
    "UInt64": ("Q", "u8"),
    "unsigned long long": ("Q", "u8"),
    "FileSize": ("Q", "u8"),
    "float": ("f", "f4"),
    "double": ("d", "f8"),
}
"""Unity's type name to (struct code, numpy code)."""

TUPLES = frozenset(
    ("Vector2f", "Vector3f", "Vector4f", "Quaternionf", "float2", "float3", "float4", "Matrix4x4f", "ColorRGBA")
)
"""Types that become tuples of floats, or rows of an array, when all their fields are floats."""

UNREADABLE = frozenset(("ReferencedObject", "ReferencedObjectData", "ManagedReferencesRegistry"))

Build = Callable[[tuple[Any, ...]], Any]


class Node(Protocol):
    """What is used of a node: :class:`trees.TreeNode`, or UnityPy's TypeTreeNode."""

    @property
    def m_Type(self) -> str: ...
    @property
    def m_Name(self) -> str: ...
    @property
    def m_MetaFlag(self) -> int | None: ...
    @property
    def m_Children(self) -> Sequence[Any]: ...


def is_aligned(node: Node) -> bool:
    return bool((node.m_MetaFlag or 0) & ALIGN)


def array_of(node: Node) -> Node | None:
    """The Array child of a vector, map or string."""
    children = node.m_Children
    return children[0] if children and children[0].m_Type == "Array" else None


@dataclass(slots=True)
class Layout:
    """A node of constant size: ``code`` for struct, ``size`` in bytes with padding, ``count`` scalars, ``dtype``;
    ``aligns``: the padding holds only for the start position (modulo four) it was laid out for."""

    code: str
    size: int
    count: int
    dtype: np.dtype[Any]
    build: Callable[[int], Build]
    aligns: bool = False


def _scalar_layout(node: Node, endian: str, start: int | None) -> Layout | None:
    code, kind = SCALARS[node.m_Type]
    dtype = np.dtype(kind if kind in ("?", "i1", "u1") else endian + kind)
    size = dtype.itemsize
    if not is_aligned(node):
        return Layout(code, size, 1, dtype, itemgetter)
    if start is None:
        return None
    pad = -(start + size) % 4
    return Layout(code + (f"{pad}x" if pad else ""), size + pad, 1, dtype, itemgetter, True)


def _class_layout(node: Node, endian: str, start: int | None) -> Layout | None:
    parts: list[tuple[str, Layout, int, int]] = []
    size = count = 0
    for child in node.m_Children:
        part = layout_of(child, endian, None if start is None else start + size)
        if part is None:
            return None
        parts.append((child.m_Name, part, size, count))
        size, count = size + part.size, count + part.count
    aligns = any(part.aligns for _, part, _, _ in parts)
    pad = 0
    if is_aligned(node):
        if start is None:
            return None
        pad, aligns = -(start + size) % 4, True
    code = "".join(part.code for _, part, _, _ in parts) + (f"{pad}x" if pad else "")
    if node.m_Type in TUPLES and all(child.m_Type == "float" for child in node.m_Children) and size == 4 * count:
        dtype = np.dtype((np.dtype(endian + "f4"), (count,))) if count > 1 else np.dtype(endian + "f4")
        return Layout(code, size + pad, count, dtype, _tuple_builder(count), aligns)
    names = [name for name, *_ in parts]
    if not parts or len(set(names)) != len(names):
        return None
    dtype = np.dtype(
        {
            "names": names,
            "formats": [part.dtype for _, part, _, _ in parts],
            "offsets": [offset for _, _, offset, _ in parts],
            "itemsize": size + pad,
        }
    )
    return Layout(code, size + pad, count, dtype, _class_builder(node.m_Type, parts), aligns)


def _tuple_builder(count: int) -> Callable[[int], Build]:
    return lambda first: itemgetter(slice(first, first + count))


def _class_builder(kind: str, parts: list[tuple[str, Layout, int, int]]) -> Callable[[int], Build]:
    def at(first: int) -> Build:
        builds = [(name, part.build(first + index)) for name, part, _, index in parts]
        if kind == "pair":
            return lambda values: tuple([build(values) for _, build in builds])
        if kind.startswith("PPtr<"):
            return lambda values: {"m_FileID": values[first], "m_PathID": values[first + 1]}
        return lambda values: {name: build(values) for name, build in builds}

    return at


def layout_of(node: Node, endian: str, start: int | None) -> Layout | None:
    """Layout of ``node`` at a position that is ``start`` modulo four (None = unknown), or None if not of fixed size."""
    if node.m_Type in SCALARS:
        return _scalar_layout(node, endian, start)
    if node.m_Type in ("string", "TypelessData") or node.m_Type in UNREADABLE or array_of(node) is not None:
        return None
    return _class_layout(node, endian, start)
