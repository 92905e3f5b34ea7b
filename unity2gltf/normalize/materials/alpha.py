"""Transparency: opaque, masked or blended, by the family's rule.

Saved numbers of an earlier shader stay in a material, so a rule reads only what its family's shaders read. The render
queue is weak evidence and comes late: a game may move an opaque material behind others by its queue alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import AlphaMode
from ...raw import RawMaterial
from .columns import AlphaRule, Family
from .declared import first_of, first_pass, setting_of
from .family import is_named
from .reading import Reading

_BLEND_KEYWORDS = frozenset(
    {"_ALPHABLEND_ON", "_ALPHAPREMULTIPLY_ON", "_ALPHAMODULATE_ON", "_SURFACE_TYPE_TRANSPARENT"}
)
_MASK_KEYWORDS = frozenset({"_ALPHATEST_ON", "GEOM_TYPE_LEAF", "GEOM_TYPE_FROND"})  # the latter two are SpeedTree's
_TAGS = {
    "Opaque": AlphaMode.OPAQUE,
    "TransparentCutout": AlphaMode.MASK,
    "Transparent": AlphaMode.BLEND,
    "Fade": AlphaMode.BLEND,
}
_QUEUE_MASK, _QUEUE_BLEND = 2450, 3000  # RenderQueue.AlphaTest and .Transparent
_NAMED = (
    (re.compile(r"cut ?-?out|alpha ?-?test", re.IGNORECASE), AlphaMode.MASK),
    (re.compile(r"transparent|fade|alpha ?-?blend|additive|translucent", re.IGNORECASE), AlphaMode.BLEND),
)
_ZERO, _ONE, _DST_ALPHA = 0, 1, 10  # UnityEngine.Rendering.BlendMode, _DST_ALPHA OneMinusSrcAlpha
_PREMULTIPLIED_NAME = re.compile(r"premultipl", re.IGNORECASE)
_NOT_ALPHA = re.compile(r"additive|(?<!pre)multiply|/add\b|\bscreen\b", re.IGNORECASE)


def alpha_mode(raw: RawMaterial, family: Family, diagnostics: Diagnostics) -> AlphaMode:
    """How the material covers what is behind it. Blending that is not by alpha is reported as an approximation."""
    # a family found by properties alone has no name to read
    unnamed = family.alpha is AlphaRule.NAME and not is_named(raw, family)
    mode = _RULES[AlphaRule.EVIDENCE if unnamed else family.alpha](raw)
    if mode is AlphaMode.BLEND:
        _report_blending(raw, family, diagnostics)
    return mode


def _by_keywords(raw: RawMaterial) -> AlphaMode | None:
    if raw.keywords & _BLEND_KEYWORDS:
        return AlphaMode.BLEND
    return AlphaMode.MASK if raw.keywords & _MASK_KEYWORDS else None


def _by_tag(raw: RawMaterial) -> AlphaMode | None:
    return _TAGS.get(raw.tags.get("RenderType", ""))


def _by_queue(raw: RawMaterial) -> AlphaMode | None:
    if raw.render_queue < 0:
        return None
    if raw.render_queue >= _QUEUE_BLEND:
        return AlphaMode.BLEND
    return AlphaMode.MASK if raw.render_queue >= _QUEUE_MASK else AlphaMode.OPAQUE


def _by_pass(raw: RawMaterial) -> AlphaMode | None:
    """What the shader's first pass does, where its object is there: blending by its state, cutting out by its tags
    (nothing tells whether the program discards pixels, so both tag and queue are asked)."""
    first = first_pass(raw)
    if first is None:
        return None
    if setting_of(raw, first.destination_blend) != _ZERO:
        return AlphaMode.BLEND
    by_tag = first.tags.get("RENDERTYPE") == "TransparentCutout"
    by_queue = first.tags.get("QUEUE", "").startswith("AlphaTest") and raw.render_queue < 0
    clips = by_tag or by_queue or raw.floats.get("_AlphaClip", 0.0) >= 0.5
    return AlphaMode.MASK if clips else AlphaMode.OPAQUE


def _blend_of(raw: RawMaterial) -> tuple[float, float] | None:
    """(source, destination) factors of the first pass, through the material's numbers; None where it is not known."""
    first = first_pass(raw)
    return None if first is None else (setting_of(raw, first.source_blend), setting_of(raw, first.destination_blend))


def is_premultiplied(reading: Reading) -> bool:
    """May the base texture's colours be stored times alpha? By row and name; or where the first pass adds them without
    multiplying by alpha and no keyword says that the program does."""
    raw = reading.raw
    if reading.family.premultiplied or _PREMULTIPLIED_NAME.search(raw.shader or ""):
        return True
    return not reading.named and _blend_of(raw) == (_ONE, _DST_ALPHA) and not raw.keywords & _BLEND_KEYWORDS


def _by_name(raw: RawMaterial) -> AlphaMode | None:
    return next((mode for pattern, mode in _NAMED if pattern.search(raw.shader or "")), None)


def _by_choice(*names: str) -> Callable[[RawMaterial], AlphaMode | None]:
    """A number 0 opaque, 1 cutout, 2 and up transparent, in the first of the properties that is there."""

    def mode(raw: RawMaterial) -> AlphaMode | None:
        name = first_of(names, raw.floats)
        choice = raw.floats[name] if name is not None else -1.0
        if not choice >= 0:  # not there, or NaN
            return None
        return AlphaMode.OPAQUE if choice < 0.5 else AlphaMode.MASK if choice < 1.5 else AlphaMode.BLEND

    return mode


def _by_switches(surface: str, clip: str) -> Callable[[RawMaterial], AlphaMode | None]:
    """``surface`` 1 = transparent, ``clip`` 1 = cutout; opaque when both are there and off."""

    def mode(raw: RawMaterial) -> AlphaMode | None:
        if raw.floats.get(surface, 0) >= 0.5:
            return AlphaMode.BLEND
        if raw.floats.get(clip, 0) >= 0.5:
            return AlphaMode.MASK
        return AlphaMode.OPAQUE if surface in raw.floats else None

    return mode


def _first(*rules: Callable[[RawMaterial], AlphaMode | None]) -> Callable[[RawMaterial], AlphaMode]:
    """The first rule that has an answer; opaque when none has."""

    def mode(raw: RawMaterial) -> AlphaMode:
        return next((found for rule in rules if (found := rule(raw)) is not None), AlphaMode.OPAQUE)

    return mode


_mode, _urp, _hdrp = (
    _by_choice("_Mode"),
    _by_switches("_Surface", "_AlphaClip"),
    _by_switches("_SurfaceType", "_AlphaCutoffEnable"),
)
_RULES: dict[AlphaRule, Callable[[RawMaterial], AlphaMode]] = {
    AlphaRule.NAME: _first(_by_name),
    AlphaRule.OPAQUE: lambda _: AlphaMode.OPAQUE,
    AlphaRule.MASK: lambda _: AlphaMode.MASK,
    AlphaRule.BLEND: lambda _: AlphaMode.BLEND,
    AlphaRule.STANDARD: _first(_by_keywords, _mode, _by_tag, _by_queue),
    AlphaRule.URP: _first(_by_keywords, _urp, _by_tag, _by_queue),
    AlphaRule.HDRP: _first(_by_keywords, _hdrp, _by_tag, _by_queue),
    AlphaRule.MTOON: _first(_by_keywords, _by_choice("_AlphaMode", "_BlendMode"), _by_tag, _by_queue),
    AlphaRule.EVIDENCE: _first(_by_keywords, _by_tag, _by_pass, _by_queue, _by_name, _urp, _hdrp, _mode),
}


def _report_blending(raw: RawMaterial, family: Family, diagnostics: Diagnostics) -> None:
    """glTF blends by alpha alone. The shader's own state tells where its object is there; else, where the shader fixes
    its blending, its name does, and elsewhere _DstBlend."""
    blend = _blend_of(raw)
    fixed = family.alpha in (AlphaRule.NAME, AlphaRule.MASK, AlphaRule.BLEND)
    by_number = _DST_ALPHA if fixed else raw.floats.get("_DstBlend", _DST_ALPHA)
    destination = by_number if blend is None else blend[1]
    named = blend is None and _NOT_ALPHA.search(raw.shader or "")
    if destination not in (_ZERO, _DST_ALPHA) or named:
        message = "the material adds to or multiplies what is behind it; it is written as alpha blending"
        diagnostics.add(codes.MATERIAL_BLENDING, message, shader=raw.shader)
