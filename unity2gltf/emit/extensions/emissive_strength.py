"""KHR_materials_emissive_strength: light above what a factor of 0..1 can give."""

from __future__ import annotations

from ...ir import Material
from .hooks import MATERIAL, Json, TextureInfo

Rgb = tuple[float, float, float]


def split_emissive(material: Material) -> tuple[Rgb, float]:
    """(factor in 0..1, strength of 1 or more) whose product is the material's emission."""
    red, green, blue = material.emissive
    strength = max(red, green, blue, material.emissive_strength)
    return (red / strength, green / strength, blue / strength), strength


@MATERIAL.add("KHR_materials_emissive_strength")
def emissive_strength(material: Material, info: TextureInfo) -> Json | None:
    """The strength where it is above 1."""
    _, strength = split_emissive(material)
    return {"emissiveStrength": strength} if strength > 1.0 else None
