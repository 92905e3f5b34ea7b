"""``--extras tags,colliders``: what Unity stores of an object beside what is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ... import codes
from ...ir import Part
from ...raw import RawHierarchy, RawNode, RawPart, RawSettings
from ..plain import plain_json, snake_case
from .context import AssetContext

TAGS = ("Untagged", "Respawn", "Finish", "EditorOnly", "", "MainCamera", "Player", "GameController")
"""The tags that every project has, by number."""

OWN_TAGS = 20000
"""Number of the first tag of a project's own."""

LAYERS = ("Default", "TransparentFX", "Ignore Raycast", "", "Water", "UI")
"""The layers that every project has, by number."""

STATIC = (
    "ContributeGI",
    "OccluderStatic",
    "BatchingStatic",
    "NavigationStatic",
    "OccludeeStatic",
    "OffMeshLinkGeneration",
    "ReflectionProbeStatic",
)
"""StaticEditorFlags by bit. Only files in editor form have them."""

_POINTS = ("m_Center", "m_CenterOfMass")
_ROTATIONS = ("m_InertiaRotation",)


def note_extras(raw: RawHierarchy, context: AssetContext) -> None:
    """Put what ``--extras`` asks for on the nodes of the GameObjects."""
    wanted = context.options.extras
    settings = context.content.provider.settings
    for index, node in enumerate(raw.nodes):
        if "tags" in wanted:
            extras = {**context.nodes[index].extras, **object_tags(node, settings)}
            context.replace_node(index, extras=extras)
        if "colliders" in wanted and node.physics:
            context.replace_node(index, parts=_parts(node, context))


def object_tags(node: RawNode, settings: RawSettings) -> dict[str, Any]:
    """``tag``, ``layer`` and, where they are stored, ``static`` flags by name; a number where no name is known."""
    told: dict[str, Any] = {"tag": _tag(node.tag, settings), "layer": _named(node.layer, settings.layers or LAYERS)}
    if node.static is not None:
        told["static"] = [name for bit, name in enumerate(STATIC) if node.static >> bit & 1]
    return told


def _tag(tag: int | str, settings: RawSettings) -> int | str:
    if isinstance(tag, str):
        return tag
    own = tag - OWN_TAGS
    return (settings.tags[own] or tag) if 0 <= own < len(settings.tags) else _named(tag, TAGS)


def _named(number: int, names: Sequence[str]) -> int | str:
    return (names[number] or number) if 0 <= number < len(names) else number


def _parts(node: RawNode, context: AssetContext) -> tuple[Part, ...]:
    parts = []
    for source in node.physics:
        with context.diagnostics.guard(codes.OBJECT_UNREADABLE, source.place(node.name), source):
            parts.append(convert_part(context.content.provider.part(source)))
    return tuple(parts)


def convert_part(raw: RawPart) -> Part:
    """Unity's fields in small letters (m_IsTrigger: ``is_trigger``), those that have a handedness apart."""
    turned = {"points": _POINTS, "rotations": _ROTATIONS}
    chosen: dict[str, Any] = {
        kind: {snake_case(name): raw.fields[name] for name in names if _is_finite(raw.fields.get(name))}
        for kind, names in turned.items()
    }
    apart = chosen["points"].keys() | chosen["rotations"].keys()
    values = {key: plain_json(value) for name, value in raw.fields.items() if (key := snake_case(name)) not in apart}
    return Part(source=raw.source, values=values, **chosen)


def _is_finite(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(v, float) and math.isfinite(v) for v in value)
