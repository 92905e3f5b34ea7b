"""What is told of a baked humanoid clip: how well it fits, what of it is lost, and what the game does beside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ... import codes
from ...diagnostics import Code
from ...ir import Curve
from ...math3d import Array
from ...text import counted
from ..clips.decoded import DecodedClip
from ..clips.muscles import AXES, FREE_CURVES, places_body
from ..humanoid import goals
from ..humanoid.bake import HIPS, Baked, MuscleClip, driven_bones, muscles_of
from ..humanoid.body import Body
from .avatars import Chosen
from .context import AssetContext
from .humanoid import HumanRig
from .uses import ClipUse

FEET_OF_REDUCED = 0.012
"""Share of the avatar's scale within which feet may be off for the sake of fewer keys, of a clip whose bones are turned
right."""

OTHER_BODY = 30.0
"""Degrees on average within which a clip that was made for one body plays on another; 4 to 12 were seen."""

COARSE = 1.0
"""Degrees half-way between two keys that are worth a warning."""

MOST_OTHERS = 64
"""Avatars among which the one that a clip was made for is looked for: each takes some milliseconds a clip."""

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
    if goals.goals_met(measured, body):
        return {"passed": True}
    return {"passed": False, "reason": _known_reason(measured, body, decoded, context)}


def _known_reason(measured: goals.Residual, body: Body, decoded: DecodedClip, context: AssetContext) -> str:
    if decoded.extras.get("m_HasAdditiveReferencePose"):
        return "it is an additive clip"
    if goals.rotations_met(measured):
        if decoded.curves:
            return "objects between the bones move, too"
        feet = float(measured.metres[:, :2].mean())
        return "its keys were reduced when the game was made" if feet < FEET_OF_REDUCED * body.scale else ""
    others = [other for other in context.content.bodies() if other.source != body.source][:MOST_OTHERS]
    fits = [(context.content.misfit(other, decoded), other.name) for other in others]
    least, name = min(fits, default=(math.inf, ""))
    if least < goals.ROTATION_MEAN:
        return f"it was made for avatar {name!r}"
    if measured.degrees.mean() < OTHER_BODY:
        return "likely it was made for another avatar, which is not in this game"
    return ""


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
    most = told["between_keys"]["max_deg"]
    if most > COARSE:
        coarse = f"bones turn so fast that they are up to {most:.2g} degrees off half-way between two keys"
        context.diagnostics.add(codes.CLIP_BAKE_COARSE, coarse, degrees=most)
    if measured is not None and not told["passed"] and not told["reason"]:
        context.diagnostics.add(codes.CLIP_GOALS_MISSED, text, **measured)
    if told["numbering"] is not None and told["numbering"] > goals.NUMBERING:
        unlike = f"muscles change over the clip by up to {told['numbering']:.2g} more or less than its own record says"
        context.diagnostics.add(codes.CLIP_NUMBERING, unlike, difference=told["numbering"])


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
    decoded: DecodedClip, clip: MuscleClip, use: ClipUse, body: Body, feet_mm: float | None, context: AssetContext
) -> None:
    """What the clip's settings and the controller's states do with it beside playing it. ``feet_mm``: how far the baked
    feet are from the clip's goals on average."""
    states: Sequence[Mapping[str, Any]] = use.extras.get("states", ())
    remarks = chain(_bone_remarks(clip, body), _loop_remarks(decoded), _state_remarks(decoded, states, feet_mm))
    for code, text, data in remarks:
        context.diagnostics.add(code, text, **data)


Remarks = Iterator[tuple[Code, str, dict[str, Any]]]
"""Code, message and data of diagnostics."""


def _bone_remarks(clip: MuscleClip, body: Body) -> Remarks:
    expected = {name for bone in driven_bones(body, clip.curves) for name in muscles_of(body, bone)}
    if absent := sorted(expected - clip.curves.keys()):
        text = f"{counted(len(absent), 'muscle')} of bones that the clip moves are not in it: they count as 0"
        yield codes.CLIP_MUSCLES_ABSENT, text, {"count": len(absent), "names": absent[:50]}
    if unmapped := sorted(_unmapped(body, clip.curves)):
        text = f"{counted(len(unmapped), 'muscle')} of bones that the avatar lacks show nothing, as in the game"
        yield codes.CLIP_MUSCLES_UNMAPPED, text, {"count": len(unmapped), "names": unmapped[:50]}
    free = [name for name in FREE_CURVES if name in clip.curves]
    if free and not body.has_tdof:
        text = f"{counted(len(free), 'translation')} of bones left out, as in the game: the avatar takes none"
        yield codes.CLIP_TDOF, text, {"count": len(free)}


def _unmapped(body: Body, curves: Mapping[str, Curve]) -> Iterator[str]:
    """Muscles that would move a bone, if the avatar had it."""
    for bone, names in AXES.items():
        if bone not in body.axes:
            yield from (name for name in names if name in curves and curves[name].coefficients.any())


def _loop_remarks(decoded: DecodedClip) -> Remarks:
    if decoded.extras.get("m_LoopTime") and decoded.extras.get("m_LoopBlend"):
        gap = goals.loop_gap(decoded.muscles, decoded.duration)
        text = f"the game blends the end into the start (up to {gap:.2g} of a muscle apart); it is written as stored"
        yield codes.CLIP_LOOP_POSE, text, {"largest": gap}
    if decoded.extras.get("m_Mirror"):
        yield codes.CLIP_MIRROR, "the clip's settings exchange left and right: baked so", {}


def _state_remarks(decoded: DecodedClip, states: Sequence[Mapping[str, Any]], feet_mm: float | None) -> Remarks:
    mirrored = [state["name"] for state in states if state.get("mirror") or _blends(state, "mirror")]
    if mirrored:
        text = f"{counted(len(mirrored), 'state plays', 'states play')} it mirrored; it is written as it is stored"
        yield codes.CLIP_MIRROR, text, {"states": mirrored}
    additive = [state["name"] for state in states if state.get("additive")]
    if additive or decoded.extras.get("m_HasAdditiveReferencePose"):
        text = "the game adds this clip to what plays below it; it is written as a pose of its own"
        yield codes.CLIP_ADDITIVE, text, {"states": additive}
    by_ik = [state["name"] for state in states if state.get("foot_ik")]
    if by_ik:
        text = f"{counted(len(by_ik), 'state puts', 'states put')} the feet on the goals; the muscles' pose is written"
        yield codes.CLIP_FOOT_IK, text, {"states": by_ik, "feet_mm": feet_mm}


def _blends(state: Mapping[str, Any], name: str) -> bool:
    return bool(state.get("blend_tree", {}).get(name))
