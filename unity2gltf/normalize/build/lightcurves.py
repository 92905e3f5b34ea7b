"""``--pointer``: curves of lights and cameras, as channels of KHR_animation_pointer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ...ir import Camera, Channel, Curve, Light
from ...math3d import name_hash
from ...raw import Names
from ..clips.bindings import attribute_name
from ..clips.decoded import DecodedCurve
from .context import AssetContext
from .factors import number_channel
from .visibility import visibility

LIGHT, CAMERA = 108, 20
"""Unity's class ids."""

ENABLED = "m_Enabled"
WORDS = {
    name_hash(word): word
    for word in (
        ENABLED,
        *("m_Intensity", "m_Range", "m_SpotAngle", "m_Color.r", "m_Color.g", "m_Color.b"),
        *("field of view", "orthographic size"),
    )
}
"""Names of what can be written by the hash that compiled clips have of them: no file need hold these texts."""

Property = tuple[int, DecodedCurve]


def light_channels(
    properties: Sequence[Property], names: Names, duration: float, context: AssetContext
) -> tuple[list[Channel], list[Property]]:
    """Channels for the curves of lights and cameras that are in the file, and the rest of ``properties``."""
    channels: list[Channel] = []
    rest: list[Property] = []
    moved: dict[tuple[int, str], dict[str, Curve]] = defaultdict(dict)
    for node, curve in properties:
        carrier = _carrier(node, curve.type_id, context) if curve.curves else None
        text = _text(curve, names)
        base, _, component = text.partition(".")
        if carrier is not None and text == ENABLED:
            channels.append(visibility(carrier, curve))
        elif carrier is not None and base in _item(carrier, context)[1].properties:
            moved[carrier, base].setdefault(component, curve.curves[0])
        else:
            rest.append((node, curve))
    for (carrier, base), curves in moved.items():
        channels += _channels(carrier, base, curves, duration, context)
    return channels, rest


def _text(curve: DecodedCurve, names: Names) -> str:
    known = WORDS.get(curve.attribute) if isinstance(curve.attribute, int) else None
    return known or attribute_name(curve, names)


def _carrier(node: int, type_id: int, context: AssetContext) -> int | None:
    """The node that carries the light, or camera, of a GameObject."""
    for index, other in enumerate(context.nodes):
        wanted = other.light if type_id == LIGHT else other.camera if type_id == CAMERA else None
        if wanted is not None and other.game_object == node:
            return index
    return None


def _item(carrier: int, context: AssetContext) -> tuple[str, Light | Camera]:
    """Pointer to a node's light or camera, and itself."""
    node = context.nodes[carrier]
    if node.light is not None:
        return f"/extensions/KHR_lights_punctual/lights/{node.light}", context.lights[node.light]
    assert node.camera is not None, "a carrier has a light or a camera"
    return f"/cameras/{node.camera}", context.cameras[node.camera]


def _channels(
    carrier: int, base: str, curves: dict[str, Curve], duration: float, context: AssetContext
) -> Iterator[Channel]:
    place, item = _item(carrier, context)
    rest = item.color if isinstance(item, Light) else ()
    for target in item.properties[base]:
        yield number_channel(carrier, place, target, rest, curves, duration, context.diagnostics)
