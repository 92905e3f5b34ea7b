"""Layers of shaders of glTF importers for Unity, whose numbers and channels are glTF's own."""

from __future__ import annotations

import math
from typing import Any

from ....ir import Anisotropy, Iridescence, Sheen, TextureUse, Transmission
from ...textures.recipes import Color, Packed, Tap
from ..columns import Tint
from ..maps import Maps
from ..reading import Reading
from ..values import in_unit, unit_color
from .registry import LAYERS


@LAYERS.add("glTF sheen")
def gltf_sheen(reading: Reading, maps: Maps) -> dict[str, Any]:
    color, use = maps.tint((Tint(color="sheenColorFactor", map="sheenColorTexture", linear=True),))
    if not any(color):
        return {}
    color = unit_color("sheenColorFactor", color, reading.diagnostics)
    roughness = in_unit(reading.number("sheenRoughnessFactor", 0.0))
    key = maps.take("sheenRoughnessTexture")
    rough = maps.use(Color(key), "sheenRoughnessTexture") if key is not None else None
    return {"sheen": Sheen(color=color, color_texture=use, roughness=roughness, roughness_texture=rough)}


@LAYERS.add("glTF transmission")
def gltf_transmission(reading: Reading, maps: Maps) -> dict[str, Any]:
    factor = reading.number("transmissionFactor", 0.0)
    if factor <= 0.0:
        return {}
    color = maps.unit_color(Tint(color="attenuationColor", default=1.0, linear=True))
    distance = reading.number("attenuationDistance", 0.0)
    return {
        "ior": max(reading.number("ior", 1.5), 1.0),
        "transmission": Transmission(
            factor=min(factor, 1.0),
            texture=_own_map(maps, "transmissionTexture"),
            thickness=max(reading.number("thicknessFactor", 0.0), 0.0),
            thickness_texture=_own_map(maps, "thicknessTexture"),
            attenuation_distance=distance if distance > 0 else math.inf,
            attenuation_color=color,
        ),
    }


@LAYERS.add("glTF iridescence")
def gltf_iridescence(reading: Reading, maps: Maps) -> dict[str, Any]:
    factor = reading.number("iridescenceFactor", 0.0)
    if factor <= 0.0:
        return {}
    thickness = (
        max(reading.number("iridescenceThicknessMinimum", 100.0), 0.0),
        max(reading.number("iridescenceThicknessMaximum", 400.0), 0.0),
    )
    return {
        "iridescence": Iridescence(
            factor=min(factor, 1.0),
            texture=_own_map(maps, "iridescenceTexture"),
            ior=max(reading.number("iridescenceIor", 1.3), 1.0),
            thickness=thickness,
            thickness_texture=_own_map(maps, "iridescenceThicknessTexture"),
        )
    }


@LAYERS.add("glTF anisotropy")
def gltf_anisotropy(reading: Reading, maps: Maps) -> dict[str, Any]:
    strength = reading.number("anisotropyStrength", 0.0)
    if strength <= 0.0:
        return {}
    return {
        "anisotropy": Anisotropy(
            strength=min(strength, 1.0),
            rotation=reading.number("anisotropyRotation", 0.0),
            texture=_own_map(maps, "anisotropyTexture"),
        )
    }


def _own_map(maps: Maps, name: str) -> TextureUse | None:
    """A map whose channels are glTF's already."""
    key = maps.take(name)
    return maps.use(Packed((Tap(key, 0), Tap(key, 1), Tap(key, 2))), name) if key is not None else None
