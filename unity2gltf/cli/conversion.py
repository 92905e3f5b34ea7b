"""What ``convert`` does with its options: a folder of files, a single one, or a plan that is only printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..options import CHOICES, Options
from ..text import counted
from .output import print_json, say, table
from .progress import progress_on_stderr
from .summary import result_lines, trouble

if TYPE_CHECKING:
    from ..batch.outcome import Report
    from ..batch.run import Running

NOTHING = 3  # exit code: nothing convertible


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The command line of ``convert``, parsed. ``jobs`` None: as many as pay."""

    inputs: list[Path]
    options: Options
    jobs: int | None
    max_memory: int | None
    timeout: float | None
    dask: str | None
    shard: tuple[int, int]
    force: bool
    keep_stale: bool
    depfile: Path | None
    fail_on: str
    quiet: bool
    json: bool
    debug: bool


def write_folder(asked: Asked, out: Path) -> int:
    """Convert to a folder and tell of it; the exit code. A run that has nothing to do is over at once."""
    from ..batch.fresh import last_counts, remember, run_key

    key = run_key(asked.inputs, out, asked.options, (asked.shard, asked.keep_stale))
    told = None if asked.force else last_counts(out, key)
    if told is not None:
        _tell_unchanged(told, out, asked)
        return _tell(told, out, asked)
    report = _convert(asked, out)
    told = _told(report)
    if not report.may_fare_better:
        remember(out, key, told)
    return _tell(told, out, asked)


def write_single(asked: Asked, target: Path) -> int:
    """Convert the one asset that is chosen; the exit code."""
    from ..batch.single import convert_single

    report = convert_single(asked.inputs, target, asked.options, _running(asked))
    if asked.depfile is not None:
        _write_depfile(asked.depfile, target, report.read)
    if asked.json:
        for asset in report.assets:
            print_json(asset.to_json() | {"output": target.as_posix()})
    code = report.exit_code(asked.fail_on)
    for asset in report.assets:
        if not asked.quiet or code:
            say(f"{target}: {asset.status}" + (f": {asset.reason}" if asset.reason else ""))
    return code


def print_plan(asked: Asked) -> int:
    """Print what would be converted, with estimates of sizes; the exit code."""
    from ..batch.forecast import forecast

    planned = list(forecast(asked.inputs, asked.options, _running(asked).shard))
    if asked.json:
        print_json(planned)
    else:
        rows = [(item["kind"], item["name"], item["path"], f"{item['bytes'] / 1e6:.1f}") for item in planned]
        table(("kind", "name", "path wanted", "about MB"), rows)
        total = sum(item["bytes"] for item in planned)
        say(f"{counted(len(planned), 'asset')}, about {total / 1e6:,.0f} MB; meshes that nothing uses come on top")
    return 0 if planned else NOTHING


def _convert(asked: Asked, out: Path) -> Report:
    from ..batch.run import convert

    with progress_on_stderr(quiet=asked.quiet, json_lines=asked.json, debug=asked.debug) as progress:
        return convert(asked.inputs, out, asked.options, progress=progress, running=_running(asked))


def _running(asked: Asked) -> Running:
    from ..batch.flow import Shard
    from ..batch.run import Running

    return Running(
        jobs=asked.jobs,
        max_memory=asked.max_memory,
        timeout=asked.timeout,
        dask=asked.dask,
        shard=Shard(*asked.shard),
        force=asked.force,
        keep_stale=asked.keep_stale,
    )


def _told(report: Report) -> dict[str, Any]:
    """What is told of a run, now or when it has nothing to do."""
    return {
        "counts": report.counts(),
        "codes": {fail_on: report.exit_code(fail_on) for fail_on in CHOICES["fail_on"]},
        "reason": report.why_nothing(),
        "read": report.read,
    }


def _tell(told: dict[str, Any], out: Path, asked: Asked) -> int:
    """The summary on stderr (and stdout), and the depfile; the exit code."""
    counts, code = told["counts"], int(told["codes"][asked.fail_on])
    if asked.depfile is not None:
        _write_depfile(asked.depfile, out / "report.json", told["read"])
    if asked.json:
        print_json({"summary": counts | {"exit_code": code, "report": (out / "report.json").as_posix()}})
    if not asked.quiet:
        for line in result_lines(counts, out):
            say(line)
        if asked.options.vrm and not counts["kinds"].get("vrm"):
            say("no VRM was written: no prefab has a humanoid rig that is fit for one")
    found = trouble(counts, out, lossy=code == 1)
    if found and (code or not asked.quiet):
        say(found)
    if code == NOTHING:
        reason = told["reason"]
        say("unity2gltf: nothing convertible was found" + (f": {reason}" if reason else ""))
    return code


def _tell_unchanged(told: dict[str, Any], out: Path, asked: Asked) -> None:
    if not asked.quiet:
        say("nothing has changed since the last run")
    if asked.json:
        for asset in _written_assets(out):
            print_json(asset)


def _written_assets(out: Path) -> Iterator[dict[str, Any]]:
    import json

    yield from json.loads((out / "report.json").read_text("utf-8"))["assets"]


def _write_depfile(path: Path, target: Path, read: list[str]) -> None:
    from ..batch.depfile import write_depfile

    write_depfile(path, target, map(Path, read))
