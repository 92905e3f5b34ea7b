"""What several rows share."""

from __future__ import annotations

from ..columns import Normals, Scalar, Tint


def signature(*groups: str) -> tuple[frozenset[str], ...]:
    """Groups of property names, written with spaces between them."""
    return tuple(frozenset(group.split()) for group in groups)


URP = r"(Universal Render Pipeline|Lightweight Render Pipeline|LightweightPipeline)/"
HDRP = r"(HDRP|HDRenderPipeline|High Definition Render Pipeline)/"
MAIN = ("_BaseMap", "_BaseColorMap", "_MainTex")
TINT = ("_BaseColor", "_Color")
LIT = r".*\b(Vertex|Pixel)?Lit\b.*"

NO_MAPS = r"(?!)"
NOT_MAIN_TEX = r"(?!_MainTex$).*"
"""_MainTex is there for fallbacks and the lightmapper."""

ALBEDO_ALPHA = ("_SMOOTHNESS_TEXTURE_ALBEDO_CHANNEL_A",)
DETAIL_MAPS = r"_(ParallaxMap|DetailMask|DetailAlbedoMap|DetailNormalMap)"

BUMP = (Normals(switch=("_NORMALMAP",)),)
OCCLUSION = (Scalar(map="_OcclusionMap", channel="g"),)
OCCLUSION_SWITCHED = (Scalar(map="_OcclusionMap", channel="g", switch=("_OCCLUSIONMAP",)),)
EMISSION = (Tint(color="_EmissionColor", map="_EmissionMap", switch=("_EMISSION",)),)
EMISSION_HDR = (Tint(color="_EmissionColor", map="_EmissionMap", switch=("_EMISSION",), linear=True),)
METALLIC = Scalar(number="_Metallic", default=0.0, gamma=True)  # [Gamma] in the built-in shaders
METALLIC_LINEAR = Scalar(number="_Metallic", default=0.0)
GLOSSINESS = Scalar(number="_Glossiness", default=0.5)
ROUGH_GLOSSINESS = Scalar(number="_Glossiness", default=0.5, inverted=True)  # a roughness, despite its name
SMOOTHNESS = Scalar(number="_Smoothness", default=0.5)
