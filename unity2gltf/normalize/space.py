"""From Unity's space to glTF's: the one place where handedness changes.

Unity is left-handed with +X right, glTF right-handed with +X left, both +Y up and +Z forward: x is mirrored
(S = diag(-1, 1, 1, 1)). Only signs change, so nothing is rounded, but for v' = 1 - v and vectors that are not of
unit length. The last step cuts influences; the Unity-space asset keeps them all, so that the loss can be measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from .. import codes
from ..diagnostics import Diagnostics
from ..ir import (
    F32,
    U32,
    Asset,
    BlendFrame,
    BlendShape,
    Clip,
    Geometry,
    Humanoid,
    Influences,
    Instance,
    Lightmap,
    LookAt,
    Material,
    Mesh,
    Node,
    Part,
    Path,
    Skin,
    Space,
    Submesh,
    TextureUse,
    Topology,
    Track,
    Vrm,
    with_textures,
)
from ..text import counted
from .mesh.influences import cut_influences

T = TypeVar("T")

UNIT_LENGTH_TOLERANCE = 1e-3
"""Normals and tangents further from length 1 are normalised; the Khronos validator allows 0.0067."""


def to_gltf(asset: Asset, max_influences: int, diagnostics: Diagnostics) -> Asset:
    """The asset in glTF's space, at most ``max_influences`` influences a vertex (0 = all). The input is not changed.

    Reports MESH_NORMALS_FIXED, MESH_NORMALS_ZERO and SKIN_INFLUENCES_CUT.
    """
    if asset.space is not Space.UNITY:
        raise ValueError("the asset is in glTF space already")
    geometries = tuple(_geometry(geometry, diagnostics) for geometry in asset.geometries)
    once: dict[int, Influences] = {}
    return replace(
        asset,
        space=Space.GLTF,
        nodes=tuple(_node(node) for node in asset.nodes),
        geometries=geometries,
        meshes=tuple(_mesh(mesh, asset, max_influences, once, diagnostics) for mesh in asset.meshes),
        skins=tuple(_skin(skin) for skin in asset.skins),
        materials=tuple(_material(material) for material in asset.materials),
        clips=tuple(_clip(clip) for clip in asset.clips),
        humanoids=tuple(_humanoid(humanoid) for humanoid in asset.humanoids),
        vrm=_map(_vrm, asset.vrm),
    )


def mirror_vectors(vectors: F32) -> F32:
    """(K, 3) positions, normals or morph deltas: (-x, y, z)."""
    mirrored = vectors.copy()
    np.negative(mirrored[:, 0], out=mirrored[:, 0])
    return mirrored


def mirror_matrices(matrices: F32) -> F32:
    """(..., 4, 4) S B S: the entries with exactly one index 0 change sign."""
    mirrored = matrices.copy()
    mirrored[..., 0, 1:] *= -1
    mirrored[..., 1:, 0] *= -1
    return mirrored


def reverse_winding(indices: U32, topology: Topology) -> U32:
    """Triangles turn round; lines and points keep their order."""
    if topology is not Topology.TRIANGLES:
        return indices
    return np.ascontiguousarray(indices.reshape(-1, 3)[:, ::-1]).reshape(-1)


def _node(node: Node) -> Node:
    x, y, z = node.translation
    qx, qy, qz, qw = node.rotation
    return replace(
        node,
        translation=(_negate(x), y, z),
        rotation=(qx, _negate(qy), _negate(qz), qw),
        lightmaps={name: _lightmap(lightmap) for name, lightmap in node.lightmaps.items()},
        parts=tuple(_part(part) for part in node.parts),
        instances=tuple(_instance(instance) for instance in node.instances),
    )


def _humanoid(humanoid: Humanoid) -> Humanoid:
    t_pose = {
        node: ((_negate(x), y, z), (qx, _negate(qy), _negate(qz), qw))
        for node, ((x, y, z), (qx, qy, qz, qw)) in humanoid.t_pose.items()
    }
    return replace(humanoid, t_pose=t_pose)


def _vrm(vrm: Vrm) -> Vrm:
    return replace(vrm, look_at=_map(_look_at, vrm.look_at))


def _look_at(look: LookAt) -> LookAt:
    if look.origin is None:
        return look
    x, y, z = look.origin
    return replace(look, origin=(_negate(x), y, z))


def _instance(instance: Instance) -> Instance:
    (x, y, z), (qx, qy, qz, qw) = instance.translation, instance.rotation
    return replace(instance, translation=(_negate(x), y, z), rotation=(qx, _negate(qy), _negate(qz), qw))


def _lightmap(lightmap: Lightmap) -> Lightmap:
    return replace(lightmap, offset=_down(lightmap.scale, lightmap.offset))


def _part(part: Part) -> Part:
    return replace(
        part,
        points={name: (_negate(x), y, z) for name, (x, y, z) in part.points.items()},
        rotations={name: (x, _negate(y), _negate(z), w) for name, (x, y, z, w) in part.rotations.items()},
    )


def _negate(value: float) -> float:
    """-value without a negative zero: it would only make the JSON longer."""
    return -value if value else 0.0


def _skin(skin: Skin) -> Skin:
    return replace(skin, inverse_bind=mirror_matrices(skin.inverse_bind))


def _material(material: Material) -> Material:
    return with_textures(material, _texture_use)


def _texture_use(use: TextureUse) -> TextureUse:
    return replace(use, offset=_down(use.scale, use.offset))


def _down(scale: tuple[float, float], offset: tuple[float, float]) -> tuple[float, float]:
    """With v down, a tiling keeps its scale and its offset becomes 1 - oy - sy."""
    return offset[0], 1.0 - offset[1] - scale[1]


def _geometry(geometry: Geometry, diagnostics: Diagnostics) -> Geometry:
    with diagnostics.at(geometry.source.place(geometry.name), geometry.source):
        normals = _map(lambda n: _unit_vectors(mirror_vectors(n), "normals", diagnostics), geometry.normals)
        tangents = _map(lambda t: _tangents(t, diagnostics), geometry.tangents)
    return replace(
        geometry,
        positions=mirror_vectors(geometry.positions),
        normals=normals,
        tangents=tangents,
        uvs={number: _flip_v(uv) for number, uv in geometry.uvs.items()},
        submeshes=tuple(_submesh(submesh) for submesh in geometry.submeshes),
        shapes=tuple(_shape(shape) for shape in geometry.shapes),
        bind_poses=mirror_matrices(geometry.bind_poses),
    )


def _submesh(submesh: Submesh) -> Submesh:
    return replace(submesh, indices=reverse_winding(submesh.indices, submesh.topology))


def _flip_v(uv: F32) -> F32:
    flipped = uv.copy()
    np.subtract(np.float32(1), flipped[:, 1], out=flipped[:, 1])
    return flipped


def _tangents(tangents: F32, diagnostics: Diagnostics) -> F32:
    """(-x, y, z) of unit length and -w, snapped to +-1."""
    result = np.empty_like(tangents)
    result[:, :3] = _unit_vectors(mirror_vectors(tangents[:, :3]), "tangents", diagnostics)
    result[:, 3] = np.where(tangents[:, 3] < 0, np.float32(1), np.float32(-1))
    return result


def _unit_vectors(vectors: F32, what: str, diagnostics: Diagnostics) -> F32:
    """Normalise in place those that are not of unit length; zero vectors become +Z, and are counted."""
    squared = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
    off = np.flatnonzero(np.abs(squared - 1.0) > 2 * UNIT_LENGTH_TOLERANCE)
    if not len(off):
        return vectors
    lengths = np.sqrt(squared[off])
    zero = lengths < 1e-20
    scaled = vectors[off].astype(np.float64) / np.where(zero, 1.0, lengths)[:, None]
    scaled[zero] = (0.0, 0.0, 1.0)
    vectors[off] = scaled
    if not zero.all():
        fixed = int(len(off) - zero.sum())
        worst = float(np.abs(lengths[~zero] - 1.0).max())
        diagnostics.add(
            codes.MESH_NORMALS_FIXED, f"{fixed:,} of the {what} scaled to unit length", count=fixed, worst=worst
        )
    if zero.any():
        count = int(zero.sum())
        diagnostics.add(codes.MESH_NORMALS_ZERO, f"{count:,} of the {what} had length zero and became +Z", count=count)
    return vectors


def _shape(shape: BlendShape) -> BlendShape:
    return replace(shape, frames=tuple(_frame(frame) for frame in shape.frames))


def _frame(frame: BlendFrame) -> BlendFrame:
    return replace(
        frame,
        positions=mirror_vectors(frame.positions),
        normals=_map(mirror_vectors, frame.normals),
        tangents=_map(mirror_vectors, frame.tangents),
    )


def _mesh(mesh: Mesh, asset: Asset, max_influences: int, once: dict[int, Influences], diagnostics: Diagnostics) -> Mesh:
    influences = mesh.influences
    if influences is None or not max_influences or influences.max_count <= max_influences:
        return mesh
    if id(influences) not in once:
        cut, loss = cut_influences(influences, max_influences)
        once[id(influences)] = cut
        geometry = asset.geometries[mesh.geometry]
        with diagnostics.at(geometry.source.place(geometry.name), geometry.source):
            diagnostics.add(
                codes.SKIN_INFLUENCES_CUT,
                f"{counted(loss.vertices, 'vertex', 'vertices')} had up to {loss.max_influences} influences; "
                f"{max_influences} were kept, and up to {100 * loss.mass:.3g} % of a vertex's weight was lost",
                vertices=loss.vertices,
                max_influences=loss.max_influences,
                max_mass_lost=loss.mass,
            )
    return replace(mesh, influences=once[id(influences)])


MIRRORED_COMPONENTS = {Path.TRANSLATION: (0,), Path.ROTATION: (1, 2)}
"""What of a track changes sign: x of a place, y and z of a quaternion; scales, weights and pointers stay."""


def mirror_track(track: Track) -> Track:
    """The track in glTF's space. Interpolation is linear in values and tangents, so both take the same signs."""
    columns = MIRRORED_COMPONENTS.get(track.path, ())
    return replace(
        track,
        values=_negate_columns(track.values, columns),
        in_tangents=_map(lambda tangents: _negate_columns(tangents, columns), track.in_tangents),
        out_tangents=_map(lambda tangents: _negate_columns(tangents, columns), track.out_tangents),
    )


def _clip(clip: Clip) -> Clip:
    """Channels are Unity's own and stay."""
    return replace(clip, tracks=tuple(mirror_track(track) for track in clip.tracks))


def _negate_columns(values: F32, columns: tuple[int, ...]) -> F32:
    if not columns:
        return values
    mirrored = values.copy()
    for column in columns:
        np.subtract(np.float32(0), mirrored[:, column], out=mirrored[:, column])  # never -0: equal tracks stay so
    return mirrored


def _map(function: Callable[[T], T], value: T | None) -> T | None:
    return None if value is None else function(value)
