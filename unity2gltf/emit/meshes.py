"""Meshes and their primitives."""

from __future__ import annotations

from typing import Any

import pygltflib

from ..codes import SHAPE_DENSE, VERTEX_COLORS_IGNORED
from ..ir import Asset, Mesh, Primitive, Submesh
from .accessors import add_indices
from .attributes import WrittenGeometry, write_geometry
from .context import Context, marked, require
from .frames import plan_morphs, sparse_saving
from .influences import skin_attributes
from .materials import material_with_uvs
from .morphs import target_weights

_WORTH_TELLING = 16 << 20  # bytes


def write_meshes(context: Context) -> None:
    """One glTF mesh for each of the asset's, in order; those of one geometry share its accessors."""
    context.morphs = plan_morphs(context.asset)
    saving = sparse_saving(context.asset, context.morphs)
    if not context.sparse_morphs and saving >= _WORTH_TELLING:
        text = f"morph targets are dense, as all readers take them; --morphs sparse would save {saving >> 20} MiB"
        context.diagnostics.add(SHAPE_DENSE, text, bytes=saving)
    joint_counts = _joint_counts(context.asset)
    for mesh, joint_count in zip(context.asset.meshes, joint_counts, strict=True):
        geometry = context.asset.geometries[mesh.geometry]
        with context.diagnostics.at(geometry.source.place(geometry.name), geometry.source):
            context.gltf.meshes.append(_mesh(context, mesh, joint_count))


def _joint_counts(asset: Asset) -> list[int]:
    """For each mesh the most joints of a skin that a node joins with it: JOINTS must be wide enough for all."""
    counts = [0] * len(asset.meshes)
    for node in asset.nodes:
        if node.mesh is not None and node.skin is not None:
            counts[node.mesh] = max(counts[node.mesh], len(asset.skins[node.skin].joints))
    return counts


def _mesh(context: Context, mesh: Mesh, joint_count: int) -> pygltflib.Mesh:
    geometry = context.asset.geometries[mesh.geometry]
    written = write_geometry(context, mesh.geometry)
    skinned = skin_attributes(context, mesh, joint_count)
    if written.color is not None and not all(primitive.vertex_colors for primitive in mesh.primitives):
        context.once(("colours aside", mesh.geometry), lambda: _report_colors(context))
    extras = marked(geometry.source, **({"stub": True} if geometry.stub else {}))
    if written.target_names:
        extras["targetNames"] = written.target_names
    return pygltflib.Mesh(
        name=context.text(geometry.name),
        primitives=[_primitive(context, mesh, primitive, written, skinned) for primitive in mesh.primitives],
        weights=target_weights(geometry.shapes, mesh.weights),
        extras=extras,
    )


def _primitive(
    context: Context, mesh: Mesh, primitive: Primitive, written: WrittenGeometry, skinned: dict[str, int]
) -> pygltflib.Primitive:
    submesh = context.asset.geometries[mesh.geometry].submeshes[primitive.submesh]
    custom = _custom_attributes(written, primitive)
    attributes = written.attributes | _color_attribute(written, primitive) | skinned
    if context.custom_attributes:
        attributes |= custom
    return pygltflib.Primitive(
        attributes=pygltflib.Attributes(**attributes),
        indices=context.once(("indices", mesh.geometry, primitive.submesh), lambda: _indices(context, mesh, submesh)),
        mode=int(submesh.topology),
        material=_material(context, primitive, written),
        targets=[pygltflib.Attributes(**target) for target in written.targets],
        extras=_primitive_extras(submesh, written, {} if context.custom_attributes else custom),
    )


def _report_colors(context: Context) -> int:
    place = "the attribute _COLOR" if context.custom_attributes else "extras.unity.attributes"
    text = f"the shader does not multiply by vertex colours: they are kept in {place}"
    context.diagnostics.add(VERTEX_COLORS_IGNORED, text, attribute="_COLOR")
    return 0


def _color_attribute(written: WrittenGeometry, primitive: Primitive) -> dict[str, int]:
    """COLOR_0 multiplies the base colour: only where the shader does so too."""
    return {"COLOR_0": written.color} if primitive.vertex_colors and written.color is not None else {}


def _custom_attributes(written: WrittenGeometry, primitive: Primitive) -> dict[str, int]:
    """What no attribute of glTF stands for. Filament's loader refuses files with names of one's own, so they are
    attributes on request only; otherwise extras tell their accessors."""
    unused = {} if primitive.vertex_colors or written.color is None else {"_COLOR": written.color}
    return written.wide_uvs | unused


def _indices(context: Context, mesh: Mesh, submesh: Submesh) -> int:
    vertex_count = context.asset.geometries[mesh.geometry].vertex_count
    require(len(submesh.indices) > 0, "a submesh without indices cannot be written", submesh=submesh.number)
    require(
        int(submesh.indices.max()) < vertex_count, "a submesh draws vertices it does not have", submesh=submesh.number
    )
    return add_indices(context, submesh.indices)


def _material(context: Context, primitive: Primitive, written: WrittenGeometry) -> int | None:
    if primitive.material is None:
        return None
    return material_with_uvs(context, primitive.material, written.uv_sets)


def _primitive_extras(submesh: Submesh, written: WrittenGeometry, aside: dict[str, int]) -> dict[str, Any]:
    """``aside``: accessors that are kept in the file, but are not attributes."""
    unity: dict[str, Any] = {"submesh": submesh.number}
    if aside:
        unity["attributes"] = aside
    if written.renumbered:
        unity["uv"] = {str(gltf): number for number, gltf in written.uv_sets.items()}
    return {"unity": unity}
