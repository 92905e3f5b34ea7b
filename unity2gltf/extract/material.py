"""Material objects of every version to :class:`raw.RawMaterial`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..diagnostics import Fault
from ..raw import RawMaterial, RawTextureSlot
from ..source import Missing, Reference, Source

if TYPE_CHECKING:
    from .game import ContentRoot, GameFile

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

BUILTIN_SHADERS: dict[int, str] = {
    7: "Legacy Shaders/Diffuse",
    45: "Standard (Specular setup)",
    46: "Standard",
}
"""Shaders of unity_builtin_extra by path id, for games without that file; ids are the same in every version."""


def read_material(root: ContentRoot, source: Source) -> RawMaterial:
    """A material and its shader's name. Raises :class:`Fault`."""
    file = root.file(source)
    fields = root.read(source, FIELDS)
    saved = fields["m_SavedProperties"]
    return RawMaterial(
        source=source,
        name=fields["m_Name"],
        shader=_shader_name(root, root.resolve(file, fields["m_Shader"])),
        keywords=_keywords(fields),
        tags=_texts(fields.get("stringTagMap", ())),
        render_queue=int(fields.get("m_CustomRenderQueue", -1)),
        textures=_textures(root, file, saved["m_TexEnvs"]),
        floats={name: float(value) for name, value in _pairs(saved["m_Floats"])}
        | {name: float(value) for name, value in _pairs(saved.get("m_Ints", ()))},
        colors={name: _color(value) for name, value in _pairs(saved["m_Colors"])},
    )


def _text(key: Any) -> str:
    """A property's name: a string, and before 2017 a FastPropertyName around one."""
    return str(key["name"] if isinstance(key, Mapping) else key)


def _pairs(entries: Any) -> list[tuple[str, Any]]:
    return [(_text(key), value) for key, value in entries]


def _texts(entries: Any) -> dict[str, str]:
    return {_text(key): str(value) for key, value in entries}


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


def _shader_name(root: ContentRoot, shader: Reference) -> str | None:
    if isinstance(shader, Missing):
        builtin = shader.file.casefold().replace(" ", "_") == "unity_builtin_extra"
        return BUILTIN_SHADERS.get(shader.path_id) if builtin else None
    if shader is None:
        return None
    try:
        parsed = root.peek(shader, "m_ParsedForm")
        return str(parsed["m_Name"] if parsed else root.peek(shader, "m_Name")) or None
    except Fault:
        return None  # an unknown shader is reported where the material is converted
