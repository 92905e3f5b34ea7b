"""KHR_materials_unlit: a material that light does not change."""

from __future__ import annotations

from ...ir import Material
from .hooks import MATERIAL, Json, TextureInfo

FALLBACK = (0.0, 0.9)
"""Metallic and roughness for readers without the extension, as its text recommends: not metallic, above 0.5 rough."""


@MATERIAL.add("KHR_materials_unlit")
def unlit(material: Material, info: TextureInfo) -> Json | None:
    """An empty object where the material is unlit: being there is all it says."""
    return {} if material.unlit else None
