"""Index buffers to primitives: every topology, width, byte order and offset."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.mesh_writer import make_raw, pack_ints, submesh, u16, u32
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Submesh, Topology
from unity2gltf.normalize.mesh.primitives import decode_submeshes
from unity2gltf.raw import RawMesh, RawSubMesh


def decode(raw: RawMesh, vertices: int = 100) -> tuple[tuple[Submesh, ...], Diagnostics]:
    diagnostics = Diagnostics()
    submeshes = decode_submeshes(raw, vertices, diagnostics)
    assert [item.number for item in submeshes] == list(range(len(raw.submeshes)))
    for item in submeshes:
        assert item.indices.dtype == np.dtype("<u4")
        assert item.indices.flags.c_contiguous
    return submeshes, diagnostics


@pytest.mark.parametrize(
    ("topology", "indices", "expected", "mode"),
    [
        (0, [0, 1, 2, 2, 1, 3], [0, 1, 2, 2, 1, 3], Topology.TRIANGLES),
        (1, [0, 1, 2, 3, 4], [0, 1, 2, 2, 1, 3, 2, 3, 4], Topology.TRIANGLES),
        # two strips joined by degenerate triangles: 3 3 4 4 keeps the second strip's winding
        (1, [0, 1, 2, 3, 3, 4, 4, 5, 6], [0, 1, 2, 2, 1, 3, 4, 5, 6], Topology.TRIANGLES),
        (2, [0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7], Topology.TRIANGLES),
        (3, [0, 1, 2, 3], [0, 1, 2, 3], Topology.LINES),
        (4, [0, 1, 2], [0, 1, 2], Topology.LINE_STRIP),
        (5, [2, 0], [2, 0], Topology.POINTS),
    ],
)
def test_topologies(topology: int, indices: list[int], expected: list[int], mode: Topology) -> None:
    raw = make_raw(submeshes=(submesh(indices, topology),), index_buffer=u16(indices))
    (result,), diagnostics = decode(raw)
    assert (result.topology, result.indices.tolist()) == (mode, expected)
    assert diagnostics.items == []


def test_a_strip_that_joins_on_an_odd_place_turns_back() -> None:
    indices = [0, 1, 2, 2, 4, 4, 5, 6]  # the triangle 4 5 6 starts at place 5
    (result,), _ = decode(make_raw(submeshes=(submesh(indices, 1),), index_buffer=u16(indices)))
    assert result.indices.tolist() == [0, 1, 2, 5, 4, 6]


@pytest.mark.parametrize("big_endian", [False, True])
def test_widths_and_byte_orders(big_endian: bool) -> None:
    order = ">" if big_endian else "<"
    for width, data in ((0, u16([0, 70, 2], order)), (1, u32([0, 70, 2], order))):
        raw = make_raw(big_endian=big_endian, index_format=width, submeshes=(submesh([0] * 3),), index_buffer=data)
        assert decode(raw)[0][0].indices.tolist() == [0, 70, 2]


def test_first_byte_and_base_vertex() -> None:
    raw = make_raw(
        index_buffer=u16([9, 0, 1, 2, 50, 51, 52]),
        submeshes=(submesh([0] * 3, first=2, base=40), submesh([0] * 3, first=8, base=-50)),
    )
    submeshes, diagnostics = decode(raw)
    assert [item.indices.tolist() for item in submeshes] == [[40, 41, 42], [0, 1, 2]]
    assert diagnostics.items == []


def test_first_byte_counts_in_the_width_of_the_buffer_where_indices_are_packed() -> None:
    packed = pack_ints([0, 1, 2, 2, 1, 3], 2)
    for width, first in ((0, 6), (1, 12)):
        raw = make_raw(
            index_format=width, compressed={"m_Triangles": packed}, submeshes=(submesh([0] * 3, first=first),)
        )
        assert decode(raw)[0][0].indices.tolist() == [2, 1, 3]


@pytest.mark.parametrize(
    ("topology", "count", "left"), [(0, 5, 3), (0, 2, 0), (1, 2, 0), (2, 7, 6), (3, 3, 2), (4, 1, 0)]
)
def test_indices_after_the_last_whole_primitive(topology: int, count: int, left: int) -> None:
    raw = make_raw(submeshes=(submesh([0] * count, topology),), index_buffer=u16(list(range(count))))
    (result,), diagnostics = decode(raw)
    assert len(result.indices) == left
    assert [item.code for item in diagnostics.items] == [codes.MESH_INDICES_TRIMMED]
    assert diagnostics.items[0].where == "submesh 0"


@pytest.mark.parametrize(("base", "indices"), [(0, [0, 1, 100]), (98, [0, 1, 2]), (-1, [0, 1, 2])])
def test_an_index_without_a_vertex_empties_its_submesh_alone(base: int, indices: list[int]) -> None:
    raw = make_raw(
        index_buffer=u16([*indices, 3, 4, 5]),
        submeshes=(submesh([0] * 3, base=base), submesh([0] * 3, first=6)),
    )
    submeshes, diagnostics = decode(raw)
    assert [item.indices.tolist() for item in submeshes] == [[], [3, 4, 5]]
    assert [(item.code, item.where) for item in diagnostics.items] == [(codes.MESH_INDEX_RANGE, "submesh 0")]


@pytest.mark.parametrize(("first", "count"), [(2, 3), (0, 4), (1 << 31, 3), (0, 1 << 31), (-2, 3), (0, -3)])
def test_a_submesh_that_leaves_the_buffer(first: int, count: int) -> None:
    broken = RawSubMesh(first_byte=first, index_count=count, topology=0)
    raw = make_raw(index_buffer=u16([0, 1, 2]), submeshes=(broken,))
    (result,), diagnostics = decode(raw)
    assert len(result.indices) == 0
    assert [item.code for item in diagnostics.items] == [codes.MESH_DATA_TRUNCATED]


@pytest.mark.parametrize("topology", [6, -1, 1 << 31])
def test_an_unknown_topology(topology: int) -> None:
    raw = make_raw(index_buffer=u16([0, 1, 2]), submeshes=(submesh([0] * 3, topology),))
    (result,), diagnostics = decode(raw)
    assert len(result.indices) == 0
    assert [item.code for item in diagnostics.items] == [codes.MESH_TOPOLOGY_UNKNOWN]


def test_an_empty_submesh_keeps_its_number_in_silence() -> None:
    raw = make_raw(index_buffer=u16([0, 1, 2]), submeshes=(submesh([]), submesh([0] * 3)))
    submeshes, diagnostics = decode(raw)
    assert [len(item.indices) for item in submeshes] == [0, 3]
    assert diagnostics.items == []
