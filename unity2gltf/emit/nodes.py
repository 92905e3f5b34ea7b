"""Nodes and the scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pygltflib

from ..ir import Lightmap, Node, Part
from .context import Context, marked
from .extensions.instancing import node_instances, told_instances
from .extensions.lights_punctual import node_light
from .extensions.lod import level_extras, node_levels
from .humanoids import file_extras, rig_extras
from .morphs import target_weights


@dataclass
class WeightedNode(pygltflib.Node):  # type: ignore[misc]  # pygltflib is untyped
    """pygltflib's node has no field for a node's own morph weights."""

    weights: list[float] | None = None


def write_nodes(context: Context) -> None:
    """All nodes, with the indices they have in the asset, and one scene of the roots."""
    asset = context.asset
    context.gltf.nodes = [_node(context, index, below) for index, below in enumerate(_children(asset.nodes))]
    context.gltf.asset.extras = file_extras(asset)
    extras = marked(asset.source, **asset.extras)
    context.gltf.scenes = [pygltflib.Scene(name=context.text(asset.name), nodes=asset.roots, extras=extras)]
    context.gltf.scene = 0


def _children(nodes: tuple[Node, ...]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        if node.parent >= 0:
            children[node.parent].append(index)
    return children


def _node(context: Context, index: int, children: list[int]) -> WeightedNode:
    node = context.asset.nodes[index]
    return WeightedNode(
        name=context.text(node.name),
        translation=_unless(node.translation, (0.0, 0.0, 0.0)),
        rotation=_unless(node.rotation, (0.0, 0.0, 0.0, 1.0)),
        scale=_unless(node.scale, (1.0, 1.0, 1.0)),
        children=children,
        mesh=node.mesh,
        skin=node.skin if node.mesh is not None else None,
        weights=_weights(context, node),
        camera=node.camera,
        extensions={**node_light(node), **node_levels(context, node), **node_instances(context, node)},
        extras=_extras(context, node, rig_extras(context, index)),
    )


def _unless(value: tuple[float, ...], default: tuple[float, ...]) -> list[float] | None:
    return None if value == default else list(value)


def _weights(context: Context, node: Node) -> list[float] | None:
    if node.mesh is None or not node.weights:
        return None
    geometry = context.asset.geometries[context.asset.meshes[node.mesh].geometry]
    return target_weights(geometry.shapes, node.weights)


def _extras(context: Context, node: Node, rig: dict[str, Any]) -> dict[str, Any]:
    more = {**node.extras, **rig}
    for name, lightmap in node.lightmaps.items():
        more[name] = _lightmap(context, node, lightmap)
    if node.parts:
        more["colliders"] = [_part(part) for part in node.parts]
    if not node.active:
        more["active"] = False
    if node.game_object is not None:
        more["node"] = node.game_object
    if node.instances:
        more["instances"] = told_instances(context, node)
    return {**marked(node.source, **more), **level_extras(node)}


def _lightmap(context: Context, node: Node, lightmap: Lightmap) -> dict[str, Any]:
    """As KHR_texture_transform has it; ``uv``: the number of the TEXCOORD set in this file."""
    assert node.mesh is not None, "what lies in a lightmap is drawn"
    written = context.geometries[context.asset.meshes[node.mesh].geometry].uv_sets
    uv = written.get(lightmap.uv, lightmap.uv)
    scale, offset = list(lightmap.scale), list(lightmap.offset)
    return {"index": lightmap.index, "uv": uv, "scale": scale, "offset": offset}


def _part(part: Part) -> dict[str, Any]:
    turned = {name: list(value) for name, value in (*part.points.items(), *part.rotations.items())}
    return {**part.source.mark(), **part.values, **turned}
