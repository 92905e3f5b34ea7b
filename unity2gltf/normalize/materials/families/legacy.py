"""Shaders of before physically based ones: Lambert and Blinn-Phong, and the mobile versions without a tint. Their maps
have a tiling each."""

from __future__ import annotations

from ..columns import AlphaRule, Family, Normals, Scalar, Style, Tint
from .common import NO_MAPS, signature

_GROUPS = r"(Legacy Shaders/)?((Lightmapped|Reflective|Transparent|Transparent/Cutout)/)?"
_BUMP = (Normals(scale=None),)
_SHININESS = (Scalar(number="_Shininess", default=0.078125),)

FAMILIES: tuple[Family, ...] = (
    Family(
        name="mobile",
        shaders=r"Mobile/(Diffuse|VertexLit.*)",
        colors=(),
        alpha=AlphaRule.NAME,
        maps=NO_MAPS,
    ),
    Family(
        name="mobile bumped",
        shaders=r"Mobile/Bumped Diffuse",
        colors=(),
        own_tiling=True,
        alpha=AlphaRule.NAME,
        normals=_BUMP,
        maps=NO_MAPS,
    ),
    Family(
        name="mobile bumped specular",
        shaders=r"Mobile/Bumped Specular( \(1 Directional( Realtime)? Light\))?",
        colors=(),
        own_tiling=True,
        alpha=AlphaRule.NAME,
        smoothness=_SHININESS,
        normals=_BUMP,
        style=Style.PHONG,
        maps=NO_MAPS,
    ),
    Family(
        name="legacy unlit",
        shaders=r"(Legacy Shaders/)?Transparent/Cutout/Soft Edge Unlit",
        unlit=True,
        alpha=AlphaRule.NAME,
        maps=NO_MAPS,
    ),
    Family(
        name="legacy self-illuminated",
        shaders=r"(Legacy Shaders/)?Self-Illumin/.*",
        own_tiling=True,
        alpha=AlphaRule.NAME,
        normals=_BUMP,
        emission=(Tint(color="_Color", default=1.0, map="_MainTex", mask=Scalar(map="_Illum", channel="a")),),
        maps=r"_ParallaxMap",
    ),
    Family(
        name="legacy vertex-lit",
        shaders=_GROUPS + r"VertexLit",
        alpha=AlphaRule.NAME,
        smoothness=(Scalar(number="_Shininess", default=0.7),),
        emission=(Tint(color="_Emission"),),
        style=Style.PHONG,
        maps=r"_LightMap|_Cube",
    ),
    Family(
        name="legacy specular",
        shaders=_GROUPS + r"(Specular|(Bumped|Parallax) Specular|BumpedSpecular)",
        signature=signature("_MainTex _Color _Shininess _SpecColor"),
        own_tiling=True,
        alpha=AlphaRule.NAME,
        smoothness=_SHININESS,
        normals=_BUMP,
        style=Style.PHONG,
        maps=r"_(ParallaxMap|LightMap|Cube)",
    ),
    Family(
        name="legacy",
        shaders=_GROUPS + r"(Diffuse( Detail| Fast)?|(Bumped|Parallax) (Diffuse|Unlit|VertexLit)|Decal)",
        own_tiling=True,
        alpha=AlphaRule.NAME,
        normals=_BUMP,
        maps=r"_(ParallaxMap|LightMap|Cube|Detail|DecalTex)",
    ),
)
