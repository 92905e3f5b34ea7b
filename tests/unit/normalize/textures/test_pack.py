"""Channels put together: bytes worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from unity2gltf.normalize.textures import pack as packing
from unity2gltf.normalize.textures.pack import (
    as_srgb,
    is_opaque,
    masked,
    pack,
    ramp,
    srgb_ramp,
    undo_premultiplied,
    unpack_normals,
)
from unity2gltf.normalize.textures.recipes import Tap
from unity2gltf.source import Source

A, B = (Source("game", "a.assets", number, "Texture2D") for number in (1, 2))


def pixels(*rows: list[tuple[int, int, int, int]]) -> np.ndarray:
    return np.array(rows, np.uint8)


def packed(planes: list[Tap | float], srgb: bool = False, **textures: np.ndarray) -> list[list[list[int]]]:
    found = {A: textures.get("a"), B: textures.get("b")}
    result = pack(planes, lambda tap: None if found[tap.texture] is None else (found[tap.texture], srgb))
    return result.tolist()


# --- ramps ----------------------------------------------------------------------------------------------------------


def test_a_ramp_of_nothing_is_the_byte_itself() -> None:
    assert ramp(0.0, 1.0, False).tolist() == list(range(256))


def test_a_ramp_turned_round() -> None:
    assert ramp(1.0, 0.0, False).tolist() == list(range(255, -1, -1))


@pytest.mark.parametrize(
    ("low", "high", "byte", "expected"),
    [
        (0.0, 0.5, 255, 128),
        (0.2, 0.6, 0, 51),
        (0.2, 0.6, 255, 153),
        (0.6, 0.2, 51, 133),
        (0.0, 2.0, 200, 255),  # cut
        (-1.0, 1.0, 51, 0),  # cut: -0.6
        (-1.0, 1.0, 204, 153),
    ],
)
def test_a_ramp_between_two_numbers(low: float, high: float, byte: int, expected: int) -> None:
    assert ramp(low, high, False)[byte] == expected


def test_ramps_of_srgb() -> None:
    assert [int(ramp(0.0, 1.0, True)[byte]) for byte in (0, 64, 128, 188, 255)] == [0, 13, 55, 128, 255]
    assert ramp(1.0, 0.0, True)[188] == 127  # decoded first: 1 - 0.5029
    assert [int(srgb_ramp()[byte]) for byte in (0, 13, 55, 128, 255)] == [0, 64, 128, 188, 255]


def test_ramps_that_are_shared_cannot_be_written_to() -> None:
    assert not ramp(0.0, 1.0, False).flags.writeable
    assert not srgb_ramp().flags.writeable


# --- planes ---------------------------------------------------------------------------------------------------------


def test_planes_come_from_any_channel_of_any_texture() -> None:
    a, b = pixels([(1, 2, 3, 4)]), pixels([(5, 6, 7, 8)])
    planes: list[Tap | float] = [Tap(B, 3), 0.5, Tap(A, 1), Tap(A, 0, 1.0, 0.0)]
    assert packed(planes, a=a, b=b) == [[[8, 128, 2, 254]]]


def test_alpha_is_never_srgb() -> None:
    a = pixels([(188, 188, 188, 188)])
    assert packed([Tap(A, 0), Tap(A, 1), Tap(A, 2), Tap(A, 3)], srgb=True, a=a) == [[[128, 128, 128, 188]]]


def test_a_texture_that_cannot_be_had_is_neutral_in_its_plane_alone() -> None:
    a = pixels([(1, 2, 3, 4), (5, 6, 7, 8)])
    assert packed([Tap(B, 0, neutral=0.2), Tap(A, 1), Tap(B, 3, 0.0, 0.5)], a=a) == [[[51, 2, 255], [51, 6, 255]]]


def test_without_any_texture_one_pixel_is_left() -> None:
    assert packed([Tap(A, 0, neutral=0.2), 0.4, Tap(B, 1)]) == [[[51, 102, 255]]]


def test_numbers_beyond_a_byte_are_cut() -> None:
    assert packed([-1.0, 7.0, 0.5]) == [[[0, 255, 128]]]


def test_sizes_are_the_largest_of_each_side() -> None:
    wide = pixels([(0, 0, 0, 255), (100, 0, 0, 255), (200, 0, 0, 255), (255, 0, 0, 255)])
    high = pixels([(10, 0, 0, 255)], [(30, 0, 0, 255)])
    result = np.array(packed([Tap(A, 0), Tap(B, 0)], a=wide, b=high))
    assert result.shape == (2, 4, 2)
    assert result[..., 0].tolist() == [[0, 100, 200, 255]] * 2
    assert result[..., 1].tolist() == [[10] * 4, [30] * 4]


def test_a_smaller_plane_is_blended_between_its_pixels() -> None:
    large, small = pixels(*[[(0, 0, 0, 255)] * 4] * 4), pixels([(0, 0, 0, 0), (200, 0, 0, 0)])
    result = np.array(packed([Tap(A, 0), Tap(B, 0)], a=large, b=small))
    assert result[0, :, 1].tolist() == [0, 50, 150, 200]


def test_values_are_stretched_before_the_range_is_applied() -> None:
    """Both pixels are cut to 1 by the range; so is what lies between."""
    large, small = pixels([(0, 0, 0, 0)] * 4), pixels([(128, 0, 0, 0), (255, 0, 0, 0)])
    result = np.array(packed([Tap(A, 0), Tap(B, 0, 0.0, 2.0)], a=large, b=small))
    assert result[0, :, 1].tolist() == [255] * 4


# --- colours --------------------------------------------------------------------------------------------------------


def test_opaque() -> None:
    assert is_opaque(pixels([(0, 0, 0, 255)] * 2))
    assert not is_opaque(pixels([(0, 0, 0, 255), (0, 0, 0, 254)]))


def test_linear_colours_as_srgb_keep_their_alpha() -> None:
    given = pixels([(55, 128, 255, 55)])
    assert as_srgb(given).tolist() == [[[128, 188, 255, 55]]]
    assert given.tolist() == [[[55, 128, 255, 55]]]


def test_colours_divided_by_alpha() -> None:
    given = pixels([(1, 1, 3, 3), (64, 128, 0, 128), (9, 9, 9, 255), (0, 0, 0, 0)])
    result, changed = undo_premultiplied(given)
    assert result.tolist() == [[[85, 85, 255, 3], [128, 255, 0, 128], [9, 9, 9, 255], [0, 0, 0, 0]]]
    assert changed == 2


@pytest.mark.parametrize(
    "given",
    [
        [(1, 1, 4, 3), (0, 0, 0, 0)],  # exceeds alpha
        [(0, 0, 1, 0), (5, 5, 5, 9)],
        [(5, 5, 5, 255), (9, 9, 9, 255)],  # opaque
    ],
)
def test_what_was_not_stored_times_alpha_stays(given: list[tuple[int, int, int, int]]) -> None:
    result, changed = undo_premultiplied(pixels(given))
    assert (result.tolist(), changed) == ([[list(pixel) for pixel in given]], 0)


def test_a_mask_multiplies_linear_colours() -> None:
    result = masked(pixels([(188, 255, 0, 7)]), np.array([[[102]]], np.uint8))
    assert result.tolist() == [[[124, 170, 0, 7]]]


def test_a_mask_of_another_size() -> None:
    result = masked(pixels([(255, 255, 255, 255)]), np.array([[[0], [255]]], np.uint8))
    assert result[0, 0, 0] == 188  # half of white


# --- normals --------------------------------------------------------------------------------------------------------


def depth(x: int, y: int) -> int:
    rest = 1 - (x / 127.5 - 1) ** 2 - (y / 127.5 - 1) ** 2
    return round((math.sqrt(max(rest, 0)) / 2 + 0.5) * 255)


@pytest.mark.parametrize("x", [0, 1, 37, 127, 128, 200, 255])
@pytest.mark.parametrize("y", [0, 90, 127, 128, 255])
def test_depth_of_every_direction(x: int, y: int) -> None:
    assert unpack_normals(pixels([(x, y, 0, 255)]), 0).tolist() == [[[x, y, depth(x, y)]]]


def test_a_plain_map_is_told_by_the_average_of_its_pixels() -> None:
    """A few pixels that are no unit vectors do not turn a plain map into one of the other layouts."""
    plain = np.tile(np.array([179, 89, 237, 40], np.uint8), (32, 32, 1))
    plain[0, 0, :3] = 0
    assert (unpack_normals(plain, 0)[1, 1] == (179, 89, depth(179, 89))).all()
    other = np.tile(np.array([255, 89, 255, 179], np.uint8), (32, 32, 1))
    other[0, 0] = (179, 89, 237, 40)
    assert (unpack_normals(other, 0)[1, 1] == (179, 89, depth(179, 89))).all()


def test_rows_and_columns_stay() -> None:
    given = np.zeros((2, 3, 4), np.uint8)
    given[..., 0] = np.arange(6).reshape(2, 3) + 100
    given[..., 1], given[..., 3] = 128, 255
    assert unpack_normals(given, 4)[..., 0].tolist() == [[100, 101, 102], [103, 104, 105]]


def test_the_constants_are_unitys() -> None:
    """TextureUsageMode NormalmapDXT5nm, NormalmapPlain and NormalmapASTCnm."""
    assert (packing.DXT5NM, packing.PLAIN, packing.ASTC_NM) == (3, 4, 10)
