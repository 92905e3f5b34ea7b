"""KHR_materials_transmission and KHR_materials_volume: light that goes through."""

from __future__ import annotations

import math

from ...ir import Material
from .hooks import MATERIAL, Json, TextureInfo, members


@MATERIAL.add("KHR_materials_transmission")
def transmission(material: Material, info: TextureInfo) -> Json | None:
    layer = material.transmission
    if layer is None:
        return None
    return members(transmissionFactor=layer.factor, transmissionTexture=info(layer.texture))


@MATERIAL.add("KHR_materials_volume")
def volume(material: Material, info: TextureInfo) -> Json | None:
    """Where there is a thickness: without one, light is not absorbed."""
    layer = material.transmission
    if layer is None or layer.thickness <= 0.0:
        return None
    distance = layer.attenuation_distance
    return members(
        thicknessFactor=layer.thickness,
        thicknessTexture=info(layer.thickness_texture),
        attenuationDistance=distance if math.isfinite(distance) else None,
        attenuationColor=(list(layer.attenuation_color), [1.0, 1.0, 1.0]),
    )
