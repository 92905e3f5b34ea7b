"""The whole corpus in one run: every mesh accounted for, every file proven and valid."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.corpus.objects import VERSION
from unity2gltf import Options, convert
from unity2gltf.batch.outcome import Report
from unity2gltf.evaluate.fields import unity_extras
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.evaluate.gltf.lights import lights
from unity2gltf.optional import Unavailable
from unity2gltf.validate.khronos import find_khronos, run_khronos
from unity2gltf.validate.structure import check_structure

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corpus")


@pytest.fixture(scope="module")
def report(corpus: Path, out: Path) -> Report:
    return convert([corpus], out, Options())


def test_the_run_ends_with_0_or_1_and_a_report_that_fits_its_schema(report: Report, out: Path) -> None:
    assert report.exit_code("error") in (0, 1)
    value = json.loads((out / "report.json").read_text("utf-8"))
    jsonschema.validate(value, json.loads(files("unity2gltf.report").joinpath("schema-1.json").read_text("utf-8")))
    assert value == report.to_json()


def test_every_file_is_listed_and_what_failed_says_why(report: Report, corpus: Path) -> None:
    on_disk = {path.relative_to(corpus).as_posix() for path in corpus.rglob("*") if path.is_file()}
    assert {item.path for item in report.inputs} == on_disk
    assert len(on_disk) >= 140
    assert all(item.reason for item in report.inputs if item.status != "read")
    assert sum(item.status == "read" for item in report.inputs) >= 138


def test_every_mesh_has_its_outputs_or_its_reason(report: Report, out: Path) -> None:
    meshes = [item for item in report.contents if item.source.type == "Mesh"]
    assert len(meshes) >= 585
    for item in meshes:
        assert item.assets or item.reason, item
        assert all((out / path).is_file() for path in item.assets)
    assert sum(item.status in ("exact", "lossy") for item in meshes) >= 576


def test_every_round_trip_is_within_tolerance(report: Report) -> None:
    written = [asset for asset in report.assets if asset.output]
    assert len(written) >= 366
    for asset in written:
        assert asset.roundtrip is not None, asset.output
        assert asset.roundtrip["passed"], (asset.output, asset.roundtrip)
        assert asset.roundtrip["max_error_m"] <= asset.roundtrip["tolerance_m"]


def test_nothing_happened_that_we_did_not_foresee(report: Report) -> None:
    surprises = Counter(
        (diagnostic.code.name, diagnostic.message)
        for group in (report.diagnostics, *(asset.diagnostics for asset in report.assets))
        for diagnostic in group
        if "exception" in diagnostic.data
    )
    assert not surprises


def test_skins_shapes_and_placeholders_are_as_many_as_the_corpus_has(report: Report) -> None:
    renderers = [item for item in report.contents if item.source.type == "SkinnedMeshRenderer"]
    assert len(renderers) >= 168
    assert sum(bool(item.assets) for item in renderers) >= 161
    stats = report.counts()["stats"]
    assert stats["joints"] >= 2300
    assert stats["morph_targets"] >= 3
    assert stats["textures"] >= 50


def test_lights_cameras_and_lightmaps_are_as_many_as_the_corpus_has(report: Report, out: Path) -> None:
    """But for those of scenes that draw nothing, and those that are off."""
    count: Counter[str] = Counter()
    for asset in report.assets:
        if asset.output:
            gltf = read_gltf(out / asset.output)
            count.update(light["type"] for light in lights(gltf))
            count.update(camera["type"] for camera in gltf.items("cameras"))
            count["lightmap"] += sum("lightmap" in unity_extras(node, "") for node in gltf.items("nodes"))
    assert count["directional"] >= 15 and count["point"] >= 4
    assert count["perspective"] >= 22 and count["orthographic"] >= 2
    assert count["lightmap"] >= 18


def test_every_file_passes_the_structure_checks(report: Report, out: Path) -> None:
    issues: list[Any] = []
    for asset in report.assets:
        if asset.output:
            issues += [(asset.output, issue) for issue in check_structure(read_gltf(out / asset.output))]
    assert not issues


def test_every_file_passes_the_khronos_validator(report: Report, out: Path) -> None:
    runner = find_khronos(None)
    if isinstance(runner, Unavailable):
        pytest.skip(f"Khronos check skipped: {runner.reason}")
    paths = [out / asset.output for asset in report.assets if asset.output]
    results = list(run_khronos(paths, runner))
    assert len(results) == len(paths)
    assert [(r.path, r.messages) for r in results if r.errors or r.warnings] == []


@pytest.mark.slow
def test_a_tenth_of_the_files_passes_the_full_round_trip(report: Report, out: Path, corpus: Path) -> None:
    from unity2gltf.batch.prove import prove

    paths = [out / asset.output for asset in report.assets if asset.output][::10]
    proofs = list(prove(paths, [corpus], "full"))
    assert len(proofs) == len(paths) >= 36
    assert all(proof.result is not None and proof.result.passed for proof in proofs)


def test_files_without_a_version_are_read_when_one_is_given(corpus: Path, tmp_path: Path) -> None:
    folders = [path for path in corpus.iterdir() if path.name.startswith("griphone")]
    report = convert(folders, tmp_path, Options(unity_version=VERSION))
    assert {item.status for item in report.inputs} == {"read"}
    assert sum(asset.output is not None for asset in report.assets) >= 2


def test_two_runs_give_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    folder = next(path for path in sorted(corpus.iterdir()) if path.name.startswith("Brianneb1"))
    for name in ("a", "b"):
        convert([folder], tmp_path / name, Options())
    found, again = (outputs(tmp_path / name) for name in ("a", "b"))
    assert found == again
    assert len(found) >= 6


def outputs(folder: Path) -> dict[Path, bytes]:
    """What a run wrote, without its own state, which knows the times of the files."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".unity2gltf" not in path.parts
    }
