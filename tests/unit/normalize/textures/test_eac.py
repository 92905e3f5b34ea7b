"""Signed EAC and YUY2: blocks by hand, and the modifiers against another decoder."""

from __future__ import annotations

import numpy as np
import texture2ddecoder

from tests.builders.surfaces import raw_texture
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.eac import MODIFIERS, signed_eac
from unity2gltf.normalize.textures.plain import yuy2


def block(base: int, multiplier: int, row: int, indices: list[int]) -> bytes:
    """``indices`` column by column."""
    bits = 0
    for index in indices:
        bits = bits << 3 | index
    return bytes([base & 0xFF, multiplier << 4 | row]) + bits.to_bytes(6)


def values(data: bytes, channels: int = 1) -> np.ndarray:
    return signed_eac(channels)(np.frombuffer(data, np.uint8), 4, 4)


def test_columns_come_before_rows() -> None:
    # base 10, multiplier 2, modifiers of row 0: -3 at index 0, 2 at 4, 14 at 7
    pixels = values(block(10, 2, 0, [4, 7, *[0] * 14]))[..., 0] * 1023
    assert np.rint(pixels[:, 0]).tolist() == [80 + 32, 80 + 224, 80 - 48, 80 - 48]
    assert np.rint(pixels[:, 1:]).tolist() == [[32] * 3] * 4


def test_without_a_multiplier_the_modifiers_are_an_eighth() -> None:
    assert np.rint(values(block(1, 0, 0, [4] * 16))[0, 0, 0] * 1023) == 8 + 2


def test_the_ends_of_the_range() -> None:
    assert values(block(127, 15, 0, [7] * 16))[0, 0, 0] == 1
    assert values(block(-127, 15, 0, [3] * 16))[0, 0, 0] == -1
    assert values(block(-128, 0, 13, [4] * 16))[0, 0, 0] == np.float32(-127 * 8 / 1023)


def test_two_channels_and_what_is_missing() -> None:
    pixels = values(block(127, 15, 0, [7] * 16) + block(0, 0, 13, [4] * 16), 2)
    assert pixels[0, 0].tolist() == [1, 0, 0, 1]
    assert pixels.shape == (4, 4, 4)


def test_negative_values_are_cut_and_counted() -> None:
    diagnostics = Diagnostics()
    data = block(-100, 0, 13, [4] * 16) + block(64, 0, 13, [4] * 16)
    pixels = decode_texture(raw_texture(42, 8, 4, data), diagnostics)
    assert pixels[0, ::4].tolist() == [[0, 0, 0, 255], [128, 0, 0, 255]]
    assert [(item.code, item.data["pixels"]) for item in diagnostics.items] == [(codes.TEXTURE_CLAMPED, 16)]


def test_the_modifiers_are_those_of_another_decoder() -> None:
    """Unsigned EAC of the same modifiers: base * 8 + 4 + modifier * multiplier * 8, in 11 bits."""
    for row in range(16):
        for index in range(8):
            data = block(128, 1, row, [index] * 16)
            red = texture2ddecoder.decode_eacr(data, 4, 4)[2]
            assert red == (128 * 8 + 4 + int(MODIFIERS[row, index]) * 8) * 255 // 2047, (row, index)


def test_yuy2_by_hand() -> None:
    # black, white and grey of the studio range; and a pair that shares its red
    data = bytes([16, 128, 235, 128, 126, 128, 126, 128, 81, 90, 145, 240])
    pixels = yuy2(np.frombuffer(data, np.uint8), 6, 1)
    assert pixels[0, :4].tolist() == [[0, 0, 0, 255], [255, 255, 255, 255], [128, 128, 128, 255], [128, 128, 128, 255]]
    assert pixels[0, 4].tolist() == [255, 0, 0, 255]  # 81, 90, 240 is pure red


def test_yuy2_of_an_odd_width() -> None:
    pixels = decode_texture(raw_texture(21, 3, 1, bytes([16, 128, 235, 128] * 2)), Diagnostics())
    assert pixels[0, :, 0].tolist() == [0, 255, 0]
