"""One table of engines and files; exit code 1 when an engine shows something else than what was meant."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .batch import Runner, run_batch
from .compare import Outcome, compare
from .expected import Expected
from .files import choose, corpus_folder, sample_folder
from .install import CACHE, ENGINES, NotInstalled
from .limits import Limits, read_limits

CORPUS = "UNITY2GLTF_CORPUS"


@dataclass
class Row:
    """What one engine made of all files."""

    engine: str
    files: int = 0
    poses: int = 0
    heads: int = 0
    worst: float = 0.0
    between: float = 0.0
    seconds: float = 0.0
    failures: dict[Path, list[str]] = field(default_factory=dict)
    limits: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path, outcome: Outcome) -> None:
        self.files += 1
        self.poses += outcome.poses
        self.heads += outcome.heads
        self.worst = max(self.worst, outcome.worst)
        self.between = max(self.between, outcome.between)
        self.limits.update(outcome.limits)
        if outcome.failures:
            self.failures[path] = outcome.failures


def main() -> int:
    options = parse()
    folders = options.folders or default_folders()
    files = [path for folder in folders for path in ([folder] if folder.is_file() else choose(folder))]
    if not files:
        print("There are no GLB files to try.", file=sys.stderr)
        return 1
    limits, runners = read_limits(), installed(options.engines)
    with ThreadPoolExecutor(max_workers=2) as pool:
        rows = list(pool.map(lambda name: check(name, runners[name], limits[name], files), runners))
    show(rows, limits, files)
    missing = len(runners) < len(options.engines)
    return int(any(row.failures for row in rows) or (missing and os.environ.get("CI") == "true"))


def parse() -> Any:
    parser = argparse.ArgumentParser(prog="python -m tests.engines", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="folders of GLBs, or files (else: the sample)")
    parser.add_argument("--engines", default=list(ENGINES), type=lambda text: text.split(","), metavar="A,B")
    return parser.parse_args()


def default_folders() -> list[Path]:
    corpus = os.environ.get(CORPUS)
    return [sample_folder(CACHE), *([corpus_folder(Path(corpus), CACHE)] if corpus else [])]


def installed(names: Sequence[str]) -> dict[str, Runner]:
    """The engines that can be had, installed; one line for each that cannot."""
    runners: dict[str, Runner] = {}
    for name in names:
        try:
            runners[name] = ENGINES[name]()
        except NotInstalled as reason:
            print(f"{name} is left out: {reason}", file=sys.stderr)
    return runners


def check(name: str, runner: Runner, limits: Limits, files: Sequence[Path]) -> Row:
    """All files in one engine; each file's vertices are deleted once they are compared."""
    row, began = Row(name), time.monotonic()
    met = {path: limits.met(Expected(path)) for path in files}
    tried = [path for path in files if not any(limit.skip for limit in met[path])]
    with tempfile.TemporaryDirectory() as scratch:
        jobs = [job(path, Path(scratch) / str(number), limits.draws) for number, path in enumerate(tried)]

        def seen(number: int, result: dict[str, Any]) -> None:
            out = Path(jobs[number]["out"])
            row.add(tried[number], compare(name, limits, Expected(tried[number]), result, out))
            for file in out.iterdir():
                file.unlink()

        try:
            run_batch(runner, jobs, seen)
        except RuntimeError as error:
            row.failures[Path(runner.command[-1])] = [str(error)]
    row.seconds = time.monotonic() - began
    return row


def job(path: Path, out: Path, boxes: bool) -> dict[str, Any]:
    """What a runner is told; ``boxes``: where to look, for one that draws."""
    out.mkdir()
    expected = Expected(path)
    clips = [clip.get("name", "") for clip in expected.gltf.items("animations")]
    poses = [asdict(pose) | ({"box": expected.box(pose)} if boxes else {}) for pose in expected.poses]
    return {"file": str(path.absolute()), "out": str(out), "clips": clips, "poses": poses}


def show(rows: Sequence[Row], limits: dict[str, Limits], files: Sequence[Path]) -> None:
    print(f"{len(files)} files")
    head = f"{'engine':10} files  poses     worst  allowed between keys failed  time"
    print(head + "\n" + "-" * len(head))
    for row in rows:
        allowed = limits[row.engine]
        worst = f"{'drawn':>9} {'':8}" if allowed.draws else f"{row.worst:9.1e} {allowed.tolerance:8.0e}"
        between = "gated" if allowed.between_keys else (f"{row.between:.1e}" if row.between else "")
        counts = f"{row.files:5} {row.poses:6}"
        print(f"{row.engine:10} {counts} {worst} {between:>12} {len(row.failures):6} {row.seconds:4.0f}s")
    heads = sum(row.heads for row in rows)
    print(f"(distances are shares of the model's size, {heads:,} heads of bones among them)")
    for row in rows:
        for limit in limits[row.engine].known:
            if row.limits[limit.when]:
                print(f"{row.engine}, {row.limits[limit.when]} files: {limit.reason}")
    for row in rows:
        for path, failures in sorted(row.failures.items()):
            print(f"FAILED {row.engine} {path}: {'; '.join(failures[:3])}")


if __name__ == "__main__":
    sys.exit(main())
