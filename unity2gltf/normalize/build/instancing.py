"""``--instancing``: nodes that draw the same mesh side by side become one, by EXT_mesh_gpu_instancing.

The extension has no fall-back: a reader without it draws the mesh once, in the wrong place. So it is on request only,
and files that use it require it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ...ir import Clip, Instance, Node
from ...raw import RawHierarchy
from .context import AssetContext

FEWEST = 2
"""Nodes that are worth one draw call instead of their own."""


def join_instances(raw: RawHierarchy, context: AssetContext, clips: Sequence[Clip]) -> set[int]:
    """Let the first of such nodes draw for all; the others, which have nothing left, are the result."""
    named = set(_named(context, clips))
    if context.options.clips == "library":  # clips of files of their own are yet to be made
        named |= _rigged(raw, context)
    groups: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
    for index, node in enumerate(context.nodes):
        if node.mesh is not None and index not in named and _is_plain(node):
            groups[node.parent, node.mesh, node.active].append(index)
    gone: set[int] = set()
    for first, *others in groups.values():
        if len(others) + 1 >= FEWEST:
            instances = tuple(_instance(context.nodes[index]) for index in (first, *others))
            context.nodes[first] = _joined(context.nodes[first], instances)
            for index in others:
                context.replace_node(index, mesh=None, renderer=None)
            gone.update(others)
    return gone


def _named(context: AssetContext, clips: Sequence[Clip]) -> Iterator[int]:
    """Nodes that something refers to by their index, or that have children."""
    for node in context.nodes:
        yield from (index for index in (node.parent, node.game_object, node.frame) if index is not None)
        yield from node.levels
    for skin in context.skins:
        yield from skin.joints
    for clip in clips:
        yield clip.rig
        yield from (channel.node for channel in clip.channels)


def _rigged(raw: RawHierarchy, context: AssetContext) -> set[int]:
    """The nodes of all rigs, and those below them."""
    rigged = {index for index, node in enumerate(raw.nodes) if node.animator or node.animation}
    for index in range(len(context.nodes)):
        if not rigged.isdisjoint(context.ancestors(index)):
            rigged.add(index)
    return rigged


def _is_plain(node: Node) -> bool:
    """Has the node nothing but a mesh and a place?"""
    numbers = (node.skin, node.game_object, node.light, node.camera, node.frame)
    more = (node.levels, node.parts, node.lightmaps, node.weights)
    return all(number is None for number in numbers) and not any(more)


def _instance(node: Node) -> Instance:
    return Instance(
        name=node.name,
        source=node.source,
        renderer=node.renderer,
        translation=node.translation,
        rotation=node.rotation,
        scale=node.scale,
        extras=node.extras,
    )


def _joined(first: Node, instances: tuple[Instance, ...]) -> Node:
    """One node, named like the first of them, which keep names, marks and places."""
    return Node(name=first.name, parent=first.parent, mesh=first.mesh, active=first.active, instances=instances)
