"""Texture2D, Cubemap, Texture2DArray and CubemapArray objects of every version to :class:`raw.RawTexture`, pixels not
decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..raw import Bytes, RawTexture
from ..source import Source

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

FIELDS = frozenset(
    [
        "m_Name",
        "m_Width",
        "m_Height",
        "m_TextureFormat",
        "m_Format",
        "m_ImageCount",
        "m_Depth",
        "m_CubemapCount",
        "m_MipCount",
        "m_MipMap",
        "m_MipsStripped",
        "m_ColorSpace",
        "m_LightmapFormat",
        "m_TextureSettings",
        "m_PlatformBlob",
        "m_StreamData",
    ]
) | {"image data"}


def read_texture(root: ContentRoot, source: Source) -> RawTexture:
    """A texture with its image data, from the object or its .resS file. Raises :class:`diagnostics.Fault`."""
    file = root.file(source)
    fields = root.read(source, FIELDS)
    sampler = fields["m_TextureSettings"]
    return RawTexture(
        source=source,
        name=fields["m_Name"],
        version=file.version,
        width=int(fields["m_Width"]),
        height=int(fields.get("m_Height", fields["m_Width"])),  # a CubemapArray has one side
        **_format(file, fields),
        **_images(source, fields),
        data=_pixels(root, file, fields),
        mip_count=_mip_count(fields),
        color_space=int(fields["m_ColorSpace"]) if "m_ColorSpace" in fields else None,
        mips_stripped=int(fields.get("m_MipsStripped", 0)),
        usage=int(fields.get("m_LightmapFormat", 0)),
        filter=int(sampler["m_FilterMode"]),
        wrap=_wrap(sampler),
        platform=file.platform,
        platform_blob=bytes(fields.get("m_PlatformBlob", b"")),
    )


def _format(file: GameFile, fields: dict[str, Any]) -> dict[str, Any]:
    """Textures of several images name it ``m_Format``: a GraphicsFormat from 2019.1 on."""
    if "m_TextureFormat" in fields:
        return {"format": int(fields["m_TextureFormat"])}
    number = int(fields["m_Format"])
    return {"format": 0, "graphics_format": number} if file.version >= (2019, 1, 0) else {"format": number}


def _images(source: Source, fields: dict[str, Any]) -> dict[str, Any]:
    """How many images there are, and whether they are the faces of cubes."""
    if "m_CubemapCount" in fields:
        return {"images": 6 * int(fields["m_CubemapCount"]), "cube": True}
    count = int(fields.get("m_Depth", fields.get("m_ImageCount", 1)))
    return {"images": count, "cube": source.type == "Cubemap"}


def _pixels(root: ContentRoot, file: GameFile, fields: dict[str, Any]) -> Bytes:
    stream = fields.get("m_StreamData")
    if stream and stream["path"] and stream["size"]:
        return root.resource(file, stream["path"], int(stream["offset"]), int(stream["size"]))
    stored: Bytes = fields["image data"]
    return stored


def _mip_count(fields: dict[str, Any]) -> int:
    """Before 5.2 there is only a flag: all levels down to 1 x 1."""
    if "m_MipCount" in fields:
        return int(fields["m_MipCount"])
    largest = max(int(fields["m_Width"]), int(fields.get("m_Height", 1)), 1)
    return largest.bit_length() if fields.get("m_MipMap") else 1


def _wrap(sampler: dict[str, Any]) -> tuple[int, int]:
    """One mode before 2017.1, one an axis after."""
    if "m_WrapU" in sampler:
        return int(sampler["m_WrapU"]), int(sampler["m_WrapV"])
    return int(sampler["m_WrapMode"]), int(sampler["m_WrapMode"])
