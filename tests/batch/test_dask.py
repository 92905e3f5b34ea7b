"""A cluster of two processes on this machine, of which one is killed in the middle."""

from __future__ import annotations

import multiprocessing
import os
import signal
from importlib import metadata
from pathlib import Path

import pytest

from tests.batch.small import contents, leftovers, stamps
from unity2gltf import Options
from unity2gltf.batch.progress import Step
from unity2gltf.batch.run import Running, convert
from unity2gltf.errors import UsageError
from unity2gltf.sample import write_sample

pytest.importorskip("distributed", reason="the extra dask is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # of the cluster, which ends while it is still talking


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game")
    write_sample(folder, ("2019.4.40f1", "2022.3.20f1"))
    return folder


def test_a_worker_that_is_killed_costs_nothing_and_no_output_is_written_twice(game: Path, tmp_path: Path) -> None:
    convert(game, tmp_path / "inline", Options(verify="none"))
    out, seen, killed = tmp_path / "out", {}, []

    def watch(step: Step) -> None:
        for result in step.results:
            if result.output is not None:
                assert result.output not in seen
                seen[result.output] = stamps(out)[result.output]
        if len(seen) == 3 and not killed:
            worker = multiprocessing.active_children()[0]
            killed.append(worker.pid)
            os.kill(worker.pid or 0, signal.SIGKILL)

    report = convert(game, out, Options(verify="none"), running=Running(dask="local", jobs=2), progress=watch)
    assert killed and report.exit_code("error") == 0
    assert contents(out) == contents(tmp_path / "inline")
    assert seen == {name: stamp for name, stamp in stamps(out).items() if name in seen}, "written once"
    assert set(seen) == {asset.output for asset in report.assets}
    assert leftovers(out) == []
    assert not multiprocessing.active_children()


def test_a_scheduler_that_is_not_there_is_a_sentence(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unity2gltf.batch.executors import dask

    monkeypatch.setattr(dask, "CONNECT_SECONDS", 1)
    for address, words in (("tcp://127.0.0.1:9", "no scheduler answers"), ("nonsense", "--dask")):
        with pytest.raises(UsageError, match=words):
            convert(game, tmp_path, Options(), running=Running(dask=address))


def test_without_dask_the_sentence_says_how_to_get_it(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", none)
    with pytest.raises(UsageError, match=r"--dask: Dask is not installed \(pip install 'unity2gltf\[dask\]'\)"):
        convert(game, tmp_path / "out", Options(verify="none"), running=Running(dask="local"))
    assert not (tmp_path / "out" / "report.json").exists()


def test_limits_of_this_machines_workers_are_none_of_a_cluster() -> None:
    for more in ({"timeout": 1.0}, {"max_memory": 1}):
        with pytest.raises(UsageError, match="limits of its own"):
            Running(dask="local", **more)  # type: ignore[arg-type]
