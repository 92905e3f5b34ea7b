"""The built-in pipeline's physically based shaders."""

from __future__ import annotations

from ..columns import AlphaRule, Family, Scalar, Tint
from .common import (
    ALBEDO_ALPHA,
    BUMP,
    DETAIL_MAPS,
    EMISSION,
    GLOSSINESS,
    METALLIC,
    METALLIC_LINEAR,
    OCCLUSION,
    ROUGH_GLOSSINESS,
    signature,
)

_METALLIC_MAP = ("_METALLICGLOSSMAP",)
_SPECULAR_MAP = ("_SPECGLOSSMAP",)
_FROM_ALBEDO = Scalar(map="_MainTex", channel="a", needs=ALBEDO_ALPHA, scale="_GlossMapScale")

FAMILIES: tuple[Family, ...] = (
    Family(
        name="Standard",
        shaders=r"Standard|Standard \(Metallic setup\)|ProBuilder/Standard",
        signature=signature("_MainTex _Color _Glossiness _Metallic", "_MainTex _Color _MetallicGlossMap"),
        alpha=AlphaRule.STANDARD,
        metallic=(Scalar(map="_MetallicGlossMap", switch=_METALLIC_MAP), METALLIC),
        smoothness=(
            _FROM_ALBEDO,
            Scalar(map="_MetallicGlossMap", channel="a", switch=_METALLIC_MAP, scale="_GlossMapScale"),
            GLOSSINESS,
        ),
        occlusion=OCCLUSION,
        occlusion_strength="_OcclusionStrength",
        normals=BUMP,
        emission=EMISSION,
        maps=DETAIL_MAPS,
    ),
    Family(
        name="Standard (Roughness setup)",
        shaders=r"Standard \(Roughness setup\)|Autodesk Interactive",
        alpha=AlphaRule.STANDARD,
        metallic=(Scalar(map="_MetallicGlossMap", switch=_METALLIC_MAP), METALLIC_LINEAR),
        smoothness=(
            Scalar(map="_SpecGlossMap", switch=_SPECULAR_MAP, inverted=True),
            ROUGH_GLOSSINESS,
        ),
        occlusion=OCCLUSION,
        occlusion_strength="_OcclusionStrength",
        normals=BUMP,
        emission=EMISSION,
        maps=DETAIL_MAPS,
    ),
    Family(
        name="Standard with vertex colours",
        shaders=r"ProBuilder/Standard Vertex Color|Standard \(Vertex Colou?r\)",
        vertex_colors=True,
        alpha=AlphaRule.STANDARD,
        metallic=(METALLIC_LINEAR,),
        smoothness=(GLOSSINESS,),
    ),
    Family(
        name="Standard (Specular setup)",
        shaders=r"Standard \(Specular setup\)",
        signature=signature("_MainTex _Color _SpecColor _SpecGlossMap", "_MainTex _Color _SpecColor _Glossiness"),
        alpha=AlphaRule.STANDARD,
        smoothness=(
            _FROM_ALBEDO,
            Scalar(map="_SpecGlossMap", channel="a", switch=_SPECULAR_MAP, scale="_GlossMapScale"),
            GLOSSINESS,
        ),
        specular=(Tint(map="_SpecGlossMap", map_switch=_SPECULAR_MAP), Tint(color="_SpecColor", default=0.2)),
        occlusion=OCCLUSION,
        occlusion_strength="_OcclusionStrength",
        normals=BUMP,
        emission=EMISSION,
        maps=DETAIL_MAPS,
    ),
)
