"""The clips of an asset's rigs: decoded once, bound to the rig's nodes, made into tracks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ... import codes
from ...ir import Channel, Clip, MuscleCurves, Path, Track
from ...raw import RawEvent, RawHierarchy
from ...source import Source
from ...text import counted
from ..clips.bindings import Rig, ShapeTarget, bind, by_path_hash, curve_json, paths_below
from ..clips.compiled import MUSCLE
from ..clips.decoded import ANIMATOR, DecodedClip, DecodedCurve
from ..clips.merge import TrackOptions, make_track
from .context import AssetContext
from .humanoid import HumanRig
from .muscles import MuscleBake, bake_muscles, report_unbaked
from .properties import pointer_channels
from .trackreport import between_keys, report_tracks
from .uses import ClipUse, clip_uses

MoreClips = Mapping[Source, Sequence[Source]]
"""Clips that no controller or component names, by the GameObject of the rig they were matched with."""

Children = defaultdict[int, list[int]]
"""Nodes by their parent."""

Shapes = dict[int, tuple[ShapeTarget, ...]]
"""Meshes with blend shapes by the node of their GameObject."""

NOTHING_BAKED = MuscleBake(channels=(), report=None, lost="")


def find_rigs(raw: RawHierarchy, context: AssetContext) -> dict[int, Rig]:
    """Every object with an Animator or Animation component, by its node."""
    children, shapes = _children(context), _shape_targets(context)
    movers = (index for index, node in enumerate(raw.nodes) if node.animator is not None or node.animation is not None)
    return {index: _rig(index, children, shapes, context) for index in movers}


def make_clips(
    raw: RawHierarchy, rigs: Mapping[int, Rig], humans: Mapping[int, HumanRig], more: MoreClips, context: AssetContext
) -> Iterator[Clip | MuscleCurves]:
    """Clips of every rig, in the order of its nodes, and muscles that could not be baked. ``humans``: rigs with a human
    avatar."""
    for index, rig in rigs.items():
        node = raw.nodes[index]
        uses = clip_uses(node, more.get(node.source, ()), context)
        size = _rig_size(rig, context) if uses else 1.0
        for use in uses:
            yield from _clip(use, rig, humans.get(index), size, context)


def _rig(index: int, children: Children, shapes: Shapes, context: AssetContext) -> Rig:
    """Everything below a node that a clip can name by the hash of its path."""
    nodes = context.nodes
    paths = paths_below(index, ((child, nodes[child].parent, nodes[child].name) for child in _below(index, children)))
    return Rig(node=index, by_hash=by_path_hash(paths), shapes=shapes)


def _children(context: AssetContext) -> Children:
    """By parent; nodes that only carry a mesh have no path of their own."""
    children: Children = defaultdict(list)
    for index, node in enumerate(context.nodes):
        if node.game_object is None:
            children[node.parent].append(index)
    return children


def _below(root: int, children: Children) -> Iterator[int]:
    """Nodes below ``root``, parents first."""
    stack = children[root][::-1]
    while stack:
        index = stack.pop()
        yield index
        stack.extend(children[index][::-1])


def _shape_targets(context: AssetContext) -> Shapes:
    targets: dict[int, list[ShapeTarget]] = defaultdict(list)
    for index, node in enumerate(context.nodes):
        if node.mesh is not None:
            shapes = context.geometries[context.meshes[node.mesh].geometry].shapes
            if shapes:
                owner = index if node.game_object is None else node.game_object
                targets[owner].append(ShapeTarget(node=index, names=tuple(shape.name for shape in shapes)))
    return {owner: tuple(found) for owner, found in targets.items()}


def _rig_size(rig: Rig, context: AssetContext) -> float:
    """The largest distance between places of the rig's nodes, in metres: what a tolerance is measured by."""
    places = np.array([context.world(index)[:3, 3] for index in rig.by_hash.values()])
    size = float(np.linalg.norm(places.max(axis=0) - places.min(axis=0)))
    return size if np.isfinite(size) and size > 0 else 1.0


def _clip(
    use: ClipUse, rig: Rig, human: HumanRig | None, size: float, context: AssetContext
) -> Iterator[Clip | MuscleCurves]:
    decoded = context.content.clip(use.clip, context.diagnostics)
    if decoded is None:
        return
    baked = NOTHING_BAKED
    made: Clip | None = None
    with context.diagnostics.guard(codes.CLIP_UNREADABLE, use.clip.place(decoded.name), use.clip):
        if decoded.kind == "humanoid":
            baked = bake_muscles(decoded, use, rig, human, context)
        made = _bound_clip(decoded, use, rig, baked, size, context)
    lost = baked.lost
    if made is not None:
        yield made
    elif decoded.kind == "humanoid" and not lost:
        lost = "none of its muscles moves a bone of this rig"
        with context.diagnostics.at(use.clip.place(decoded.name), use.clip):
            report_unbaked(decoded, lost, context.diagnostics)
    if lost:
        yield muscle_curves(decoded, context.nodes[rig.node].name, lost)


def _bound_clip(
    decoded: DecodedClip, use: ClipUse, rig: Rig, baked: MuscleBake, size: float, context: AssetContext
) -> Clip | None:
    """None (reported) when nothing of the clip moves anything on this rig."""
    diagnostics, names = context.diagnostics, context.content.provider.names
    bound = bind(decoded, rig, names, diagnostics)
    moved = list(_beside(bound.channels, baked, context))
    own = {channel.node for channel in moved if channel.path in (Path.ROTATION, Path.EULER)}
    moved += [still for still in baked.stills if still.node not in own]
    rest = [*bound.properties, *((rig.node, curve) for curve in _root_curves(decoded, context.options.root_motion))]
    if context.options.pointer and context.options.clips != "library":  # a clip's own file has no materials
        pointed, rest = pointer_channels(rest, names, decoded.duration, context)
        moved += pointed
    bones = _tracks(baked.channels, decoded.duration, size, context)
    others = _tracks(moved, decoded.duration, size, context)
    if not bones and not others:
        text, curves = f"clip {decoded.name!r} moves nothing of this rig", len(decoded.curves)
        if curves:
            text += f"; {counted(curves, 'curve')} left out with it"
        diagnostics.add(codes.CLIP_LEFT_OUT if curves else codes.CLIP_EMPTY, text, clip=decoded.name, curves=curves)
        return None
    report_tracks(bones, others, len(rest), context)
    extras = {**decoded.extras, **use.extras, "kind": decoded.kind, "duration": decoded.duration}
    if baked.report is not None:
        written = {**baked.report, "between_keys": between_keys(baked.report, bones)}
        extras |= {"humanoid": written, "apply_root_motion": use.root_motion}
    if decoded.events:
        extras["events"] = [_event(event) for event in decoded.events]
    kept = [*bound.unresolved, *(curve for _, curve in rest)]
    if kept:
        extras["curves"] = [curve_json(curve, names) for curve in kept]
    return Clip(
        name=decoded.name,
        source=decoded.source,
        rig=rig.node,
        duration=decoded.duration,
        channels=tuple(channel for channel, _ in (*bones, *others)),
        tracks=tuple(track for _, track in (*bones, *others)),
        extras=extras,
    )


def _beside(channels: Sequence[Channel], baked: MuscleBake, context: AssetContext) -> Iterator[Channel]:
    """The clip's own channels, less those of what its muscles move."""
    taken = {(channel.node, channel.path) for channel in baked.channels}
    double = 0
    for channel in channels:
        path = Path.ROTATION if channel.path is Path.EULER else channel.path
        if (channel.node, path) in taken:
            double += 1
        else:
            yield channel
    if double:
        text = f"{counted(double, 'curve')} left out: muscles move the same bones"
        context.diagnostics.add(codes.CLIP_DUPLICATE, text, count=double)


def _root_curves(decoded: DecodedClip, root_motion: str) -> Iterator[DecodedCurve]:
    """Curves of the root that become no track, unless they say nothing: those of a generic clip's root node, and a
    humanoid clip's curves of the object, which only ``split`` writes."""
    if decoded.kind == "humanoid":
        curves = {name: curve for name, curve in decoded.muscles.items() if name.startswith("Motion")}
        curves = {} if root_motion == "split" else curves
    else:
        curves = dict(decoded.muscles)
    still = {name: float(name.endswith("Q.w")) for name in curves}
    if all((curve.coefficients == (0, 0, 0, still[name])).all() for name, curve in curves.items()):
        return
    for name, curve in curves.items():
        yield DecodedCurve(path="", path_hash=0, type_id=ANIMATOR, attribute=name, custom_type=MUSCLE, curves=(curve,))


def muscle_curves(decoded: DecodedClip, rig: str, reason: str) -> MuscleCurves:
    """The clip's muscles for a side file."""
    return MuscleCurves(
        name=decoded.name,
        source=decoded.source,
        rig=rig,
        reason=reason,
        duration=decoded.duration,
        sample_rate=decoded.sample_rate,
        curves=decoded.muscles,
    )


def _tracks(
    moved: Sequence[Channel], duration: float, size: float, context: AssetContext
) -> list[tuple[Channel, Track]]:
    """The channels that something can be written of, each with its track."""
    options = TrackOptions(
        key_tolerance=context.options.key_tolerance,
        resample_hz=context.options.resample_hz,
        rig_size=size,
        clamp_weights=bool(context.content.provider.settings.clamp_blend_shapes),
    )
    made = []
    for channel in moved:
        node = context.nodes[channel.node]
        shapes = () if node.mesh is None else context.geometries[context.meshes[node.mesh].geometry].shapes
        track = make_track(channel, duration, shapes, node.weights, options, context.diagnostics)
        if track is not None:
            made.append((channel, track))
    return made


def _event(event: RawEvent) -> dict[str, Any]:
    told: dict[str, Any] = {"time": event.time, "function": event.function}
    given = {"string": event.string, "float": event.number, "int": event.integer}
    told |= {key: value for key, value in given.items() if value}
    if isinstance(event.reference, Source):
        told["object"] = event.reference.mark()
    return told
