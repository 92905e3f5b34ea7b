"""Humanoid rigs of an asset: which node is which bone of the avatar's body, and how each hangs there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ... import codes
from ...ir import Humanoid
from ...math3d import decompose
from ...raw import RawHierarchy
from ...source import Source
from ...text import counted
from ..chains import chain_matrix
from ..clips.bindings import Rig
from ..clips.muscles import AXES
from ..humanoid.body import Body
from ..humanoid.frame import Frame
from ..humanoid.pose import rest_offset
from .context import AssetContext

CENTRE = 1e-3
"""Of an avatar's scale: how far its centre may be from where it says it is. Real ones are within 2e-7."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanRig:
    """A body on a rig of the asset. ``nodes``: the asset's node of each of the skeleton's nodes that it has;
    ``frames``: what each of these hangs in, seen from its parent in the skeleton; ``hips``: what the hips hang in, seen
    from the Animator, None where they cannot be placed."""

    node: int
    body: Body
    nodes: Mapping[int, int]
    frames: Mapping[int, Frame]
    hips: Frame | None

    def bone_frames(self) -> dict[str, Frame]:
        """What each human bone hangs in when it is posed."""
        frames = {bone: self.frames[node] for bone, node in self.body.nodes.items() if node in self.frames}
        frames.pop("Hips", None)
        return frames if self.hips is None else frames | {"Hips": self.hips}

    def bones(self) -> dict[str, int]:
        """The asset's nodes by human bone."""
        return {bone: self.nodes[node] for bone, node in self.body.nodes.items() if node in self.nodes}


def human_rig(body: Body, rig: Rig, context: AssetContext) -> HumanRig:
    """The body's skeleton on a rig, as far as it has the nodes."""
    nodes: dict[int, int] = {}
    frames: dict[int, Frame] = {}
    for node, (parent, path_hash) in enumerate(zip(body.parents, body.ids, strict=True)):
        place = rig.by_hash.get(path_hash) if node > 0 else rig.node
        above = nodes.get(parent, rig.node)
        frame = None if place is None else _frame(above, place, context)
        if place is not None and frame is not None and place not in nodes.values():
            nodes[node], frames[node] = place, frame
    hips = nodes.get(body.nodes["Hips"])
    frame = None if hips is None else _frame(rig.node, hips, context)
    if frame is not None and not frame.scale.all():
        frame = None  # below a scale of 0 nothing can be placed
    return HumanRig(node=rig.node, body=body, nodes=nodes, frames=frames, hips=frame)


def _frame(above: int, node: int, context: AssetContext) -> Frame | None:
    """The rest pose of the node's parent relative to ``above``; None where that is no ancestor."""
    if node == above:
        return Frame.still()
    chain = context.ancestors(node)[1:]
    if above not in chain:
        return None
    matrix = chain_matrix(context.nodes, chain[: chain.index(above)])
    if np.array_equal(matrix, np.eye(4)):
        return Frame.still()
    position, rotation, scale = decompose(matrix)
    return Frame(position=position, rotation=rotation, scale=scale)


def find_humanoids(raw: RawHierarchy, rigs: Mapping[int, Rig], context: AssetContext) -> dict[int, HumanRig]:
    """Rigs with an avatar that maps a human body, by node; noted in the context for the output. ``rigs``: of the nodes
    with an Animator. What keeps an avatar from being used is reported."""
    found = {}
    for index, rig in rigs.items():
        animator = raw.nodes[index].animator
        if animator is None or not isinstance(animator.avatar, Source):
            continue
        body = context.content.body(animator.avatar, context.diagnostics)
        if body is not None:
            found[index] = human_rig(body, rig, context)
            with context.diagnostics.at(animator.avatar.place(body.name), animator.avatar):
                _report_missing(found[index], context)
                _report_centre(body, context)
            context.humanoids.append(_humanoid(found[index]))
    if found and context.options.avatar and not named_bodies(context):
        text = f"no human avatar of this game is named {context.options.avatar!r}"
        context.diagnostics.add(codes.AVATAR_UNKNOWN, text, name=context.options.avatar)
    return found


def named_bodies(context: AssetContext) -> list[Body]:
    """The avatars of the content root that ``--avatar`` names."""
    wanted = context.options.avatar
    return [body for body in context.content.bodies() if body.name == wanted] if wanted else []


def _report_missing(human: HumanRig, context: AssetContext) -> None:
    missing = [bone for bone, node in human.body.nodes.items() if node not in human.nodes]
    if missing:
        text = f"the rig lacks {counted(len(missing), 'bone')} of avatar {human.body.name!r}: {', '.join(missing[:5])}"
        context.diagnostics.add(codes.HUMANOID_BONES_MISSING, text, avatar=human.body.name, bones=missing)


def _report_centre(body: Body, context: AssetContext) -> None:
    """The avatar says where its T-pose has the body's centre, which the places of its bones must give, too."""
    off = rest_offset(body)
    if not off <= CENTRE * body.scale:  # nor may it be no number
        text = f"the body's centre of avatar {body.name!r} is {1000 * off:.2g} mm from where it says: hips are, too"
        context.diagnostics.add(codes.AVATAR_CENTRE, text, avatar=body.name, metres=off)


def _humanoid(human: HumanRig) -> Humanoid:
    body = human.body
    return Humanoid(
        rig=human.node,
        avatar=body.name,
        source=body.source,
        bones=human.bones(),
        limits=dict(_limits(human)),
        t_pose={place: _t_pose(body, node, human.frames[node]) for node, place in human.nodes.items() if node > 0},
    )


def _limits(human: HumanRig) -> Iterator[tuple[str, tuple[float, float]]]:
    """Degrees of every muscle that the rig's bones answer to."""
    for bone, axes in human.body.axes.items():
        if human.body.nodes[bone] in human.nodes:
            for name, least, most in zip(AXES[bone], axes.minimum, axes.maximum, strict=True):
                if name:
                    yield name, (round(float(np.degrees(least)), 6), round(float(np.degrees(most)), 6))


def _t_pose(
    body: Body, node: int, frame: Frame
) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
    position, rotation = frame.inside(body.positions[node][None], body.rotations[node][None])
    x, y, z = position[0].tolist()
    qx, qy, qz, qw = rotation[0].tolist()
    return (x, y, z), (qx, qy, qz, qw)
