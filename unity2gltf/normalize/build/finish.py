"""From a context to an asset: parents before children, unwanted nodes left out, one root above split rigs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from ...ir import Asset, Channel, Clip, Humanoid, Node, Skin, Space, Track
from ...source import Source
from .context import AssetContext
from .prune import prune_vertices
from .visibility import NODE

Moving = TypeVar("Moving", Channel, Track)


Numbers = Mapping[int, int]
"""The asset's node indices by the context's, in the asset's order."""


def last_numbers(context: AssetContext, unwanted: set[int]) -> Numbers:
    """``unwanted`` nodes go with what is below them, but joints, drawn meshes and what leads to them always stay."""
    _join_split_rigs(context)
    keep = _kept(context, unwanted)
    order = [index for index in _depth_first(context.nodes) if index in keep]
    return {old: new for new, old in enumerate(order)}


def finish(
    context: AssetContext, kind: str, name: str, source: Source, renumber: Numbers, clips: Sequence[Clip] = ()
) -> Asset:
    """The asset with the nodes of ``renumber``, and ``clips``, whose nodes have their last numbers."""
    materials, textures, images = context.make_textures()
    asset = Asset(
        space=Space.UNITY,
        kind=kind,
        name=name,
        source=source,
        nodes=tuple(_moved_node(context.nodes[index], renumber) for index in renumber),
        geometries=tuple(context.geometries),
        meshes=tuple(context.meshes),
        skins=tuple(_moved_skin(skin, renumber) for skin in context.skins),
        materials=materials,
        textures=textures,
        images=images,
        lights=tuple(context.lights),
        cameras=tuple(context.cameras),
        humanoids=tuple(moved_humanoids(context.humanoids, renumber)),
        clamp_weights=bool(context.content.provider.settings.clamp_blend_shapes),
        clips=tuple(clips),
    )
    return prune_vertices(asset) if context.options.prune_vertices else asset


def moved_clips(clips: Iterable[Clip], renumber: Numbers) -> Iterator[Clip]:
    """Clips on the asset's nodes. Channels of nodes that are left out go with them, clips too if nothing is left."""
    for clip in clips:
        moved = _moved_clip(clip, renumber)
        if moved.tracks:
            yield moved


def moved_humanoids(humanoids: Iterable[Humanoid], renumber: Numbers) -> Iterator[Humanoid]:
    """Humanoids on the asset's nodes, where the rig is among them. Bones whose node is left out go with it."""
    for humanoid in humanoids:
        if humanoid.rig in renumber:
            yield replace(
                humanoid,
                rig=renumber[humanoid.rig],
                bones={bone: renumber[node] for bone, node in humanoid.bones.items() if node in renumber},
                t_pose={renumber[node]: pose for node, pose in humanoid.t_pose.items() if node in renumber},
            )


def _join_split_rigs(context: AssetContext) -> None:
    """glTF wants one root above all joints of a skin: where they stand in different trees, one is added."""
    for index, skin in enumerate(context.skins):
        if skin.skeleton is None and skin.joints:
            roots = list(dict.fromkeys(context.ancestors(joint)[-1] for joint in skin.joints))
            if len(roots) > 1:
                above = context.add_node(Node(name=f"{skin.name} joints", extras={"added": "common root of joints"}))
                for root in roots:
                    context.replace_node(root, parent=above)
                roots = [above]
            context.skins[index] = replace(skin, skeleton=roots[0])


def _kept(context: AssetContext, unwanted: set[int]) -> set[int]:
    nodes = context.nodes
    below = defaultdict(list)
    for index, node in enumerate(nodes):
        below[node.parent].append(index)
    dropped: set[int] = set()
    stack = list(unwanted)
    while stack:
        index = stack.pop()
        if index not in dropped:
            dropped.add(index)
            stack.extend(below[index])
    drawn = (index for index, node in enumerate(nodes) if node.mesh is not None)
    for needed in (*drawn, *(joint for skin in context.skins for joint in skin.joints)):
        while needed in dropped:  # above a node that is kept all are
            dropped.remove(needed)
            needed = nodes[needed].parent
    return {index for index in range(len(nodes)) if index not in dropped}


def _depth_first(nodes: list[Node]) -> list[int]:
    """Children in the order they were added; mesh-carrying extra nodes at the root come last."""
    below = defaultdict(list)
    for index, node in enumerate(nodes):
        below[node.parent].append(index)
    order = []
    stack = below[-1][::-1]
    while stack:
        index = stack.pop()
        order.append(index)
        stack.extend(below[index][::-1])
    return order


def _moved_node(node: Node, renumber: Numbers) -> Node:
    return replace(
        node,
        parent=renumber[node.parent] if node.parent >= 0 else -1,
        game_object=None if node.game_object is None else renumber.get(node.game_object),
        levels=tuple(renumber[level] for level in node.levels),
        frame=None if node.frame is None else renumber.get(node.frame, -1),
    )


def _moved_clip(clip: Clip, renumber: Numbers) -> Clip:
    return replace(
        clip,
        rig=renumber.get(clip.rig, 0),
        channels=tuple(_moved_target(c, renumber) for c in clip.channels if c.node in renumber),
        tracks=tuple(_moved_target(t, renumber) for t in clip.tracks if t.node in renumber),
    )


def _moved_target(item: Moving, renumber: Numbers) -> Moving:
    node = renumber[item.node]
    return replace(item, node=node, pointer=item.pointer.replace(NODE, str(node)))


def _moved_skin(skin: Skin, renumber: Numbers) -> Skin:
    skeleton = None if skin.skeleton is None else renumber[skin.skeleton]
    return replace(skin, joints=tuple(renumber[joint] for joint in skin.joints), skeleton=skeleton)
