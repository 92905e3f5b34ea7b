"""What a surface is at one texel: as Unity's shaders work it out from what a material stores, and as a reader of glTF
works it out from a written document. One pixel at a time, in plain numbers.

Unity: UnityStandardInput.cginc (Standard, Specular and Roughness setups), LitInput.hlsl of the Universal and
LitDataIndividualLayer.hlsl of the High Definition pipeline. glTF: 2.0, 3.9.2 and 3.9.3, and the extensions
KHR_materials_specular, KHR_materials_ior and KHR_materials_emissive_strength.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

Rgb = tuple[float, float, float]
Rgba = tuple[float, float, float, float]
SRGB = 1
DXT5NM, PLAIN, ASTC_NM = 3, 4, 10


@dataclass(frozen=True)
class Picture:
    """Bytes (r, g, b, a), the top row first; ``space`` 0 linear, 1 sRGB, None not told."""

    rows: Sequence[Sequence[tuple[int, int, int, int]]]
    space: int | None = 0
    usage: int = 0


@dataclass(frozen=True)
class Surface:
    """Colours are linear; ``roughness`` is the perceptual one; ``reflectance``, where the shader has a specular colour,
    is that of light which falls straight on."""

    albedo: Rgb
    alpha: float
    metallic: float
    roughness: float
    occlusion: float
    normal: Rgb
    emission: Rgb
    reflectance: Rgb | None = None


@dataclass(frozen=True)
class Stored:
    """What a Unity material stores, and whether the project is linear."""

    keywords: frozenset[str] = frozenset()
    floats: Mapping[str, float] = field(default_factory=dict)
    colors: Mapping[str, Rgba] = field(default_factory=dict)
    maps: Mapping[str, Picture] = field(default_factory=dict)
    linear: bool = True


# --- numbers --------------------------------------------------------------------------------------------------------


def to_linear(value: float) -> float:
    """UnityCG's GammaToLinearSpaceExact; the curve of sRGB up to 1."""
    if value <= 0.04045:
        return value / 12.92
    if value <= 1.0:
        return ((value + 0.055) / 1.055) ** 2.4
    return value**2.2


def lerp(low: float, high: float, at: float) -> float:
    return low + (high - low) * at


def saturate(value: float) -> float:
    return min(max(value, 0.0), 1.0)


# --- Unity ----------------------------------------------------------------------------------------------------------


def fetch(picture: Picture, x: int, y: int, decode: bool) -> list[float]:
    """A texel, clamped at the borders, decoded if the picture is sRGB and ``decode`` is set."""
    y = min(max(y, 0), len(picture.rows) - 1)
    x = min(max(x, 0), len(picture.rows[0]) - 1)
    texel = [byte / 255 for byte in picture.rows[y][x]]
    if decode and picture.space == SRGB:
        texel[:3] = [to_linear(channel) for channel in texel[:3]]
    return texel


def sample(picture: Picture | None, u: float, v: float, decode: bool = True) -> list[float]:
    """Bilinear, ``v`` from the top; white where no texture is set."""
    if picture is None:
        return [1.0] * 4
    x, y = u * len(picture.rows[0]) - 0.5, v * len(picture.rows) - 0.5
    left, top = math.floor(x), math.floor(y)
    total = [0.0] * 4
    for dx in (0, 1):
        for dy in (0, 1):
            weight = (1 - abs(x - left - dx)) * (1 - abs(y - top - dy))
            if weight > 0:
                texel = fetch(picture, left + dx, top + dy, decode)
                total = [sum_ + weight * channel for sum_, channel in zip(total, texel, strict=True)]
    return total


def unpack_normal(picture: Picture | None, u: float, v: float, linear: bool) -> Rgb:
    if picture is None:
        return (0.0, 0.0, 1.0)
    red, green, _, alpha = sample(picture, u, v, linear)
    if picture.usage == ASTC_NM:
        x = alpha
    elif picture.usage == PLAIN:
        x = red
    else:
        x = red * alpha  # UnpackNormalmapRGorAG
    nx, ny = x * 2 - 1, green * 2 - 1
    return nx, ny, math.sqrt(1 - saturate(nx * nx + ny * ny))


def tinted(texel: Sequence[float], color: Rgba, hdr: bool = False) -> Rgb:
    """A colour map times a colour, which is stored in gamma unless it is [HDR]."""
    red, green, blue = (t * (c if hdr else to_linear(c)) for t, c in zip(texel[:3], color[:3], strict=True))
    return red, green, blue


class Shader:
    """One model: functions of a texel."""

    main, tint = "_MainTex", "_Color"
    normal_map = "_BumpMap"
    emission_hdr = False

    def __init__(self, stored: Stored, u: float, v: float) -> None:
        self.stored, self.u, self.v = stored, u, v

    def on(self, keyword: str) -> bool:
        return keyword in self.stored.keywords

    def number(self, name: str, default: float) -> float:
        return self.stored.floats.get(name, default)

    def texel(self, name: str) -> list[float]:
        """As the shader sees it: a texture of colours in a gamma project is not decoded, nor is its result."""
        return sample(self.stored.maps.get(name), self.u, self.v, self.stored.linear)

    def light(self, name: str) -> list[float]:
        """A map of colours as linear light: what a gamma project shows of a byte is what the byte means in sRGB."""
        picture = self.stored.maps.get(name)
        if picture is not None and (not self.stored.linear or picture.space is None):
            picture = Picture(picture.rows, SRGB)
        return sample(picture, self.u, self.v)

    def surface(self) -> Surface:
        base = self.light(self.main)
        color = self.stored.colors.get(self.tint, (1.0, 1.0, 1.0, 1.0))
        metallic, smoothness = self.metallic_smoothness()
        return Surface(
            albedo=tinted(base, color),
            alpha=self.alpha(base[3], color[3]),
            metallic=saturate(metallic),
            roughness=1 - saturate(smoothness),
            occlusion=self.occlusion(),
            normal=self.normal(),
            emission=self.emission(),
            reflectance=self.reflectance(),
        )

    def alpha(self, of_map: float, of_color: float) -> float:
        return of_map * of_color

    def normal(self) -> Rgb:
        picture = self.stored.maps.get(self.normal_map) if self.on("_NORMALMAP") else None
        return unpack_normal(picture, self.u, self.v, self.stored.linear)

    def occlusion(self) -> float:
        return lerp(1.0, self.texel("_OcclusionMap")[1], self.number("_OcclusionStrength", 1.0))

    def emission(self) -> Rgb:
        if not self.on("_EMISSION"):
            return (0.0, 0.0, 0.0)
        color = self.stored.colors["_EmissionColor"]
        return tinted(self.light("_EmissionMap"), color, self.emission_hdr and self.stored.linear)

    def reflectance(self) -> Rgb | None:
        return None

    def metallic_smoothness(self) -> tuple[float, float]:
        raise NotImplementedError


ALBEDO_ALPHA = "_SMOOTHNESS_TEXTURE_ALBEDO_CHANNEL_A"


class Standard(Shader):
    def metallic_smoothness(self) -> tuple[float, float]:
        scale = self.number("_GlossMapScale", 1.0)
        if self.on("_METALLICGLOSSMAP"):
            metallic, _, _, smoothness = self.texel("_MetallicGlossMap")
            if self.on(ALBEDO_ALPHA):
                smoothness = self.texel("_MainTex")[3]
            return metallic, smoothness * scale
        stored = self.number("_Metallic", 0.0)
        metallic = to_linear(stored) if self.stored.linear else stored  # [Gamma]
        if self.on(ALBEDO_ALPHA):
            return metallic, self.texel("_MainTex")[3] * scale
        return metallic, self.number("_Glossiness", 0.5)


class Specular(Standard):
    def metallic_smoothness(self) -> tuple[float, float]:
        scale = self.number("_GlossMapScale", 1.0)
        if self.on(ALBEDO_ALPHA):
            return 0.0, self.texel("_MainTex")[3] * scale
        if self.on("_SPECGLOSSMAP"):
            return 0.0, self.texel("_SpecGlossMap")[3] * scale
        return 0.0, self.number("_Glossiness", 0.5)

    def reflectance(self) -> Rgb | None:
        if self.on("_SPECGLOSSMAP"):
            red, green, blue, _ = self.light("_SpecGlossMap")
            return red, green, blue
        return tinted([1.0] * 3, self.stored.colors["_SpecColor"])


class Roughness(Shader):
    def metallic_smoothness(self) -> tuple[float, float]:
        mapped = self.on("_METALLICGLOSSMAP")
        metallic = self.texel("_MetallicGlossMap")[0] if mapped else self.number("_Metallic", 0.0)
        rough = self.texel("_SpecGlossMap")[0] if self.on("_SPECGLOSSMAP") else self.number("_Glossiness", 0.5)
        return metallic, 1 - rough


class UrpLit(Shader):
    main, tint = "_BaseMap", "_BaseColor"
    emission_hdr = True

    def metallic_smoothness(self) -> tuple[float, float]:
        scale = self.number("_Smoothness", 0.5)
        specular = self.on("_SPECULAR_SETUP")
        metallic, smoothness = 0.0 if specular else self.number("_Metallic", 0.0), 1.0
        if self.on("_METALLICSPECGLOSSMAP"):
            texel = self.texel("_SpecGlossMap" if specular else "_MetallicGlossMap")
            metallic, smoothness = 0.0 if specular else texel[0], texel[3]
        if self.on(ALBEDO_ALPHA):
            smoothness = self.texel("_BaseMap")[3]
        return metallic, smoothness * scale

    def occlusion(self) -> float:
        return super().occlusion() if self.on("_OCCLUSIONMAP") else 1.0

    def reflectance(self) -> Rgb | None:
        if not self.on("_SPECULAR_SETUP"):
            return None
        if self.on("_METALLICSPECGLOSSMAP"):
            red, green, blue, _ = self.light("_SpecGlossMap")
            return red, green, blue
        return tinted([1.0] * 3, self.stored.colors["_SpecColor"])


class HdrpLit(Shader):
    main, tint = "_BaseColorMap", "_BaseColor"
    normal_map = "_NormalMap"

    def alpha(self, of_map: float, of_color: float) -> float:
        return saturate(self.remapped("Alpha", of_map * of_color))

    def remapped(self, name: str, value: float) -> float:
        return lerp(self.number(f"_{name}RemapMin", 0.0), self.number(f"_{name}RemapMax", 1.0), value)

    def metallic_smoothness(self) -> tuple[float, float]:
        if not self.on("_MASKMAP"):
            return self.number("_Metallic", 0.0), self.number("_Smoothness", 0.5)
        metallic, _, _, smoothness = self.texel("_MaskMap")
        return self.remapped("Metallic", metallic), self.remapped("Smoothness", smoothness)

    def occlusion(self) -> float:
        return saturate(self.remapped("AO", self.texel("_MaskMap")[1])) if self.on("_MASKMAP") else 1.0

    def emission(self) -> Rgb:
        texel = self.light("_EmissiveColorMap") if self.on("_EMISSIVE_COLOR_MAP") else [1.0] * 4
        return tinted(texel, self.stored.colors["_EmissiveColor"], self.stored.linear)


SHADERS: dict[str, type[Shader]] = {
    "Standard": Standard,
    "Standard (Specular setup)": Specular,
    "Autodesk Interactive": Roughness,
    "Universal Render Pipeline/Lit": UrpLit,
    "HDRP/Lit": HdrpLit,
}


def unity_surface(shader: str, stored: Stored, u: float, v: float) -> Surface:
    return SHADERS[shader](stored, u, v).surface()


# --- glTF -----------------------------------------------------------------------------------------------------------


def _decoded(png: bytes) -> list[list[tuple[int, int, int, int]]]:
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    return [[picture.getpixel((x, y)) for x in range(picture.width)] for y in range(picture.height)]


class Reader:
    """Reads one material of a document with its chunks, one a buffer view."""

    def __init__(self, document: Mapping[str, Any], chunks: Sequence[bytes], material: int = 0) -> None:
        self.document = document
        self.material = document["materials"][material]
        self.pictures = [_decoded(chunks[image["bufferView"]]) for image in document.get("images", [])]

    def texel(self, info: Mapping[str, Any] | None, u: float, v: float, srgb: bool = False) -> list[float]:
        """White where there is no texture (3.9.2)."""
        if info is None:
            return [1.0] * 4
        rows = self.pictures[self.document["textures"][info["index"]]["source"]]
        return sample(Picture(rows, SRGB if srgb else 0), u, v)

    def surface(self, u: float, v: float) -> Surface:
        material = self.material
        pbr = material.get("pbrMetallicRoughness", {})
        extensions = material.get("extensions", {})
        base = self.texel(pbr.get("baseColorTexture"), u, v, srgb=True)
        factor = pbr.get("baseColorFactor", [1.0] * 4)
        packed = self.texel(pbr.get("metallicRoughnessTexture"), u, v)
        return Surface(
            albedo=(base[0] * factor[0], base[1] * factor[1], base[2] * factor[2]),
            alpha=base[3] * factor[3],
            metallic=packed[2] * pbr.get("metallicFactor", 1.0),
            roughness=packed[1] * pbr.get("roughnessFactor", 1.0),
            occlusion=self._occlusion(u, v),
            normal=self._normal(u, v),
            emission=self._emission(extensions, u, v),
            reflectance=self._reflectance(extensions, u, v),
        )

    def _occlusion(self, u: float, v: float) -> float:
        info = self.material.get("occlusionTexture")
        if info is None:
            return 1.0
        return 1.0 + info.get("strength", 1.0) * (self.texel(info, u, v)[0] - 1.0)

    def _normal(self, u: float, v: float) -> Rgb:
        info = self.material.get("normalTexture")
        if info is None:
            return (0.0, 0.0, 1.0)
        x, y, z = (channel * 2 - 1 for channel in self.texel(info, u, v)[:3])
        return x, y, z

    def _emission(self, extensions: Mapping[str, Any], u: float, v: float) -> Rgb:
        texel = self.texel(self.material.get("emissiveTexture"), u, v, srgb=True)
        factor = self.material.get("emissiveFactor", [0.0] * 3)
        strength = extensions.get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1.0)
        return texel[0] * factor[0] * strength, texel[1] * factor[1] * strength, texel[2] * factor[2] * strength

    def _reflectance(self, extensions: Mapping[str, Any], u: float, v: float) -> Rgb:
        ior = extensions.get("KHR_materials_ior", {}).get("ior", 1.5)
        specular = extensions.get("KHR_materials_specular", {})
        texel = self.texel(specular.get("specularColorTexture"), u, v, srgb=True)
        color = specular.get("specularColorFactor", [1.0] * 3)
        strength = specular.get("specularFactor", 1.0) * self.texel(specular.get("specularTexture"), u, v)[3]
        bare = ((ior - 1) / (ior + 1)) ** 2
        red, green, blue = (min(bare * c * t, 1.0) * strength for c, t in zip(color, texel[:3], strict=True))
        return red, green, blue
