"""Skins: bone slots to joints, bind poses to inverse bind matrices (still in Unity's space)."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import F32, Geometry, Influences, Skin
from ...raw import RawRenderer
from ...text import counted
from .bindposes import placed_joint, usable_bind_poses
from .context import AssetContext
from .skeleton import BoneFinder, common_root

MAX_JOINTS = 65535


def add_skin(
    renderer: RawRenderer, geometry: Geometry, node: int, finder: BoneFinder, context: AssetContext
) -> tuple[int, int]:
    """The skin of a renderer on ``node``: its index, and how many bone slots it has.

    Slot by slot: the renderer's bone, else the node whose path hash the mesh names, else a placeholder at the rest
    place. A slot is never dropped, since influences count slots; one that repeats a bone gets a node that moves with
    it, since a glTF skin names each joint once.
    """
    slots = min(max(len(renderer.bones), len(geometry.bind_poses)), MAX_JOINTS)
    if renderer.bones and len(renderer.bones) != len(geometry.bind_poses):
        context.diagnostics.add(
            codes.SKIN_LENGTHS,
            f"{counted(len(renderer.bones), 'bone')} and {counted(len(geometry.bind_poses), 'bind pose')}",
            bones=len(renderer.bones),
            bind_poses=len(geometry.bind_poses),
        )
    bind = usable_bind_poses(geometry.bind_poses, slots, context.diagnostics)
    joints = _joints(renderer, geometry, bind, node, finder, context)
    skin = Skin(
        name=context.nodes[node].name,
        source=renderer.source,
        joints=tuple(joints),
        inverse_bind=bind,
        skeleton=common_root(joints, context),
    )
    return context.skin(skin), slots


def _joints(
    renderer: RawRenderer, geometry: Geometry, bind: F32, node: int, finder: BoneFinder, context: AssetContext
) -> list[int]:
    """The joint of each slot; ``bind`` (slots, 4, 4) is changed where a placeholder cannot stand at its rest place."""
    rig = finder.rig_root(node)
    joints: list[int] = []
    by_hash = 0
    missing: list[str] = []
    uses: Counter[int] = Counter()
    for slot in range(len(bind)):
        joint = finder.by_transform(renderer.bones[slot]) if slot < len(renderer.bones) else None
        if joint is None and slot < len(geometry.bone_hashes):
            joint = finder.by_hash(int(geometry.bone_hashes[slot]), rig)
            by_hash += joint is not None
        if joint is None:
            joint = _placeholder(slot, bind, geometry, node, rig, context)
            missing.append(context.nodes[joint].name)
        joints.append(finder.joint(joint, uses[joint]))
        uses[joint] += 1
    _report_repeated(len(bind) - len(uses), len(bind), context.diagnostics)
    _report_joints(by_hash, missing, len(bind), context.diagnostics)
    return joints


def _report_joints(by_hash: int, missing: list[str], slots: int, diagnostics: Diagnostics) -> None:
    if by_hash:
        diagnostics.add(
            codes.SKIN_BONE_BY_HASH,
            f"{by_hash} of {counted(slots, 'bone')} found by the hash of the path",
            count=by_hash,
        )
    if missing:
        diagnostics.add(
            codes.SKIN_BONE_MISSING,
            f"{len(missing)} of {counted(slots, 'bone')} not found; placeholders keep their rest place",
            count=len(missing),
            placeholders=missing[:32],
        )


def _report_repeated(repeated: int, slots: int, diagnostics: Diagnostics) -> None:
    if repeated:
        diagnostics.add(
            codes.SKIN_BONE_REPEATED,
            f"{repeated} of {counted(slots, 'slot')} with the bone of an earlier slot got joints of their own on it",
            count=repeated,
        )


def _placeholder(slot: int, bind: F32, geometry: Geometry, node: int, rig: int, context: AssetContext) -> int:
    """A joint below the rig's root at renderer world x inverse(bind pose), so that the rest shape is exact."""
    hash_ = int(geometry.bone_hashes[slot]) if slot < len(geometry.bone_hashes) else 0
    joint = placed_joint(f"missing_{hash_ or slot}", slot, bind, context.world(node), context.world(rig), parent=rig)
    return context.add_node(joint)


def within_slots(influences: Influences, slots: int, diagnostics: Diagnostics) -> Influences:
    """Influences of bone slots that exist; the others are dropped, reported, and the rest renormalised."""
    inside = influences.joints < slots
    if inside.all():
        return influences
    outside = np.flatnonzero(~inside)
    diagnostics.add(
        codes.SKIN_BONE_RANGE,
        f"{counted(len(outside), 'weighted influence')} of bone slots beyond the {slots} there are",
        count=len(outside),
        slots=slots,
        largest=int(influences.joints.max()),
        max_weight=float(influences.weights[outside].max()),
    )
    kept_before = np.concatenate(([0], np.cumsum(inside)))
    offsets = kept_before[influences.offsets]
    joints, weights = influences.joints[inside], influences.weights[inside]
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    sums = np.bincount(owner, weights, minlength=len(offsets) - 1)
    return Influences(offsets=offsets, joints=joints, weights=(weights / sums[owner]).astype(np.float32))
