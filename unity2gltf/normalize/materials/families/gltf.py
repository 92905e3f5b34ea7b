"""Shaders of glTF importers for Unity: their properties are glTF's own, and their maps packed as glTF's are."""

from __future__ import annotations

from ..columns import AlphaRule, Coat, Family, Normals, Scalar, Tint
from .common import signature

_PACKED = "metallicRoughnessTexture"

FAMILIES: tuple[Family, ...] = (
    Family(
        name="glTF",
        shaders=r"(glTF|UnityGLTF)/(Pbr|PBR)(MetallicRoughness|Graph).*|Shader Graphs/glTF-pbrMetallicRoughness.*",
        signature=signature("baseColorFactor baseColorTexture roughnessFactor"),
        colors=("baseColorFactor",),
        textures=("baseColorTexture",),
        own_tiling=True,
        alpha=AlphaRule.EVIDENCE,
        cutoff=("alphaCutoff", "_Cutoff"),
        cull=("_Cull", "_CullMode"),
        metallic=(
            Scalar(map=_PACKED, channel="b", scale="metallicFactor"),
            Scalar(number="metallicFactor"),
        ),
        smoothness=(
            Scalar(map=_PACKED, channel="g", scale="roughnessFactor", inverted=True),
            Scalar(number="roughnessFactor", inverted=True),
        ),
        occlusion=(Scalar(map="occlusionTexture"),),
        occlusion_strength="occlusionStrength",
        normals=(Normals(map="normalTexture", scale="normalScale"),),
        emission=(Tint(color="emissiveFactor", map="emissiveTexture", linear=True),),
        coat=Coat(
            strength=(
                Scalar(map="clearcoatTexture", scale="clearcoatFactor"),
                Scalar(number="clearcoatFactor", default=0.0),
            ),
            smoothness=(
                Scalar(map="clearcoatRoughnessTexture", channel="g", scale="clearcoatRoughnessFactor", inverted=True),
                Scalar(number="clearcoatRoughnessFactor", default=0.0, inverted=True),
            ),
        ),
        layers=("glTF sheen", "glTF transmission", "glTF iridescence", "glTF anisotropy"),
    ),
    Family(
        name="glTF unlit",
        shaders=r"(glTF|UnityGLTF)/Unlit.*|Shader Graphs/glTF-unlit.*",
        colors=("baseColorFactor",),
        textures=("baseColorTexture",),
        unlit=True,
        cutoff=("alphaCutoff", "_Cutoff"),
        cull=("_Cull", "_CullMode"),
    ),
)
