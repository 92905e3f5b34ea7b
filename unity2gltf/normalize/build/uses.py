"""Which clips the components of an object play, and what they say of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...raw import RawAnimation, RawController, RawNode, RawState
from ...source import Missing, Reference, Source
from ..missing import report_missing
from .context import AssetContext


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipUse:
    """One clip on one rig, and what the rig's controller or component says of it. ``root_motion``: whether the rig's
    Animator lets clips move its object."""

    clip: Source
    extras: Mapping[str, Any] = field(default_factory=dict)
    root_motion: bool = False


def clip_uses(node: RawNode, more: Iterable[Source], context: AssetContext) -> list[ClipUse]:
    """Each clip that the components of an object play, and those of ``more``, once, in order."""
    first: dict[Source, ClipUse] = {}
    for use in (*_named_uses(node, context), *(ClipUse(clip=clip) for clip in more)):
        first.setdefault(use.clip, use)
    moves = node.animator is not None and node.animator.apply_root_motion
    return [replace(use, root_motion=moves) for use in first.values()]


def _named_uses(node: RawNode, context: AssetContext) -> Iterator[ClipUse]:
    """Clips of the Animator's controller, then of the Animation component, in order; missing ones are reported."""
    if node.animator is not None:
        controller = _controller(node.animator.controller, context)
        if controller is not None:
            yield from _controller_uses(controller, context)
    if node.animation is not None:
        yield from _animation_uses(node.animation, context)


def _controller(reference: Reference, context: AssetContext) -> RawController | None:
    if isinstance(reference, Missing):
        report_missing(reference, "controller", context.diagnostics)
    if not isinstance(reference, Source):
        return None
    return context.content.controller(reference, context.diagnostics)


def _controller_uses(controller: RawController, context: AssetContext) -> Iterator[ClipUse]:
    states: dict[Source, list[dict[str, Any]]] = defaultdict(list)
    for state in controller.states:
        for motion in state.motions:
            if isinstance(motion.clip, Source):
                states[motion.clip].append(_state(state, motion.blend))
    for clip in controller.clips:
        if isinstance(clip, Missing):
            report_missing(clip, "clip", context.diagnostics)
        elif clip is not None:
            yield ClipUse(clip=clip, extras={"controller": controller.name, "states": states.get(clip, [])})


def _state(state: RawState, blend: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "layer": state.layer,
        "layer_index": state.layer_index,
        "name": state.name,
        "full_path": state.full_path,
        "speed": state.speed,
        "default": state.default,
    }
    if state.mirror:
        told["mirror"] = True
    if state.cycle_offset:
        told["cycle_offset"] = state.cycle_offset
    if state.additive:
        told["additive"] = True
    if state.foot_ik:
        told["foot_ik"] = True
    return told | ({"blend_tree": dict(blend)} if blend else {})


def _animation_uses(animation: RawAnimation, context: AssetContext) -> Iterator[ClipUse]:
    for clip in animation.clips:
        if isinstance(clip, Missing):
            report_missing(clip, "clip", context.diagnostics)
        elif clip is not None:
            extras: dict[str, Any] = {"component": "Animation", "component_wrap": animation.wrap_mode}
            if clip == animation.default:
                extras |= {"default": True, "play_automatically": animation.play_automatically}
            yield ClipUse(clip=clip, extras=extras)
