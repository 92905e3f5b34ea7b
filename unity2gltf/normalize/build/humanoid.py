"""Humanoid rigs of an asset: which node is which bone of the avatar's body, and how each hangs there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ... import codes
from ...ir import Humanoid
from ...math3d import compose, decompose
from ...raw import RawHierarchy
from ...source import Source
from ...text import counted
from ..clips.bindings import Rig
from ..clips.muscles import AXES
from ..humanoid.body import Body, make_body
from ..humanoid.place import Frame
from .context import AssetContext


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanRig:
    """A body on a rig of the asset. ``nodes``: the asset's node of each of the skeleton's nodes that it has;
    ``frames``: what each of these hangs in, seen from its parent in the skeleton; ``hips``: what the hips hang in, seen
    from the Animator, None where they are missing."""

    node: int
    body: Body
    nodes: Mapping[int, int]
    frames: Mapping[int, Frame]
    hips: Frame | None

    def bone_frames(self) -> dict[str, Frame]:
        """What each human bone hangs in when it is posed."""
        frames = {bone: self.frames[node] for bone, node in self.body.nodes.items() if node in self.frames}
        return frames if self.hips is None else frames | {"Hips": self.hips}

    def bones(self) -> dict[str, int]:
        """The asset's nodes by human bone."""
        return {bone: self.nodes[node] for bone, node in self.body.nodes.items() if node in self.nodes}


def human_rig(body: Body, rig: Rig, context: AssetContext) -> HumanRig:
    """The body's skeleton on a rig, as far as it has the nodes."""
    nodes: dict[int, int] = {}
    frames: dict[int, Frame] = {}
    for node, (parent, path_hash) in enumerate(zip(body.parents, body.ids, strict=True)):
        place = rig.by_hash.get(path_hash) if parent >= 0 else rig.node
        above = nodes.get(parent, rig.node)
        frame = None if place is None else _frame(above, place, context)
        if place is not None and frame is not None:
            nodes[node], frames[node] = place, frame
    hips = nodes.get(body.nodes["Hips"])
    return HumanRig(
        node=rig.node,
        body=body,
        nodes=nodes,
        frames=frames,
        hips=None if hips is None else _frame(rig.node, hips, context),
    )


def _frame(above: int, node: int, context: AssetContext) -> Frame | None:
    """The rest pose of the node's parent relative to ``above``; None where that is no ancestor."""
    if node == above:
        return Frame.still()
    chain = context.ancestors(node)[1:]
    if above not in chain:
        return None
    matrix = np.eye(4)
    for step in chain[: chain.index(above)]:
        here = context.nodes[step]
        matrix = compose(here.translation, here.rotation, here.scale) @ matrix
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
        with context.diagnostics.guard(codes.AVATAR_INVALID, animator.avatar.place(""), animator.avatar):
            avatar = context.content.avatar(animator.avatar, context.diagnostics)
            if avatar is not None and avatar.human is not None:
                human = human_rig(make_body(avatar), rig, context)
                _report_missing(human, context)
                context.humanoids.append(_humanoid(human))
                found[index] = human
    return found


def _report_missing(human: HumanRig, context: AssetContext) -> None:
    missing = [bone for bone, node in human.body.nodes.items() if node not in human.nodes]
    if missing:
        text = f"the rig lacks {counted(len(missing), 'bone')} of avatar {human.body.name!r}: {', '.join(missing[:5])}"
        context.diagnostics.add(codes.HUMANOID_BONES_MISSING, text, avatar=human.body.name, bones=missing)


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
