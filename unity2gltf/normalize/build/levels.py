"""``--lod msft``: lower levels of detail as nodes outside the scene, which MSFT_lod names on the node of level 0.

Readers without the extension draw level 0 alone. Each lower level stands in the place of level 0, below the same
parent. Renderers of two levels belong together in their order; what a level has beyond level 0 goes with the last. A
level whose place is not fixed relative to that parent (see ``levelplaces``) is left out and reported.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ... import codes
from ...ir import Clip, Node, Path
from ...raw import RawLod
from ...source import Source
from .context import AssetContext
from .levelplaces import Places, Pose

_NO_MESH: dict[str, Any] = {"mesh": None, "renderer": None, "weights": (), "skin": None, "lightmaps": {}}


def attach_levels(lods: Sequence[RawLod], context: AssetContext, clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """Take the lower levels out of a scene whose nodes draw them all. The clips, with blend-shape weights of meshes
    that went to another node on that one."""
    levels = _Levels(context, clips)
    for group in lods:
        with context.diagnostics.at(group.source.place(""), group.source):
            levels.add(group)
    return tuple(_moved_weights(clip, levels.moved) for clip in clips)


def _moved_weights(clip: Clip, moved: dict[int, int]) -> Clip:
    channels = (replace(c, node=moved.get(c.node, c.node)) if c.path is Path.WEIGHTS else c for c in clip.channels)
    tracks = (replace(t, node=moved.get(t.node, t.node)) if t.path is Path.WEIGHTS else t for t in clip.tracks)
    return replace(clip, channels=tuple(channels), tracks=tuple(tracks))


class _Levels:
    """The nodes of one asset while levels leave the scene. ``moved``: which node has the mesh of another now."""

    def __init__(self, context: AssetContext, clips: Sequence[Clip]) -> None:
        self.moved: dict[int, int] = {}
        self._context = context
        self._nodes = context.nodes
        self._carriers = {n.renderer: i for i, n in enumerate(context.nodes) if n.renderer and n.mesh is not None}
        self._taken: set[int] = set()
        moving = {c.node for clip in clips for c in clip.channels if c.path not in (Path.WEIGHTS, Path.POINTER)}
        self._places = Places(context.nodes, moving.union(*(skin.joints for skin in context.skins)))

    def add(self, group: RawLod) -> None:
        """Arrange one LODGroup."""
        levels = [self._take(renderers) for _, renderers in group.levels]
        if not levels or not any(levels[1:]):
            return
        first, heights = levels[0], [height for height, _ in group.levels]
        owners: dict[int, int] = {}
        for number, carriers in enumerate(levels[1:], 1):
            together: dict[int, list[int]] = defaultdict(list)
            for place, carrier in enumerate(carriers):
                if not first:
                    self._leave_out(carrier, number, "level 0 draws nothing")
                    continue
                base = first[min(place, len(first) - 1)]
                if base not in owners:
                    owners[base] = self._owner(base)
                together[owners[base]].append(carrier)
            for owner, these in together.items():
                self._attach(owner, these, number, heights)

    def _take(self, renderers: Iterable[object]) -> list[int]:
        """The nodes of a level's renderers that no earlier level or group has."""
        found = [self._carriers[r] for r in renderers if isinstance(r, Source) and r in self._carriers]
        fresh = [index for index in dict.fromkeys(found) if index not in self._taken]
        self._taken.update(fresh)
        return fresh

    def _owner(self, index: int) -> int:
        """The node of level 0: one that has children keeps them and gives its mesh to a new one below it, since a
        lower level takes the place of the whole node."""
        node = self._nodes[index]
        if all(other.parent != index for other in self._nodes):
            return index
        return self._hand_over(index, replace(_carrier(index, node), parent=index))

    def _attach(self, owner: int, carriers: list[int], number: int, heights: Sequence[float]) -> None:
        """Make ``carriers`` a lower level of ``owner``: one node, or several below one."""
        placed: list[tuple[int, Pose]] = []
        for carrier in carriers:
            pose = self._places.pose(owner, carrier)
            if isinstance(pose, str):
                self._leave_out(carrier, number, pose)
            else:
                placed.append((carrier, pose))
        if len(placed) > 1 and any(self._nodes[carrier].skin is not None for carrier, _ in placed):
            for carrier, _ in placed[1:]:
                self._leave_out(carrier, number, "skinned renderers beyond those of level 0")
            placed = placed[:1]
        if not placed:
            return
        above = -1
        if len(placed) > 1:
            frame = self._nodes[owner].parent
            above = self._context.add_node(
                Node(name=f"{self._nodes[owner].name} LOD {number}", frame=frame, extras={"lod": number})
            )
        level = [self._outside(owner, carrier, pose, above, number) for carrier, pose in placed]
        self._note(owner, level[0] if above < 0 else above, heights, number)

    def _note(self, owner: int, level: int, heights: Sequence[float], number: int) -> None:
        node = self._nodes[owner]
        usable = all(map(math.isfinite, heights))
        coverages = (*(node.coverages or (heights[0],)), heights[number]) if usable else ()
        self._context.replace_node(owner, levels=(*node.levels, level), coverages=coverages)

    def _outside(self, owner: int, carrier: int, pose: Pose, above: int, number: int) -> int:
        """A node outside the scene that draws what ``carrier`` drew; extra nodes move, GameObjects lose their mesh."""
        node, (translation, rotation, scale) = self._nodes[carrier], pose
        extra = node.game_object is not None
        place: dict[str, Any] = {
            "parent": above,
            "translation": translation,
            "rotation": rotation,
            "scale": scale,
            "frame": self._nodes[owner].parent if node.skin is not None else self._places.frame(carrier),
            "extras": {**(node.extras if extra else {}), "lod": number},
        }
        if extra and above < 0:
            self._context.replace_node(carrier, **place)
            return carrier
        return self._hand_over(carrier, replace(node if extra else _carrier(carrier, node), **place))

    def _hand_over(self, index: int, carrier: Node) -> int:
        new = self._context.add_node(carrier)
        self._context.replace_node(index, **_NO_MESH)
        self.moved[index] = new
        return new

    def _leave_out(self, carrier: int, number: int, why: str) -> None:
        reason = f"LOD {number}: {why}"
        self._context.diagnostics.add(codes.RENDERER_NOT_DRAWN, f"not drawn: {reason}", reason=reason)
        node = self._nodes[carrier]
        self._context.replace_node(carrier, **_NO_MESH, extras={**node.extras, "lod": number})


def _carrier(index: int, node: Node) -> Node:
    """A node of its own for the mesh of a GameObject's node, number ``index``."""
    return Node(
        name=node.name,
        source=node.renderer,
        mesh=node.mesh,
        renderer=node.renderer,
        weights=node.weights,
        lightmaps=node.lightmaps,
        active=node.active,
        game_object=index,
    )
