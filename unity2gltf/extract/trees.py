"""Type trees: the file's own, parsed from their blobs, and those that UnityPy brings for players without.

The same trees recur in every file of one Unity version, so compiled plans are shared by the bytes of the tree. Nodes of
files are our own: UnityPy's, which are written in C, crash the process on names that are no UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from struct import Struct

import numpy as np
from UnityPy.helpers.Tpk import get_common_strings, get_typetree, get_typetree_node
from UnityPy.helpers.UnityVersion import UnityVersion

from ..codes import OBJECT_CORRUPT
from ..diagnostics import Fault
from ..raw import Version
from .typetree import Plan

KEPT = 512
"""Compiled trees kept: some twenty classes of as many Unity versions."""


@dataclass(slots=True, eq=False)
class TreeNode:
    """A field: its type, name, flags and the fields within it, under UnityPy's names."""

    m_Type: str
    m_Name: str
    m_MetaFlag: int
    m_Children: list[TreeNode] = field(default_factory=list)


def build_tree(nodes: Iterable[tuple[int, TreeNode]]) -> TreeNode:
    """The root of nodes given depth first with their levels (0 = root). Raises :class:`Fault` OBJECT_CORRUPT."""
    path: list[TreeNode] = []
    for level, node in nodes:
        if level > len(path) or (level == 0) != (not path):
            raise Fault(OBJECT_CORRUPT, "the levels of a type tree make no tree", level=level, depth=len(path))
        if path:
            path[level - 1].m_Children.append(node)
        path[level:] = [node]
    if not path:
        raise Fault(OBJECT_CORRUPT, "a type tree has no nodes")
    return path[0]


def _node_dtype(endian: str, format_: int) -> np.dtype[np.void]:
    fields = [
        ("version", "u2"),
        ("level", "u1"),
        ("flags", "u1"),
        ("type", "u4"),
        ("name", "u4"),
        ("size", "i4"),
        ("index", "i4"),
        ("meta", "i4"),
    ]
    if format_ >= 19:
        fields.append(("hash", "u8"))
    return np.dtype([(name, endian + kind) for name, kind in fields])


def parse_blob(blob: bytes, endian: str, format_: int) -> TreeNode:
    """A tree of formats 10, 12 and later: an array of nodes, then their strings. Raises :class:`Fault`."""
    start = 8 if format_ >= 23 else 0
    count, length = Struct(endian + "2i").unpack_from(blob, start)
    dtype = _node_dtype(endian, format_)
    stop = start + 8 + count * dtype.itemsize
    if count < 0 or length < 0 or stop + length > len(blob):
        raise Fault(OBJECT_CORRUPT, "a type tree is longer than its bytes", nodes=count, size=len(blob))
    table = np.frombuffer(blob, dtype, count, start + 8)
    strings = blob[stop : stop + length]
    rows = zip(*(table[name].tolist() for name in ("level", "type", "name", "meta")), strict=True)
    return build_tree(
        (level, TreeNode(_text(strings, kind), _text(strings, name), meta)) for level, kind, name, meta in rows
    )


def _text(strings: bytes, offset: int) -> str:
    """A string of the blob, or with the top bit set one that every Unity knows."""
    if offset & 0x8000_0000:
        known = offset & 0x7FFF_FFFF
        return str(get_common_strings().get(known, known))
    stop = strings.find(0, offset)
    if stop < 0:
        raise Fault(OBJECT_CORRUPT, "a name in a type tree does not end", offset=offset)
    return strings[offset:stop].decode("utf-8", "surrogateescape")


@lru_cache(maxsize=KEPT)
def blob_plan(blob: bytes, endian: str, format_: int) -> Plan:
    """The compiled tree of a blob. Raises :class:`Fault` OBJECT_CORRUPT."""
    return Plan(parse_blob(blob, endian, format_), endian)


@lru_cache(maxsize=KEPT)
def bundled_plan(class_id: int, version: str, endian: str) -> Plan:
    """UnityPy's tree of a class for a Unity version; Unity before 3.4 has none."""
    parsed = UnityVersion.from_str(version)
    if parsed.as_tuple()[:2] < (3, 4):
        raise Fault(OBJECT_CORRUPT, f"Unity {version} has no known type trees, and the file has none of its own")
    try:
        return Plan(get_typetree_node(class_id, parsed), endian)
    except (KeyError, ValueError, AssertionError):
        raise Fault(OBJECT_CORRUPT, f"no type tree is known for class {class_id}", class_id=class_id) from None


@lru_cache(maxsize=1)
def newest_version() -> Version:
    """The newest Unity version that UnityPy's trees know."""
    newest = get_typetree().Versions[-1]
    return int(newest.major), int(newest.minor), int(newest.build)
