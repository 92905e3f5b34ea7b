"""Humanoid clips on a rig: the channels that come of their muscles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Channel, Curve, Path
from ...math3d import Array, multiply_quaternions, rotate
from ...text import counted
from ..clips.bindings import Rig
from ..clips.constant import constant_curve
from ..clips.decoded import DecodedClip
from ..clips.fit import angles
from ..humanoid.bake import HIPS, Baked, MuscleClip, bake
from ..humanoid.follow import Moved
from ..humanoid.frame import turn_signs
from ..humanoid.mirror import mirrored
from .avatars import Chosen, choose_avatar
from .bakereport import report_bake, report_losses, report_use
from .context import AssetContext
from .humanoid import HumanRig
from .uses import ClipUse

TURNED = 1e-3
"""Radians from the T-pose from which a node between two bones is turned back to it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MuscleBake:
    """``channels`` on the rig's nodes; ``stills``: what nodes between the bones do, unless the clip moves them itself;
    ``report``: how well they fit, as JSON; ``lost``: why muscles are kept in a side file, empty where nothing is lost.
    """

    channels: tuple[Channel, ...]
    stills: tuple[Channel, ...] = ()
    report: Mapping[str, Any] | None
    lost: str


def bake_muscles(
    decoded: DecodedClip, use: ClipUse, rig: Rig, own: HumanRig | None, context: AssetContext
) -> MuscleBake:
    """The muscles of a clip on one rig. ``own``: the rig's body, if its Animator has one."""
    chosen = choose_avatar(decoded, rig, own, context) if decoded.muscles else None
    if chosen is None:
        reason = "no human avatar fits this rig" if decoded.muscles else "none of its curves can be read"
        report_unbaked(decoded, reason, context.diagnostics)
        return MuscleBake(channels=(), report=None, lost=reason)
    made: MuscleBake | None = None
    with context.diagnostics.guard(codes.CLIP_MUSCLES):
        made = _baked(decoded, use, chosen, context)
    # None where the guard survived a fault, which it added last
    return made or MuscleBake(channels=(), report=None, lost=context.diagnostics.items[-1].message)


def report_unbaked(decoded: DecodedClip, reason: str, diagnostics: Diagnostics) -> None:
    """CLIP_MUSCLES of a whole clip."""
    count = len(decoded.muscles) + len(decoded.lost_muscles)
    text = f"{counted(count, 'humanoid muscle curve')} not baked to bones: {reason}"
    diagnostics.add(codes.CLIP_MUSCLES, text, count=count, reason=reason)


def _baked(decoded: DecodedClip, use: ClipUse, chosen: Chosen, context: AssetContext) -> MuscleBake:
    human = chosen.human
    clip = MuscleClip.of(decoded)
    if decoded.extras.get("m_Mirror"):
        clip = replace(clip, curves=mirrored(clip.curves))
    is_one = human.bones().get(HIPS) == human.node  # then the object cannot move beside the hips
    baked = bake(human.body, clip, human.bone_frames(), "keep" if is_one else context.options.root_motion)
    lost = list(report_losses(decoded, clip, human, context))
    report = report_bake(decoded, chosen, baked, context)
    feet_mm = None if report["goals"] is None else report["goals"]["feet_mm"]["mean"]
    report_use(decoded, clip, use, human.body, feet_mm, context)
    return MuscleBake(
        channels=tuple(_channels(human, baked, context)),
        stills=tuple(_between(human, baked, context)),
        report=report,
        lost="; ".join(lost),
    )


def _channels(human: HumanRig, baked: Baked, context: AssetContext) -> Iterator[Channel]:
    bones = human.bones()
    for bone, moved in baked.bones.items():
        yield _channel(bones[bone], Path.ROTATION, moved)
    if baked.hips is not None:
        yield _channel(bones[HIPS], Path.TRANSLATION, baked.hips)
    if baked.object_position is not None and baked.object_rotation is not None:
        node = context.nodes[human.node]
        scale = np.array(node.scale)
        position = _linear(
            baked.object_position, lambda moved: rotate(node.rotation, moved * scale), np.array(node.translation)
        )
        position = replace(position, error=position.error * float(np.abs(scale).max()))
        signs = turn_signs(scale)
        rotation = _linear(baked.object_rotation, lambda turned: multiply_quaternions(node.rotation, turned * signs))
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
    above = {parent for node in moving for parent in body.ancestors(node)} - set(body.nodes.values())
    above.difference_update(body.ancestors(body.nodes[HIPS]))  # the hips are placed past these as they are at rest
    for node in sorted(above & human.nodes.keys()):
        place = human.nodes[node]
        _, rotation = human.frames[node].inside(np.zeros((1, 3)), body.rotations[node][None])
        if body.parents[node] >= 0 and angles(rotation, np.array([context.nodes[place].rotation]))[0] > TURNED:
            curves = tuple(constant_curve(value) for value in rotation[0].tolist())
            yield Channel(node=place, path=Path.ROTATION, curves=curves)
