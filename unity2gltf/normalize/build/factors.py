"""Curves of a material's numbers and colours as glTF has them: linear, in range, in glTF's terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Channel, Curve, Material, Path, PropertyTarget
from ...math3d import Array
from ..clips.constant import constant_curve
from ..clips.cubics import value_at
from ..clips.piecewise import unite
from ..srgb import gamma_array_to_linear

_EMISSIVE = "emissiveFactor"
_PIECES = 64  # straight pieces a segment, where what is written is no cubic of what is stored
_COMPONENTS = {
    "pbrMetallicRoughness/baseColorFactor": ("rx", "gy", "bz", "aw"),
    _EMISSIVE: ("rx", "gy", "bz"),
    "color": ("rx", "gy", "bz"),  # of a light
}
"""The letters of a vector's components: a curve has either."""


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """A component as written: its ``error``, how far it left its range before the cut, and its largest value."""

    curve: Curve
    error: float
    excess: float
    most: float


def factor_channel(
    carrier: int,
    place: str,
    name: str,
    material: Material,
    curves: dict[str, Curve],
    duration: float,
    diagnostics: Diagnostics,
) -> tuple[Material, Channel]:
    """The channel of property ``name`` of the material at ``place``, and the material with what the channel needs.

    ``curves`` by component, of which those without one keep the material's value. An emission that exceeds 1 goes to
    the strength, which does not move; what leaves its range is cut, and reported.
    """
    target = material.properties[name]
    parts = _parts(target, _values(material, target), curves, duration, diagnostics)
    strength = 1.0
    if target.pointer == _EMISSIVE:
        strength = max(material.emissive_strength, *material.emissive, *(part.most for part in parts))
        material = replace(material, emissive_strength=strength)
    return material, _channel(carrier, f"{place}/{target.pointer}", parts, strength)


def number_channel(
    carrier: int,
    place: str,
    target: PropertyTarget,
    rest: Sequence[float],
    curves: dict[str, Curve],
    duration: float,
    diagnostics: Diagnostics,
) -> Channel:
    """The channel of a number or colour of the light or camera at ``place``; components without a curve keep their
    value at ``rest``."""
    values = rest if target.pointer in _COMPONENTS else (0.0,)
    return _channel(carrier, f"{place}/{target.pointer}", _parts(target, values, curves, duration, diagnostics), 1.0)


def _parts(
    target: PropertyTarget,
    values: Sequence[float],
    curves: dict[str, Curve],
    duration: float,
    diagnostics: Diagnostics,
) -> list[_Written]:
    parts = [
        _component(curves, letters, value, target, duration, alpha=letters == "aw")
        for letters, value in zip(_letters(target), values, strict=True)
    ]
    excess = max(part.excess for part in parts)
    if excess > 0:
        text = f"animated colours or numbers leave their range by up to {excess:.3g}; cut"
        diagnostics.add(codes.CLIP_COLOR_CUT, text, excess=excess)
    return parts


def _channel(carrier: int, pointer: str, parts: Sequence[_Written], strength: float) -> Channel:
    error = max(part.error for part in parts) / strength
    return Channel(
        node=carrier,
        path=Path.POINTER,
        curves=tuple(_divided(part.curve, strength) for part in parts),
        pointer=pointer,
        exact=error == 0.0,
        error=error,
    )


def _letters(target: PropertyTarget) -> tuple[str, ...]:
    return _COMPONENTS.get(target.pointer, ("",))


def _values(material: Material, target: PropertyTarget) -> tuple[float, ...]:
    """What the material holds at rest; a number has no component that a curve could leave out."""
    if target.pointer == _EMISSIVE:
        return material.emissive
    return material.base_color if target.pointer in _COMPONENTS else (0.0,)


def _component(
    curves: dict[str, Curve], letters: str, value: float, target: PropertyTarget, duration: float, *, alpha: bool
) -> _Written:
    curve = next((curves[letter] for letter in letters or ("",) if letter in curves), None)
    if curve is None:
        return _Written(constant_curve(value), 0.0, 0.0, value)
    gamma = target.gamma and not alpha

    def convert(values: Array) -> Array:
        made = (gamma_array_to_linear(values * target.scale) if gamma else values * target.scale) * target.factor
        made = 1.0 - made if target.inverted else made
        return np.clip(made, *target.limits)

    low, high = target.limits

    def excess(values: Array) -> float:
        scaled = values * target.scale
        return float(np.maximum(scaled - high, low - scaled).max(initial=0.0))

    plain = not gamma and target.scale == target.factor == 1.0 and not target.inverted
    return _pieced(curve, duration, convert, excess, plain)


def _pieced(
    curve: Curve, duration: float, convert: Callable[[Array], Array], excess_of: Callable[[Array], float], plain: bool
) -> _Written:
    """A curve as straight pieces of its converted values, off at most by what it is at their middles; steps, and what
    needs no conversion, are exact."""
    spline = unite([curve], duration)
    if not spline.moves:
        steps = spline.coefficients[3, :, 0]
        made = convert(steps)
        return _Written(_straight(spline.times, made, 0.0), 0.0, excess_of(steps), float(made.max(initial=0.0)))
    splits = np.arange(_PIECES) / _PIECES
    starts = (spline.times[:-1, None] + spline.lengths[:, None] * splits).reshape(-1)
    lengths = np.repeat(spline.lengths / _PIECES, _PIECES)
    row = np.repeat(np.arange(len(spline.lengths)), _PIECES)
    stored = [
        value_at(spline.coefficients[:, row, 0], starts - spline.times[row] + share * lengths)
        for share in (0.0, 0.5, 1.0)
    ]
    excess = max(excess_of(values) for values in stored)
    begin, middle, end = (convert(values) for values in stored)
    most = float(max(values.max(initial=0.0) for values in (begin, middle, end)))
    if plain and all(np.array_equal(a, b) for a, b in zip((begin, middle, end), stored, strict=True)):
        return _Written(curve, 0.0, excess, most)
    error = float(np.abs((begin + end) / 2 - middle).max(initial=0.0))
    last = convert(spline.coefficients[3, -1:, 0])
    times, values = np.append(starts, spline.times[-1]), np.append(begin, last)
    return _Written(_straight(times, values, np.append((end - begin) / lengths, 0.0)), 2 * error, excess, most)


def _divided(curve: Curve, by: float) -> Curve:
    return curve if by == 1.0 else Curve(times=curve.times, coefficients=curve.coefficients / by)


def _straight(times: Array, values: Array, slopes: Array | float) -> Curve:
    coefficients = np.zeros((len(values), 4))
    coefficients[:, 2], coefficients[:, 3] = slopes, values
    return Curve(times=times, coefficients=coefficients)
