"""``unity2gltf report``: the page of a run drawn anew, several reports joined, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import UsageError
from ..text import counted, millimetres
from .output import print_json, say

TOLD = 12
"""Codes that are told; --json has all."""


def run(
    outs: Annotated[list[Path], typer.Argument(metavar="OUT...", help="Folders that were converted to.")],
    merge: Annotated[bool, typer.Option("--merge", help="Join the reports of several OUT into -o DEST.")] = False,
    dest: Annotated[Path | None, typer.Option("-o", "--out", metavar="DEST", help="Where the joined one goes.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Nothing but errors.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks of surprises.")] = False,
) -> None:
    """Draw OUT/index.html anew from report.json and tell what is in it; exit 3 where there is no report."""
    from ..report.digest import digest_report
    from ..report.merge import merge_reports
    from ..report.write import read_report, rewrite_page, write_report

    out = _place(outs, merge, dest)
    if merge:
        report = merge_reports(outs, out)
        _make(out)
        write_report(report, out)
    else:
        report = read_report(out)
        rewrite_page(out)
    found = digest_report(report)
    if not quiet:
        for line in _lines(found):
            say(line)
        say(f"report: {out / 'report.json'}  page: {out / 'index.html'}")
    if json_:
        print_json({"report": (out / "report.json").as_posix(), "page": (out / "index.html").as_posix(), **found})


def _place(outs: Sequence[Path], merge: bool, dest: Path | None) -> Path:
    if merge:
        if dest is None:
            raise UsageError("--merge needs -o DEST, the folder for the joined report")
        return dest
    if dest is not None:
        raise UsageError("-o is for --merge; without it the page goes beside report.json")
    if len(outs) > 1:
        raise UsageError("several folders need --merge and -o DEST")
    return outs[0]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder {folder} cannot be made: {error.strerror}") from error


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield from _columns([["kind", *_STATUSES], *([kind, *_numbers(row)] for kind, row in found["kinds"].items())])
    yield f"inputs: {', '.join(f'{number:,} {status}' for status, number in found['inputs'].items()) or 'none'}"
    for item in found["worst"]:
        yield f"round-trip error {item['max_error_m']:.3g} m: {item['output'] or item['name']}"
    if found["max_cut_m"] is not None:
        yield f"influence cuts move vertices by up to {millimetres(found['max_cut_m'])}"
    told = [item for item in found["diagnostics"] if item["severity"] != "info"]
    for item in told[:TOLD]:
        yield f"{item['severity']}: {item['code']}, {counted(item['count'], 'time')}: {item['sentence']}"
        if item["advice"]:
            yield f"    {item['advice']}"
    if len(told) > TOLD:
        yield f"and {counted(len(told) - TOLD, 'code')} more, on the page"


_STATUSES = ("exact", "lossy", "failed")


def _numbers(row: dict[str, int]) -> list[str]:
    return [f"{row[status]:,}" for status in _STATUSES]


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, the others to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for first, *rest in rows:
        yield "  ".join([first.ljust(widths[0]), *(c.rjust(w) for c, w in zip(rest, widths[1:], strict=True))])
