"""A mesh's content as the fields of Unity's Mesh: vertex streams, submeshes, skin in both forms, blend shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..math3d import name_hash
from .shapes import Surface, tangents
from .values import bounds, matrix
from .writer import FileBuilder, Order

F32 = NDArray[np.float32]

FORMATS_2017 = {"float": 0, "unorm8": 2, "uint32": 11}
FORMATS_2019 = {"float": 0, "unorm8": 2, "uint32": 10}
"""Vertex formats by Unity version; the enumeration changed in 2019.1."""

CHANNELS = {"position": 0, "normal": 1, "tangent": 2, "color": 3, "uv": 4, "weights": 12, "joints": 13}
"""Channel numbers from 2018 on."""

STREAMS = (("position", "normal", "tangent"), ("color", "uv"), ("weights", "joints"))


@dataclass(frozen=True, slots=True, eq=False)
class Skinning:
    """Ragged influences: vertex v has entries ``offsets[v]:offsets[v + 1]``, heaviest first, in units of 1 / 65535
    that sum to 65535. ``bind_poses`` (B, 4, 4); ``bone_paths`` name the bones from the hierarchy's root."""

    offsets: NDArray[np.int64]
    joints: NDArray[np.int32]
    units: NDArray[np.int64]
    bind_poses: NDArray[np.float64]
    bone_paths: tuple[str, ...]

    def variable_data(self) -> NDArray[np.uint32]:
        """m_VariableBoneCountWeights: start offsets in words, then one word an influence (weight high, bone low)."""
        starts = self.offsets + len(self.offsets)
        return np.concatenate([starts, (self.units << 16) | self.joints]).astype(np.uint32)

    def channels(self) -> tuple[F32, NDArray[np.uint32]]:
        """The four heaviest of each vertex, renormalised: weights (V, 4) and joints (V, 4), empty slots 0."""
        count = np.diff(self.offsets)
        slot = np.arange(4)
        present = slot < count[:, None]
        entry = np.where(present, self.offsets[:-1, None] + slot, 0)
        weights = np.where(present, self.units[entry], 0).astype(np.float64)
        weights /= weights.sum(axis=1, keepdims=True)
        return weights.astype(np.float32), np.where(present, self.joints[entry], 0).astype(np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One blend-shape frame: at ``full_weight`` (0..100) vertices ``index`` (K,) move by ``position`` (K, 3)."""

    full_weight: float
    index: NDArray[np.int64]
    position: NDArray[np.float64]
    normal: NDArray[np.float64] | None = None
    tangent: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MeshContent:
    """``submeshes`` are (T, 3) triangles; ``colors`` (V, 4) uint8; ``shapes`` frames by channel name, ascending."""

    name: str
    positions: F32
    normals: F32
    tangents: F32
    uv: F32
    submeshes: tuple[NDArray[np.int64], ...]
    colors: NDArray[np.uint8] | None = None
    skin: Skinning | None = None
    shapes: Mapping[str, tuple[Frame, ...]] = field(default_factory=dict)


def surface_mesh(name: str, surface: Surface, normal: NDArray[np.float64], **more: Any) -> MeshContent:
    """A surface as a mesh of one submesh, unless ``more`` says else; ``normal`` (V, 3) are its normals."""
    values: dict[str, Any] = {
        "positions": surface.positions.astype(np.float32),
        "normals": normal.astype(np.float32),
        "tangents": tangents(surface, normal).astype(np.float32),
        "uv": surface.uv.astype(np.float32),
        "submeshes": (surface.triangles,),
    }
    return MeshContent(name=name, **{**values, **more})


VERTEX = np.dtype([("vertex", "f4", 3), ("normal", "f4", 3), ("tangent", "f4", 3), ("index", "u4")])
"""BlendShapeVertex."""


def mesh_fields(
    mesh: MeshContent, file: FileBuilder, stream: Callable[[bytes], dict[str, Any]] | None = None
) -> dict[str, Any]:
    """The fields of a Mesh for 2018.2 on. ``stream`` takes the vertex bytes to a .resS file and says where they are."""
    channels, data = vertex_data(mesh, file)
    fields: dict[str, Any] = {
        "m_Name": mesh.name,
        "m_SubMeshes": submesh_fields(mesh),
        "m_Shapes": shape_fields(mesh.shapes),
        "m_IsReadable": True,
        "m_KeepVertices": True,
        "m_KeepIndices": True,
        "m_IndexFormat": int(len(mesh.positions) > 0xFFFF),
        "m_IndexBuffer": index_bytes(mesh, file.order),
        "m_VertexData": {"m_VertexCount": len(mesh.positions), "m_Channels": channels, "m_DataSize": data},
        "m_LocalAABB": bounds(mesh.positions),
    }
    if stream is not None:
        fields["m_StreamData"] = stream(data)
        fields["m_VertexData"]["m_DataSize"] = b""
    return fields | (skin_fields(mesh.skin) if mesh.skin else {})


def vertex_data(mesh: MeshContent, file: FileBuilder) -> tuple[list[dict[str, int]], bytes]:
    """m_Channels and the bytes of the streams, each starting at a multiple of 16."""
    modern = int(file.version.split(".")[0]) >= 2019
    formats = FORMATS_2019 if modern else FORMATS_2017
    channels = [{"stream": 0, "offset": 0, "format": 0, "dimension": 0} for _ in range(14)]
    data = bytearray()
    present = _attributes(mesh)
    streams = [[name for name in names if name in present] for names in STREAMS]
    for number, names in enumerate([names for names in streams if names]):
        records = _interleave({name: present[name] for name in names}, file.order)
        offsets: Mapping[str, Any] = records.dtype.fields or {}
        for name in names:
            values = present[name]
            kind = {"f": "float", "u": "uint32" if values.itemsize == 4 else "unorm8"}[values.dtype.kind]
            offset = offsets[name][1]
            layout = {"stream": number, "offset": offset, "format": formats[kind], "dimension": values.shape[1]}
            channels[CHANNELS[name]] = layout
        data += bytes(-len(data) % 16) + records.tobytes()
    return channels, bytes(data)


def _attributes(mesh: MeshContent) -> dict[str, NDArray[Any]]:
    present: dict[str, NDArray[Any]] = {
        "position": mesh.positions,
        "normal": mesh.normals,
        "tangent": mesh.tangents,
        "uv": mesh.uv,
    }
    if mesh.colors is not None:
        present["color"] = mesh.colors
    if mesh.skin is not None:
        present["weights"], present["joints"] = mesh.skin.channels()
    return present


def _interleave(columns: Mapping[str, NDArray[Any]], order: Order) -> NDArray[Any]:
    layout = [(name, values.dtype.newbyteorder(order), values.shape[1]) for name, values in columns.items()]
    records = np.zeros(len(next(iter(columns.values()))), layout)
    for name, values in columns.items():
        records[name] = values
    return records


def index_bytes(mesh: MeshContent, order: Order) -> bytes:
    """All submeshes' indices, 16 bit up to 65,535 vertices."""
    kind = np.dtype(np.uint32 if len(mesh.positions) > 0xFFFF else np.uint16).newbyteorder(order)
    return b"".join(triangles.astype(kind).tobytes() for triangles in mesh.submeshes)


def submesh_fields(mesh: MeshContent) -> list[dict[str, Any]]:
    """m_SubMeshes: ranges of the index buffer in order."""
    width = 4 if len(mesh.positions) > 0xFFFF else 2
    fields, start = [], 0
    for triangles in mesh.submeshes:
        low, high = int(triangles.min()), int(triangles.max())
        entry = {"firstByte": start, "indexCount": triangles.size, "firstVertex": low, "vertexCount": high - low + 1}
        fields.append(entry | {"localAABB": bounds(mesh.positions[low : high + 1])})
        start += triangles.size * width
    return fields


def skin_fields(skin: Skinning) -> dict[str, Any]:
    """Bind poses, bone hashes and, from 2019.1 on, the influences without a limit."""
    return {
        "m_BindPose": [matrix(pose) for pose in skin.bind_poses],
        "m_BoneNameHashes": [name_hash(path) for path in skin.bone_paths],
        "m_RootBoneNameHash": name_hash(skin.bone_paths[0]),
        "?m_VariableBoneCountWeights": {"m_Data": skin.variable_data()},
    }


def shape_fields(shapes: Mapping[str, tuple[Frame, ...]]) -> dict[str, Any]:
    """m_Shapes: sparse vertices of all frames in a row, frames, channels and full weights."""
    frames = [frame for channel in shapes.values() for frame in channel]
    starts = np.cumsum([0, *(len(frame.index) for frame in frames)]).tolist()
    firsts = np.cumsum([0, *(len(channel) for channel in shapes.values())]).tolist()
    records = [_shape_vertices(frame) for frame in frames]
    return {
        "vertices": np.concatenate(records) if records else [],
        "shapes": [
            {
                "firstVertex": start,
                "vertexCount": len(frame.index),
                "hasNormals": frame.normal is not None,
                "hasTangents": frame.tangent is not None,
            }
            for frame, start in zip(frames, starts, strict=False)
        ],
        "channels": [
            {"name": name, "nameHash": name_hash(name), "frameIndex": first, "frameCount": len(channel)}
            for (name, channel), first in zip(shapes.items(), firsts, strict=False)
        ],
        "fullWeights": [frame.full_weight for frame in frames],
    }


def _shape_vertices(frame: Frame) -> NDArray[Any]:
    records = np.zeros(len(frame.index), VERTEX)
    records["index"], records["vertex"] = frame.index, frame.position
    if frame.normal is not None:
        records["normal"] = frame.normal
    if frame.tangent is not None:
        records["tangent"] = frame.tangent
    return records
