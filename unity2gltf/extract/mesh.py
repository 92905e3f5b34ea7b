"""Mesh objects of every version to :class:`raw.RawMesh`, undecoded.

What changed: 3.4 separate arrays; 3.5 m_VertexData with four named streams; 4.0 m_Channels and a stream list; 4.1 a
list of one-frame shapes; 4.3 BlendShapeData and bone hashes; 2018.2 no m_Skin; 2018.3 m_StreamData; 2019.1
m_VariableBoneCountWeights. The type tree says which fields there are, so nothing here asks for the version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..math3d import name_hash
from ..raw import Bytes, RawBlendShapes, RawChannel, RawMesh, RawStream, RawSubMesh
from ..source import Source
from .objects import Fields
from .packed import read_packed

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile


FIELDS = frozenset(
    [
        "m_Name",
        "m_SubMeshes",
        "m_Shapes",
        "m_ShapeVertices",
        "m_BindPose",
        "m_BoneNameHashes",
        "m_RootBoneNameHash",
        "m_VariableBoneCountWeights",
        "m_MeshCompression",
        "m_IndexFormat",
        "m_Use16BitIndices",
        "m_IndexBuffer",
        "m_VertexData",
        "m_CompressedMesh",
        "m_StreamData",
        "m_Skin",
        "m_Vertices",
        "m_Normals",
        "m_Tangents",
        "m_UV",
        "m_UV1",
        "m_Colors",
    ]
)

SEPARATE = {
    "vertices": "m_Vertices",
    "normals": "m_Normals",
    "tangents": "m_Tangents",
    "uv": "m_UV",
    "uv1": "m_UV1",
    "colors": "m_Colors",
}

_NO_HASHES = np.zeros(0, np.uint32)


def read_mesh(root: ContentRoot, source: Source) -> RawMesh:
    """A mesh with the bytes of its .resS range. Raises :class:`diagnostics.Fault`."""
    file = root.file(source)
    fields = root.read(source, FIELDS)
    vertex_data = fields.get("m_VertexData", {})
    separate = _separate(fields)
    count = int(vertex_data["m_VertexCount"]) if vertex_data else len(separate.get("vertices", ()))
    compressed = fields.get("m_CompressedMesh", {})
    return RawMesh(
        source=source,
        name=str(fields.get("m_Name", "")),
        version=file.version,
        big_endian=file.big_endian,
        submeshes=_submeshes(fields["m_SubMeshes"]),
        index_buffer=fields["m_IndexBuffer"],
        index_format=_index_format(fields),
        vertex_count=count,
        channels=_channels(vertex_data),
        streams=_streams(vertex_data),
        vertex_data=_vertex_bytes(root, file, fields, vertex_data),
        separate=separate,
        mesh_compression=int(fields.get("m_MeshCompression", 0)),
        compressed={name: read_packed(value) for name, value in compressed.items() if isinstance(value, dict)},
        uv_info=compressed.get("m_UVInfo"),
        skin=_skin(fields.get("m_Skin")),
        variable_weights=_variable_weights(fields.get("m_VariableBoneCountWeights")),
        bind_poses=np.asarray(fields["m_BindPose"], np.float32).reshape(-1, 4, 4),
        bone_name_hashes=np.asarray(fields.get("m_BoneNameHashes", _NO_HASHES), np.uint32),
        root_bone_name_hash=int(fields.get("m_RootBoneNameHash", 0)),
        shapes=_shapes(fields),
    )


def _index_format(fields: Fields) -> int:
    if "m_Use16BitIndices" in fields:  # 3.4: before that field went, 0 meant 32 bit
        return 0 if fields["m_Use16BitIndices"] else 1
    return int(fields.get("m_IndexFormat", 0))


def _submeshes(array: NDArray[Any]) -> tuple[RawSubMesh, ...]:
    names = array.dtype.names or ()
    topology = "topology" if "topology" in names else "isTriStrip"
    columns = ["firstByte", "indexCount", topology, "baseVertex", "firstVertex", "vertexCount"]
    rows = zip(*[array[name].tolist() if name in names else [0] * len(array) for name in columns], strict=True)
    return tuple(
        RawSubMesh(
            first_byte=first_byte,
            index_count=count,
            topology=min(kind, 1) if topology == "isTriStrip" else kind,  # 2 was seen for a strip, in Unity 3.0
            base_vertex=base,
            first_vertex=first,
            vertex_count=vertices,
        )
        for first_byte, count, kind, base, first, vertices in rows
    )


def _channels(vertex_data: Fields) -> tuple[RawChannel, ...]:
    array = vertex_data.get("m_Channels")
    if array is None:
        return ()
    return tuple(
        RawChannel(stream=stream, offset=offset, format=format_, dimension=dimension)
        for stream, offset, format_, dimension in array[["stream", "offset", "format", "dimension"]].tolist()
    )


def _streams(vertex_data: Fields) -> tuple[RawStream, ...] | None:
    array = vertex_data.get("m_Streams")
    if array is not None:
        rows = array[["channelMask", "offset", "stride"]].tolist()
        return tuple(RawStream(channel_mask=mask, offset=offset, stride=stride) for mask, offset, stride in rows)
    named = [vertex_data[name] for name in (f"m_Streams[{number}]" for number in range(4)) if name in vertex_data]
    if not named:
        return None
    return tuple(
        RawStream(channel_mask=stream["channelMask"], offset=stream["offset"], stride=stream["stride"])
        for stream in named
    )


def _vertex_bytes(root: ContentRoot, file: GameFile, fields: Fields, vertex_data: Fields) -> Bytes:
    stream = fields.get("m_StreamData")
    if stream and stream["path"]:
        return root.resource(file, stream["path"], int(stream["offset"]), int(stream["size"]))
    stored: Bytes = vertex_data.get("m_DataSize", b"")
    return stored


def _separate(fields: Fields) -> dict[str, NDArray[Any]]:
    found = {key: np.asarray(fields[name]) for key, name in SEPARATE.items() if name in fields}
    colors = found.get("colors")
    if colors is not None:  # one 32-bit number a vertex, its bytes red to alpha
        found["colors"] = np.ascontiguousarray(colors).view(np.uint8).reshape(-1, 4)
    return found


def _skin(array: NDArray[Any] | None) -> tuple[NDArray[np.float32], NDArray[np.int32]] | None:
    if array is None or not len(array):
        return None
    order = array.dtype["weight[0]"].byteorder
    order = order if order in "<>" else "<"
    words = np.ascontiguousarray(array).view(order + "u4").reshape(-1, 8)
    return words[:, :4].view(order + "f4"), words[:, 4:].view(order + "i4")


def _variable_weights(fields: Fields | None) -> NDArray[np.uint32] | None:
    data = fields["m_Data"] if fields else ()
    return np.asarray(data, np.uint32) if len(data) else None


def _shapes(fields: Fields) -> RawBlendShapes | None:
    stored = fields.get("m_Shapes")
    if stored is None:
        return None
    shapes = _one_frame_shapes(stored, fields["m_ShapeVertices"]) if isinstance(stored, list) else _frames(stored)
    return shapes if shapes is not None and shapes.channels else None


def _frames(stored: Fields) -> RawBlendShapes:
    """4.3 and later."""
    frames = stored["shapes"]
    columns = ["firstVertex", "vertexCount", "hasNormals", "hasTangents"]
    return RawBlendShapes(
        **_entries(stored["vertices"]),
        shapes=tuple((first, count, bool(n), bool(t)) for first, count, n, t in frames[columns].tolist()),
        channels=tuple((c["name"], c["nameHash"], c["frameIndex"], c["frameCount"]) for c in stored["channels"]),
        full_weights=np.asarray(stored["fullWeights"], np.float32),
    )


def _one_frame_shapes(stored: list[Fields], vertices: NDArray[Any]) -> RawBlendShapes:
    """4.1 and 4.2: a named range a shape, drawn in full at weight 100."""
    return RawBlendShapes(
        **_entries(vertices),
        shapes=tuple((s["firstVertex"], s["vertexCount"], s["hasNormals"], s["hasTangents"]) for s in stored),
        channels=tuple((s["name"], name_hash(s["name"]), number, 1) for number, s in enumerate(stored)),
        full_weights=np.full(len(stored), 100, np.float32),
    )


def _entries(array: NDArray[Any]) -> dict[str, Any]:
    return {
        "index": array["index"],
        "position": array["vertex"],
        "normal": array["normal"],
        "tangent": array["tangent"],
    }
