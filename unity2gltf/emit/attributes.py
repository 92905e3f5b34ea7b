"""Vertex attributes and morph targets of a geometry, written once and shared by all meshes that use it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..codes import MESH_ATTRIBUTE_DROPPED, SHAPE_FRAMES, UV_SETS_RENUMBERED
from ..ir import F32, Geometry
from ..text import counted
from .accessors import add_attribute
from .context import Context, require
from .morphs import target_names, write_targets


@dataclass(frozen=True, slots=True)
class WrittenGeometry:
    """Accessors by attribute name; ``wide_uvs`` are those of three or four components, by the name ``_UVn``.
    ``uv_sets``: Unity's UV set to glTF's. ``color``: for COLOR_0 or ``_COLOR``."""

    attributes: dict[str, int]
    wide_uvs: dict[str, int]
    uv_sets: dict[int, int]
    color: int | None
    targets: list[dict[str, int]]
    target_names: list[str]

    @property
    def renumbered(self) -> bool:
        return any(unity != written for unity, written in self.uv_sets.items())


def write_geometry(context: Context, index: int) -> WrittenGeometry:
    """The accessors of geometry ``index``, written when first asked for."""
    if index not in context.geometries:
        geometry = context.asset.geometries[index]
        uv_sets = {unity: written for written, unity in enumerate(sorted(geometry.uvs))}
        written = WrittenGeometry(
            attributes=_base_attributes(context, geometry) | _uv_attributes(context, geometry),
            wide_uvs=_wide_uvs(context, geometry),
            uv_sets=uv_sets,
            color=_color(context, geometry),
            targets=write_targets(context, index),
            target_names=target_names(context, geometry.shapes),
        )
        if written.renumbered:
            text = f"UV sets {sorted(geometry.uvs)} of the mesh are sets 0 to {len(uv_sets) - 1} in the file"
            context.diagnostics.add(UV_SETS_RENUMBERED, text, sets=sorted(geometry.uvs))
        several = sum(len(shape.frames) > 1 for shape in geometry.shapes)
        if several:
            told = counted(several, "blend shape has", "blend shapes have")
            text = f"{told} several frames: each frame is a morph target of its own"
            context.diagnostics.add(SHAPE_FRAMES, text, count=several)
        context.geometries[index] = written
    return context.geometries[index]


def color_bytes(colors: F32) -> NDArray[np.uint8] | None:
    """Colours (V, 4) as normalised bytes when every value is exactly k / 255 in float32, else None."""
    scaled = np.rint(colors * np.float32(255))
    in_range = bool(((scaled >= 0) & (scaled <= 255)).all())
    return scaled.astype(np.uint8) if in_range and np.array_equal(scaled / np.float32(255), colors) else None


def _base_attributes(context: Context, geometry: Geometry) -> dict[str, int]:
    require(geometry.vertex_count > 0, "a mesh without vertices cannot be written")
    attributes = {"POSITION": add_attribute(context, geometry.positions, bounds=True)}
    if geometry.normals is not None:
        attributes["NORMAL"] = _attribute(context, geometry, geometry.normals)
    if geometry.tangents is not None and geometry.normals is not None:
        attributes["TANGENT"] = _attribute(context, geometry, geometry.tangents)
    elif geometry.tangents is not None:
        text = "tangents without normals have no meaning in glTF; they were left out"
        context.diagnostics.add(MESH_ATTRIBUTE_DROPPED, text, attribute="TANGENT")
    return attributes


def _uv_attributes(context: Context, geometry: Geometry) -> dict[str, int]:
    """TEXCOORD_n without gaps: the first two components of every set, in Unity's order."""
    ordered = [geometry.uvs[number] for number in sorted(geometry.uvs)]
    return {f"TEXCOORD_{n}": _attribute(context, geometry, uv[:, :2]) for n, uv in enumerate(ordered)}


def _wide_uvs(context: Context, geometry: Geometry) -> dict[str, int]:
    """The whole of each set of three or four components, as ``_UV`` + Unity's number."""
    wide = {number: uv for number, uv in sorted(geometry.uvs.items()) if uv.shape[1] > 2}
    return {f"_UV{number}": _attribute(context, geometry, uv) for number, uv in wide.items()}


def _color(context: Context, geometry: Geometry) -> int | None:
    if geometry.colors is None:
        return None
    packed = color_bytes(geometry.colors)
    if packed is None:
        return _attribute(context, geometry, geometry.colors)
    return add_attribute(context, packed, normalized=True)


def _attribute(context: Context, geometry: Geometry, array: F32) -> int:
    require(len(array) == geometry.vertex_count, "a vertex attribute does not match the vertices in number")
    return add_attribute(context, array)
