"""Which avatar a humanoid clip is baked with on a rig."""

from __future__ import annotations

from dataclasses import dataclass

from ... import codes
from ..clips.bindings import Rig
from ..clips.decoded import DecodedClip
from .context import AssetContext
from .humanoid import HumanRig, human_rig, named_bodies

SHARE_OF_BONES = 0.9
"""Of an avatar's bones that a rig must have for the avatar to be chosen for it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen:
    """The avatar of a clip on a rig. ``how``: ``animator`` (the rig's own), ``option`` or ``best_fit``."""

    human: HumanRig
    how: str


def choose_avatar(decoded: DecodedClip, rig: Rig, own: HumanRig | None, context: AssetContext) -> Chosen | None:
    """The avatar that ``--avatar`` names, else the rig's own, else that of the content root which fits the clip best
    among those whose bones the rig has."""

    def misfit(human: HumanRig) -> float:
        return context.content.misfit(human.body, decoded)

    named = [human_rig(body, rig, context) for body in named_bodies(context)]
    if named:
        return Chosen(human=min(named, key=misfit), how="option")
    if own is not None:
        return Chosen(human=own, how="animator")
    fitting = [human_rig(body, rig, context) for body in context.content.bodies()]
    fitting = [human for human in fitting if len(human.bones()) >= SHARE_OF_BONES * len(human.body.nodes)]
    if not fitting:
        return None
    best = min(fitting, key=misfit)
    text = f"the rig has no human avatar; {best.body.name!r} fits this clip best"
    context.diagnostics.add(codes.CLIP_AVATAR_CHOSEN, text, avatar=best.body.name, among=len(fitting))
    return Chosen(human=best, how="best_fit")
