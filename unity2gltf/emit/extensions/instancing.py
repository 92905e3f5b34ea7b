"""EXT_mesh_gpu_instancing: one node that draws its mesh in many places.

The extension is required by files that use it: it says that the mesh itself is not drawn, so that a reader without it
would draw one mesh in the wrong place and none in the others (KhronosGroup/glTF, pull request 2405).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir import Instance, Node
from ..accessors import add_accessor
from .hooks import Json

if TYPE_CHECKING:
    from ..context import Context

NAME = "EXT_mesh_gpu_instancing"
_IDENTITY = {"TRANSLATION": (0.0, 0.0, 0.0), "ROTATION": (0.0, 0.0, 0.0, 1.0), "SCALE": (1.0, 1.0, 1.0)}


def node_instances(context: Context, node: Node) -> Json:
    """A node's extensions, for its instances: an accessor each of translations, rotations and scales, but for those
    that are the identity throughout (all of them, where nothing else is left)."""
    if not node.instances:
        return {}
    context.extensions.add(NAME)
    context.required.add(NAME)
    columns = {
        "TRANSLATION": np.array([item.translation for item in node.instances], np.float32),
        "ROTATION": np.array([item.rotation for item in node.instances], np.float32),
        "SCALE": np.array([item.scale for item in node.instances], np.float32),
    }
    moved = [name for name, values in columns.items() if (values != _IDENTITY[name]).any()]
    attributes = {name: add_accessor(context, columns[name]) for name in moved or ("TRANSLATION",)}
    return {NAME: {"attributes": attributes}}


def told_instances(context: Context, node: Node) -> list[dict[str, Any]]:
    """What ``extras.unity.instances`` says of each, in the order of the accessors."""
    return [_told(context, item) for item in node.instances]


def _told(context: Context, instance: Instance) -> dict[str, Any]:
    mark = {} if instance.source is None else instance.source.mark()
    return {"name": context.text(instance.name), **instance.extras, **mark}
