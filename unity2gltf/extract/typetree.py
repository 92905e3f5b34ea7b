"""Reading an object's bytes by its type tree, with big vectors straight to numpy.

A tree is compiled once into a :class:`Plan`: neighbouring scalars become one ``struct.unpack``, vectors whose elements
have a fixed size become array views of the object's own bytes, the rest is read field by field. Every length is
checked against the bytes left before anything is allocated.

Values: classes are dicts; ``pair`` is a tuple; a vector of fixed-size elements is a read-only ndarray (structured for
classes, ``(N, k)`` for the float types in :data:`TUPLES`), other vectors are lists; the float types outside of
vectors are tuples; ``TypelessData`` is a memoryview.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from struct import Struct
from struct import error as StructError
from typing import Any, Protocol

import numpy as np

from ..codes import OBJECT_CORRUPT
from ..diagnostics import Fault

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

Data = memoryview
Reader = Callable[[Data, int], tuple[Any, int]]
Build = Callable[[tuple[Any, ...]], Any]
MAX_DEPTH = 64


class _Node(Protocol):
    """What is used of a node: :class:`trees.TreeNode`, or UnityPy's TypeTreeNode."""

    @property
    def m_Type(self) -> str: ...
    @property
    def m_Name(self) -> str: ...
    @property
    def m_MetaFlag(self) -> int | None: ...
    @property
    def m_Children(self) -> Sequence[Any]: ...


def _aligned(node: _Node) -> bool:
    return bool((node.m_MetaFlag or 0) & ALIGN)


def _array(node: _Node) -> _Node | None:
    """The Array child of a vector, map or string."""
    children = node.m_Children
    return children[0] if children and children[0].m_Type == "Array" else None


# --- fixed-size layouts -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Layout:
    """A node of constant size: ``code`` for struct, ``size`` in bytes with padding, ``count`` scalars, ``dtype``;
    ``aligns``: the padding holds only for the start position (modulo four) it was laid out for."""

    code: str
    size: int
    count: int
    dtype: np.dtype[Any]
    build: Callable[[int], Build]
    aligns: bool = False


def _scalar_layout(node: _Node, endian: str, start: int | None) -> _Layout | None:
    code, kind = SCALARS[node.m_Type]
    dtype = np.dtype(kind if kind in ("?", "i1", "u1") else endian + kind)
    size = dtype.itemsize
    if not _aligned(node):
        return _Layout(code, size, 1, dtype, itemgetter)
    if start is None:
        return None
    pad = -(start + size) % 4
    return _Layout(code + (f"{pad}x" if pad else ""), size + pad, 1, dtype, itemgetter, True)


def _class_layout(node: _Node, endian: str, start: int | None) -> _Layout | None:
    parts: list[tuple[str, _Layout, int, int]] = []
    size = count = 0
    for child in node.m_Children:
        part = _layout(child, endian, None if start is None else start + size)
        if part is None:
            return None
        parts.append((child.m_Name, part, size, count))
        size, count = size + part.size, count + part.count
    aligns = any(part.aligns for _, part, _, _ in parts)
    pad = 0
    if _aligned(node):
        if start is None:
            return None
        pad, aligns = -(start + size) % 4, True
    code = "".join(part.code for _, part, _, _ in parts) + (f"{pad}x" if pad else "")
    if node.m_Type in TUPLES and all(child.m_Type == "float" for child in node.m_Children) and size == 4 * count:
        dtype = np.dtype((np.dtype(endian + "f4"), (count,))) if count > 1 else np.dtype(endian + "f4")
        return _Layout(code, size + pad, count, dtype, _tuple_builder(count), aligns)
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
    return _Layout(code, size + pad, count, dtype, _class_builder(node.m_Type, parts), aligns)


def _tuple_builder(count: int) -> Callable[[int], Build]:
    return lambda first: itemgetter(slice(first, first + count))


def _class_builder(kind: str, parts: list[tuple[str, _Layout, int, int]]) -> Callable[[int], Build]:
    def at(first: int) -> Build:
        builds = [(name, part.build(first + index)) for name, part, _, index in parts]
        if kind == "pair":
            return lambda values: tuple([build(values) for _, build in builds])
        if kind.startswith("PPtr<"):
            return lambda values: {"m_FileID": values[first], "m_PathID": values[first + 1]}
        return lambda values: {name: build(values) for name, build in builds}

    return at


def _layout(node: _Node, endian: str, start: int | None) -> _Layout | None:
    """Layout of ``node`` at a position that is ``start`` modulo four (None = unknown), or None if not of fixed size."""
    if node.m_Type in SCALARS:
        return _scalar_layout(node, endian, start)
    if node.m_Type in ("string", "TypelessData") or node.m_Type in UNREADABLE or _array(node) is not None:
        return None
    return _class_layout(node, endian, start)


# --- readers ------------------------------------------------------------------------------------------------------


def _overrun(name: str, count: int, size: int, left: int) -> Fault:
    return Fault(
        OBJECT_CORRUPT,
        f"{name} has {count} elements of at least {size} bytes, but {left} bytes are left",
        field=name,
        count=count,
        element_bytes=size,
        bytes_left=left,
    )


def _align_after(read: Reader) -> Reader:
    def aligned(data: Data, position: int) -> tuple[Any, int]:
        value, position = read(data, position)
        return value, (position + 3) & ~3

    return aligned


def _string_reader(node: _Node, endian: str, skip: bool) -> Reader:
    length_of = Struct(endian + "i").unpack_from
    name = node.m_Name

    def read(data: Data, position: int) -> tuple[Any, int]:
        (length,) = length_of(data, position)
        position += 4
        stop = position + length
        if length < 0 or stop > len(data):
            raise _overrun(name, length, 1, len(data) - position)
        value = None if skip else str(data[position:stop], "utf-8", "surrogateescape")
        return value, (stop + 3) & ~3

    return read


def _bytes_reader(node: _Node, endian: str) -> Reader:
    length_of = Struct(endian + "i").unpack_from
    name = node.m_Name

    def read(data: Data, position: int) -> tuple[Any, int]:
        (length,) = length_of(data, position)
        position += 4
        stop = position + length
        if length < 0 or stop > len(data):
            raise _overrun(name, length, 1, len(data) - position)
        return data[position:stop], stop

    return read


def _array_skipper(name: str, size: int, endian: str) -> Reader:
    length_of = Struct(endian + "i").unpack_from

    def read(data: Data, position: int) -> tuple[Any, int]:
        (count,) = length_of(data, position)
        stop = position + 4 + count * size
        if count < 0 or stop > len(data):
            raise _overrun(name, count, size, len(data) - position - 4)
        return None, stop

    return read


def _array_reader(name: str, layout: _Layout, endian: str) -> Reader:
    length_of = Struct(endian + "i").unpack_from
    dtype, size = layout.dtype, layout.size
    if dtype.itemsize != size:  # a lone scalar with padding
        dtype = np.dtype({"names": ["value"], "formats": [dtype], "offsets": [0], "itemsize": size})
    empty = np.zeros(0, dtype)
    empty.flags.writeable = False

    def read(data: Data, position: int) -> tuple[Any, int]:
        (count,) = length_of(data, position)
        position += 4
        if count == 0:
            return empty, position
        stop = position + count * size
        if count < 0 or stop > len(data):
            raise _overrun(name, count, size, len(data) - position)
        return np.frombuffer(data, dtype, count, position), stop

    return read


def _list_reader(name: str, element: Reader, smallest: int, endian: str, skip: bool) -> Reader:
    length_of = Struct(endian + "i").unpack_from
    smallest = max(smallest, 1)

    def read(data: Data, position: int) -> tuple[Any, int]:
        (count,) = length_of(data, position)
        position += 4
        if count < 0 or count * smallest > len(data) - position:
            raise _overrun(name, count, smallest, len(data) - position)
        values = []
        for _ in range(count):
            value, position = element(data, position)
            if not skip:
                values.append(value)
        return values, position

    return read


def _smallest(node: _Node) -> int:
    """The fewest bytes that a value of this node takes."""
    if node.m_Type in SCALARS:
        return np.dtype(SCALARS[node.m_Type][1]).itemsize
    if node.m_Type in ("string", "TypelessData") or _array(node) is not None:
        return 4
    return sum(_smallest(child) for child in node.m_Children)


@dataclass(slots=True)
class _Body:
    """Steps that read the fields of one class. ``start`` is the position modulo four where the next field starts."""

    endian: str
    start: int | None
    steps: list[tuple[Struct | None, Any]] = field(default_factory=list)
    _code: str = ""
    _count: int = 0
    _run: list[tuple[str, Build]] = field(default_factory=list)

    def fixed(self, name: str, layout: _Layout, keep: bool) -> None:
        """Add a field of fixed size to the run being collected."""
        if keep:
            self._run.append((name, layout.build(self._count)))
            self._code += layout.code
            self._count += layout.count
        else:
            self._code += f"{layout.size}x"
        if self.start is not None:
            self.start = (self.start + layout.size) % 4

    def variable(self, name: str, read: Reader, start: int | None, keep: bool) -> None:
        self.flush()
        self.steps.append((None, (name if keep else None, read)))
        self.start = start

    def flush(self) -> None:
        if self._code:
            self.steps.append((Struct(self.endian + self._code), tuple(self._run)))
        self._code, self._count, self._run = "", 0, []

    def skipper(self) -> Reader:
        """Only moves on; what runs over the end is noticed by the next length, or at the object's end."""
        self.flush()
        steps = tuple((packed.size, None) if packed else (0, what[1]) for packed, what in self.steps)

        def read(data: Data, position: int) -> tuple[Any, int]:
            for size, variable in steps:
                if variable is None:
                    position += size
                else:
                    _, position = variable(data, position)
            return None, position

        return read

    def reader(self) -> Reader:
        self.flush()
        steps = tuple(self.steps)

        def read(data: Data, position: int) -> tuple[Any, int]:
            out: dict[str, Any] = {}
            for packed, what in steps:
                if packed is not None:
                    values = packed.unpack_from(data, position)
                    position += packed.size
                    for name, build in what:
                        out[name] = build(values)
                else:
                    name, variable = what
                    value, position = variable(data, position)
                    if name is not None:
                        out[name] = value
            return out, position

        return read


def _fields(
    children: Sequence[Any], endian: str, start: int | None, wanted: frozenset[str] | None, depth: int
) -> _Body:
    body = _Body(endian, start)
    for child in children:
        keep = wanted is None or child.m_Name in wanted
        layout = _layout(child, endian, body.start)
        if layout is not None:
            body.fixed(child.m_Name, layout, keep)
        else:
            read, after = _reader(child, endian, body.start, not keep, depth + 1)
            body.variable(child.m_Name, read, after, keep)
    return body


def _vector_reader(
    node: _Node, array: _Node, endian: str, start: int | None, skip: bool, depth: int
) -> tuple[Reader, int | None]:
    element = array.m_Children[1]
    after: int | None = None
    layout = _layout(element, endian, start)
    if layout is not None and layout.size and not (layout.aligns and layout.size % 4):
        if skip:
            read = _array_skipper(node.m_Name, layout.size, endian)
        else:
            read = _array_reader(node.m_Name, layout, endian)
        after = start if layout.size % 4 == 0 else None
    else:
        read_element, _ = _reader(element, endian, None, skip, depth + 1)
        read = _list_reader(node.m_Name, read_element, _smallest(element), endian, skip)
    if _aligned(node) or _aligned(array):
        return _align_after(read), 0
    return read, after


def _reader(node: _Node, endian: str, start: int | None, skip: bool, depth: int = 0) -> tuple[Reader, int | None]:
    """The reader of any node, and the position modulo four after it (None = not known beforehand)."""
    if depth > MAX_DEPTH or node.m_Type in UNREADABLE:
        raise Fault(OBJECT_CORRUPT, f"field {node.m_Name} of type {node.m_Type} cannot be read", field=node.m_Name)
    if node.m_Type == "string":
        return _string_reader(node, endian, skip), 0
    if node.m_Type == "TypelessData":
        read = _bytes_reader(node, endian)
        return (_align_after(read), 0) if _aligned(node) else (read, None)
    array = _array(node)
    if array is not None:
        if len(array.m_Children) != 2:
            raise Fault(OBJECT_CORRUPT, f"the array of {node.m_Name} has no element type", field=node.m_Name)
        return _vector_reader(node, array, endian, start, skip, depth)
    if node.m_Type in SCALARS:  # an aligned scalar at an unknown position
        packed = Struct(endian + SCALARS[node.m_Type][0])
        read = _scalar_reader(packed)
        return (_align_after(read), 0) if _aligned(node) else (read, None)
    body = _fields(node.m_Children, endian, start, frozenset() if skip else None, depth)
    read = body.skipper() if skip else body.reader()
    if node.m_Type == "pair" and not skip:
        read = _pair_reader(read)
    return (_align_after(read), 0) if _aligned(node) else (read, body.start)


def _scalar_reader(packed: Struct) -> Reader:
    def read(data: Data, position: int) -> tuple[Any, int]:
        return packed.unpack_from(data, position)[0], position + packed.size

    return read


def _pair_reader(read: Reader) -> Reader:
    def pair(data: Data, position: int) -> tuple[Any, int]:
        value, position = read(data, position)
        return tuple(value.values()), position

    return pair


def _path_reader(children: Sequence[Any], endian: str, start: int | None, path: tuple[str, ...]) -> Reader | None:
    """A reader of one field of a field .., which skips what lies before it and stops there; None if there is none."""
    before = []
    for child in children:
        if child.m_Name == path[0]:
            break
        before.append(child)
    else:
        return None
    body = _fields(before, endian, start, frozenset(), 0)
    skip = body.skipper()
    if len(path) > 1:
        inner = _path_reader(child.m_Children, endian, body.start, path[1:])
    else:
        inner, _ = _reader(child, endian, body.start, False)
    if inner is None:
        return None

    def read(data: Data, position: int) -> tuple[Any, int]:
        return inner(data, skip(data, position)[1])

    return read


# --- plans --------------------------------------------------------------------------------------------------------


class Plan:
    """A compiled type tree of one class. ``fields`` are the names of its top-level fields."""

    def __init__(self, root: _Node, endian: str) -> None:
        self.root = root
        self.endian = endian
        self.fields = frozenset(child.m_Name for child in root.m_Children)
        self._readers: dict[frozenset[str] | None, Reader] = {}
        self._paths: dict[tuple[str, ...], Reader | None] = {}

    def read(self, data: Data, fields: frozenset[str] | None = None) -> tuple[dict[str, Any], int]:
        """The object's fields (all, or those wanted that the tree has) and the number of bytes that it took.

        Raises :class:`Fault` OBJECT_CORRUPT when the bytes end before the object does.
        """
        read = self._readers.get(fields)
        if read is None:
            read = _fields(self.root.m_Children, self.endian, 0, fields, 0).reader()
            self._readers[fields] = read
        value, position = self._run(read, data)
        if position > len(data):
            raise self._short(data)
        return value, position

    def peek(self, data: Data, *path: str) -> Any:
        """One field (of a field ..), without reading past it; None if the tree has none of that name."""
        if path not in self._paths:
            self._paths[path] = _path_reader(self.root.m_Children, self.endian, 0, path)
        read = self._paths[path]
        return None if read is None else self._run(read, data)[0]

    def _run(self, read: Reader, data: Data) -> tuple[Any, int]:
        try:
            return read(data, 0)
        except StructError:
            raise self._short(data) from None

    def _short(self, data: Data) -> Fault:
        return Fault(OBJECT_CORRUPT, f"a {self.root.m_Type} ends before its last field", size=len(data))
