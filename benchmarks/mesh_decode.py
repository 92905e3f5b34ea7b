"""Mesh decoding against UnityPy's MeshHandler: vertices a second on one mesh, both in this process.

    python benchmarks/mesh_decode.py [VERTICES]

The mesh has positions, normals, tangents, colours, two UV sets and a four-bone skin in three streams, and as many
triangles as vertices. Both sides decode all of it: MeshHandler to lists of tuples, ours to arrays, with colours
normalised and the skin checked and made ragged as well.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
from timing import seconds
from UnityPy.classes.generated import ChannelInfo, CompressedMesh, Mesh, PackedBitVector, VertexData
from UnityPy.helpers.MeshHelper import MeshHandler

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.mesh.decode import decode_mesh
from unity2gltf.raw import RawChannel, RawMesh, RawSubMesh
from unity2gltf.source import Source

VERSION = (2021, 3, 5)
PRESENT = {  # channel number: (stream, offset, format, dimension)
    0: (0, 0, 0, 3),
    1: (0, 12, 0, 3),
    2: (0, 24, 0, 4),
    3: (1, 0, 2, 4),
    4: (1, 4, 0, 2),
    5: (1, 12, 0, 2),
    12: (2, 0, 0, 4),
    13: (2, 16, 10, 4),
}
PACKED = ("m_Vertices", "m_UV", "m_Normals", "m_Tangents", "m_Weights", "m_NormalSigns", "m_TangentSigns")
PACKED += ("m_FloatColors", "m_BoneIndices", "m_Triangles")


def vertex_bytes(count: int, rng: np.random.Generator) -> bytes:
    """Three streams, each padded to 16 bytes."""
    weights = -np.sort(-rng.random((count, 4)).astype("<f4"), axis=1)  # heaviest first, as Unity stores them
    weights /= weights.sum(axis=1, keepdims=True)
    bones = rng.permuted(np.tile(np.arange(60, dtype="<u4"), (count, 1))[:, :8], axis=1)[:, :4]
    streams = [
        rng.standard_normal((count, 10)).astype("<f4").view(np.uint8).reshape(count, -1),
        rng.integers(0, 256, (count, 20)).astype(np.uint8),
        np.hstack([weights.view(np.uint8), np.ascontiguousarray(bones).view(np.uint8)]),
    ]
    streams[1][:, 4:] = rng.random((count, 4)).astype("<f4").view(np.uint8).reshape(count, -1)
    return b"".join(stream.tobytes() + b"\0" * (-stream.size % 16) for stream in streams)


def main(count: int) -> None:
    rng = np.random.default_rng(1)
    data = vertex_bytes(count, rng)
    indices = rng.integers(0, count, 3 * count).astype("<u4").tobytes()
    places = [PRESENT.get(number, (0, 0, 0, 0)) for number in range(14)]
    keys = ("stream", "offset", "format", "dimension")
    raw = RawMesh(
        source=Source("", "benchmark", 1, "Mesh"),
        name="benchmark",
        version=VERSION,
        big_endian=False,
        submeshes=(RawSubMesh(first_byte=0, index_count=3 * count, topology=0, vertex_count=count),),
        index_buffer=indices,
        index_format=1,
        vertex_count=count,
        channels=tuple(RawChannel(**dict(zip(keys, place, strict=True))) for place in places),
        streams=None,
        vertex_data=data,
        bind_poses=np.zeros((0, 4, 4), np.float32),
        bone_name_hashes=np.zeros(0, np.uint32),
    )
    mesh = _unitypy_mesh(raw, data, indices)
    ours = seconds(lambda: decode_mesh(raw, Diagnostics()), 15)
    theirs = seconds(lambda: _handle(mesh), 3)
    print(f"decode_mesh  {count / ours:14,.0f} vertices/s  {ours * 1e3:9.1f} ms")
    print(f"MeshHandler  {count / theirs:14,.0f} vertices/s  {theirs * 1e3:9.1f} ms")
    print(f"ratio        {theirs / ours:14.1f}")


def _handle(mesh: Any) -> None:
    handler = MeshHandler(mesh, (*VERSION, 0))
    handler.process()
    handler.get_triangles()


def _unitypy_mesh(raw: RawMesh, data: bytes, indices: bytes) -> Any:
    """The same mesh as UnityPy's object, with only what MeshHandler reads."""
    empty = PackedBitVector(m_Data=[], m_NumItems=0, m_BitSize=0, m_Range=0.0, m_Start=0.0)
    channels = [
        ChannelInfo(stream=c.stream, offset=c.offset, format=c.format, dimension=c.dimension) for c in raw.channels
    ]
    mesh = Mesh.__new__(Mesh)
    values = {name: None for name in Mesh.__annotations__}
    values |= {
        "m_VertexData": VertexData(m_DataSize=data, m_VertexCount=raw.vertex_count, m_Channels=channels),
        "m_CompressedMesh": CompressedMesh(**dict.fromkeys(PACKED, empty), m_UVInfo=0),
        "m_IndexBuffer": list(indices),
        "m_IndexFormat": raw.index_format,
        "m_SubMeshes": [SimpleNamespace(firstByte=0, indexCount=len(indices) // 4, topology=0)],
        "m_MeshCompression": 0,
    }
    for name, value in values.items():
        object.__setattr__(mesh, name, value)
    return mesh


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500_000)
