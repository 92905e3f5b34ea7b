"""The Studio's lights and its camera."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

from .hierarchy import Hierarchy
from .values import CAMERA, LIGHT, color

SPOT, DIRECTIONAL, POINT = 0, 1, 2
"""Unity's LightType."""

EVERYTHING = {"m_Bits": 0xFFFFFFFF}
_REALTIME = 4


def add_stage(tree: Hierarchy) -> None:
    """A sun from the upper left, a warm lamp, a spot on the figure, and a camera in front of it all."""
    sun = tree.add("Sun", position=(0.0, 3.0, 0.0), rotation=_turn(50.0, -30.0))
    tree.component(sun, LIGHT, _light(DIRECTIONAL, color(1.0, 0.957, 0.839), 1.0))
    lamp = tree.add("Lamp", position=(-1.2, 1.6, 1.0))
    tree.component(lamp, LIGHT, _light(POINT, color(1.0, 0.6, 0.3), 0.5, m_Range=4.0))
    spot = tree.add("Spot", position=(0.0, 3.0, 2.0), rotation=_turn(45.0, 180.0))
    angles = {"m_SpotAngle": 40.0, "?m_InnerSpotAngle": 30.0, "m_Range": 8.0}
    tree.component(spot, LIGHT, _light(SPOT, color(1.0, 1.0, 1.0), 2.0, **angles))
    eye = tree.add("Main Camera", position=(0.0, 1.2, 4.0), rotation=_turn(5.0, 180.0))
    tree.component(
        eye,
        CAMERA,
        {
            "m_ClearFlags": 2,
            "m_BackGroundColor": color(0.19, 0.3, 0.47, 0.0),
            "m_NormalizedViewPortRect": {"x": 0.0, "y": 0.0, "width": 1.0, "height": 1.0},
            "near clip plane": 0.25,
            "far clip plane": 100.0,
            "field of view": 40.0,
            "orthographic size": 5.0,
            "?m_projectionMatrixMode": 1,
            "m_Depth": -1.0,
            "m_CullingMask": EVERYTHING,
        },
    )


def _light(kind: int, shade: dict[str, float], intensity: float, **more: Any) -> dict[str, Any]:
    return {
        "m_Type": kind,
        "m_Color": shade,
        "m_Intensity": intensity,
        "m_Range": 10.0,
        "m_SpotAngle": 30.0,
        "?m_InnerSpotAngle": 21.8,
        "m_CullingMask": EVERYTHING,
        "m_Lightmapping": _REALTIME,
        "m_ColorTemperature": 6570.0,
    } | more


def _turn(down: float, around: float) -> tuple[float, float, float, float]:
    """xyzw: nodding ``down`` about X, then ``around`` Y, in degrees."""
    x, y = radians(down) / 2, radians(around) / 2
    return sin(x) * cos(y), cos(x) * sin(y), -sin(x) * sin(y), cos(x) * cos(y)
