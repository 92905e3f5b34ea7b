"""Inputs and places that refuse, lie, change or never end, through a whole run: one clear sentence, the right exit
code, the rest made, nothing half-written."""

from __future__ import annotations

import gzip
import io
import json
import os
import resource
import shutil
import struct
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import brotli
import pytest

from tests.batch.small import VERSION, bundle, cli, leftovers, paths, triangle, write_game
from tests.cli.test_cli import run, sentence
from unity2gltf import Options, Report, convert
from unity2gltf.batch import run as batch_run
from unity2gltf.batch.inputs import open_inputs
from unity2gltf.batch.progress import Step
from unity2gltf.batch.run import Running
from unity2gltf.extract import store
from unity2gltf.sample import FileBuilder, Hierarchy, mesh_fields, unityfs
from unity2gltf.sample.values import MESH, MESH_FILTER, MESH_RENDERER, pptr

NOBODY = 65534
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def statuses(report: Report) -> dict[str, str]:
    return {item.path: item.status for item in report.inputs}


def codes(report: Report) -> set[str]:
    return {item.code.name for item in report.diagnostics}


# --- rights ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def theirs() -> Iterator[Path]:
    """A folder that nobody (the user) owns, with a game in it."""
    folder = Path(tempfile.mkdtemp())
    write_game(folder / "game")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root sees everything; this user sees what the rights say."""
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@ROOT
def test_folders_and_files_without_rights_cost_themselves(theirs: Path) -> None:
    (theirs / "game" / "secret").mkdir()
    shutil.copy(theirs / "game" / "a.bundle", theirs / "game" / "secret" / "d.bundle")
    (theirs / "game" / "secret").chmod(0)
    (theirs / "game" / "c.bundle").chmod(0)
    with as_nobody():
        result = run("convert", theirs / "game", "-o", theirs / "out", "-q")
    assert result.returncode == 1
    assert sentence(result).startswith("errors: 2 INPUT_UNREADABLE, 1 input file could not be read (see ")
    report = json.loads((theirs / "out/report.json").read_text("utf-8"))
    assert {i["path"]: i["status"] for i in report["inputs"]} == {
        "a.bundle": "read",
        "b.bundle": "read",
        "c.bundle": "failed",
        "shared.bundle": "read",
    }
    assert {a["status"] for a in report["assets"]} == {"exact"} and len(report["assets"]) == 3


@ROOT
@pytest.mark.parametrize("what", ["folder", "file", "above"])
def test_an_input_without_rights_is_a_sentence(theirs: Path, what: str) -> None:
    target = theirs / "game" if what == "folder" else theirs / "game" / "a.bundle"
    (theirs / "game" if what == "above" else target).chmod(0)
    with as_nobody():
        result = run("convert", target, "-o", theirs / "out")
    assert result.returncode == 3
    assert "Permission denied" in sentence(result) and sentence(result).startswith("unity2gltf: ")


@ROOT
def test_an_output_folder_without_rights_is_a_sentence_and_stays_as_it_is(theirs: Path) -> None:
    (theirs / "out").mkdir()
    (theirs / "closed").mkdir(mode=0o755)
    with as_nobody():
        for out, code in ((theirs / "out", 1), (theirs / "closed" / "new", 2)):
            result = run("convert", theirs / "game", "-o", out)
            assert result.returncode == code and "Permission denied" in sentence(result)
    assert list((theirs / "out").iterdir()) == []


@ROOT
def test_a_folder_of_outputs_that_lost_its_rights_ends_the_run_in_a_sentence(theirs: Path) -> None:
    with as_nobody():
        assert run("convert", theirs / "game", "-o", theirs / "out", "-q").returncode == 0
        (theirs / "out" / "prefabs").chmod(0o555)
        result = run("convert", theirs / "game", "-o", theirs / "out", "--custom-attributes", "--force")
        assert result.returncode == 1 and "Permission denied" in sentence(result)
        (theirs / "out" / "prefabs").chmod(0o755)
        assert run("convert", theirs / "game", "-o", theirs / "out", "-q").returncode == 0
    assert leftovers(theirs / "out") == []


# --- places and names -----------------------------------------------------------------------------------------------


def test_links_in_circles_are_entered_once(tmp_path: Path) -> None:
    game = write_game(tmp_path / "game")
    (game / "again").symlink_to(game)
    (game / "deep").mkdir()
    (game / "deep" / "up").symlink_to("..")
    (game / "round").symlink_to("round")
    result = run("convert", game, "-o", tmp_path / "out")
    assert result.returncode == 1 and "1 input file could not be read" in sentence(result)
    assert len([name for name in paths(tmp_path / "out") if name.endswith(".glb")]) == 4
    result = run("convert", game / "round", "-o", tmp_path / "round")
    assert result.returncode == 3 and "symbolic links" in sentence(result)


@pytest.mark.parametrize("name", ["x" * 300, "まばたき" * 30, "a/" * 2500 + "b"])
def test_a_path_that_no_system_holds_is_a_sentence(tmp_path: Path, name: str) -> None:
    game = write_game(tmp_path / "game")
    for asked in ((game / name, "-o", tmp_path / "out"), (game, "-o", tmp_path / "out" / name)):
        result = run("convert", *asked)
        assert result.returncode in (1, 2, 3)
        assert sentence(result).startswith("unity2gltf: ") and len(result.stderr.splitlines()) == 1


def loose(folder: Path, names: list[str]) -> Path:
    """A file outside of bundles, whose prefabs and meshes have these names."""
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    for name in names:
        item = tree.add(name)
        tree.component(item, MESH_FILTER, {"m_Mesh": pptr(file.add(MESH, mesh_fields(triangle(name), file)))})
        tree.component(item, MESH_RENDERER, {"m_Materials": [pptr(0)]})
    file.add(MESH, mesh_fields(triangle(names[0]), file))
    tree.write()
    folder.mkdir()
    (folder / "a.assets").write_bytes(file.to_bytes())
    return folder


def test_asset_names_that_clash_differ_by_case_or_are_too_long(tmp_path: Path) -> None:
    long = "x" * 300
    names = [
        "Body",
        "body",
        "BODY",
        long,
        long.upper(),
        long + "y",
        "まばたき" * 40,
        "STRASSE",
        "straße",
        "e\u0301",
        "\u00e9",
    ]
    out = tmp_path / "out"
    report = convert(loose(tmp_path / "game", names), out)
    outputs = [str(asset.output) for asset in report.assets]
    assert len({name.casefold() for name in outputs}) == len(names) + 1
    assert max(len(name.encode()) for name in outputs) <= 200
    assert sorted(outputs) == [name for name in paths(out) if name.endswith(".glb")]
    assert {asset.name for asset in report.assets} == set(names), "names in the report are the game's own"
    assert leftovers(out) == []


# --- a disk that is full --------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 300 KB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_ends_the_run_in_a_sentence_and_the_next_goes_on(
    tmp_path: Path, small_disk: Path, jobs: int
) -> None:
    game = tmp_path / "game"
    game.mkdir()
    for number in range(40):
        data = bundle(f"CAB-{number}", {f"p{n}x{number}.prefab": f"P{n}" for n in range(8)})
        (game / f"{number}.bundle").write_bytes(data)
    result = cli("convert", game, "-o", small_disk / "out", "--jobs", jobs, "--quiet")
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert "No space left on device" in result.stderr or "disk is full" in result.stderr
    assert not list((small_disk / "out").glob("report.json"))
    assert not list((small_disk / "out").rglob("*.part"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_files_that_may_not_be_that_large_end_in_a_sentence(tmp_path: Path, jobs: int) -> None:
    """As where a quota is met: every write beyond it fails."""
    game = write_game(tmp_path / "game")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    result = cli("convert", game, "-o", tmp_path / "out", "--jobs", jobs, "--quiet", preexec_fn=limit)
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1 and result.stderr.startswith("unity2gltf: ")
    assert not list((tmp_path / "out").rglob("*.part"))
    assert cli("convert", game, "-o", tmp_path / "out", "-q").returncode == 0
    assert leftovers(tmp_path / "out") == []


# --- inputs that change while they are read -------------------------------------------------------------------------


def big_assets(folder: Path) -> Path:
    """A file that is mapped, not read: above 1 MiB, stored plainly. ``A`` comes first, the mesh of ``Z`` lies last."""
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    names = ("A", "Z")
    for name in names:
        item = tree.add(name)
        tree.component(item, MESH_FILTER, {"m_Mesh": pptr(file.add(MESH, mesh_fields(triangle(name), file)))})
        tree.component(item, MESH_RENDERER, {"m_Materials": [pptr(0)]})
        if name == "A":
            file.add_bytes(28, bytes(3 << 20))
    tree.write()
    folder.mkdir()
    (folder / "a.assets").write_bytes(file.to_bytes())
    return folder / "a.assets"


@pytest.mark.parametrize("workers", [False, True])
def test_a_mapped_file_that_shrinks_costs_what_it_held(tmp_path: Path, workers: bool) -> None:
    path, cut = big_assets(tmp_path / "game"), False

    def shrink(_: Step) -> None:
        nonlocal cut
        if not cut:
            cut = True
            os.truncate(path, 4096)

    running = Running(jobs=1, timeout=60 if workers else None)
    report = convert(path, tmp_path / "out", Options(verify="none"), progress=shrink, running=running)
    assert cut and report.exit_code("error") == 1
    assert codes(report) >= {"INPUT_CHANGED"}
    told = {item.code.name for asset in report.assets for item in asset.diagnostics}
    assert told & {"INPUT_TRUNCATED", "WORKER_DIED"}
    assert leftovers(tmp_path / "out") == []


def test_a_file_that_changes_after_it_was_looked_at_is_told_and_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, out = write_game(tmp_path / "game"), tmp_path / "out"

    def change(*inputs: Any, **options: Any) -> Iterator[Any]:
        for opened in open_inputs(*inputs, **options):
            (game / "c.bundle").write_bytes(bundle("CAB-c", {"c.prefab": "C2"}, size=2.0))
            yield opened

    with monkeypatch.context() as patch:
        patch.setattr(batch_run, "open_inputs", change)
        result = run("convert", game, "-o", out)
    assert result.returncode == 0
    report = json.loads((out / "report.json").read_text("utf-8"))
    assert [item["code"] for item in report["diagnostics"]] == ["INPUT_CHANGED"]
    again = run("convert", game, "-o", out)
    assert not again.stderr.startswith("nothing has changed")
    report = json.loads((out / "report.json").read_text("utf-8"))
    assert report["diagnostics"] == [] and [a["name"] for a in report["assets"]] == ["A1", "A2", "B", "C2"]


# --- bundles that are not what they seem ------------------------------------------------------------------------------


def flags_at(data: bytes, version: str) -> int:
    return data.index(version.encode() + b"\0") + len(version) + 1 + 16


@pytest.mark.parametrize(
    ("version", "flag"),
    [
        ("2019.4.40f1", 0x200),
        ("2020.3.30f1", 0x200),
        ("2020.3.48f1", 0x400),
        ("2022.3.20f1", 0x400),
        ("2022.3.20f1", 0x1000),
        ("2022.3.20f1", 0x1400),
    ],
)
def test_an_encrypted_bundle_is_called_so(tmp_path: Path, version: str, flag: int) -> None:
    """The flags of Unity China and Tuanjie; what follows the header is noise."""
    file = FileBuilder(version)
    data = bytearray(unityfs({"CAB-1": file.to_bytes()}, version))
    at = flags_at(bytes(data), version)
    (before,) = struct.unpack_from(">I", data, at)
    struct.pack_into(">I", data, at, before | flag)
    data[at + 4 :] = os.urandom(len(data) - at - 4)
    (tmp_path / "a.bundle").write_bytes(data)
    result = run("convert", tmp_path / "a.bundle", "-o", tmp_path / "out")
    assert result.returncode == 3
    assert sentence(result) == "unity2gltf: nothing convertible was found: the bundle is encrypted"
    report = json.loads((tmp_path / "out/report.json").read_text("utf-8"))
    assert [item["code"] for item in report["diagnostics"]] == ["INPUT_UNSUPPORTED"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.replace(b"UnityFS\0", b"UnityKHNFS\0", 1), "a bundle of signature UnityKHNFS, which is not"),
        (lambda data: bytes(byte ^ 0x5A for byte in data), "unknown binary data; as a bundle it would be encrypted"),
    ],
)
def test_a_bundle_under_another_signature_is_told(tmp_path: Path, change: Callable[[bytes], bytes], words: str) -> None:
    (tmp_path / "a.bundle").write_bytes(change(bundle("CAB-a", {"a.prefab": "A"})))
    result = run("convert", tmp_path / "a.bundle", "-o", tmp_path / "out")
    assert result.returncode == 3
    assert f"a.bundle is {words}" in sentence(result) and "encrypted" in sentence(result)


@pytest.fixture
def modest() -> Iterator[Callable[[], int]]:
    """Bytes by which the peak of this process's memory has grown."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield lambda: (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10


@pytest.mark.slow
def test_a_bundle_above_four_gibibytes_is_not_read_whole(tmp_path: Path, modest: Callable[[], int]) -> None:
    """Its 64-bit header says so, and the disk agrees, but for the holes in it."""
    data = bytearray(bundle("CAB-a", {"a.prefab": "A"}))
    at, size = flags_at(bytes(data), VERSION) - 16, (4 << 30) + (100 << 20)
    struct.pack_into(">q", data, at, size)
    game = write_game(tmp_path / "game")
    (game / "a.bundle").write_bytes(data)
    os.truncate(game / "a.bundle", size)
    report = convert(game, tmp_path / "out", Options(verify="none"))
    assert modest() < 200 << 20
    assert set(statuses(report).values()) == {"read"}
    assert {asset.name for asset in report.assets} == {"A", "B", "C"}


def test_a_bundle_that_says_it_is_larger_than_its_file_is_truncated(tmp_path: Path) -> None:
    data = bytearray(bundle("CAB-a", {"a.prefab": "A"}))
    struct.pack_into(">q", data, flags_at(bytes(data), VERSION) - 16, 5 << 30)
    (tmp_path / "a.bundle").write_bytes(data)
    result = run("convert", tmp_path / "a.bundle", "-o", tmp_path / "out")
    assert result.returncode == 3 and f"the header says {5 << 30} bytes" in sentence(result)


# --- bombs ------------------------------------------------------------------------------------------------------------


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def padded(size: int) -> bytes:
    """A serialized file, and zeros."""
    return FileBuilder(VERSION).to_bytes() + bytes(size)


BOMBS: dict[str, Callable[[], bytes]] = {
    "lzma.bundle": lambda: unityfs({"CAB-1": bytes(64 << 20)}, VERSION, "lzma"),
    "web.data.gz": lambda: gzip.compress(b"UnityWebData1.0\0" + struct.pack("<i", 20) + bytes(64 << 20), 9),
    "web.data.br": lambda: brotli.compress(b"UnityWebData1.0\0" + struct.pack("<i", 20) + bytes(64 << 20)),
    "a.zip": lambda: zipped({"in.zip": zipped({"deep.assets": padded(400 << 20)})}),
    "b.zip": lambda: zipped({"one.bundle": unityfs({"CAB-1": bytes(64 << 20)}, VERSION, "lzma")}),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_itself_and_little_memory(tmp_path: Path, name: str, modest: Callable[[], int]) -> None:
    game = write_game(tmp_path / "game")
    (game / name).write_bytes(BOMBS[name]())
    start, before = time.monotonic(), modest()
    report = convert(game, tmp_path / "out", Options(verify="none"))
    assert time.monotonic() - start < 30
    assert modest() - before < 300 << 20
    assert len(report.assets) == 4
    status = statuses(report)
    assert status.pop(name) in ("failed", "skipped") and set(status.values()) == {"read"}
    assert codes(report) <= {"INPUT_LIMIT"}


def test_what_lies_in_one_file_is_bounded_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each member keeps to the ratio; all together do not."""
    monkeypatch.setattr(store, "UNPACKED", 6 << 20)
    monkeypatch.setattr(store, "RATIO", 100)
    members = {f"{number}.assets": padded(1 << 20) for number in range(20)}
    (tmp_path / "a.zip").write_bytes(zipped(members))
    (tmp_path / "b.zip").write_bytes(zipped({"one.bundle": bundle("CAB-b", {"b.prefab": "B"})}))
    report = convert(tmp_path, tmp_path / "out", Options(verify="none"))
    assert codes(report) == {"INPUT_LIMIT"}
    assert any("holds more than 6291456 bytes" in item.message for item in report.diagnostics)
    assert statuses(report) == {"a.zip": "failed", "b.zip": "read"}
    assert [asset.name for asset in report.assets] == ["B"]


def test_archives_nested_too_deep_are_told(tmp_path: Path) -> None:
    data = bundle("CAB-a", {"a.prefab": "A"})
    for level in range(7):
        data = zipped({f"{level}.zip" if level else "a.bundle": data})
    (tmp_path / "deep.zip").write_bytes(data)
    result = run("convert", tmp_path / "deep.zip", "-o", tmp_path / "out")
    assert result.returncode == 3 and "archives are nested more than 4 deep" in sentence(result)
