"""The Universal Render Pipeline and its predecessor, the Lightweight one."""

from __future__ import annotations

from ..columns import AlphaRule, Coat, Family, Normals, Scalar, Style, Tint
from .common import (
    ALBEDO_ALPHA,
    BUMP,
    DETAIL_MAPS,
    EMISSION,
    EMISSION_HDR,
    GLOSSINESS,
    MAIN,
    METALLIC,
    METALLIC_LINEAR,
    NO_MAPS,
    OCCLUSION_SWITCHED,
    ROUGH_GLOSSINESS,
    SMOOTHNESS,
    TINT,
    URP,
    signature,
)

_SURFACE_MAP = ("_METALLICSPECGLOSSMAP",)
_SPECULAR = ("_SPECULAR_SETUP",)
_COAT_MAP = ("_CLEARCOATMAP",)

FAMILIES: tuple[Family, ...] = (
    Family(
        name="URP Lit",
        shaders=URP + r"(Complex )?Lit",
        signature=signature("_BaseMap _BaseColor _Smoothness", "_BaseMap _BaseColor _Surface _SpecColor"),
        colors=TINT,
        textures=MAIN,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        metallic=(Scalar(map="_MetallicGlossMap", switch=_SURFACE_MAP), METALLIC_LINEAR),
        smoothness=(
            Scalar(map="_BaseMap", channel="a", needs=ALBEDO_ALPHA, scale="_Smoothness"),
            Scalar(map="_SpecGlossMap", channel="a", switch=_SURFACE_MAP, needs=_SPECULAR, scale="_Smoothness"),
            Scalar(map="_MetallicGlossMap", channel="a", switch=_SURFACE_MAP, scale="_Smoothness"),
            SMOOTHNESS,
        ),
        specular=(Tint(map="_SpecGlossMap", map_switch=_SURFACE_MAP), Tint(color="_SpecColor", default=0.2)),
        specular_switch=_SPECULAR,
        occlusion=OCCLUSION_SWITCHED,
        occlusion_strength="_OcclusionStrength",
        normals=BUMP,
        emission=EMISSION_HDR,
        coat=Coat(
            switch=("_CLEARCOAT", *_COAT_MAP),
            strength=(
                Scalar(map="_ClearCoatMap", switch=_COAT_MAP, scale="_ClearCoatMask"),
                Scalar(number="_ClearCoatMask", default=0.0),
            ),
            smoothness=(
                Scalar(map="_ClearCoatMap", channel="g", switch=_COAT_MAP, scale="_ClearCoatSmoothness"),
                Scalar(number="_ClearCoatSmoothness", default=1.0),
            ),
        ),
        maps=DETAIL_MAPS,
    ),
    Family(
        name="URP Simple Lit",
        shaders=URP + r"Simple Lit",
        colors=TINT,
        textures=MAIN,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        smoothness=(SMOOTHNESS,),
        normals=BUMP,
        emission=EMISSION_HDR,
        style=Style.SIMPLE_LIT,
        style_switch=("_SPECGLOSSMAP", "_SPECULAR_COLOR"),
        maps=NO_MAPS,
        unwritten=(Scalar(map="_SpecGlossMap", switch=("_SPECGLOSSMAP",)),),
    ),
    Family(
        name="URP Baked Lit",
        shaders=URP + r"Baked Lit",
        colors=TINT,
        textures=MAIN,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        normals=BUMP,
        maps=NO_MAPS,
    ),
    Family(
        name="URP Autodesk Interactive",
        shaders=URP + r"Autodesk Interactive/.*",
        colors=("_Color", "_BaseColor"),
        textures=("_MainTex", "_BaseMap"),
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        metallic=(
            Scalar(map="_MetallicGlossMap", switch=("_UseMetallicMap",)),
            METALLIC_LINEAR,
        ),
        smoothness=(
            Scalar(map="_SpecGlossMap", switch=("_UseRoughnessMap",), inverted=True),
            ROUGH_GLOSSINESS,
        ),
        occlusion=(Scalar(map="_OcclusionMap", switch=("_UseAoMap",)),),
        normals=(Normals(scale=None, switch=("_UseNormalMap",)),),
        emission=(Tint(color="_EmissionColor", map="_EmissionMap", map_switch=("_UseEmissiveMap",), linear=True),),
    ),
    Family(
        name="LWRP Standard",
        shaders=r"(Lightweight Render Pipeline|LightweightPipeline)/Standard.*",
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        metallic=(Scalar(map="_MetallicGlossMap", switch=(*_SURFACE_MAP, "_METALLICGLOSSMAP")), METALLIC),
        smoothness=(
            Scalar(map="_MainTex", channel="a", needs=ALBEDO_ALPHA, scale="_GlossMapScale"),
            Scalar(map="_MetallicGlossMap", channel="a", switch=_SURFACE_MAP, scale="_GlossMapScale"),
            GLOSSINESS,
        ),
        occlusion=OCCLUSION_SWITCHED,
        occlusion_strength="_OcclusionStrength",
        normals=BUMP,
        emission=EMISSION,
    ),
    Family(
        name="URP Unlit",
        shaders=URP + r"Unlit",
        signature=signature("_BaseMap _BaseColor _Surface"),
        colors=TINT,
        textures=MAIN,
        unlit=True,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        maps=NO_MAPS,
    ),
)
