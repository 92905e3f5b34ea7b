"""Type trees: the shape of each Unity class by version, filling in a partial value, and encoding it to bytes.

The trees come from UnityPy's bundled package. A value is plain Python: dict for a class, list for a vector or map
(entries of a map are 2-tuples), ``bytes`` for TypelessData and vectors of bytes, and a numpy array wherever a vector's
elements have a fixed size equal to the array's item size (structured arrays for vectors of classes).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from UnityPy.helpers.Tpk import get_common_strings, get_typetree_node
from UnityPy.helpers.UnityVersion import UnityVersion

Node = Any
"""A UnityPy TypeTreeNode: m_Type, m_Name, m_ByteSize, m_Version, m_MetaFlag, m_Level, m_Index, m_Children."""

ALIGN_FLAG = 0x4000

SCALARS: dict[str, str] = {
    **dict.fromkeys(("SInt8",), "b"),
    **dict.fromkeys(("UInt8", "char"), "B"),
    **dict.fromkeys(("short", "SInt16"), "h"),
    **dict.fromkeys(("unsigned short", "UInt16"), "H"),
    **dict.fromkeys(("int", "SInt32"), "i"),
    **dict.fromkeys(("unsigned int", "UInt32", "Type*"), "I"),
    **dict.fromkeys(("long long", "SInt64"), "q"),
    **dict.fromkeys(("unsigned long long", "UInt64", "FileSize"), "Q"),
    "float": "f",
    "double": "d",
    "bool": "?",
}
"""``struct`` letters of the types that hold one number."""


@cache
def tree(class_id: int, version: str) -> Node:
    """The type tree of a class in a Unity version, as a release player stores it."""
    return get_typetree_node(class_id, UnityVersion.from_str(version))


def is_vector(node: Node) -> bool:
    """Vectors, maps and fixed arrays: a count, then elements (strings are kept apart)."""
    return node.m_Type != "string" and bool(node.m_Children) and node.m_Children[0].m_Type == "Array"


def element(node: Node) -> Node:
    """The node of a vector's elements."""
    return node.m_Children[0].m_Children[1]


def find(node: Node, *names: str) -> Node:
    """The node reached by field names; a vector on the way stands for its elements."""
    for name in names:
        inner = element(node) if is_vector(node) else node
        node = next(child for child in inner.m_Children if child.m_Name == name)
    return node


def has(node: Node, name: str) -> bool:
    """Whether a class has the field in this version."""
    return any(child.m_Name == name for child in node.m_Children)


def fill(node: Node, value: Any = None) -> Any:
    """``value`` with every field that it leaves out set to zero, at any depth.

    A field the version does not have raises KeyError, unless its key starts with ``?`` (then it is left out).
    """
    if is_vector(node):
        return _fill_vector(node, value)
    if node.m_Type in SCALARS:
        return (0.0 if SCALARS[node.m_Type] in "fd" else 0) if value is None else value
    if node.m_Type == "string":
        return "" if value is None else value
    if node.m_Type == "TypelessData":
        return b"" if value is None else value
    if node.m_Type == "pair":
        return tuple(map(fill, node.m_Children, (None, None) if value is None else value))
    return _fill_class(node, value or {})


def _fill_vector(node: Node, value: Any) -> Any:
    if isinstance(value, (bytes, np.ndarray)):
        return value
    return [fill(element(node), item) for item in value or ()]


def _fill_class(node: Node, value: dict[str, Any]) -> dict[str, Any]:
    given = {key.removeprefix("?"): item for key, item in value.items()}
    known = {child.m_Name for child in node.m_Children}
    for key in value:
        if key not in known and not key.startswith("?"):
            raise KeyError(f"{node.m_Type} has no field {key} in this version")
    return {child.m_Name: fill(child, given.get(child.m_Name)) for child in node.m_Children}


def encode(node: Node, value: Any, order: str, out: bytearray) -> None:
    """Append a filled value in byte order ``order`` (``<`` or ``>``) as the type tree lays it out."""
    align = bool((node.m_MetaFlag or 0) & ALIGN_FLAG)
    if is_vector(node):
        align = align or bool((node.m_Children[0].m_MetaFlag or 0) & ALIGN_FLAG)
        _encode_vector(element(node), value, order, out)
    elif node.m_Type in SCALARS:
        out += struct.pack(order + SCALARS[node.m_Type], value)
    elif node.m_Type == "string":
        _encode_blob(value.encode("utf-8", "surrogatepass"), order, out)
        align = True
    elif node.m_Type == "TypelessData":
        _encode_blob(value, order, out)
    else:
        items = value if node.m_Type == "pair" else [value[child.m_Name] for child in node.m_Children]
        for child, item in zip(node.m_Children, items, strict=True):
            encode(child, item, order, out)
    if align:
        out += bytes(-len(out) % 4)


def _encode_blob(data: bytes, order: str, out: bytearray) -> None:
    out += struct.pack(order + "i", len(data))
    out += data


def _encode_vector(item: Node, value: Any, order: str, out: bytearray) -> None:
    out += struct.pack(order + "i", len(value))
    if isinstance(value, bytes):
        value = np.frombuffer(value, np.uint8)
    if isinstance(value, np.ndarray):
        if value.itemsize * int(np.prod(value.shape[1:])) != item.m_ByteSize:
            raise ValueError(f"an element of {item.m_Type} takes {item.m_ByteSize} bytes, not {value.itemsize}")
        out += value.astype(value.dtype.newbyteorder(order), copy=False).tobytes()
        return
    for entry in value:
        encode(item, entry, order, out)


def walk(node: Node, level: int = 0) -> Iterator[tuple[Node, int]]:
    """Every node with its depth, parents first."""
    yield node, level
    for child in node.m_Children:
        yield from walk(child, level + 1)


def blob(root: Node, order: str, file_format: int) -> bytes:
    """A type tree as file formats 12 to 22 store it: node records, then the strings that Unity has not built in."""
    common: dict[str, int] = {text: offset | 0x80000000 for offset, text in get_common_strings().items()}
    own: dict[str, int] = {}
    strings = bytearray()

    def offset(text: str) -> int:
        if text in common:
            return common[text]
        if text not in own:
            own[text] = len(strings)
            strings.extend(text.encode() + b"\0")
        return own[text]

    records = bytearray()
    nodes = list(walk(root))
    for index, (node, level) in enumerate(nodes):
        records += struct.pack(
            order + "HBBIIiII",
            *(node.m_Version, level, node.m_Type == "Array", offset(node.m_Type), offset(node.m_Name)),
            *(node.m_ByteSize, index, node.m_MetaFlag or 0),
        )
        records += bytes(8 if file_format >= 19 else 0)  # m_RefTypeHash
    return struct.pack(order + "ii", len(nodes), len(strings)) + bytes(records) + bytes(strings)


def nested(root: Node, order: str) -> bytes:
    """A type tree as file formats before 10 store it: each node followed by its children."""
    out = bytearray()
    for index, (node, _) in enumerate(walk(root)):
        out += node.m_Type.encode() + b"\0" + node.m_Name.encode() + b"\0"
        flags = (index, int(node.m_Type == "Array"), node.m_Version, node.m_MetaFlag or 0, len(node.m_Children))
        out += struct.pack(order + "iiiiIi", node.m_ByteSize, *flags)
    return bytes(out)
