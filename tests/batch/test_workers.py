"""Worker processes: the same bytes however many there are, and one that dies costs one asset."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.batch.small import VERSION, bundle, contents, leftovers, paths, stamps, write_game
from tests.cli.test_cli import run
from unity2gltf import Options, Report
from unity2gltf.batch.flow import Shard
from unity2gltf.batch.progress import Step
from unity2gltf.batch.run import Running, convert
from unity2gltf.sample import write_sample

QUICK = Options(verify="none")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, and bundles whose assets want each other's names."""
    folder = tmp_path_factory.mktemp("games")
    write_sample(folder / "sample", ("2022.3.20f1",))
    small = write_game(folder / "small")
    for number in range(6):
        prefabs = {"same.prefab": f"S{number}", f"own{number}.prefab": f"O{number}"}
        (small / f"s{number}.bundle").write_bytes(bundle(f"CAB-s{number}", prefabs, size=number + 1))
    return folder


@pytest.fixture(scope="module")
def inline(games: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What this process alone makes of the games."""
    out = tmp_path_factory.mktemp("inline")
    convert(games, out, QUICK)
    return contents(out)


def died(report: Report) -> list[str]:
    return [a.name for a in report.assets if any(item.code.name == "WORKER_DIED" for item in a.diagnostics)]


@pytest.mark.parametrize("jobs", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_any_number_of_workers_writes_the_same_bytes(
    games: Path, inline: dict[str, bytes], tmp_path: Path, jobs: int
) -> None:
    names: list[str] = []
    convert(games, tmp_path, QUICK, running=Running(jobs=jobs), progress=lambda step: names.append(step.job.name))
    assert contents(tmp_path) == inline
    assert leftovers(tmp_path) == []
    assert not multiprocessing.active_children()
    again: list[str] = []
    convert(games, tmp_path, QUICK, progress=lambda step: again.append(step.job.name))
    assert names == again, "what finished first is told in the order of the plan all the same"
    assert contents(tmp_path) == inline


def test_json_lines_of_workers_come_in_one_order(games: Path, tmp_path: Path) -> None:
    lines = []
    for jobs in (1, 3):
        done = run("convert", games / "small", "-o", tmp_path / str(jobs), "--json", "-q", "--jobs", jobs)
        assert (done.returncode, done.stderr) == (0, "")
        lines.append(done.stdout.splitlines()[:-1])
    assert lines[0] == lines[1] and len(lines[0]) == 16
    listed = json.loads((tmp_path / "3" / "report.json").read_text("utf-8"))["assets"]
    assert sorted(lines[0]) == sorted(json.dumps(asset) for asset in listed)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_is_killed_costs_one_asset_and_the_next_run_tries_it_again(
    games: Path, inline: dict[str, bytes], tmp_path: Path, blow: signal.Signals
) -> None:
    done = 0

    def kill(_: Step) -> None:
        nonlocal done
        done += 1
        if done == 4:
            for worker in multiprocessing.active_children():
                os.kill(worker.pid or 0, blow)

    report = convert(games, tmp_path, QUICK, running=Running(jobs=1, timeout=600), progress=kill)
    (name,) = died(report)
    (asset,) = [asset for asset in report.assets if asset.status == "failed"]
    assert f"ended by {blow.name}" in str(asset.reason) and name in str(asset.reason)
    assert report.exit_code("error") == 1 and report.may_fare_better
    assert leftovers(tmp_path) == []
    before = stamps(tmp_path)
    again = convert(games, tmp_path, QUICK)
    assert died(again) == []
    assert contents(tmp_path) == inline
    same = sum(before.get(key) == stamp for key, stamp in stamps(tmp_path).items())
    assert same >= len(before) - 3, "the asset and its meshes"


def test_a_worker_that_is_killed_while_it_plans_costs_one_root(tmp_path: Path) -> None:
    """The first task of all is a plan, and here the worker is gone before it is given."""
    game, out = write_game(tmp_path / "game"), tmp_path / "out"
    from unity2gltf.batch.executors.processes import Processes

    start = Processes._start

    def stillborn(self: Processes):  # type: ignore[no-untyped-def]
        worker = start(self)
        worker.process.kill()
        return worker

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Processes, "_start", stillborn)
        report = convert(game, out, QUICK, running=Running(jobs=2))
    assert [item.code.name for item in report.diagnostics] == ["WORKER_DIED"]
    assert (report.exit_code("error"), report.may_fare_better) == (3, True)
    assert "could not be listed" in str(report.why_nothing())
    assert convert(game, out, QUICK).exit_code("error") == 0


@pytest.mark.slow
def test_an_asset_that_takes_too_long_is_given_up_and_the_next_run_tries_it_again(
    games: Path, inline: dict[str, bytes], tmp_path: Path
) -> None:
    """A worker that is stopped never finishes."""
    stopped = 0

    def stop(_: Step) -> None:
        nonlocal stopped
        stopped += 1
        if stopped == 4:
            for worker in multiprocessing.active_children():
                os.kill(worker.pid or 0, signal.SIGSTOP)

    report = convert(games, tmp_path, QUICK, running=Running(jobs=1, timeout=2.5), progress=stop)
    assert len(died(report)) == 1
    (asset,) = [asset for asset in report.assets if asset.status == "failed"]
    assert "it took longer than 2.5 seconds" in str(asset.reason)
    convert(games, tmp_path, QUICK)
    assert contents(tmp_path) == inline


@pytest.mark.slow
def test_an_asset_that_needs_more_memory_than_allowed_costs_itself_alone(tmp_path: Path) -> None:
    """The mesh of one prefab has more vertices than the worker has memory for; it would fit without a cap."""
    game, out = write_game(tmp_path / "game"), tmp_path / "out"
    (game / "big.bundle").write_bytes(big_bundle(3_000_000))
    report = convert(game, out, QUICK, running=Running(jobs=1, max_memory=450 << 20))
    assert died(report) == ["Big", "Big"], "the prefab, and then the mesh that nothing drew"
    assert "memory ran out" in str(next(a.reason for a in report.assets if a.name == "Big"))
    assert {a.name for a in report.assets if a.status == "exact"} == {"A1", "A2", "B", "C"}
    assert leftovers(out) == []
    again = convert(game, out, QUICK)
    assert died(again) == [] and "prefabs/big.glb" in paths(out)


def big_bundle(vertices: int) -> bytes:
    from unity2gltf.sample import FileBuilder, Hierarchy, MeshContent, mesh_fields, unityfs
    from unity2gltf.sample.values import ASSET_BUNDLE, MESH, MESH_FILTER, MESH_RENDERER, pptr

    rows = np.zeros((vertices, 3), np.float32)
    rows[:, 2] = 1
    mesh = MeshContent(
        name="Big",
        positions=rows,
        normals=rows,
        tangents=np.tile(np.array([1, 0, 0, -1], np.float32), (vertices, 1)),
        uv=rows[:, :2].copy(),
        submeshes=(np.arange(vertices // 3 * 3).reshape(-1, 3),),
    )
    file = FileBuilder(VERSION)
    tree, shown = Hierarchy(file), pptr(file.add(MESH, mesh_fields(mesh, file)))
    item = tree.add("Big")
    tree.component(item, MESH_FILTER, {"m_Mesh": shown})
    tree.component(item, MESH_RENDERER, {"m_Materials": [pptr(0)]})
    tree.write()
    named = [("big.prefab", {"preloadIndex": 0, "preloadSize": 0, "asset": pptr(item.game_object)})]
    file.add(ASSET_BUNDLE, {"m_Name": "big", "m_Container": named})
    return unityfs({"CAB-big": file.to_bytes()}, VERSION)


# --- parts of a plan ------------------------------------------------------------------------------------------------


def shards(games: Path, count: int, place: Callable[[int], Path]) -> list[Report]:
    return [
        convert(games, place(number), QUICK, running=Running(shard=Shard(number, count)))
        for number in range(1, count + 1)
    ]


def test_shards_have_every_asset_once(games: Path, inline: dict[str, bytes], tmp_path: Path) -> None:
    reports = shards(games, 3, lambda number: tmp_path / str(number))
    marks = [(asset.kind, asset.source) for report in reports for asset in report.assets]
    whole = json.loads(inline["report.json"])["assets"]
    assert len(marks) == len(set(marks)) == len(whole)
    assert sorted((kind, tuple(source.mark().values())) for kind, source in marks) == sorted(
        (asset["kind"], tuple(asset["source"].values())) for asset in whole
    )
    assert all(report.assets for report in reports)


def test_shards_of_one_folder_leave_each_others_files_alone(games: Path, tmp_path: Path) -> None:
    reports = shards(games, 3, lambda _: tmp_path)
    written = [asset.output for report in reports for asset in report.assets]
    assert len(written) == len(set(written))
    assert {name for name in written if name} == {name for name in paths(tmp_path) if name.endswith(".glb")}
    before = stamps(tmp_path)
    shards(games, 3, lambda _: tmp_path)
    assert stamps(tmp_path) == before


def test_the_start_of_a_worker_is_not_the_time_of_its_first_asset(tmp_path: Path) -> None:
    """Importing alone takes longer than this, but no asset does."""
    report = convert(write_game(tmp_path / "game"), tmp_path / "out", QUICK, running=Running(jobs=1, timeout=0.7))
    assert died(report) == [] and report.diagnostics == []
