"""What a run hands to its workers and gets back: plain records that pickle, and are JSON in the state file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..codes import CODES, INPUT_CHANGED, OUTPUT_UNWRITABLE, WORKER_DIED
from ..diagnostics import Diagnostic
from ..extract.walk import Found, InputFile
from ..options import Options
from ..pipeline import AssetResult, Job
from ..source import Source

RootKey = tuple[int, str]
"""(number of the INPUT, path of the content root in it)."""

PASSING = frozenset((WORKER_DIED, OUTPUT_UNWRITABLE, INPUT_CHANGED))
"""What went wrong without a reason in the input: another run may fare better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFiles:
    """An INPUT that was looked at once, for workers to open without looking again."""

    inputs: list[InputFile]
    files: list[Found]
    exported: frozenset[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What every worker of a run knows."""

    games: tuple[GameFiles, ...]
    options: Options
    out: Path


@dataclass(slots=True, kw_only=True)
class RootPlan:
    """A content root, looked through but not converted.

    ``jobs``: hierarchies in order of (input, file, path id); ``meshes``: the mesh jobs, of which those are run that no
    hierarchy used. ``more`` and ``left`` are of ``clips.ClipPlan``. ``contents``: every object that the report lists,
    with its name; ``unread``: those of files without a version, and why. ``closure``: by serialized file, the files on
    disk that its objects may come from. ``open_ends``: files that refer to names which are not there. ``failed``:
    input files that could not be read, and why. ``failure``: why there is no plan at all. ``seconds`` of wall time,
    which are not kept.
    """

    jobs: list[Job] = field(default_factory=list)
    meshes: list[Job] = field(default_factory=list)
    more: dict[Source, list[Source]] = field(default_factory=dict)
    left: dict[Source, str] = field(default_factory=dict)
    contents: list[tuple[Source, str]] = field(default_factory=list)
    unread: list[tuple[Source, str]] = field(default_factory=list)
    closure: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    open_ends: set[tuple[str, str]] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    other: list[Diagnostic] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    failure: str | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedJob:
    """A job of a root, and the clips that go to its rigs unasked."""

    root: RootKey
    job: Job
    more: dict[Source, list[Source]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRecord:
    """What a job gave. ``names_used``: it asked for names by hash, or for avatars, so any file of its root may matter.
    ``diagnostics`` are the content root's, found on the way; ``seconds`` of wall time."""

    results: tuple[AssetResult, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    names_used: bool = False
    seconds: float = 0.0


# --- JSON -----------------------------------------------------------------------------------------------------------


def record_to_json(record: JobRecord) -> dict[str, Any]:
    """All but the time, which is no part of what a job gives."""
    return {
        "results": [_result_to_json(result) for result in record.results],
        "diagnostics": [item.to_json() for item in record.diagnostics],
        "failed": dict(record.failed),
        "names_used": record.names_used,
    }


def record_from_json(stored: Mapping[str, Any]) -> JobRecord:
    """What :func:`record_to_json` gave. Raises LookupError, TypeError or ValueError for anything else."""
    return JobRecord(
        results=tuple(_result_from_json(item) for item in stored["results"]),
        diagnostics=tuple(diagnostics_from_json(stored["diagnostics"])),
        failed=dict(stored["failed"]),
        names_used=bool(stored["names_used"]),
    )


def plan_to_json(plan: RootPlan) -> dict[str, Any]:
    return {
        "jobs": [_job_to_json(job) for job in plan.jobs],
        "meshes": [_job_to_json(job) for job in plan.meshes],
        "more": [[_tuple(owner), [_tuple(clip) for clip in clips]] for owner, clips in plan.more.items()],
        "left": [[_tuple(clip), reason] for clip, reason in plan.left.items()],
        "contents": [[_tuple(source), name] for source, name in plan.contents],
        "unread": [[_tuple(source), reason] for source, reason in plan.unread],
        "closure": [[*file, paths] for file, paths in plan.closure.items()],
        "open_ends": sorted(plan.open_ends),
        "diagnostics": [item.to_json() for item in plan.diagnostics],
        "other": [item.to_json() for item in plan.other],
        "failed": plan.failed,
    }


def plan_from_json(stored: Mapping[str, Any]) -> RootPlan:
    """What :func:`plan_to_json` gave. Raises LookupError, TypeError or ValueError for anything else."""
    return RootPlan(
        jobs=[_job_from_json(item) for item in stored["jobs"]],
        meshes=[_job_from_json(item) for item in stored["meshes"]],
        more={_source(owner): [_source(clip) for clip in clips] for owner, clips in stored["more"]},
        left={_source(clip): reason for clip, reason in stored["left"]},
        contents=[(_source(source), name) for source, name in stored["contents"]],
        unread=[(_source(source), reason) for source, reason in stored["unread"]],
        closure={(input_, file): paths for input_, file, paths in stored["closure"]},
        open_ends={(input_, file) for input_, file in stored["open_ends"]},
        diagnostics=list(diagnostics_from_json(stored["diagnostics"])),
        other=list(diagnostics_from_json(stored["other"])),
        failed=dict(stored["failed"]),
    )


def diagnostics_from_json(stored: Iterable[Mapping[str, Any]]) -> Iterable[Diagnostic]:
    """Diagnostics as ``Diagnostic.to_json`` gives them."""
    for item in stored:
        source = Source.from_mark(item["source"]) if item["source"] else None
        yield Diagnostic(CODES[item["code"]], item["message"], item["where"], item["data"], source)


def _result_to_json(result: AssetResult) -> dict[str, Any]:
    return {
        "asset": result.to_json(),
        "path": result.path,
        "uses": [_tuple(source) for source in sorted(result.uses)],
        "files": list(result.files),
    }


def _result_from_json(stored: Mapping[str, Any]) -> AssetResult:
    asset = stored["asset"]
    return AssetResult(
        kind=asset["kind"],
        name=asset["name"],
        path=stored["path"],
        source=Source.from_mark(asset["source"]),
        output=asset["output"],
        status=asset["status"],
        reason=asset.get("reason"),
        diagnostics=tuple(diagnostics_from_json(asset["diagnostics"])),
        stats=asset["stats"],
        roundtrip=asset["roundtrip"],
        uses=frozenset(map(_source, stored["uses"])),
        files=tuple(stored["files"]),
    )


def _job_to_json(job: Job) -> list[Any]:
    return [job.kind, job.name, job.path, _tuple(job.source), job.reason]


def _job_from_json(stored: Any) -> Job:
    kind, name, path, source, reason = stored
    return Job(kind=kind, name=name, path=path, source=_source(source), reason=reason)


def _tuple(source: Source) -> list[Any]:
    return [source.input, source.file, int(source.path_id), source.type]


def _source(stored: Any) -> Source:
    input_, file, path_id, type_ = stored
    return Source(input_, file, int(path_id), type_)
