"""Shader objects without programs: what they declare, and how their first pass draws.

Of Unity's own shaders those properties are declared that shape a material's look, with labels, flags and defaults as
Unity's builds store them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COLOR, FLOAT, RANGE, TEXTURE = 0, 2, 3, 4  # UnityEngine.Rendering.ShaderPropertyType
HIDDEN, NORMAL, HDR, GAMMA, MAIN_TEXTURE, MAIN_COLOR = 1, 8, 16, 32, 128, 256  # ShaderPropertyFlags
CULL_OFF, CULL_BACK = 0.0, 2.0
ONE, ZERO = 1.0, 0.0  # UnityEngine.Rendering.BlendMode
_NO_DIMENSION, _TEX_2D = 1, 2
_NO_PROPERTY = "<noninit>"

Setting = float | str
"""A number, or the name of the property that holds it."""


@dataclass(frozen=True, slots=True)
class Property:
    """A declared property; a texture's default is a word such as ``white``."""

    name: str
    label: str
    type: int
    default: Sequence[float] = ()
    texture: str = ""
    flags: int = 0


@dataclass(frozen=True, slots=True)
class ShaderContent:
    """``tags`` are those of the first pass, the subshader's among them."""

    name: str
    properties: tuple[Property, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    cull: Setting = CULL_BACK
    blend: tuple[Setting, Setting] = ("_SrcBlend", "_DstBlend")


def shader_fields(shader: ShaderContent) -> dict[str, Any]:
    """The fields of a Shader from 5.5 on."""
    source, destination = map(_setting, shader.blend)
    state = {
        "rtBlend0": {"srcBlend": source, "destBlend": destination, "colMask": _setting(15.0)},
        "zTest": _setting(4.0),
        "zWrite": _setting(1.0),
        "culling": _setting(shader.cull),
        "m_Tags": {"tags": list(shader.tags.items())},
    }
    properties = {"m_Props": [_property(item) for item in shader.properties]}
    passes = [{"m_Passes": [{"m_State": state}]}]
    return {"m_ParsedForm": {"m_Name": shader.name, "m_PropInfo": properties, "m_SubShaders": passes}}


def _setting(value: Setting) -> dict[str, Any]:
    named = isinstance(value, str)
    return {"val": 0.0 if named else value, "name": value if named else _NO_PROPERTY}


def _property(item: Property) -> dict[str, Any]:
    values = [*item.default, 0.0, 0.0, 0.0, 0.0][:4]
    dimension = _TEX_2D if item.type == TEXTURE else _NO_DIMENSION
    return {
        "m_Name": item.name,
        "m_Description": item.label,
        "m_Type": item.type,
        "m_Flags": item.flags,
        **{f"m_DefValue[{index}]": value for index, value in enumerate(values)},
        "m_DefTexture": {"m_DefaultName": item.texture, "m_TexDim": dimension},
    }


def color(name: str, label: str, default: Sequence[float] = (1.0, 1.0, 1.0, 1.0), flags: int = 0) -> Property:
    return Property(name, label, COLOR, default, flags=flags)


def number(name: str, label: str, default: float = 0.0, flags: int = 0) -> Property:
    return Property(name, label, FLOAT, (default,), flags=flags)


def share(name: str, label: str, default: float = 0.0, flags: int = 0) -> Property:
    """A range of 0..1."""
    return Property(name, label, RANGE, (default, 0.0, 1.0), flags=flags)


def texture(name: str, label: str, default: str = "white", flags: int = 0) -> Property:
    return Property(name, label, TEXTURE, texture=default, flags=flags)


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
