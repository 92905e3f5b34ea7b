"""Renderers to meshes on nodes, as the game draws them by default."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ... import codes
from ...ir import BlendShape, Geometry, Influences, Node
from ...math3d import weight_range
from ...options import UNLIMITED
from ...raw import RawHierarchy, RawRenderer
from ...source import Source
from ...text import counted
from ..mesh.influences import drawn_influences
from .context import AssetContext
from .lightmaps import lightmaps_of
from .skeleton import BoneFinder
from .skin import add_skin, within_slots


@dataclass(slots=True)
class Drawing:
    """What drawing one hierarchy needs beside the context; influence forms are shared by (mesh, limit, slots)."""

    context: AssetContext
    finder: BoneFinder
    limit: int
    forms: dict[tuple[Source, int, int], Influences | None] = field(default_factory=dict)


def draw_all(raw: RawHierarchy, hidden: Sequence[str | None], context: AssetContext) -> None:
    """Put every drawn renderer's mesh on its node (or on an extra node); report those that are not drawn."""
    drawing = Drawing(
        context=context,
        finder=BoneFinder(raw, context),
        limit=project_limit(context),
    )
    keep_hidden = context.options.inactive == "flag"
    for index, node in enumerate(raw.nodes):
        renderer = node.renderer
        if renderer is None:
            continue
        reason = hidden[index]
        with context.diagnostics.guard(codes.RENDERER_UNREADABLE, renderer.source.place(node.name), renderer.source):
            if reason is not None:
                context.diagnostics.add(codes.RENDERER_NOT_DRAWN, f"not drawn: {reason}", reason=reason)
                _mark_hidden(index, reason, context)
                if not keep_hidden:
                    continue
            _draw(index, renderer, drawing)


def _mark_hidden(index: int, reason: str, context: AssetContext) -> None:
    """Lower LODs are active, only not shown; everything else that is hidden counts as inactive."""
    if reason.startswith("LOD"):
        extras = dict(context.nodes[index].extras) | {"lod": int(reason.split()[1])}
        context.replace_node(index, extras=extras)
    else:
        context.replace_node(index, active=False)


def _draw(index: int, renderer: RawRenderer, drawing: Drawing) -> None:
    context = drawing.context
    geometry = context.content.geometry(renderer.mesh, renderer.source, context.diagnostics)
    if geometry is None:
        return
    positions = _drawn_positions(geometry, renderer)
    primitives = tuple(context.primitives(geometry, positions, renderer.materials))
    if not primitives:
        context.diagnostics.add(codes.MESH_EMPTY, f"mesh {geometry.name!r} draws nothing here", mesh=geometry.name)
        return
    weights = default_weights(renderer, geometry.shapes, drawing)
    if renderer.skinned and (skinned := _skinned(index, renderer, geometry, drawing)):
        skin, influences = skinned
        mesh = context.mesh(context.geometry(geometry), primitives, influences, weights)
        _extra_node(index, renderer, mesh, context, skin=skin, weights=weights)
        return
    mesh = context.mesh(context.geometry(geometry), primitives, None, weights)
    if renderer.submeshes is not None:
        _extra_node(index, renderer, mesh, context, parent=_batch_root(renderer, drawing))
    else:
        lightmaps = lightmaps_of(renderer, geometry)
        context.replace_node(index, mesh=mesh, renderer=renderer.source, weights=weights, lightmaps=lightmaps)


def _drawn_positions(geometry: Geometry, renderer: RawRenderer) -> list[int]:
    """Positions in ``geometry.submeshes`` of the submeshes this renderer draws, in slot order."""
    if renderer.submeshes is None:
        return list(range(len(geometry.submeshes)))
    by_number = {submesh.number: position for position, submesh in enumerate(geometry.submeshes)}
    return [by_number[number] for number in renderer.submeshes if number in by_number]


def _skinned(index: int, renderer: RawRenderer, geometry: Geometry, drawing: Drawing) -> tuple[int, Influences] | None:
    """Skin and influence form, or None (reported) when the mesh is not skinned after all."""
    context = drawing.context
    limit = _influence_limit(renderer, drawing.limit)
    if geometry.channel_influences is None and geometry.variable_influences is None:
        slots = len(renderer.bones) or len(geometry.bind_poses)
        if slots:
            text = f"{counted(slots, 'bone')}, but the mesh has no influences"
            context.diagnostics.add(codes.SKIN_NONE, text, bones=slots)
        return None
    if not renderer.bones and not len(geometry.bind_poses):
        context.diagnostics.add(codes.SKIN_NONE, "the mesh has influences, but neither bones nor bind poses", bones=0)
        return None
    skin, slots = add_skin(renderer, geometry, index, drawing.finder, context)
    key = (geometry.source, limit, slots)
    if not drawing.forms:
        _report_form(limit, context)
    if key not in drawing.forms:
        form = drawn_influences(geometry, limit, context.diagnostics)
        drawing.forms[key] = None if form is None else within_slots(form, slots, context.diagnostics)
    influences = drawing.forms[key]
    return None if influences is None else (skin, influences)


def _influence_limit(renderer: RawRenderer, limit: int) -> int:
    """SkinnedMeshRenderer.m_Quality overrides the project's limit: 0 auto, else 1, 2 or 4 bones."""
    return renderer.quality if renderer.quality in (1, 2, 4) else limit


def _report_form(limit: int, context: AssetContext) -> None:
    """Once an asset: which influences are drawn, and what says so."""
    levels = context.content.provider.settings.skin_weights
    count = (
        "all influences are" if limit == UNLIMITED else f"at most {counted(limit, 'influence is', 'influences are')}"
    )
    if context.options.skin_weights != "auto":
        why = "as asked for"
    elif levels:
        why = "the most of the quality levels " + ", ".join(f"{name}: {number}" for name, number in levels)
    else:
        why = "there are no QualitySettings in the input"
    context.diagnostics.add(
        codes.SKIN_FORM, f"{count} drawn: {why}", limit=limit, levels=[[name, number] for name, number in levels]
    )


def _batch_root(renderer: RawRenderer, drawing: Drawing) -> int:
    """Static batching baked the vertices into the space of the batch's root; -1 = the scene's."""
    root = drawing.finder.by_transform(renderer.static_batch_root)
    return -1 if root is None else root


def _extra_node(
    index: int,
    renderer: RawRenderer,
    mesh: int,
    context: AssetContext,
    *,
    parent: int = -1,
    skin: int | None = None,
    weights: tuple[float, ...] = (),
) -> None:
    """A childless identity node that carries the mesh; the GameObject's own node stays as it is."""
    owner = context.nodes[index]
    context.add_node(
        Node(
            name=owner.name,
            source=renderer.source,
            parent=parent,
            mesh=mesh,
            renderer=renderer.source,
            skin=skin,
            weights=weights,
            active=owner.active,
            game_object=index,
            lightmaps=lightmaps_of(renderer, context.geometries[context.meshes[mesh].geometry]),
        )
    )


def default_weights(renderer: RawRenderer, shapes: Sequence[BlendShape], drawing: Drawing) -> tuple[float, ...]:
    """The renderer's weights / 100, one a shape, clamped to the shapes' ranges where the game clamps."""
    stored = (renderer.blend_shape_weights.astype(float) / 100.0).tolist()
    weights = [stored[i] if i < len(stored) and math.isfinite(stored[i]) else 0.0 for i in range(len(shapes))]
    fixed = sum(not math.isfinite(weight) for weight in stored[: len(shapes)])
    if fixed:
        drawing.context.diagnostics.add(
            codes.SHAPE_WEIGHT_FIXED, f"{counted(fixed, 'default weight')} not finite became 0", count=fixed
        )
    if not drawing.context.content.provider.settings.clamp_blend_shapes:
        return tuple(weights)
    clamped = [_clamp(weight, shape) for weight, shape in zip(weights, shapes, strict=True)]
    changed = sum(a != b for a, b in zip(weights, clamped, strict=True))
    if changed:
        drawing.context.diagnostics.add(
            codes.SHAPE_WEIGHT_CLAMPED, f"{counted(changed, 'default weight')} clamped as the game does", count=changed
        )
    return tuple(clamped)


def _clamp(weight: float, shape: BlendShape) -> float:
    low, high = weight_range(shape.full_weights)
    return min(max(weight, low), high)


def project_limit(context: AssetContext) -> int:
    """The influence limit of the project that the asset belongs to."""
    levels = context.content.provider.settings.skin_weights
    return skin_limit(context.options.skin_weights, levels)


def skin_limit(choice: str, levels: Sequence[tuple[str, int]]) -> int:
    """By hand, else the largest of the quality levels, else unlimited."""
    if choice == "auto":
        return max((count for _, count in levels), default=UNLIMITED)
    return UNLIMITED if choice == "unlimited" else int(choice)
