"""Files that lie, end early, nest, inflate or loop. Nothing here may raise, hang, print or fill the memory."""

from __future__ import annotations

import gzip
import io
import os
import random
import resource
import struct
import zipfile
from pathlib import Path

import brotli
import pytest
from UnityPy.helpers.CompressionHelper import compress_lzma

from tests.builders.games import old_bundle, plain_file, web_data
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.extract.archives import WebData, Zip
from unity2gltf.extract.bundle import Bundle
from unity2gltf.extract.codecs import decompress_block, gunzip, unbrotli
from unity2gltf.extract.game import Game, open_game
from unity2gltf.extract.graph import prefab_roots, read_prefab, read_scene
from unity2gltf.extract.serialized import parse
from unity2gltf.sample.bundle import unityfs
from unity2gltf.sample.game import figure_bundle, write_player

VERSION = "2022.3.40f1"


def walk_all(game: Game) -> None:
    """Everything a conversion would ask of a game."""
    for root in game.roots:
        for file in root.files:
            tops = prefab_roots(root, file)
            for top in tops:
                try:
                    read_prefab(root, top)
                except Fault:
                    continue
            if file.is_scene:
                read_scene(root, file)
            readers = {
                "Mesh": root.mesh, "Material": root.material, "Texture2D": root.texture, "Avatar": root.avatar,
                "AnimationClip": root.clip, "AnimatorController": root.controller,
                "AnimatorOverrideController": root.controller,
            }  # fmt: skip
            for kind, read in readers.items():
                for source in file.sources(kind):
                    root.name(source)
                    try:
                        read(source)
                    except Fault:
                        continue
        assert root.settings is not None
        root.names.all()
        root.close()


def codes_of(path: Path) -> list[str]:
    diagnostics = Diagnostics()
    walk_all(open_game(path, diagnostics=diagnostics))
    return [item.code.name for item in diagnostics.items]


def bundle(compression: str = "lz4") -> bytes:
    file, data = figure_bundle(VERSION)
    return unityfs({"CAB-1": file, "CAB-1.resS": data}, VERSION, compression)


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Nothing may be printed."""
    yield
    out, error = capfd.readouterr()
    assert out == "" and error == ""


@pytest.mark.parametrize("compression", ["none", "lz4", "lzma"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.99])
def test_bundle_cut_short_is_truncated(tmp_path: Path, compression: str, share: float) -> None:
    data = bundle(compression)
    (tmp_path / "a.bundle").write_bytes(data[: int(len(data) * share)])
    (tmp_path / "b.bundle").write_bytes(bundle())
    diagnostics = Diagnostics()
    game = open_game(tmp_path, diagnostics=diagnostics)
    assert [file.input for root in game.roots for file in root.files] == ["b.bundle"]
    assert [item.code.name for item in diagnostics.items] == ["INPUT_TRUNCATED"]
    assert [item.status for item in game.inputs] == ["failed", "read"]


@pytest.mark.parametrize("compression", ["lz4", "lzma"])
def test_bundle_with_corrupt_bytes_in_a_block_is_corrupt(tmp_path: Path, compression: str) -> None:
    data = bytearray(bundle(compression))
    for at in range(len(data) // 8, len(data) // 8 + 400):  # later bytes may be plain numbers, wrong but readable
        data[at] ^= 0xFF
    (tmp_path / "a.bundle").write_bytes(data)
    found = codes_of(tmp_path)
    assert found and set(found) <= {"INPUT_CORRUPT", "OBJECT_CORRUPT", "MESH_DATA_TRUNCATED"}


def test_lzma_that_ends_early_is_corrupt() -> None:
    stored = compress_lzma(b"unity" * 1000)
    for data in (stored[:20], stored[:4], b"\xff" * 40):
        with pytest.raises(Fault):
            decompress_block(memoryview(data), 5000, 1)


def test_huge_lzma_dictionary_is_not_allocated() -> None:
    stored = bytearray(compress_lzma(b"unity" * 1000))
    stored[1:5] = b"\xff\xff\xff\xff"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert bytes(decompress_block(memoryview(stored), 5000, 1)) == b"unity" * 1000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.parametrize("method", [0, 1, 2, 3])
def test_block_that_declares_gigabytes_is_refused(method: int) -> None:
    with pytest.raises(Fault):
        decompress_block(memoryview(b"\0" * 100), 0xFFFF_FFFF, method)


def test_unknown_compression_is_named() -> None:
    for method, word in ((4, "LZHAM"), (17, "method 17")):
        with pytest.raises(Fault, match=word):
            decompress_block(memoryview(b"x"), 1, method)


def test_encrypted_bundle_is_unsupported_in_words(tmp_path: Path) -> None:
    data = bytearray(bundle())
    flags = data.index(b"2022.3.40f1\0") + 12 + 16
    data[flags + 2] |= 0x10
    (tmp_path / "a.bundle").write_bytes(data)
    diagnostics = Diagnostics()
    walk_all(open_game(tmp_path, diagnostics=diagnostics))
    (item,) = diagnostics.items
    assert item.code.name == "INPUT_UNSUPPORTED" and "encrypted" in item.message


def test_member_outside_of_its_bundle_is_corrupt() -> None:
    data = old_bundle("UnityRaw", {"CAB": plain_file("4.7.2f1")})
    at = data.index(b"CAB\0") + 4
    lying = data[:at] + struct.pack(">II", 8, 1 << 31) + data[at + 8 :]
    with pytest.raises(Fault, match="outside"):
        Bundle(memoryview(lying))


def test_every_byte_of_a_bundle_header_may_lie(tmp_path: Path) -> None:
    data = bundle("none")
    rng = random.Random(1)
    for trial in range(120):
        changed = bytearray(data)
        changed[rng.randrange(8, 260)] = rng.randrange(256)
        path = tmp_path / f"{trial}.bundle"
        path.write_bytes(changed)
    assert codes_of(tmp_path)


@pytest.mark.parametrize("type_trees", [True, False])
@pytest.mark.parametrize("version", ["4.7.2f1", VERSION])
def test_every_byte_of_the_metadata_may_lie(tmp_path: Path, version: str, type_trees: bool) -> None:
    data = plain_file(version, type_trees)
    rng = random.Random(2)
    for trial in range(150):
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            changed[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        (tmp_path / f"{trial}.assets").write_bytes(changed)
    assert codes_of(tmp_path)


def test_serialized_file_cut_at_any_length_is_a_fault() -> None:
    data = plain_file(VERSION)
    for length in range(0, len(data), 61):
        with pytest.raises(Fault):
            parse(memoryview(data[:length]))


def test_objects_with_random_bytes_do_not_stop_the_rest(tmp_path: Path) -> None:
    for path in write_player(tmp_path / "Game_Data", VERSION):
        data = bytearray(path.read_bytes())
        rng = random.Random(path.name)
        for at in range(len(data) // 2, len(data), 97):
            data[at] = rng.randrange(256)
        path.write_bytes(data)
    assert codes_of(tmp_path)


def test_gzip_bomb_hits_the_ratio() -> None:
    # deflate stops just above a ratio of 1000, so wrap zeros until they are beyond it
    data = memoryview(gzip.compress(bytes(40 << 20), 9))
    with pytest.raises(Fault) as fault:
        gunzip(data)
    assert fault.value.code.name == "INPUT_LIMIT"


def test_brotli_bomb_hits_the_ratio() -> None:
    with pytest.raises(Fault) as fault:
        unbrotli(memoryview(brotli.compress(bytes(20 << 20))))
    assert fault.value.code.name == "INPUT_LIMIT"


def test_zip_bomb_member_hits_the_ratio_and_the_rest_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("bomb.assets", plain_file(VERSION) + bytes(64 << 20))
        archive.writestr("good.assets", plain_file(VERSION))
    diagnostics = Diagnostics()
    game = open_game(tmp_path, diagnostics=diagnostics)
    files = [file.name for root in game.roots for file in root.files]
    assert "good.assets" in files


def test_zip_that_declares_a_wrong_size_is_corrupt(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("x", b"hello")
    data = bytearray(buffer.getvalue())
    central = data.index(b"PK\1\2")
    data[central + 24 : central + 28] = struct.pack("<I", 4)
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(Fault):
        Zip(tmp_path / "a.zip").read("x")
    with pytest.raises(Fault):
        Zip(memoryview(b"PK\3\4" + bytes(100)))


def test_archives_within_archives_stop_at_the_limit(tmp_path: Path) -> None:
    data = plain_file(VERSION)
    name = "x.assets"
    for level in range(8):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(name, data)
        data, name = buffer.getvalue(), f"{level}.zip"
    (tmp_path / "deep.zip").write_bytes(data)
    assert "INPUT_LIMIT" in codes_of(tmp_path)


def test_gzip_within_gzip_stops_at_the_limit(tmp_path: Path) -> None:
    data = web_data({"x.assets": plain_file(VERSION)})
    for _ in range(9):
        data = gzip.compress(data)
    (tmp_path / "x.data.gz").write_bytes(data)
    assert codes_of(tmp_path) == []
    assert open_game(tmp_path).inputs[0].status == "skipped"


def test_web_data_with_lying_table_is_corrupt() -> None:
    good = web_data({"x": b"12345"})
    for data in (good[:18], good[:30], good.replace(struct.pack("<i", 5), struct.pack("<i", 500), 1)):
        with pytest.raises(Fault):
            WebData(memoryview(data))


def test_links_that_loop_and_dangle_are_survived(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.assets").write_bytes(plain_file(VERSION))
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    os.mkfifo(tmp_path / "pipe")
    game = open_game(tmp_path)
    assert [file.input for root in game.roots for file in root.files] == ["a/x.assets"]
    assert {item.path: item.status for item in game.inputs} == {
        "a/x.assets": "read",
        "dangling": "failed",
        "self": "failed",
        "pipe": "skipped",
    }


def test_file_that_vanishes_after_the_look_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "x.assets").write_bytes(plain_file(VERSION))
    game = open_game(tmp_path)
    roots = game.roots
    (tmp_path / "x.assets").unlink()
    assert roots[0].files == []
    assert [item.code.name for item in game.diagnostics.items] == ["INPUT_UNREADABLE"]
    assert game.inputs[0].status == "failed"
