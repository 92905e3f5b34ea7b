"""Real meshes as ``RawMesh``, read with UnityPy alone: the mesh tests' own way in, apart from ``extract``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import UnityPy
from UnityPy.helpers.ResourceReader import get_resource_data

from unity2gltf.raw import RawBlendShapes, RawChannel, RawMesh, RawPacked, RawSubMesh
from unity2gltf.source import Source


def meshes(path: Path) -> Iterator[tuple[RawMesh, Any]]:
    """Every mesh of a file with its UnityPy object; those whose .resS is absent are left out."""
    environment = UnityPy.load(str(path))
    for reader in environment.objects:
        if reader.type.name == "Mesh":
            try:
                yield to_raw(reader), reader
            except FileNotFoundError:
                continue


def to_raw(reader: Any) -> RawMesh:
    """A little-endian mesh of Unity 5.0 or later."""
    tree = reader.parse_as_dict()
    vertex, skin = tree["m_VertexData"], tree.get("m_Skin") or []
    stream = tree.get("m_StreamData") or {}
    data: Any = bytes(vertex["m_DataSize"])
    if stream.get("path"):
        data = bytes(get_resource_data(stream["path"], reader.assets_file, stream["offset"], stream["size"]))
    compressed = tree["m_CompressedMesh"]
    variable = tree.get("m_VariableBoneCountWeights", {}).get("m_Data")
    return RawMesh(
        source=Source("", reader.assets_file.name, reader.path_id, "Mesh"),
        name=tree["m_Name"],
        version=tuple(reader.version[:3]),
        big_endian=reader.assets_file.reader.endian == ">",
        submeshes=tuple(_submesh(item) for item in tree["m_SubMeshes"]),
        index_buffer=bytes(tree["m_IndexBuffer"]),
        index_format=tree.get("m_IndexFormat", 0),
        vertex_count=vertex["m_VertexCount"],
        channels=tuple(RawChannel(**channel) for channel in vertex["m_Channels"]),
        streams=None,
        vertex_data=data,
        mesh_compression=tree["m_MeshCompression"],
        compressed={name: _packed(item) for name, item in compressed.items() if isinstance(item, dict)},
        uv_info=compressed.get("m_UVInfo"),
        skin=_skin(skin) if skin else None,
        variable_weights=None if variable is None else np.array(variable, np.uint32),
        bind_poses=np.array([list(pose.values()) for pose in tree["m_BindPose"]], np.float32).reshape(-1, 4, 4),
        bone_name_hashes=np.array(tree["m_BoneNameHashes"], np.uint32),
        root_bone_name_hash=tree["m_RootBoneNameHash"],
        shapes=_shapes(tree["m_Shapes"]),
    )


def _submesh(item: dict[str, Any]) -> RawSubMesh:
    return RawSubMesh(
        first_byte=item["firstByte"],
        index_count=item["indexCount"],
        topology=item["topology"],
        base_vertex=item.get("baseVertex", 0),
        first_vertex=item["firstVertex"],
        vertex_count=item["vertexCount"],
    )


def _packed(item: dict[str, Any]) -> RawPacked:
    data = np.array(bytearray(item["m_Data"]), np.uint8)
    span = {"range": item.get("m_Range", 0.0), "start": item.get("m_Start", 0.0)}
    return RawPacked(num_items=item["m_NumItems"], bit_size=item["m_BitSize"], data=data, **span)


def _skin(entries: list[dict[str, Any]]) -> tuple[Any, Any]:
    rows = [list(entry.values()) for entry in entries]  # weight[0..3], boneIndex[0..3]
    return np.array([row[:4] for row in rows], np.float32), np.array([row[4:] for row in rows], np.int32)


def _shapes(tree: dict[str, Any]) -> RawBlendShapes | None:
    if not tree["channels"]:
        return None
    entries = tree["vertices"]

    def vectors(name: str) -> Any:
        rows = [(entry[name]["x"], entry[name]["y"], entry[name]["z"]) for entry in entries]
        return np.array(rows, np.float32).reshape(-1, 3)

    return RawBlendShapes(
        index=np.array([entry["index"] for entry in entries], np.uint32),
        position=vectors("vertex"),
        normal=vectors("normal"),
        tangent=vectors("tangent"),
        shapes=tuple(
            (s["firstVertex"], s["vertexCount"], bool(s["hasNormals"]), bool(s["hasTangents"])) for s in tree["shapes"]
        ),
        channels=tuple((c["name"], c["nameHash"], c["frameIndex"], c["frameCount"]) for c in tree["channels"]),
        full_weights=np.array(tree["fullWeights"], np.float32),
    )
