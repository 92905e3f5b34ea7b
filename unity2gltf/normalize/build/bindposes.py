"""Bind poses that can be written, and joints that stand where a bind pose has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...ir import F32, Node
from ...math3d import Array, compose, decompose
from ...text import counted

AFFINE_TOLERANCE = 1e-5


def placed_joint(name: str, slot: int, bind: F32, renderer: Array, above: Array, *, parent: int) -> Node:
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
        extras={"placeholder": True, "slot": slot},
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


def joint_name(names: Sequence[str], slot: int) -> str:
    """The bone's name from the name index, else by its slot."""
    return names[0].rsplit("/", 1)[-1] if names and names[0] else f"bone_{slot}"
