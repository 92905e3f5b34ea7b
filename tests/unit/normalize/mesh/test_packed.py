"""Packed bit vectors and compressed meshes, from annotated bytes and from a bit writer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.normalize.mesh.packed import unpack_attributes, unpack_floats, unpack_ints
from unity2gltf.raw import RawPacked


def packed(hexes: str, items: int, bits: int, span: float = 0.0, start: float = 0.0) -> RawPacked:
    data = np.frombuffer(bytes.fromhex(hexes), np.uint8)
    return RawPacked(num_items=items, bit_size=bits, data=data, range=span, start=start)


@pytest.mark.parametrize(
    ("hexes", "items", "bits", "expected"),
    [
        ("b1", 8, 1, [1, 0, 0, 0, 1, 1, 0, 1]),  # 0xb1 = 10110001, lowest bit first
        ("d1 58 1f", 8, 3, [1, 2, 3, 4, 5, 6, 7, 0]),  # 0b000_111_110_101_100_011_010_001 = 0x1f58d1
        ("2c 01", 1, 10, [300]),  # 0x012c
        ("2c 05 00", 2, 10, [300, 1]),  # 300 | 1 << 10 = 0x00052c
        ("01 02 03", 3, 8, [1, 2, 3]),
        ("ff ff 01 00", 2, 16, [65535, 1]),
        ("ff ff ff ff 07 00 00 00", 2, 32, [0xFFFFFFFF, 7]),
        ("ff ff ff 7f 00 00 00 00", 2, 31, [0x7FFFFFFF, 0]),
        ("", 3, 0, [0, 0, 0]),
        ("", 0, 7, []),
        ("1f aa", 1, 5, [31]),  # bytes beyond the items are not looked at
    ],
)
def test_integers(hexes: str, items: int, bits: int, expected: list[int]) -> None:
    assert unpack_ints(packed(hexes, items, bits)).tolist() == expected


def test_floats_run_from_start_to_start_plus_range() -> None:
    # 0, 5, 15 of 15 (4 bits): start + x * 3 / 15
    assert unpack_floats(packed("50 0f", 3, 4, span=3.0, start=-1.0)).tolist() == [-1.0, 0.0, 2.0]


def test_floats_of_no_bits_are_the_start() -> None:
    assert unpack_floats(packed("", 3, 0, span=9.0, start=2.5)).tolist() == [2.5, 2.5, 2.5]


@pytest.mark.parametrize(("items", "bits", "size"), [(3, 8, 2), (1, 33, 8), (1 << 31, 0, 0), (1 << 32, 32, 4)])
def test_sizes_that_the_bytes_do_not_bear_out(items: int, bits: int, size: int) -> None:
    with pytest.raises(Fault) as caught:
        unpack_ints(packed("00" * size, items, bits))
    assert caught.value.code is codes.MESH_DATA_TRUNCATED


def attributes(uv_info: int | None = None, **vectors: RawPacked) -> dict[str, list[list[float]]]:
    diagnostics = Diagnostics()
    result = unpack_attributes(vectors, uv_info, diagnostics)
    assert diagnostics.items == []
    return {name: values.tolist() for name, values in result.items()}


ONE = packed("00 00 00", 3, 8)  # one vertex at 0, 0, 0
TWO = packed("00" * 6, 6, 8)


def test_normals_get_z_from_its_sign_bit() -> None:
    # 8 bits over -1..1: 255 = 1, 0 = -1, 204 = 0.6 (204 / 255 * 2 - 1)
    normals = packed("cc cc ff ff", 4, 8, span=2.0, start=-1.0)
    found = attributes(m_Vertices=TWO, m_Normals=normals, m_NormalSigns=packed("02", 2, 1))["normal"]
    z = math.sqrt(1 - 0.6**2 - 0.6**2)
    assert found[0] == pytest.approx([0.6, 0.6, -z])  # sign bit 0
    assert found[1] == pytest.approx([math.sqrt(0.5), math.sqrt(0.5), 0.0])  # 1, 1 is longer than 1: shortened


def test_tangents_have_a_sign_for_z_and_one_for_w() -> None:
    tangents = packed("cc cc cc cc", 4, 8, span=2.0, start=-1.0)
    signs = packed("06", 4, 1)  # 0, 1 | 1, 0
    found = attributes(m_Vertices=TWO, m_Tangents=tangents, m_TangentSigns=signs)["tangent"]
    z = math.sqrt(1 - 0.6**2 - 0.6**2)
    assert found == [pytest.approx([0.6, 0.6, -z, 1.0]), pytest.approx([0.6, 0.6, z, -1.0])]


def test_uv_info_names_sets_and_their_dimensions() -> None:
    # set 0: present, 2 components (0b101); set 1 absent; set 2: present, 4 (0b111); set 7: present, 1 (0b100)
    info = 0b101 | 0b111 << 8 | 0b100 << 28
    values = packed("01 02 03 04 05 06 07", 7, 8, span=255.0)
    found = attributes(info, m_Vertices=ONE, m_UV=values)
    assert {name: rows for name, rows in found.items() if name != "position"} == {
        "uv0": [[1, 2]],
        "uv2": [[3, 4, 5, 6]],
        "uv7": [[7]],
    }


@pytest.mark.parametrize("info", [None, 0])
def test_uvs_without_info_are_one_or_two_sets_of_two(info: int | None) -> None:
    one = attributes(info, m_Vertices=TWO, m_UV=packed("01 02 03 04", 4, 8, span=255.0))
    assert one["uv0"] == [[1, 2], [3, 4]]
    assert "uv1" not in one
    two = attributes(info, m_Vertices=TWO, m_UV=packed("01 02 03 04 05 06 07 08", 8, 8, span=255.0))
    assert (two["uv0"], two["uv1"]) == ([[1, 2], [3, 4]], [[5, 6], [7, 8]])


def test_float_colors_and_the_packed_ones_of_before_5() -> None:
    floats = packed("00 ff 33 ff", 4, 8, span=1.0)
    assert attributes(m_Vertices=ONE, m_FloatColors=floats)["color"] == [[0, 1, pytest.approx(0.2), 1]]
    words = packed("ff 33 00 66", 1, 32)  # r 255, g 51, b 0, a 102
    assert attributes(m_Vertices=ONE, m_Colors=words)["color"] == [[1, pytest.approx(0.2), 0, pytest.approx(0.4)]]


def test_a_broken_attribute_does_not_take_the_others_with_it() -> None:
    diagnostics = Diagnostics()
    vectors = {"m_Vertices": TWO, "m_Normals": packed("cc" * 4, 4, 8), "m_FloatColors": packed("ff" * 8, 8, 8, 1.0)}
    assert list(unpack_attributes(vectors, None, diagnostics)) == ["position", "color"]
    assert [item.code for item in diagnostics.items] == [codes.MESH_DATA_TRUNCATED]  # no signs
    assert diagnostics.items[0].where == "compressed normal"


def test_fewer_uvs_than_announced() -> None:
    diagnostics = Diagnostics()
    found = unpack_attributes({"m_Vertices": TWO, "m_UV": packed("01 02", 2, 8)}, 0b101, diagnostics)
    assert list(found) == ["position"]
    assert [item.code for item in diagnostics.items] == [codes.MESH_DATA_TRUNCATED]
