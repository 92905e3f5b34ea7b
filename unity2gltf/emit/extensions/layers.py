"""KHR_materials_clearcoat, _sheen, _anisotropy and _iridescence: what lies on a surface."""

from __future__ import annotations

from ...ir import Material
from .hooks import MATERIAL, Json, TextureInfo, members


@MATERIAL.add("KHR_materials_clearcoat")
def clearcoat(material: Material, info: TextureInfo) -> Json | None:
    layer = material.clearcoat
    if layer is None:
        return None
    return members(
        clearcoatFactor=layer.factor,
        clearcoatTexture=info(layer.texture),
        clearcoatRoughnessFactor=(layer.roughness, 0.0),
        clearcoatRoughnessTexture=info(layer.roughness_texture),
        clearcoatNormalTexture=info(layer.normal_texture, scale=layer.normal_scale),
    )


@MATERIAL.add("KHR_materials_sheen")
def sheen(material: Material, info: TextureInfo) -> Json | None:
    layer = material.sheen
    if layer is None:
        return None
    return members(
        sheenColorFactor=(list(layer.color), [0.0, 0.0, 0.0]),
        sheenColorTexture=info(layer.color_texture),
        sheenRoughnessFactor=(layer.roughness, 0.0),
        sheenRoughnessTexture=info(layer.roughness_texture),
    )


@MATERIAL.add("KHR_materials_anisotropy")
def anisotropy(material: Material, info: TextureInfo) -> Json | None:
    layer = material.anisotropy
    if layer is None:
        return None
    return members(
        anisotropyStrength=layer.strength,
        anisotropyRotation=(layer.rotation, 0.0),
        anisotropyTexture=info(layer.texture),
    )


@MATERIAL.add("KHR_materials_iridescence")
def iridescence(material: Material, info: TextureInfo) -> Json | None:
    layer = material.iridescence
    if layer is None:
        return None
    thinnest, thickest = layer.thickness
    return members(
        iridescenceFactor=layer.factor,
        iridescenceTexture=info(layer.texture),
        iridescenceIor=(layer.ior, 1.3),
        iridescenceThicknessMinimum=(thinnest, 100.0),
        iridescenceThicknessMaximum=(thickest, 400.0),
        iridescenceThicknessTexture=info(layer.thickness_texture),
    )
