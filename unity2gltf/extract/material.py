"""Material objects of every version to :class:`raw.RawMaterial`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..raw import RawMaterial, RawShader, RawTextureSlot
from ..source import Missing, Reference, Source
from .resolve import key_of

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

FIELDS = frozenset(
    [
        "m_Name",
        "m_Shader",
        "m_SavedProperties",
        "m_ShaderKeywords",
        "m_ValidKeywords",
        "m_CustomRenderQueue",
        "stringTagMap",
    ]
)

BUILTIN_SHADERS: dict[tuple[str, int], str] = {
    ("unity_default_resources", 3): "Specular",
    ("unity_default_resources", 4): "Bumped Specular",
    ("unity_builtin_extra", 6): "Legacy Shaders/VertexLit",
    ("unity_builtin_extra", 7): "Legacy Shaders/Diffuse",
    ("unity_builtin_extra", 45): "Standard (Specular setup)",
    ("unity_builtin_extra", 46): "Standard",
    ("unity_builtin_extra", 10753): "Sprites/Default",
    ("unity_builtin_extra", 10757): "Sprites/Mask",
    ("unity_builtin_extra", 10770): "UI/Default",
    ("unity_builtin_extra", 10783): "UI/DefaultETC1",
    ("unity_default_resources", 10101): "GUI/Text Shader",
}
"""Shaders of Unity's own files by path id, for games without these files; the ids are the same in every version."""


def read_material(root: ContentRoot, source: Source) -> RawMaterial:
    """A material and its shader's name. Raises :class:`Fault`."""
    file = root.file(source)
    fields = root.read(source, FIELDS)
    saved = fields["m_SavedProperties"]
    shader = _shader(root, root.resolve(file, fields["m_Shader"]))
    return RawMaterial(
        source=source,
        name=fields["m_Name"],
        shader=None if shader is None else shader.name,
        keywords=_keywords(fields),
        tags=_texts(fields.get("stringTagMap", ())),
        render_queue=int(fields.get("m_CustomRenderQueue", -1)),
        textures=_textures(root, file, saved["m_TexEnvs"]),
        floats={name: float(value) for name, value in _pairs(saved["m_Floats"])}
        | {name: float(value) for name, value in _pairs(saved.get("m_Ints", ()))},
        colors={name: _color(value) for name, value in _pairs(saved["m_Colors"])},
        program=shader,
    )


def property_name(key: Any) -> str:
    """A property's name: a string, and before 2017 a FastPropertyName around one."""
    return str(key["name"] if isinstance(key, Mapping) else key)


def _pairs(entries: Any) -> list[tuple[str, Any]]:
    return [(property_name(key), value) for key, value in entries]


def _texts(entries: Any) -> dict[str, str]:
    return {property_name(key): str(value) for key, value in entries}


def _color(value: Any) -> tuple[float, float, float, float]:
    r, g, b, a = (float(part) for part in value)
    return r, g, b, a


def _keywords(fields: Mapping[str, Any]) -> frozenset[str]:
    """One string to 2021.1, a list from 2021.2 on, which leaves out those that the shader does not know; 4.1 to 4.7
    store a list under the old name."""
    stored = fields.get("m_ValidKeywords", fields.get("m_ShaderKeywords", ""))
    return frozenset(stored.split() if isinstance(stored, str) else map(str, stored))


def _textures(root: ContentRoot, file: GameFile, entries: Any) -> dict[str, RawTextureSlot]:
    slots = {}
    for name, value in _pairs(entries):
        scale, offset = value["m_Scale"], value["m_Offset"]
        slots[name] = RawTextureSlot(
            texture=root.resolve(file, value["m_Texture"]),
            scale=(float(scale[0]), float(scale[1])),
            offset=(float(offset[0]), float(offset[1])),
        )
    return slots


def _shader(root: ContentRoot, shader: Reference) -> RawShader | None:
    """The shader where it is there; of a missing one the name, where that is one of Unity's own."""
    if isinstance(shader, Missing):
        name = BUILTIN_SHADERS.get((key_of(shader.file), shader.path_id))
        return None if name is None else RawShader(name=name)
    return None if shader is None else root.shader(shader)
