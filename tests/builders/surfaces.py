"""Small raw textures and materials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unity2gltf.raw import RawMaterial, RawTexture, RawTextureSlot
from unity2gltf.source import Source

TEXTURE = Source("game", "sharedassets0.assets", 7, "Texture2D")
MATERIAL = Source("game", "sharedassets0.assets", 8, "Material")


def raw_texture(format_: int, width: int, height: int, data: bytes, **more: Any) -> RawTexture:
    """A texture of one mip, bottom row first, unless ``more`` says else."""
    values: dict[str, Any] = {
        "source": TEXTURE,
        "name": "bricks",
        "version": (2021, 3, 1),
        "mip_count": 1,
        "color_space": 1,
        "filter": 1,
        "aniso": 1,
        "wrap": (0, 0),
        "platform": 19,
        "platform_blob": b"",
    }
    return RawTexture(format=format_, width=width, height=height, data=data, **{**values, **more})


def slot(scale: tuple[float, float] = (1.0, 1.0), offset: tuple[float, float] = (0.0, 0.0)) -> RawTextureSlot:
    """A texture slot that is set."""
    return RawTextureSlot(texture=TEXTURE, scale=scale, offset=offset)


EMPTY_SLOT = RawTextureSlot(texture=None, scale=(1.0, 1.0), offset=(0.0, 0.0))


def raw_material(
    shader: str | None,
    *,
    keywords: str = "",
    queue: int = -1,
    tag: str | None = None,
    textures: Mapping[str, RawTextureSlot] | None = None,
    floats: Mapping[str, float] | None = None,
    colors: Mapping[str, tuple[float, float, float, float]] | None = None,
) -> RawMaterial:
    """A material; ``keywords`` are separated by spaces, ``tag`` is its RenderType."""
    return RawMaterial(
        source=MATERIAL,
        name="wall",
        shader=shader,
        keywords=frozenset(keywords.split()),
        tags={"RenderType": tag} if tag else {},
        render_queue=queue,
        textures=textures or {},
        floats=floats or {},
        colors=colors or {},
    )
