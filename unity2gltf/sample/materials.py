"""Materials as the fields of Unity's Material, and a shelf that adds them to a file with what they need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .shaders import ShaderContent, shader_fields
from .textures import Picture, Stream, texture_fields
from .values import MATERIAL, SHADER, TEXTURE_2D, color, f32, pptr
from .writer import FileBuilder

Rgb = tuple[float, float, float]
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Slot:
    """A texture slot: its picture, or None, and its tiling."""

    picture: Picture | None
    scale: Pair = (1.0, 1.0)
    offset: Pair = (0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialContent:
    """What a material stores; its shader's defaults stand for the rest. ``queue`` -1 is the shader's own."""

    name: str
    shader: ShaderContent
    slots: Mapping[str, Slot] = field(default_factory=dict)
    floats: Mapping[str, float] = field(default_factory=dict)
    colors: Mapping[str, Rgb] = field(default_factory=dict)
    keywords: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    queue: int = -1


def material_fields(material: MaterialContent, shader: int, textures: Mapping[str, int]) -> dict[str, Any]:
    """The fields of a Material; ``textures`` has the path id of each picture by its name."""
    return {
        "m_Name": material.name,
        "m_Shader": pptr(shader),
        "?m_ShaderKeywords": " ".join(material.keywords),  # to 2021.1
        "?m_ValidKeywords": list(material.keywords),
        "m_CustomRenderQueue": material.queue,
        "stringTagMap": list(material.tags.items()),
        "m_SavedProperties": {
            "m_TexEnvs": [(name, _slot(slot, textures)) for name, slot in material.slots.items()],
            "m_Floats": [(name, f32(value)) for name, value in material.floats.items()],
            "m_Colors": [(name, color(*value)) for name, value in material.colors.items()],
        },
    }


def _slot(slot: Slot, textures: Mapping[str, int]) -> dict[str, Any]:
    (across, up), (right, top) = slot.scale, slot.offset
    return {
        "m_Texture": pptr(textures[slot.picture.name] if slot.picture else 0),
        "m_Scale": {"x": across, "y": up},
        "m_Offset": {"x": right, "y": top},
    }


class Shelf:
    """Adds materials to ``file``, and the shaders and textures they name once each.

    ``stream`` takes the textures' pixels to a .resS file; without it they stay in the objects.
    """

    def __init__(self, file: FileBuilder, stream: Stream | None = None) -> None:
        self.file = file
        self.stream = stream
        self._shaders: dict[str, int] = {}
        self._textures: dict[str, int] = {}

    def material(self, content: MaterialContent) -> int:
        """The path id of a new Material."""
        shader = self.shader(content.shader)
        for slot in content.slots.values():
            if slot.picture is not None:
                self.texture(slot.picture)
        return self.file.add(MATERIAL, material_fields(content, shader, self._textures))

    def shader(self, content: ShaderContent) -> int:
        """The path id of a Shader."""
        if content.name not in self._shaders:
            self._shaders[content.name] = self.file.add(SHADER, shader_fields(content))
        return self._shaders[content.name]

    def texture(self, picture: Picture) -> int:
        """The path id of a Texture2D."""
        if picture.name not in self._textures:
            self._textures[picture.name] = self.file.add(TEXTURE_2D, texture_fields(picture, self.stream))
        return self._textures[picture.name]
