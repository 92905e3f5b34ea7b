"""Documents as files: GLB and .gltf layout, atomic writing."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.builders.assets import EXAMPLES, asset, faces, painted, quad
from tests.reference.gltf_accessors import buffers_of, read_accessor
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.emit.document import Document, build_document, glb_bytes, gltf_files
from unity2gltf.emit.write import write_atomic, write_document
from unity2gltf.ir import Node


def parse_glb(data: bytes) -> tuple[dict[str, Any], bytes]:
    """JSON and binary chunk, each length checked (glTF 2.0, 4.4)."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and size % 4 == 0
    text, rest = data[20 : 20 + size], data[20 + size :]
    if not rest:
        return json.loads(text), b""
    size, kind = struct.unpack_from("<I4s", rest)
    assert kind == b"BIN\0" and size % 4 == 0 and size == len(rest) - 8
    return json.loads(text), rest[8:]


def document(name: str = "painted") -> Document:
    return build_document(EXAMPLES[name](), Diagnostics())


def write(built: Document, path: Path, **more: Any) -> tuple[list[Path], list[str]]:
    diagnostics = Diagnostics()
    settings: dict[str, Any] = {"format": "glb", "max_glb": 1 << 31, **more}
    paths = write_document(built, path, diagnostics=diagnostics, **settings)
    return paths, [item.code.name for item in diagnostics.items]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_glb_holds_the_document(name: str) -> None:
    built = document(name)
    pieces, total = glb_bytes(built)
    data = b"".join(pieces)
    text, binary = parse_glb(data)
    assert total == len(data) and text == built.json and text["asset"] == {"generator": "unity2gltf", "version": "2.0"}
    assert binary == buffers_of(built.json, built.chunks)


def test_a_document_without_data_has_no_binary_chunk() -> None:
    pieces, _ = glb_bytes(build_document(asset([Node(name="é")]), Diagnostics()))
    text, binary = parse_glb(b"".join(pieces))
    assert binary == b"" and text["nodes"] == [{"name": "é"}]


def test_gltf_files_hold_the_same_arrays() -> None:
    built = document()
    files = {name: b"".join(chunks) for name, chunks in gltf_files(built, "a thing").items()}
    assert list(files) == ["a thing.gltf", "a thing.bin", "a thing.image0.png", "a thing.image1.png"]
    text = json.loads(files["a thing.gltf"])
    assert text["buffers"] == [{"uri": "a%20thing.bin", "byteLength": len(files["a thing.bin"])}]
    whole = buffers_of(built.json, built.chunks)
    for index in range(len(text["accessors"])):
        expected = read_accessor(built.json, whole, index)
        assert read_accessor(text, files["a thing.bin"], index).tolist() == expected.tolist()
    assert [unquote(image["uri"]) for image in text["images"]] == [
        "a thing.image0.png",
        "a thing.image1.png",
        "a thing.image1.png",
    ]
    assert all("bufferView" not in image for image in text["images"])
    assert built.json["images"][0]["bufferView"] == len(text["bufferViews"])  # the document itself is unchanged


def test_buffers_stay_below_the_limit() -> None:
    built = build_document(faces(400), Diagnostics())
    limit = 7000
    files = {name: b"".join(chunks) for name, chunks in gltf_files(built, "f", limit).items()}
    text = json.loads(files["f.gltf"])
    assert len(text["buffers"]) > 2 and all(buffer["byteLength"] <= limit for buffer in text["buffers"])
    for view, chunk in zip(text["bufferViews"], built.chunks, strict=True):
        data = files[text["buffers"][view["buffer"]]["uri"]]
        start = view.get("byteOffset", 0)
        assert data[start : start + view["byteLength"]] == bytes(chunk)


def test_a_document_of_images_alone_has_no_buffer() -> None:
    built = build_document(asset([], images=painted().images), Diagnostics())
    files = gltf_files(built, "x")
    text = json.loads(b"".join(files["x.gltf"]))
    assert "buffers" not in text and "bufferViews" not in text and "x.bin" not in files


def test_a_glb_past_the_limit_becomes_a_gltf(tmp_path: Path) -> None:
    built = document("quad")
    _, size = glb_bytes(built)
    assert write(built, tmp_path / "q.glb", max_glb=size) == ([tmp_path / "q.glb"], [])
    paths, codes = write(built, tmp_path / "sub" / "q.glb", max_glb=size - 1)
    assert [path.name for path in paths] == ["q.gltf", "q.bin"] and codes == ["GLB_TOO_LARGE"]
    assert all(path.stat().st_size < size for path in paths[1:])


@pytest.mark.parametrize(
    ("given", "format", "expected"),
    [
        ("a.glb", "gltf", "a.gltf"),
        ("a.b", "glb", "a.b.glb"),
        ("v1.2.GLB", "glb", "v1.2.glb"),
        ("a.gltf", "gltf", "a.gltf"),
    ],
)
def test_the_suffix_follows_the_format(tmp_path: Path, given: str, format: str, expected: str) -> None:
    paths, _ = write(document("triangle"), tmp_path / given, format=format)
    assert paths[0] == tmp_path / expected and paths[0].is_file()
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_same_asset_same_bytes() -> None:
    first, second = (b"".join(glb_bytes(build_document(quad(), Diagnostics()))[0]) for _ in range(2))
    assert first == second


def test_writing_makes_folders_and_returns_the_size(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file.bin"
    assert write_atomic(path, [b"abc", memoryview(b"de")]) == 5
    assert path.read_bytes() == b"abcde" and [p.name for p in path.parent.iterdir()] == ["file.bin"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    write_atomic(path, [b"old"])

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise OSError("disk full")

    with pytest.raises(Fault, match=r"file\.bin cannot be written: disk full"):
        write_atomic(path, broken())
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_files_are_readable_by_others_as_the_umask_says(tmp_path: Path) -> None:
    write_atomic(tmp_path / "ours", [b""])
    (tmp_path / "plain").write_bytes(b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_names_that_are_not_utf8_are_percent_encoded_byte_by_byte() -> None:
    files = gltf_files(document("triangle"), os.fsdecode(b"caf\xe9"))
    assert json.loads(b"".join(next(iter(files.values()))))["buffers"][0]["uri"] == "caf%E9.bin"


def test_stats_count_what_is_in_the_file() -> None:
    assert document("quad").stats == {
        "nodes": 4,
        "meshes": 2,
        "vertices": 4,
        "triangles": 3,
        "joints": 0,
        "morph_targets": 0,
        "clips": 0,
        "channels": 0,
        "textures": 0,
    }
    assert document("faces").stats["morph_targets"] == 5 and document("strip").stats["joints"] == 12
