"""Prove files that were written earlier against the Unity content they came from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import codes
from ..diagnostics import Diagnostic, Diagnostics
from ..errors import InputError, UsageError
from ..evaluate.glb import read_gltf
from ..extract.game import ContentRoot
from ..normalize.library import Library
from ..options import Options
from ..pipeline import Job, build_asset
from ..validate.roundtrip import RoundTrip, roundtrip
from .inputs import open_inputs
from .plan import hierarchy_jobs, mesh_jobs

Mark = tuple[str, str, str]
"""(input, file, path id) of a source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The round trip of one file; ``result`` is None when it could not be run (the diagnostics say why)."""

    path: Path
    result: RoundTrip | None
    diagnostics: list[Diagnostic]


def prove(files: Sequence[Path], inputs: Sequence[Path], level: str) -> Iterator[Proof]:
    """Round trips of ``files`` at ``level``, rebuilt from ``inputs`` with the options that report.json names.

    The files may lie below several report.json. Raises InputError when one lies below none, or no INPUT holds its
    source.
    """
    runs: dict[Path, list[Path]] = {}
    for file in files:
        runs.setdefault(_folder_of_run(file), []).append(file)
    for out, written in runs.items():
        yield from _prove_run(out, written, inputs, level)


def _prove_run(out: Path, files: Sequence[Path], inputs: Sequence[Path], level: str) -> Iterator[Proof]:
    options, marks = _read_report(out / "report.json")
    wanted: dict[Mark, Path] = {}
    for file in files:
        mark = marks.get(file.resolve().relative_to(out).as_posix())
        if mark is None:
            raise InputError(f"{out / 'report.json'} does not list {file}")
        wanted[mark] = file
    for game in open_inputs(inputs, unity_version=options.unity_version):
        for root in game.roots:
            yield from _prove_root(root, wanted, options, level)
            root.close()
    if wanted:
        raise InputError(f"{len(wanted)} files come from none of the inputs, such as {next(iter(wanted.values()))}")


def _read_report(path: Path) -> tuple[Options, dict[str, Mark]]:
    """The options of a run, and the source of each output. Raises InputError for what is no report."""
    try:
        report = json.loads(path.read_text("utf-8"))
        sources = {asset["output"]: asset["source"] for asset in report["assets"] if asset["output"]}
        marks = {output: (mark["input"], mark["file"], mark["path_id"]) for output, mark in sources.items()}
        return Options.from_json(report["options"]), marks
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, UsageError) as error:
        raise InputError(f"{path} is no report of a conversion: {error}") from error


def _prove_root(root: ContentRoot, wanted: dict[Mark, Path], options: Options, level: str) -> Iterator[Proof]:
    library = Library(root)
    everything = replace(options, include=Options().include, name=())
    for jobs in (hierarchy_jobs(root, everything), mesh_jobs(root, set(), everything)):
        for job in jobs:
            mark = job.source.mark()
            path = wanted.pop((mark["input"], mark["file"], mark["path_id"]), None)
            if path is not None:
                yield _prove_job(job, path, root, library, options, level)


def _prove_job(job: Job, path: Path, root: ContentRoot, library: Library, options: Options, level: str) -> Proof:
    diagnostics = Diagnostics()
    result: RoundTrip | None = None
    with diagnostics.guard(codes.ASSET_FAILED, job.source.place(job.name), job.source):
        asset = build_asset(job, root, library, options, Diagnostics())
        if asset is not None:
            result = roundtrip(
                asset, read_gltf(path), level, diagnostics=diagnostics, max_influences=options.max_influences
            )
    return Proof(path=path, result=result, diagnostics=diagnostics.items)


def _folder_of_run(file: Path) -> Path:
    """The folder of the nearest report.json at or above the file."""
    found = next((folder for folder in file.resolve().parents if (folder / "report.json").is_file()), None)
    if found is None:
        raise InputError(f"no report.json above {file}: it names the options and sources that a proof needs")
    return found
