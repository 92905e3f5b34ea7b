"""Vertex data from annotated bytes: every format of every enumeration, streams, colours, byte orders."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.mesh_writer import make_raw
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.mesh.vertex import read_attributes, to_float
from unity2gltf.raw import RawChannel, RawMesh, RawStream

ABSENT = RawChannel(stream=0, offset=0, format=0, dimension=0)


def channels(count: int, **present: tuple[int, int, int, int]) -> tuple[RawChannel, ...]:
    """``count`` channels of which ``c<number>`` are present as (stream, offset, format, dimension)."""
    result = [ABSENT] * count
    for name, (stream, offset, format_, dimension) in present.items():
        result[int(name[1:])] = RawChannel(stream=stream, offset=offset, format=format_, dimension=dimension)
    return tuple(result)


def decoded(raw: RawMesh) -> dict[str, list[list[float]]]:
    diagnostics = Diagnostics()
    attributes = read_attributes(raw, diagnostics)
    assert diagnostics.items == []
    arrays = {name: to_float(attribute) for name, attribute in attributes.items()}
    for array in arrays.values():
        assert array.dtype == np.dtype("<f4")
        assert array.flags.c_contiguous
        assert array.flags.aligned
    return {name: array.tolist() for name, array in arrays.items()}


def f32(value: float) -> float:
    return float(np.float32(value))


# Two components each; expected values by hand.
FORMAT_CASES = [
    # name       2019 2017 5.x  bytes                                     meaning
    ("Float", 0, 0, 0, "0000803f 000000c0", [1.0, -2.0]),  # sign 0, exponent 127 | sign 1, exponent 128
    ("Float16", 1, 1, 1, "003c 00c0", [1.0, -2.0]),  # exponent 15 | sign 1, exponent 16
    ("UNorm8", 2, 3, None, "ff 33", [1.0, f32(51 / 255)]),  # 255, 51 = a fifth
    ("SNorm8", 3, 4, None, "81 80", [-1.0, -1.0]),  # -127 and -128 are both -1
    ("SNorm8", 3, 4, None, "7f c1", [1.0, f32(-63 / 127)]),  # 127, -63
    ("UNorm16", 4, 5, None, "ffff 0080", [1.0, f32(32768 / 65535)]),
    ("SNorm16", 5, 6, None, "0180 0080", [-1.0, -1.0]),  # -32767 and -32768
    ("SNorm16", 5, 6, None, "ff7f 0040", [1.0, f32(16384 / 32767)]),
    ("UInt8", 6, 7, 3, "ff 07", [255.0, 7.0]),
    ("SInt8", 7, 8, None, "ff 07", [-1.0, 7.0]),
    ("UInt16", 8, 9, None, "ffff 0100", [65535.0, 1.0]),
    ("SInt16", 9, 10, None, "ffff 0100", [-1.0, 1.0]),
    ("UInt32", 10, 11, 4, "00000001 07000000", [16777216.0, 7.0]),  # 2**24
    ("SInt32", 11, 12, None, "ffffffff 07000000", [-1.0, 7.0]),
]


@pytest.mark.parametrize(("name", "new", "middle", "old", "hexes", "expected"), FORMAT_CASES)
def test_each_format_in_each_enumeration(
    name: str, new: int, middle: int, old: int | None, hexes: str, expected: list[float]
) -> None:
    data = bytes.fromhex(hexes)
    for version, number, channel in (((2022, 3, 0), new, 4), ((2017, 4, 0), middle, 3), ((5, 6, 0), old, 3)):
        if number is None:
            continue
        raw = make_raw(
            version=version,
            vertex_count=1,
            channels=channels(channel + 1, **{f"c{channel}": (0, 0, number, 2)}),
            vertex_data=data,
        )
        assert decoded(raw) == {"uv0": [expected]}, (name, version)


@pytest.mark.parametrize(("name", "new", "middle", "old", "hexes", "expected"), FORMAT_CASES)
def test_each_format_in_a_big_endian_file(
    name: str, new: int, middle: int, old: int | None, hexes: str, expected: list[float]
) -> None:
    data = b"".join(bytes.fromhex(item)[::-1] for item in hexes.split())
    raw = make_raw(big_endian=True, vertex_count=1, channels=channels(5, c4=(0, 0, new, 2)), vertex_data=data)
    assert decoded(raw) == {"uv0": [expected]}


def test_interleaved_channels_and_a_second_stream_at_16_bytes() -> None:
    data = bytes.fromhex(
        "0000803f 00000040 00004040"  # vertex 0: position 1, 2, 3
        "ff00ff80"  # vertex 0: colour, UNorm8
        "00008040 0000a040 0000c040"  # vertex 1: position 4, 5, 6
        "00ff0033"  # vertex 1: colour
        # 32 bytes: the next stream starts here without padding
        "0038 003c"  # vertex 0: UV 0.5, 1 as half floats
        "0000 00bc"  # vertex 1: UV 0, -1
    )
    raw = make_raw(
        vertex_count=2, channels=channels(14, c0=(0, 0, 0, 3), c3=(0, 12, 2, 4), c4=(1, 0, 1, 2)), vertex_data=data
    )
    assert decoded(raw) == {
        "position": [[1, 2, 3], [4, 5, 6]],
        "color": [[1, 0, 1, f32(128 / 255)], [0, 1, 0, f32(51 / 255)]],
        "uv0": [[0.5, 1], [0, -1]],
    }


def test_a_stream_is_padded_to_16_bytes() -> None:
    data = bytes.fromhex(
        "0000803f 00000040 00004040"  # position, stream 0: 12 bytes
        "deadbeef"  # padding to 16
        "0000003f 0000803e"  # UV 0.5, 0.25, stream 1
    )
    raw = make_raw(vertex_count=1, channels=channels(14, c0=(0, 0, 0, 3), c4=(1, 0, 0, 2)), vertex_data=data)
    assert decoded(raw) == {"position": [[1, 2, 3]], "uv0": [[0.5, 0.25]]}


def test_the_high_nibble_of_a_dimension_is_not_part_of_it() -> None:
    raw = make_raw(vertex_count=1, channels=channels(14, c0=(0, 0, 0, 0x33)), vertex_data=bytes.fromhex("0000803f" * 3))
    assert decoded(raw) == {"position": [[1, 1, 1]]}


@pytest.mark.parametrize("dimension", [1, 4])
@pytest.mark.parametrize("version", [(5, 6, 0), (2017, 4, 0)])
def test_a_color_before_2018_is_four_bytes_rgba_whatever_its_dimension(
    version: tuple[int, int, int], dimension: int
) -> None:
    data = bytes.fromhex(
        "0000803f 00000040 00004040"  # position
        "ff 33 00 66"  # r 255, g 51, b 0, a 102
        "00000000 00000000 00000000"
        "00 00 ff ff"
    )
    raw = make_raw(
        version=version,
        vertex_count=2,
        channels=channels(8, c0=(0, 0, 0, 3), c2=(0, 12, 2, dimension)),
        vertex_data=data,
    )
    assert decoded(raw)["color"] == [[1, f32(51 / 255), 0, f32(102 / 255)], [0, 0, 1, 1]]


def test_explicit_streams_of_4_x_name_offset_and_stride() -> None:
    data = bytes.fromhex(
        "ffffffff"  # four bytes that no stream uses
        "0000803f 00000040 00004040 eeeeeeee"  # position and a gap: stride 16
        "00008040 0000a040 0000c040 eeeeeeee"
        "0000003f 0000003f"  # UV
        "0000803e 0000803e"
    )
    raw = make_raw(
        version=(4, 7, 2),
        vertex_count=2,
        channels=channels(6, c0=(0, 0, 0, 3), c3=(1, 0, 0, 2)),
        streams=(RawStream(channel_mask=1, offset=4, stride=16), RawStream(channel_mask=8, offset=36, stride=8)),
        vertex_data=data,
    )
    assert decoded(raw) == {"position": [[1, 2, 3], [4, 5, 6]], "uv0": [[0.5, 0.5], [0.25, 0.25]]}


def test_streams_of_3_5_name_their_channels_by_a_mask() -> None:
    data = bytes.fromhex(
        "0000803f 00000040 00004040"  # position
        "00000000 0000803f 00000000"  # normal
        "ff0000ff"  # colour
        "0000003f 0000803e"  # UV set 0
        "0000803f 00000000 00000000 000080bf"  # tangent 1, 0, 0, -1
    )
    nothing = RawStream(channel_mask=0, offset=0, stride=0)
    raw = make_raw(
        version=(3, 5, 7),
        vertex_count=1,
        streams=(RawStream(channel_mask=0b101111, offset=0, stride=len(data)), nothing, nothing, nothing),
        vertex_data=data,
    )
    assert decoded(raw) == {
        "position": [[1, 2, 3]],
        "normal": [[0, 1, 0]],
        "color": [[1, 0, 0, 1]],
        "uv0": [[0.5, 0.25]],
        "tangent": [[1, 0, 0, -1]],
    }


def test_separate_arrays_of_3_4() -> None:
    raw = make_raw(
        version=(3, 4, 0),
        separate={
            "vertices": np.array([[1, 2, 3]], ">f4"),
            "normals": np.array([[0, 1, 0]], "<f4"),
            "tangents": np.zeros((0, 4), "<f4"),
            "uv1": np.array([[0.5, 0.25]], "<f4"),
            "colors": np.array([[255, 51, 0, 255]], np.uint8),
        },
    )
    assert decoded(raw) == {
        "position": [[1, 2, 3]],
        "normal": [[0, 1, 0]],
        "uv1": [[0.5, 0.25]],
        "color": [[1, f32(51 / 255), 0, 1]],
    }


def test_an_unknown_format_hides_the_streams_behind_it_and_is_reported() -> None:
    raw = make_raw(
        vertex_count=1,
        channels=channels(14, c0=(0, 0, 0, 3), c3=(1, 0, 77, 4), c4=(2, 0, 0, 2)),
        vertex_data=bytes(64),
    )
    diagnostics = Diagnostics()
    assert list(read_attributes(raw, diagnostics)) == ["position"]
    assert [item.code for item in diagnostics.items] == [codes.MESH_FORMAT_UNKNOWN] * 2
    assert diagnostics.items[0].data == {"channel": 3, "format": 77}
    assert diagnostics.items[1].data == {"attribute": "uv0", "stream": 2}


def test_a_contiguous_float_attribute_is_not_copied() -> None:
    data = np.arange(6, dtype="<f4").view(np.uint8)
    raw = make_raw(vertex_count=2, channels=channels(14, c0=(0, 0, 0, 3)), vertex_data=data)
    assert np.shares_memory(to_float(read_attributes(raw, Diagnostics())["position"]), data)
