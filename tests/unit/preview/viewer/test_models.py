"""What model-viewer gets to see of a file."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from tests.unit.preview.handmade import write_gltf
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.preview.viewer.models import patched_head


def glb(document: Any, binary: bytes = b"") -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = struct.pack("<I4s", len(binary), b"BIN\0") + binary if binary else b""
    head = struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON")
    return head + text + rest


def with_head(**told: int) -> bytes:
    """A primitive without a material in a file whose head lies."""
    data = glb({"meshes": [{"primitives": [{"attributes": {}}]}]})
    head = {"length": len(data), "size": len(data) - 20} | told
    return data[:8] + struct.pack("<II", head["length"], head["size"]) + data[16:]


def sent(path: Path) -> bytes:
    instead, of = patched_head(path)
    return instead + path.read_bytes()[of:]


def test_primitives_without_a_material_get_one_and_the_rest_stays(tmp_path: Path) -> None:
    primitives = [{"attributes": {}}, {"attributes": {}, "material": 0}]
    document = {"asset": {"version": "2.0"}, "materials": [{"name": "A"}], "meshes": [{"primitives": primitives}]}
    path = tmp_path / "a.bin"
    path.write_bytes(glb(document | {"buffers": [{"byteLength": 4}]}, b"abcd"))
    gltf = parse_glb(sent(path))
    assert [item["material"] for item in gltf.items("meshes")[0]["primitives"]] == [1, 0]
    assert gltf.items("materials") == [{"name": "A"}, {}]
    assert bytes(gltf.buffers[0]) == b"abcd"


def test_documents_too(tmp_path: Path) -> None:
    document = json.loads(sent(write_gltf(tmp_path / "a.gltf", [{"mesh": 0}])))
    assert document["materials"] == [{}]
    assert document["meshes"][0]["primitives"][0]["material"] == 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"glTF",
        b"no glTF at all, but longer than a head",
        glb([1]),
        glb({"meshes": [{}]}),
        glb({"meshes": [{"primitives": [{"material": 0}]}]}),
        glb({"meshes": 3}),
        glb({})[:22],
        with_head(length=0),
        with_head(length=0xFFFFFFFF),
        with_head(size=0xFFFFFFFF),
    ],
)
def test_everything_else_is_sent_as_it_is(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.gltf"
    path.write_bytes(data)
    assert sent(path) == data
