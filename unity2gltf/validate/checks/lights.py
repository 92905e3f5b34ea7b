"""Lights and cameras: that nodes name one that is there, and numbers in the range of the format."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...evaluate.document import Gltf
from ...evaluate.fields import GlbError, Json, as_number, get_index, get_numbers, get_object, get_text
from ...evaluate.gltf.lights import LIGHTS, lights, node_light
from ..issues import Issue, issue


def check_node_light(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """The light and the camera of a node; a wrong index raises."""
    get_index(item, "camera", pointer, len(gltf.items("cameras")))
    node_light(item, pointer, len(lights(gltf)))
    yield from ()


def check_lights(gltf: Gltf) -> Iterator[Issue]:
    """KHR_lights_punctual: colours of 0..1, brightness of 0 or more, ranges above 0, cones of at most 90 degrees."""
    for index, light in enumerate(lights(gltf)):
        where = f"/extensions/{LIGHTS}/lights/{index}"
        kind = get_text(light, "type", where)
        if kind not in ("directional", "point", "spot"):
            yield issue("LIGHT_INVALID", f"{where}/type", "a light is directional, point or spot")
        color = get_numbers(light, "color", where, 3, (1.0, 1.0, 1.0))
        if not all(0.0 <= channel <= 1.0 for channel in color):
            yield issue("LIGHT_INVALID", f"{where}/color", "channels lie in 0..1")
        if as_number(light.get("intensity", 1.0), f"{where}/intensity") < 0.0:
            yield issue("LIGHT_INVALID", f"{where}/intensity", "it is negative")
        if "range" in light and as_number(light["range"], f"{where}/range") <= 0.0:
            yield issue("LIGHT_INVALID", f"{where}/range", "it is not above 0")
        if kind == "spot":
            yield from _cone(get_object(light, "spot", where), f"{where}/spot")


def _cone(cone: Json, pointer: str) -> Iterator[Issue]:
    inner = as_number(cone.get("innerConeAngle", 0.0), f"{pointer}/innerConeAngle")
    outer = as_number(cone.get("outerConeAngle", math.pi / 4), f"{pointer}/outerConeAngle")
    if not 0.0 <= inner < outer <= math.pi / 2:
        yield issue("LIGHT_INVALID", pointer, "0 <= inner < outer <= 90 degrees is wanted")


def check_camera(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """One projection, of the kind that ``type`` names, with planes in order and sizes above 0."""
    kind = get_text(item, "type", pointer)
    if kind not in ("perspective", "orthographic") or kind not in item:
        yield issue("CAMERA_INVALID", pointer, "type names the projection that is there")
        return
    where, view = f"{pointer}/{kind}", get_object(item, kind, pointer)
    positive = ("yfov",) if kind == "perspective" else ("xmag", "ymag")
    for key in (*positive, *(("aspectRatio",) if "aspectRatio" in view else ())):
        if _number(view, key, where) <= 0.0:
            yield issue("CAMERA_INVALID", f"{where}/{key}", "it is not above 0")
    near = _number(view, "znear", where)
    if near < 0.0 or (kind == "perspective" and near == 0.0):
        yield issue("CAMERA_INVALID", f"{where}/znear", "it is not in front of the camera")
    if (kind == "orthographic" or "zfar" in view) and _number(view, "zfar", where) <= near:
        yield issue("CAMERA_INVALID", f"{where}/zfar", "it is not behind the near plane")


def _number(view: Json, key: str, pointer: str) -> float:
    if key not in view:
        raise GlbError(pointer, f"{key} is missing")
    return as_number(view[key], f"{pointer}/{key}")
