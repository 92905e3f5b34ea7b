"""What lies on top of a surface or goes through it.

A row of the table names its layers by their keys in ``registry``. ``hdrp`` and ``gltf`` hold those whose arithmetic is
a shader's own, a function a layer; ``coat`` is the clear coat, whose sources stand in the row.
"""

from __future__ import annotations

from typing import Any

from ..maps import Maps
from ..reading import Reading
from . import gltf, hdrp  # noqa: F401
from .coat import clearcoat
from .registry import LAYERS

__all__ = ["LAYERS", "layer_fields"]


def layer_fields(reading: Reading, maps: Maps) -> dict[str, Any]:
    """Fields of :class:`ir.Material` for every layer that a row has and the material uses."""
    fields: dict[str, Any] = {}
    coat = reading.family.coat
    if coat is not None and (not coat.switch or reading.is_on(coat.switch)):
        fields |= clearcoat(coat, maps)
    for name in reading.family.layers:
        layer = LAYERS.get(name)
        if layer is not None:
            fields |= layer(reading, maps)
    return fields
