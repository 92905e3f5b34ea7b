"""The examples run on the sample game as their docstrings say."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
    assert listed.stdout.splitlines()[-1] == f"{len(lossy)} assets are lossy or failed"
    assert all((asset["output"] or asset["name"]) in listed.stdout for asset in lossy)


def test_list_lossy_tells_what_was_lost(tmp_path: Path) -> None:
    item = {"code": "SKIN_INFLUENCES_CUT", "severity": "warning", "message": "cut", "where": "level0:1"}
    note = {"code": "SKIN_FORM", "severity": "info", "message": "form", "where": "level0:1"}
    assets = [
        {"status": "lossy", "output": "scenes/a.glb", "name": "a", "diagnostics": [item, note]},
        {"status": "exact", "output": "scenes/b.glb", "name": "b", "diagnostics": [note]},
        {"status": "failed", "output": None, "name": "c", "diagnostics": []},
    ]
    (tmp_path / "report.json").write_text(json.dumps({"schema": 1, "assets": assets}), encoding="utf-8")
    lines = run(sys.executable, EXAMPLES / "list_lossy.py", tmp_path / "report.json").stdout.splitlines()
    assert lines == [
        "lossy: scenes/a.glb",
        "  SKIN_INFLUENCES_CUT: cut (level0:1)",
        "failed: c",
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


def test_usage_is_one_sentence() -> None:
    for script in ("convert_folder.py", "list_lossy.py"):
        done = run(sys.executable, EXAMPLES / script)
        assert done.returncode == 1
        assert done.stderr.startswith("usage: ")
