"""What is told of a baked humanoid clip: how well it fits, what of it is lost, and what the game does beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ... import codes
from ...ir import Curve
from ...math3d import Array
from ...text import counted
from ..clips.decoded import DecodedClip
from ..clips.muscles import AXES, FREE_CURVES
from ..humanoid import goals
from ..humanoid.bake import HIPS, Baked, MuscleClip, driven_bones, muscles_of, places_body
from ..humanoid.body import Body
from .avatars import Chosen, fit
from .context import AssetContext
from .humanoid import HumanRig
from .uses import ClipUse

FEET_OF_REDUCED = 0.012
"""Share of the avatar's scale within which feet may be off for the sake of fewer keys, of a clip whose bones are turned
right."""

NO_RANGE = 1e-6
"""Radians; a muscle of no range cannot show what drives it."""


def report_bake(decoded: DecodedClip, chosen: Chosen, baked: Baked, context: AssetContext) -> dict[str, Any]:
    """How well the clip was baked, as JSON: goes to the animation's extras, and into CLIP_BAKED."""
    body = chosen.human.body
    numbering = goals.numbering_residual(decoded.muscles, decoded.humanoid, decoded.duration)
    told: dict[str, Any] = {
        "avatar": body.name,
        "avatar_source": body.source.mark(),
        "chosen_by": chosen.how,
        "bones": len(baked.bones),
        "keys": len(baked.keys),
        "root_motion": context.options.root_motion,
        "numbering": None if numbering is None else _short(numbering),
        "between_keys": _between_keys(baked),
        "goals": None,
    }
    if goals.has_goals(decoded.muscles):
        measured = goals.clip_residual(body, decoded.muscles, baked.keys)
        gates = _gates(measured, body, decoded, context)
        told |= {"goals": _measures(measured), **gates}
    _tell(told, context)
    return told


def _between_keys(baked: Baked) -> dict[str, float]:
    """How far bones are off half-way between keys."""
    bones = baked.bones.values()
    return {
        "mean_deg": _short(np.degrees(np.mean([moved.mean_error for moved in bones]))) if bones else 0.0,
        "max_deg": _short(np.degrees(max((moved.error for moved in bones), default=0.0))),
        "hips_mm": _short(1000 * baked.hips.error) if baked.hips else 0.0,
    }


def _measures(measured: goals.Residual) -> dict[str, dict[str, float]]:
    parts = {
        "feet_deg": measured.degrees[:, :2],
        "hands_deg": measured.degrees[:, 2:],
        "rotation_deg": measured.degrees,
        "feet_mm": 1000 * measured.metres[:, :2],
        "hands_mm": 1000 * measured.metres[:, 2:],
    }
    return {name: _sizes(values) for name, values in parts.items()}


def _sizes(values: Array) -> dict[str, float]:
    return {
        "mean": _short(values.mean()),
        "p95": _short(np.percentile(values, 95)),
        "max": _short(values.max()),
    }


def _short(value: float) -> float:
    """To five digits: more say nothing, and would depend on the processor."""
    return float(f"{float(value):.5g}")


def _gates(measured: goals.Residual, body: Body, decoded: DecodedClip, context: AssetContext) -> dict[str, Any]:
    """Whether the clip comes to its goals, and if not, the reason where it is known."""
    if goals.passed(measured, body):
        return {"passed": True}
    return {"passed": False, "reason": _known_reason(measured, body, decoded, context)}


def _known_reason(measured: goals.Residual, body: Body, decoded: DecodedClip, context: AssetContext) -> str:
    if decoded.extras.get("m_HasAdditiveReferencePose"):
        return "it is an additive clip"
    if goals.turned_right(measured):
        if decoded.curves:
            return "objects between the bones move, too"
        feet = float(measured.metres[:, :2].mean())
        return "its keys were reduced when the game was made" if feet < FEET_OF_REDUCED * body.scale else ""
    others = [other for other in context.content.bodies() if other.source != body.source]
    best = min(others, key=lambda other: fit(other, decoded), default=None)
    if best is not None and fit(best, decoded) < goals.ROTATION_MEAN:
        return f"it was made for avatar {best.name!r}"
    return "it was made for another avatar, which is not in this game"


def _tell(told: Mapping[str, Any], context: AssetContext) -> None:
    measured = told["goals"]
    text = f"{counted(told['bones'], 'bone')} baked with avatar {told['avatar']!r}"
    if measured is not None:
        text += (
            f"; the clip's own goals are met within {measured['rotation_deg']['mean']:.2g} degrees, feet"
            f" {measured['feet_mm']['mean']:.2g} mm, hands {measured['hands_mm']['mean']:.2g} mm on average"
        )
        if told.get("reason"):
            text += f" ({told['reason']})"
    else:
        text += "; it does not store all its goals to measure by"
    context.diagnostics.add(codes.CLIP_BAKED, text, humanoid=dict(told))
    if measured is not None and not told["passed"] and not told["reason"]:
        context.diagnostics.add(codes.CLIP_GOALS_MISSED, text, **measured)
    if told["numbering"] is not None and told["numbering"] > goals.NUMBERING:
        text = f"muscles change by up to {told['numbering']:.2g} otherwise than the clip says of them"
        context.diagnostics.add(codes.CLIP_NUMBERING, text, difference=told["numbering"])


def report_losses(decoded: DecodedClip, clip: MuscleClip, human: HumanRig, context: AssetContext) -> Iterator[str]:
    """Why muscles do not show, each reported."""
    body = human.body
    missing = [bone for bone in driven_bones(body, clip.curves) if body.nodes[bone] not in human.nodes]
    if places_body(clip.curves) and human.hips is None:
        missing.append(HIPS)
    flat = sorted(_without_range(body, clip.curves))
    free = [name for name in FREE_CURVES if name in clip.curves] if body.has_tdof else []
    parts = (
        (missing, "bone is not on the rig", "bones are not on the rig"),
        (flat, "muscle has no range on this avatar", "muscles have no range on this avatar"),
        (free, "translation of a bone is left out", "translations of bones are left out"),
        (decoded.lost_muscles, "curve could not be read", "curves could not be read"),
    )
    for names, one, many in parts:
        if names:
            text = counted(len(names), one, many)
            context.diagnostics.add(codes.CLIP_MUSCLES_PARTLY, text, count=len(names), names=list(names)[:50])
            yield text


def _without_range(body: Body, curves: Mapping[str, Curve]) -> Iterator[str]:
    for bone, axes in body.axes.items():
        for name, least, most in zip(AXES[bone], axes.minimum, axes.maximum, strict=True):
            if name in curves and max(abs(least), abs(most)) < NO_RANGE and curves[name].coefficients.any():
                yield name


def report_use(
    decoded: DecodedClip, use: ClipUse, body: Body, report: Mapping[str, Any], context: AssetContext
) -> None:
    """What the clip's settings and the controller's states do with it beside playing it."""
    diagnostics = context.diagnostics
    states: Sequence[Mapping[str, Any]] = use.extras.get("states", ())
    expected = {name for bone in driven_bones(body, decoded.muscles) for name in muscles_of(body, bone)}
    absent = sorted(expected - decoded.muscles.keys())
    if absent:
        text = f"{counted(len(absent), 'muscle')} of bones that the clip moves are not in it: they count as 0"
        diagnostics.add(codes.CLIP_MUSCLES_ABSENT, text, count=len(absent), names=absent[:50])
    free = [name for name in FREE_CURVES if name in decoded.muscles]
    if free and not body.has_tdof:
        text = f"{counted(len(free), 'translation')} of bones left out, as in the game: the avatar takes none"
        diagnostics.add(codes.CLIP_TDOF, text, count=len(free))
    if decoded.extras.get("m_LoopTime") and decoded.extras.get("m_LoopBlend"):
        gap = goals.loop_gap(decoded.muscles, decoded.duration)
        text = f"the game blends the end into the start (up to {gap:.2g} of a muscle apart); it is written as stored"
        diagnostics.add(codes.CLIP_LOOP_POSE, text, largest=gap)
    if decoded.extras.get("m_Mirror"):
        diagnostics.add(codes.CLIP_MIRROR, "the clip's settings exchange left and right: baked so")
    mirrored_by = [state["name"] for state in states if state.get("mirror") or _blends(state, "mirror")]
    if mirrored_by:
        text = f"{counted(len(mirrored_by), 'state plays', 'states play')} it mirrored; it is written as it is stored"
        diagnostics.add(codes.CLIP_MIRROR, text, states=mirrored_by)
    additive = [state["name"] for state in states if state.get("additive")]
    if additive or decoded.extras.get("m_HasAdditiveReferencePose"):
        text = "the game adds this clip to what plays below it; it is written as a pose of its own"
        diagnostics.add(codes.CLIP_ADDITIVE, text, states=additive)
    by_ik = [state["name"] for state in states if state.get("foot_ik")]
    if by_ik:
        measured = report["goals"]
        far = None if measured is None else measured["feet_mm"]["mean"]
        text = f"{counted(len(by_ik), 'state puts', 'states put')} the feet on the clip's goals; muscles are written"
        diagnostics.add(codes.CLIP_FOOT_IK, text, states=by_ik, feet_mm=far)


def _blends(state: Mapping[str, Any], name: str) -> bool:
    return bool(state.get("blend_tree", {}).get(name))
