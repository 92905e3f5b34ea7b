"""The lights of a glTF document (KHR_lights_punctual), and where nodes shine and look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..document import Gltf
from ..fields import Json, as_object, get_index, get_list, get_object

Array = NDArray[np.float64]

LIGHTS = "KHR_lights_punctual"


def lights(gltf: Gltf) -> list[Json]:
    """The lights of the document; none where the extension is absent."""
    where = f"/extensions/{LIGHTS}"
    stored = get_list(get_object(get_object(gltf.json, "extensions", ""), LIGHTS, "/extensions"), "lights", where)
    return [as_object(light, f"{where}/lights/{index}") for index, light in enumerate(stored)]


def node_light(node: Json, pointer: str, count: int) -> int | None:
    """The light of a node, of ``count`` in all."""
    extensions = get_object(node, "extensions", pointer)
    where = f"{pointer}/extensions/{LIGHTS}"
    return get_index(get_object(extensions, LIGHTS, f"{pointer}/extensions"), "light", where, count)


def forward(world: Array, node: int) -> Array:
    """(3,) where a node's light shines or its camera looks, in the world: along its -Z, of any length."""
    direction: Array = -world[node, :3, 2]
    return direction
