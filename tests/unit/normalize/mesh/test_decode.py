"""Whole meshes: what becomes of each stored form, and what is left when parts are broken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

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
from unity2gltf.raw import RawChannel, RawMesh

ABSENT = RawChannel(stream=0, offset=0, format=0, dimension=0)
TRIANGLE = {"submeshes": (submesh([0] * 3),), "index_buffer": u16([0, 1, 2])}


def decode(raw: RawMesh) -> tuple[Geometry, list[Code]]:
    diagnostics = Diagnostics()
    geometry = decode_mesh(raw, diagnostics)
    for array in (geometry.positions, geometry.normals, geometry.tangents, geometry.colors, *geometry.uvs.values()):
        if array is not None:
            assert array.dtype == np.dtype("<f4")
            assert array.flags.c_contiguous
            assert len(array) == geometry.vertex_count
    assert geometry.bind_poses.dtype == np.dtype("<f4")
    return geometry, [item.code for item in diagnostics.items]


def skinned(weights: tuple[int, int] | None, indices: tuple[int, int] | None, data: bytes, count: int) -> RawMesh:
    """Three positions, and blend channels as (format, dimension) that fill a stream of their own with ``data``."""
    channels = [ABSENT] * 14
    channels[0] = RawChannel(stream=0, offset=0, format=0, dimension=3)
    offset = 0
    for number, given in ((12, weights), (13, indices)):
        if given:
            channels[number] = RawChannel(stream=1, offset=offset, format=given[0], dimension=given[1])
            offset += {0: 4, 2: 1, 4: 2, 6: 1, 8: 2, 10: 4}[given[0]] * given[1]
    positions = np.zeros((count, 3), np.float32).tobytes()
    return make_raw(
        vertex_count=count, channels=tuple(channels), vertex_data=positions + bytes(-len(positions) % 16) + data
    )


def influences(geometry: Geometry) -> list[list[tuple[int, float]]]:
    found = geometry.channel_influences
    assert found is not None
    pairs = list(zip(found.joints.tolist(), found.weights.tolist(), strict=True))
    return [pairs[a:b] for a, b in zip(found.offsets[:-1], found.offsets[1:], strict=True)]


def test_everything_at_once() -> None:
    pose = np.eye(4, dtype=np.float32)[None] * 2
    raw = make_raw(
        version=(3, 4, 0),
        separate={
            "vertices": np.array(points(3), np.float32),
            "normals": np.array([[0, 0, 2]] * 3, np.float32),
            "tangents": np.array([[1, 0, 0, -1]] * 3, np.float32),
            "uv": np.array([[0.5, 0.25]] * 3, np.float32),
            "colors": np.array([[255, 0, 0, 255]] * 3, np.uint8),
        },
        skin=(np.array([[0.75, 0.25, 0, 0]] * 3, np.float32), np.array([[1, 0, 0, 0]] * 3, np.int32)),
        bind_poses=pose.astype(">f4"),
        bone_name_hashes=np.array([7], ">u4"),
        root_bone_name_hash=7,
        **TRIANGLE,
    )
    geometry, codes_seen = decode(raw)
    assert codes_seen == []
    assert (geometry.name, geometry.source) == ("mesh", raw.source)
    assert geometry.positions.tolist() == points(3)
    assert geometry.normals is not None
    assert geometry.normals[0].tolist() == [0, 0, 2]  # as stored: unit length is another stage's business
    assert geometry.uvs[0][0].tolist() == [0.5, 0.25]
    assert geometry.submeshes[0].indices.tolist() == [0, 1, 2]
    assert influences(geometry) == [[(1, 0.75), (0, 0.25)]] * 3
    assert geometry.bind_poses.tolist() == pose.tolist()
    assert (geometry.bone_hashes.tolist(), geometry.root_bone_hash) == ([7], 7)


@pytest.mark.parametrize(
    ("weights", "indices", "hexes", "expected"),
    [
        # weights 3/4 and 1/4, bones 7 and 258 (or 2 in a byte)
        ((0, 2), (10, 2), "0000403f 0000803e 07000000 02010000", [(7, 0.75), (258, 0.25)]),
        ((4, 2), (8, 2), "ffbf ff3f 0700 0201", [(7, 0.75), (258, 0.25)]),  # 49151 and 16383 of 65535
        ((2, 2), (6, 2), "bf 40 07 02", [(7, 191 / 255), (2, 64 / 255)]),
        ((0, 1), (6, 4), "0000803f 07 00 00 00", [(7, 1.0)]),
        (None, (6, 1), "07", [(7, 1.0)]),  # rigid
        (None, (10, 1), "02010000", [(258, 1.0)]),
    ],
)
def test_blend_channels(
    weights: tuple[int, int] | None, indices: tuple[int, int], hexes: str, expected: list[tuple[int, float]]
) -> None:
    geometry, codes_seen = decode(skinned(weights, indices, bytes.fromhex(hexes), 1))
    assert influences(geometry) == [[(joint, pytest.approx(weight, abs=2e-5)) for joint, weight in expected]]
    assert codes_seen == [codes.MESH_EMPTY]  # no submesh


def test_weights_without_indices_are_no_skin() -> None:
    geometry, codes_seen = decode(skinned((0, 1), None, bytes.fromhex("0000803f"), 1))
    assert geometry.channel_influences is None
    assert codes_seen == [codes.MESH_EMPTY, codes.SKIN_WEIGHTS_INVALID]


def test_weights_that_outnumber_the_indices() -> None:
    geometry, codes_seen = decode(skinned((0, 2), (6, 1), bytes.fromhex("0000003f 0000003f 07"), 1))
    assert influences(geometry) == [[(7, 1.0)]]
    assert codes.SKIN_WEIGHTS_INVALID in codes_seen


def test_bone_indices_in_a_format_of_fractions() -> None:
    geometry, codes_seen = decode(skinned(None, (2, 1), b"\x07", 1))
    assert geometry.channel_influences is None
    assert codes.SKIN_WEIGHTS_INVALID in codes_seen


def test_a_skin_list_of_another_length_than_the_vertices() -> None:
    skin = (np.ones((2, 4), np.float32), np.zeros((2, 4), np.int32))
    geometry, codes_seen = decode(with_positions(points(3), skin=skin, **TRIANGLE))
    assert geometry.channel_influences is None
    assert codes_seen == [codes.SKIN_WEIGHTS_INVALID]


def test_broken_variable_weights_leave_the_channels() -> None:
    skin = (np.array([[1, 0, 0, 0]] * 3, np.float32), np.zeros((3, 4), np.int32))
    raw = with_positions(points(3), skin=skin, variable_weights=np.array([1, 2, 3], np.uint32), **TRIANGLE)
    geometry, codes_seen = decode(raw)
    assert geometry.variable_influences is None
    assert influences(geometry) == [[(0, 1.0)]] * 3
    assert codes_seen == [codes.SKIN_VARIABLE_INVALID]


def test_a_compressed_mesh() -> None:
    raw = make_raw(
        mesh_compression=3,
        compressed={
            "m_Vertices": pack_floats([0, 0, 0, 1, 0, 0, 0, 2, 0], 16),
            "m_Normals": pack_floats([0, 0, 0, 1, 1, 0], 8),
            "m_NormalSigns": pack_ints([1, 0, 1], 1),
            "m_UV": pack_floats([0, 0, 1, 0, 0, 1], 10),
            "m_Triangles": pack_ints([0, 2, 1], 2),
            **pack_skin([[(4, 31)], [(1, 20), (2, 11)], [(1, 10), (2, 10), (3, 5), (4, 6)]]),
        },
        uv_info=0b101,
        submeshes=(submesh([0] * 3),),
    )
    geometry, codes_seen = decode(raw)
    assert codes_seen == []
    assert geometry.positions == pytest.approx(np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0]]), abs=1e-4)
    assert geometry.normals is not None
    assert geometry.normals == pytest.approx(np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0]]), abs=1e-6)
    assert geometry.uvs[0] == pytest.approx(np.array([[0, 0], [1, 0], [0, 1]]))
    assert geometry.submeshes[0].indices.tolist() == [0, 2, 1]
    joints = [[joint for joint, _ in vertex] for vertex in influences(geometry)]
    assert joints == [[4], [1, 2], [1, 2, 4, 3]]


@pytest.mark.parametrize(
    ("channel", "dimension", "expected"),
    [
        (0, 4, [1, 2, 3]),  # the fourth number of a position or a normal is padding
        (0, 2, [1, 2, 0]),
        (2, 3, [1, 2, 3, 1]),
        (3, 3, [1, 2, 3, 1]),  # a colour without alpha is opaque
        (3, 2, [1, 2, 0, 1]),
        (4, 1, [1, 0]),
        (4, 2, [1, 2]),
        (5, 3, [1, 2, 3]),
        (11, 4, [1, 2, 3, 4]),
        (11, 5, [1, 2, 3, 4]),
    ],
)
def test_each_attribute_has_its_own_width(channel: int, dimension: int, expected: list[float]) -> None:
    channels = [ABSENT] * 14
    channels[0] = RawChannel(stream=0, offset=0, format=0, dimension=3)
    channels[channel] = RawChannel(stream=0, offset=0 if channel == 0 else 12, format=0, dimension=dimension)
    data = np.array([1, 2, 3, 4] if channel == 0 else [0, 0, 0, 1, 2, 3, 4, 5], np.float32).tobytes()
    geometry, _ = decode(make_raw(vertex_count=1, channels=tuple(channels), vertex_data=data))
    arrays: dict[int, Any] = {0: geometry.positions, 2: geometry.tangents, 3: geometry.colors}
    found = arrays.get(channel, geometry.uvs.get(channel - 4))
    assert found is not None
    assert found[0].tolist() == expected


def test_numbers_that_are_none_become_zero_and_are_counted() -> None:
    positions = points(3)
    positions[1] = [float("nan"), float("inf"), 5.0]
    diagnostics = Diagnostics()
    geometry = decode_mesh(with_positions(positions, **TRIANGLE), diagnostics)
    assert geometry.positions[1].tolist() == [0, 0, 5]
    assert [(item.code, item.data) for item in diagnostics.items] == [
        (codes.MESH_NOT_FINITE, {"attribute": "position", "count": 2})
    ]


def test_a_huge_but_finite_mesh_is_left_alone() -> None:
    big = float(np.finfo(np.float32).max)
    geometry, codes_seen = decode(with_positions([[big, big, big]] * 3, **TRIANGLE))
    assert geometry.positions[0].tolist() == [big, big, big]
    assert codes_seen == []


def test_an_attribute_of_another_length_than_the_positions() -> None:
    raw = make_raw(
        separate={"vertices": np.zeros((3, 3), np.float32), "normals": np.zeros((2, 3), np.float32)}, **TRIANGLE
    )
    geometry, codes_seen = decode(raw)
    assert geometry.normals is None
    assert codes_seen == [codes.MESH_DATA_TRUNCATED]


def test_a_mesh_without_vertices() -> None:
    with pytest.raises(Fault) as caught:
        decode_mesh(make_raw(), Diagnostics())
    assert caught.value.code is codes.MESH_EMPTY


def test_a_mesh_whose_vertex_data_is_missing() -> None:
    channels = (RawChannel(stream=0, offset=0, format=0, dimension=3),)
    for data in (b"", b"\0" * 35):
        with pytest.raises(Fault) as caught:
            decode_mesh(make_raw(vertex_count=3, channels=channels, vertex_data=data), Diagnostics())
        assert caught.value.code is codes.MESH_DATA_TRUNCATED


def test_broken_compressed_bind_poses_leave_the_rest() -> None:
    raw = with_positions(points(3), compressed={"m_BindPoses": pack_ints([1] * 16, 8)}, **TRIANGLE)
    geometry, codes_seen = decode(raw)
    assert (geometry.bind_poses.shape, codes_seen) == ((1, 4, 4), [])
    short = pack_ints([1] * 8, 8)
    broken = type(short)(num_items=16, bit_size=8, data=short.data)
    geometry, codes_seen = decode(with_positions(points(3), compressed={"m_BindPoses": broken}, **TRIANGLE))
    assert (geometry.bind_poses.shape, codes_seen) == ((0, 4, 4), [codes.MESH_DATA_TRUNCATED])
