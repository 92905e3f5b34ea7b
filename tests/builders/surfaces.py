"""Small raw textures and materials, and what comes of them."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Image, Material, TextureUse
from unity2gltf.normalize.materials.columns import Family
from unity2gltf.normalize.materials.convert import convert_material
from unity2gltf.normalize.textures.image import Settings, make_image
from unity2gltf.normalize.textures.recipes import Recipe
from unity2gltf.raw import RawMaterial, RawPass, RawSetting, RawShader, RawShaderProperty, RawTexture, RawTextureSlot
from unity2gltf.source import Missing, Source

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
        "wrap": (0, 0),
        "platform": 19,
        "platform_blob": b"",
    }
    return RawTexture(format=format_, width=width, height=height, data=data, **{**values, **more})


def picture(number: int, *rows: Sequence[Sequence[int]], **more: Any) -> RawTexture:
    """An RGBA32 texture of these pixels, the top row first, with the id ``number``. Of three numbers alpha is 255."""
    pixels = [[(*pixel, 255)[:4] for pixel in row] for row in rows]
    data = b"".join(bytes(pixel) for row in reversed(pixels) for pixel in row)
    source = Source("game", "sharedassets0.assets", number, "Texture2D")
    return raw_texture(4, len(pixels[0]), len(pixels), data, **{"source": source, "name": f"map {number}", **more})


def slot(
    scale: tuple[float, float] = (1.0, 1.0),
    offset: tuple[float, float] = (0.0, 0.0),
    of: RawTexture | Source | Missing = TEXTURE,
) -> RawTextureSlot:
    """A texture slot that is set."""
    return RawTextureSlot(texture=of.source if isinstance(of, RawTexture) else of, scale=scale, offset=offset)


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
    program: RawShader | None = None,
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
        program=program,
    )


# --- the shader's object --------------------------------------------------------------------------------------------


def color_property(
    default: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0), flags: int = 0, label: str = ""
) -> RawShaderProperty:
    return RawShaderProperty(type=0, flags=flags, default=default, label=label)


def number_property(default: float = 0.0, flags: int = 0) -> RawShaderProperty:
    return RawShaderProperty(type=2, flags=flags, default=(default, 0.0, 0.0, 0.0))


def texture_property(default: str = "white", flags: int = 0, label: str = "") -> RawShaderProperty:
    return RawShaderProperty(type=4, flags=flags, default=(0.0, 0.0, 0.0, 0.0), texture=default, label=label)


def drawing(
    *,
    cull: float | str = 2.0,
    source: float | str = 1.0,
    destination: float | str = 0.0,
    tags: Mapping[str, str] | None = None,
) -> RawPass:
    """A pass of these render states, each a number or the name of the material's number."""

    def setting(state: float | str) -> RawSetting:
        return RawSetting(value=0.0, property=state) if isinstance(state, str) else RawSetting(value=state)

    return RawPass(
        tags=tags or {}, cull=setting(cull), source_blend=setting(source), destination_blend=setting(destination)
    )


# --- what comes of them ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Painted:
    """A converted material, the images that it asked for by the number of their texture, and what was reported."""

    material: Material
    recipes: list[Recipe]
    images: list[Image]
    diagnostics: Diagnostics

    def pixels(self, use: TextureUse | None) -> NDArray[np.uint8]:
        """(H, W, channels) of a texture, decoded by Pillow; grey ones have three channels, as readers see them."""
        assert use is not None
        picture = Pillow.open(io.BytesIO(self.images[use.texture].data))
        return np.asarray(picture.convert("RGB") if picture.mode in ("1", "L") else picture)

    @property
    def codes(self) -> list[str]:
        return [item.code.name for item in self.diagnostics.items]


def painted(
    raw: RawMaterial, *textures: RawTexture, rules: tuple[Family, ...] = (), gamma_project: bool = False
) -> Painted:
    """The material and its images. References to textures that are not given cannot be had."""
    diagnostics = Diagnostics()
    recipes: list[Recipe] = []

    def request(recipe: Recipe) -> int:
        if recipe not in recipes:
            recipes.append(recipe)
        return recipes.index(recipe)

    material = convert_material(raw, request, diagnostics, rules=rules, gamma_project=gamma_project)
    given = {texture.source: texture for texture in textures}
    settings = Settings(gamma_project=gamma_project)
    images = [
        make_image(recipe, {key: given.get(key) for key in recipe.textures}, settings, diagnostics)
        for recipe in recipes
    ]
    return Painted(material, recipes, images, diagnostics)
