"""Bones: finding the node of each bone slot, and rebuilding hierarchies that Unity optimised away."""

from __future__ import annotations

from array import array
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Node
from ...math3d import decompose, name_hash
from ...raw import RawAnimator, RawAvatar, RawHierarchy
from ...source import Missing, Source
from ...text import counted
from .context import AssetContext
from .nodes import usable_pose

DEEPEST_SUFFIX = 128
"""Names in a path suffix that is looked up by its hash: what a chain of thousands would hold is no bone's path."""


class BoneFinder:
    """Finds nodes by Transform, or by the hash of a path suffix, within one hierarchy."""

    def __init__(self, raw: RawHierarchy, context: AssetContext) -> None:
        self._context = context
        self._by_transform = {node.transform: index for index, node in enumerate(raw.nodes)}
        self._animators = {index for index, node in enumerate(raw.nodes) if node.animator is not None}
        self._suffixes: tuple[NDArray[np.uint32], NDArray[np.uint32]] | None = None
        self._below: dict[int, set[int]] = {}
        self._repeated: dict[tuple[int, int], int] = {}

    def by_transform(self, reference: Source | Missing | None) -> int | None:
        return self._by_transform.get(reference) if isinstance(reference, Source) else None

    def by_hash(self, hash_: int, rig: int) -> int | None:
        """The node with a path suffix of this CRC-32; of several, the first at or below node ``rig``."""
        if self._suffixes is None:
            self._suffixes = self._index_suffixes()
        hashes, nodes = self._suffixes
        wanted = np.uint32(hash_)
        found: list[int] = nodes[hashes.searchsorted(wanted) : hashes.searchsorted(wanted, "right")].tolist()
        if len(found) > 1:
            below = self._nodes_below(rig)
            return next((index for index in found if index in below), found[0])
        return found[0] if found else None

    def rig_root(self, index: int) -> int:
        """The nearest node upwards with an Animator, else the topmost ancestor."""
        chain = self._context.ancestors(index)
        return next((step for step in chain if step in self._animators), chain[-1])

    def joint(self, bone: int, use: int) -> int:
        """The joint for the n-th ``use`` of a bone by one skin: itself at first, then nodes that stand still on it."""
        if use == 0:
            return bone
        if (bone, use) not in self._repeated:
            name = self._context.nodes[bone].name
            node = Node(name=name, parent=bone, extras={"added": "joint of another slot with the same bone"})
            self._repeated[bone, use] = self._context.add_node(node)
        return self._repeated[bone, use]

    def _nodes_below(self, rig: int) -> set[int]:
        if rig not in self._below:
            children: dict[int, list[int]] = defaultdict(list)
            for index, node in enumerate(self._context.nodes):
                children[node.parent].append(index)
            below, pending = {rig}, [rig]
            while pending:
                pending += (found := children.get(pending.pop(), []))
                below.update(found)
            self._below[rig] = below
        return self._below[rig]

    def _index_suffixes(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Hashes of all path suffixes, ascending, and the node of each, ascending among equal hashes."""
        nodes = self._context.nodes
        hashes, owners = array("I"), array("I")
        for index, node in enumerate(nodes):
            if node.game_object is not None:
                continue
            path, step = node.name, index
            for _ in range(DEEPEST_SUFFIX):
                hashes.append(name_hash(path))
                owners.append(index)
                step = nodes[step].parent
                if step < 0:
                    break
                path = f"{nodes[step].name}/{path}"
        order = np.argsort(np.asarray(hashes), kind="stable")
        return np.asarray(hashes)[order], np.asarray(owners)[order]


def rebuild_optimised(raw: RawHierarchy, context: AssetContext) -> None:
    """Give every Animator without a transform hierarchy its bones back, from its Avatar's skeleton.

    Objects that stayed in the file keep their own nodes. One that stands directly below the Animator and bears a bone's
    name was exposed by the user: it moves below the rebuilt bone, where the game's animation carries it.
    """
    for index, node in enumerate(raw.nodes):
        if node.animator is not None and not node.animator.has_transform_hierarchy:
            with context.diagnostics.guard(codes.SKIN_AVATAR_MISSING, node.source.place(node.name), node.source):
                avatar = _avatar(node.animator, context)
                if avatar is not None:
                    _rebuild(avatar, index, context)


def _avatar(animator: RawAnimator, context: AssetContext) -> RawAvatar | None:
    if isinstance(animator.avatar, Source):
        return context.content.provider.avatar(animator.avatar)
    wanted = f": {animator.avatar} is wanted" if animator.avatar is not None else ""
    context.diagnostics.add(codes.SKIN_AVATAR_MISSING, f"the optimised hierarchy has no Avatar{wanted}")
    return None


def _rebuild(avatar: RawAvatar, root: int, context: AssetContext) -> None:
    below = _paths_below(root, context)
    placed: dict[int, int] = {}
    created = 0
    attached: list[int] = []
    for bone, parent in enumerate(avatar.parents.tolist()):
        path = avatar.tos.get(int(avatar.ids[bone]))
        if parent < 0 or path == "":
            placed[bone] = root
            continue
        if parent not in placed:  # a bone before its parent, or a parent out of range
            context.diagnostics.add(codes.SKIN_AVATAR_MISSING, f"bone {bone} of the Avatar has no parent", bone=bone)
            continue
        if path is not None and path in below:
            placed[bone] = below[path]
            continue
        name = path.rsplit("/", 1)[-1] if path else f"bone_{int(avatar.ids[bone])}"
        placed[bone] = context.add_node(_bone(avatar, bone, name, placed[parent], context.diagnostics))
        created += 1
        exposed = below.get(name)
        if exposed is not None and context.nodes[exposed].parent == root:
            attached.append(_attach(exposed, placed[bone], context))
    context.diagnostics.add(
        codes.SKIN_REBUILT,
        f"{counted(created, 'bone')} rebuilt from Avatar {avatar.name!r}; exposed objects on theirs: {len(attached):,}",
        bones=created,
        exposed=len(attached),
    )


def _paths_below(root: int, context: AssetContext) -> dict[str, int]:
    """Path relative to ``root`` of every node below it; the first of equal paths."""
    paths: dict[int, str] = {root: ""}
    result: dict[str, int] = {}
    for index, node in enumerate(context.nodes):
        if node.parent in paths and index != root:
            above = paths[node.parent]
            paths[index] = f"{above}/{node.name}" if above else node.name
            result.setdefault(paths[index], index)
    return result


def _bone(avatar: RawAvatar, bone: int, name: str, parent: int, diagnostics: Diagnostics) -> Node:
    x, y, z = avatar.positions[bone].tolist()
    qx, qy, qz, qw = avatar.rotations[bone].tolist()
    sx, sy, sz = avatar.scales[bone].tolist()
    with diagnostics.at(f"bone {name!r}"):
        translation, rotation, scale = usable_pose((x, y, z), (qx, qy, qz, qw), (sx, sy, sz), diagnostics)
    return Node(
        name=name,
        source=avatar.source,
        parent=parent,
        translation=translation,
        rotation=rotation,
        scale=scale,
        extras={"bone": bone},
    )


def _attach(exposed: int, bone: int, context: AssetContext) -> int:
    """Hang an exposed object on its bone without moving it."""
    local = np.linalg.solve(context.world(bone), context.world(exposed))
    translation, rotation, scale = (tuple(map(float, part)) for part in decompose(local))
    context.replace_node(exposed, parent=bone, translation=translation, rotation=rotation, scale=scale)
    return exposed


def common_root(joints: list[int], context: AssetContext) -> int | None:
    """The deepest node that has all joints at or below it; None when they stand in different trees."""
    if not joints:
        return None
    chain = context.ancestors(joints[0])
    meets = {node: place for place, node in enumerate(chain)}  # where the way up from a node enters the chain
    highest = 0
    for joint in joints[1:]:
        walked, step = [], joint
        while step >= 0 and step not in meets:
            walked.append(step)
            step = context.nodes[step].parent
        if step < 0:
            return None
        meets.update(dict.fromkeys(walked, meets[step]))
        highest = max(highest, meets[step])
    return chain[highest]
