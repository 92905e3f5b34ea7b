"""What light meets: metallic, roughness, occlusion and the specular workflow.

Unity's perceptual roughness, 1 - smoothness, is glTF's (3.9.2). Maps are packed into one image: occlusion R,
roughness G, metallic B.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ... import codes
from ...ir import PropertyTarget, Specular, TextureUse
from ..textures.recipes import Packed, Plane, Tap
from .columns import Style
from .maps import Maps
from .reading import Reading, style_of
from .values import in_unit

_DIELECTRIC = 0.04  # glTF's reflectance at normal incidence, of an index of refraction of 1.5
_NEAR = 0.002
_MAX_IOR = 1000.0  # reflects 99.6 %; readers take no infinite one
_DARKEST = 1e-9  # reflects less than any picture shows, and has an index that rounds to 1
_METALLIC = PropertyTarget(pointer="pbrMetallicRoughness/metallicFactor")
_ROUGHNESS = PropertyTarget(pointer="pbrMetallicRoughness/roughnessFactor", inverted=True)  # of a smoothness

EXPONENTS: dict[Style | None, Callable[[float], float]] = {
    Style.PHONG: lambda shininess: 128 * shininess,
    Style.SIMPLE_LIT: lambda smoothness: 2 ** (10 * smoothness + 1),
}
"""The exponent of a Blinn-Phong highlight by what the material stores, 0..1."""


def surface_fields(reading: Reading, maps: Maps) -> dict[str, Any]:
    """Fields of :class:`ir.Material`: metallic, roughness, occlusion, specular and ior."""
    family = reading.family
    specular = bool(family.specular) and (not family.specular_switch or reading.is_on(family.specular_switch))
    metallic: Plane = (
        0.0 if specular or not family.metallic else maps.plane(family.metallic, missing=0.0, written=_METALLIC)
    )
    occlusion = maps.plane(family.occlusion) if family.occlusion else 1.0
    fields = _fields(metallic, _roughness(reading, maps), occlusion, maps)
    if isinstance(occlusion, float) and occlusion < 1.0 - _NEAR:
        reading.left[_occlusion_name(reading)] = occlusion  # glTF has it in textures alone
    if fields.get("occlusion_texture") is not None:
        if family.occlusion_strength is not None:
            maps.properties[family.occlusion_strength] = PropertyTarget(pointer="occlusionTexture/strength")
        fields["occlusion_strength"] = in_unit(reading.number(family.occlusion_strength, 1.0))
    return fields | (_specular(reading, maps) if specular and not refracts(reading) else {})


def refracts(reading: Reading) -> bool:
    """Does light go through by HDRP's refraction? Its index then tells the reflection at normal incidence, too
    (FillMaterialTransparencyData), and there is no other specular colour."""
    transparent = reading.is_on(("_SURFACE_TYPE_TRANSPARENT", "_SurfaceType"))
    model = reading.number("_RefractionModel", 0.0)
    return "HDRP refraction" in reading.family.layers and transparent and model >= 0.5


def _occlusion_name(reading: Reading) -> str:
    source = reading.family.occlusion[0]
    return source.high or source.number or source.map or "occlusion"


def _roughness(reading: Reading, maps: Maps) -> Plane:
    family = reading.family
    if not family.smoothness:
        return 1.0
    if family.style not in EXPONENTS:
        return inverted(maps.plane(family.smoothness, missing=0.0, written=_ROUGHNESS))
    smoothness = maps.plane(family.smoothness, missing=0.0)
    style = style_of(reading)
    if style is None or not isinstance(smoothness, float):
        return 1.0  # the shader draws no highlight
    return phong_roughness(EXPONENTS[style](smoothness))


def inverted(plane: Plane) -> Plane:
    """1 - plane."""
    if isinstance(plane, Tap):
        return replace(plane, low=1.0 - plane.low, high=1.0 - plane.high, neutral=1.0 - plane.neutral)
    return 1.0 - plane


def phong_roughness(exponent: float) -> float:
    """Perceptual roughness of a Blinn-Phong highlight: alpha^2 = 2 / (n + 2) (Walter et al. 2007), and alpha is the
    square of the perceptual one."""
    return float((2 / (exponent + 2)) ** 0.25)


def _fields(metallic: Plane, roughness: Plane, occlusion: Plane, maps: Maps) -> dict[str, Any]:
    """Numbers, and images where a plane is a map; a plane that is a number stays the factor of a full channel."""
    mapped = [plane for plane in (metallic, roughness) if isinstance(plane, Tap)]
    use = None
    slots = [plane.slot for plane in mapped]
    together = isinstance(occlusion, Tap) and maps.tile_alike([*slots, occlusion.slot])
    if mapped:
        use = maps.use(packed(occlusion if together else 1.0, roughness, metallic), *slots)
    fields: dict[str, Any] = {
        "metallic": factor_of(metallic, use),
        "roughness": factor_of(roughness, use),
        "metallic_roughness_texture": use,
    }
    if isinstance(occlusion, Tap):
        fields["occlusion_texture"] = use if together and mapped else maps.use(Packed((occlusion,)), occlusion.slot)
    return fields


def packed(*planes: Plane) -> Packed:
    """An image of the planes that are maps; a number is a factor in the material, and its channel 1."""
    return Packed(tuple(plane if isinstance(plane, Tap) else 1.0 for plane in planes))


def factor_of(plane: Plane, use: TextureUse | None) -> float:
    """What the plane's channel of the image is multiplied by; ``use`` None: there is no image."""
    if isinstance(plane, Tap):
        return 1.0 if use is not None else plane.neutral
    return plane


def _specular(reading: Reading, maps: Maps) -> dict[str, Any]:
    """KHR_materials_specular and KHR_materials_ior, which together give any colour at normal incidence. The diffuse
    colour is dimmed by the reflection in both engines."""
    color, texture = maps.tint(reading.family.specular, neutral=_DIELECTRIC)
    strongest = max(color)
    if texture is None and max(abs(channel - _DIELECTRIC) for channel in color) <= _NEAR:
        return {}
    if strongest < _DARKEST:
        return {"specular": Specular(factor=0.0)}
    ior = min(_index_of(strongest), _MAX_IOR)
    reflected = ((ior - 1) / (ior + 1)) ** 2
    red, green, blue = (channel / reflected for channel in color)
    _report(reading, color, texture)
    return {"ior": ior, "specular": Specular(color=(red, green, blue), color_texture=texture)}


def _index_of(reflectance: float) -> float:
    """The index of refraction that reflects this much at normal incidence."""
    root = math.sqrt(min(reflectance, 1.0))
    return (1 + root) / (1 - root) if root < 1 else math.inf


def _report(reading: Reading, color: Sequence[float], texture: TextureUse | None) -> None:
    """How far a reader is off that does not know the extensions, and so reflects as a dielectric."""
    error = max(abs(channel - _DIELECTRIC) for channel in color)
    what = "up to " if texture is not None else ""
    reading.diagnostics.add(
        codes.MATERIAL_SPECULAR,
        f"the specular colour is written by KHR_materials_specular and _ior; without them the reflectance is {what}"
        f"{error:.2g} off",
        color=[float(channel) for channel in color],
        error=float(error),
    )
