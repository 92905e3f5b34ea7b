"""Prove files that were written earlier against the Unity content they came from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import codes
from ..diagnostics import Diagnostic, Diagnostics
from ..errors import InputError, UsageError
from ..evaluate.glb import output_root, read_gltf
from ..extract.content import ContentRoot
from ..ir import Asset, Clip, MuscleCurves
from ..normalize.build.clips import MoreClips
from ..normalize.build.split import split_clip
from ..normalize.content import Library
from ..normalize.vrm.asset import vrm_asset
from ..options import Options
from ..pipeline import Job, build_asset
from ..source import Source
from ..text import counted
from ..validate.roundtrip import RoundTrip, roundtrip
from .clips import match_clips
from .inputs import open_inputs
from .names import MAX_BYTES, portable_path
from .plan import FOLDERS, hierarchy_jobs, mesh_jobs

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
    wanted: dict[_Key, Path] = {}
    for file in files:
        output = file.resolve().relative_to(out).as_posix()
        if output not in marks:
            raise InputError(f"{out / 'report.json'} does not list {file}")
        wanted[_key(marks[output], output)] = file
    for game in open_inputs(inputs, unity_version=options.unity_version):
        for root in game.roots:
            yield from _prove_root(root, wanted, options, level)
            root.close()
    if wanted:
        raise InputError(f"{counted(len(wanted), 'file')} of none of the inputs, such as {next(iter(wanted.values()))}")


_OWN = ("", FOLDERS["vrm"])
"""Folders, in a key, of files that have the source of their job."""

_Key = tuple[str, str, str, str]
"""A source mark, and the folders of a file that is not the only one of its source: ``vrm``, or for a clip in a file of
its own those down to the one named after its rig."""


def _key(mark: Mark, output: str) -> _Key:
    parts = output.split("/")
    if parts[0] == FOLDERS["animation"]:
        return (*mark, "/".join(parts[:-1]))
    return (*mark, FOLDERS["vrm"] if parts[0] == FOLDERS["vrm"] else "")


def _mark(source: Source) -> Mark:
    return source.input, source.file, str(source.path_id)


def _read_report(path: Path) -> tuple[Options, dict[str, Mark]]:
    """The options of a run, and the source of each output. Raises InputError for what is no report."""
    try:
        report = json.loads(path.read_text("utf-8"))
        sources = {asset["output"]: asset["source"] for asset in report["assets"] if asset["output"]}
        marks = {output: (mark["input"], mark["file"], mark["path_id"]) for output, mark in sources.items()}
        return Options.from_json(report["options"]), marks
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, UsageError) as error:
        raise InputError(f"{path} is no report of a conversion: {error}") from error


def _prove_root(root: ContentRoot, wanted: dict[_Key, Path], options: Options, level: str) -> Iterator[Proof]:
    library = Library(root)
    everything = replace(options, include=Options().include, name=())
    more_clips = match_clips(root, library, options, Diagnostics()).more
    marks = {key[:3] for key in wanted}
    for jobs in (hierarchy_jobs(root, everything), mesh_jobs(root, set(), everything)):
        for job in jobs:
            if _mark(job.source) in marks or any(folder not in _OWN for *_, folder in wanted):
                yield from _prove_job(job, wanted, root, library, options, level, more_clips)


def _prove_job(
    job: Job,
    wanted: dict[_Key, Path],
    root: ContentRoot,
    library: Library,
    options: Options,
    level: str,
    more_clips: MoreClips,
) -> Iterator[Proof]:
    """Proofs of the files that a job made: its own, and those of its clips where they have files of their own."""
    diagnostics = Diagnostics()
    asset: Asset | None = None
    clips: Iterator[Clip | MuscleCurves] = iter(())
    with diagnostics.guard(codes.ASSET_FAILED, job.source.place(job.name), job.source):
        asset, clips = build_asset(job, root, library, options, Diagnostics(), more_clips)
    with diagnostics.guard(codes.ASSET_FAILED, job.source.place(job.name), job.source):
        for output, part in [] if asset is None else _files(asset, clips, options):
            path = wanted.pop(_key(_mark(part.source), output), None)
            if path is not None:
                yield _proof(part, path, options, level)
    for folder in _OWN:
        path = wanted.pop((*_mark(job.source), folder), None)
        if path is not None:  # it could not be built again
            yield Proof(path=path, result=None, diagnostics=diagnostics.items)


def _files(asset: Asset, clips: Iterator[Clip | MuscleCurves], options: Options) -> Iterator[tuple[str, Asset]]:
    """The asset of a job, its avatar and those of its clips, each with an output path that says which of them it is."""
    yield "", asset
    avatar = vrm_asset(asset, options, Diagnostics()) if options.vrm and asset.kind == "prefab" else None
    if avatar is not None:
        yield f"{FOLDERS['vrm']}/", avatar
    for clip in clips:
        if isinstance(clip, Clip):
            path, part = split_clip(asset, clip)
            yield f"{FOLDERS['animation']}/{portable_path(path, MAX_BYTES)}", part


def _proof(asset: Asset, path: Path, options: Options, level: str) -> Proof:
    diagnostics = Diagnostics()
    result: RoundTrip | None = None
    with diagnostics.guard(codes.ASSET_FAILED, asset.source.place(asset.name), asset.source):
        result = roundtrip(
            asset,
            read_gltf(path, output_root(path)),
            level,
            diagnostics=diagnostics,
            max_influences=options.max_influences,
        )
    return Proof(path=path, result=result, diagnostics=diagnostics.items)


def _folder_of_run(file: Path) -> Path:
    """The folder of the nearest report.json at or above the file."""
    found = output_root(file)
    if not (found / "report.json").is_file():
        raise InputError(f"no report.json above {file}: it names the options and sources that a proof needs")
    return found
