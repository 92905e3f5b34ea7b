"""A Unity material to a glTF material."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import AlphaMode, Material, TextureUse, placed_properties
from ...raw import RawMaterial
from ..textures.recipes import ALPHA, Color, Tap
from .alpha import alpha_mode, is_premultiplied
from .columns import Family
from .coverage import Rgba, base_factor, covering, cutoff
from .declared import as_declared, first_of, first_pass, setting_of
from .family import base_color, find_family, is_unlit, main_texture, uses_vertex_colors
from .layers import layer_fields
from .maps import Maps, Request
from .parts import kept_properties, report_parts_left
from .reading import Reading
from .surface import refracts, surface_fields
from .values import json_numbers

_WHOLE = 1.0 + 1e-5  # a sum of colours that is 1, but for rounding
_CULL_OFF, _CULL_FRONT = 0, 1  # UnityEngine.Rendering.CullMode
_CULL_SWITCHES = frozenset({"_DoubleSidedEnable"})
_NAMED_DOUBLE_SIDED = ("double sided", "doublesided", "double-sided", "two sided", "twosided", "cull off", "culloff")


def convert_material(
    raw: RawMaterial,
    request: Request,
    diagnostics: Diagnostics,
    *,
    rules: tuple[Family, ...] = (),
    keep_properties: bool = False,
    gamma_project: bool = False,
) -> Material:
    """The material in glTF's terms. Tilings stay in Unity's space (v up). ``rules`` are rows that come before the
    table's; ``keep_properties``: all that is stored goes to ``extras``; ``gamma_project``: the game works in gamma."""
    stored, raw = raw, as_declared(raw)
    family = find_family(raw, rules, diagnostics)
    reading = Reading(raw, family, diagnostics, gamma_project=gamma_project)
    unlit = is_unlit(raw, family)
    mode = AlphaMode.OPAQUE if not unlit and refracts(reading) else alpha_mode(raw, family, diagnostics)
    maps = Maps(reading, main_texture(raw, family), request)
    color, texture = _base(reading, maps, mode)
    if unlit:
        color, texture = _with_emission(reading, maps, mode, color, texture)
    material = Material(
        name=raw.name,
        source=raw.source,
        base_color=color,
        base_color_texture=texture,
        unlit=unlit,
        alpha_mode=mode,
        alpha_cutoff=cutoff(reading, maps),
        double_sided=_double_sided(reading),
        vertex_colors=uses_vertex_colors(raw, family),
        extras=kept_properties(stored) if keep_properties else {},
        **({} if unlit else _lit(reading, maps)),
        properties=maps.properties,
    )
    report_parts_left(reading, unlit)
    material = _closed(material, diagnostics)
    return replace(material, properties=placed_properties(material))


def without_tangents(material: Material) -> Material:
    """The material as it draws a mesh that has no tangents."""
    coat = None if material.clearcoat is None else replace(material.clearcoat, normal_texture=None)
    flat = replace(material, normal_texture=None, clearcoat=coat, anisotropy=None)
    return replace(flat, properties=placed_properties(flat))


def _lit(reading: Reading, maps: Maps) -> dict[str, Any]:
    """What shows only under light."""
    family = reading.family
    fields = surface_fields(reading, maps) | layer_fields(reading, maps)
    fields["normal_texture"], fields["normal_scale"] = maps.normals(family.normals)
    fields["emissive"], fields["emissive_texture"] = maps.tint(family.emission, neutral=0.0, written="emissiveFactor")
    return fields


def _base(reading: Reading, maps: Maps, mode: AlphaMode) -> tuple[Rgba, TextureUse | None]:
    """Factor and texture of the base colour."""
    color = base_factor(reading, maps)
    plane, factor = (None, color[3]) if mode is AlphaMode.OPAQUE else covering(reading, maps, color[3])
    color = (*color[:3], 1.0 if mode is AlphaMode.OPAQUE and refracts(reading) else factor)
    key = maps.take(maps.main)
    if key is None or maps.main is None:
        return color, None
    premultiplied = mode is AlphaMode.BLEND and is_premultiplied(reading)
    own = plane == Tap(key, ALPHA)
    recipe = Color(key, alpha=None if own else plane, premultiplied=premultiplied)
    return color, maps.use(recipe, maps.main, *((plane.slot,) if isinstance(plane, Tap) else ()))


def _with_emission(
    reading: Reading, maps: Maps, mode: AlphaMode, color: Rgba, texture: TextureUse | None
) -> tuple[Rgba, TextureUse | None]:
    """An unlit surface shows its emission on top of its colour; glTF has the colour alone.

    Where both have one map, or none, their sum is one colour; where the surface is black, emission is the colour.
    Elsewhere, and where vertex colours multiply one and not the other, it is reported.
    """
    glow = maps.mix(reading.family.emission, neutral=0.0)
    if not any(glow.color):
        return color, texture
    base = reading.slot(maps.main)
    alone = Color(base.texture, alpha=1.0, neutral=0.0) if base is not None else None
    one_map = glow.recipe == alone and (glow.recipe is None or maps.is_placed_as_base(glow))
    black = not any(color[:3]) and mode is AlphaMode.OPAQUE
    if uses_vertex_colors(reading.raw, reading.family) or not (one_map or black):
        reading.used -= set(glow.slots)
        reading.left[glow.name] = json_numbers(glow.color)
        return color, texture
    maps.properties.pop(base_color(reading.raw, reading.family) or "", None)  # it is a part of the colour alone
    red, green, blue = (a + b for a, b in zip(color[:3], glow.color, strict=True))
    if max(red, green, blue) > _WHOLE:
        message = "the colour of an unlit material with its emission has channels above 1; they were cut"
        data = {"property": glow.name, "stored": json_numbers(glow.color)}
        reading.diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, **data)
    return (min(red, 1.0), min(green, 1.0), min(blue, 1.0), color[3]), texture if one_map else maps.placed(glow)


def _closed(material: Material, diagnostics: Diagnostics) -> Material:
    """glTF's volumes are closed, so that no back face is seen (KHR_materials_volume)."""
    if not material.double_sided or material.transmission is None or material.transmission.thickness <= 0.0:
        return material
    message = "light goes through by a thickness, which asks for a closed surface: not written as double-sided"
    diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property="doubleSided", stored=True)
    return replace(material, double_sided=False)


def _double_sided(reading: Reading) -> bool:
    """By the first property of the family's that is there, else by the shader's own state, else by family and name."""
    raw, family = reading.raw, reading.family
    name = first_of(family.cull, raw.floats)
    if name is not None and name in _CULL_SWITCHES:
        return raw.floats[name] >= 0.5
    if name is not None:
        return _is_two_sided(raw.floats[name], reading)
    first = first_pass(raw)
    if first is not None:
        # a first pass that draws back faces only is an outline; what follows it is not known here
        state = setting_of(raw, first.cull)
        if state != _CULL_FRONT:
            return state == _CULL_OFF
    shader = (raw.shader or "").lower()
    return family.double_sided or any(word in shader for word in _NAMED_DOUBLE_SIDED)


def _is_two_sided(cull: float, reading: Reading) -> bool:
    if cull == _CULL_FRONT:
        message = "the material draws back faces only; it is written as double-sided"
        reading.diagnostics.add(codes.MATERIAL_CULLING, message, cull=cull)
    return cull in (_CULL_OFF, _CULL_FRONT)
