"""The run itself is killed or interrupted: no process stays, no half file, and the next run comes to the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.batch.small import bundle, children, cli, command, contents, is_running, leftovers, paths, write_game
from unity2gltf import Options, convert
from unity2gltf.evaluate.glb import output_root, read_gltf
from unity2gltf.sample import write_sample

KILLS = 10


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game")
    write_sample(folder / "sample", ("2022.3.20f1",))
    small = write_game(folder / "small")
    for number in range(12):
        data = bundle(f"CAB-s{number}", {"same.prefab": f"S{number}", f"own{number}.prefab": f"O{number}"})
        (small / f"s{number}.bundle").write_bytes(data)
    return folder


def wait_until_gone(pids: list[int], seconds: float = 20) -> list[int]:
    """Those that still run after all that time."""
    deadline = time.monotonic() + seconds
    while (left := [pid for pid in pids if is_running(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


@pytest.mark.slow
def test_ten_runs_that_are_killed_come_to_the_same_bytes(game: Path, tmp_path: Path) -> None:
    out, chance = tmp_path / "out", random.Random(7)
    convert(game, tmp_path / "anew", Options(shared_textures=True))
    asked = ("convert", game, "-o", out, "--jobs", 2, "--shared-textures", "--quiet")
    for _ in range(KILLS):
        process = subprocess.Popen(command(*asked), stderr=subprocess.PIPE, text=True)
        begin = time.monotonic()
        while process.poll() is None and not (out / ".unity2gltf" / "state.db").exists():
            time.sleep(0.01)
        time.sleep(max(0.0, chance.uniform(0.2, 2.0) - (time.monotonic() - begin) / 2))
        workers = children(process.pid)
        process.kill()
        _, errors = process.communicate(timeout=60)
        assert errors == ""
        assert wait_until_gone(workers) == []
        for path in out.rglob("*.glb"):
            read_gltf(path, output_root(path) or out)
    done = cli(*asked)
    assert (done.returncode, done.stderr) == (0, "")
    assert contents(out) == contents(tmp_path / "anew")
    assert leftovers(out) == []


def test_ctrl_c_ends_the_workers_too(game: Path, tmp_path: Path) -> None:
    """A terminal sends it to all processes of the group."""
    asked = command("convert", game, "-o", tmp_path, "--jobs", 2, "--verify", "full")
    process = subprocess.Popen(asked, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while process.poll() is None and not list(tmp_path.rglob("*.glb")):
        time.sleep(0.01)
    workers = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.splitlines()) == (130, ["unity2gltf: interrupted"])
    assert wait_until_gone(workers, 5) == []
    assert "report.json" not in paths(tmp_path)
    assert not list(tmp_path.rglob("*.part"))


def test_ctrl_c_before_the_workers_have_begun(game: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        command("convert", game, "-o", tmp_path, "--jobs", 3), stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while process.poll() is None and len(children(process.pid)) < 2:
        time.sleep(0.005)
    workers = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.splitlines()) == (130, ["unity2gltf: interrupted"])
    assert wait_until_gone(workers, 10) == []


def test_a_second_run_on_the_folder_is_refused(game: Path, tmp_path: Path) -> None:
    """Stopped, the first one holds the folder for as long as the test needs."""
    asked = ("convert", game, "-o", tmp_path, "--quiet")
    first = subprocess.Popen(command(*asked), stderr=subprocess.PIPE, text=True)
    while first.poll() is None and not (tmp_path / ".unity2gltf" / "state.db").exists():
        time.sleep(0.005)
    first.send_signal(signal.SIGSTOP)
    try:
        second = cli(*asked)
    finally:
        first.send_signal(signal.SIGCONT)
    assert second.returncode == 2
    sentence = f"unity2gltf: another run is writing to {tmp_path}: wait for it, or give another --out"
    assert second.stderr.splitlines() == [sentence]
    first.communicate(timeout=60)
    assert first.returncode == 0
    assert cli(*asked).returncode == 0
