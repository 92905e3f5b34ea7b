"""Cubemaps and arrays, and the numbers of their formats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.builders.surfaces import raw_texture
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.graphics import TEXTURE_FORMATS
from unity2gltf.normalize.textures.strip import strip


def reds(data: bytes, max_side: int = 0, **more: Any) -> list[list[int]]:
    values = {"width": 2, "height": 2, "format_": 63, **more}
    return strip(raw_texture(data=data, **values), Diagnostics(), max_side)[..., 0].tolist()


def fault(data: bytes, **more: Any) -> Fault:
    with pytest.raises(Fault) as caught:
        reds(data, **more)
    return caught.value


def test_slices_lie_one_after_the_other_each_with_its_mips() -> None:
    data = bytes([1, 2, 3, 4, 50, 11, 12, 13, 14, 60])  # 2 x 2, then 1 x 1; twice
    assert reds(data, images=2, mip_count=2) == [[3, 4], [1, 2], [13, 14], [11, 12]]
    assert reds(data, 1, images=2, mip_count=2) == [[50], [60]]
    assert reds(data, 1, images=1, mip_count=2) == [[50]]


def test_the_faces_of_a_cube_are_kept_top_row_first() -> None:
    data = bytes(range(24))
    assert reds(data, images=6, cube=True) == np.arange(24).reshape(12, 2).tolist()


def test_the_first_image_alone() -> None:
    raw = raw_texture(63, 1, 1, bytes([7, 8, 9]), images=3)
    assert decode_texture(raw, Diagnostics())[..., 0].tolist() == [[7]]


def test_a_graphics_format_stands_for_the_texture_format() -> None:
    assert reds(bytes([5, 6, 7, 8]), format_=0, graphics_format=5, width=2, height=2) == [[7, 8], [5, 6]]
    assert reds(bytes([5, 6, 7, 8] * 2), format_=0, graphics_format=8, width=1, height=1, images=2) == [[5], [5]]


def test_the_table_of_graphics_formats() -> None:
    assert set(TEXTURE_FORMATS.values()) <= set(FORMATS)
    by_hand = {
        4: "RGBA32", 8: "RGBA32", 12: "RGBA32_SIGNED", 24: "RGBA64", 45: "RHalf", 46: "RGHalf", 48: "RGBAHalf",
        49: "RFloat", 51: "RGBFloat", 52: "RGBAFloat", 57: "BGRA32", 59: "BGRA32", 66: "RGBA4444", 68: "RGB565",
        73: "RGB9e5Float", 96: "DXT1", 97: "DXT1", 99: "DXT3", 101: "DXT5", 102: "BC4", 104: "BC5", 106: "BC6H",
        108: "BC7", 109: "BC7", 111: "PVRTC_RGB2", 113: "PVRTC_RGB4", 115: "PVRTC_RGBA2", 117: "PVRTC_RGBA4",
        118: "ETC_RGB4", 120: "ETC2_RGB", 122: "ETC2_RGBA1", 124: "ETC2_RGBA8", 125: "EAC_R", 126: "EAC_R_SIGNED",
        127: "EAC_RG", 128: "EAC_RG_SIGNED", 130: "ASTC_4x4", 134: "ASTC_6x6", 140: "ASTC_12x12", 141: "YUY2",
        145: "ASTC_HDR_4x4", 150: "ASTC_HDR_12x12",
    }  # fmt: skip
    assert {number: FORMATS[TEXTURE_FORMATS[number]].name for number in by_hand} == by_hand
    # not in it: integers, formats without a TextureFormat
    assert not {0, 13, 29, 37, 47, 53, 67, 69, 74, 103, 105, 107, 142, 151} & set(TEXTURE_FORMATS)


@pytest.mark.parametrize("number", [13, 74, 107, -1, 2**31 - 1])
def test_other_graphics_formats_are_refused(number: int) -> None:
    found = fault(bytes(64), format_=0, graphics_format=number)
    assert found.code is codes.TEXTURE_FORMAT and str(number) in str(found)


def test_images_that_the_data_lacks() -> None:
    assert fault(bytes(23), images=6).code is codes.TEXTURE_CORRUPT
    assert fault(b"", images=6).code is codes.TEXTURE_CORRUPT


@pytest.mark.parametrize("images", [2**31 - 1, 2049])
def test_an_absurd_count_of_images(images: int) -> None:
    assert fault(bytes(64), images=images).code is codes.TEXTURE_LIMIT


@pytest.mark.parametrize("images", [0, -1])
def test_no_images_are_one(images: int) -> None:
    assert reds(bytes([1, 2, 3, 4]), images=images) == [[3, 4], [1, 2]]


def test_crunched_and_block_linear_images_are_refused() -> None:
    assert fault(bytes(4096), format_=28, images=6).code is codes.TEXTURE_FORMAT
    blob = bytes(8) + b"\1\0\0\0"
    assert fault(bytes(8192), images=6, platform=38, platform_blob=blob).code is codes.TEXTURE_FORMAT
