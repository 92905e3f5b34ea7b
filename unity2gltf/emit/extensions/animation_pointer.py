"""KHR_animation_pointer: channels that move any property of the file, named by a JSON pointer (RFC 6901)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pygltflib

if TYPE_CHECKING:
    from ..context import Context

NAME = "KHR_animation_pointer"
_BOOLEANS = re.compile(r"/nodes/\d+/extensions/KHR_node_visibility/visible")
_LISTS = re.compile(r"/(nodes|meshes)/\d+/weights")


def pointer_target(context: Context, pointer: str) -> pygltflib.AnimationChannelTarget:
    """The target of a channel; it has no node, so that readers without the extension pass it over."""
    context.extensions.add(NAME)
    return pygltflib.AnimationChannelTarget(path="pointer", extensions={NAME: {"pointer": pointer}})


def is_boolean(pointer: str) -> bool:
    """Whether the property is true or false: its values are bytes, and stepped."""
    return _BOOLEANS.fullmatch(pointer) is not None


def is_list(pointer: str) -> bool:
    """Whether the property is a list of numbers of any length: its values are scalars, one after another."""
    return _LISTS.fullmatch(pointer) is not None


def reserve(context: Context, pointer: str) -> bool:
    """Whether the pointer leads to a property of an object that is in the file. The object of an extension is made
    where it is missing: a property with its default is there only if its object is."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")]
    if len(steps) < 3 or steps[0]:
        return False
    value: Any = context.gltf
    for place, step in enumerate(steps[1:-1], 1):
        owner, value = value, _child(value, step)
        if value is None and steps[place - 1] == "extensions" and isinstance(owner, dict):
            value = owner[step] = {}
            context.extensions.add(step)
        if value is None:
            return False
    return not isinstance(value, list) or _child(value, steps[-1]) is not None


def _child(value: Any, step: str) -> Any:
    if isinstance(value, list):
        return value[int(step)] if step.isdecimal() and len(step) < 10 and int(step) < len(value) else None
    return value.get(step) if isinstance(value, dict) else getattr(value, step, None)
