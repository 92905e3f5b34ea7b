"""Meshes that lie about themselves: named after what they try. None may crash, hang or allocate what is not there."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.mesh_writer import (
    make_raw,
    pack_floats,
    pack_ints,
    pack_skin,
    points,
    submesh,
    u16,
    with_positions,
)
from unity2gltf import codes
from unity2gltf.diagnostics import Code, Diagnostics, Fault
from unity2gltf.ir import Geometry
from unity2gltf.normalize.mesh.decode import decode_mesh
from unity2gltf.raw import RawBlendShapes, RawChannel, RawMesh, RawPacked, RawStream, RawSubMesh

HUGE = 0xFFFFFFFF
POSITION = RawChannel(stream=0, offset=0, format=0, dimension=3)
TRIANGLE: dict[str, Any] = {"submeshes": (submesh([0] * 3),), "index_buffer": u16([0, 1, 2])}
MEMORY = 1 << 20


def decode(raw: RawMesh) -> tuple[Geometry | None, set[Code]]:
    """The mesh, or None for a fault, and the codes reported, within a megabyte of memory."""
    diagnostics = Diagnostics()
    tracemalloc.start()
    try:
        geometry = decode_mesh(raw, diagnostics)
    except Fault as fault:
        diagnostics.add(fault.code, str(fault), **fault.data)
        geometry = None
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < MEMORY
    return geometry, {item.code for item in diagnostics.items}


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [
        ("four billion vertices, no data", {"vertex_count": HUGE, "channels": (POSITION,)}, codes.MESH_DATA_TRUNCATED),
        (
            "four billion vertices in 36 bytes",
            {"vertex_count": HUGE, "channels": (POSITION,), "vertex_data": bytes(36)},
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "a stride of 0 repeats one vertex for ever",
            {
                "version": (4, 7, 0),
                "vertex_count": HUGE,
                "channels": (POSITION,),
                "streams": (RawStream(channel_mask=1, offset=0, stride=0),),
                "vertex_data": bytes(36),
            },
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "a stream that starts past the end",
            {
                "version": (4, 7, 0),
                "vertex_count": 1,
                "channels": (POSITION,),
                "streams": (RawStream(channel_mask=1, offset=HUGE, stride=12),),
                "vertex_data": bytes(36),
            },
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "a channel that names a stream there is not",
            {
                "version": (4, 7, 0),
                "vertex_count": 1,
                "channels": (replace(POSITION, stream=200),),
                "streams": (RawStream(channel_mask=1, offset=0, stride=12),),
                "vertex_data": bytes(36),
            },
            codes.MESH_FORMAT_UNKNOWN,
        ),
        (
            "an offset beyond its own stride",
            {"vertex_count": 1, "channels": (replace(POSITION, offset=200),), "vertex_data": bytes(512)},
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "a position of unknown format",
            {"vertex_count": 1, "channels": (replace(POSITION, format=200),), "vertex_data": bytes(512)},
            codes.MESH_FORMAT_UNKNOWN,
        ),
        (
            "a constant compressed mesh of four billion vertices",
            {"compressed": {"m_Vertices": RawPacked(num_items=HUGE, bit_size=0, data=np.zeros(0, np.uint8))}},
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "a compressed mesh that says more than its bytes",
            {"compressed": {"m_Vertices": RawPacked(num_items=HUGE, bit_size=16, data=np.zeros(9, np.uint8))}},
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "a compressed mesh of 255 bits a number",
            {"compressed": {"m_Vertices": RawPacked(num_items=3, bit_size=255, data=np.zeros(900, np.uint8))}},
            codes.MESH_DATA_TRUNCATED,
        ),
    ],
)
def test_no_positions_can_be_had(name: str, fields: dict[str, Any], code: Code) -> None:
    geometry, seen = decode(make_raw(**(TRIANGLE | fields)))
    assert geometry is None
    assert code in seen


SHORT = RawPacked(num_items=HUGE, bit_size=1, data=np.zeros(1, np.uint8))
COMPRESSED = {"m_Vertices": pack_floats([float(value) for value in range(9)], 16)}


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [
        (
            "two billion indices",
            {"submeshes": (RawSubMesh(first_byte=0, index_count=(1 << 31) - 1, topology=0),)},
            codes.MESH_DATA_TRUNCATED,
        ),
        ("an index past the vertices", {"index_buffer": u16([0, 1, 3])}, codes.MESH_INDEX_RANGE),
        (
            "a base vertex that wraps round 32 bits",
            {"submeshes": (RawSubMesh(first_byte=0, index_count=3, topology=0, base_vertex=HUGE),)},
            codes.MESH_INDEX_RANGE,
        ),
        (
            "packed triangles that say more than their bytes",
            {"compressed": {"m_Triangles": SHORT}},
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "variable weights of one word",
            {"variable_weights": np.array([HUGE], np.uint32)},
            codes.SKIN_VARIABLE_INVALID,
        ),
        (
            "variable weights that point far away",
            {"variable_weights": np.array([4, HUGE, 5, 5, 1], np.uint32)},
            codes.SKIN_VARIABLE_INVALID,
        ),
        (
            "a skin list longer than the mesh",
            {"skin": (np.ones((9, 4), np.float32), np.zeros((9, 4), np.int32))},
            codes.SKIN_WEIGHTS_INVALID,
        ),
        (
            "bones below nought",
            {"skin": (np.ones((3, 4), np.float32), np.full((3, 4), -5, np.int32))},
            codes.SKIN_BONE_RANGE,
        ),
        (
            "weights without end",
            {"skin": (np.full((3, 4), np.inf, np.float32), np.zeros((3, 4), np.int32))},
            codes.SKIN_WEIGHTS_INVALID,
        ),
        (
            "compressed weights that never reach 31",
            {"compressed": {"m_Weights": pack_ints([0] * 4, 5), "m_BoneIndices": pack_ints([1] * 4, 8)}},
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "compressed weights that say more than their bytes",
            {"compressed": {"m_Weights": SHORT, "m_BoneIndices": SHORT}},
            codes.MESH_DATA_TRUNCATED,
        ),
        (
            "every UV set there can be, and no UVs",
            {"separate": {}, "compressed": COMPRESSED | {"m_UV": pack_ints([1], 8)}, "uv_info": HUGE},
            codes.MESH_DATA_TRUNCATED,
        ),
    ],
)
def test_the_rest_of_the_mesh_goes_on(name: str, fields: dict[str, Any], code: Code) -> None:
    geometry, seen = decode(with_positions(points(3), **TRIANGLE) if not fields else _positioned(fields))
    assert geometry is not None
    assert geometry.vertex_count == 3
    assert code in seen


def _positioned(fields: dict[str, Any]) -> RawMesh:
    separate = {"vertices": np.array(points(3), np.float32)}
    return make_raw(**({"separate": separate} | TRIANGLE | fields))


def test_shapes_that_all_claim_the_same_entries_do_not_multiply_them() -> None:
    count = 3000
    shapes = RawBlendShapes(
        index=np.arange(3, dtype=np.uint32),
        position=np.ones((3, 3), np.float32),
        normal=np.ones((3, 3), np.float32),
        tangent=np.ones((3, 3), np.float32),
        shapes=((0, 3, True, True),),
        channels=tuple((f"s{number}", number, 0, 1) for number in range(count)),
        full_weights=np.array([100], np.float32),
    )
    diagnostics = Diagnostics()
    geometry = decode_mesh(with_positions(points(3), shapes=shapes, **TRIANGLE), diagnostics)
    assert sum(len(frame.indices) for shape in geometry.shapes for frame in shape.frames) == 3
    assert [item.code for item in diagnostics.items] == [codes.SHAPE_INVALID] * (count - 1)


def test_a_frame_range_of_two_billion_is_not_walked() -> None:
    shapes = RawBlendShapes(
        index=np.zeros(0, np.uint32),
        position=np.zeros((0, 3), np.float32),
        normal=np.zeros((0, 3), np.float32),
        tangent=np.zeros((0, 3), np.float32),
        shapes=((0, 0x7FFFFFFF, True, True),),
        channels=(("a", 1, 0, 0x7FFFFFFF), ("b", 2, 0, 1)),
        full_weights=np.array([100], np.float32),
    )
    geometry, seen = decode(with_positions(points(3), shapes=shapes, **TRIANGLE))
    assert geometry is not None
    assert [shape.name for shape in geometry.shapes] == ["a", "b"]
    assert codes.SHAPE_INVALID in seen


BYTE = st.integers(0, 255)
ANY = st.one_of(st.integers(0, 40), st.integers(0, HUGE))
CHANNEL = st.builds(
    RawChannel, stream=st.integers(0, 4), offset=st.integers(0, 64), format=st.integers(0, 13), dimension=BYTE
)
STREAM = st.builds(RawStream, channel_mask=st.integers(0, 63), offset=ANY, stride=st.integers(0, 64))
PACKED = st.builds(
    lambda items, bits, data, span: RawPacked(
        num_items=items, bit_size=bits, data=np.frombuffer(data, np.uint8), range=span, start=span
    ),
    items=ANY,
    bits=st.integers(0, 40),
    data=st.binary(max_size=64),
    span=st.floats(width=32),
)
NAMES = ["m_Vertices", "m_UV", "m_Normals", "m_NormalSigns", "m_Tangents", "m_TangentSigns", "m_FloatColors"]
NAMES += ["m_Colors", "m_Weights", "m_BoneIndices", "m_Triangles", "m_BindPoses"]
SUBMESH = st.builds(
    RawSubMesh,
    first_byte=ANY,
    index_count=ANY,
    topology=st.integers(-1, 7),
    base_vertex=st.integers(-(1 << 31), (1 << 31) - 1),
)
MESH = st.fixed_dictionaries(
    {
        "version": st.sampled_from([(3, 5, 0), (4, 7, 0), (5, 6, 0), (2017, 4, 0), (2018, 4, 0), (6000, 2, 0)]),
        "big_endian": st.booleans(),
        "submeshes": st.lists(SUBMESH, max_size=3).map(tuple),
        "index_buffer": st.binary(max_size=64),
        "index_format": st.integers(0, 1),
        "vertex_count": ANY,
        "channels": st.lists(CHANNEL, max_size=16).map(tuple),
        "streams": st.one_of(st.none(), st.lists(STREAM, max_size=5).map(tuple)),
        "vertex_data": st.binary(max_size=512),
        "compressed": st.dictionaries(st.sampled_from(NAMES), PACKED, max_size=12),
        "uv_info": st.one_of(st.none(), st.integers(0, HUGE)),
        "variable_weights": st.lists(ANY, max_size=20).map(lambda words: np.array(words, np.uint32)),
    }
)


@given(MESH)
def test_any_numbers_at_all_end_in_a_mesh_or_a_fault(fields: dict[str, Any]) -> None:
    diagnostics = Diagnostics()
    try:
        geometry = decode_mesh(make_raw(**fields), diagnostics)
    except Fault:
        return
    assert codes.MESH_UNREADABLE not in {item.code for item in diagnostics.items}
    assert np.isfinite(geometry.positions).all()
    for item in geometry.submeshes:
        assert item.indices.max(initial=0) < geometry.vertex_count
    for form in (geometry.channel_influences, geometry.variable_influences):
        if form is not None:
            assert len(form.offsets) == geometry.vertex_count + 1
            assert form.offsets[-1] == len(form.joints) == len(form.weights)
            assert np.all(form.weights > 0)


def test_the_cases_above_are_broken_by_what_they_name_alone() -> None:
    geometry, seen = decode(_positioned({"compressed": pack_skin([[(0, 31)]] * 3)}))
    assert geometry is not None
    assert geometry.channel_influences is not None
    assert seen == set()
