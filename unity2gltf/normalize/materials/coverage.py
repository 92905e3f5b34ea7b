"""Base colour and alpha: the factor, what stands in the place of the texture's alpha, and where shaders clip."""

from __future__ import annotations

import math

from ... import codes
from ...ir import PropertyTarget
from ..textures.recipes import ALPHA, Plane, Tap
from .declared import first_of
from .family import base_color
from .maps import Maps
from .reading import Reading
from .values import in_unit, linear_factor

Rgba = tuple[float, float, float, float]

_FACTOR = "pbrMetallicRoughness/baseColorFactor"
_CUTOFF = 0.5  # glTF's default, and where shaders with a level clip


def base_factor(reading: Reading, maps: Maps) -> Rgba:
    """The base colour as the row has it, linear and in 0..1."""
    raw, family = reading.raw, reading.family
    name = base_color(raw, family)
    if name is None:
        return (1.0, 1.0, 1.0, 1.0)
    linear = reading.is_linear(name, False)
    maps.properties[name] = PropertyTarget(pointer=_FACTOR, gamma=not linear, scale=family.color_scale)
    return linear_factor(name, raw.colors[name], family.color_scale, reading.diagnostics, linear=linear)


def covering(reading: Reading, maps: Maps, alpha: float) -> tuple[Plane | None, float]:
    """What stands in the place of the base texture's alpha (None: that itself), and the factor of it, for a colour of
    this ``alpha``."""
    family = reading.family
    masks = [m for m in family.alpha_map if m.map in reading.raw.textures and all(reading.is_on((n,)) for n in m.needs)]
    if masks:
        plane, factor = maps.plane(masks), alpha if family.alpha_factor else 1.0
        return (plane, factor) if isinstance(plane, Tap) else (1.0, plane * factor)
    low, high = _range(reading)
    slot = reading.slot(maps.main)
    if (low, high) == (0.0, 1.0):
        return None, alpha
    if low == 0.0 <= high <= 1.0 and slot is not None and slot.texture is not None:
        return Tap(slot.texture, ALPHA, high=high, slot=maps.main or ""), alpha
    maps.properties.pop(base_color(reading.raw, family) or "", None)  # its alpha is no factor
    plane = alpha_of(reading, maps, alpha)
    return (plane, 1.0) if isinstance(plane, Tap) else (None, plane)


def alpha_of(reading: Reading, maps: Maps, alpha: float) -> Plane:
    """Alpha as the shader works it out: the texture's times the colour's ``alpha``, in the row's range."""
    low, high = _range(reading)
    end = low + (high - low) * alpha
    slot = reading.slot(maps.main)
    if slot is None or slot.texture is None:
        return in_unit(end)
    return Tap(slot.texture, ALPHA, low, end, neutral=in_unit(end), slot=maps.main or "")


def _range(reading: Reading) -> tuple[float, float]:
    names = reading.family.alpha_range
    return (reading.number(names[0], 0.0), reading.number(names[1], 1.0)) if names else (0.0, 1.0)


def cutoff(reading: Reading, maps: Maps) -> float:
    """The alpha from which on the surface is there."""
    family, floats = reading.family, reading.raw.floats
    if family.clip_level in floats:
        return in_unit(_CUTOFF - reading.number(family.clip_level, 0.0))
    name = first_of(family.cutoff, floats)
    if name is None:
        return _CUTOFF
    maps.properties[name] = PropertyTarget(pointer="alphaCutoff", limits=(0.0, math.inf))
    if math.isfinite(floats[name]):
        return max(floats[name], 0.0)
    message = f"{name} is not finite; {_CUTOFF} is used"
    reading.diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=None)
    return _CUTOFF
