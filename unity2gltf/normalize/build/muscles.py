"""Humanoid clips on a rig: which avatar they are baked with, the channels that come of it, and how well they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import codes
from ...ir import Channel, Curve, Path
from ...math3d import Array, multiply_quaternions, rotate
from ...text import counted
from ..clips.bindings import Rig
from ..clips.constant import constant_curve
from ..clips.decoded import DecodedClip
from ..clips.fit import angles
from ..clips.muscles import AXES, FREE_CURVES
from ..humanoid import goals
from ..humanoid.bake import HIPS, Baked, Moved, MuscleClip, bake, driven_bones, muscles_of, places_body
from ..humanoid.body import Body
from ..humanoid.mirror import mirrored
from .context import AssetContext
from .humanoid import HumanRig, human_rig
from .uses import ClipUse

SHARE_OF_BONES = 0.9
"""Of an avatar's bones that a rig must have for the avatar to be chosen for it."""

TURNED = 1e-3
"""Radians from the T-pose from which a node between two bones is turned back to it."""

NO_RANGE = 1e-6
"""Radians; a muscle of no range cannot show what drives it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen:
    """The avatar of a clip on a rig. ``how``: ``animator`` (the rig's own), ``option`` or ``residual``."""

    human: HumanRig
    how: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MuscleBake:
    """``channels`` on the rig's nodes; ``report``: how well they fit, as JSON; ``lost``: why muscles are kept in a side
    file, empty where nothing is lost."""

    channels: tuple[Channel, ...]
    report: Mapping[str, Any] | None
    lost: str


def bake_muscles(
    decoded: DecodedClip, use: ClipUse, rig: Rig, own: HumanRig | None, context: AssetContext
) -> MuscleBake:
    """The muscles of a clip on one rig. ``own``: the rig's body, if its Animator has one."""
    chosen = choose_avatar(decoded, rig, own, context)
    if chosen is None:
        reason = "no human avatar fits this rig"
        _report_unbaked(decoded, reason, context)
        return MuscleBake(channels=(), report=None, lost=reason)
    made: MuscleBake | None = None
    with context.diagnostics.guard(codes.CLIP_MUSCLES):
        made = _baked(decoded, use, chosen, context)
    return made or MuscleBake(channels=(), report=None, lost=context.diagnostics.items[-1].message)


def _report_unbaked(decoded: DecodedClip, reason: str, context: AssetContext) -> None:
    count = len(decoded.muscles)
    text = f"{counted(count, 'humanoid muscle curve')} not baked to bones: {reason}"
    context.diagnostics.add(codes.CLIP_MUSCLES, text, count=count, reason=reason)


# --- the avatar -----------------------------------------------------------------------------------------------------


def choose_avatar(decoded: DecodedClip, rig: Rig, own: HumanRig | None, context: AssetContext) -> Chosen | None:
    """The avatar that ``--avatar`` names, else the rig's own, else that of the content root which fits the clip best
    among those whose bones the rig has."""
    wanted = context.options.avatar
    if wanted:
        named = [body for body in context.content.bodies() if body.name == wanted]
        if named:
            return Chosen(human=human_rig(named[0], rig, context), how="option")
        context.diagnostics.add(codes.AVATAR_UNKNOWN, f"no human avatar of this game is named {wanted!r}", name=wanted)
    if own is not None:
        return Chosen(human=own, how="animator")
    fitting = [human_rig(body, rig, context) for body in context.content.bodies()]
    fitting = [human for human in fitting if len(human.bones()) >= SHARE_OF_BONES * len(human.body.nodes)]
    if not fitting:
        return None
    best = min(fitting, key=lambda human: fit(human.body, decoded))
    text = f"the rig has no human avatar; {best.body.name!r} fits this clip best"
    context.diagnostics.add(codes.CLIP_AVATAR_CHOSEN, text, avatar=best.body.name, among=len(fitting))
    return Chosen(human=best, how="residual")


def fit(body: Body, decoded: DecodedClip) -> float:
    """Degrees between the clip's goals and an avatar's hands and feet: least on the one it was made for. Infinite for a
    clip without goals."""
    if not goals.has_goals(decoded.muscles):
        return float("inf")
    return goals.rotation_residual(body, decoded.muscles, decoded.duration)


# --- baking ---------------------------------------------------------------------------------------------------------


def _baked(decoded: DecodedClip, use: ClipUse, chosen: Chosen, context: AssetContext) -> MuscleBake:
    human = chosen.human
    clip = MuscleClip(
        curves=mirrored(decoded.muscles) if decoded.extras.get("m_Mirror") else decoded.muscles,
        duration=decoded.duration,
        rate=float(decoded.extras["sample_rate"]),
        flags=decoded.extras,
        muscles=decoded.humanoid,
    )
    baked = bake(human.body, clip, human.bone_frames(), context.options.root_motion)
    lost = list(_losses(decoded, clip, human, context))
    report = _report(decoded, chosen, baked, context)
    _report_use(decoded, use, human.body, report, context)
    return MuscleBake(channels=tuple(_channels(human, baked, context)), report=report, lost="; ".join(lost))


def _channels(human: HumanRig, baked: Baked, context: AssetContext) -> Iterator[Channel]:
    bones = human.bones()
    for bone, moved in baked.bones.items():
        yield _channel(bones[bone], Path.ROTATION, moved)
    if baked.hips is not None:
        yield _channel(bones[HIPS], Path.TRANSLATION, baked.hips)
    yield from _between(human, baked, context)
    if baked.object_position is not None and baked.object_rotation is not None:
        node = context.nodes[human.node]
        scale = np.array(node.scale)
        position = _linear(
            baked.object_position, lambda moved: rotate(node.rotation, moved * scale), np.array(node.translation)
        )
        rotation = _linear(baked.object_rotation, lambda turned: multiply_quaternions(node.rotation, turned))
        yield _channel(human.node, Path.TRANSLATION, position)
        yield _channel(human.node, Path.ROTATION, rotation)


def _channel(node: int, path: Path, moved: Moved) -> Channel:
    return Channel(node=node, path=path, curves=moved.curves, exact=False, error=moved.error)


def _linear(moved: Moved, change: Callable[[Array], Array], offset: Array | None = None) -> Moved:
    """The same motion after a linear ``change`` of its numbers (..., W), and an ``offset`` (W,): exact for cubics."""
    rows = change(np.stack([curve.coefficients for curve in moved.curves], axis=-1))
    if offset is not None:
        rows[:, 3] += offset
    times = moved.curves[0].times
    curves = tuple(Curve(times=times, coefficients=np.ascontiguousarray(own)) for own in np.moveaxis(rows, -1, 0))
    return replace(moved, curves=curves)


def _between(human: HumanRig, baked: Baked, context: AssetContext) -> Iterator[Channel]:
    """Nodes between the bones that move stand as in the T-pose, whatever their rest pose is."""
    body = human.body
    moving = {body.nodes[bone] for bone in baked.bones}
    above = {parent for node in moving for parent in _ancestors(body, node)} - set(body.nodes.values())
    for node in sorted(above & human.nodes.keys()):
        place = human.nodes[node]
        _, rotation = human.frames[node].inside(np.zeros((1, 3)), body.rotations[node][None])
        if body.parents[node] >= 0 and angles(rotation, np.array([context.nodes[place].rotation]))[0] > TURNED:
            curves = tuple(constant_curve(value) for value in rotation[0].tolist())
            yield Channel(node=place, path=Path.ROTATION, curves=curves)


def _ancestors(body: Body, node: int) -> Iterator[int]:
    while body.parents[node] >= 0:
        node = body.parents[node]
        yield node


# --- what is told ---------------------------------------------------------------------------------------------------


def _report(decoded: DecodedClip, chosen: Chosen, baked: Baked, context: AssetContext) -> dict[str, Any]:
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
        return "objects between the bones move, too" if decoded.curves else ""
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
        text += "; it has no goals to measure by"
    context.diagnostics.add(codes.CLIP_BAKED, text, humanoid=dict(told))
    if measured is not None and not told["passed"] and not told["reason"]:
        context.diagnostics.add(codes.CLIP_GOALS_MISSED, text, **measured)
    if told["numbering"] is not None and told["numbering"] > goals.NUMBERING:
        text = f"muscles change by up to {told['numbering']:.2g} otherwise than the clip says of them"
        context.diagnostics.add(codes.CLIP_NUMBERING, text, difference=told["numbering"])


def _losses(decoded: DecodedClip, clip: MuscleClip, human: HumanRig, context: AssetContext) -> Iterator[str]:
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


def _report_use(
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
