"""A Unity material to a glTF material."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import AlphaMode, Material, PropertyTarget, TextureUse, placed_properties
from ...raw import RawMaterial, RawTexture
from ..textures.recipes import ALPHA, Color, Plane, Tap
from .alpha import alpha_mode, is_premultiplied
from .columns import Family
from .family import base_color, find_family, is_unlit, main_texture, uses_vertex_colors
from .layers import layer_fields
from .maps import Maps, Request
from .parts import kept_properties, report_parts_left
from .reading import Reading, as_declared
from .surface import surface_fields
from .values import linear_factor

_DEFAULT_CUTOFF = 0.5
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
    mode = alpha_mode(raw, family, diagnostics)
    main = main_texture(raw, family)
    maps = Maps(reading, main, request)
    material = Material(
        name=raw.name,
        source=raw.source,
        base_color=_factor(reading, maps),
        base_color_texture=_base_texture(reading, maps, main, mode),
        unlit=unlit,
        alpha_mode=mode,
        alpha_cutoff=_cutoff(reading, maps),
        double_sided=_double_sided(reading),
        vertex_colors=uses_vertex_colors(raw, family),
        extras=kept_properties(stored) if keep_properties else {},
        **({} if unlit else _lit(reading, maps)),
    )
    report_parts_left(reading, unlit)
    material = replace(material, properties=maps.properties)
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


def _factor(reading: Reading, maps: Maps) -> tuple[float, float, float, float]:
    raw, family = reading.raw, reading.family
    name = base_color(raw, family)
    if name is None:
        return (1.0, 1.0, 1.0, 1.0)
    pointer = "pbrMetallicRoughness/baseColorFactor"
    maps.properties[name] = PropertyTarget(pointer=pointer, gamma=True, scale=family.color_scale)
    return linear_factor(name, raw.colors[name], family.color_scale, reading.diagnostics)


def _base_texture(reading: Reading, maps: Maps, name: str | None, mode: AlphaMode) -> TextureUse | None:
    slot = reading.slot(name)
    if name is None or slot is None:
        return None
    key = maps.take(name, slot)
    if key is None:
        return None
    masked = reading.family.alpha_map if mode is not AlphaMode.OPAQUE else None
    alpha: Plane | None = maps.plane((masked,)) if masked is not None and reading.slot(masked.map) else None
    premultiplied = mode is AlphaMode.BLEND and is_premultiplied(reading)
    own = alpha is None or not isinstance(alpha, Tap) or alpha == Tap(key, ALPHA)
    return maps.use(Color(key, alpha=None if own else alpha, premultiplied=premultiplied))


def _cutoff(reading: Reading, maps: Maps) -> float:
    floats = reading.raw.floats
    name = reading.first(reading.family.cutoff, floats)
    if name is None:
        return _DEFAULT_CUTOFF
    maps.properties[name] = PropertyTarget(pointer="alphaCutoff", limits=(0.0, math.inf))
    if math.isfinite(floats[name]):
        return max(floats[name], 0.0)
    message = f"{name} is not finite; {_DEFAULT_CUTOFF} is used"
    reading.diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=None)
    return _DEFAULT_CUTOFF


def _double_sided(reading: Reading) -> bool:
    """By the first property of the family's that is there, else by the shader's own state, else by family and name."""
    raw, family = reading.raw, reading.family
    name = reading.first(family.cull, raw.floats)
    if name is not None and name in _CULL_SWITCHES:
        return raw.floats[name] >= 0.5
    if name is not None:
        return _is_two_sided(raw.floats[name], reading)
    first = raw.program.first_pass if raw.program else None
    if first is not None:
        # a first pass that draws back faces only is an outline; what follows it is not known here
        state = raw.floats.get(first.cull.property, first.cull.value)
        if state != _CULL_FRONT:
            return state == _CULL_OFF
    shader = (raw.shader or "").lower()
    return family.double_sided or any(word in shader for word in _NAMED_DOUBLE_SIDED)


def _is_two_sided(cull: float, reading: Reading) -> bool:
    if cull == _CULL_FRONT:
        message = "the material draws back faces only; it is written as double-sided"
        reading.diagnostics.add(codes.MATERIAL_CULLING, message, cull=cull)
    return cull in (_CULL_OFF, _CULL_FRONT)


_WRAP = {0: 10497, 1: 33071, 2: 33648, 3: 33648}  # repeat, clamp, mirror; mirror once is not in glTF
_NEAREST, _LINEAR = 9728, 9729
# Unity's filter: (magnification, minification without mips, minification with mips)
_FILTERS = {0: (_NEAREST, _NEAREST, 9984), 1: (_LINEAR, _LINEAR, 9985), 2: (_LINEAR, _LINEAR, 9987)}

BLEND_SAMPLER = ((_WRAP[1], _WRAP[1]), _FILTERS[2][0], _FILTERS[2][2])
"""Of an image that covers a terrain once: clamped, trilinear."""


def sampler_of(raw: RawTexture | None) -> tuple[tuple[int, int], int, int]:
    """((wrap s, wrap t), mag filter, min filter) in glTF's numbers; repeat and bilinear for values out of range, and
    without a texture."""
    if raw is None:
        return (_WRAP[0], _WRAP[0]), _LINEAR, _LINEAR
    magnify, plain, mipmapped = _FILTERS.get(raw.filter, _FILTERS[1])
    wrap = (_WRAP.get(raw.wrap[0], _WRAP[0]), _WRAP.get(raw.wrap[1], _WRAP[0]))
    return wrap, magnify, mipmapped if raw.mip_count > 1 else plain
