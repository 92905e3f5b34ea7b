"""Trees, plants and terrain."""

from __future__ import annotations

from ..columns import AlphaRule, Family, Normals, Scalar
from .common import GLOSSINESS, METALLIC_LINEAR, TINT, URP, signature

_EXTRA = ("EFFECT_EXTRA_TEX",)
_OPTIMISED = Normals(map="_BumpSpecMap", scale=None, alpha_green=True)
_BUMP = Normals(scale=None)

FAMILIES: tuple[Family, ...] = (
    Family(
        name="tree leaves",
        shaders=r"(Hidden/)?Nature/Tree (Creator|Soft Occlusion) Leaves.*",
        signature=signature("_TranslucencyColor _ShadowStrength _MainTex"),
        alpha=AlphaRule.MASK,
        double_sided=True,
        normals=(_OPTIMISED, _BUMP),
    ),
    Family(
        name="SpeedTree 8",
        shaders=rf"({URP})?Nature/SpeedTree8.*",
        signature=signature("_SubsurfaceTex _ExtraTex _MainTex"),
        colors=("_Color", "_BaseColor"),
        textures=("_MainTex", "_BaseMap"),
        alpha=AlphaRule.MASK,
        cull=("_TwoSided", "_Cull"),
        double_sided=True,
        metallic=(
            Scalar(map="_ExtraTex", channel="g", switch=_EXTRA),
            METALLIC_LINEAR,
        ),
        smoothness=(
            Scalar(map="_ExtraTex", channel="r", switch=_EXTRA),
            GLOSSINESS,
        ),
        occlusion=(Scalar(map="_ExtraTex", channel="b", switch=_EXTRA),),
        normals=(Normals(scale=None, switch=("EFFECT_BUMP",)),),
    ),
    Family(
        name="SpeedTree",
        shaders=rf"({URP})?Nature/SpeedTree.*",
        cull=("_TwoSided", "_Cull"),
        double_sided=True,
        normals=(Normals(scale=None, switch=("EFFECT_BUMP",)),),
    ),
    Family(
        name="nature",
        shaders=rf"(Hidden/|{URP})?Nature/.*",
        colors=("_Color", *TINT),
        textures=("_MainTex", "_BaseMap"),
        alpha=AlphaRule.NAME,
        normals=(_OPTIMISED, _BUMP),
    ),
)
