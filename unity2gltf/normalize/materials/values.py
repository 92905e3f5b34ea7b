"""Usable numbers out of saved ones: finite, in range, linear."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ... import codes
from ...diagnostics import Diagnostics
from ..srgb import gamma_to_linear, srgb_to_linear

_ROUNDING = 1e-5  # a colour above 1 by less than this is 1


def linear_factor(
    name: str, color: Sequence[float], scale: float, diagnostics: Diagnostics, *, linear: bool = False
) -> tuple[float, float, float, float]:
    """A gamma (or ``linear``) colour (r, g, b, a) times ``scale`` as a linear factor of 0..1; alpha is linear already.

    Values beyond 0..1 are cut (glTF 2.0, 3.9.2 allows no more in a base colour), NaN becomes 1; both are reported.
    """
    scaled = [channel * scale for channel in color]
    usable = [1.0 if math.isnan(channel) else in_unit(channel) for channel in scaled]
    if any(math.isnan(a) or abs(a - b) > _ROUNDING for a, b in zip(scaled, usable, strict=True)):
        message = f"the colour {name} has channels outside 0..1; they were cut"
        diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=json_numbers(color))
    red, green, blue, alpha = usable
    if linear:
        return red, green, blue, alpha
    return srgb_to_linear(red), srgb_to_linear(green), srgb_to_linear(blue), alpha


def hdr_to_linear(
    name: str, color: Sequence[float], linear: bool, diagnostics: Diagnostics
) -> tuple[float, float, float, float]:
    """A colour that may exceed 1, linear. What is negative or not finite becomes 0 and is reported."""
    usable = [channel if math.isfinite(channel) and channel > 0.0 else 0.0 for channel in color]
    if any(not a >= 0.0 or not math.isfinite(a) for a in color):
        message = f"the colour {name} has channels that are negative or not finite; they became 0"
        diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=json_numbers(color))
    red, green, blue, alpha = usable
    if linear:
        return red, green, blue, alpha
    return gamma_to_linear(red), gamma_to_linear(green), gamma_to_linear(blue), alpha


def finite_number(name: str, value: float, default: float, diagnostics: Diagnostics) -> float:
    """A number of any size; ``default``, reported, where it is not finite."""
    if math.isfinite(value):
        return value
    message = f"{name} is not finite; {default:g} is used"
    diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=None)
    return default


def positive_number(name: str, value: float, diagnostics: Diagnostics) -> float:
    """A finite number of 0 and more; what is negative becomes 0 and is reported."""
    if value < 0.0:
        message = f"{name} is negative; 0 is used"
        diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=json_numbers([value])[0])
    return max(value, 0.0)


def in_unit(value: float) -> float:
    """The nearest number of 0..1."""
    return min(max(value, 0.0), 1.0)


def unit_color(name: str, color: tuple[float, float, float], diagnostics: Diagnostics) -> tuple[float, float, float]:
    """A linear colour of 0..1, where glTF allows no more; what lies beyond is cut and reported."""
    red, green, blue = (min(channel, 1.0) for channel in color)
    if max(color) > 1.0 + _ROUNDING:
        message = f"the colour {name} has channels above 1; they were cut"
        diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=json_numbers(color))
    return red, green, blue


def unit_number(name: str, value: float, default: float, diagnostics: Diagnostics) -> float:
    """A number of 0..1; cut where it lies beyond, ``default`` where it is NaN, both reported."""
    usable = default if math.isnan(value) else in_unit(value)
    if math.isnan(value) or abs(value - usable) > _ROUNDING:
        message = f"{name} is not in 0..1; {usable:g} is used"
        diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=json_numbers([value])[0])
    return usable


def finite_pair(
    name: str, pair: tuple[float, float], default: tuple[float, float], diagnostics: Diagnostics
) -> tuple[float, float]:
    """A pair of finite numbers; ``default``, reported, where one is not."""
    if all(map(math.isfinite, pair)):
        return pair
    message = f"the tiling of {name} is not finite; {default} is used"
    diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=json_numbers(pair))
    return default


def json_numbers(values: Sequence[float]) -> list[float | None]:
    """The numbers for a diagnostic: JSON has no NaN and no infinity."""
    return [float(value) if math.isfinite(value) else None for value in values]
