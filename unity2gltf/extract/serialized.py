"""The metadata of a SerializedFile: types, object table and external references, every count checked.

Reads the formats from Unity 3.4 (format 8) to the newest, in both byte orders. Type trees are not parsed here: each
type keeps the range of its tree, which :func:`plan_of` compiles when an object of the class is first read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from struct import Struct
from struct import error as StructError
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from UnityPy.enums import ClassIDType
from UnityPy.helpers.UnityVersion import UnityVersion

from ..codes import INPUT_CORRUPT, INPUT_TRUNCATED, INPUT_UNSUPPORTED
from ..diagnostics import Fault
from ..raw import Version
from .readers import MAX_DEPTH
from .trees import TreeNode, blob_plan, build_tree, bundled_plan
from .typetree import Plan

MAX_FORMAT = 40
"""Format numbers above this are not taken for a SerializedFile (the newest known is 23)."""

Tree: TypeAlias = tuple[int, int] | TreeNode | None
"""A type's tree: (offset, size) of its blob in the file, or parsed (formats 7 to 9 and 11), or absent."""


@dataclass(frozen=True, slots=True)
class Header:
    metadata_size: int
    file_size: int
    format: int
    data_offset: int
    endian: str
    metadata_start: int


@dataclass(slots=True)
class SerializedIndex:
    """What a file says about itself. Arrays have one entry an object, in the file's order."""

    header: Header
    unity_version: str
    platform: int
    externals: tuple[str, ...]
    trees: dict[int, Tree]  # by type id
    path_ids: NDArray[np.int64]
    offsets: NDArray[np.int64]
    sizes: NDArray[np.int64]
    type_ids: NDArray[np.int64]
    class_ids: NDArray[np.int64]
    rows: dict[int, int] = field(default_factory=dict)  # path id -> row

    def by_class(self) -> dict[str, tuple[int, ...]]:
        """Sorted path ids by class name."""
        return {
            class_name(int(number)): tuple(np.sort(self.path_ids[self.class_ids == number]).tolist())
            for number in np.unique(self.class_ids)
        }

    def class_name_of(self, row: int) -> str:
        """The class of the object in a row."""
        return class_name(int(self.class_ids[row]))


@cache
def class_name(number: int) -> str:
    """``Mesh`` for 43; ``Class_123456`` for a number without a name."""
    try:
        name = ClassIDType(number).name
    except ValueError:
        return f"Class_{number}"
    return name if name and not name.isdigit() else f"Class_{number}"


def parse_version(text: str) -> Version | None:
    """(2019, 4, 40) of ``2019.4.40f1``; None when stripped or malformed."""
    try:
        version = UnityVersion.from_str(text)
    except ValueError:
        return None
    return (version.major, version.minor, version.build) if version.major else None


class _Cursor:
    """A position in the file's bytes; running over the end raises ``struct.error``."""

    def __init__(self, data: memoryview, position: int, endian: str) -> None:
        self.data, self.position, self.endian = data, position, endian
        self._i32 = Struct(endian + "i")

    def _take(self, packed: Struct) -> Any:
        value = packed.unpack_from(self.data, self.position)[0]
        self.position += packed.size
        return value

    def i32(self) -> int:
        return int(self._take(self._i32))

    def byte(self) -> int:
        value = self.data[self.position : self.position + 1]
        self.position += 1
        if not value:
            raise StructError("end of file")
        return value[0]

    def skip(self, count: int) -> None:
        if count < 0 or self.position + count > len(self.data):
            raise StructError("end of file")
        self.position += count

    def align(self) -> None:
        self.position = (self.position + 3) & ~3

    def text(self) -> str:
        """A string that ends with a zero byte."""
        window = 256
        while True:
            chunk = bytes(self.data[self.position : self.position + window])
            stop = chunk.find(0)
            if stop >= 0:
                self.position += stop + 1
                return chunk[:stop].decode("utf-8", "surrogateescape")
            if len(chunk) < window or window > 1 << 16:
                raise StructError("a string does not end")
            window *= 4

    def count(self, smallest: int, what: str) -> int:
        """A count of entries that take at least ``smallest`` bytes each."""
        value = self.i32()
        left = len(self.data) - self.position
        if value < 0 or value * smallest > left:
            raise Fault(
                INPUT_CORRUPT, f"{value} {what} do not fit in the {left} bytes left", count=value, bytes_left=left
            )
        return value


def read_header(data: memoryview, length: int | None = None) -> Header | None:
    """The header, or None if these bytes are no SerializedFile. ``length``: the whole file's, if ``data`` is its head.

    The file may be shorter than its header says: that is for the caller to judge.
    """
    length = len(data) if length is None else length
    if len(data) < 20:
        return None
    metadata_size, file_size, format_, data_offset = Struct(">4I").unpack_from(data)
    if not 5 <= format_ <= MAX_FORMAT:
        return None
    if format_ < 9:
        start = file_size - metadata_size
        if not 16 <= start < length or file_size > length or file_size + 16 < length:
            return None
        endian = data[start] if start < len(data) else 0
        return Header(metadata_size, file_size, format_, data_offset, "<>"[endian], start + 1) if endian < 2 else None
    if data[16] > 1 or any(data[17:20]):
        return None
    start = 20
    if format_ >= 22:
        if len(data) < 48:
            return None
        metadata_size, file_size, data_offset = Struct(">Iqq").unpack_from(data, 20)
        start = 48
    if not (0 < metadata_size <= file_size and start <= data_offset <= file_size):
        return None
    return Header(metadata_size, file_size, format_, data_offset, "<>"[data[16]], start)


def parse(data: memoryview) -> SerializedIndex:
    """Index a whole file's bytes. Raises :class:`Fault` INPUT_CORRUPT, INPUT_TRUNCATED or INPUT_UNSUPPORTED."""
    header = read_header(data)
    if header is None:
        raise Fault(INPUT_CORRUPT, "not a SerializedFile", size=len(data))
    if header.file_size > len(data):
        raise Fault(
            INPUT_TRUNCATED,
            f"the header says {header.file_size} bytes, but there are {len(data)}",
            expected=header.file_size,
            size=len(data),
        )
    if header.format < 7:
        raise Fault(INPUT_UNSUPPORTED, f"format {header.format} is older than Unity 3.4", format=header.format)
    try:
        return _parse(data, header)
    except StructError:
        raise Fault(INPUT_CORRUPT, "the metadata runs over the end of the file", size=len(data)) from None


def _parse(data: memoryview, header: Header) -> SerializedIndex:
    cursor = _Cursor(data, header.metadata_start, header.endian)
    format_ = header.format
    unity_version = cursor.text()
    platform = cursor.i32() if format_ >= 8 else 0
    has_trees = bool(cursor.byte()) if format_ >= 13 else True
    classes: list[int] = []
    trees: dict[int, Tree] = {}
    for number in range(cursor.count(4, "types")):
        class_id, tree = _read_type(cursor, format_, has_trees)
        classes.append(class_id)
        trees[number if format_ >= 16 else class_id] = tree
    big_ids = bool(cursor.i32()) if 7 <= format_ < 14 else format_ >= 14
    table = _read_objects(cursor, format_, big_ids)
    type_ids = table["type_id"].astype(np.int64)
    class_ids = table["class_id"].astype(np.int64) if format_ < 16 else _class_ids(type_ids, classes)
    if format_ >= 11:
        for _ in range(cursor.count(8, "scripts")):
            cursor.i32()
            if format_ >= 14:
                cursor.align()
            cursor.skip(8 if format_ >= 14 else 4)
    externals = []
    for _ in range(cursor.count(1, "external references")):
        if format_ >= 6:
            cursor.text()
        cursor.skip(20)
        externals.append(cursor.text())
    path_ids = table["path_id"].astype(np.int64)
    index = SerializedIndex(
        header,
        unity_version,
        platform,
        tuple(externals),
        trees,
        path_ids,
        table["start"].astype(np.int64) + header.data_offset,
        table["size"].astype(np.int64),
        type_ids,
        class_ids,
    )
    index.rows = dict(zip(path_ids.tolist(), range(len(path_ids)), strict=True))
    return index


def _class_ids(type_ids: NDArray[np.int64], classes: list[int]) -> NDArray[np.int64]:
    if len(type_ids) and not (type_ids.min() >= 0 and type_ids.max() < len(classes)):
        raise Fault(INPUT_CORRUPT, "an object names a type that the file does not list", types=len(classes))
    return np.array(classes or [0], np.int64)[type_ids]


def _object_dtype(format_: int, big_ids: bool, endian: str) -> tuple[np.dtype[Any], int]:
    """One entry of the object table, padded to where the next one starts, and its size without padding."""
    fields = [
        ("path_id", "i8" if big_ids else "i4"),
        ("start", "i8" if format_ >= 22 else "u4"),
        ("size", "u4"),
        ("type_id", "i4"),
    ]
    if format_ < 16:
        fields.append(("class_id", "u2"))
    if format_ < 17:
        fields.append(("script", "u2"))
    if format_ in (15, 16):
        fields.append(("stripped", "u1"))
    packed = np.dtype([(name, endian + kind) for name, kind in fields])
    if format_ < 14:
        return packed, packed.itemsize
    offsets = [packed.fields[name][1] for name, _ in fields] if packed.fields else []
    padded = np.dtype(
        {
            "names": [name for name, _ in fields],
            "formats": [endian + kind for _, kind in fields],
            "offsets": offsets,
            "itemsize": (packed.itemsize + 3) & ~3,
        }
    )
    return padded, packed.itemsize


def _read_objects(cursor: _Cursor, format_: int, big_ids: bool) -> NDArray[Any]:
    dtype, size = _object_dtype(format_, big_ids, cursor.endian)
    count = cursor.count(size, "objects")
    if count == 0:
        return np.zeros(0, dtype)
    if format_ >= 14:
        cursor.align()
    whole = (count - 1) * dtype.itemsize + size
    raw = bytes(cursor.data[cursor.position : cursor.position + whole]).ljust(count * dtype.itemsize, b"\0")
    cursor.skip(whole)
    return np.frombuffer(raw, dtype, count)


# --- types --------------------------------------------------------------------------------------------------------


def _read_type(cursor: _Cursor, format_: int, has_trees: bool) -> tuple[int, Tree]:
    class_id = cursor.i32()
    if format_ >= 16:
        cursor.skip(1)
    if format_ >= 17:
        cursor.skip(2)
    if format_ >= 13:
        scripted = class_id == 114 if format_ >= 16 else class_id < 0
        cursor.skip(32 if scripted else 16)
    if not has_trees:
        return class_id, None
    tree: Tree = None
    size = None
    if format_ >= 23:
        cursor.skip(16)
        size = cursor.i32()
    if format_ >= 12 or format_ == 10:
        if size != 0:
            tree = _blob_range(cursor, format_)
    else:
        tree = _nested_tree(cursor)
    if format_ >= 21:
        cursor.skip(4 * cursor.count(4, "type dependencies"))
    return class_id, tree


def _blob_range(cursor: _Cursor, format_: int) -> tuple[int, int]:
    start = cursor.position
    if format_ >= 23:
        cursor.skip(8)
    nodes = cursor.i32()
    strings = cursor.i32()
    if nodes < 0 or strings < 0:
        raise Fault(INPUT_CORRUPT, "a type tree has a negative size", nodes=nodes, strings=strings)
    cursor.skip(nodes * (32 if format_ >= 19 else 24) + strings)
    return start, cursor.position - start


def _nested_tree(cursor: _Cursor) -> TreeNode:
    """A tree of formats 7 to 9 and 11: nodes one after the other, each with its number of children."""
    nodes: list[tuple[int, TreeNode]] = []
    pending = [1]
    while pending:
        if pending[-1] == 0:
            pending.pop()
            continue
        pending[-1] -= 1
        kind, name = cursor.text(), cursor.text()
        cursor.skip(16)
        nodes.append((len(pending) - 1, TreeNode(kind, name, cursor.i32())))
        pending.append(cursor.count(26, "type tree nodes"))
        if len(pending) > MAX_DEPTH:
            raise Fault(INPUT_CORRUPT, "a type tree is nested too deeply", depth=len(pending))
    return build_tree(nodes)


def plan_of(index: SerializedIndex, data: memoryview, row: int, version: str) -> Plan:
    """The compiled tree for the object in ``row``: the file's own, else UnityPy's for that version.

    Raises :class:`Fault` OBJECT_CORRUPT when there is none.
    """
    tree = index.trees.get(int(index.type_ids[row]))
    endian = index.header.endian
    if isinstance(tree, tuple):
        return blob_plan(bytes(data[tree[0] : tree[0] + tree[1]]), endian, index.header.format)
    if tree is not None:
        return Plan(tree, endian)
    return bundled_plan(int(index.class_ids[row]), version, endian)
