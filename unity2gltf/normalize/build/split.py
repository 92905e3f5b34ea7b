"""``--clips library``: each clip as an asset of its own, the rig's nodes without the meshes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...ir import Asset, BlendFrame, BlendShape, Clip, Geometry, Mesh, Node, Path, Primitive, Submesh, Topology
from .finish import moved_humanoids


def split_clip(asset: Asset, clip: Clip) -> tuple[str, Asset]:
    """(path wanted, asset) of a clip of the asset's nodes; the path is ``<rig>/<clip>``.

    The nodes are the rig's own and those below it, at rest. Where the clip drives blend shapes, a stub mesh (one
    triangle without size) has the same shapes by name, all still: glTF has no weights without a mesh.
    """
    rig = asset.nodes[clip.rig].name
    return f"{rig or 'rig'}/{clip.name or 'clip'}", _animation(asset, clip)


def _animation(asset: Asset, clip: Clip) -> Asset:
    driven = {channel.node for channel in clip.channels if channel.path is Path.WEIGHTS}
    kept = _below(asset, clip.rig) | driven
    order = [index for index in sorted(kept) if asset.nodes[index].game_object is None or index in driven]
    renumber = {old: new for new, old in enumerate(order)}
    geometries: list[Geometry] = []
    meshes: list[Mesh] = []
    nodes = []
    for index in order:
        node, stub = asset.nodes[index], None
        if index in driven and node.mesh is not None:
            stub = len(meshes)
            mesh = asset.meshes[node.mesh]
            geometries.append(_stub(asset.geometries[mesh.geometry]))
            meshes.append(Mesh(geometry=stub, primitives=(Primitive(submesh=0, material=None),), weights=mesh.weights))
        nodes.append(_moved(node, stub, renumber))
    return replace(
        asset,
        kind="animation",
        name=clip.name,
        source=clip.source,
        nodes=tuple(nodes),
        geometries=tuple(geometries),
        meshes=tuple(meshes),
        skins=(),
        materials=(),
        textures=(),
        images=(),
        lights=(),
        cameras=(),
        clips=(_moved_clip(clip, renumber),),
        humanoids=tuple(moved_humanoids(asset.humanoids, renumber)),
    )


def _below(asset: Asset, rig: int) -> set[int]:
    """The rig's node and all below it; parents come before their children."""
    found = {rig}
    for index, node in enumerate(asset.nodes):
        if node.parent in found:
            found.add(index)
    return found


def _moved(node: Node, mesh: int | None, renumber: dict[int, int]) -> Node:
    return replace(
        node,
        parent=renumber.get(node.parent, -1),
        mesh=mesh,
        skin=None,
        light=None,
        camera=None,
        lightmaps={},
        levels=(),
        frame=None,
        instances=(),
        weights=node.weights if mesh is not None else (),
        game_object=None if node.game_object is None else renumber.get(node.game_object),
    )


def _moved_clip(clip: Clip, renumber: dict[int, int]) -> Clip:
    return replace(
        clip,
        rig=renumber[clip.rig],
        channels=tuple(replace(c, node=renumber[c.node]) for c in clip.channels),
        tracks=tuple(replace(t, node=renumber[t.node]) for t in clip.tracks),
    )


def _stub(geometry: Geometry) -> Geometry:
    """Three vertices in one place, and the shapes of ``geometry``, which move none of them."""
    rows, deltas = np.zeros(0, np.int64), np.zeros((0, 3), np.float32)
    return Geometry(
        source=geometry.source,
        name=geometry.name,
        stub=True,
        positions=np.zeros((3, 3), np.float32),
        submeshes=(Submesh(number=0, topology=Topology.TRIANGLES, indices=np.arange(3, dtype=np.uint32)),),
        shapes=tuple(
            BlendShape(
                name=shape.name,
                frames=tuple(
                    BlendFrame(full_weight=frame.full_weight, indices=rows, positions=deltas) for frame in shape.frames
                ),
            )
            for shape in geometry.shapes
        ),
        bind_poses=np.zeros((0, 4, 4), np.float32),
        bone_hashes=np.zeros(0, np.uint32),
    )
