"""KHR_materials_specular and KHR_materials_ior: what reflects at normal incidence."""

from __future__ import annotations

from ...ir import Material
from .hooks import MATERIAL, Json, TextureInfo, members


@MATERIAL.add("KHR_materials_specular")
def specular(material: Material, info: TextureInfo) -> Json | None:
    """Strength and colour, each where it is not 1."""
    layer = material.specular
    if layer is None:
        return None
    return members(
        specularFactor=(layer.factor, 1.0),
        specularTexture=info(layer.texture),
        specularColorFactor=(list(layer.color), [1.0, 1.0, 1.0]),
        specularColorTexture=info(layer.color_texture),
    )


@MATERIAL.add("KHR_materials_ior")
def ior(material: Material, info: TextureInfo) -> Json | None:
    """The index of refraction where it is not 1.5."""
    return {"ior": material.ior} if material.ior not in (None, 1.5) else None
