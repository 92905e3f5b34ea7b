"""How well a batch uses two workers, how its cost grows, what a second run and another tool take: ratios of one run.

Usage: python benchmarks/batch.py [CORPUS [PART ...]]      (without a corpus: the sample game)

Every measurement is a process of its own. Wall times mean something on a quiet machine only; where others are at work,
CPU seconds (user and system, workers included) are what to look at, and both are printed. The parts:

split   Two workers against the best split of the work. ``jobs`` are the seconds of each asset as the workers took them
        (``JobRecord.seconds``), ``plans`` those of opening and looking through each content root. The best split gives
        the tasks, longest first, to whichever of two workers is free. Efficiency is the best split over the time from
        when the first worker was ready to the last outcome: what is lost is waiting, opening roots twice, and moving
        tasks and records. Start-up (a worker's imports) is told apart. Target: 85 %.
linear  1, 4 and 16 copies of the corpus, two workers: CPU seconds and wall time a copy, less those of a run on a tiny
        game (start-up), and the peak memory of the process that started the workers. Target: a copy costs the same
        within 15 %, and the peak stays flat but for what the report lists.
again   A second run with nothing changed against the first, through the command line. Target: 3 %.
other   ``unity-rs`` (pip install unity-rs) on one processor and on two, FBX of each file with PNG of each texture,
        against this converter with textures and clips, proof included; for both on the files that both can read. Prints
        the files that one of them only can read. Target: at most 1.5 times its time.
"""

from __future__ import annotations

import contextlib
import heapq
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from unity2gltf.sample import write_bundles, write_sample

_COPIES = (1, 4, 16)
_TEXTURE_2D = 28
_NOT_UNITY = {".json", ".md", ".txt", ".ress", ".resource", ".manifest"}
Numbers = dict[str, Any]


# --- measurements, each in a process of its own ---------------------------------------------------------------------


def cpu_seconds() -> float:
    """User and system, of this process and of children that have ended."""
    return sum(os.times()[:4])


def measured(work: Callable[[], Numbers]) -> Numbers:
    start, clock = cpu_seconds(), time.perf_counter()
    found = work()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    return {"wall": time.perf_counter() - clock, "cpu": cpu_seconds() - start, "peak": peak, **found}


def convert_timed(corpus: Path, out: Path, jobs: int = 2) -> Numbers:
    """A conversion by workers, with the seconds of every task, and when the first was ready and the last done."""
    from unity2gltf import Options
    from unity2gltf.batch.executors import processes
    from unity2gltf.batch.executors.tasks import Done
    from unity2gltf.batch.run import Running, convert

    begin = time.perf_counter()
    ends: list[float] = []
    tasks: dict[str, list[float]] = {"plan": [], "convert": []}
    finished = processes.Processes._finished

    def noted(self: processes.Processes) -> Iterable[Done]:
        for done in finished(self):
            ends.append(time.perf_counter() - begin)
            tasks[done.task.method].append(done.value.seconds if done.value is not None else 0.0)
            if len(ends) == 1:
                ends.insert(0, ends[0] - tasks[done.task.method][0])
            yield done

    processes.Processes._finished = noted  # type: ignore[assignment,method-assign]
    report = convert(corpus, out, Options(), running=Running(jobs=jobs))
    return {"ready": ends[0], "last": ends[-1], "assets": len(report.assets), **tasks}


def convert_files(files: list[Path], out: Path) -> Numbers:
    from unity2gltf import Options
    from unity2gltf.batch.run import Running, convert

    report = convert(files, out, Options(), running=Running(jobs=2))
    failed = {item.path for item in report.inputs if item.status != "read"}
    return {"assets": len(report.assets), "failed": sorted(failed)}


def other_file(path: Path, out: Path) -> tuple[bool, bool]:
    """FBX and PNG of one file by ``unity_rs``: whether it found objects in it, and whether it gave an FBX."""
    import unity_rs

    fbx = False
    try:
        studio = unity_rs.UnityRs(path)
        objects = list(studio.iter_objects())
    except Exception:  # noqa: BLE001 - a tool that is measured, not ours
        return False, False
    stem = out / f"{abs(hash(path))}"
    with contextlib.suppress(Exception):
        stem.with_suffix(".fbx").write_bytes(studio.read_fbx_binary())
        fbx = True
    for item in objects:
        if item.class_id == _TEXTURE_2D:
            with contextlib.suppress(Exception):
                data = studio.read_texture(item.file_index, item.path_id).encode("png")
                Path(f"{stem}-{item.path_id}.png").write_bytes(data)
    return bool(objects), fbx


def other_files(files: list[Path], out: Path, workers: int) -> Numbers:
    if workers == 1:
        made = [other_file(path, out) for path in files]
    else:
        with ProcessPoolExecutor(workers) as pool:
            made = list(pool.map(other_file, files, [out] * len(files)))
    failed = [str(path) for path, (good, _) in zip(files, made, strict=True) if not good]
    return {"failed": failed, "assets": sum(fbx for _, fbx in made)}


def measure(what: str, arguments: list[str]) -> None:
    """Entry of the child processes: numbers as JSON on stdout."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        if what == "convert":
            numbers = measured(lambda: convert_timed(Path(arguments[0]), out))
        else:
            files = [Path(line) for line in json.loads(Path(arguments[0]).read_text("utf-8"))]
            if what == "files":
                numbers = measured(lambda: convert_files(files, out))
            else:
                numbers = measured(lambda: other_files(files, out, int(arguments[1])))
        print(json.dumps(numbers))


def child(*arguments: object) -> Numbers:
    command = [sys.executable, __file__, "--measure", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    numbers: Numbers = json.loads(done.stdout.splitlines()[-1])
    return numbers


# --- parts ----------------------------------------------------------------------------------------------------------


def best_split(seconds: Iterable[float], workers: int = 2) -> float:
    """When the last of ``workers`` is done, each task, longest first, going to the one that is free first."""
    ends = [0.0] * workers
    for task in sorted(seconds, reverse=True):
        heapq.heapreplace(ends, ends[0] + task)
    return max(ends)


def show(title: str, rows: list[tuple[str, ...]]) -> None:
    print(f"\n{title}")
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    sys.stdout.flush()


def split(corpus: Path) -> None:
    numbers = child("convert", corpus)
    wall = numbers["last"] - numbers["ready"]
    rows = [("", "tasks", "seconds", "best split", "measured", "efficiency")]
    for name, seconds in (("plans and jobs", numbers["plan"] + numbers["convert"]), ("jobs alone", numbers["convert"])):
        best = best_split(seconds)
        texts = (f"{sum(seconds):.1f}", f"{best:.1f}", f"{wall:.1f}", f"{best / wall:.0%}")
        rows.append((name, str(len(seconds)), *texts))
    show("split: two workers against the best split of their tasks (target 85 %)", rows)
    print(f"  start-up until the first worker was ready: {numbers['ready']:.1f} s of {numbers['wall']:.1f} s")


def linear(corpus: Path) -> None:
    rows = [("copies", "assets", "CPU s", "CPU s a copy", "of one", "wall s a copy", "of one", "peak MB of the parent")]
    with tempfile.TemporaryDirectory() as folder:
        write_bundles(Path(folder), "2022.3.20f1")
        start = child("convert", folder)
    first: tuple[float, float] | None = None
    for copies in _COPIES:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(copies):
                copy(corpus, Path(folder) / f"copy{number:02}")
            numbers = child("convert", folder)
        cpu, wall = ((numbers[key] - start[key]) / copies for key in ("cpu", "wall"))
        first = first or (cpu, wall)
        costs = (
            f"{numbers['cpu']:.1f}",
            f"{cpu:.1f}",
            f"{cpu / first[0]:.0%}",
            f"{wall:.1f}",
            f"{wall / first[1]:.0%}",
        )
        rows.append((str(copies), str(numbers["assets"]), *costs, f"{numbers['peak'] >> 20}"))
    show("linear: copies of the corpus (target: a copy costs 85 to 115 % of one, peak flat)", rows)
    print(f"  start-up, told apart: {start['cpu']:.1f} CPU s, {start['wall']:.1f} s of wall time")


def copy(corpus: Path, target: Path) -> None:
    """Links where the system has them, so that 16 copies take no place."""
    for path in sorted(corpus.rglob("*")):
        if path.is_file():
            place = target / path.relative_to(corpus)
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                place.symlink_to(path.resolve())
            except OSError:  # not allowed here
                place.write_bytes(path.read_bytes())


def again(corpus: Path) -> None:
    main = "from unity2gltf.cli.app import main; main()"
    rows = [("run", "CPU s", "wall s", "of the first (CPU)", "of the first (wall)")]
    first: tuple[float, float] | None = None
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-c", main, "convert", str(corpus), "-o", out, "--quiet", "--fail-on", "never"]
        for name in ("first", "second", "third"):
            start, clock = cpu_seconds(), time.perf_counter()
            subprocess.run([*command, "--jobs", "2"], check=True)
            took = cpu_seconds() - start, time.perf_counter() - clock
            first = first or took
            shares = (f"{took[0] / first[0]:.1%}", f"{took[1] / first[1]:.1%}")
            rows.append((name, f"{took[0]:.2f}", f"{took[1]:.2f}", *shares))
    show("again: nothing has changed (target 3 %)", rows)


def other(corpus: Path) -> None:
    if importlib.util.find_spec("unity_rs") is None:
        print("\nother: unity_rs is not installed (pip install unity-rs)")
        return
    files = [path for path in sorted(corpus.rglob("*")) if path.is_file() and path.suffix.lower() not in _NOT_UNITY]
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "files.json"
        listed.write_text(json.dumps(list(map(str, files))), encoding="utf-8")
        theirs = set(child("other", listed, 2)["failed"])
        ours = unread(corpus) & set(map(str, files))
        both = [path for path in files if str(path) not in theirs and str(path) not in ours]
        listed.write_text(json.dumps(list(map(str, both))), encoding="utf-8")
        sides = {
            "unity2gltf, 2 workers": child("files", listed),
            "unity-rs, 1 process": child("other", listed, 1),
            "unity-rs, 2 processes": child("other", listed, 2),
        }
    base = sides["unity-rs, 2 processes"]
    rows = [("side", "CPU s", "wall s", "CPU ratio", "wall ratio")]
    rows += [
        (
            name,
            f"{n['cpu']:.1f}",
            f"{n['wall']:.1f}",
            f"{n['cpu'] / base['cpu']:.2f}",
            f"{n['wall'] / base['wall']:.2f}",
        )
        for name, n in sides.items()
    ]
    show(f"other: {len(both)} files that both can read (target 1.5)", rows)
    for words, only in (("unity-rs reads not", theirs - ours), ("unity2gltf reads not", ours - theirs)):
        print(f"  {words}: {len(only)}")
        for path in sorted(only):
            print(f"    {Path(path).relative_to(corpus)}")


def unread(corpus: Path) -> set[str]:
    """Files that hold nothing for this converter, or that it cannot read."""
    from unity2gltf.extract.game import open_game

    game = open_game(corpus)
    for root in game.roots:
        assert root.files is not None  # read
        root.close()
    return {str(item.disk) for item in game.inputs if item.status != "read"}


PARTS: dict[str, Callable[[Path], None]] = {"split": split, "linear": linear, "again": again, "other": other}


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--measure"]:
        measure(arguments[1], arguments[2:])
        return
    parts = arguments[1:] or list(PARTS)
    if not set(parts) <= PARTS.keys():
        sys.exit(f"usage: batch.py [CORPUS [{' | '.join(PARTS)}] ...]")
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(arguments[0]) if arguments else Path(folder) / "sample"
        if not arguments:
            write_sample(corpus)
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        for part in parts:
            PARTS[part](corpus)


if __name__ == "__main__":
    main()
