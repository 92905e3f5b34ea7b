"""Metallic and roughness as plain numbers. Unity's perceptual roughness, 1 - smoothness, is glTF's (3.9.2)."""

from __future__ import annotations

from ...diagnostics import Diagnostics
from ...raw import RawMaterial
from .columns import Surface
from .values import srgb_to_linear, unit_number

_METALLIC, _SMOOTHNESS = 0.0, 0.5  # the shaders' defaults, for a material without the property
PLAIN = (0.0, 1.0)
"""Metallic and roughness where nothing tells them, or a map that is not written does."""


def metallic_roughness(raw: RawMaterial, surface: Surface | None, diagnostics: Diagnostics) -> tuple[float, float]:
    """glTF's metallicFactor and roughnessFactor."""
    if surface is None:
        return PLAIN
    return _metallic(raw, surface, diagnostics), _roughness(raw, surface, diagnostics)


def _metallic(raw: RawMaterial, surface: Surface, diagnostics: Diagnostics) -> float:
    if surface.metallic is None or surface.is_specular(raw.keywords) or surface.metallic_map in raw.keywords:
        return PLAIN[0]
    stored = raw.floats.get(surface.metallic, _METALLIC)
    value = unit_number(surface.metallic, stored, _METALLIC, diagnostics)
    return srgb_to_linear(value) if surface.gamma else value


def _roughness(raw: RawMaterial, surface: Surface, diagnostics: Diagnostics) -> float:
    if surface.smoothness_maps & raw.keywords:
        return PLAIN[1]
    stored = raw.floats.get(surface.smoothness, _SMOOTHNESS)
    value = unit_number(surface.smoothness, stored, _SMOOTHNESS, diagnostics)
    return value if surface.inverted else 1.0 - value
