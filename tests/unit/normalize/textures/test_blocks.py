"""Block formats: blocks made by hand, cropping, and agreement of the table with the decoders."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from tests.builders.surfaces import raw_texture
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS

RED, BLUE = 0xF800, 0x001F
# An ASTC block of one colour (ASTC 2.22, void extent, no extent given): four 16-bit channels.
VOID_EXTENT = bytes([0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) + struct.pack("<4H", 65535, 0, 0x8080, 0xFFFF)


def _decode(format_: int, width: int, height: int, data: bytes) -> np.ndarray:
    return decode_texture(raw_texture(format_, width, height, data), Diagnostics())


def test_dxt1_has_four_colours_and_rows_from_the_bottom() -> None:
    # indices, two bits a texel from the low bits: bottom row 0 1 2 3, the other rows 0
    block = struct.pack("<HHI", RED, BLUE, 0b11100100)
    pixels = _decode(10, 4, 4, block)
    assert pixels[3].tolist() == [[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]]
    assert pixels[:3].tolist() == [[[255, 0, 0, 255]] * 4] * 3


def test_dxt1_of_three_colours_has_transparent_texels() -> None:
    pixels = _decode(10, 4, 4, struct.pack("<HHI", BLUE, RED, 0xFFFFFFFF))
    assert (pixels == 0).all()


def test_dxt3_and_dxt5_always_have_four_colours() -> None:
    color = struct.pack("<HHI", BLUE, RED, 0xFFFFFFFF)  # third of the way back: two thirds red
    dxt3 = _decode(11, 4, 4, b"\x88" * 8 + color)
    dxt5 = _decode(12, 4, 4, bytes([200, 100]) + bytes(6) + color)
    assert dxt3.reshape(-1, 4).tolist() == [[170, 0, 85, 0x88]] * 16
    assert dxt5.reshape(-1, 4).tolist() == [[170, 0, 85, 200]] * 16


def test_bc4_is_red_and_bc5_red_and_green() -> None:
    assert _decode(26, 4, 4, bytes([9, 9]) + bytes(6)).reshape(-1, 4).tolist() == [[9, 0, 0, 255]] * 16
    two = bytes([9, 9]) + bytes(6) + bytes([7, 7]) + bytes(6)
    assert _decode(27, 4, 4, two).reshape(-1, 4).tolist() == [[9, 7, 0, 255]] * 16


def test_etc1_comes_out_in_rgb_order() -> None:
    # individual mode, base colour 15 0 0 for both halves, first table: the modifier of pixel index 0 is +2
    pixels = _decode(34, 4, 4, bytes([0xFF, 0x00, 0x00, 0x00]) + bytes(4))
    assert pixels.reshape(-1, 4).tolist() == [[255, 2, 2, 255]] * 16


@pytest.mark.parametrize("format_", [n for n, form in FORMATS.items() if form.name.startswith("ASTC")])
def test_astc_block_of_one_colour(format_: int) -> None:
    width, height = FORMATS[format_].block
    pixels = _decode(format_, width, height, VOID_EXTENT)
    assert pixels.shape == (height, width, 4)
    if not FORMATS[format_].hdr:
        assert pixels.reshape(-1, 4).tolist() == [[255, 0, 128, 255]] * (width * height)


def test_the_padding_of_the_last_blocks_is_cropped() -> None:
    block = struct.pack("<HHI", RED, RED, 0)
    other = struct.pack("<HHI", BLUE, BLUE, 0)
    pixels = _decode(10, 5, 6, block + other + other + block)  # two blocks across, two up
    assert pixels.shape == (6, 5, 4)
    assert pixels[:, :, 0].tolist() == [[0, 0, 0, 0, 255]] * 2 + [[255, 255, 255, 255, 0]] * 4


def test_hdr_pixels_at_the_top_are_reported() -> None:
    diagnostics = Diagnostics()
    # void extent of half floats: 2.0 in red
    block = bytes([0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) + struct.pack("<4e", 2.0, 0.5, 0.0, 1.0)
    pixels = decode_texture(raw_texture(66, 4, 4, block), diagnostics)
    assert pixels[0, 0].tolist() == [255, 128, 0, 255]
    assert [item.code for item in diagnostics.items] == [codes.TEXTURE_CLAMPED]


@pytest.mark.parametrize("format_", [n for n, form in FORMATS.items() if form.decode and not form.crunch])
def test_every_format_decodes_random_blocks(format_: int) -> None:
    form = FORMATS[format_]
    data = np.random.default_rng(format_).integers(0, 256, form.size(32, 16), dtype=np.uint8).tobytes()
    pixels = _decode(format_, 32, 16, data)
    assert pixels.shape == (16, 32, 4)
    assert pixels.dtype == np.uint8


def test_sizes_are_those_of_the_formats() -> None:
    assert FORMATS[10].size(5, 4) == 16
    assert FORMATS[12].size(1, 1) == 16
    assert FORMATS[32].size(4, 4) == 32  # PVRTC: at least two blocks a side
    assert FORMATS[30].size(16, 8) == 32
    assert FORMATS[53].size(13, 12) == 32
    assert FORMATS[74].size(3, 2) == 48
