"""The orders in which consoles keep pixels."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from tests.builders.surfaces import raw_texture
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.platforms import SWITCH, XBOX_360, block_linear
from unity2gltf.raw import RawTexture

RED, BLUE = struct.pack("<HHI", 0xF800, 0xF800, 0), struct.pack("<HHI", 0x001F, 0x001F, 0)


def on_switch(number: int, width: int, height: int, data: bytes, log: int, **more: int) -> RawTexture:
    blob = bytes(8) + struct.pack("<I", log)
    return raw_texture(number, width, height, data, platform=SWITCH, platform_blob=blob, **more)


def decoded(raw: RawTexture, max_side: int = 0) -> np.ndarray:
    return decode_texture(raw, Diagnostics(), max_side)


def fault(raw: RawTexture) -> Fault:
    with pytest.raises(Fault) as caught:
        decoded(raw)
    return caught.value


def test_the_sixteen_byte_runs_of_a_gob() -> None:
    """Runs of 16 bytes in the order in which they are kept, by (run of the row, row)."""
    runs = np.repeat(np.arange(32, dtype=np.uint8), 16)
    rows = block_linear(runs, 64, 8, 1, 0).reshape(8, 4, 16)
    kept = {int(rows[y, x, 0]): (x, y) for y in range(8) for x in range(4)}
    first = [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3), (1, 2), (1, 3)]
    assert [kept[number] for number in range(8)] == first
    assert kept[8] == (0, 4) and kept[15] == (1, 7) and kept[16] == (2, 0) and kept[31] == (3, 7)
    assert (rows == rows[:, :, :1]).all()


def test_gobs_of_a_block_stand_one_below_the_other() -> None:
    gobs = np.repeat(np.arange(8, dtype=np.uint8), 512)  # 2 columns, 2 rows of blocks of 2 GOBs
    rows = block_linear(gobs, 128, 32, 1, 1).reshape(32, 128)
    assert rows[::8, ::64].tolist() == [[0, 2], [1, 3], [4, 6], [5, 7]]


def test_a_switch_texture_with_padding() -> None:
    # RGBA32, 2 x 3 pixels in 2 GOBs: the first 8 bytes of rows 0, 1, 2 are those from 0, 16 and 64 on
    data = bytearray(1024)
    for row, start in enumerate((0, 16, 64)):
        data[start : start + 8] = bytes([row, 1, 2, 255, row, 4, 5, 255])
    pixels = decoded(on_switch(4, 2, 3, bytes(data), 1))
    assert pixels[..., 0].tolist() == [[2, 2], [1, 1], [0, 0]]  # bottom row first
    assert pixels[0, 1].tolist() == [2, 4, 5, 255]


def test_blocks_of_a_switch_texture() -> None:
    # DXT1, 8 x 8 pixels: two rows of two blocks of 8 bytes; rows 16 bytes apart
    data = (RED + BLUE + BLUE + RED).ljust(1024, b"\0")
    pixels = decoded(on_switch(10, 8, 8, data, 1))
    assert pixels[::4, ::4, 0].tolist() == [[0, 255], [255, 0]]


def test_three_bytes_a_pixel_are_four_on_the_switch() -> None:
    data = bytes([9, 8, 7, 0]).ljust(1024, b"\0")
    assert decoded(on_switch(3, 1, 1, data, 1)).tolist() == [[[9, 8, 7, 255]]]
    assert decoded(on_switch(8, 1, 1, data, 1)).tolist() == [[[7, 8, 9, 255]]]


def test_a_size_limit_scales_the_first_mip() -> None:
    raw = on_switch(63, 64, 16, bytes([80]) * 4096, 1, mip_count=7)
    assert decoded(raw, 16).shape == (4, 16, 4)
    assert set(decoded(raw, 16)[..., 0].flat) == {80}


def test_plain_rows_on_the_switch() -> None:
    assert decoded(on_switch(63, 2, 1, b"\1\2", 0))[0, :, 0].tolist() == [1, 2]
    assert decoded(raw_texture(63, 2, 1, b"\1\2", platform=SWITCH))[0, :, 0].tolist() == [1, 2]


@pytest.mark.parametrize("number", [73, 23, 28, 77])
def test_formats_of_unknown_order_on_the_switch(number: int) -> None:
    assert fault(on_switch(number, 4, 4, bytes(4096), 1)).code is codes.TEXTURE_FORMAT


@pytest.mark.parametrize(("log", "size"), [(1, 1023), (1, 0), (6, 1 << 20), (0xFFFFFFFF, 4096)])
def test_switch_textures_that_lie(log: int, size: int) -> None:
    code = codes.TEXTURE_CORRUPT if size else codes.TEXTURE_MISSING
    assert fault(on_switch(4, 4, 4, bytes(size), log)).code is code


def test_words_are_swapped_on_the_xbox_360() -> None:
    swapped = struct.pack(">HH", 0xF800, 0xF800) + bytes(4)
    assert decoded(raw_texture(10, 4, 4, swapped, platform=XBOX_360))[0, 0].tolist() == [255, 0, 0, 255]
    assert decoded(raw_texture(7, 1, 1, b"\xf8\0", platform=XBOX_360))[0, 0].tolist() == [255, 0, 0, 255]
    assert decoded(raw_texture(4, 1, 1, b"\1\2\3\4", platform=XBOX_360))[0, 0].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("number", [9, 17, 25, 34])
def test_other_formats_are_refused_on_the_xbox_360(number: int) -> None:
    found = fault(raw_texture(number, 4, 4, bytes(4096), platform=XBOX_360))
    assert found.code is codes.TEXTURE_FORMAT and "Xbox 360" in str(found)


@pytest.mark.parametrize(("platform", "told"), [(31, 1), (44, 1), (33, 1), (19, 0), (13, 0), (38, 0)])
def test_consoles_of_unknown_order_are_told(platform: int, told: int) -> None:
    diagnostics = Diagnostics()
    pixels = decode_texture(raw_texture(4, 1, 1, b"\1\2\3\4", platform=platform), diagnostics)
    assert pixels[0, 0].tolist() == [1, 2, 3, 4]
    assert [item.code for item in diagnostics.items] == [codes.TEXTURE_ORDER] * told
