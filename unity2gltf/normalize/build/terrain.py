"""Terrain components to meshes on nodes, and a TerrainData that stands alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import codes
from ...ir import Node, Primitive
from ...raw import RawHierarchy, RawNode, RawTerrain
from ...source import Missing, Source
from ..missing import report_missing
from ..terrain.decode import Terrain
from ..terrain.material import terrain_material
from .context import AssetContext


def draw_terrains(raw: RawHierarchy, active: Sequence[bool], context: AssetContext) -> None:
    """Put the ground of every drawn terrain on its node, or on a node beside it; report those that are not drawn."""
    for index, node in enumerate(raw.nodes):
        terrain = node.terrain
        if terrain is None:
            continue
        with context.diagnostics.guard(codes.TERRAIN_UNREADABLE, terrain.source.place(node.name), terrain.source):
            reason = _hidden(terrain, active[index])
            if reason is not None:
                context.diagnostics.add(codes.RENDERER_NOT_DRAWN, f"not drawn: {reason}", reason=reason)
                context.replace_node(index, active=False)
            if reason is None or context.options.inactive == "flag":
                _draw(index, node, terrain, context)


def add_terrain(source: Source, context: AssetContext) -> bool:
    """A TerrainData outside any hierarchy, as a node; False when it cannot be drawn."""
    terrain = context.content.terrain(source, context.diagnostics)
    mesh = None if terrain is None else _mesh(terrain, source, None, context)
    if terrain is None or mesh is None:
        return False
    context.add_node(Node(name=terrain.geometry.name, source=source, mesh=mesh))
    return True


def _hidden(terrain: RawTerrain, active: bool) -> str | None:
    if not active:
        return "inactive"
    if not terrain.enabled:
        return "disabled"
    return None if terrain.draws_ground else "its ground is switched off"


def _draw(index: int, node: RawNode, raw: RawTerrain, context: AssetContext) -> None:
    if isinstance(raw.data, Missing):
        report_missing(raw.data, "terrain data", context.diagnostics)
    if not isinstance(raw.data, Source):
        return
    terrain = context.content.terrain(raw.data, context.diagnostics)
    mesh = None if terrain is None else _mesh(terrain, raw.source, raw, context)
    if mesh is None:
        return
    world = context.world(index)
    if np.array_equal(world[:3, :3], np.eye(3)) and context.nodes[index].mesh is None:
        context.replace_node(index, mesh=mesh, renderer=raw.source)
        return
    x, y, z = (float(value) for value in world[:3, 3])  # Unity turns and scales no terrain
    context.add_node(
        Node(
            name=context.nodes[index].name,
            source=raw.source,
            translation=(x, y, z),
            mesh=mesh,
            renderer=raw.source,
            active=context.nodes[index].active,
            game_object=index,
        )
    )


def _mesh(terrain: Terrain, source: Source, raw: RawTerrain | None, context: AssetContext) -> int | None:
    geometry = terrain.geometry
    if not len(geometry.submeshes[0].indices):
        context.diagnostics.add(codes.MESH_EMPTY, f"terrain {geometry.name!r} is one hole", mesh=geometry.name)
        return None
    material = _material(terrain, source, raw, context)
    return context.mesh(context.geometry(geometry), (Primitive(submesh=0, material=material),), None, ())


def _material(terrain: Terrain, source: Source, raw: RawTerrain | None, context: AssetContext) -> int | None:
    """The layers baked; without layers the material that was set by hand."""
    if terrain.layers:
        material = terrain_material(
            terrain, source, context.request, context.options.max_texture_size, context.diagnostics
        )
        return context.add_material(material)
    return None if raw is None else context.material(raw.material, terrain.geometry)
