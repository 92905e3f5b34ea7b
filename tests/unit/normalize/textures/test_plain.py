"""Uncompressed formats: pixels worked out by hand."""

from __future__ import annotations

import struct

import pytest

from tests.builders.surfaces import raw_texture
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.textures.decode import decode_texture

_H = struct.Struct("<H").pack

CASES = [
    ("Alpha8", 1, bytes([77]), [255, 255, 255, 77]),
    ("ARGB4444", 2, _H(0x8123), [0x11, 0x22, 0x33, 0x88]),
    ("RGB24", 3, bytes([1, 2, 3]), [1, 2, 3, 255]),
    ("RGBA32", 4, bytes([1, 2, 3, 4]), [1, 2, 3, 4]),
    ("ARGB32", 5, bytes([4, 1, 2, 3]), [1, 2, 3, 4]),
    ("ARGBFloat", 6, struct.pack("<4f", 1.0, 0.0, 0.5, 0.25), [0, 128, 64, 255]),
    ("RGB565 red", 7, _H(0xF800), [255, 0, 0, 255]),
    ("RGB565 halves", 7, _H(16 << 11 | 32 << 5 | 16), [132, 130, 132, 255]),  # 16/31 and 32/63 of 255
    ("BGR24", 8, bytes([3, 2, 1]), [1, 2, 3, 255]),
    ("R16", 9, _H(0x8000), [128, 0, 0, 255]),  # 32768 / 257 = 127.502
    ("R16 top", 9, _H(0xFFFF), [255, 0, 0, 255]),
    ("RGBA4444", 13, _H(0x1238), [0x11, 0x22, 0x33, 0x88]),
    ("BGRA32", 14, bytes([3, 2, 1, 4]), [1, 2, 3, 4]),
    ("RHalf", 15, struct.pack("<e", 0.5), [128, 0, 0, 255]),
    ("RGHalf", 16, struct.pack("<2e", 1.0, 0.25), [255, 64, 0, 255]),
    ("RGBAHalf", 17, struct.pack("<4e", 0.0, 0.5, 1.0, 0.75), [0, 128, 255, 191]),
    ("RFloat", 18, struct.pack("<f", 0.2), [51, 0, 0, 255]),
    ("RGFloat", 19, struct.pack("<2f", 0.2, 0.4), [51, 102, 0, 255]),
    ("RGBAFloat", 20, struct.pack("<4f", 0.2, 0.4, 0.6, 0.8), [51, 102, 153, 204]),
    # mantissas 256, 128, 0 with exponent 15: 256 / 512, 128 / 512, 0
    ("RGB9e5Float", 22, struct.pack("<I", 256 | 128 << 9 | 15 << 27), [128, 64, 0, 255]),
    ("RGBFloat", 23, struct.pack("<3f", 0.0, 1.0, 0.4), [0, 255, 102, 255]),
    ("RG16", 62, bytes([9, 8]), [9, 8, 0, 255]),
    ("R8", 63, bytes([9]), [9, 0, 0, 255]),
    ("RG32", 72, struct.pack("<2H", 257, 65535), [1, 255, 0, 255]),
    ("RGB48", 73, struct.pack("<3H", 257, 514, 128), [1, 2, 0, 255]),
    ("RGBA64", 74, struct.pack("<4H", 129, 257 * 3, 0, 257 * 4), [1, 3, 0, 4]),
    ("R8_SIGNED", 75, struct.pack("b", 127), [255, 0, 0, 255]),
    ("RG16_SIGNED", 76, struct.pack("2b", 0, 64), [0, 129, 0, 255]),  # 64 / 127 of 255 = 128.5
    ("RGB24_SIGNED", 77, struct.pack("3b", 127, 0, 1), [255, 0, 2, 255]),
    ("RGBA32_SIGNED", 78, struct.pack("4b", 127, 0, 1, 127), [255, 0, 2, 255]),
    ("R16_SIGNED", 79, struct.pack("<h", 32767), [255, 0, 0, 255]),
    ("RG32_SIGNED", 80, struct.pack("<2h", 32767, 0), [255, 0, 0, 255]),
    ("RGB48_SIGNED", 81, struct.pack("<3h", 0, 0, 32767), [0, 0, 255, 255]),
    ("RGBA64_SIGNED", 82, struct.pack("<4h", 0, 32767, 0, 0), [0, 255, 0, 0]),
]


@pytest.mark.parametrize(("format_", "data", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_one_pixel(format_: int, data: bytes, expected: list[int]) -> None:
    diagnostics = Diagnostics()
    pixels = decode_texture(raw_texture(format_, 1, 1, data), diagnostics)
    assert pixels.tolist() == [[expected]]
    assert diagnostics.items == []


def test_the_stored_bottom_row_comes_last() -> None:
    data = bytes([1, 1, 1, 2, 2, 2]) + bytes([3, 3, 3, 4, 4, 4])
    pixels = decode_texture(raw_texture(3, 2, 2, data), Diagnostics())
    assert pixels[..., 0].tolist() == [[3, 4], [1, 2]]


def test_further_mips_are_left_alone() -> None:
    pixels = decode_texture(raw_texture(63, 2, 1, bytes([5, 6, 99]), mip_count=2), Diagnostics())
    assert pixels[..., 0].tolist() == [[5, 6]]


def test_values_outside_one_are_cut_and_counted() -> None:
    data = struct.pack("<4f", 2.0, -1.0, float("nan"), 0.5)
    diagnostics = Diagnostics()
    pixels = decode_texture(raw_texture(18, 4, 1, data), diagnostics)
    assert pixels[0, :, 0].tolist() == [255, 0, 0, 128]
    (item,) = diagnostics.items
    assert item.code is codes.TEXTURE_CLAMPED
    assert item.data == {"pixels": 3, "of": 4, "format": "RFloat"}


def test_the_lowest_signed_value_is_minus_one_and_is_cut() -> None:
    diagnostics = Diagnostics()
    assert decode_texture(raw_texture(75, 1, 1, b"\x80"), diagnostics)[0, 0, 0] == 0
    assert [item.code for item in diagnostics.items] == [codes.TEXTURE_CLAMPED]
