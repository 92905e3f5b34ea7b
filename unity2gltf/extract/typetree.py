"""Reading an object's bytes by its type tree, with big vectors straight to numpy.

A tree is compiled once into a :class:`Plan`: neighbouring scalars become one ``struct.unpack``, vectors whose elements
have a fixed size become array views of the object's own bytes, the rest is read field by field. Every length is
checked against the bytes left before anything is allocated.

Values: classes are dicts; ``pair`` is a tuple; a vector of fixed-size elements is a read-only ndarray (structured for
classes, ``(N, k)`` for the float types in :data:`layout.TUPLES`), other vectors are lists; the float types outside of
vectors are tuples; ``TypelessData`` is a memoryview.
"""

from __future__ import annotations

from struct import error as StructError
from typing import Any

from ..codes import OBJECT_CORRUPT
from ..diagnostics import Fault
from .layout import Node
from .readers import Data, Reader, path_reader, read_fields


class Plan:
    """A compiled type tree of one class."""

    def __init__(self, root: Node, endian: str) -> None:
        self.root = root
        self.endian = endian
        self._readers: dict[frozenset[str] | None, Reader] = {}
        self._paths: dict[tuple[str, ...], Reader | None] = {}

    def read(self, data: Data, fields: frozenset[str] | None = None) -> tuple[dict[str, Any], int]:
        """The object's fields (all, or those wanted that the tree has) and the number of bytes that it took.

        Raises :class:`Fault` OBJECT_CORRUPT when the bytes end before the object does.
        """
        read = self._readers.get(fields)
        if read is None:
            read = read_fields(self.root.m_Children, self.endian, 0, fields, 0).reader()
            self._readers[fields] = read
        value, position = self._run(read, data)
        if position > len(data):
            raise self._short(data)
        return value, position

    def peek(self, data: Data, *path: str) -> Any:
        """One field (of a field ..), without reading past it; None if the tree has none of that name."""
        if path not in self._paths:
            self._paths[path] = path_reader(self.root.m_Children, self.endian, 0, path)
        read = self._paths[path]
        return None if read is None else self._run(read, data)[0]

    def _run(self, read: Reader, data: Data) -> tuple[Any, int]:
        try:
            return read(data, 0)
        except StructError:
            raise self._short(data) from None

    def _short(self, data: Data) -> Fault:
        return Fault(OBJECT_CORRUPT, f"a {self.root.m_Type} ends before its last field", size=len(data))
