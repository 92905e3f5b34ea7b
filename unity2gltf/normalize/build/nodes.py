"""GameObjects to nodes, and what of them is drawn by default."""

from __future__ import annotations

import math

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Node
from ...raw import RawHierarchy, RawNode
from ...source import Source
from .context import AssetContext

Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]


def add_nodes(raw: RawHierarchy, active: list[bool], context: AssetContext) -> None:
    """Node i of the asset is GameObject i of the hierarchy; ``active`` as :func:`objects_active` says."""
    for node, is_active in zip(raw.nodes, active, strict=True):
        context.add_node(_node(node, is_active, context.diagnostics))


def _node(raw: RawNode, active: bool, diagnostics: Diagnostics) -> Node:
    with diagnostics.at(raw.source.place(raw.name), raw.source):
        translation, rotation, scale = usable_pose(raw.position, raw.rotation, raw.scale, diagnostics)
    return Node(
        name=raw.name,
        source=raw.source,
        parent=raw.parent,
        translation=translation,
        rotation=rotation,
        scale=scale,
        active=active,
    )


def usable_pose(translation: Vec3, rotation: Vec4, scale: Vec3, diagnostics: Diagnostics) -> tuple[Vec3, Vec4, Vec3]:
    """A local pose of finite numbers and a rotation of unit length; what had to be replaced is reported."""
    if not all(map(math.isfinite, (*translation, *rotation, *scale))) or not any(rotation):
        diagnostics.add(codes.NODE_VALUE_FIXED, "the transform holds NaN, infinity or a zero rotation")
        translation = tuple(v if math.isfinite(v) else 0.0 for v in translation)  # type: ignore[assignment]
        scale = tuple(v if math.isfinite(v) else 1.0 for v in scale)  # type: ignore[assignment]
        if not all(map(math.isfinite, rotation)) or not any(rotation):
            rotation = (0.0, 0.0, 0.0, 1.0)
    length = math.sqrt(math.fsum(v * v for v in rotation))
    if abs(length - 1.0) > 1e-6:  # more than float32 rounding; readers take the numbers as they stand
        x, y, z, w = rotation
        rotation = (x / length, y / length, z / length, w / length)
    return translation, rotation, scale


def objects_active(raw: RawHierarchy, kind: str) -> list[bool]:
    """Whether each object is active in its hierarchy; the root of a prefab counts as active."""
    active: list[bool] = []
    for node in raw.nodes:
        own = node.active or (kind == "prefab" and node.parent < 0)
        active.append(own and (node.parent < 0 or active[node.parent]))
    return active


def hidden_reasons(raw: RawHierarchy, active: list[bool], lod: str) -> list[str | None]:
    """Why each node's renderer is not drawn by default; None where it is drawn or there is no renderer."""
    levels = _lod_levels(raw) if lod == "first" else {}
    reasons: list[str | None] = []
    for node, is_active in zip(raw.nodes, active, strict=True):
        renderer = node.renderer
        if renderer is None:
            reasons.append(None)
        elif not is_active:
            reasons.append("inactive")
        elif not renderer.enabled:
            reasons.append("disabled")
        elif renderer.shadows_only:
            reasons.append("shadows only")
        elif levels.get(renderer.source, 0) > 0:
            reasons.append(f"LOD {levels[renderer.source]}")
        else:
            reasons.append(None)
    return reasons


def _lod_levels(raw: RawHierarchy) -> dict[Source, int]:
    """The first LOD level that shows each renderer."""
    levels: dict[Source, int] = {}
    for group in raw.lods:
        for level, (_, renderers) in enumerate(group.levels):
            for renderer in renderers:
                if isinstance(renderer, Source):
                    levels[renderer] = min(level, levels.get(renderer, level))
    return levels
