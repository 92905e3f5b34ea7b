"""Influences, channels, submeshes and shapes: hand-computed layouts."""

from __future__ import annotations

import numpy as np
import pytest

from unity2gltf.math3d import name_hash
from unity2gltf.sample import FileBuilder, Frame, MeshContent, Skinning, mesh_fields
from unity2gltf.sample.meshdata import shape_fields, vertex_data

SKIN = Skinning(
    offsets=np.array([0, 5, 6]),
    joints=np.array([3, 1, 0, 2, 4, 7], np.int32),
    units=np.array([30000, 20000, 10000, 5000, 535, 65535]),
    bind_poses=np.eye(4)[None].repeat(8, 0),
    bone_paths=tuple(f"b{i}" for i in range(8)),
)


def triangle(**more: object) -> MeshContent:
    corners = np.array([[0, 0, 0], [0, 1, 0]], np.float32)
    fields = {
        "name": "T",
        "positions": corners,
        "normals": corners + np.float32([0, 0, 1]),
        "tangents": np.ones((2, 4), np.float32),
        "uv": np.float32([[0.25, 0.5], [0.75, 1.0]]),
        "submeshes": (np.array([[0, 1, 1]]), np.array([[1, 0, 1], [1, 1, 0]])),
    }
    return MeshContent(**(fields | more))  # type: ignore[arg-type]


def test_variable_data_words() -> None:
    words = SKIN.variable_data().tolist()
    assert words[:3] == [3, 8, 9], "V + 1 offsets in words from the start, the last one the length"
    assert words[3:] == [
        (30000 << 16) | 3,
        (20000 << 16) | 1,
        (10000 << 16),
        (5000 << 16) | 2,
        (535 << 16) | 4,
        0xFFFF0007,
    ]


def test_channels_are_the_first_four_renormalised() -> None:
    weights, joints = SKIN.channels()
    assert weights[0] == pytest.approx(np.array([30000, 20000, 10000, 5000]) / 65000)
    assert weights[1].tolist() == [1, 0, 0, 0]
    assert joints.tolist() == [[3, 1, 0, 2], [7, 0, 0, 0]]


@pytest.mark.parametrize(("version", "unorm8", "uint32"), [("2018.4.30f1", 2, 11), ("2022.3.20f1", 2, 10)])
def test_streams_start_at_multiples_of_16(version: str, unorm8: int, uint32: int) -> None:
    mesh = triangle(skin=SKIN, colors=np.full((2, 4), 9, np.uint8))
    channels, data = vertex_data(mesh, FileBuilder(version))
    layouts = {i: tuple(channel.values()) for i, channel in enumerate(channels) if channel["dimension"]}
    assert layouts == {
        0: (0, 0, 0, 3),
        1: (0, 12, 0, 3),
        2: (0, 24, 0, 4),
        3: (1, 0, unorm8, 4),
        4: (1, 4, 0, 2),
        12: (2, 0, 0, 4),
        13: (2, 16, uint32, 4),
    }
    assert len(data) == 80 + 24 + 8 + 64  # stream 1 ends at 104, stream 2 starts at 112
    assert np.frombuffer(data, "<f4", 2, 80 + 4).tolist() == [0.25, 0.5]
    assert np.frombuffer(data, "<u4", 4, 112 + 32 + 16).tolist() == [7, 0, 0, 0]


def test_streams_without_skin_and_colour() -> None:
    channels, data = vertex_data(triangle(), FileBuilder("2022.3.20f1"))
    assert [i for i, channel in enumerate(channels) if channel["dimension"]] == [0, 1, 2, 4]
    assert len(data) == 80 + 16


def test_submesh_ranges_and_bytes() -> None:
    fields = mesh_fields(triangle(), FileBuilder("2022.3.20f1"))
    assert [(s["firstByte"], s["indexCount"]) for s in fields["m_SubMeshes"]] == [(0, 3), (6, 6)]
    assert np.frombuffer(fields["m_IndexBuffer"], "<u2").tolist() == [0, 1, 1, 1, 0, 1, 1, 1, 0]


def test_streamed_vertices_leave_the_object() -> None:
    taken: list[bytes] = []

    def stream(data: bytes) -> dict[str, object]:
        taken.append(data)
        return {"offset": 48, "size": len(data), "path": "x.resS"}

    fields = mesh_fields(triangle(), FileBuilder("2022.3.20f1"), stream)
    assert fields["m_VertexData"]["m_DataSize"] == b""
    assert fields["m_StreamData"]["size"] == len(taken[0]) == 96


def test_shape_frames() -> None:
    def frame(weight: float, *index: int) -> Frame:
        return Frame(weight, np.array(index), np.full((len(index), 3), weight), normal=np.ones((len(index), 3)))

    fields = shape_fields({"A": (frame(50, 1), frame(100, 0, 1)), "ß": (frame(100, 0),)})
    assert fields["fullWeights"] == [50, 100, 100]
    assert [(c["name"], c["frameIndex"], c["frameCount"]) for c in fields["channels"]] == [("A", 0, 2), ("ß", 2, 1)]
    assert fields["channels"][1]["nameHash"] == name_hash("ß")
    assert [(s["firstVertex"], s["vertexCount"]) for s in fields["shapes"]] == [(0, 1), (1, 2), (3, 1)]
    assert all(s["hasNormals"] and not s["hasTangents"] for s in fields["shapes"])
    assert fields["vertices"]["index"].tolist() == [1, 0, 1, 0]
    assert fields["vertices"]["vertex"][:, 0].tolist() == [50, 100, 100, 100]
