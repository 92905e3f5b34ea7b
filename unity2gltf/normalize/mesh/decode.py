"""One mesh: everything a ``raw.RawMesh`` holds, decoded to an ``ir.Geometry`` in Unity's space."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...ir import F32, Geometry, Influences
from ...raw import RawMesh
from ...text import counted
from .blendshapes import decode_shapes
from .formats import FLOAT
from .influences import dense_influences, rigid_influences, variable_influences
from .packed import unpack_attributes
from .packed_skin import unpack_bind_poses, unpack_skin
from .primitives import decode_submeshes
from .values import finite
from .vertex import Attribute, read_attributes, to_float

# Components of each attribute in the Geometry, and what a missing fourth one is.
SHAPES: Mapping[str, tuple[int, float]] = {"position": (3, 0), "normal": (3, 0), "tangent": (4, 1), "color": (4, 1)}
SKIN_ATTRIBUTES = ("blend_weight", "blend_indices")


def decode_mesh(raw: RawMesh, diagnostics: Diagnostics) -> Geometry:
    """Decode ``raw``: all arrays C-contiguous little-endian float32, UVs and winding as Unity has them.

    Raises :class:`Fault` when there are no usable positions (MESH_EMPTY when there are no vertices at all); whatever
    else is broken is reported and left out. The caller names the place (``diagnostics.at``).
    """
    with np.errstate(all="ignore"):  # overflow ends as infinity, which ``finite`` reports
        stored = read_attributes(raw, diagnostics)
        arrays = _arrays(raw, stored, diagnostics)
        positions = arrays.pop("position")
        submeshes = decode_submeshes(raw, len(positions), diagnostics)
        if not any(len(submesh.indices) for submesh in submeshes):
            diagnostics.add(codes.MESH_EMPTY, "no submesh has anything to draw", submeshes=len(submeshes))
        return Geometry(
            source=raw.source,
            name=raw.name,
            positions=positions,
            normals=arrays.pop("normal", None),
            tangents=arrays.pop("tangent", None),
            colors=arrays.pop("color", None),
            uvs={int(name[2:]): values for name, values in sorted(arrays.items())},
            submeshes=submeshes,
            shapes=decode_shapes(raw.shapes, len(positions), diagnostics) if raw.shapes else (),
            channel_influences=_channel_influences(raw, stored, len(positions), diagnostics),
            variable_influences=_variable_influences(raw, len(positions), diagnostics),
            bind_poses=_bind_poses(raw, diagnostics),
            bone_hashes=np.ascontiguousarray(raw.bone_name_hashes, np.uint32),
            root_bone_hash=raw.root_bone_name_hash,
        )


def _arrays(raw: RawMesh, stored: Mapping[str, Attribute], diagnostics: Diagnostics) -> dict[str, F32]:
    """All attributes but the skin's, in their final shape; what the compressed mesh holds goes before the channels."""
    arrays = {name: to_float(attribute) for name, attribute in stored.items() if name not in SKIN_ATTRIBUTES}
    arrays |= unpack_attributes(raw.compressed, raw.uv_info, diagnostics)
    count = len(arrays.get("position", ()))
    if count == 0 and raw.vertex_count == 0:
        raise Fault(codes.MESH_EMPTY, "the mesh has no vertices")
    if count == 0:
        raise Fault(
            codes.MESH_DATA_TRUNCATED,
            f"none of the {raw.vertex_count} vertices has a position that can be read",
            vertices=raw.vertex_count,
        )
    result = {}
    for name, values in arrays.items():
        if len(values) == count:
            result[name] = finite(name, _shaped(name, values), diagnostics)
        else:
            diagnostics.add(
                codes.MESH_DATA_TRUNCATED,
                f"{name} has {len(values)} rows for {count} vertices",
                attribute=name,
                rows=len(values),
                vertices=count,
            )
    return result


def _shaped(name: str, values: F32) -> F32:
    """Rows of the width that the Geometry has: 3 or 4, and 2 to 4 for UVs; missing components are filled in."""
    stored = values.shape[1]
    width, last = SHAPES.get(name, (min(max(stored, 2), 4), 0))
    if stored >= width:
        return np.ascontiguousarray(values[:, :width])
    result = np.zeros((len(values), width), np.float32)
    result[:, :stored] = values
    result[:, max(stored, 3) :] = last
    return result


def _channel_influences(
    raw: RawMesh, stored: Mapping[str, Attribute], vertex_count: int, diagnostics: Diagnostics
) -> Influences | None:
    """The form of at most four influences: vertex channels, else m_Skin, else the compressed skin."""
    with diagnostics.guard(codes.MESH_UNREADABLE, "skin"):
        if any(name in stored for name in SKIN_ATTRIBUTES):
            return _from_channels(stored.get("blend_weight"), stored.get("blend_indices"), vertex_count, diagnostics)
        dense = raw.skin if raw.skin and len(raw.skin[0]) else unpack_skin(raw.compressed, vertex_count)
        if dense is not None:
            _check_rows(len(dense[0]), vertex_count)
            return dense_influences(dense[0], dense[1], FLOAT.step, diagnostics)
    return None


def _check_rows(rows: int, vertex_count: int) -> None:
    if rows != vertex_count:
        raise Fault(codes.SKIN_WEIGHTS_INVALID, f"the skin has {rows} rows for {vertex_count} vertices", rows=rows)


def _from_channels(
    weights: Attribute | None, indices: Attribute | None, vertex_count: int, diagnostics: Diagnostics
) -> Influences:
    if indices is None:
        raise Fault(codes.SKIN_WEIGHTS_INVALID, "the vertices have bone weights but no bone indices")
    if indices.format.divisor or indices.values.dtype.kind == "f":
        raise Fault(codes.SKIN_WEIGHTS_INVALID, f"bone indices are stored as {indices.format.name}")
    _check_rows(len(indices.values), vertex_count)
    if weights is None:
        return rigid_influences(indices.values, diagnostics)
    _check_rows(len(weights.values), vertex_count)
    values = weights.values if weights.values.dtype.kind == "f" else to_float(weights)
    paired = min(values.shape[1], indices.values.shape[1])
    lone = int(np.count_nonzero(values[:, paired:]))
    if lone:
        text = f"{counted(lone, 'weight')} without a bone index counted as 0"
        diagnostics.add(codes.SKIN_WEIGHTS_INVALID, text, weights=lone)
    return dense_influences(values[:, :paired], indices.values[:, :paired], weights.format.step, diagnostics)


def _variable_influences(raw: RawMesh, vertex_count: int, diagnostics: Diagnostics) -> Influences | None:
    if raw.variable_weights is None or len(raw.variable_weights) == 0:
        return None
    return variable_influences(raw.variable_weights, vertex_count, diagnostics)


def _bind_poses(raw: RawMesh, diagnostics: Diagnostics) -> F32:
    """(B, 4, 4) as stored; checking them is the skin's part."""
    if len(raw.bind_poses) == 0:
        with diagnostics.guard(codes.MESH_UNREADABLE, "compressed bind poses"):
            packed = unpack_bind_poses(raw.compressed)
            if packed is not None:
                return packed
    return np.require(raw.bind_poses, np.float32, ["C", "A"]).reshape(-1, 4, 4)
