"""Bad games, bad places and bad luck, end to end through ``convert``: the right code, the right exit, the rest made."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import socket
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import unity2gltf.report
from unity2gltf.batch import run as batch_run
from unity2gltf.batch.inputs import open_inputs
from unity2gltf.batch.prove import prove
from unity2gltf.batch.run import convert
from unity2gltf.errors import InputError, OutputError, UsageError
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.extract.game import Game
from unity2gltf.options import Options
from unity2gltf.sample import FileBuilder, Frame, Hierarchy, MeshContent, Skinning, mesh_fields, unityfs
from unity2gltf.sample.game import props_bundle, write_player
from unity2gltf.sample.values import ASSET_BUNDLE, MESH, MESH_FILTER, MESH_RENDERER, SKINNED_MESH_RENDERER, pptr
from unity2gltf.validate.structure import check_structure

VERSION = "2022.3.20f1"
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((Path(unity2gltf.report.__file__).parent / "schema-1.json").read_text())
)


@dataclass
class Run:
    """A finished conversion: report.json as it lies on disk, and what the tests ask of it."""

    report: dict[str, Any]
    out: Path
    exit_code: int

    @property
    def codes(self) -> set[str]:
        return set(self.report["counts"]["diagnostics"])

    @property
    def losses(self) -> set[str]:
        """The codes that are no mere notes."""
        lists = [self.report["diagnostics"], *(asset["diagnostics"] for asset in self.report["assets"])]
        return {item["code"] for items in lists for item in items if item["severity"] != "info"}

    @property
    def statuses(self) -> dict[str, str]:
        """Status by the asset's name."""
        return {asset["name"]: asset["status"] for asset in self.report["assets"]}


def run(*inputs: Path, out: Path, **options: Any) -> Run:
    """Convert, and hold every output and the report to what is promised of them whatever the input."""
    report = convert(inputs, out, Options(**{"verify": "full"} | options))
    stored = json.loads((out / "report.json").read_text("utf-8"))
    SCHEMA.validate(stored)
    for asset in stored["assets"]:
        if asset["output"]:
            assert check_structure(read_gltf(out / asset["output"])) == []
        assert not any("exception" in item["data"] for item in asset["diagnostics"]), asset["diagnostics"]
    assert list(out.rglob("*.part")) == []
    return Run(stored, out, report.exit_code("error"))


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Nothing may be printed."""
    yield
    assert capfd.readouterr() == ("", "")


@pytest.fixture(scope="module")
def bundle() -> bytes:
    """A pedestal as a prefab, and a mesh ``Hat``."""
    file, data = props_bundle(VERSION)
    name = "CAB-8f7e6d5c4b3a29180706f5e4d3c2b1a0"
    return unityfs({name: file, name + ".resS": data}, VERSION)


def triangle(name: str = "Triangle", **changes: Any) -> MeshContent:
    positions = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0]], np.float32)
    values: dict[str, Any] = {
        "name": name,
        "positions": positions,
        "normals": np.tile(np.array([0, 0, -1], np.float32), (3, 1)),
        "tangents": np.tile(np.array([1, 0, 0, -1], np.float32), (3, 1)),
        "uv": positions[:, :2].copy(),
        "submeshes": (np.array([[0, 1, 2]]),),
    }
    return MeshContent(**(values | changes))


def skinning(bones: int, joints: Sequence[int] = (0, 0, 0)) -> Skinning:
    """One influence of weight 1 a vertex, on bones whose bind poses are the identity."""
    return Skinning(
        offsets=np.arange(len(joints) + 1),
        joints=np.array(joints),
        units=np.full(len(joints), 65535),
        bind_poses=np.tile(np.eye(4), (bones, 1, 1)),
        bone_paths=[f"bone{number}" for number in range(bones)],
    )


def show(tree: Hierarchy, item: Any, mesh: int, material: int = 0) -> None:
    """Give an object a MeshRenderer that draws ``mesh``."""
    tree.component(item, MESH_FILTER, {"m_Mesh": pptr(mesh)})
    tree.component(item, MESH_RENDERER, {"m_Materials": [pptr(material)]})


def save(folder: Path, file: FileBuilder, name: str = "a.assets") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(file.to_bytes())
    return folder


# --- places -------------------------------------------------------------------------------------------------------


def test_pipes_sockets_and_devices_in_the_folder_are_skipped_and_not_read(tmp_path: Path, bundle: bytes) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "a.bundle").write_bytes(bundle)
    os.mkfifo(game / "pipe.bundle")
    (game / "zero").symlink_to("/dev/zero")
    (game / "dangling").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(game / "socket"))
    result = run(game, out=tmp_path / "out")
    inputs = {item["path"]: (item["status"], item["sha256"] is None) for item in result.report["inputs"]}
    skipped, failed = ("skipped", True), ("failed", True)
    expected = {"pipe.bundle": skipped, "zero": skipped, "socket": skipped, "dangling": failed}
    assert inputs == {"a.bundle": ("read", False)} | expected
    assert result.statuses == {"Pedestal": "exact", "Hat": "exact"}


def test_file_names_that_are_no_utf8_are_told_as_text_in_every_mark(tmp_path: Path, bundle: bytes) -> None:
    folder = tmp_path / "game" / os.fsdecode(b"d\xe9r")
    folder.mkdir(parents=True)
    (folder / os.fsdecode(b"\xff.bundle")).write_bytes(bundle)
    result = run(tmp_path / "game", out=tmp_path / "out")
    assert [item["path"] for item in result.report["inputs"]] == ["d\\xe9r/\\xff.bundle"]
    assert result.exit_code == 0
    single = run(folder / os.fsdecode(b"\xff.bundle"), out=tmp_path / "single")
    assert single.report["assets"][0]["source"]["input"] == "\\xff.bundle"


def test_output_below_the_input_is_no_input_of_the_next_run(tmp_path: Path, bundle: bytes) -> None:
    (tmp_path / "a.bundle").write_bytes(bundle)
    first = run(tmp_path, out=tmp_path / "out").report
    assert run(tmp_path, out=tmp_path / "out").report == first
    assert [item["path"] for item in first["inputs"]] == ["a.bundle"]


def test_output_folder_that_is_the_input_is_refused(tmp_path: Path, bundle: bytes) -> None:
    (tmp_path / "a.bundle").write_bytes(bundle)
    with pytest.raises(UsageError, match="folder of its own"):
        convert([tmp_path / "a.bundle", tmp_path], tmp_path / "x" / "..")
    assert [path.name for path in tmp_path.iterdir()] == ["a.bundle"]


def test_input_given_twice_is_converted_once(tmp_path: Path, bundle: bytes) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "a.bundle").write_bytes(bundle)
    once = run(game, out=tmp_path / "once").report
    (tmp_path / "link").symlink_to(game)
    assert run(game, game, tmp_path / "game" / ".." / "game", tmp_path / "link", out=tmp_path / "out").report == once


def test_inputs_with_the_same_paths_inside_keep_their_marks_apart(tmp_path: Path, bundle: bytes) -> None:
    for name in ("x", "y", "z"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.bundle").write_bytes(bundle)
    games = [tmp_path / name for name in "xyz"]
    result = run(*games, out=tmp_path / "out")
    assert [item["path"] for item in result.report["inputs"]] == ["2:/a.bundle", "3:/a.bundle", "a.bundle"]
    marks = [tuple(asset["source"].values()) for asset in result.report["assets"]]
    assert len(marks) == len(set(marks)) == 6
    files = sorted((tmp_path / "out").rglob("*.glb"))
    assert len(files) == 6
    proofs = list(prove(files, games, "quick"))
    assert sorted(proof.path for proof in proofs) == files
    assert all(proof.result is not None and proof.result.passed for proof in proofs)


def test_two_runs_with_the_same_marks_are_both_proven(tmp_path: Path, bundle: bytes) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "a.bundle").write_bytes(bundle)
    for name in ("one", "two"):
        run(game, out=tmp_path / name, include=("meshes",))
    files = sorted(tmp_path.rglob("*.glb"))
    assert sorted(proof.path for proof in prove(files, [game], "quick")) == files


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_output_folder_that_takes_no_more_files_ends_the_run_without_an_old_report(
    tmp_path: Path, bundle: bytes, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, out = tmp_path / "game", tmp_path / "out"
    game.mkdir()
    (game / "a.bundle").write_bytes(bundle)
    run(game, out=out)

    def full(self: Path, target: Path) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match=os.strerror(number)):
        convert([game], out)
    assert not (out / "report.json").exists()
    assert list(out.rglob("*.part")) == []


def test_place_of_one_file_that_is_taken_costs_that_asset_alone(tmp_path: Path, bundle: bytes) -> None:
    (tmp_path / "a.bundle").write_bytes(bundle)
    (tmp_path / "out" / "meshes" / "Hat.glb").mkdir(parents=True)
    result = run(tmp_path / "a.bundle", out=tmp_path / "out")
    assert result.statuses == {"Pedestal": "exact", "Hat": "failed"}
    assert result.losses == {"OUTPUT_UNWRITABLE"}


def test_report_that_does_not_fit_leaves_nothing_half_written(
    tmp_path: Path, bundle: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.bundle").write_bytes(bundle)

    real = Path.open

    def full(self: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        file = real(self, mode, *rest, **more)
        if mode == "w":  # texts: the reports alone
            file.close()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return file

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(OutputError, match="No space left"):
        convert([tmp_path / "a.bundle"], tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir() if path.is_file()] == []


def test_container_paths_that_would_make_a_folder_of_anothers_file(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    mesh, tree = file.add(MESH, mesh_fields(triangle(), file)), Hierarchy(file)
    container = []
    for path in ("a.prefab", "a.glb/b.prefab", "A.prefab", "../../up.prefab", "/root.prefab", "d/" * 300 + "e.prefab"):
        item = tree.add(path)
        show(tree, item, mesh)
        container.append((path, {"preloadIndex": 0, "preloadSize": 0, "asset": pptr(item.game_object)}))
    tree.write()
    file.add(ASSET_BUNDLE, {"m_Name": "x", "m_Container": container})
    (tmp_path / "a.bundle").write_bytes(unityfs({"CAB-1": file.to_bytes()}, VERSION))
    result = run(tmp_path / "a.bundle", out=tmp_path / "out")
    outputs = {asset["output"] for asset in result.report["assets"]}
    assert {"prefabs/a.glb", "prefabs/a.glb_/b.glb", "prefabs/up.glb", "prefabs/root.glb"} < outputs
    assert len(outputs) == 6 and None not in outputs and max(map(len, outputs)) <= 200


# --- hierarchies --------------------------------------------------------------------------------------------------


def chain(tree: Hierarchy, length: int, name: str = "n") -> list[Any]:
    items: list[Any] = []
    for number in range(length):
        items.append(tree.add(f"{name}{number}", items[-1] if items else None, position=(0, 0.01, 0)))
    return items


def test_bones_that_are_missing_at_the_end_of_a_deep_chain_cost_no_hour(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    end = chain(tree, 2500, name="n" * 25)[-1]
    mesh = file.add(MESH, mesh_fields(triangle(skin=skinning(60)), file))
    bones = [pptr(999_999)] * 60
    tree.component(end, SKINNED_MESH_RENDERER, {"m_Mesh": pptr(mesh), "m_Materials": [pptr(0)], "m_Bones": bones})
    tree.write()
    begin = time.monotonic()
    result = run(save(tmp_path / "game", file), out=tmp_path / "out")
    assert time.monotonic() - begin < 10  # a guard against hanging: it took minutes when every suffix was hashed
    assert list(result.statuses.values()) == ["lossy"]
    assert "SKIN_BONE_MISSING" in result.codes
    assert result.report["assets"][0]["roundtrip"]["max_error_m"] < 1e-4


def test_default_shape_weights_of_nan_become_zero_and_are_told(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    face = tree.add("Face")
    frame = Frame(100.0, np.array([0]), np.array([[0.0, 0.1, 0.0]]))
    mesh = file.add(MESH, mesh_fields(triangle(shapes={name: (frame,) for name in "abc"}), file))
    weights = [float("nan"), 50.0, float("-inf")]
    fields = {"m_Mesh": pptr(mesh), "m_Materials": [pptr(0)], "m_BlendShapeWeights": weights}
    tree.component(face, SKINNED_MESH_RENDERER, fields)
    tree.write()
    result = run(save(tmp_path / "game", file), out=tmp_path / "out")
    (asset,) = result.report["assets"]
    told = {item["code"]: item["data"] for item in asset["diagnostics"]}
    assert told["SHAPE_WEIGHT_FIXED"] == {"count": 2}
    assert read_gltf(tmp_path / "out" / asset["output"]).json["nodes"][0]["weights"] == [0.0, 0.5, 0.0]


# --- what the project promises by name ----------------------------------------------------------------------------


def game_of(
    folder: Path, fields: Callable[[FileBuilder], dict[str, Any]], renderer: dict[str, Any] | None = None
) -> Path:
    """A file with two prefabs: ``Bad`` draws the mesh of ``fields`` beside a good one, ``Good`` the good one alone."""
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    mesh, good = file.add(MESH, fields(file)), file.add(MESH, mesh_fields(triangle("Fine"), file))
    bad = tree.add("Bad")
    show(tree, tree.add("Beside", bad), good)
    if renderer is None:
        show(tree, bad, mesh)
    else:
        bones = [pptr(bad.transform)] * renderer.pop("bones")
        skinned = {"m_Mesh": pptr(mesh), "m_Materials": [pptr(0)], "m_Bones": bones}
        tree.component(bad, SKINNED_MESH_RENDERER, skinned | renderer)
    show(tree, tree.add("Good"), good)
    tree.write()
    return save(folder, file)


def changed(mesh: MeshContent, change: Callable[[dict[str, Any]], object]) -> Callable[[FileBuilder], dict[str, Any]]:
    def fields(file: FileBuilder) -> dict[str, Any]:
        made = mesh_fields(mesh, file)
        change(made)
        return made

    return fields


def halve_stream(fields: dict[str, Any]) -> None:
    data = fields["m_VertexData"]["m_DataSize"]
    fields["m_VertexData"]["m_DataSize"] = data[: len(data) // 2]


def point_outside(fields: dict[str, Any]) -> None:
    fields["m_IndexBuffer"] = np.array([0, 1, 3], "<u2").tobytes()


def many_vertices(fields: dict[str, Any]) -> None:
    fields["m_VertexData"]["m_VertexCount"] = 0xFFFF_FFFF


def many_indices(fields: dict[str, Any]) -> None:
    fields["m_SubMeshes"][0]["indexCount"] = 0xFFFF_FFFD


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (halve_stream, "MESH_DATA_TRUNCATED"),
        (point_outside, "MESH_INDEX_RANGE"),
        (many_vertices, "MESH_DATA_TRUNCATED"),
        (many_indices, "MESH_DATA_TRUNCATED"),
    ],
    ids=["truncated-stream", "index-out-of-range", "lying-vertex-count", "lying-index-count"],
)
def test_mesh_that_lies_is_told_and_the_rest_is_drawn(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], code: str
) -> None:
    result = run(game_of(tmp_path / "game", changed(triangle("Lies"), change)), out=tmp_path / "out")
    assert result.exit_code == 1
    assert code in result.codes
    assert result.statuses["Good"] == "exact"
    bad = next(asset for asset in result.report["assets"] if asset["name"] == "Bad")
    assert (bad["status"], bad["stats"]["triangles"]) == ("lossy", 1)
    assert {item["code"] for item in bad["diagnostics"] if item["severity"] == "error"} == {code}
    lies = next(item for item in result.report["contents"] if item["name"] == "Lies")
    assert lies["status"] == "failed" and lies["reason"]


def weights_of_nan(fields: dict[str, Any]) -> None:
    fields["?m_VariableBoneCountWeights"] = {"m_Data": []}
    channel = fields["m_VertexData"]["m_Channels"][12]
    assert (channel["format"], channel["dimension"]) == (0, 4)
    data = bytearray(fields["m_VertexData"]["m_DataSize"])
    start = data.rindex(np.array([1, 0, 0, 0], "<f4").tobytes())  # the last vertex
    data[start : start + 4] = np.array([np.nan], "<f4").tobytes()
    fields["m_VertexData"]["m_DataSize"] = bytes(data)


def variable_weights_that_lie(fields: dict[str, Any]) -> None:
    fields["?m_VariableBoneCountWeights"]["m_Data"][1] = 0xFFFF_FFFF


@pytest.mark.parametrize(
    ("change", "code"),
    [(weights_of_nan, "SKIN_WEIGHTS_INVALID"), (variable_weights_that_lie, "SKIN_VARIABLE_INVALID")],
    ids=["nan-weights", "lying-variable-weights"],
)
def test_skin_weights_that_are_none_are_told_and_the_mesh_is_drawn(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], code: str
) -> None:
    fields = changed(triangle("Skinned", skin=skinning(2, (1, 0, 1))), change)
    result = run(game_of(tmp_path / "game", fields, {"bones": 2}), out=tmp_path / "out")
    assert code in result.codes
    assert result.statuses == {"Bad": "lossy", "Good": "exact"}
    bad = next(asset for asset in result.report["assets"] if asset["name"] == "Bad")
    assert bad["stats"]["triangles"] == 2
    assert bad["roundtrip"]["max_error_m"] < 1e-6


def test_bone_slot_beyond_the_bones_is_told_and_the_other_bones_carry_on(tmp_path: Path) -> None:
    fields = changed(triangle("Skinned", skin=skinning(2, (1, 0, 77))), lambda _: None)
    result = run(game_of(tmp_path / "game", fields, {"bones": 2}), out=tmp_path / "out")
    assert "SKIN_BONE_RANGE" in result.codes
    assert result.statuses["Good"] == "exact"


def test_slots_that_repeat_a_bone_get_joints_of_their_own(tmp_path: Path) -> None:
    fields = changed(triangle("Skinned", skin=skinning(3, (0, 1, 2))), lambda _: None)
    result = run(game_of(tmp_path / "game", fields, {"bones": 3}), out=tmp_path / "out")
    assert result.statuses == {"Bad": "exact", "Good": "exact"}
    assert "SKIN_BONE_REPEATED" in result.codes and not result.losses
    bad = next(asset for asset in result.report["assets"] if asset["name"] == "Bad")
    gltf = read_gltf(result.out / bad["output"]).json
    first, *others = gltf["skins"][0]["joints"]
    assert len({first, *others}) == 3 and set(others) <= set(gltf["nodes"][first]["children"])


def test_parents_in_a_ring_are_cut_and_what_hangs_there_is_drawn(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    mesh = file.add(MESH, mesh_fields(triangle(), file))
    ring = chain(tree, 3)
    ring[0].parent = ring[2]
    ring[2].children.append(ring[0])
    show(tree, ring[1], mesh)
    show(tree, tree.add("Good"), mesh)
    tree.write()
    result = run(save(tmp_path / "game", file), out=tmp_path / "out")
    assert "HIERARCHY_CYCLE" in result.codes
    assert result.statuses == {"n0": "lossy", "Good": "exact"}


def test_child_of_two_parents_stays_with_the_first(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    mesh = file.add(MESH, mesh_fields(triangle(), file))
    top = tree.add("Top")
    one, two = tree.add("One", top), tree.add("Two", top)
    child = tree.add("Child", one)
    two.children += [child, child, two]
    show(tree, child, mesh)
    tree.write()
    result = run(save(tmp_path / "game", file), out=tmp_path / "out")
    assert result.statuses == {"Top": "lossy"}
    assert {"HIERARCHY_PARENT", "HIERARCHY_CYCLE"} <= result.codes
    assert result.report["assets"][0]["stats"]["nodes"] == 4


@pytest.mark.parametrize("scale", [(0, 0, 0), (1, 0, 1), (-1, 1, 1), (1e-38, 1e-38, 1e-38), (1e38, 1e38, 1e38)])
def test_scale_of_zero_or_no_bounds_keeps_the_rest_shape(tmp_path: Path, scale: tuple[float, ...]) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    mesh = file.add(MESH, mesh_fields(triangle(), file))
    skinned = file.add(MESH, mesh_fields(triangle("Skinned", skin=skinning(2, (0, 1, 0))), file))
    top = tree.add("Top", scale=scale)
    inner = tree.add("Inner", top, scale=scale)
    show(tree, inner, mesh)
    fields = {"m_Mesh": pptr(skinned), "m_Materials": [pptr(0)], "m_Bones": [pptr(inner.transform), pptr(0)]}
    tree.component(tree.add("Body", inner), SKINNED_MESH_RENDERER, fields)
    tree.write()
    result = run(save(tmp_path / "game", file), out=tmp_path / "out")
    assert result.statuses == {"Top": "lossy"}  # a bone is missing
    assert result.losses == {"SKIN_BONE_MISSING"}


@pytest.mark.parametrize("scale", [3.0, 100.0])
def test_scales_that_multiply_beyond_float32_are_no_surprise(tmp_path: Path, scale: float) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    top = end = tree.add("Top")
    for number in range(300):
        end = tree.add(f"n{number}", end, scale=(scale, scale, scale))
    skinned = file.add(MESH, mesh_fields(triangle("Skinned", skin=skinning(3, (0, 1, 2))), file))
    bones = [pptr(end.transform), pptr(0), pptr(top.transform)]
    fields = {"m_Mesh": pptr(skinned), "m_Materials": [pptr(0)], "m_Bones": bones}
    tree.component(end, SKINNED_MESH_RENDERER, fields)
    show(tree, tree.add("Good"), file.add(MESH, mesh_fields(triangle(), file)))
    tree.write()
    result = run(save(tmp_path / "game", file), out=tmp_path / "out")
    assert result.statuses["Good"] == "exact"
    assert result.statuses.get("Top") != "exact"


def test_transform_of_nan_is_told_and_drawn_at_its_place(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    mesh = file.add(MESH, mesh_fields(triangle(), file))
    nan = float("nan")
    show(tree, tree.add("Top", position=(nan, 1, 2), rotation=(0, 0, 0, 0), scale=(1, nan, 2)), mesh)
    tree.write()
    result = run(save(tmp_path / "game", file), out=tmp_path / "out")
    assert (result.statuses, result.losses) == ({"Top": "lossy"}, {"NODE_VALUE_FIXED"})


def test_object_whose_vector_counts_billions_is_corrupt_and_allocates_nothing(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    mesh = file.add(MESH, mesh_fields(triangle(), file))
    data = file.objects[mesh].data
    name = len("Triangle").to_bytes(4, "little") + b"Triangle"
    assert data.startswith(name)
    bad = file.add_bytes(MESH, name + (0x7FFF_FFFF).to_bytes(4, "little") + data[len(name) + 4 :])
    show(tree, tree.add("Good"), mesh)
    show(tree, tree.add("Bad"), bad)
    tree.write()
    result = run(save(tmp_path / "game", file), out=tmp_path / "out")
    assert "OBJECT_CORRUPT" in result.codes
    assert result.statuses == {"Good": "exact", "Bad": "failed", "Triangle": "failed"}
    assert result.exit_code == 1


def test_half_an_lzma_bundle_is_truncated_and_the_one_beside_is_converted(tmp_path: Path, bundle: bytes) -> None:
    file, data = props_bundle(VERSION)
    whole = unityfs({"CAB-1": file, "CAB-1.resS": data}, VERSION, "lzma")
    game = tmp_path / "game"
    game.mkdir()
    (game / "half.bundle").write_bytes(whole[: len(whole) // 2])
    (game / "whole.bundle").write_bytes(bundle)
    result = run(game, out=tmp_path / "out")
    inputs = {item["path"]: item["status"] for item in result.report["inputs"]}
    assert inputs == {"half.bundle": "failed", "whole.bundle": "read"}
    assert (result.losses, result.exit_code) == ({"INPUT_TRUNCATED"}, 1)
    assert result.statuses == {"Pedestal": "exact", "Hat": "exact"}


@pytest.mark.parametrize(("keep", "code"), [(None, "RESOURCE_MISSING"), (100, "RESOURCE_TRUNCATED")])
def test_resources_that_are_missing_or_short_cost_what_lies_in_them(
    tmp_path: Path, keep: int | None, code: str
) -> None:
    game = tmp_path / "Game_Data"
    write_player(game, VERSION)
    stream = game / "sharedassets0.assets.resS"
    if keep is None:
        stream.unlink()
    else:
        stream.write_bytes(stream.read_bytes()[:keep])
    result = run(game, out=tmp_path / "out")
    assert code in result.codes
    assert result.exit_code == 1
    assert result.statuses["Studio"] == "lossy"
    whole = run(write_player(tmp_path / "whole" / "Game_Data", VERSION)[0].parent, out=tmp_path / "whole" / "out")
    stats = [r.report["counts"]["stats"]["triangles"] for r in (result, whole)]
    assert 0 < stats[0] <= stats[1]


# --- containers ---------------------------------------------------------------------------------------------------


def prefab_file(name: str) -> bytes:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    show(tree, tree.add(name), file.add(MESH, mesh_fields(triangle(name), file)))
    tree.write()
    return file.to_bytes()


def test_bundle_members_of_the_same_name_keep_their_marks_apart(tmp_path: Path) -> None:
    names = ("CAB-1", "x/CAB-1", "CAB-2", "CAB-3")
    files = {name: prefab_file(f"P{number}") for number, name in enumerate(names)}
    data = unityfs(files, VERSION, "none").replace(b"CAB-2\0", b"CAB-3\0")
    (tmp_path / "a.bundle").write_bytes(data)
    result = run(tmp_path / "a.bundle", out=tmp_path / "out")
    marks = {asset["name"]: asset["source"]["file"] for asset in result.report["assets"]}
    assert marks == {"P0": "CAB-1", "P1": "x/CAB-1", "P2": "CAB-3", "P3": "CAB-3#2"}
    assert set(result.statuses.values()) == {"exact"}


def test_bundle_members_whose_names_are_no_utf8_are_marked_in_text(tmp_path: Path) -> None:
    data = unityfs({"CAB-1": prefab_file("P")}, VERSION, "none").replace(b"CAB-1\0", b"CAB\xff\xfe\0")
    (tmp_path / "a.bundle").write_bytes(data)
    result = run(tmp_path / "a.bundle", out=tmp_path / "out")
    assert result.report["assets"][0]["source"]["file"] == "CAB\\xff\\xfe"
    assert result.statuses == {"P": "exact"}


def test_zip_within_gzip_is_read(tmp_path: Path, bundle: bytes) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../../a.bundle", bundle)
    (tmp_path / "a.zip.gz").write_bytes(gzip.compress(buffer.getvalue()))
    result = run(tmp_path / "a.zip.gz", out=tmp_path / "out")
    assert result.statuses == {"Pedestal": "exact", "Hat": "exact"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip.gz", "out"]


def test_broken_file_with_an_exclamation_mark_in_its_name_is_told_as_failed(tmp_path: Path, bundle: bytes) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "oh!no.bundle").write_bytes(bundle[: len(bundle) // 2])
    (game / "oh").write_bytes(bundle)
    result = run(game, out=tmp_path / "out")
    assert {i["path"]: i["status"] for i in result.report["inputs"]} == {"oh!no.bundle": "failed", "oh": "read"}


def test_file_that_shrinks_while_the_game_is_read_costs_what_it_held(
    tmp_path: Path, bundle: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "a.bundle").write_bytes(bundle)
    (game / "b.bundle").write_bytes(bundle)

    def shrink(*inputs: Any, **options: Any) -> Iterator[Game]:
        for opened in open_inputs(*inputs, **options):
            (game / "b.bundle").write_bytes(bundle[:200])
            yield opened

    monkeypatch.setattr(batch_run, "open_inputs", shrink)
    result = run(game, out=tmp_path / "out")
    assert {i["path"]: i["status"] for i in result.report["inputs"]} == {"a.bundle": "read", "b.bundle": "failed"}
    assert result.statuses == {"Pedestal": "exact", "Hat": "exact"}


# --- reports and commands -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"options": {}}',
        b'{"assets": [1], "options": {}}',
        b'{"assets": [], "options": "x"}',
        b'{"assets": [], "options": {"max_influences": "many"}}',
        b'{"assets": [], "options": {"unity_version": 5}}',
        b'{"assets": [], "options": {"format": "fbx"}}',
        b'{"assets": [{"output": "a.glb", "source": null}], "options": {}}',
    ],
)
def test_report_that_is_none_is_one_sentence(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "report.json").write_bytes(text)
    (tmp_path / "a.glb").write_bytes(b"glTF")
    with pytest.raises(InputError, match=r"report\.json is no report of a conversion"):
        list(prove([tmp_path / "a.glb"], [tmp_path], "quick"))


def test_meshes_of_a_file_without_a_version_are_listed_with_the_reason(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    mesh = file.add(MESH, mesh_fields(triangle(), file))
    data = file.to_bytes().replace(VERSION.encode(), b"0.0.0".ljust(len(VERSION), b"x"), 1)
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "stripped.assets").write_bytes(data)
    report = convert([tmp_path / "game"], tmp_path / "out", Options())
    (item,) = report.contents
    assert (item.source.type, item.source.path_id, item.status) == ("Mesh", mesh, "failed")
    assert item.reason == "stripped.assets names no Unity version; give one with --unity-version"
    assert report.exit_code("error") == 3
    known = convert([tmp_path / "game"], tmp_path / "out", Options(unity_version=VERSION))
    assert [content.status for content in known.contents] == ["exact"]
