"""A Unity material to a glTF material: base colour, surface, transparency, sides, vertex colours."""

from __future__ import annotations

import math
from collections.abc import Callable

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Material, TextureUse
from ...raw import RawMaterial, RawTexture, RawTextureSlot
from .alpha import alpha_mode
from .columns import Family
from .family import base_color, find_family, is_unlit, main_texture, uses_vertex_colors
from .parts import report_parts_left
from .surface import metallic_roughness
from .values import finite_pair, linear_factor

TextureOf = Callable[[RawTextureSlot], int | None]
"""The index in the asset of a slot's texture, or None when there is none (reported by the one who looked)."""

_DEFAULT_CUTOFF = 0.5
_CULL_OFF, _CULL_FRONT = 0, 1  # UnityEngine.Rendering.CullMode
_CULL_SWITCHES = frozenset({"_DoubleSidedEnable"})
_NAMED_DOUBLE_SIDED = ("double sided", "doublesided", "double-sided", "two sided", "twosided", "cull off", "culloff")


def convert_material(raw: RawMaterial, texture_of: TextureOf, diagnostics: Diagnostics) -> Material:
    """The material in glTF's terms. The texture's tiling stays in Unity's space (v up)."""
    family = find_family(raw, diagnostics)
    unlit = is_unlit(raw, family)
    metallic, roughness = metallic_roughness(raw, None if unlit else family.surface, diagnostics)
    material = Material(
        name=raw.name,
        source=raw.source,
        base_color=_factor(raw, family, diagnostics),
        base_color_texture=_texture(raw, family, texture_of, diagnostics),
        metallic=metallic,
        roughness=roughness,
        unlit=unlit,
        alpha_mode=alpha_mode(raw, family, diagnostics),
        alpha_cutoff=_cutoff(raw, family, diagnostics),
        double_sided=_double_sided(raw, family, diagnostics),
        vertex_colors=uses_vertex_colors(raw, family),
    )
    report_parts_left(raw, family, unlit, diagnostics)
    return material


def _factor(raw: RawMaterial, family: Family, diagnostics: Diagnostics) -> tuple[float, float, float, float]:
    name = base_color(raw, family)
    if name is None:
        return (1.0, 1.0, 1.0, 1.0)
    return linear_factor(name, raw.colors[name], family.color_scale, diagnostics)


def _texture(raw: RawMaterial, family: Family, texture_of: TextureOf, diagnostics: Diagnostics) -> TextureUse | None:
    name = main_texture(raw, family)
    if name is None or raw.textures[name].texture is None:
        return None
    slot = raw.textures[name]
    index = texture_of(slot)
    if index is None:
        return None
    return TextureUse(
        texture=index,
        scale=finite_pair(name, slot.scale, (1.0, 1.0), diagnostics),
        offset=finite_pair(name, slot.offset, (0.0, 0.0), diagnostics),
    )


def _cutoff(raw: RawMaterial, family: Family, diagnostics: Diagnostics) -> float:
    name = next((name for name in family.cutoff if name in raw.floats), None)
    if name is None:
        return _DEFAULT_CUTOFF
    value = raw.floats[name]
    if math.isfinite(value):
        return max(value, 0.0)
    message = f"{name} is not finite; {_DEFAULT_CUTOFF} is used"
    diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=None)
    return _DEFAULT_CUTOFF


def _double_sided(raw: RawMaterial, family: Family, diagnostics: Diagnostics) -> bool:
    """By the first property of the family's that is there, else by the family and the shader's name."""
    name = next((name for name in family.cull if name in raw.floats), None)
    if name is None:
        shader = (raw.shader or "").lower()
        return family.double_sided or any(word in shader for word in _NAMED_DOUBLE_SIDED)
    value = raw.floats[name]
    if name in _CULL_SWITCHES:
        return value >= 0.5
    if value == _CULL_FRONT:
        message = "the material draws back faces only; it is written as double-sided"
        diagnostics.add(codes.MATERIAL_CULLING, message, property=name)
    return value in (_CULL_OFF, _CULL_FRONT)


_WRAP = {0: 10497, 1: 33071, 2: 33648, 3: 33648}  # repeat, clamp, mirror; mirror once is not in glTF
_NEAREST, _LINEAR = 9728, 9729
# Unity's filter: (magnification, minification without mips, minification with mips)
_FILTERS = {0: (_NEAREST, _NEAREST, 9984), 1: (_LINEAR, _LINEAR, 9985), 2: (_LINEAR, _LINEAR, 9987)}


def sampler_of(raw: RawTexture) -> tuple[tuple[int, int], int, int]:
    """((wrap s, wrap t), mag filter, min filter) in glTF's numbers; repeat and bilinear for values out of range."""
    magnify, plain, mipmapped = _FILTERS.get(raw.filter, _FILTERS[1])
    wrap = (_WRAP.get(raw.wrap[0], _WRAP[0]), _WRAP.get(raw.wrap[1], _WRAP[0]))
    return wrap, magnify, mipmapped if raw.mip_count > 1 else plain
