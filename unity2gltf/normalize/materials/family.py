"""Which row of the table a material belongs to."""

from __future__ import annotations

import re

from ... import codes
from ...diagnostics import Diagnostics
from ...raw import RawMaterial
from .columns import Family
from .table import FAMILIES, UNKNOWN

_LOOKS_LIKE_MAIN = re.compile(r"albedo|diffuse|base|main", re.IGNORECASE)
_NOT_MAIN = re.compile(r"normal|bump|mask|detail|spec|emis|noise|ramp|shade|light", re.IGNORECASE)
_UNLIT = re.compile(r"unlit", re.IGNORECASE)
_VERTEX_COLORS = re.compile(r"vertex[ _-]?colou?r", re.IGNORECASE)


def find_family(raw: RawMaterial, diagnostics: Diagnostics) -> Family:
    """The row by the shader's name, else by the properties, else :data:`UNKNOWN`; says so unless by name."""
    by_name = next((family for family in FAMILIES if raw.shader and family.matches(raw.shader)), None)
    if by_name is not None:
        return by_name
    properties = raw.textures.keys() | raw.floats.keys() | raw.colors.keys()
    shader = f'the shader "{raw.shader}" is not known' if raw.shader else "the shader could not be read"
    for family in FAMILIES:
        # Numbers outlive a change of shader, texture slots do not always: a family whose slot is not there is not it.
        if any(group <= properties for group in family.signature) and _has_main_slot(raw, family):
            message = f"{shader}; the properties are those of {family.name}"
            diagnostics.add(codes.MATERIAL_SHADER_BY_PROPERTIES, message, shader=raw.shader, family=family.name)
            return family
    colors, textures = sorted(raw.colors), [name for name, slot in sorted(raw.textures.items()) if slot.texture]
    texture, color = main_texture(raw, UNKNOWN), base_color(raw, UNKNOWN)
    message = f"{shader}; its base colour is taken from {' and '.join(filter(None, (texture, color))) or 'nothing'}"
    diagnostics.add(codes.MATERIAL_SHADER_GUESSED, message, shader=raw.shader, textures=textures, colors=colors)
    return UNKNOWN


def _has_main_slot(raw: RawMaterial, family: Family) -> bool:
    return not family.textures or any(name in raw.textures for name in family.textures)


def main_texture(raw: RawMaterial, family: Family) -> str | None:
    """The property of the base colour texture, or None.

    A known shader reads one property, set or not: the first of its row's that the material has. For an unknown one
    it is the first that is set by the usual names, then by the look of its name, then the only one left.
    """
    if family is not UNKNOWN:
        return next((name for name in family.textures if name in raw.textures), None)
    set_ = [name for name, slot in raw.textures.items() if slot.texture is not None]
    usual = [name for name in family.textures if name in set_]
    possible = [name for name in set_ if not _NOT_MAIN.search(name)]
    similar = [name for name in possible if _LOOKS_LIKE_MAIN.search(name)]
    return next(iter(usual or similar or (possible if len(possible) == 1 else ())), None)


def base_color(raw: RawMaterial, family: Family) -> str | None:
    """The property of the base colour, or None."""
    return next((name for name in family.colors if name in raw.colors), None)


def is_named(raw: RawMaterial, family: Family) -> bool:
    """Was the family found by the shader's name?"""
    return raw.shader is not None and family.matches(raw.shader) and family is not UNKNOWN


def is_unlit(raw: RawMaterial, family: Family) -> bool:
    """Does light leave the material alone? By family, where a shader's name does not leave doubt; a shader named
    unlit is."""
    if _UNLIT.search(raw.shader or ""):
        return True
    return family.unlit and (not raw.shader or is_named(raw, family))


def uses_vertex_colors(raw: RawMaterial, family: Family) -> bool:
    """Does the shader multiply by the vertex colour? By family; a shader named after vertex colours does."""
    return family.vertex_colors or _VERTEX_COLORS.search(raw.shader or "") is not None
