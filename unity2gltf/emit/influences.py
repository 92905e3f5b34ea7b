"""Ragged skin influences to sets of four: JOINTS_n and WEIGHTS_n."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..codes import MESH_ATTRIBUTE_DROPPED
from ..ir import F32, Influences, Mesh
from .accessors import add_attribute
from .context import Context, require

_SET = 4
_BYTE_JOINTS = 256


def skin_attributes(context: Context, mesh: Mesh, joint_count: int) -> dict[str, int]:
    """JOINTS_n and WEIGHTS_n of a mesh whose skins have up to ``joint_count`` joints (0 = no node skins it)."""
    influences = mesh.influences
    if joint_count == 0:
        if influences is not None:
            text = "no node gives this mesh a skin: its influences were left out"
            context.diagnostics.add(MESH_ATTRIBUTE_DROPPED, text, attribute="JOINTS_0")
        return {}
    vertex_count = context.asset.geometries[mesh.geometry].vertex_count
    if influences is None:  # glTF wants joints on a skinned node's mesh: all of it moves with joint 0
        influences = _none(vertex_count)
    _check(influences, vertex_count, joint_count)
    dtype = np.uint8 if joint_count <= _BYTE_JOINTS else np.uint16
    key = ("influences", id(mesh.influences), vertex_count, dtype)  # the asset keeps the object, so its id, alive
    return _written(context, key, influences, dtype)


def pad(influences: Influences, dtype: type[np.uint8] | type[np.uint16]) -> tuple[NDArray[np.integer], F32]:
    """Joints and weights as (S, V, 4) sets; unused slots name joint 0 with weight 0.

    The first slot, the heaviest, absorbs what float32 rounding leaves, so that each vertex sums to 1 over all sets.
    A vertex without influences comes out as joint 0 with weight 1.
    """
    counts = np.diff(influences.offsets)
    sets = max(1, -(-influences.max_count // _SET))
    vertex = np.repeat(np.arange(len(counts)), counts)
    slot = np.arange(len(influences.weights)) - np.repeat(influences.offsets[:-1], counts)
    joints = np.zeros((sets, len(counts), _SET), dtype)
    weights = np.zeros((sets, len(counts), _SET), np.float32)
    joints[slot // _SET, vertex, slot % _SET] = influences.joints
    weights[slot // _SET, vertex, slot % _SET] = influences.weights
    weights[0, :, 0] = 0.0
    weights[0, :, 0] = 1.0 - weights.sum(axis=(0, 2), dtype=np.float64)
    return joints, weights


def _written(
    context: Context, key: tuple[object, ...], influences: Influences, dtype: type[np.uint8] | type[np.uint16]
) -> dict[str, int]:
    """The accessors of all sets, JOINTS_0, WEIGHTS_0, JOINTS_1, ...; written once for each key."""
    sets = max(1, -(-influences.max_count // _SET))
    names = [f"{what}_{index}" for index in range(sets) for what in ("JOINTS", "WEIGHTS")]

    def make() -> int:
        joints, weights = pad(influences, dtype)
        first = len(context.gltf.accessors)
        for index in range(sets):
            add_attribute(context, joints[index])
            add_attribute(context, weights[index])
        return first

    first = context.once(key, make)
    return {name: first + position for position, name in enumerate(names)}


def _none(vertex_count: int) -> Influences:
    return Influences(
        offsets=np.zeros(vertex_count + 1, np.int64), joints=np.zeros(0, np.int32), weights=np.zeros(0, np.float32)
    )


def _check(influences: Influences, vertex_count: int, joint_count: int) -> None:
    offsets = influences.offsets
    require(len(offsets) == vertex_count + 1, "influences do not match the vertices in number")
    require(
        offsets[0] == 0 and offsets[-1] == len(influences.weights) == len(influences.joints),
        "influence offsets do not cover the influences",
    )
    top = int(influences.joints.max(initial=0))
    require(
        int(influences.joints.min(initial=0)) >= 0 and top < joint_count,
        "an influence names a joint that the skin lacks",
        joint=top,
        joints=joint_count,
    )
