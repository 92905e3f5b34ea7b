"""Unity's cameras as glTF has them.

A camera's field of view is vertical and its width follows the screen, which no file knows: ``aspect`` stays open but
where the camera draws into a texture, or where a physical camera's sensor has a say in it (gate fit). glTF has no
open width for an orthographic camera, so that one gets that of a usual screen.
"""

from __future__ import annotations

import math
from typing import Any

from .. import codes
from ..diagnostics import Diagnostics
from ..ir import Camera, PropertyTarget
from ..raw import RawCamera
from .materials.values import json_numbers
from .plain import plain_json

SCREEN = 16 / 9
"""Width over height that an orthographic camera is given where nothing tells its own."""

VERTICAL, HORIZONTAL, FILL, OVERSCAN = 1, 2, 3, 4
"""Unity's GateFitMode; 0 stretches the sensor's picture to the screen."""

_WIDEST = 179.0  # degrees, as Unity's own setter takes them
_FAR_BEYOND = 0.01  # metres behind the near plane that Unity keeps the far one at least


def convert_camera(raw: RawCamera, name: str, diagnostics: Diagnostics) -> Camera:
    """The camera; what is not usable as stored is replaced and reported."""
    near, far = _planes(raw, diagnostics)
    if any(raw.lens_shift):
        text = "the camera's lens is shifted, which glTF does not have"
        diagnostics.add(codes.CAMERA_SHIFT, text, shift=json_numbers(raw.lens_shift))
    if raw.orthographic:
        half = _half_height(raw, diagnostics)
        aspect = raw.aspect or SCREEN
        if raw.aspect is None:
            text = "an orthographic camera is as wide as the screen; 16:9 is written"
            diagnostics.add(codes.CAMERA_FIT, text, aspect=aspect)
        return Camera(
            name=name,
            source=raw.source,
            near=near,
            far=far,
            xmag=half * aspect,
            ymag=half,
            properties={
                "orthographic size": (
                    PropertyTarget(pointer="orthographic/ymag", limits=(1e-6, math.inf)),
                    PropertyTarget(pointer="orthographic/xmag", scale=aspect, limits=(1e-6, math.inf)),
                )
            },
            extras=_extras(raw),
        )
    yfov, aspect_of_view = _view(raw, diagnostics)
    target = PropertyTarget(pointer="perspective/yfov", scale=math.pi / 180, limits=(1e-6, math.radians(_WIDEST)))
    return Camera(
        name=name,
        source=raw.source,
        near=near,
        far=far,
        yfov=yfov,
        aspect=aspect_of_view,
        properties={} if raw.sensor else {"field of view": (target,)},
        extras=_extras(raw),
    )


def _planes(raw: RawCamera, diagnostics: Diagnostics) -> tuple[float, float | None]:
    """Near and far in metres. Orthographic cameras may see what is behind them; glTF's start at 0."""
    least = 0.0 if raw.orthographic else 1e-4
    near = max(raw.near, least) if math.isfinite(raw.near) else 0.3
    far = raw.far if not math.isnan(raw.far) else 1000.0
    if far <= near:
        far = near + max(_FAR_BEYOND, near * 1e-6)
    endless = math.isinf(far)
    if endless and raw.orthographic:
        far, endless = 1e6, False
    if near != raw.near or (far != raw.far and not endless):
        text = f"the camera's planes are not usable as stored; {near:g} and {far:g} m are used"
        diagnostics.add(codes.CAMERA_VALUE_FIXED, text, stored=json_numbers([raw.near, raw.far]))
    return near, None if endless else far


def _half_height(raw: RawCamera, diagnostics: Diagnostics) -> float:
    size = raw.orthographic_size
    if math.isfinite(size) and abs(size) >= 1e-6:
        return abs(size)
    text = "the camera's size is 0 or not finite; 5 m is used"
    diagnostics.add(codes.CAMERA_VALUE_FIXED, text, stored=json_numbers([size]))
    return 5.0


def _view(raw: RawCamera, diagnostics: Diagnostics) -> tuple[float, float | None]:
    """Vertical angle in radians, and the aspect where it is known."""
    if raw.sensor is not None and all(0 < length < math.inf for length in (raw.focal_length, *raw.sensor)):
        return _physical(raw, raw.sensor, diagnostics)
    angle = raw.field_of_view
    usable = min(max(angle, 1e-4), _WIDEST) if math.isfinite(angle) and angle > 0 else 60.0
    if usable != angle:
        text = f"the camera's field of view is not in 0..179 degrees; {usable:g} is used"
        diagnostics.add(codes.CAMERA_VALUE_FIXED, text, stored=json_numbers([angle]))
    return math.radians(usable), raw.aspect


def _physical(raw: RawCamera, sensor: tuple[float, float], diagnostics: Diagnostics) -> tuple[float, float | None]:
    """What sensor and focal length see. Where the fit depends on a screen that is not known, the sensor's own shape is
    written, which all fits agree on when the screen has it."""
    own = sensor[0] / sensor[1]
    by_height = _angle(sensor[1] / (2 * raw.focal_length))
    if raw.gate_fit == VERTICAL:
        return by_height, raw.aspect
    if raw.aspect is None or raw.gate_fit not in (HORIZONTAL, FILL, OVERSCAN):
        if raw.aspect is None:
            text = f"a physical camera's view follows the screen's shape; its sensor's ({own:.3g}) is written"
            diagnostics.add(codes.CAMERA_FIT, text, aspect=own, gate_fit=raw.gate_fit)
        return by_height, own
    wider = raw.aspect > own
    by_width = _angle(sensor[0] / (2 * raw.focal_length) / raw.aspect)
    across = raw.gate_fit == HORIZONTAL or wider == (raw.gate_fit == FILL)
    return (by_width if across else by_height), raw.aspect


def _angle(tangent: float) -> float:
    """Twice the angle of a tangent, as wide as Unity's cameras get at most."""
    return min(max(2 * math.atan(tangent), 1e-6), math.radians(_WIDEST))


def _extras(raw: RawCamera) -> dict[str, Any]:
    physical: dict[str, Any] = {}
    if raw.sensor is not None:
        physical = {"sensor_size": raw.sensor, "focal_length": raw.focal_length, "lens_shift": raw.lens_shift}
        physical["gate_fit"] = raw.gate_fit
    told: dict[str, Any] = plain_json({**raw.more, **physical})
    return told
