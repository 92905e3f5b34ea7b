"""Mips: where they lie, which one is taken, and that it is the one decoded."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest

from tests.builders.surfaces import raw_texture
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.levels import choose, lay_out, level_sizes


def _grey_mips(*sides: int) -> bytes:
    """R8 squares, mip k filled with 10 (k + 1)."""
    return b"".join(bytes([10 * (k + 1)]) * (side * side) for k, side in enumerate(sides))


def _decoded(max_side: int, data: bytes, width: int = 8, height: int = 8, mips: int = 4) -> np.ndarray:
    return decode_texture(raw_texture(63, width, height, data, mip_count=mips), Diagnostics(), max_side)


def test_sides_halve_down_to_one() -> None:
    assert level_sizes(10, 3, 4) == [(10, 3), (5, 1), (2, 1), (1, 1)]
    assert level_sizes(4, 4, 99) == [(4, 4), (2, 2), (1, 1)]  # no texture has more
    assert level_sizes(4, 4, 0) == level_sizes(4, 4, -1) == [(4, 4)]


def test_offsets_count_whole_blocks() -> None:
    dxt1 = lay_out(FORMATS[10], 10, 6, 4)
    # 3 x 2 blocks, 2 x 1, 1 x 1, 1 x 1 of 8 bytes
    assert [(level.offset, level.size) for level in dxt1] == [(0, 48), (48, 16), (64, 8), (72, 8)]
    pvrtc = lay_out(FORMATS[32], 16, 16, 5)  # at least 2 x 2 blocks of 8 bytes
    assert [(level.offset, level.size) for level in pvrtc] == [(0, 128), (128, 32), (160, 32), (192, 32), (224, 32)]
    astc = lay_out(FORMATS[53], 24, 13, 2)  # 12 x 12 pixels in 16 bytes
    assert [(level.offset, level.size) for level in astc] == [(0, 64), (64, 16)]


@pytest.mark.parametrize(("max_side", "number"), [(0, 0), (-1, 0), (64, 0), (63, 1), (32, 1), (31, 2), (8, 2), (1, 2)])
def test_the_largest_within_the_size_is_chosen_else_the_smallest(max_side: int, number: int) -> None:
    levels = lay_out(FORMATS[4], 64, 16, 3)  # 64 x 16, 32 x 8, 16 x 4
    assert choose(levels, max_side).number == number


def test_a_stored_mip_is_decoded() -> None:
    data = _grey_mips(8, 4, 2, 1)
    for max_side, value, side in ((0, 10, 8), (8, 10, 8), (7, 20, 4), (4, 20, 4), (3, 30, 2), (1, 40, 1)):
        pixels = _decoded(max_side, data)
        assert pixels.shape == (side, side, 4)
        assert set(pixels[..., 0].flat) == {value}


def test_without_a_mip_small_enough_the_smallest_is_scaled_down() -> None:
    rows = np.repeat(np.array([[0], [0], [100], [200]], np.uint8), 8, axis=1)  # bottom row first
    pixels = _decoded(2, rows.tobytes(), 8, 4, mips=1)
    assert pixels[..., 0].tolist() == [[75, 75]]
    pixels = _decoded(4, rows.tobytes(), 8, 4, mips=1)
    assert pixels[..., 0].tolist() == [[150] * 4, [0] * 4]
    assert (pixels[..., 3] == 255).all()


def test_alpha_does_not_weigh_the_colours() -> None:
    data = bytes([200, 100, 0, 0, 100, 0, 50, 255])
    (((red, green, blue, alpha),),) = decode_texture(raw_texture(4, 2, 1, data), Diagnostics(), 1).tolist()
    assert (red, green, blue) == (150, 50, 25)
    assert alpha in (127, 128)


def test_blocks_of_a_mip() -> None:
    def block(color: int) -> bytes:
        return struct.pack("<HHI", color, color, 0)

    data = block(0xF800) * 4 + block(0x001F)  # 8 x 8 red, 4 x 4 blue
    raw = raw_texture(10, 8, 8, data, mip_count=2)
    assert decode_texture(raw, Diagnostics(), 4).reshape(-1, 4).tolist() == [[0, 0, 255, 255]] * 16
    assert decode_texture(raw, Diagnostics(), 5).shape == (4, 4, 4)


def test_mips_that_the_data_lacks_are_not_read() -> None:
    data = _grey_mips(8, 4)  # says four
    assert _decoded(1, data)[0, 0, 0] == 20
    assert _decoded(1, data[:-1])[0, 0, 0] == 10
    with pytest.raises(Fault) as caught:
        _decoded(1, data[:63])
    assert caught.value.code is codes.TEXTURE_CORRUPT


@pytest.mark.parametrize("mips", [-5, 0, 1, 2**31 - 1])
def test_an_absurd_count_of_mips(mips: int) -> None:
    assert _decoded(0, bytes(64), mips=mips).shape == (8, 8, 4)
    assert max(_decoded(2, bytes(64), mips=mips).shape[:2]) == 2


@pytest.mark.parametrize(("width", "height", "sides"), [(1000, 10, (64, 1)), (100, 128, (50, 64)), (3, 2, (3, 2))])
def test_shapes_keep_their_proportions(width: int, height: int, sides: tuple[int, int]) -> None:
    down, across, _ = _decoded(64, bytes(width * height), width, height, mips=1).shape
    assert (across, down) == sides


def test_mips_that_the_build_left_out() -> None:
    stripped = raw_texture(63, 8, 8, _grey_mips(4, 2, 1), mip_count=4, mips_stripped=1)
    for max_side, value, side in ((0, 10, 4), (3, 20, 2), (1, 30, 1)):
        pixels = decode_texture(stripped, Diagnostics(), max_side)
        assert (pixels.shape[0], pixels[0, 0, 0]) == (side, value)
    whole = raw_texture(63, 8, 8, _grey_mips(8, 4), mip_count=2, mips_stripped=1)  # the data is there all the same
    assert decode_texture(whole, Diagnostics()).shape == (8, 8, 4)


@pytest.mark.parametrize("stripped", [-1, 0, 1, 2**31 - 1])
def test_left_out_mips_and_data_that_is_too_short(stripped: int) -> None:
    raw = raw_texture(63, 8, 8, b"", mip_count=2, mips_stripped=stripped)
    for data in (b"", bytes(15)):
        with pytest.raises(Fault):
            decode_texture(replace(raw, data=data), Diagnostics())


@pytest.mark.parametrize("stripped", [4, 2**31 - 1])
def test_more_left_out_mips_than_there_are_contradict_the_data(stripped: int) -> None:
    raw = raw_texture(63, 8, 8, bytes(40), mip_count=4, mips_stripped=stripped)
    with pytest.raises(Fault) as caught:
        decode_texture(raw, Diagnostics())
    assert caught.value.code is codes.TEXTURE_CORRUPT
