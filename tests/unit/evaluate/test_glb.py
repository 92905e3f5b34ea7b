"""The reader: values as the specification says, and one named refusal for each rule that a file can break."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.evaluate.draft import Draft, pack
from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.glb import output_root, parse_glb, read_gltf

ASSET = {"asset": {"version": "2.0"}}


def document(accessor: dict[str, Any], view: dict[str, Any], binary: bytes) -> bytes:
    """A GLB of one accessor over one view of one buffer."""
    json_ = {
        **ASSET,
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": [{"buffer": 0, "byteLength": len(binary), **view}],
        "accessors": [{"bufferView": 0, **accessor}],
    }
    return pack(json_, binary)


def read(accessor: dict[str, Any], view: dict[str, Any], binary: bytes) -> np.ndarray:
    return parse_glb(document(accessor, view, binary)).accessor(0)


FLOATS = struct.pack("<6f", 1, 2, 3, 4, 5, 6)
TWO_VECTORS = {"componentType": 5126, "type": "VEC3", "count": 2}


def test_vectors_are_a_view_of_the_file() -> None:
    values = read(TWO_VECTORS, {}, FLOATS)
    assert values.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert values.dtype == np.float32 and not values.flags.writeable and not values.flags.owndata


def test_stride_and_offset() -> None:
    binary = struct.pack("<8h", -1, 10, 20, 30, -1, 40, 50, 60)
    accessor = {"componentType": 5122, "type": "VEC3", "count": 2, "byteOffset": 2}
    assert read(accessor, {"byteStride": 8}, binary).tolist() == [[10, 20, 30], [40, 50, 60]]


def test_matrices_are_stored_by_columns() -> None:
    binary = struct.pack("<16f", *range(16))
    matrix = read({"componentType": 5126, "type": "MAT4", "count": 1}, {}, binary)[0]
    assert matrix[0].tolist() == [0, 4, 8, 12] and matrix[:, 3].tolist() == [12, 13, 14, 15]


def test_columns_of_small_matrices_are_padded_to_four_bytes() -> None:
    binary = bytes([1, 2, 0, 0, 3, 4, 0, 0])
    assert read({"componentType": 5121, "type": "MAT2", "count": 1}, {}, binary)[0].tolist() == [[1, 3], [2, 4]]
    binary = bytes([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0])
    matrix = read({"componentType": 5121, "type": "MAT3", "count": 1}, {}, binary)[0]
    assert matrix.tolist() == [[1, 4, 7], [2, 5, 8], [3, 6, 9]]


@pytest.mark.parametrize(
    ("component", "stored", "wanted"),
    [
        (5120, struct.pack("<4b", -128, -127, 0, 127), [-1, -1, 0, 1]),
        (5121, bytes([0, 51, 255, 0]), [0, 0.2, 1, 0]),
        (5122, struct.pack("<4h", -32768, 32767, 0, -32767), [-1, 1, 0, -1]),
        (5123, struct.pack("<4H", 0, 65535, 13107, 0), [0, 1, 0.2, 0]),
    ],
)
def test_normalized_integers(component: int, stored: bytes, wanted: list[float]) -> None:
    accessor = {"componentType": component, "type": "SCALAR", "count": 4}
    assert read(accessor | {"normalized": True}, {}, stored).tolist() == pytest.approx(wanted, abs=1e-15)
    plain = read(accessor, {}, stored)
    assert plain.dtype.kind in "iu", "only what says so is normalised"


def sparse(binary: bytes | None = None, count: int = 2, view: dict[str, Any] | None = None, **indices: Any) -> bytes:
    """Zeros of four vectors, of which numbers 1 and 3 are replaced."""
    binary = binary or struct.pack("<2H6f", 1, 3, *range(1, 7))
    item = {
        "count": count,
        "indices": {"bufferView": 0, "componentType": 5123, **indices},
        "values": {"bufferView": 1},
    }
    views = [{"buffer": 0, "byteLength": 4}, {"buffer": 0, "byteOffset": 4, "byteLength": 24, **(view or {})}]
    accessor = {"componentType": 5126, "type": "VEC3", "count": 4, "sparse": item}
    json_ = {**ASSET, "buffers": [{"byteLength": len(binary)}], "bufferViews": views, "accessors": [accessor]}
    return pack(json_, binary)


def test_sparse_over_zeros() -> None:
    values = parse_glb(sparse()).accessor(0)
    assert values.tolist() == [[0, 0, 0], [1, 2, 3], [0, 0, 0], [4, 5, 6]]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"binary": struct.pack("<2H6f", 3, 1, *range(6))}, "rise strictly"),
        ({"binary": struct.pack("<2H6f", 1, 1, *range(6))}, "rise strictly"),
        ({"binary": struct.pack("<2H6f", 1, 4, *range(6))}, "not below the accessor's count"),
        ({"count": 0}, "outside 1"),
        ({"count": 5}, "outside 1"),
        ({"componentType": 5126}, "not allowed"),
        ({"byteOffset": 1}, "aligned"),
        ({"byteOffset": 4}, "ends at byte"),
    ],
)
def test_broken_sparse_accessors(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(GlbError, match=complaint):
        parse_glb(sparse(**changes)).accessor(0)


@pytest.mark.parametrize("field", [{"target": 34962}, {"byteStride": 12}])
def test_sparse_values_must_not_share_a_vertex_buffer(field: dict[str, Any]) -> None:
    with pytest.raises(GlbError, match="neither target nor stride"):
        parse_glb(sparse(view=field)).accessor(0)


@pytest.mark.parametrize(
    ("accessor", "view", "complaint"),
    [
        ({"count": 3}, {}, "ends at byte 36 of a view of 24"),
        ({"count": 1 << 52}, {}, "ends at byte"),
        ({"count": 0}, {}, "outside 1"),
        ({"count": -1}, {}, "outside 1"),
        ({"count": 2.0}, {}, "integer is wanted"),
        ({"count": True}, {}, "integer is wanted"),
        ({"count": 10**30}, {}, "outside"),
        ({"byteOffset": 2}, {}, "aligned"),
        ({"byteOffset": 4}, {}, "ends at byte"),
        ({"type": "VEC5"}, {}, "no accessor type"),
        ({"type": 3}, {}, "string is wanted"),
        ({"componentType": 5124}, {}, "no component type"),
        ({"bufferView": 1}, {}, "outside 0 .. 0"),
        ({"bufferView": -1}, {}, "outside 0 .. 0"),
        ({"normalized": True}, {}, "cannot be normalised"),
        ({}, {"byteLength": 25}, "ends at byte 25 of a buffer of 24"),
        ({}, {"byteOffset": 1}, "ends at byte 25 of a buffer of 24"),
        ({}, {"byteStride": 8}, "overlap at a stride of 8"),
        ({}, {"byteStride": 14}, "no multiple of 4"),
        ({}, {"byteStride": 256}, "outside 4 .. 252"),
        ({}, {"buffer": 1}, "outside 0 .. 0"),
    ],
)
def test_accessors_that_do_not_fit(accessor: dict[str, Any], view: dict[str, Any], complaint: str) -> None:
    with pytest.raises(GlbError, match=complaint) as caught:
        read({**TWO_VECTORS, **accessor}, view, FLOATS)
    assert caught.value.pointer.startswith(("/accessors/0", "/bufferViews/0"))


def test_zeros_out_of_proportion_to_the_file() -> None:
    json_ = {**ASSET, "accessors": [{"componentType": 5126, "type": "MAT4", "count": 1 << 40}]}
    with pytest.raises(GlbError, match="out of proportion"):
        parse_glb(pack(json_)).accessor(0)


def test_zeros_without_a_view() -> None:
    json_ = {**ASSET, "accessors": [{"componentType": 5126, "type": "VEC3", "count": 2}]}
    assert parse_glb(pack(json_)).accessor(0).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda d: d[:19], "too few"),
        (lambda d: b"GLTF" + d[4:], "no GLB"),
        (lambda d: d[:4] + b"\1" + d[5:], "no GLB"),
        (lambda d: d[:-4], "header says"),
        (lambda d: d + b"\0\0\0\0", "header says"),
        (lambda d: d[:12] + struct.pack("<I", 3) + d[16:], "unaligned"),
        (lambda d: d[:12] + struct.pack("<I", 1 << 31) + d[16:], "unaligned or passes"),
        (lambda d: d[:16] + b"NOSJ" + d[20:], "must be JSON"),
    ],
)
def test_broken_containers(damage: Callable[[bytes], bytes], complaint: str) -> None:
    with pytest.raises(GlbError, match=complaint):
        parse_glb(damage(document(TWO_VECTORS, {}, FLOATS)))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"{", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[]", "object is wanted"),
        (b'{"asset": {"version": "2.0"}, "x": NaN}', "NaN is not JSON"),
        (b'{"asset": {"version": "2.0"}, "asset": {"version": "2.0"}}', "key twice"),
        (b'{"asset": {"version": "1.0"}}', "not 2.0"),
        (b"{}", "string is wanted"),
        (b'{"asset": {"version": "2.0"}, "nodes": {}}', "list is wanted"),
        (b'{"asset": {"version": "2.0"}, "nodes": [1]}', "/nodes/0: an object is wanted"),
        (b'{"asset": ' + b"[" * 100_000, "cannot be read"),
        (b'{"asset": {"version": "2.0"}, "x": 1' + b"0" * 5000 + b"}", "cannot be read"),
    ],
)
def test_broken_json(text: bytes, complaint: str) -> None:
    with pytest.raises(GlbError, match=complaint):
        parse_glb(pack(text))


def test_the_bin_chunk_must_fit_its_buffer() -> None:
    for declared, fits in ((24, True), (22, True), (20, False), (25, False)):
        data = pack({**ASSET, "buffers": [{"byteLength": declared}]}, FLOATS)
        if fits:
            assert len(parse_glb(data).buffers[0]) == declared
        else:
            with pytest.raises(GlbError, match="do not fit the BIN chunk"):
                parse_glb(data)


def write_gltf(folder: Path, uri: str, **more: Any) -> Path:
    path = folder / "model.gltf"
    json_ = {
        **ASSET,
        "buffers": [{"byteLength": 24, "uri": uri}],
        "bufferViews": [{"buffer": 0, "byteLength": 24}],
        "accessors": [{"bufferView": 0, **TWO_VECTORS}],
        **more,
    }
    path.write_text(json.dumps(json_))
    return path


@pytest.mark.parametrize("uri", ["data.bin", "deep/data%20file.bin", "data:application/octet-stream;base64,"])
def test_gltf_with_its_buffer(tmp_path: Path, uri: str) -> None:
    import base64

    (tmp_path / "deep").mkdir()
    for name in ("data.bin", "deep/data file.bin"):
        (tmp_path / name).write_bytes(FLOATS)
    full = uri + base64.b64encode(FLOATS).decode() if uri.startswith("data:") else uri
    assert read_gltf(write_gltf(tmp_path, full)).accessor(0).tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    "uri",
    ["../secret.bin", "/etc/passwd", "a/../../secret.bin", "%2e%2e/secret.bin", "file:secret.bin", "C:\\x", "a\\b",
     "http://example.com/x", "", "missing.bin", ".", "link.bin", "a//b", "x%00y", "data:text/plain,abc",
     "data:;base64,!!!!"],
)  # fmt: skip
def test_uris_that_leave_the_folder_or_lead_nowhere(tmp_path: Path, uri: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(FLOATS)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(GlbError) as caught:
        read_gltf(write_gltf(folder, uri))
    assert caught.value.pointer.startswith("/buffers/0")


def test_images_are_located_not_read(tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(FLOATS)
    (tmp_path / "skin.png").write_bytes(b"not read")
    images = [{"uri": "skin.png"}, {"bufferView": 0, "mimeType": "image/png"}]
    gltf: Gltf = read_gltf(write_gltf(tmp_path, "data.bin", images=images))
    assert gltf.image_files == {0: (tmp_path / "skin.png").resolve()}
    with pytest.raises(GlbError, match="/images/0/uri"):
        read_gltf(write_gltf(tmp_path, "data.bin", images=[{"uri": "../skin.png"}]))


def test_a_shared_image_needs_the_report_of_its_run(tmp_path: Path) -> None:
    """Which folder the file may lead to is known by report.json."""
    folder = tmp_path / "out/meshes"
    folder.mkdir(parents=True)
    (tmp_path / "out/skin.png").touch()
    (folder / "data.bin").write_bytes(FLOATS)
    path = write_gltf(folder, "data.bin", images=[{"uri": "../skin.png"}])
    with pytest.raises(GlbError) as caught:
        read_gltf(path, output_root(path))
    assert caught.value.message == (
        "'../skin.png' lies outside the folder of the file; the report.json of its run is missing"
    )
    (tmp_path / "out/report.json").touch()
    assert read_gltf(path, output_root(path)).image_files == {0: tmp_path / "out/skin.png"}
    (tmp_path / "out/skin.png").rename(tmp_path / "skin.png")
    far = write_gltf(folder, "data.bin", images=[{"uri": "../../skin.png"}])
    with pytest.raises(GlbError, match="is no file in the folder of the run"):
        read_gltf(far, output_root(far))


def test_a_short_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(FLOATS[:20])
    with pytest.raises(GlbError, match="24 bytes are declared, 20 are there"):
        read_gltf(write_gltf(tmp_path, "data.bin"))


def test_drafts_of_the_tests_read_back() -> None:
    draft = Draft()
    index = draft.add([[1, 2, 3]], "f4", "VEC3", bounds=True)
    assert parse_glb(draft.glb()).accessor(index).tolist() == [[1, 2, 3]]
