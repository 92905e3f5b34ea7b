"""KHR_lights_punctual: directional, point and spot lights, in lux and candela."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir import Light, LightKind, Node
from .hooks import Json, members

if TYPE_CHECKING:
    from ..context import Context

NAME = "KHR_lights_punctual"


def write_lights(context: Context) -> None:
    """The lights of the file, with the indices of the asset's."""
    lights = context.asset.lights
    if lights:
        context.extensions.add(NAME)
        context.gltf.extensions = {NAME: {"lights": [_light(context, light) for light in lights]}}


def node_light(node: Node) -> Json:
    """A node's extensions, for its light."""
    return {} if node.light is None else {NAME: {"light": node.light}}


def _light(context: Context, light: Light) -> Json:
    return members(
        name=context.text(light.name),
        type=light.kind.value,
        color=list(light.color),
        intensity=light.intensity,
        range=light.range,
        spot=_spot(light),
        extras={"unity": {**light.extras, **light.source.mark()}},
    )


def _spot(light: Light) -> Json | None:
    if light.kind is not LightKind.SPOT:
        return None
    return {"innerConeAngle": light.inner, "outerConeAngle": light.outer}
