"""Lights and cameras to nodes of their own below their GameObject's.

Unity's shine and look along their object's +Z, glTF's along their node's -Z: the extra node is turned by half a turn
about Y, so that the object's own node, its children and its animation stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from ... import codes
from ...ir import Node
from ...raw import RawCamera, RawHierarchy, RawLight
from ..cameras import convert_camera
from ..lighting import convert_light
from ..plain import plain_json
from .context import AssetContext

HALF_TURN = (0.0, 1.0, 0.0, 0.0)
"""About Y, as a quaternion."""


def place_lights(raw: RawHierarchy, active: Sequence[bool], context: AssetContext) -> None:
    """A node for every Light and Camera; one that is off has the node alone, or with ``--inactive flag`` all."""
    for index, node in enumerate(raw.nodes):
        for part in (node.light, node.camera):
            if part is not None:
                code = codes.LIGHT_UNREADABLE if isinstance(part, RawLight) else codes.CAMERA_UNREADABLE
                with context.diagnostics.guard(code, part.source.place(node.name), part.source):
                    _place(index, part, active[index], context)


def _place(index: int, part: RawLight | RawCamera, active: bool, context: AssetContext) -> None:
    on = active and part.enabled
    choice = context.options.inactive
    if not on:
        reason = "disabled" if active else "inactive"
        context.diagnostics.add(codes.COMPONENT_OFF, f"not written: {reason}", reason=reason)
        if choice == "skip":
            return
    shown = on or choice == "flag"
    name = context.nodes[index].name
    context.add_node(
        Node(
            name=name,
            source=part.source,
            parent=index,
            rotation=HALF_TURN,
            active=on,
            game_object=index,
            light=_light(part, name, context) if shown and isinstance(part, RawLight) else None,
            camera=_camera(part, name, context) if shown and isinstance(part, RawCamera) else None,
            extras={} if shown else plain_json(part.more),
        )
    )


def _light(raw: RawLight, name: str, context: AssetContext) -> int | None:
    light = convert_light(raw, name, context.content.provider.settings, context.diagnostics)
    if light is None:
        return None
    context.lights.append(light)
    return len(context.lights) - 1


def _camera(raw: RawCamera, name: str, context: AssetContext) -> int:
    context.cameras.append(convert_camera(raw, name, context.diagnostics))
    return len(context.cameras) - 1
