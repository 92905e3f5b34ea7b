"""The table of shader families: what a shader reads and how it draws, one row a family.

Saved properties outlive a change of shader, so a row names exactly what its shaders read: a left-over ``_Color`` does
not tint a shader that has none.
"""

from __future__ import annotations

from .columns import AlphaRule, Emission, Family, Surface


def _signature(*groups: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(group.split()) for group in groups)


_LEGACY_KINDS = (
    r"(Diffuse( Detail| Fast)?|Specular|(Bumped|Parallax) (Diffuse|Specular|Unlit)|Decal|VertexLit|BumpedSpecular)"
)
_URP = r"(Universal Render Pipeline|Lightweight Render Pipeline|LightweightPipeline)/"
_HDRP = r"(HDRP|HDRenderPipeline|High Definition Render Pipeline)/"
_MAIN = ("_BaseMap", "_BaseColorMap", "_MainTex")
_TINT = ("_BaseColor", "_Color")
_LIT = r".*\b(Vertex|Pixel)?Lit\b.*"
_SPRITES = r"(Sprites|(Mobile/)?UI|Spine|Universal Render Pipeline/2D)/"

_NO_MAPS = r"(?!)"
_NOT_MAIN_TEX = r"(?!_MainTex$).*"  # there for fallbacks and the lightmapper
_COMMON_MAPS = r"BumpMap|OcclusionMap|EmissionMap|ParallaxMap|DetailMask|DetailAlbedoMap|DetailNormalMap"
_ALBEDO_ALPHA = "_SMOOTHNESS_TEXTURE_ALBEDO_CHANNEL_A"

_EMISSION = Emission(color="_EmissionColor", map="_EmissionMap", switches=("_EMISSION",))
_EMISSION_PERHAPS = Emission(color="_EmissionColor", switches=("_EMISSION", "_UseEmission", "_EnableEmission"))
_EMISSION_HDRP = Emission(color="_EmissiveColor", map="_EmissiveColorMap")

_STANDARD = Surface()
_ROUGHNESS = Surface(inverted=True, smoothness_maps=frozenset({"_SPECGLOSSMAP"}))
_SPECULAR = Surface(
    metallic=None,
    metallic_map="_SPECGLOSSMAP",
    smoothness_maps=frozenset({"_SPECGLOSSMAP", _ALBEDO_ALPHA}),
    specular="_SpecColor",
)
_URP_LIT = Surface(
    smoothness="_Smoothness",
    gamma=False,
    metallic_map="_METALLICSPECGLOSSMAP",
    smoothness_maps=frozenset({"_METALLICSPECGLOSSMAP", _ALBEDO_ALPHA}),
    specular="_SpecColor",
    specular_keyword="_SPECULAR_SETUP",
)

FAMILIES: tuple[Family, ...] = (
    Family(
        name="particles",
        shaders=r"(Legacy Shaders/)?Particles/(Additive|~Additive-Multiply|(Anim )?Alpha Blended|Blend)",
        colors=("_TintColor",),
        color_scale=2.0,  # their shaders multiply by 2: a tint of one half is neutral
        vertex_colors=True,
        unlit=True,
        maps=_NO_MAPS,
        alpha=AlphaRule.BLEND,
        double_sided=True,
        signature=_signature("_TintColor _InvFade"),
    ),
    Family(
        name="lit particles",
        shaders=r"(Legacy Shaders/|Mobile/)?Particles/(?!Standard)" + _LIT,
        colors=(),
        vertex_colors=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
    ),
    Family(
        name="particles without tint",
        shaders=r"(Legacy Shaders/|Mobile/)?Particles/(?!Standard).*",
        colors=(),
        vertex_colors=True,
        unlit=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
    ),
    Family(
        name="Standard particles",
        shaders=r"Particles/Standard Surface",
        vertex_colors=True,
        alpha=AlphaRule.STANDARD,
        cull=("_Cull",),
        emission=_EMISSION,
        numbers=("_Metallic",),
        signature=_signature("_ColorMode _FlipbookMode _MainTex _Metallic"),
    ),
    Family(
        name="Standard particles, unlit",
        shaders=r"Particles/Standard Unlit",
        vertex_colors=True,
        unlit=True,
        alpha=AlphaRule.STANDARD,
        cull=("_Cull",),
        emission=_EMISSION,
        signature=_signature("_ColorMode _FlipbookMode _MainTex"),
    ),
    Family(
        name="URP particles, unlit",
        shaders=_URP + r"Particles/Unlit",
        colors=("_BaseColor",),
        textures=("_BaseMap",),
        vertex_colors=True,
        unlit=True,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        maps=_NOT_MAIN_TEX,
        emission=_EMISSION,
    ),
    Family(
        name="URP particles",
        shaders=_URP + r"Particles/.*",
        colors=("_BaseColor",),
        textures=("_BaseMap",),
        vertex_colors=True,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        maps=_NOT_MAIN_TEX,
        emission=_EMISSION,
        numbers=("_Metallic",),
        signature=_signature("_BaseMap _FlipbookBlending"),
    ),
    Family(
        name="lit text",
        shaders=r"TextMeshPro/.*\(Surface\).*|TextMeshPro/(?!Sprite)" + _LIT,
        colors=("_FaceColor", "_Color"),
        vertex_colors=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
    ),
    Family(
        name="text",
        shaders=r"TextMeshPro/(?!Sprite).*|GUI/(3D )?Text Shader",
        colors=("_FaceColor", "_Color"),
        vertex_colors=True,
        unlit=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
        signature=_signature("_FaceColor _GradientScale", "_FaceColor _MaskCoord"),
    ),
    Family(
        name="lit sprites and UI",
        shaders=r"Sprites/Diffuse|" + _SPRITES + _LIT,
        vertex_colors=True,
        alpha=AlphaRule.BLEND,
        double_sided=True,
        numbers=("_Metallic",),
    ),
    Family(
        name="sprites and UI",
        shaders=_SPRITES + r".*|TextMeshPro/Sprite|Unlit/Transparent Colored",
        vertex_colors=True,
        unlit=True,
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
        maps=_NOT_MAIN_TEX,
        emission=_EMISSION_HDRP,
        numbers=("_Metallic",),
        signature=_signature(
            "_BaseColor _BaseColorMap _MaskMap", "_BaseColor _SurfaceType _DoubleSidedEnable _Metallic"
        ),
    ),
    Family(
        name="HDRP Unlit",
        shaders=_HDRP + r"Unlit",
        colors=("_UnlitColor", "_BaseColor"),
        textures=("_UnlitColorMap", "_BaseColorMap"),
        unlit=True,
        alpha=AlphaRule.HDRP,
        cull=("_DoubleSidedEnable", "_CullMode"),
        cutoff=("_AlphaCutoff", "_Cutoff"),
        maps=_NOT_MAIN_TEX,
        emission=_EMISSION_HDRP,
        signature=_signature("_UnlitColor _SurfaceType"),
    ),
    Family(
        name="URP Lit",
        shaders=_URP + r"(Complex )?Lit",
        colors=_TINT,
        textures=_MAIN,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        maps=rf"_({_COMMON_MAPS}|MetallicGlossMap|SpecGlossMap|ClearCoatMap)",
        surface=_URP_LIT,
        emission=_EMISSION,
        signature=_signature("_BaseMap _BaseColor _Smoothness", "_BaseMap _BaseColor _Surface _SpecColor"),
    ),
    Family(
        name="URP Simple Lit",
        shaders=_URP + r"(Simple|Baked) Lit",
        colors=_TINT,
        textures=_MAIN,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        maps=r"_(BumpMap|SpecGlossMap|EmissionMap)",
        emission=_EMISSION,
    ),
    Family(
        name="URP, other lit",
        shaders=_URP + r"Nature/.*|Universal Render Pipeline/Autodesk Interactive/.*",
        colors=_TINT,
        textures=_MAIN,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        emission=_EMISSION_PERHAPS,
        numbers=("_Metallic",),
    ),
    Family(
        name="LWRP Standard",
        shaders=r"(Lightweight Render Pipeline|LightweightPipeline)/Standard.*",
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        emission=_EMISSION,
        numbers=("_Metallic",),
    ),
    Family(
        name="URP Unlit",
        shaders=_URP + r"Unlit",
        colors=_TINT,
        textures=_MAIN,
        unlit=True,
        maps=_NO_MAPS,
        alpha=AlphaRule.URP,
        cull=("_Cull",),
        signature=_signature("_BaseMap _BaseColor _Surface"),
    ),
    Family(
        name="VRM unlit",
        shaders=r"VRM/Unlit.*|UniGLTF/UniUnlit",
        unlit=True,
        alpha=AlphaRule.MTOON,
        cull=("_M_CullMode", "_CullMode"),
        maps=_NO_MAPS,
    ),
    Family(
        name="MToon",
        shaders=r"VRM/MToon|VRM10/.*|.*/MToon.*",
        colors=("_Color",),
        alpha=AlphaRule.MTOON,
        cull=("_M_CullMode", "_CullMode"),
        emission=Emission(color="_EmissionColor"),
        signature=_signature("_ShadeColor _ShadeTexture _BlendMode", "_ShadeColor _ShadeTex _AlphaMode"),
    ),
    Family(
        name="toon with URP's properties",
        shaders=r"FlatKit/.*|OToon/.*|Toony Colors Pro 2/Hybrid.*",
        colors=_TINT,
        textures=("_BaseMap", "_MainTex"),
        cull=("_Cull", "_CullMode"),
        emission=_EMISSION_PERHAPS,
    ),
    Family(
        name="toon",
        shaders=r"(Hidden/)?(_?lil|\.poiyomi|Locked/\.poiyomi|poiyomi|UnityChanToonShader|UTS|Toon|Toony Colors|arktoon"
        r"|ArxCharacterShaders|UCTS|Universal Render Pipeline/Toon|HDRP/Toon|Sunao|Xiexe|Reflex|MMD).*",
        colors=_TINT,
        textures=("_MainTex", "_BaseMap", "_BaseColorMap"),
        cull=("_Cull", "_CullMode", "_Culling"),
        emission=_EMISSION_PERHAPS,
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
        shaders=r"Standard|Standard \(Metallic setup\)|ProBuilder/Standard",
        alpha=AlphaRule.STANDARD,
        maps=rf"_({_COMMON_MAPS}|MetallicGlossMap)",
        surface=_STANDARD,
        emission=_EMISSION,
        signature=_signature("_MainTex _Color _Glossiness _Metallic", "_MainTex _Color _MetallicGlossMap"),
    ),
    Family(
        name="Standard (Roughness setup)",
        shaders=r"Standard \(Roughness setup\)|Autodesk Interactive",
        alpha=AlphaRule.STANDARD,
        maps=rf"_({_COMMON_MAPS}|MetallicGlossMap|SpecGlossMap)",
        surface=_ROUGHNESS,
        emission=_EMISSION,
    ),
    Family(
        name="Standard with vertex colours",
        shaders=r"ProBuilder/Standard Vertex Color|Standard \(Vertex Colou?r\)",
        vertex_colors=True,
        alpha=AlphaRule.STANDARD,
        emission=_EMISSION_PERHAPS,
        numbers=("_Metallic",),
    ),
    Family(
        name="Standard (Specular setup)",
        shaders=r"Standard \(Specular setup\)",
        alpha=AlphaRule.STANDARD,
        maps=rf"_({_COMMON_MAPS}|SpecGlossMap)",
        surface=_SPECULAR,
        emission=_EMISSION,
        signature=_signature("_MainTex _Color _SpecColor _SpecGlossMap", "_MainTex _Color _SpecColor _Glossiness"),
    ),
    Family(
        name="unlit texture",
        shaders=r"Unlit/(Texture|Transparent( Cutout)?)|Mobile/Unlit \(Supports Lightmap\)",
        colors=(),
        unlit=True,
        maps=_NO_MAPS,
        alpha=AlphaRule.NAME,
    ),
    Family(name="unlit colour", shaders=r"Unlit/Color", textures=(), unlit=True, alpha=AlphaRule.NAME, maps=_NO_MAPS),
    Family(
        name="unlit with vertex colours",
        shaders=r"ProBuilder/Unlit ?Vertex ?Color",
        vertex_colors=True,
        unlit=True,
        alpha=AlphaRule.NAME,
    ),
    Family(
        name="mobile",
        shaders=r"Mobile/(Diffuse|VertexLit.*)",
        colors=(),  # the mobile versions have no tint
        alpha=AlphaRule.NAME,
        maps=_NO_MAPS,
    ),
    Family(
        name="mobile bumped",
        shaders=r"Mobile/Bumped (Diffuse|Specular)( \(1 Directional( Realtime)? Light\))?",
        colors=(),
        alpha=AlphaRule.NAME,
        maps=r"_BumpMap",
    ),
    Family(
        name="legacy without maps",
        shaders=r"(Legacy Shaders/)?(Transparent/(Cutout/)?)?(Diffuse( Fast)?|Specular)",
        alpha=AlphaRule.NAME,
        maps=_NO_MAPS,
    ),
    Family(
        name="legacy vertex-lit",
        shaders=r"(Legacy Shaders/)?(Transparent/(Cutout/)?)?VertexLit",
        alpha=AlphaRule.NAME,
        maps=_NO_MAPS,
        emission=Emission(color="_Emission"),
    ),
    Family(
        name="legacy unlit",
        shaders=r"(Legacy Shaders/)?Transparent/Cutout/Soft Edge Unlit",
        unlit=True,
        alpha=AlphaRule.NAME,
        maps=_NO_MAPS,
    ),
    Family(
        name="legacy",
        shaders=r"(Legacy Shaders/)?((Lightmapped|Self-Illumin|Reflective|Transparent|Transparent/Cutout)/)?"
        + _LEGACY_KINDS,
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
    emission=_EMISSION_PERHAPS,
    numbers=("_Metallic",),
)
"""The row for a shader that neither its name nor its properties tell."""
