"""Readers of the nodes of a type tree: closures from (bytes, position) to (value, next position)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import Any

import numpy as np

from ..codes import OBJECT_CORRUPT
from ..diagnostics import Fault
from .layout import SCALARS, UNREADABLE, Build, Layout, Node, array_of, is_aligned, layout_of

Data = memoryview
Reader = Callable[[Data, int], tuple[Any, int]]
MAX_DEPTH = 64
"""Levels of a type tree: readers of nested fields call each other."""


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


def _string_reader(node: Node, endian: str, skip: bool) -> Reader:
    read_bytes = _bytes_reader(node, endian)

    def read(data: Data, position: int) -> tuple[Any, int]:
        value, stop = read_bytes(data, position)
        return None if skip else str(value, "utf-8", "surrogateescape"), (stop + 3) & ~3

    return read


def _bytes_reader(node: Node, endian: str) -> Reader:
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


def _array_reader(name: str, layout: Layout, endian: str) -> Reader:
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


def _smallest(node: Node) -> int:
    """The fewest bytes that a value of this node takes."""
    if node.m_Type in SCALARS:
        return np.dtype(SCALARS[node.m_Type][1]).itemsize
    if node.m_Type in ("string", "TypelessData") or array_of(node) is not None:
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

    def fixed(self, name: str, layout: Layout, keep: bool) -> None:
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


def read_fields(
    children: Sequence[Any], endian: str, start: int | None, wanted: frozenset[str] | None, depth: int
) -> _Body:
    body = _Body(endian, start)
    for child in children:
        keep = wanted is None or child.m_Name in wanted
        layout = layout_of(child, endian, body.start)
        if layout is not None:
            body.fixed(child.m_Name, layout, keep)
        else:
            read, after = _reader(child, endian, body.start, not keep, depth + 1)
            body.variable(child.m_Name, read, after, keep)
    return body


def _vector_reader(
    node: Node, array: Node, endian: str, start: int | None, skip: bool, depth: int
) -> tuple[Reader, int | None]:
    element = array.m_Children[1]
    after: int | None = None
    layout = layout_of(element, endian, start)
    if layout is not None and layout.size and not (layout.aligns and layout.size % 4):
        if skip:
            read = _array_skipper(node.m_Name, layout.size, endian)
        else:
            read = _array_reader(node.m_Name, layout, endian)
        after = start if layout.size % 4 == 0 else None
    else:
        read_element, _ = _reader(element, endian, None, skip, depth + 1)
        read = _list_reader(node.m_Name, read_element, _smallest(element), endian, skip)
    if is_aligned(node) or is_aligned(array):
        return _align_after(read), 0
    return read, after


def _reader(node: Node, endian: str, start: int | None, skip: bool, depth: int = 0) -> tuple[Reader, int | None]:
    """The reader of any node, and the position modulo four after it (None = not known beforehand)."""
    if depth > MAX_DEPTH or node.m_Type in UNREADABLE:
        raise Fault(OBJECT_CORRUPT, f"field {node.m_Name} of type {node.m_Type} cannot be read", field=node.m_Name)
    if node.m_Type == "string":
        return _string_reader(node, endian, skip), 0
    if node.m_Type == "TypelessData":
        read = _bytes_reader(node, endian)
        return (_align_after(read), 0) if is_aligned(node) else (read, None)
    array = array_of(node)
    if array is not None:
        if len(array.m_Children) != 2:
            raise Fault(OBJECT_CORRUPT, f"the array of {node.m_Name} has no element type", field=node.m_Name)
        return _vector_reader(node, array, endian, start, skip, depth)
    if node.m_Type in SCALARS:  # an aligned scalar at an unknown position
        packed = Struct(endian + SCALARS[node.m_Type][0])
        read = _scalar_reader(packed)
        return (_align_after(read), 0) if is_aligned(node) else (read, None)
    body = read_fields(node.m_Children, endian, start, frozenset() if skip else None, depth)
    read = body.skipper() if skip else body.reader()
    if node.m_Type == "pair" and not skip:
        read = _pair_reader(read)
    return (_align_after(read), 0) if is_aligned(node) else (read, body.start)


def _scalar_reader(packed: Struct) -> Reader:
    def read(data: Data, position: int) -> tuple[Any, int]:
        return packed.unpack_from(data, position)[0], position + packed.size

    return read


def _pair_reader(read: Reader) -> Reader:
    def pair(data: Data, position: int) -> tuple[Any, int]:
        value, position = read(data, position)
        return tuple(value.values()), position

    return pair


def path_reader(children: Sequence[Any], endian: str, start: int | None, path: tuple[str, ...]) -> Reader | None:
    """A reader of one field of a field .., which skips what lies before it and stops there; None if there is none."""
    before = []
    for child in children:
        if child.m_Name == path[0]:
            break
        before.append(child)
    else:
        return None
    body = read_fields(before, endian, start, frozenset(), 0)
    skip = body.skipper()
    if len(path) > 1:
        inner = path_reader(child.m_Children, endian, body.start, path[1:])
    else:
        inner, _ = _reader(child, endian, body.start, False)
    if inner is None:
        return None

    def read(data: Data, position: int) -> tuple[Any, int]:
        return inner(data, skip(data, position)[1])

    return read
