"""Clear coats (KHR_materials_clearcoat)."""

from __future__ import annotations

from typing import Any

from ....ir import Clearcoat
from ...textures.recipes import Tap
from ..columns import Coat
from ..maps import Maps
from ..surface import factor_of, inverted, packed

_NORMALS = "extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale"


def clearcoat(coat: Coat, maps: Maps) -> dict[str, Any]:
    """The coat where its strength is above 0. Strength is in red and roughness in green: of one image, where their maps
    share a tiling."""
    strength = maps.plane(coat.strength, missing=0.0)
    roughness = inverted(maps.plane(coat.smoothness, missing=0.0))
    if isinstance(strength, float) and strength <= 0.0:
        return {}
    slots = [plane.slot for plane in (strength, roughness) if isinstance(plane, Tap)]
    if maps.tile_alike(slots):
        use = maps.use(packed(strength, roughness, 1.0), *slots) if slots else None
        uses = [use if isinstance(plane, Tap) else None for plane in (strength, roughness)]
    else:
        uses = [maps.use(packed(strength, 1.0, 1.0), slots[0]), maps.use(packed(1.0, roughness, 1.0), slots[1])]
    factor = factor_of(strength, uses[0])
    if factor <= 0.0:
        return {}
    normal, scale = maps.normals((coat.normals,), _NORMALS) if coat.normals else (None, 1.0)
    return {
        "clearcoat": Clearcoat(
            factor=factor,
            texture=uses[0],
            roughness=factor_of(roughness, uses[1]),
            roughness_texture=uses[1],
            normal_texture=normal,
            normal_scale=scale,
        )
    }
