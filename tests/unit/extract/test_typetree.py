"""The array reader against UnityPy's writer, hand-computed bytes, and bytes that lie."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from UnityPy import classes
from UnityPy.helpers.TypeTreeHelper import write_typetree
from UnityPy.helpers.TypeTreeNode import TypeTreeNode
from UnityPy.streams import EndianBinaryWriter
from UnityPy.UnityPyBoost import read_typetree

from tests.unit.extract.leaves import leaves
from unity2gltf.diagnostics import Fault
from unity2gltf.extract.layout import ALIGN, SCALARS
from unity2gltf.extract.typetree import Plan


def node(kind: str, name: str, *children: TypeTreeNode, align: bool = False) -> TypeTreeNode:
    made = TypeTreeNode(0, kind, name, 0, 1, list(children))
    made.m_MetaFlag = ALIGN if align else 0
    return made


def array_of(element: TypeTreeNode, name: str = "items", kind: str = "vector", align: bool = False) -> TypeTreeNode:
    return node(kind, name, node("Array", "Array", node("int", "size"), element, align=align))


def read(root: TypeTreeNode, data: bytes, endian: str = "<") -> dict[str, Any]:
    value, used = Plan(root, endian).read(memoryview(data))
    assert used == len(data)
    return value


VECTOR3 = [node("float", axis) for axis in "xyz"]
POINTER = [node("int", "m_FileID"), node("SInt64", "m_PathID")]


def test_scalars_run_in_one_unpack() -> None:
    root = node("Thing", "Base", node("UInt8", "a"), node("bool", "b", align=True), node("int", "c"))
    assert read(root, bytes([7, 1, 0, 0]) + struct.pack("<i", -5)) == {"a": 7, "b": True, "c": -5}


def test_big_endian() -> None:
    root = node("Thing", "Base", node("UInt16", "a", align=True), array_of(node("float", "data")))
    value = read(root, struct.pack(">Hxxi2f", 258, 2, 0.5, -2.0), ">")
    assert value["a"] == 258
    assert value["items"].tolist() == [0.5, -2.0]


def test_float_types_are_tuples_and_rows() -> None:
    point = node("Vector3f", "data", *VECTOR3)
    root = node("Thing", "Base", node("Vector3f", "one", *VECTOR3), array_of(point))
    value = read(root, struct.pack("<3fi6f", 1, 2, 3, 2, 4, 5, 6, 7, 8, 9))
    assert value["one"] == (1, 2, 3)
    np.testing.assert_array_equal(value["items"], [[4, 5, 6], [7, 8, 9]])
    assert not value["items"].flags.writeable


def test_pointers_are_dicts_alone_and_columns_in_vectors() -> None:
    root = node("Thing", "Base", node("PPtr<Mesh>", "one", *POINTER), array_of(node("PPtr<Mesh>", "data", *POINTER)))
    value = read(root, struct.pack("<iqiiq", 1, -9, 1, 2, 1 << 40))
    assert value["one"] == {"m_FileID": 1, "m_PathID": -9}
    assert value["items"].tolist() == [(2, 1 << 40)]


def test_vector_of_odd_size_leaves_the_next_field_where_it_is() -> None:
    root = node("Thing", "Base", array_of(node("UInt8", "data")), node("UInt8", "next"))
    assert read(root, struct.pack("<i3BB", 3, 1, 2, 3, 9))["next"] == 9


def test_aligned_vector_of_bytes() -> None:
    root = node("Thing", "Base", array_of(node("UInt8", "data"), align=True), node("UInt8", "next"))
    assert read(root, struct.pack("<i3BxB", 3, 1, 2, 3, 9))["next"] == 9


def test_strings_keep_bytes_that_are_no_utf8() -> None:
    root = node("Thing", "Base", node("string", "m_Name"), node("int", "next"))
    value = read(root, struct.pack("<i2sxxi", 2, b"\xff\x41", 3))
    assert value == {"m_Name": "\udcffA", "next": 3}


def test_unwanted_fields_are_skipped_and_their_size_counts() -> None:
    inner = node("Inner", "inner", node("string", "text"), array_of(node("float", "data")))
    root = node("Thing", "Base", node("int", "a"), array_of(inner, "list"), node("int", "b"))
    data = struct.pack("<iii2sxxiffi", 1, 1, 2, b"hi", 2, 0, 0, 8)
    value, used = Plan(root, "<").read(memoryview(data), frozenset(("b", "absent")))
    assert (value, used) == ({"b": 8}, len(data))


def test_peek_stops_at_its_field() -> None:
    form = node("Form", "m_Form", array_of(node("string", "data")), node("string", "m_Name"), node("int", "rest"))
    plan = Plan(node("Shader", "Base", node("int", "a"), form), "<")
    data = memoryview(struct.pack("<iii4si4s", 0, 1, 2, b"xx", 4, b"Name"))
    assert plan.peek(data, "m_Form", "m_Name") == "Name"
    assert plan.peek(data, "m_Form", "absent") is None
    assert plan.peek(data, "absent") is None


@pytest.mark.parametrize("count", [-1, 3, 1 << 30, (1 << 31) - 1])
@pytest.mark.parametrize("element", ["float", "string", "UInt8"])
def test_lengths_past_the_end_do_not_allocate(count: int, element: str) -> None:
    root = node("Thing", "Base", array_of(node(element, "data")))
    with pytest.raises(Fault) as fault:
        Plan(root, "<").read(memoryview(struct.pack("<iH", count, 0)))
    assert fault.value.code.name == "OBJECT_CORRUPT"


def test_elements_without_fields_do_not_loop() -> None:
    root = node("Thing", "Base", array_of(node("Nothing", "data")))
    with pytest.raises(Fault):
        Plan(root, "<").read(memoryview(struct.pack("<i", (1 << 31) - 1)))


def test_short_object_is_a_fault_whether_read_or_skipped() -> None:
    plan = Plan(node("Thing", "Base", node("int", "a"), node("double", "b")), "<")
    for fields in (None, frozenset(("a",))):
        with pytest.raises(Fault):
            plan.read(memoryview(bytes(8)), fields)


def test_tree_nested_beyond_reason_is_a_fault() -> None:
    deep = node("int", "leaf")
    for _ in range(200):
        deep = array_of(deep)
    with pytest.raises(Fault):
        Plan(node("Thing", "Base", deep), "<").read(memoryview(bytes(64)))


# --- against UnityPy's writer ---------------------------------------------------------------------------------------

_RANGES = {code: (0, 255) if code == "B" else (-100, 100) if code in "bhiq" else (0, 200) for code in "bBhHiIqQ"}


@st.composite
def field(draw: st.DrawFn, name: str, depth: int = 0) -> tuple[TypeTreeNode, st.SearchStrategy[Any]]:
    """A random node and a strategy for its values."""
    kinds = ["scalar", "scalar", "string", "bytes", "point"] + (["vector", "class", "pair"] if depth < 3 else [])
    kind = draw(st.sampled_from(kinds))
    align = draw(st.booleans())
    if kind == "string":
        return node("string", name, node("Array", "Array", align=True)), st.text("aé", max_size=5)
    if kind == "bytes":
        return node("TypelessData", name, align=True), st.binary(max_size=6)
    if kind == "point":
        values = st.tuples(*[st.integers(-9, 9).map(float)] * 3).map(lambda v: dict(zip("xyz", v, strict=True)))
        return node("Vector3f", name, *[node("float", axis) for axis in "xyz"], align=align), values
    if kind == "vector":
        element, values = draw(field("data", depth + 1))
        return array_of(element, name, align=align), st.lists(values, max_size=3)
    if kind in ("class", "pair"):
        names = ["first", "second"] if kind == "pair" else ["a", "b", "c"][: draw(st.integers(1, 3))]
        parts = [draw(field(part, depth + 1)) for part in names]
        made = node("pair" if kind == "pair" else "Inner", name, *[part for part, _ in parts], align=align)
        values = st.tuples(*[value for _, value in parts])
        return made, values if kind == "pair" else values.map(lambda v: dict(zip(names, v, strict=True)))
    scalar = draw(st.sampled_from(sorted(set(SCALARS) - {"Type*", "FileSize"})))
    code = SCALARS[scalar][0]
    if code == "?":
        return node(scalar, name, align=align), st.booleans()
    numbers = st.integers(-9, 9).map(float) if code in "fd" else st.integers(*_RANGES[code])
    return node(scalar, name, align=align), numbers


@given(st.data(), st.sampled_from("<>"))
def test_reads_what_unitypy_writes(data: st.DataObject, endian: str) -> None:
    count = data.draw(st.integers(1, 5))
    fields = [data.draw(field(f"f{number}")) for number in range(count)]
    root = node("Thing", "Base", *[made for made, _ in fields])
    value = {f"f{number}": data.draw(values) for number, (_, values) in enumerate(fields)}
    writer = EndianBinaryWriter(endian=endian)
    write_typetree(value, root, writer)
    got, used = Plan(root, endian).read(memoryview(writer.bytes))
    assert used == len(writer.bytes)
    assert leaves(got) == leaves(value)
    wanted = frozenset(name for name in value if data.draw(st.booleans()))
    some, used = Plan(root, endian).read(memoryview(writer.bytes), wanted)
    assert used == len(writer.bytes)
    assert leaves(some) == leaves({name: value[name] for name in value if name in wanted})


def test_blend_shape_vertices_are_a_view_with_unitypys_values() -> None:
    count = 50_000
    vertex = node(
        "BlendShapeVertex",
        "data",
        *[node("Vector3f", name, *VECTOR3) for name in ("vertex", "normal", "tangent")],
        node("unsigned int", "index"),
    )
    root = node("Mesh", "Base", array_of(vertex))
    data = struct.pack("<i", count) + np.arange(count * 10, dtype="<f4").tobytes()
    plan = Plan(root, "<")
    mine, _ = plan.read(memoryview(data))
    theirs, _ = read_typetree(data, root, "<", True, None, classes)
    assert np.shares_memory(mine["items"], np.frombuffer(data, np.uint8))
    assert mine["items"]["vertex"][count - 1].tolist() == list(theirs["items"][-1]["vertex"].values())
