"""Skins: bone slots to joints, bind poses to inverse bind matrices (still in Unity's space)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...ir import F32, Geometry, Influences, Node, Skin
from ...math3d import Array, compose, decompose
from ...raw import RawRenderer
from ...text import counted
from .context import AssetContext
from .skeleton import BoneFinder, common_root

MAX_JOINTS = 65535
AFFINE_TOLERANCE = 1e-5


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
    rig = finder.rig_root(node)
    joints: list[int] = []
    by_hash: list[str] = []
    missing: list[str] = []
    uses: Counter[int] = Counter()
    for slot in range(slots):
        joint = finder.by_transform(renderer.bones[slot]) if slot < len(renderer.bones) else None
        if joint is None and slot < len(geometry.bone_hashes):
            joint = finder.by_hash(int(geometry.bone_hashes[slot]), rig)
            if joint is not None:
                by_hash.append(context.nodes[joint].name)
        if joint is None:
            joint = _placeholder(slot, bind, geometry, node, rig, context)
            missing.append(context.nodes[joint].name)
        joints.append(finder.joint(joint, uses[joint]))
        uses[joint] += 1
    _report_repeated(slots - len(uses), slots, context.diagnostics)
    _report_joints(by_hash, missing, slots, context.diagnostics)
    skin = Skin(
        name=context.nodes[node].name,
        source=renderer.source,
        joints=tuple(joints),
        inverse_bind=bind,
        skeleton=common_root(joints, context),
    )
    return context.skin(skin), slots


def _report_joints(by_hash: list[str], missing: list[str], slots: int, diagnostics: Diagnostics) -> None:
    if by_hash:
        diagnostics.add(
            codes.SKIN_BONE_BY_HASH,
            f"{len(by_hash)} of {counted(slots, 'bone')} found by the hash of the path",
            count=len(by_hash),
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
    joint = placed_joint(
        f"missing_{hash_ or slot}", slot, bind, context.world(node), context.world(rig), parent=rig, source_slot=slot
    )
    return context.add_node(joint)


def placed_joint(
    name: str, slot: int, bind: F32, renderer: Array, above: Array, *, parent: int, source_slot: int
) -> Node:
    """A node below world matrix ``above``, with world matrix ``renderer`` x inverse(``bind[slot]``).

    Where a node cannot stand so (shear), ``bind[slot]`` is changed instead: the rest shape stays exact.
    """
    with np.errstate(all="ignore"):  # scales that multiply beyond any float are met below
        wanted = renderer @ _inverse(bind[slot].astype(np.float64))
        parts = _float32_parts(_inverse(above) @ wanted)
        got = above @ compose(*parts)
        if not np.allclose(got, wanted, rtol=1e-5, atol=1e-6 * max(1.0, float(np.abs(wanted).max()))):
            bind[slot] = (_inverse(got) @ renderer).astype(np.float32)
    if not np.isfinite(bind[slot]).all():
        raise Fault(codes.SKIN_BIND_POSE_INVALID, f"no joint for slot {slot} can stand at its rest place", slot=slot)
    (x, y, z), (qx, qy, qz, qw), (sx, sy, sz) = (part.tolist() for part in parts)
    return Node(
        name=name,
        parent=parent,
        translation=(x, y, z),
        rotation=(qx, qy, qz, qw),
        scale=(sx, sy, sz),
        extras={"placeholder": True, "slot": source_slot},
    )


def _float32_parts(local: Array) -> list[F32]:
    """Translation, rotation and scale; those of the identity where the numbers are beyond float32."""
    if np.isfinite(local).all():
        parts = [part.astype(np.float32) for part in decompose(local)]
        if all(np.isfinite(part).all() for part in parts):
            return parts
    return [part.astype(np.float32) for part in decompose(np.eye(4))]


def _inverse(matrix: Array) -> Array:
    """The inverse, or for a singular matrix (a zero scale above) the best there is; NaN for one that is not finite."""
    if not np.isfinite(matrix).all():
        return np.full((4, 4), np.nan)
    singular = np.linalg.matrix_rank(matrix) < 4
    return np.asarray(np.linalg.pinv(matrix) if singular else np.linalg.inv(matrix), dtype=np.float64)


def usable_bind_poses(bind_poses: F32, slots: int, diagnostics: Diagnostics) -> F32:
    """(slots, 4, 4) a fresh array, padded with identity; a matrix that is not affine becomes identity."""
    bind = np.tile(np.eye(4, dtype=np.float32), (slots, 1, 1))
    count = min(slots, len(bind_poses))
    bind[:count] = bind_poses[:count]
    last_row = np.array([0, 0, 0, 1], dtype=np.float32)
    finite = np.isfinite(bind).all(axis=(1, 2))
    affine = np.isclose(bind[:, 3], last_row, rtol=0, atol=AFFINE_TOLERANCE).all(axis=1)
    bad = np.flatnonzero(~(finite & affine)).tolist()
    if bad:
        diagnostics.add(
            codes.SKIN_BIND_POSE_INVALID,
            f"identity is used for {counted(len(bad), 'bind pose')} that cannot be an affine matrix",
            slots=bad[:32],
            count=len(bad),
        )
        bind[bad] = np.eye(4, dtype=np.float32)
    bind[:, 3] = last_row
    return bind


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


def joint_name(names: Sequence[str], slot: int) -> str:
    """The bone's name from the name index, else by its slot."""
    return names[0].rsplit("/", 1)[-1] if names and names[0] else f"bone_{slot}"
