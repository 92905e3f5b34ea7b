"""Unity's lights in the units of KHR_lights_punctual.

In the built-in pipeline and URP a directional light of intensity 1 lights a white wall that faces it to 1: Unity's
surfaces scatter without glTF's division by pi, so lux (of point and spot lights: candela) are pi times the intensity.
HDRP divides as glTF does, and Light.m_Intensity holds lux or candela already: the unit that the editor shows (lumen,
EV100) is its own affair, in HDAdditionalLightData before Unity 6 and in m_LightUnit since.

A colour is stored in gamma. By default Unity multiplies it with the intensity before both are made linear together
(so that intensity 2 is 4.6 times as bright as 1); where lights use linear intensity, after. Only then does a colour
temperature count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .. import codes
from ..diagnostics import Diagnostics
from ..ir import Light, LightKind, PropertyTarget
from ..raw import RawLight, RawSettings
from .materials.values import json_numbers
from .plain import plain_json
from .srgb import gamma_to_linear
from .temperature import kelvin_to_rgb

Rgb = tuple[float, float, float]

SPOT, DIRECTIONAL, POINT, RECTANGLE, DISC, PYRAMID, BOX, TUBE = range(8)
KINDS = {SPOT: LightKind.SPOT, DIRECTIONAL: LightKind.DIRECTIONAL, POINT: LightKind.POINT, PYRAMID: LightKind.SPOT}
NAMES = {RECTANGLE: "rectangle", DISC: "disc", PYRAMID: "pyramid", BOX: "box", TUBE: "tube"}
SHAPES = {1: PYRAMID, 2: BOX}
"""LightShape of a spot light, before Unity 6 made them types of their own."""

HDRP = frozenset(("HDAdditionalLightData", "HDRenderPipelineAsset"))
URP = frozenset(("UniversalAdditionalLightData", "LWRPAdditionalLightData"))
URP |= {"UniversalRenderPipelineAsset", "LightweightRenderPipelineAsset", "LightweightPipelineAsset"}

COOKIE_EDGE = 46 / 64
"""Where Unity's own spot cookie begins to fade, in the tangent of the angle: 18 of 64 pixels from the rim."""

_NARROWEST, _WIDEST = 1.0, 179.0  # degrees of a spot light, as Unity's own setter takes them
_SHARPEST = 0.9999  # of the outer angle: glTF wants a smaller inner one


@dataclass(frozen=True, slots=True)
class LightRules:
    """``unit``: glTF's intensity of Unity's 1. ``linear``: the intensity multiplies the linear colour. ``warm``: colour
    temperatures count. ``known``: the files say so."""

    unit: float
    linear: bool
    warm: bool
    known: bool = True


def light_rules(raw: RawLight, settings: RawSettings) -> LightRules:
    """By the scripts beside the light, else by the project's pipeline. SRPs switch linear intensity on as they start
    (URP: in linear projects). Without either, a light that uses a temperature is one of a project that lets it."""
    words = raw.scripts | {settings.pipeline or ""}
    if words & HDRP:
        return LightRules(1.0, linear=True, warm=True)
    in_linear = settings.linear is not False
    if words & URP:
        return LightRules(math.pi, linear=in_linear, warm=True)
    if settings.linear_intensity is None:
        warm = raw.temperature is not None
        return LightRules(math.pi, linear=warm and in_linear, warm=warm, known=False)
    linear = settings.linear_intensity and in_linear
    return LightRules(math.pi, linear=linear, warm=linear and bool(settings.color_temperature))


def convert_light(raw: RawLight, name: str, settings: RawSettings, diagnostics: Diagnostics) -> Light | None:
    """The light, or None (reported) for an area light, a tube or a box, which glTF does not have."""
    type_ = SHAPES.get(raw.shape, SPOT) if raw.type == SPOT else raw.type
    kind = KINDS.get(type_)
    if kind is None:
        text = f"a light of type {NAMES.get(type_, str(type_))} has no like in glTF"
        diagnostics.add(codes.LIGHT_LEFT_OUT, text, type=type_, intensity=json_numbers([raw.intensity])[0])
        return None
    _report_parts(raw, type_, diagnostics)
    rules = light_rules(raw, settings)
    color, intensity = _color(raw, rules, diagnostics)
    reach = None if kind is LightKind.DIRECTIONAL else _range(raw.range, diagnostics)
    if reach == 0.0:
        intensity, reach = 0.0, None
    inner, outer = _cone(raw, diagnostics) if kind is LightKind.SPOT else (0.0, 0.0)
    if reach is not None and rules.unit != 1.0 and not (raw.scripts | {settings.pipeline or ""}) & URP:
        _report_falloff(reach, diagnostics)
    return Light(
        name=name,
        source=raw.source,
        kind=kind,
        color=color,
        intensity=intensity,
        range=reach,
        inner=inner,
        outer=outer,
        properties=_properties(kind, rules, raw, inner, reach),
        extras=plain_json({**raw.more, **({"temperature": raw.temperature} if raw.temperature else {})}),
    )


def _report_parts(raw: RawLight, type_: int, diagnostics: Diagnostics) -> None:
    left = ["cookie"] if raw.more.get("cookie") else []
    left += ["pyramid"] if type_ == PYRAMID else []
    if left:
        text = f"the light's {' and '.join(left)} is not written; it shines in full"
        diagnostics.add(codes.LIGHT_PARTS_LEFT, text, parts=left)


def _color(raw: RawLight, rules: LightRules, diagnostics: Diagnostics) -> tuple[Rgb, float]:
    """Linear colour in 0..1 and intensity in glTF's unit; their product is Unity's own."""
    stored = [*raw.color[:3], raw.intensity]
    usable = [value if math.isfinite(value) and value > 0.0 else 0.0 for value in stored]
    if usable != stored:
        text = "the light's colour or intensity is negative or not finite; what is became 0"
        diagnostics.add(codes.LIGHT_VALUE_FIXED, text, stored=json_numbers(stored))
    most = max(1.0, *usable[:3])
    red, green, blue = (value / most for value in usable[:3])
    strength = usable[3] * most
    if not rules.known and strength not in (0.0, 1.0):
        text = "the project's way with light intensities is not in the input; it is taken to be Unity's default"
        diagnostics.add(codes.LIGHT_SETTINGS, text, linear_intensity=rules.linear)
    whole = strength if rules.linear else gamma_to_linear(min(strength, 1e6))
    shade = 1.0 if rules.linear or not whole else strength
    over = 1.0 if shade == 1.0 else whole

    def linear(value: float) -> float:
        return min(gamma_to_linear(value * shade) / over, 1.0)

    made = linear(red), linear(green), linear(blue)
    if raw.temperature is not None and rules.warm:
        made = _tinted(made, raw.temperature, diagnostics)
    return made, min(whole * rules.unit, 1e15)


def _tinted(color: Rgb, kelvin: float, diagnostics: Diagnostics) -> Rgb:
    tint = kelvin_to_rgb(kelvin)
    text = f"a colour temperature of {kelvin:g} K tints the light"
    diagnostics.add(codes.LIGHT_TEMPERATURE, text, kelvin=json_numbers([kelvin])[0], tint=list(tint))
    return color[0] * tint[0], color[1] * tint[1], color[2] * tint[2]


def _range(stored: float, diagnostics: Diagnostics) -> float | None:
    """Metres; 0 where the light reaches nothing, None where it has no end."""
    if stored == math.inf:
        return None
    if stored > 0.0:
        return stored
    text = "the light has no range and lights nothing; its intensity is 0"
    diagnostics.add(codes.LIGHT_VALUE_FIXED, text, stored=json_numbers([stored]))
    return 0.0


def _cone(raw: RawLight, diagnostics: Diagnostics) -> tuple[float, float]:
    """Inner and outer half angles in radians, the inner one below the outer one."""
    whole = min(max(raw.spot_angle, _NARROWEST), _WIDEST) if math.isfinite(raw.spot_angle) else 30.0
    if whole != raw.spot_angle:
        text = f"a spot light's angle is not in 1..179 degrees; {whole:g} is used"
        diagnostics.add(codes.LIGHT_VALUE_FIXED, text, stored=json_numbers([raw.spot_angle]))
    outer = math.radians(whole) / 2
    if raw.inner_angle is None or not math.isfinite(raw.inner_angle):
        inner = math.atan(math.tan(outer) * COOKIE_EDGE)
        text = f"the inner angle of a spot light is not stored; {math.degrees(inner):.3g} degrees from the axis is used"
        diagnostics.add(codes.LIGHT_SPOT_INNER, text, inner=inner, outer=outer)
        return inner, outer
    inner = max(math.radians(raw.inner_angle) / 2, 0.0)
    if inner > outer * _SHARPEST:
        inner = outer * _SHARPEST
        text = "a spot light's inner angle is not below the outer one; it is taken just below"
        diagnostics.add(codes.LIGHT_SPOT_INNER, text, inner=inner, outer=outer)
    return inner, outer


def _report_falloff(reach: float, diagnostics: Diagnostics) -> None:
    """The built-in pipeline dims by 1 / (1 + 25 d^2 / range^2), glTF by (1 - (d / range)^4) / d^2."""
    half = reach / 2
    ratio = (1 - 0.5**4) / half**2 * (1 + 25 * 0.25) if half**2 else math.inf
    text = f"the built-in pipeline's light fades by its range, glTF's by the square of the distance ({reach:g} m)"
    diagnostics.add(codes.LIGHT_FALLOFF, text, range=reach, ratio_at_half_range=json_numbers([ratio])[0])


def _properties(
    kind: LightKind, rules: LightRules, raw: RawLight, inner: float, reach: float | None
) -> Mapping[str, tuple[PropertyTarget, ...]]:
    """Where curves of Unity's properties lead. A tinted colour has no place: the tint is no part of its curve."""
    unlimited = (0.0, math.inf)
    found = {
        "m_Intensity": PropertyTarget(pointer="intensity", gamma=not rules.linear, factor=rules.unit, limits=unlimited)
    }
    if raw.temperature is None or not rules.warm:
        found["m_Color"] = PropertyTarget(pointer="color", gamma=True)
    if reach is not None:
        found["m_Range"] = PropertyTarget(pointer="range", limits=(1e-6, math.inf))
    if kind is LightKind.SPOT:
        half = math.pi / 360
        cone = (inner / _SHARPEST, math.pi / 2)
        found["m_SpotAngle"] = PropertyTarget(pointer="spot/outerConeAngle", scale=half, limits=cone)
    return {name: (target,) for name, target in found.items()}
