"""The High Definition Render Pipeline. Its mask map holds metallic R, occlusion G, detail mask B and smoothness A, each
but the detail mask with a range that its 0 and 1 stand for."""

from __future__ import annotations

from dataclasses import replace

from ..columns import AlphaRule, Coat, Family, Normals, Scalar, Tint
from .common import HDRP, METALLIC_LINEAR, NOT_MAIN_TEX, SMOOTHNESS, signature


def _mask(layer: str, channel: str, name: str) -> Scalar:
    """A channel of a layer's mask map: properties and keywords end in the layer's number."""
    return Scalar(
        map=f"_MaskMap{layer}",
        channel=channel,
        switch=(f"_MASKMAP{layer}",),
        low=f"_{name}RemapMin{layer}",
        high=f"_{name}RemapMax{layer}",
    )


_EMISSION = (
    Tint(
        color="_EmissiveColor",
        map="_EmissiveColorMap",
        map_switch=("_EMISSIVE_COLOR_MAP",),
        linear=True,
        own_tiling=True,
        uv="_UVEmissive",
    ),
)

_LIT = Family(
    name="HDRP Lit",
    shaders=HDRP + r"(Lit|LitTessellation)",
    signature=signature("_BaseColor _BaseColorMap _MaskMap", "_BaseColor _SurfaceType _DoubleSidedEnable _Metallic"),
    colors=("_BaseColor",),
    textures=("_BaseColorMap",),
    alpha_range=("_AlphaRemapMin", "_AlphaRemapMax"),
    uv=("_UVBase",),
    alpha=AlphaRule.HDRP,
    cutoff=("_AlphaCutoff", "_Cutoff"),
    cull=("_DoubleSidedEnable", "_CullMode"),
    metallic=(_mask("", "r", "Metallic"), METALLIC_LINEAR),
    smoothness=(_mask("", "a", "Smoothness"), SMOOTHNESS),
    occlusion=(_mask("", "g", "AO"), Scalar()),
    specular=(Tint(color="_SpecularColor", default=1.0, map="_SpecularColorMap", map_switch=("_SPECULARCOLORMAP",)),),
    specular_switch=("_MATERIAL_FEATURE_SPECULAR_COLOR",),
    normals=(Normals(map="_NormalMap", scale="_NormalScale", switch=("_NORMALMAP",)),),
    emission=_EMISSION,
    coat=Coat(
        switch=("_MATERIAL_FEATURE_CLEAR_COAT",),
        strength=(Scalar(map="_CoatMaskMap", scale="_CoatMask"), Scalar(number="_CoatMask", default=0.0)),
        smoothness=(Scalar(default=0.9),),
    ),
    layers=("HDRP anisotropy", "HDRP iridescence", "HDRP refraction"),
    maps=NOT_MAIN_TEX,
)

FAMILIES: tuple[Family, ...] = (
    _LIT,
    replace(
        _LIT,
        name="HDRP LayeredLit",
        shaders=HDRP + r"LayeredLit.*",
        signature=signature("_BaseColor0 _BaseColorMap0 _MaskMap0"),
        colors=("_BaseColor0",),
        textures=("_BaseColorMap0",),
        alpha_range=(),
        metallic=(_mask("0", "r", "Metallic"), Scalar(number="_Metallic0", default=0.0)),
        smoothness=(_mask("0", "a", "Smoothness"), Scalar(number="_Smoothness0", default=0.5)),
        occlusion=(_mask("0", "g", "AO"), Scalar()),
        specular=(),
        normals=(Normals(map="_NormalMap0", scale="_NormalScale0", switch=("_NORMALMAP0",)),),
        layers=(),
    ),
    replace(
        _LIT,
        name="HDRP, other lit",
        shaders=HDRP + r"(StackLit|Fabric.*|Hair.*|Decal|AxF|Eye.*|Nature/.*)",
        signature=(),
        textures=("_BaseColorMap", "_MainTex"),
    ),
    Family(
        name="HDRP Unlit",
        shaders=HDRP + r"Unlit",
        signature=signature("_UnlitColor _SurfaceType"),
        colors=("_UnlitColor", "_BaseColor"),
        textures=("_UnlitColorMap", "_BaseColorMap"),
        unlit=True,
        alpha=AlphaRule.HDRP,
        cutoff=("_AlphaCutoff", "_Cutoff"),
        cull=("_DoubleSidedEnable", "_CullMode"),
        emission=_EMISSION,
        maps=NOT_MAIN_TEX,
    ),
)
