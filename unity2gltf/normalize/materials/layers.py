"""What lies on top of a surface or goes through it: clear coats, and layers whose arithmetic is a shader's own.

A row names its layers by their keys here; a function a layer gives fields of :class:`ir.Material`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir import Anisotropy, Clearcoat, Iridescence, Sheen, TextureUse, Transmission
from ...registry import Registry
from ..textures.recipes import Color, Packed, Tap
from .columns import Coat, Scalar, Tint
from .maps import Maps
from .reading import Reading
from .surface import inverted

Layer = Callable[[Reading, Maps], dict[str, Any]]
LAYERS: Registry[str, Layer] = Registry("material layer")


def layer_fields(reading: Reading, maps: Maps) -> dict[str, Any]:
    """Fields of every layer that a row has and the material uses."""
    fields: dict[str, Any] = {}
    coat = reading.family.coat
    if coat is not None and (not coat.switch or reading.is_on(coat.switch)):
        fields |= _clearcoat(coat, maps)
    for name in reading.family.layers:
        layer = LAYERS.get(name)
        if layer is not None:
            fields |= layer(reading, maps)
    return fields


def _clearcoat(coat: Coat, maps: Maps) -> dict[str, Any]:
    strength = maps.plane(coat.strength, missing=0.0)
    roughness = inverted(maps.plane(coat.smoothness, missing=0.0))
    planes = [plane for plane in (strength, roughness) if isinstance(plane, Tap)]
    use = (
        maps.use(Packed(tuple(p if isinstance(p, Tap) else 1.0 for p in (strength, roughness, 1.0))))
        if planes
        else None
    )
    factor = strength if isinstance(strength, float) else 1.0 if use else strength.neutral
    if factor <= 0.0:
        return {}
    normal, scale = maps.normals((coat.normals,)) if coat.normals else (None, 1.0)
    return {
        "clearcoat": Clearcoat(
            factor=factor,
            texture=use if isinstance(strength, Tap) else None,
            roughness=roughness if isinstance(roughness, float) else 1.0 if use else roughness.neutral,
            roughness_texture=use if isinstance(roughness, Tap) else None,
            normal_texture=normal,
            normal_scale=scale,
        )
    }


def _scalar_map(maps: Maps, sources: tuple[Scalar, ...], channel: int) -> tuple[float, TextureUse | None]:
    """A number, and an image with the map in one channel and 1 in the others."""
    plane = maps.plane(sources, missing=0.0)
    if not isinstance(plane, Tap):
        return plane, None
    planes: list[Tap | float] = [1.0] * max(3, channel + 1)
    planes[channel] = plane
    use = maps.use(Packed(tuple(planes)))
    return (1.0 if use is not None else plane.neutral), use


# --- HDRP Lit -----------------------------------------------------------------------------------------------------


@LAYERS.add("HDRP anisotropy")
def hdrp_anisotropy(reading: Reading, maps: Maps) -> dict[str, Any]:
    """_Anisotropy of -1..1 times the map's red: along the tangent, or across it where it is negative."""
    amount = reading.number("_Anisotropy", 0.0)
    if not reading.is_on(("_MATERIAL_FEATURE_ANISOTROPY",)) or amount == 0.0:
        return {}
    rotation = 0.0 if amount > 0 else 1.5707963267948966
    slot = reading.slot("_AnisotropyMap")
    key = maps.take("_AnisotropyMap", slot) if slot is not None else None
    # glTF keeps the direction in red and green (1, 1/2 = along the tangent) and the strength in blue
    use = maps.use(Packed((1.0, 0.5, Tap(key, 0)))) if key is not None else None
    return {"anisotropy": Anisotropy(strength=min(abs(amount), 1.0), rotation=rotation, texture=use)}


@LAYERS.add("HDRP iridescence")
def hdrp_iridescence(reading: Reading, maps: Maps) -> dict[str, Any]:
    """HDRP's thickness t of 0..1 stands for 3 t micrometres, and its film's index of refraction falls with it from 2
    to 1; glTF has one index, which is taken at the number's thickness."""
    if not reading.is_on(("_MATERIAL_FEATURE_IRIDESCENCE",)):
        return {}
    strength, use = _scalar_map(
        maps,
        (Scalar(map="_IridescenceMaskMap", switch=("_IRIDESCENCE_MASKMAP",)), Scalar(number="_IridescenceMask")),
        0,
    )
    thickness = min(max(reading.number("_IridescenceThickness", 1.0), 0.0), 1.0)
    nanometres = 3000.0 * thickness
    return {
        "iridescence": Iridescence(
            factor=strength, texture=use, ior=2.0 - thickness, thickness=(nanometres, nanometres)
        )
    }


@LAYERS.add("HDRP refraction")
def hdrp_refraction(reading: Reading, maps: Maps) -> dict[str, Any]:
    """A refraction model (1 plane, 2 sphere, 3 thin) of a transparent material: light goes through by 1 - alpha, and is
    tinted over _ATDistance metres."""
    model = reading.number("_RefractionModel", 0.0)
    if model < 0.5 or not reading.is_on(("_SURFACE_TYPE_TRANSPARENT", "_SurfaceType")):
        return {}
    color, _ = maps.tint((Tint(color="_TransmittanceColor", default=1.0),))
    alpha = (reading.color("_BaseColor") or (1.0, 1.0, 1.0, 1.0))[3]
    distance = reading.number("_ATDistance", 1.0)
    return {
        "ior": min(max(reading.number("_Ior", 1.5), 1.0), 2.5),
        "transmission": Transmission(
            factor=min(max(1.0 - alpha, 0.0), 1.0),
            thickness=0.0 if model >= 2.5 else max(reading.number("_Thickness", 1.0), 0.0),
            attenuation_distance=distance if distance > 0 else float("inf"),
            attenuation_color=color,
        ),
    }


# --- shaders of glTF importers for Unity, whose numbers are glTF's own ----------------------------------------------


@LAYERS.add("glTF sheen")
def gltf_sheen(reading: Reading, maps: Maps) -> dict[str, Any]:
    color, use = maps.tint((Tint(color="sheenColorFactor", map="sheenColorTexture", linear=True),))
    if not any(color):
        return {}
    roughness = reading.number("sheenRoughnessFactor", 0.0)
    slot = reading.slot("sheenRoughnessTexture")
    key = maps.take("sheenRoughnessTexture", slot) if slot is not None else None
    rough = maps.use(Color(key)) if key is not None else None
    return {"sheen": Sheen(color=color, color_texture=use, roughness=roughness, roughness_texture=rough)}


@LAYERS.add("glTF transmission")
def gltf_transmission(reading: Reading, maps: Maps) -> dict[str, Any]:
    factor = reading.number("transmissionFactor", 0.0)
    if factor <= 0.0:
        return {}
    color, _ = maps.tint((Tint(color="attenuationColor", default=1.0, linear=True),))
    distance = reading.number("attenuationDistance", 0.0)
    return {
        "ior": max(reading.number("ior", 1.5), 1.0),
        "transmission": Transmission(
            factor=min(factor, 1.0),
            texture=_own_map(reading, maps, "transmissionTexture"),
            thickness=max(reading.number("thicknessFactor", 0.0), 0.0),
            thickness_texture=_own_map(reading, maps, "thicknessTexture"),
            attenuation_distance=distance if distance > 0 else float("inf"),
            attenuation_color=color,
        ),
    }


@LAYERS.add("glTF iridescence")
def gltf_iridescence(reading: Reading, maps: Maps) -> dict[str, Any]:
    factor = reading.number("iridescenceFactor", 0.0)
    if factor <= 0.0:
        return {}
    thickness = (
        reading.number("iridescenceThicknessMinimum", 100.0),
        reading.number("iridescenceThicknessMaximum", 400.0),
    )
    return {
        "iridescence": Iridescence(
            factor=min(factor, 1.0),
            texture=_own_map(reading, maps, "iridescenceTexture"),
            ior=max(reading.number("iridescenceIor", 1.3), 1.0),
            thickness=thickness,
            thickness_texture=_own_map(reading, maps, "iridescenceThicknessTexture"),
        )
    }


@LAYERS.add("glTF anisotropy")
def gltf_anisotropy(reading: Reading, maps: Maps) -> dict[str, Any]:
    strength = reading.number("anisotropyStrength", 0.0)
    if strength <= 0.0:
        return {}
    return {
        "anisotropy": Anisotropy(
            strength=min(strength, 1.0),
            rotation=reading.number("anisotropyRotation", 0.0),
            texture=_own_map(reading, maps, "anisotropyTexture"),
        )
    }


def _own_map(reading: Reading, maps: Maps, name: str) -> TextureUse | None:
    """A map whose channels are glTF's already."""
    slot = reading.slot(name)
    key = maps.take(name, slot) if slot is not None else None
    return maps.use(Packed((Tap(key, 0), Tap(key, 1), Tap(key, 2)))) if key is not None else None
