"""Toon shaders: base colour, normals, emission, cutoff, culling; the steps of their light are reported."""

from __future__ import annotations

from ..columns import AlphaRule, Family, Normals, Scalar, Style, Tint
from .common import EMISSION_HDR, NO_MAPS, TINT, signature

_BUMP = (Normals(),)
_INVERSE = ("_Inverse_Clipping",)

FAMILIES: tuple[Family, ...] = (
    Family(
        name="VRM unlit",
        shaders=r"VRM/Unlit.*|UniGLTF/UniUnlit",
        unlit=True,
        alpha=AlphaRule.MTOON,
        cull=("_M_CullMode", "_CullMode"),
        maps=NO_MAPS,
    ),
    Family(
        name="MToon",
        shaders=r"VRM/MToon|VRM10/.*|.*/MToon.*",
        signature=signature("_ShadeColor _ShadeTexture _BlendMode", "_ShadeColor _ShadeTex _AlphaMode"),
        alpha=AlphaRule.MTOON,
        cull=("_M_CullMode", "_CullMode"),
        normals=_BUMP,
        emission=(Tint(color="_EmissionColor", map="_EmissionMap"),),
        style=Style.TOON,
        outline="_OutlineWidth",
    ),
    Family(
        name="lilToon",
        shaders=r"(Hidden/)?_?lil.*",
        signature=signature("_lilToonVersion"),
        cull=("_Cull",),
        normals=(Normals(switch=("_UseBumpMap",)),),
        emission=(
            Tint(
                color="_EmissionColor",
                map="_EmissionMap",
                scale="_EmissionBlend",
                switch=("_UseEmission",),
                mask=Scalar(map="_EmissionBlendMask"),
                linear=True,
            ),
        ),
        style=Style.TOON,
        outline="_UseOutline",
    ),
    Family(
        name="Poiyomi",
        shaders=r"(Hidden/)?(Locked/)?\.?poiyomi.*",
        signature=signature("_PoiyomiVersion", "shader_is_using_thry_editor _MainTex"),
        alpha=AlphaRule.STANDARD,
        cull=("_Cull",),
        normals=_BUMP,
        emission=(
            Tint(
                color="_EmissionColor",
                map="_EmissionMap",
                scale="_EmissionStrength",
                switch=("_EnableEmission",),
                mask=Scalar(map="_EmissionMask"),
                linear=True,
            ),
        ),
        style=Style.TOON,
        outline="_EnableOutlines",
    ),
    Family(
        name="Unity Toon Shader",
        shaders=r"(UnityChanToonShader|UTS|UCTS|((Universal Render Pipeline|HDRP)/)?Toon\b).*",
        signature=signature("_1st_ShadeColor _2nd_ShadeColor"),
        colors=TINT,
        textures=("_MainTex", "_BaseMap", "_BaseColorMap"),
        alpha_map=(
            Scalar(map="_MainTex", channel="a", needs=("_IsBaseMapAlphaAsClippingMask",), inverted_by=_INVERSE),
            Scalar(map="_ClippingMask", inverted_by=_INVERSE),
        ),
        alpha_factor=False,
        clip_level="_Clipping_Level",
        cull=("_CullMode", "_Cull"),
        normals=(Normals(map="_NormalMap"),),
        emission=(Tint(color="_Emissive_Color", map="_Emissive_Tex", linear=True),),
        style=Style.TOON,
        outline="_Outline_Width",
    ),
    Family(
        name="toon with URP's properties",
        shaders=r"FlatKit/.*|OToon/.*|Toony Colors Pro 2/Hybrid.*",
        colors=TINT,
        textures=("_BaseMap", "_MainTex"),
        cull=("_Cull", "_CullMode"),
        normals=_BUMP,
        emission=EMISSION_HDR,
        style=Style.TOON,
    ),
    Family(
        name="toon",
        shaders=r"(Toony Colors|arktoon|ArxCharacterShaders|Sunao|Xiexe|Reflex|MMD|RealToon).*",
        signature=signature("_ToonRamp _MainTex", "_HColor _SColor _Ramp"),
        colors=TINT,
        textures=("_MainTex", "_BaseMap", "_BaseColorMap"),
        cull=("_Cull", "_CullMode", "_Culling"),
        normals=_BUMP,
        emission=(
            Tint(
                color="_EmissionColor",
                map="_EmissionMap",
                switch=("_EMISSION", "_UseEmission", "_EnableEmission"),
                linear=True,
            ),
        ),
        style=Style.TOON,
    ),
)
