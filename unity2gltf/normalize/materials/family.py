"""Which row a material belongs to."""

from __future__ import annotations

import re

from ... import codes
from ...diagnostics import Diagnostics
from ...raw import RawMaterial
from .columns import Family
from .declared import first_of, first_pass
from .families import FAMILIES
from .infer import UNKNOWN, inferred

_UNLIT = re.compile(r"unlit", re.IGNORECASE)
_LIT = re.compile(r"(?<!un)lit\b|shad(ed|ing)|toon|\bcel|lambert|phong|\bpbr", re.IGNORECASE)
_VERTEX_COLORS = re.compile(r"vertex[ _-]?colou?r", re.IGNORECASE)


def find_family(raw: RawMaterial, rules: tuple[Family, ...], diagnostics: Diagnostics) -> Family:
    """The row by the shader's name, else by the properties, else one made of what these are called; says so unless by
    name. ``rules`` come before the table."""
    rows = (*rules, *FAMILIES)
    by_name = next((family for family in rows if raw.shader and family.matches(raw.shader)), None)
    if by_name is not None:
        return by_name
    properties = raw.textures.keys() | raw.floats.keys() | raw.colors.keys()
    shader = f'the shader "{raw.shader}" is not known' if raw.shader else "the shader is not in the input"
    for family in rows:
        # Numbers outlive a change of shader, texture slots do not always: a family whose slot is not there is not it.
        if any(group <= properties for group in family.signature) and _has_main_slot(raw, family):
            message = f"{shader}; the properties are those of {family.name}"
            diagnostics.add(codes.MATERIAL_SHADER_BY_PROPERTIES, message, shader=raw.shader, family=family.name)
            return family
    family = inferred(raw)
    taken = [main_texture(raw, family), base_color(raw, family), *(normals.map for normals in family.normals[:1])]
    diagnostics.add(
        codes.MATERIAL_SHADER_GUESSED,
        f"{shader}; what is written is taken from {', '.join(filter(None, taken)) or 'nothing'}",
        shader=raw.shader,
        textures=[name for name, slot in sorted(raw.textures.items()) if slot.texture],
        colors=sorted(raw.colors),
    )
    return family


def _has_main_slot(raw: RawMaterial, family: Family) -> bool:
    return not family.textures or main_texture(raw, family) is not None


def main_texture(raw: RawMaterial, family: Family) -> str | None:
    """The property of the base colour texture, set or not: the first of the row's that the material has; or None."""
    return first_of(family.textures, raw.textures)


def base_color(raw: RawMaterial, family: Family) -> str | None:
    """The property of the base colour, or None."""
    return first_of(family.colors, raw.colors)


def is_named(raw: RawMaterial, family: Family) -> bool:
    """Was the family found by the shader's name?"""
    return raw.shader is not None and family.name != UNKNOWN.name and family.matches(raw.shader)


def is_unlit(raw: RawMaterial, family: Family) -> bool:
    """Does light leave the material alone? By family, where a shader's name does not leave doubt; a shader named
    unlit is, and so is an unknown one whose first pass the engine gives no light to."""
    shader = raw.shader or ""
    if _UNLIT.search(shader):
        return True
    if family.name == UNKNOWN.name:
        return _takes_no_light(raw) and not _LIT.search(shader)
    return family.unlit and (not shader or is_named(raw, family))


def _takes_no_light(raw: RawMaterial) -> bool:
    """Unity sets lights up for passes of certain LightModes only; shader graphs say what they were made for."""
    first = first_pass(raw)
    if first is None:
        return False
    if "Unlit" in first.tags.get("SHADERGRAPHTARGETID", "") + first.tags.get("UNIVERSALMATERIALTYPE", ""):
        return True
    return first.tags.get("LIGHTMODE", "ALWAYS").upper() in ("ALWAYS", "SRPDEFAULTUNLIT", "FORWARDONLY UNLIT")


def uses_vertex_colors(raw: RawMaterial, family: Family) -> bool:
    """Does the shader multiply by the vertex colour? By family; a shader named after vertex colours does."""
    return family.vertex_colors or _VERTEX_COLORS.search(raw.shader or "") is not None
