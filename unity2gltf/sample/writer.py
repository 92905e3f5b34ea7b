"""Write Unity's SerializedFile format (``level0``, ``sharedassets0.assets``, the inside of a bundle) from nothing."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from UnityPy.helpers.UnityVersion import UnityVersion

from . import typetree

Order = Literal["<", ">"]
"""Byte order of a file's numbers."""

WINDOWS_64 = 19
"""Unity's BuildTarget of a Windows player."""

FORMATS = (("2020.1.0a1", 22), ("2019.1.0a1", 21), ("5.5.0a1", 17), ("5.0.0a1", 15), ("4.0.0a1", 9))
"""The file format each Unity version writes, newest first."""

MONO_BEHAVIOUR = 114


@cache
def file_format(version: str) -> int:
    """The SerializedFile format number that a Unity version writes."""
    parsed = UnityVersion.from_str(version)
    for since, number in FORMATS:
        if parsed >= UnityVersion.from_str(since):
            return number
    raise ValueError(f"no file format is known for Unity {version}")


@dataclass(frozen=True, slots=True)
class Written:
    """One object of a file: its class, the complete value (None for raw bytes), and the encoded bytes."""

    class_id: int
    value: Any
    data: bytes


@dataclass(slots=True)
class FileBuilder:
    """A SerializedFile under construction. ``add`` objects, then ``to_bytes``.

    ``version``: Unity's, such as ``2022.3.20f1``. ``type_trees``: bundles carry them, players do not.
    """

    version: str
    type_trees: bool = True
    big_endian: bool = False
    platform: int = WINDOWS_64
    objects: dict[int, Written] = field(default_factory=dict)
    externals: list[tuple[str, bytes, int]] = field(default_factory=list)
    _next: int = 1

    @property
    def order(self) -> Order:
        return ">" if self.big_endian else "<"

    @property
    def format(self) -> int:
        return file_format(self.version)

    def has_field(self, class_id: int, name: str) -> bool:
        """Whether the class has the field in this Unity version."""
        return typetree.has(typetree.tree(class_id, self.version), name)

    def reserve(self) -> int:
        """A path id for an object that others refer to before it is added."""
        self._next += 1
        return self._next - 1

    def add(self, class_id: int, fields: Mapping[str, Any], path_id: int | None = None) -> int:
        """Add an object; fields left out are zero (see :func:`typetree.fill`). Gives its path id."""
        node = typetree.tree(class_id, self.version)
        value = typetree.fill(node, dict(fields))
        data = bytearray()
        typetree.encode(node, value, self.order, data)
        return self._put(Written(class_id, value, bytes(data)), path_id)

    def add_bytes(self, class_id: int, data: bytes, path_id: int | None = None) -> int:
        """Add an object with a body of any bytes, right or wrong."""
        return self._put(Written(class_id, None, data), path_id)

    def _put(self, written: Written, path_id: int | None) -> int:
        path_id = self.reserve() if path_id is None else path_id
        if path_id in self.objects:
            raise ValueError(f"path id {path_id} is taken")
        self._next = max(self._next, path_id + 1)
        self.objects[path_id] = written
        return path_id

    def external(self, path: str, guid: bytes = bytes(16), kind: int = 0) -> int:
        """Name another file; the result is the m_FileID of references into it."""
        entry = (path, guid, kind)
        if entry not in self.externals:
            self.externals.append(entry)
        return self.externals.index(entry) + 1

    def to_bytes(self) -> bytes:
        """The whole file: header, metadata (types, objects, externals), object data aligned to 8 bytes."""
        classes = list(dict.fromkeys(written.class_id for written in self.objects.values()))
        if self.format < 13 and not self.type_trees:
            classes = []  # old players list no types at all
        data, places = bytearray(), {}
        for path_id, written in sorted(self.objects.items()):
            data += bytes(-len(data) % 8)
            places[path_id] = len(data)
            data += written.data
        return _assemble(self, self._metadata(classes, places), bytes(data))

    def _metadata(self, classes: list[int], places: dict[int, int]) -> bytes:
        out = bytearray(self.version.encode() + b"\0" + self._pack("i", self.platform))
        if self.format >= 13:
            out += self._pack("?", self.type_trees)
        out += self._pack("i", len(classes))
        for class_id in classes:
            out += self._type(class_id)
        if self.format < 14:
            out += self._pack("i", 0)  # 32-bit path ids
        out += self._pack("i", len(places))
        for path_id, start in places.items():
            self._object(out, path_id, start, classes)
        if self.format >= 11:
            out += self._pack("i", 0)  # script types
        out += self._pack("i", len(self.externals))
        for path, guid, kind in self.externals:
            out += b"\0" + guid + self._pack("i", kind) + path.encode() + b"\0"
        if self.format >= 20:
            out += self._pack("i", 0)  # types of managed references
        return bytes(out + b"\0")  # user information

    def _pack(self, letters: str, *values: Any) -> bytes:
        return struct.pack(self.order + letters, *values)

    def _type(self, class_id: int) -> bytes:
        out = self._pack("i", class_id)
        if self.format >= 17:
            out += self._pack("?h", False, -1)
        if self.format >= 13:
            # Unity's own hash is not published: any 16 bytes that differ by class do
            out += bytes(16) if class_id == MONO_BEHAVIOUR and self.format >= 16 else b""
            out += zlib.crc32(b"%d" % class_id).to_bytes(4, "little") * 4
        if self.type_trees:
            node = typetree.tree(class_id, self.version)
            modern = self.format >= 12
            out += typetree.blob(node, self.order, self.format) if modern else typetree.nested(node, self.order)
            if self.format >= 21:
                out += self._pack("i", 0)  # types this one depends on
        return out

    def _object(self, out: bytearray, path_id: int, start: int, classes: list[int]) -> None:
        written = self.objects[path_id]
        if self.format >= 14:
            out += bytes(-len(out) % 4)
        out += self._pack("q" if self.format >= 14 else "i", path_id)
        out += self._pack("q" if self.format >= 22 else "I", start)
        out += self._pack("I", len(written.data))
        if self.format >= 17:
            out += self._pack("i", classes.index(written.class_id))
            return
        out += self._pack("iH", written.class_id, written.class_id & 0xFFFF)
        out += self._pack("h", -1 if self.format >= 11 else 0)  # script type, or the "destroyed" flag
        if self.format >= 15:
            out += self._pack("?", False)  # stripped


def _assemble(file: FileBuilder, metadata: bytes, data: bytes) -> bytes:
    """Header, metadata, padding to 16, data. The header's numbers are big-endian in every file."""
    large = file.format >= 22
    header_size = 48 if large else 20
    data_offset = -(-(header_size + len(metadata)) // 16) * 16
    size = data_offset + len(data)
    sizes = (0, 0, file.format, 0) if large else (len(metadata), size, file.format, data_offset)
    header = struct.pack(">IIII?3x", *sizes, file.big_endian)
    if large:
        header += struct.pack(">Iqqq", len(metadata), size, data_offset, 0)
    return (header + metadata).ljust(data_offset, b"\0") + data
