"""``--prune-vertices``: leave out the vertices that no drawn primitive uses. By default they stay, in Unity's order."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...ir import F32, Asset, BlendFrame, BlendShape, Geometry, Influences, Mesh

Mask = NDArray[np.bool_]


def prune_vertices(asset: Asset) -> Asset:
    """The asset with every geometry reduced to the vertices that its meshes' primitives name."""
    users: dict[int, list[Mesh]] = defaultdict(list)
    for mesh in asset.meshes:
        users[mesh.geometry].append(mesh)
    used = [_used(geometry, users[index]) for index, geometry in enumerate(asset.geometries)]
    return replace(
        asset,
        geometries=tuple(_pruned(geometry, mask) for geometry, mask in zip(asset.geometries, used, strict=True)),
        meshes=tuple(
            mesh if mesh.influences is None else replace(mesh, influences=_kept(mesh.influences, used[mesh.geometry]))
            for mesh in asset.meshes
        ),
    )


def _used(geometry: Geometry, meshes: list[Mesh]) -> Mask:
    used = np.zeros(geometry.vertex_count, dtype=bool)
    for position in {primitive.submesh for mesh in meshes for primitive in mesh.primitives}:
        used[geometry.submeshes[position].indices] = True
    return used


def _pruned(geometry: Geometry, used: Mask) -> Geometry:
    if used.all():
        return geometry
    renumber = np.cumsum(used) - 1

    def rows(array: F32 | None) -> F32 | None:
        return None if array is None else array[used]

    return replace(
        geometry,
        positions=geometry.positions[used],
        normals=rows(geometry.normals),
        tangents=rows(geometry.tangents),
        colors=rows(geometry.colors),
        uvs={number: uv[used] for number, uv in geometry.uvs.items()},
        submeshes=tuple(
            replace(submesh, indices=renumber[submesh.indices].astype(np.uint32))
            if used[submesh.indices].all()
            else replace(submesh, indices=submesh.indices[:0])  # drawn by no mesh of this asset
            for submesh in geometry.submeshes
        ),
        shapes=tuple(
            BlendShape(name=shape.name, frames=tuple(_frame(frame, used, renumber) for frame in shape.frames))
            for shape in geometry.shapes
        ),
        channel_influences=None if geometry.channel_influences is None else _kept(geometry.channel_influences, used),
        variable_influences=None if geometry.variable_influences is None else _kept(geometry.variable_influences, used),
    )


def _frame(frame: BlendFrame, used: Mask, renumber: NDArray[np.int64]) -> BlendFrame:
    kept = used[frame.indices]
    return replace(
        frame,
        indices=renumber[frame.indices[kept]],
        positions=frame.positions[kept],
        normals=None if frame.normals is None else frame.normals[kept],
        tangents=None if frame.tangents is None else frame.tangents[kept],
    )


def _kept(influences: Influences, used: Mask) -> Influences:
    if used.all():
        return influences
    counts = np.diff(influences.offsets)
    entries = np.repeat(used, counts)
    offsets = np.concatenate(([0], np.cumsum(counts[used])))
    return Influences(offsets=offsets, joints=influences.joints[entries], weights=influences.weights[entries])
