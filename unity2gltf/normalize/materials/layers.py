"""What lies on top of a surface or goes through it: clear coats, and layers whose arithmetic is a shader's own.

A row names its layers by their keys here; a function a layer gives fields of :class:`ir.Material`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...ir import Anisotropy, Clearcoat, Iridescence, Sheen, TextureUse, Transmission
from ...registry import Registry
from ..textures.recipes import Color, Packed, Plane, Tap
from .columns import Coat, Scalar, Tint
from .coverage import alpha_of
from .family import base_color
from .maps import Maps
from .reading import Reading
from .surface import inverted, refracts
from .values import unit_color

Layer = Callable[[Reading, Maps], dict[str, Any]]
LAYERS: Registry[str, Layer] = Registry("material layer")

_COAT_NORMALS = "extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale"


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
    if isinstance(strength, float) and strength <= 0.0:
        return {}
    slots = [plane.slot for plane in (strength, roughness) if isinstance(plane, Tap)]
    if maps.tile_alike(slots):
        use = maps.use(_packed(strength, roughness, 1.0), *slots) if slots else None
        uses = [use if isinstance(plane, Tap) else None for plane in (strength, roughness)]
    else:
        uses = [maps.use(_packed(strength, 1.0, 1.0), slots[0]), maps.use(_packed(1.0, roughness, 1.0), slots[1])]
    factor = _factor(strength, uses[0])
    if factor <= 0.0:
        return {}
    normal, scale = maps.normals((coat.normals,), _COAT_NORMALS) if coat.normals else (None, 1.0)
    return {
        "clearcoat": Clearcoat(
            factor=factor,
            texture=uses[0],
            roughness=_factor(roughness, uses[1]),
            roughness_texture=uses[1],
            normal_texture=normal,
            normal_scale=scale,
        )
    }


def _packed(*planes: Plane) -> Packed:
    """The maps among the planes; what is a number is the factor of a full channel."""
    return Packed(tuple(plane if isinstance(plane, Tap) else 1.0 for plane in planes))


def _factor(plane: Plane, use: TextureUse | None) -> float:
    return plane if isinstance(plane, float) else 1.0 if use is not None else plane.neutral


def _mapped(maps: Maps, plane: Plane) -> tuple[float, TextureUse | None]:
    """A number, and an image with the map in red."""
    use = maps.use(_packed(plane, 1.0, 1.0), plane.slot) if isinstance(plane, Tap) else None
    return _factor(plane, use), use


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
    use = maps.use(Packed((1.0, 0.5, Tap(key, 0))), "_AnisotropyMap") if key is not None else None
    return {"anisotropy": Anisotropy(strength=min(abs(amount), 1.0), rotation=rotation, texture=use)}


@LAYERS.add("HDRP iridescence")
def hdrp_iridescence(reading: Reading, maps: Maps) -> dict[str, Any]:
    """HDRP's thickness t of 0..1 stands for an optical path of 3 t micrometres where light falls straight on, which is
    2 n d in glTF (EvalIridescence); its film's index of refraction n falls with t from 2 to 1. glTF has one index,
    which is taken at the number's thickness."""
    if not reading.is_on(("_MATERIAL_FEATURE_IRIDESCENCE",)):
        return {}
    sources = (Scalar(map="_IridescenceMaskMap", switch=("_IRIDESCENCE_MASKMAP",)), Scalar(number="_IridescenceMask"))
    strength, use = _mapped(maps, maps.plane(sources, missing=0.0))
    thickness = min(max(reading.number("_IridescenceThickness", 1.0), 0.0), 1.0)
    ior = 2.0 - thickness
    nanometres = 3000.0 * thickness / (2.0 * ior)
    return {"iridescence": Iridescence(factor=strength, texture=use, ior=ior, thickness=(nanometres, nanometres))}


@LAYERS.add("HDRP refraction")
def hdrp_refraction(reading: Reading, maps: Maps) -> dict[str, Any]:
    """A refraction model (1 plane, 2 sphere, 3 thin) of a transparent material: light goes through by 1 - alpha, which
    is then 1 (LitData.hlsl), and is tinted over _ATDistance metres."""
    if not refracts(reading):
        return {}
    factor, use = _mapped(maps, inverted(alpha_of(reading, maps, _stored_alpha(reading))))
    thin = reading.number("_RefractionModel", 0.0) >= 2.5
    distance = reading.number("_ATDistance", 1.0)
    return {
        "ior": min(max(reading.number("_Ior", 1.5), 1.0), 2.5),
        "transmission": Transmission(
            factor=factor,
            texture=use,
            thickness=0.0 if thin else max(reading.number("_Thickness", 1.0), 0.0),
            attenuation_distance=distance if distance > 0 else float("inf"),
            attenuation_color=_unit_color(reading, maps, Tint(color="_TransmittanceColor", default=1.0)),
        ),
    }


def _stored_alpha(reading: Reading) -> float:
    """The base colour's, usable (and reported where the colour is read)."""
    alpha = (reading.raw.colors.get(base_color(reading.raw, reading.family) or "") or (1.0,))[-1]
    return 1.0 if math.isnan(alpha) else min(max(alpha, 0.0), 1.0)


def _unit_color(reading: Reading, maps: Maps, source: Tint) -> tuple[float, float, float]:
    color, _ = maps.tint((source,))
    return unit_color(source.color or "", color, reading.diagnostics)


# --- shaders of glTF importers for Unity, whose numbers are glTF's own ----------------------------------------------


@LAYERS.add("glTF sheen")
def gltf_sheen(reading: Reading, maps: Maps) -> dict[str, Any]:
    color, use = maps.tint((Tint(color="sheenColorFactor", map="sheenColorTexture", linear=True),))
    if not any(color):
        return {}
    color = unit_color("sheenColorFactor", color, reading.diagnostics)
    roughness = min(max(reading.number("sheenRoughnessFactor", 0.0), 0.0), 1.0)
    slot = reading.slot("sheenRoughnessTexture")
    key = maps.take("sheenRoughnessTexture", slot) if slot is not None else None
    rough = maps.use(Color(key), "sheenRoughnessTexture") if key is not None else None
    return {"sheen": Sheen(color=color, color_texture=use, roughness=roughness, roughness_texture=rough)}


@LAYERS.add("glTF transmission")
def gltf_transmission(reading: Reading, maps: Maps) -> dict[str, Any]:
    factor = reading.number("transmissionFactor", 0.0)
    if factor <= 0.0:
        return {}
    color = _unit_color(reading, maps, Tint(color="attenuationColor", default=1.0, linear=True))
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
        max(reading.number("iridescenceThicknessMinimum", 100.0), 0.0),
        max(reading.number("iridescenceThicknessMaximum", 400.0), 0.0),
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
    return maps.use(Packed((Tap(key, 0), Tap(key, 1), Tap(key, 2))), name) if key is not None else None
