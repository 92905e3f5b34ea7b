"""The metadata of a SerializedFile: types, object table and external references, every count checked.

Reads the formats from Unity 3.4 (format 8) to the newest, in both byte orders. Type trees are not parsed here: each
type keeps the range of its tree, which :func:`plan_of` compiles when an object of the class is first read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from struct import Struct
from struct import error as StructError
from typing import Any

import numpy as np
from numpy.typing import NDArray
from UnityPy.enums import ClassIDType
from UnityPy.helpers.UnityVersion import UnityVersion

from ..codes import INPUT_CORRUPT, INPUT_TRUNCATED, INPUT_UNSUPPORTED
from ..diagnostics import Fault
from ..raw import Version
from .cursor import Cursor
from .trees import blob_plan, bundled_plan
from .typetable import Tree, read_types
from .typetree import Plan

MAX_FORMAT = 40
"""Format numbers above this are not taken for a SerializedFile (the newest known is 23)."""


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
    cursor = Cursor(data, header.metadata_start, header.endian)
    format_ = header.format
    unity_version = cursor.text()
    platform = cursor.i32() if format_ >= 8 else 0
    has_trees = bool(cursor.byte()) if format_ >= 13 else True
    classes, trees = read_types(cursor, format_, has_trees)
    big_ids = bool(cursor.i32()) if 7 <= format_ < 14 else format_ >= 14
    table = _read_objects(cursor, format_, big_ids)
    type_ids = table["type_id"].astype(np.int64)
    class_ids = table["class_id"].astype(np.int64) if format_ < 16 else _class_ids(type_ids, classes)
    _skip_scripts(cursor, format_)
    externals = _read_externals(cursor)
    path_ids = table["path_id"].astype(np.int64)
    index = SerializedIndex(
        header,
        unity_version,
        platform,
        externals,
        trees,
        path_ids,
        table["start"].astype(np.int64) + header.data_offset,
        table["size"].astype(np.int64),
        type_ids,
        class_ids,
    )
    index.rows = dict(zip(path_ids.tolist(), range(len(path_ids)), strict=True))
    return index


def _skip_scripts(cursor: Cursor, format_: int) -> None:
    if format_ >= 11:
        for _ in range(cursor.count(8, "scripts")):
            cursor.i32()
            if format_ >= 14:
                cursor.align()
            cursor.skip(8 if format_ >= 14 else 4)


def _read_externals(cursor: Cursor) -> tuple[str, ...]:
    """Paths of the files that references lead to."""
    paths = []
    for _ in range(cursor.count(1, "external references")):
        cursor.text()
        cursor.skip(20)
        paths.append(cursor.text())
    return tuple(paths)


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


def _read_objects(cursor: Cursor, format_: int, big_ids: bool) -> NDArray[Any]:
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
