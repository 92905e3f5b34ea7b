"""The table of shader families: what a shader reads and how it draws, one row a family.

Saved properties outlive a change of shader, so a row names exactly what its shaders read: a left-over ``_Color`` does
not tint a shader that has none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto


class AlphaRule(Enum):
    """Where a family keeps its transparency. ``alpha.py`` has one function each."""

    NAME = auto()  # fixed by the shader: Transparent or Cutout in its name
    MASK = auto()  # always cut out
    BLEND = auto()  # always blended
    STANDARD = auto()  # _Mode 0 opaque, 1 cutout, 2 fade, 3 transparent, with keywords
    URP = auto()  # _Surface and _AlphaClip, with keywords
    HDRP = auto()  # _SurfaceType and _AlphaCutoffEnable, with keywords
    MTOON = auto()  # _BlendMode or _AlphaMode 0 opaque, 1 cutout, 2 and up transparent
    EVIDENCE = auto()  # unknown: keywords, tag, queue, then the name


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One row. ``shaders`` matches a shader's whole name, case-insensitively; ``colors`` and ``textures`` are the base
    colour's properties, the first that the material has counts; ``cull`` the properties
    that select the culled face. ``signature``: properties that together tell the family without a name, any group.
    """

    name: str
    shaders: str
    colors: tuple[str, ...] = ("_Color",)
    textures: tuple[str, ...] = ("_MainTex",)
    color_scale: float = 1.0
    vertex_colors: bool = False
    alpha: AlphaRule = AlphaRule.EVIDENCE
    cull: tuple[str, ...] = ()
    double_sided: bool = False
    cutoff: tuple[str, ...] = ("_Cutoff",)
    signature: tuple[frozenset[str], ...] = ()

    def matches(self, shader: str) -> bool:
        """Does the row speak of the shader of this name?"""
        return re.fullmatch(self.shaders, shader, re.IGNORECASE) is not None


def _signature(*groups: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(group.split()) for group in groups)


_LEGACY_KINDS = (
    r"(Diffuse( Detail| Fast)?|Specular|(Bumped|Parallax) (Diffuse|Specular|Unlit)|Decal|VertexLit|BumpedSpecular)"
)
_URP = r"(Universal Render Pipeline|Lightweight Render Pipeline|LightweightPipeline)/"
_HDRP = r"(HDRP|HDRenderPipeline|High Definition Render Pipeline)/"
_MAIN = ("_BaseMap", "_BaseColorMap", "_MainTex")
_TINT = ("_BaseColor", "_Color")

FAMILIES: tuple[Family, ...] = (
    Family(
        name="particles",
        shaders=r"(Legacy Shaders/)?Particles/(Additive|~Additive-Multiply|(Anim )?Alpha Blended|Blend)",
        colors=("_TintColor",),
        color_scale=2.0,  # their shaders multiply by 2: a tint of one half is neutral
        vertex_colors=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
        signature=_signature("_TintColor _InvFade"),
    ),
    Family(
        name="particles without tint",
        shaders=r"(Legacy Shaders/|Mobile/)?Particles/(?!Standard).*",
        colors=(),
        vertex_colors=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
    ),
    Family(
        name="Standard particles",
        shaders=r"Particles/Standard (Surface|Unlit)",
        vertex_colors=True,
        alpha=AlphaRule.STANDARD,
        cull=("_Cull",),
        signature=_signature("_ColorMode _FlipbookMode _MainTex"),
    ),
    Family(
        name="URP particles",
        shaders=_URP + r"Particles/.*",
        colors=("_BaseColor",),
        textures=("_BaseMap",),
        vertex_colors=True,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        signature=_signature("_BaseMap _FlipbookBlending"),
    ),
    Family(
        name="text",
        shaders=r"TextMeshPro/(?!Sprite).*|GUI/(3D )?Text Shader",
        colors=("_FaceColor", "_Color"),
        vertex_colors=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
        signature=_signature("_FaceColor _GradientScale", "_FaceColor _MaskCoord"),
    ),
    Family(
        name="sprites and UI",
        shaders=r"(Sprites|(Mobile/)?UI|Spine|Universal Render Pipeline/2D)/.*"
        r"|TextMeshPro/Sprite|Unlit/Transparent Colored",
        vertex_colors=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
        signature=_signature("_RendererColor _MainTex", "_StencilComp _ColorMask _UseUIAlphaClip"),
    ),
    Family(
        name="HDRP Lit",
        shaders=_HDRP + r"(Lit|LitTessellation|LayeredLit.*|StackLit|Fabric|Hair|Decal|AxF|Eye)",
        colors=("_BaseColor",),
        textures=("_BaseColorMap",),
        alpha=AlphaRule.HDRP,
        cull=("_DoubleSidedEnable", "_CullMode"),
        cutoff=("_AlphaCutoff", "_Cutoff"),
        signature=_signature(
            "_BaseColor _BaseColorMap _MaskMap", "_BaseColor _SurfaceType _DoubleSidedEnable _Metallic"
        ),
    ),
    Family(
        name="HDRP Unlit",
        shaders=_HDRP + r"Unlit",
        colors=("_UnlitColor", "_BaseColor"),
        textures=("_UnlitColorMap", "_BaseColorMap"),
        alpha=AlphaRule.HDRP,
        cull=("_DoubleSidedEnable", "_CullMode"),
        cutoff=("_AlphaCutoff", "_Cutoff"),
        signature=_signature("_UnlitColor _SurfaceType"),
    ),
    Family(
        name="URP Lit",
        shaders=_URP
        + r"(Complex |Simple |Baked )?Lit|"
        + _URP
        + r"Nature/.*|Universal Render Pipeline/Autodesk Interactive/.*",
        colors=_TINT,
        textures=_MAIN,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        signature=_signature("_BaseMap _BaseColor _Smoothness", "_BaseMap _BaseColor _Surface _SpecColor"),
    ),
    Family(
        name="LWRP Standard",
        shaders=r"(Lightweight Render Pipeline|LightweightPipeline)/Standard.*",
        alpha=AlphaRule.URP,
        cull=("_Cull",),
    ),
    Family(
        name="URP Unlit",
        shaders=_URP + r"Unlit",
        colors=_TINT,
        textures=_MAIN,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        signature=_signature("_BaseMap _BaseColor _Surface"),
    ),
    Family(
        name="MToon",
        shaders=r"VRM/(MToon|Unlit.*)|VRM10/.*|.*/MToon.*",
        colors=("_Color",),
        alpha=AlphaRule.MTOON,
        cull=("_M_CullMode", "_CullMode"),
        signature=_signature("_ShadeColor _ShadeTexture _BlendMode", "_ShadeColor _ShadeTex _AlphaMode"),
    ),
    Family(
        name="toon with URP's properties",
        shaders=r"FlatKit/.*|OToon/.*|Toony Colors Pro 2/Hybrid.*",
        colors=_TINT,
        textures=("_BaseMap", "_MainTex"),
        cull=("_Cull", "_CullMode"),
    ),
    Family(
        name="toon",
        shaders=r"(Hidden/)?(_?lil|\.poiyomi|Locked/\.poiyomi|poiyomi|UnityChanToonShader|UTS|Toon|Toony Colors|arktoon"
        r"|ArxCharacterShaders|UCTS|Universal Render Pipeline/Toon|HDRP/Toon|Sunao|Xiexe|Reflex|MMD).*",
        colors=_TINT,
        textures=("_MainTex", "_BaseMap", "_BaseColorMap"),
        cull=("_Cull", "_CullMode", "_Culling"),
        signature=_signature(
            "_lilToonVersion",
            "_PoiyomiVersion",
            "_1st_ShadeColor _2nd_ShadeColor",
            "_ToonRamp _MainTex",
            "_HColor _SColor _Ramp",
        ),
    ),
    Family(
        name="Standard",
        shaders=r"Standard|Standard \((Roughness|Metallic) setup\)|Autodesk Interactive|ProBuilder/Standard",
        alpha=AlphaRule.STANDARD,
        signature=_signature("_MainTex _Color _Glossiness _Metallic", "_MainTex _Color _MetallicGlossMap"),
    ),
    Family(
        name="Standard with vertex colours",
        shaders=r"ProBuilder/Standard Vertex Color|Standard \(Vertex Colou?r\)",
        vertex_colors=True,
        alpha=AlphaRule.STANDARD,
    ),
    Family(
        name="Standard (Specular setup)",
        shaders=r"Standard \(Specular setup\)",
        alpha=AlphaRule.STANDARD,
        signature=_signature("_MainTex _Color _SpecColor _SpecGlossMap", "_MainTex _Color _SpecColor _Glossiness"),
    ),
    Family(
        name="unlit texture",
        shaders=r"Unlit/(Texture|Transparent( Cutout)?)|Mobile/Unlit \(Supports Lightmap\)",
        colors=(),
        alpha=AlphaRule.NAME,
    ),
    Family(name="unlit colour", shaders=r"Unlit/Color", textures=(), alpha=AlphaRule.NAME),
    Family(
        name="unlit with vertex colours",
        shaders=r"ProBuilder/Unlit ?Vertex ?Color",
        vertex_colors=True,
        alpha=AlphaRule.NAME,
    ),
    Family(
        name="mobile",
        shaders=r"Mobile/(Diffuse|Bumped (Diffuse|Specular)( \(1 Directional( Realtime)? Light\))?|VertexLit.*)",
        colors=(),  # the mobile versions have no tint
        alpha=AlphaRule.NAME,
    ),
    Family(
        name="legacy",
        shaders=r"(Legacy Shaders/)?((Lightmapped|Self-Illumin|Reflective|Transparent|Transparent/Cutout)/)?"
        + _LEGACY_KINDS
        + r"|(Legacy Shaders/)?Transparent/Cutout/Soft Edge Unlit",
        alpha=AlphaRule.NAME,
        signature=_signature("_MainTex _Color _Shininess _SpecColor"),
    ),
    Family(
        name="tree leaves",
        shaders=r"(Hidden/)?Nature/Tree (Creator|Soft Occlusion) Leaves.*",
        alpha=AlphaRule.MASK,
        double_sided=True,
        signature=_signature("_TranslucencyColor _ShadowStrength _MainTex"),
    ),
    Family(name="SpeedTree", shaders=r"Nature/SpeedTree.*", cull=("_TwoSided", "_Cull"), double_sided=True),
    Family(name="nature", shaders=r"(Hidden/)?Nature/.*", alpha=AlphaRule.NAME),
)

UNKNOWN = Family(
    name="unknown",
    shaders=r".*",
    colors=(*_TINT, "_MainColor", "_TintColor", "_Tint", "_AlbedoColor", "_DiffuseColor", "_BaseColorFactor"),
    textures=(
        *_MAIN,
        "_Albedo",
        "_AlbedoMap",
        "_Diffuse",
        "_DiffuseMap",
        "_BaseTexture",
        "_MainTexture",
        "_BaseColorTexture",
    ),
    cull=("_Cull", "_CullMode", "_Culling", "_DoubleSidedEnable"),
)
"""The row for a shader that neither its name nor its properties tell."""
