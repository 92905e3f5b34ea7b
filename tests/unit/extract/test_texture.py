"""Textures of several images, by their fields as type trees give them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from unity2gltf.extract.content import ContentRoot
from unity2gltf.extract.texture import FIELDS, read_texture
from unity2gltf.raw import RawTexture
from unity2gltf.source import Source

SAMPLER = {"m_FilterMode": 1, "m_Aniso": 1, "m_WrapU": 0, "m_WrapV": 1, "m_WrapW": 0}
COMMON = {"m_Name": "Sky", "m_Width": 4, "m_MipCount": 3, "m_TextureSettings": SAMPLER, "m_ColorSpace": 1}


def read(kind: str, version: tuple[int, int, int], **fields: Any) -> RawTexture:
    """What is read of an object that has these fields."""
    stored = {**COMMON, **fields, "image data": b"\1\2\3", "m_StreamData": {"path": "", "offset": 0, "size": 0}}
    assert stored.keys() <= FIELDS
    file = SimpleNamespace(version=version, platform=19)
    root = SimpleNamespace(file=lambda source: file, read=lambda source, names: stored)
    return read_texture(cast(ContentRoot, root), Source("game", "level0", 5, kind))


def test_a_texture_has_one_image() -> None:
    raw = read("Texture2D", (2021, 3, 0), m_Height=8, m_TextureFormat=10, m_ImageCount=1)
    assert (raw.format, raw.graphics_format, raw.images, raw.cube) == (10, 0, 1, False)
    assert (raw.width, raw.height, raw.mip_count, bytes(raw.data)) == (4, 8, 3, b"\1\2\3")


def test_a_cubemap_is_a_texture_of_six() -> None:
    raw = read("Cubemap", (5, 6, 0), m_Height=4, m_TextureFormat=24, m_ImageCount=6)
    assert (raw.format, raw.images, raw.cube) == (24, 6, True)


@pytest.mark.parametrize(
    ("version", "format_", "graphics_format"), [((2018, 4, 0), 97, 0), ((2019, 1, 0), 0, 97), ((6000, 0, 1), 0, 97)]
)
def test_the_format_of_an_array(version: tuple[int, int, int], format_: int, graphics_format: int) -> None:
    raw = read("Texture2DArray", version, m_Height=2, m_Format=97, m_Depth=9)
    assert (raw.format, raw.graphics_format, raw.images, raw.cube) == (format_, graphics_format, 9, False)


def test_a_cubemap_array_has_one_side() -> None:
    raw = read("CubemapArray", (2020, 1, 0), m_Format=8, m_CubemapCount=2)
    assert (raw.width, raw.height, raw.images, raw.cube, raw.graphics_format) == (4, 4, 12, True, 8)
