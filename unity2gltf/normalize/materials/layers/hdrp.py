"""Layers of HDRP Lit."""

from __future__ import annotations

import math
from typing import Any

from ....ir import Anisotropy, Iridescence, TextureUse, Transmission
from ...textures.recipes import Packed, Plane, Tap
from ..columns import Scalar, Tint
from ..coverage import alpha_of
from ..family import base_color
from ..maps import Maps
from ..reading import Reading
from ..surface import factor_of, inverted, packed, refracts
from ..values import in_unit
from .registry import LAYERS

_IRIDESCENCE = (
    Scalar(map="_IridescenceMaskMap", switch=("_IRIDESCENCE_MASKMAP",)),
    Scalar(number="_IridescenceMask"),
)


@LAYERS.add("HDRP anisotropy")
def hdrp_anisotropy(reading: Reading, maps: Maps) -> dict[str, Any]:
    """_Anisotropy of -1..1 times the map's red: along the tangent, or across it where it is negative."""
    amount = reading.number("_Anisotropy", 0.0)
    if not reading.is_on(("_MATERIAL_FEATURE_ANISOTROPY",)) or amount == 0.0:
        return {}
    rotation = 0.0 if amount > 0 else math.pi / 2
    key = maps.take("_AnisotropyMap")
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
    strength, use = _in_red(maps, maps.plane(_IRIDESCENCE, missing=0.0))
    thickness = in_unit(reading.number("_IridescenceThickness", 1.0))
    ior = 2.0 - thickness
    nanometres = 3000.0 * thickness / (2.0 * ior)
    return {"iridescence": Iridescence(factor=strength, texture=use, ior=ior, thickness=(nanometres, nanometres))}


@LAYERS.add("HDRP refraction")
def hdrp_refraction(reading: Reading, maps: Maps) -> dict[str, Any]:
    """A refraction model (1 plane, 2 sphere, 3 thin) of a transparent material: light goes through by 1 - alpha, which
    is then 1 (LitData.hlsl), and is tinted over _ATDistance metres."""
    if not refracts(reading):
        return {}
    factor, use = _in_red(maps, inverted(alpha_of(reading, maps, _stored_alpha(reading))))
    thin = reading.number("_RefractionModel", 0.0) >= 2.5
    distance = reading.number("_ATDistance", 1.0)
    return {
        "ior": min(max(reading.number("_Ior", 1.5), 1.0), 2.5),
        "transmission": Transmission(
            factor=factor,
            texture=use,
            thickness=0.0 if thin else max(reading.number("_Thickness", 1.0), 0.0),
            attenuation_distance=distance if distance > 0 else math.inf,
            attenuation_color=maps.unit_color(Tint(color="_TransmittanceColor", default=1.0)),
        ),
    }


def _stored_alpha(reading: Reading) -> float:
    """The base colour's, usable (and reported where the colour is read)."""
    alpha = (reading.raw.colors.get(base_color(reading.raw, reading.family) or "") or (1.0,))[-1]
    return 1.0 if math.isnan(alpha) else in_unit(alpha)


def _in_red(maps: Maps, plane: Plane) -> tuple[float, TextureUse | None]:
    """A number, and an image with the map in red."""
    use = maps.use(packed(plane, 1.0, 1.0), plane.slot) if isinstance(plane, Tap) else None
    return factor_of(plane, use), use
