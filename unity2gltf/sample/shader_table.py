"""The sample's shaders. Of Unity's own those properties are declared that shape a material's look, with labels, flags
and defaults as Unity's builds store them."""

from __future__ import annotations

from .shaders import (
    CULL_BACK,
    CULL_OFF,
    GAMMA,
    HDR,
    HIDDEN,
    MAIN_COLOR,
    MAIN_TEXTURE,
    NORMAL,
    ShaderContent,
    color,
    number,
    share,
    texture,
)

ONE, ZERO = 1.0, 0.0  # UnityEngine.Rendering.BlendMode

_BLACK, _GREY = (0.0, 0.0, 0.0, 1.0), (0.2, 0.2, 0.2, 1.0)
_BLENDING = (number("_SrcBlend", "__src", ONE, HIDDEN), number("_DstBlend", "__dst", ZERO, HIDDEN))
_LIT = (
    share("_Cutoff", "Alpha Cutoff", 0.5),
    number("_BumpScale", "Scale", 1.0),
    texture("_BumpMap", "Normal Map", "bump"),
    share("_OcclusionStrength", "Strength", 1.0),
    texture("_OcclusionMap", "Occlusion"),
    texture("_EmissionMap", "Emission"),
    *_BLENDING,
)
_BUILT_IN = (
    color("_Color", "Color"),
    texture("_MainTex", "Albedo"),
    share("_Glossiness", "Smoothness", 0.5),
    share("_GlossMapScale", "Smoothness Scale", 1.0),
    color("_EmissionColor", "Color", _BLACK),
    number("_Mode", "__mode", flags=HIDDEN),
    *_LIT,
)
_FORWARD = {"LIGHTMODE": "FORWARDBASE", "RenderType": "Opaque"}

STANDARD = ShaderContent(
    "Standard",
    (*_BUILT_IN, share("_Metallic", "Metallic", flags=GAMMA), texture("_MetallicGlossMap", "Metallic")),
    _FORWARD,
)
STANDARD_SPECULAR = ShaderContent(
    "Standard (Specular setup)",
    (*_BUILT_IN, color("_SpecColor", "Specular", _GREY), texture("_SpecGlossMap", "Specular")),
    _FORWARD,
)
URP_LIT = ShaderContent(
    "Universal Render Pipeline/Lit",
    (
        texture("_BaseMap", "Albedo", flags=MAIN_TEXTURE),
        color("_BaseColor", "Color", flags=MAIN_COLOR),
        share("_Smoothness", "Smoothness", 0.5),
        share("_Metallic", "Metallic"),
        texture("_MetallicGlossMap", "Metallic"),
        color("_EmissionColor", "Color", _BLACK, HDR),
        number("_Surface", "__surface"),
        number("_Cull", "__cull", CULL_BACK),
        number("_AlphaClip", "__clip"),
        *_LIT,
    ),
    {"LIGHTMODE": "UniversalForward", "RenderPipeline": "UniversalPipeline", "RenderType": "Opaque"},
    cull="_Cull",
)
HDRP_LIT = ShaderContent(
    "HDRP/Lit",
    (
        color("_BaseColor", "BaseColor", flags=MAIN_COLOR),
        texture("_BaseColorMap", "BaseColorMap", flags=MAIN_TEXTURE),
        share("_Metallic", "_Metallic"),
        share("_Smoothness", "Smoothness", 0.5),
        texture("_MaskMap", "MaskMap"),
        number("_MetallicRemapMin", "MetallicRemapMin", 0.0),
        number("_MetallicRemapMax", "MetallicRemapMax", 1.0),
        number("_SmoothnessRemapMin", "SmoothnessRemapMin", 0.0),
        number("_SmoothnessRemapMax", "SmoothnessRemapMax", 1.0),
        number("_AORemapMin", "AORemapMin", 0.0),
        number("_AORemapMax", "AORemapMax", 1.0),
        color("_EmissiveColor", "EmissiveColor", _BLACK, HDR),
        number("_SurfaceType", "__surfacetype"),
        number("_CullMode", "__cullmode", CULL_BACK, HIDDEN),
        number("_DoubleSidedEnable", "Double sided enable"),
    ),
    {"LIGHTMODE": "GBuffer", "RenderPipeline": "HDRenderPipeline", "RenderType": "HDLitShader"},
    cull="_CullMode",
    blend=(ONE, ZERO),
)
CRYSTAL = ShaderContent(
    "Sample/Crystal",
    (
        texture("_Facets", "Facet Picture", flags=MAIN_TEXTURE),
        color("_Hue", "Hue", flags=MAIN_COLOR),
        texture("_Sparkle", "Sparkle (smoothness in green)", "black"),
        texture("_Bend", "Bend", "bump", NORMAL),
        number("_BendAmount", "Bend Amount", 1.0),
        texture("_Fire", "Inner Fire", "black"),
        color("_FireColor", "Inner Fire Colour", _BLACK, HDR),
    ),
    _FORWARD,
    cull=CULL_OFF,
    blend=(ONE, ZERO),
)
"""A shader that no table knows, as games have many."""
