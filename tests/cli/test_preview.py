"""``preview`` and ``view`` as a user meets them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.builders.reports import report_value
from tests.cli.test_cli import run, sentence
from tests.unit.preview.handmade import write_gltf
from unity2gltf.optional import Unavailable

MESH = {"mesh": 0}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_gltf(tmp_path / "in/a.gltf", [MESH], clips=("Up",))
    write_gltf(tmp_path / "in/b/c.gltf", [MESH])
    return tmp_path


def test_pictures_of_a_folder(folder: Path, filament: str) -> None:
    result = run("preview", folder / "in", "-o", folder / "out", "--size", "32x16", "--json")
    assert result.returncode == 0
    found = json.loads(result.stdout)
    assert {key: found[key] for key in ("files", "rendered", "skipped", "failed", "pages")} == {
        "files": 2,
        "rendered": 2,
        "skipped": 0,
        "failed": 0,
        "pages": [],
    }
    assert [item["still"] for item in found["pictures"]] == [
        (folder / "out" / name).as_posix() for name in ("a.gltf.png", "b/c.gltf.png")
    ]
    assert "2 files: 2 rendered, 0 skipped, 0 failed" in result.stderr
    assert run("preview", folder / "in/a.gltf", "-o", folder / "out", "--size", "32", "--quiet").stderr == ""


def test_what_fails_is_told_and_the_rest_is_drawn(folder: Path, filament: str) -> None:
    (folder / "in/broken.gltf").write_text("{", encoding="utf-8")
    result = run("preview", folder / "in", "-o", folder / "out", "--size", "32", "--quiet")
    assert result.returncode == 1
    assert result.stderr.startswith(f"failed: {folder / 'in/broken.gltf'}: ")
    assert len(list(folder.rglob("*.png"))) == 2


def test_a_clip_and_a_turntable(folder: Path, filament: str) -> None:
    options = ("-o", folder / "out", "--size", "32", "--clip", "Up", "--time", "1", "--turntable", "3")
    result = run("preview", folder / "in", *options, "--json")
    assert result.returncode == 0
    assert "skipped: " in result.stderr
    drawn, skipped = json.loads(result.stdout)["pictures"]
    assert drawn["turntable"] == (folder / "out/a.gltf.webp").as_posix()
    assert skipped["reason"] == "it has no animation 'Up'; it has none"
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["a.gltf.png", "a.gltf.webp"]


def test_nothing_to_draw_is_3(folder: Path, filament: str) -> None:
    result = run("preview", folder / "in", "-o", folder / "out", "--clip", "Walk")
    assert result.returncode == 3
    assert sentence(result) == "unity2gltf: there was nothing to draw"
    assert run("preview", folder / "out", "-o", folder).returncode == 3


def test_a_report_that_is_not_ours_is_told_before_anything_is_drawn(folder: Path) -> None:
    (folder / "report.json").write_text('{"schema": 1}', encoding="utf-8")
    result = run("preview", folder / "in", "--json")
    assert (result.returncode, result.stdout) == (2, "")
    assert "is no whole report" in sentence(result) and "say with -o" in sentence(result)
    assert list(folder.rglob("*.png")) == []


def test_pictures_are_told_where_the_page_cannot_be_written(folder: Path, filament: str) -> None:
    (folder / "in/report.json").write_text(json.dumps(report_value([])), encoding="utf-8")
    (folder / "in/index.html").mkdir()
    result = run("preview", folder / "in", "--size", "32", "--json")
    assert result.returncode == 1
    found = json.loads(result.stdout)
    assert (found["rendered"], found["pages"]) == (2, [])
    assert sentence(result).startswith("unity2gltf: the page was not drawn anew: ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--size", "big"], "a size is"),
        (["--size", "8"], "16 to 4096"),
        (["--background", "nosuch"], "a background is"),
        (["--turntable", "1"], "at least 2 views"),
        (["--turntable", "999"], "2 to 360 views"),
        (["--time", "1"], "--time needs --clip"),
        (["--clip", "Up", "--time", "-1"], "a time is"),
        ([], "say with -o"),
    ],
)
def test_wrong_usage_is_2(folder: Path, options: list[str], words: str) -> None:
    more = ["-o", folder / "out"] if options else []
    result = run("preview", folder / "in", *more, *options)
    assert result.returncode == 2
    assert words in sentence(result)


def test_a_missing_renderer_says_how_to_get_it(folder: Path) -> None:
    missing = Unavailable("there is none (pip install 'unity2gltf[preview]')")
    with patch("unity2gltf.preview.filament.find_filament", return_value=missing):
        result = run("preview", folder / "in", "-o", folder / "out")
        rows = {row["part"]: row for row in json.loads(run("doctor", "--json").stdout)}
    assert result.returncode == 1
    assert sentence(result) == f"unity2gltf: {missing.reason}"
    assert rows["Filament (preview)"] == {"part": "Filament (preview)", "state": "not found", "note": missing.reason}


def test_view_prints_its_address_serves_and_ends_on_ctrl_c(folder: Path) -> None:
    command = [sys.executable, "-m", "unity2gltf", "view", str(folder / "in"), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{url}assets.json", timeout=30) as answer:
            assert [item["output"] for item in json.load(answer)["assets"]] == ["a.gltf", "b/c.gltf"]
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0
    assert errors.splitlines()[-1] == "ended"


def test_view_of_nothing(tmp_path: Path) -> None:
    assert run("view", tmp_path / "gone").returncode == 3
    assert run("view", tmp_path).returncode == 3
    assert run("view", tmp_path, "--viewer", tmp_path / "gone.js").returncode == 2
