"""Which avatar a humanoid clip is baked with on a rig."""

from __future__ import annotations

from dataclasses import dataclass

from ... import codes
from ..clips.bindings import Rig
from ..clips.decoded import DecodedClip
from ..humanoid import goals
from ..humanoid.body import Body
from .context import AssetContext
from .humanoid import HumanRig, human_rig

SHARE_OF_BONES = 0.9
"""Of an avatar's bones that a rig must have for the avatar to be chosen for it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen:
    """The avatar of a clip on a rig. ``how``: ``animator`` (the rig's own), ``option`` or ``residual``."""

    human: HumanRig
    how: str


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
