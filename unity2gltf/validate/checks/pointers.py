"""JSON pointers of KHR_animation_pointer: where they lead, and the type that the glTF 2.0 object model gives there."""

from __future__ import annotations

import re
from typing import Any

from ...evaluate.fields import Json

LIST = 0
"""Width of a list of numbers of any length, which is written as scalars."""

_TEXTURES = r".*[tT]exture/extensions/KHR_texture_transform/"
_WIDTHS = (
    (r"/nodes/\d+/(translation|scale)", 3),
    (r"/nodes/\d+/rotation", 4),
    (r"/(nodes|meshes)/\d+/weights", LIST),
    (r"/(nodes|meshes)/\d+/weights/\d+", 1),
    (r"/nodes/\d+/extensions/KHR_node_visibility/visible", 1),
    (r"/materials/\d+/pbrMetallicRoughness/baseColorFactor", 4),
    (r"/materials/\d+/emissiveFactor", 3),
    (r"/materials/\d+/(pbrMetallicRoughness/(metallic|roughness)Factor|alphaCutoff)", 1),
    (r"/materials/\d+/(normalTexture/scale|occlusionTexture/strength)", 1),
    (r"/materials/\d+/extensions/KHR_materials_emissive_strength/emissiveStrength", 1),
    (rf"/materials/\d+/{_TEXTURES}(offset|scale)", 2),
    (rf"/materials/\d+/{_TEXTURES}rotation", 1),
    (r"/cameras/\d+/(orthographic/(xmag|ymag|zfar|znear)|perspective/(aspectRatio|yfov|zfar|znear))", 1),
    (r"/extensions/KHR_lights_punctual/lights/\d+/color", 3),
    (r"/extensions/KHR_lights_punctual/lights/\d+/(intensity|range|spot/(inner|outer)ConeAngle)", 1),
)
_PATTERNS = tuple((re.compile(pattern), width) for pattern, width in _WIDTHS)
_NODE_PATH = re.compile(r"/nodes/(\d{1,9})/(translation|rotation|scale|weights)(/\d+)?")
_TRUTH = re.compile(r"/nodes/\d+/extensions/KHR_node_visibility/visible")


def resolves(document: Json, pointer: str) -> bool:
    """Whether a JSON pointer leads to a property of something that is there; the property may have its default."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")]
    if len(steps) < 3 or steps[0] != "":
        return False
    value: Any = document
    for step in steps[1:-1]:
        if isinstance(value, list) and step.isdecimal() and len(step) < 10 and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return False
    return isinstance(value, dict) or (
        isinstance(value, list) and steps[-1].isdecimal() and len(steps[-1]) < 10 and int(steps[-1]) < len(value)
    )


def width(pointer: str) -> int | None:
    """Components of the property's value, :data:`LIST` for lists; None where the object model is not known."""
    return next((width for pattern, width in _PATTERNS if pattern.fullmatch(pointer)), None)


def is_truth(pointer: str) -> bool:
    """Whether the property is true or false, which is written as bytes and stepped."""
    return _TRUTH.fullmatch(pointer) is not None


def target_keys(pointer: str) -> tuple[object, object]:
    """What identifies the property, the same as of a plain target where it has one, and the list that it is part of
    (itself if none): no two channels may share either way."""
    match = _NODE_PATH.fullmatch(pointer)
    if match:
        whole = (int(match[1]), match[2])
        return ((*whole, match[3]) if match[3] else whole), whole
    parent, _, last = pointer.rpartition("/")
    return pointer, parent if last.isdecimal() else pointer
