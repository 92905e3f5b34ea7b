"""Skins, the nodes that use them, and the weights of their vertices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...evaluate.document import Gltf
from ...evaluate.fields import Json, get_index, get_indices, get_list, get_numbers
from ...evaluate.gltf.streams import influences, mesh_streams
from ..issues import Issue, issue

SUM_TOLERANCE = 2e-6
"""Of weights that sum to 1: above what float32 leaves (2e-7 a set), below what any eye or reader minds."""


def check_skin(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Joints once each, affine matrices in their number."""
    nodes = len(gltf.items("nodes"))
    joints = get_indices(item, "joints", pointer, nodes)
    get_index(item, "skeleton", pointer, nodes)
    if not joints or len(set(joints)) != len(joints):
        yield issue("SKIN_JOINTS", f"{pointer}/joints", "joints must be named, each once")
    accessor = get_index(item, "inverseBindMatrices", pointer, len(gltf.items("accessors")))
    if accessor is None:
        return
    where = f"{pointer}/inverseBindMatrices"
    matrices = gltf.accessor(accessor)
    if matrices.shape[1:] != (4, 4) or matrices.dtype.kind != "f" or len(matrices) < len(joints):
        yield issue("SKIN_JOINTS", where, f"{len(joints)} matrices are wanted, it holds {matrices.shape}")
    else:
        yield from _matrices(matrices, where)


def _matrices(matrices: NDArray[Any], pointer: str) -> Iterator[Issue]:
    wrong = np.flatnonzero(np.any(matrices[:, 3] != (0, 0, 0, 1), axis=1))
    if len(wrong):
        yield issue("SKIN_MATRIX", pointer, f"{len(wrong)} matrices are not affine, the first is number {wrong[0]}")
    flat = np.flatnonzero(~matrices[:, :3, :3].any(axis=(1, 2)))
    if len(flat):
        yield issue("SKIN_MATRIX", pointer, f"{len(flat)} matrices are zero, the first is number {flat[0]}")


def check_node(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Mesh, skin and weights of a node fit each other."""
    mesh = get_index(item, "mesh", pointer, len(gltf.items("meshes")))
    skin = get_index(item, "skin", pointer, len(gltf.items("skins")))
    get_index(item, "camera", pointer, len(gltf.items("cameras")))
    if mesh is None:
        if skin is not None or "weights" in item:
            yield issue("SKIN_NODE", pointer, "skin or weights on a node without a mesh")
        return
    weights = get_numbers(item, "weights", pointer)
    if weights:
        targets = [len(stream.targets) for stream in mesh_streams(gltf, mesh)][:1]
        if targets != [len(weights)]:
            yield issue("TARGET_COUNT", f"{pointer}/weights", f"{len(weights)} weights for {targets} morph targets")
    if skin is not None:
        joints = len(get_list(gltf.items("skins")[skin], "joints", f"/skins/{skin}"))
        yield from _joints(gltf, mesh, joints, pointer)


def _joints(gltf: Gltf, mesh: int, joints: int, pointer: str) -> Iterator[Issue]:
    """All primitives of a skinned mesh have joints, below ``joints``."""
    for stream in mesh_streams(gltf, mesh):
        if not stream.joints:
            yield issue("JOINTS_SETS", f"/meshes/{mesh}", f"{pointer} gives it a skin, but a primitive has no joints")
        for accessor in stream.joints:
            largest = int(gltf.accessor(accessor).max())
            if largest >= joints:
                yield issue("JOINTS_RANGE", f"/accessors/{accessor}", f"joint {largest} of a skin of {joints}")


def check_weights(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Weights of a mesh's vertices: not negative, of sum 1, no joint twice."""
    for stream in mesh_streams(gltf, int(pointer.rsplit("/", 1)[1])):
        if not stream.joints:
            continue
        slots = influences(gltf, stream, 1 << 16)
        joints = np.stack([joints for joints, _ in slots], axis=1)
        weights = np.stack([weights for _, weights in slots], axis=1)
        where = f"/accessors/{stream.weights[0]}"
        wrong = np.flatnonzero(~(np.abs(weights.sum(axis=1) - 1.0) <= SUM_TOLERANCE) | (weights.min(axis=1) < 0))
        if len(wrong):
            message = f"weights of {len(wrong)} vertices, the first is {wrong[0]}: {weights[wrong[0]].tolist()}"
            yield issue("WEIGHTS_SUM", where, message)
        named = np.sort(np.where(weights > 0, joints, -1 - np.arange(joints.shape[1])), axis=1)
        repeated = np.flatnonzero(np.any(named[:, 1:] == named[:, :-1], axis=1))
        if len(repeated):
            message = f"{len(repeated)} vertices name a joint twice, the first is {repeated[0]}"
            yield issue("JOINTS_REPEATED", f"/accessors/{stream.joints[0]}", message)
