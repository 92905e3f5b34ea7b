"""``unity2gltf validate``: structure, the Khronos validator, and on request the round trip against Unity's side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError, Unity2GltfError, UsageError
from ..optional import Unavailable
from ..text import counted, millimetres
from .output import print_json, printable, say

SHOWN = 5


def run(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE_OR_FOLDER...", help="GLB or glTF files, or folders.")],
    against: Annotated[
        list[Path] | None, typer.Option(help="Unity INPUT the files came from: run the round trip; repeatable.")
    ] = None,
    level: Annotated[str, typer.Option(help="Round trip with --against: quick|full")] = "full",
    every: Annotated[int, typer.Option(min=1, help="With --against: only each Nth file.")] = 1,
    khronos: Annotated[
        str | None, typer.Option(help="The Khronos validator's JavaScript (file or npm folder).")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks of surprises.")] = False,
) -> None:
    """Check files that were written; exit 1 when one has an error."""
    if level not in ("quick", "full"):
        raise typer.BadParameter(f"--level must be quick or full, not {level!r}")
    files = find_files(paths)
    foreign = [file for file in files if not _may_be_gltf(file)]
    issues = [_issue(file, "FILE_BROKEN", "error", "it is neither GLB nor glTF") for file in foreign]
    named, files = len(files), [file for file in files if file not in foreign]
    ran = ["structure"]
    issues += _structure(files)
    issues += _khronos(files, khronos, ran) if files else ()
    if against:
        issues += _proofs(files[::every], against, level, ran)
        ran[-1] += f" of {counted(len(files[::every]), 'file')}" if every > 1 else ""
    counts = {key: sum(issue["severity"] == key for issue in issues) for key in ("error", "warning")}
    errors, warnings = counts["error"], counts["warning"]
    if json_:
        print_json({"files": named, "errors": errors, "warnings": warnings, "checks": ran, "issues": issues})
    else:
        for line in issue_lines(issues):
            typer.echo(printable(line))
    told = ", ".join((counted(named, "file"), counted(errors, "error"), counted(warnings, "warning")))
    say(f"{told}; checked: {', '.join(ran)}")
    raise typer.Exit(1 if errors else 0)


def issue_lines(issues: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Errors, then warnings, a line each; of one code in one file the first :data:`SHOWN`, and how many more."""
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for severity in ("error", "warning"):
        for issue in issues:
            if issue["severity"] == severity:
                groups.setdefault((severity, issue["file"], issue["code"]), []).append(issue)
    for (severity, file, code), group in groups.items():
        for issue in group[:SHOWN]:
            yield f"{severity}: {file}: {code}: {issue['message']} {issue['where']}".rstrip()
        if len(group) > SHOWN:
            yield f"{severity}: {file}: {code}: and {len(group) - SHOWN:,} more"


def find_files(paths: Sequence[Path]) -> list[Path]:
    """The GLB, glTF and VRM files named, and those below the folders named, sorted."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(p for p in path.rglob("*") if p.suffix.lower() in (".glb", ".gltf", ".vrm") and p.is_file())
        elif path.is_file():
            files.append(path)
        else:
            raise InputError(f"there is no such file or folder: {path}")
    if not files:
        raise InputError(f"no .glb, .gltf or .vrm files in {', '.join(map(str, paths))}")
    return list(dict.fromkeys(files))


def _may_be_gltf(file: Path) -> bool:
    """Does it begin like a GLB, or like JSON? What is wrong with one that does is for the checks to say."""
    with file.open("rb") as opened:
        head = opened.read(64)
    return head[:4] == b"glTF" or head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"


def _issue(file: Path, code: str, severity: str, message: str, where: str = "") -> dict[str, Any]:
    return {"file": file.as_posix(), "code": code, "severity": severity, "message": message, "where": where}


def _structure(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    from ..evaluate.glb import output_root, read_gltf
    from ..validate.structure import check_structure

    for file in files:
        try:
            issues = check_structure(read_gltf(file, output_root(file)))
        except Unity2GltfError as error:
            yield _issue(file, "FILE_BROKEN", "error", str(error))
            continue
        for issue in issues:
            yield _issue(file, issue.code, str(issue.severity), issue.message, issue.pointer)


def _khronos(files: Sequence[Path], explicit: str | None, ran: list[str]) -> Iterator[dict[str, Any]]:
    from ..validate.khronos import find_khronos, run_khronos

    runner = find_khronos(explicit)
    if isinstance(runner, Unavailable) and explicit:
        raise UsageError(f"--khronos: {runner.reason}")
    if isinstance(runner, Unavailable):
        say(f"Khronos check skipped: {runner.reason}")
        return
    reports = run_khronos(files, runner)
    version = next((report.version for report in reports if report.version), "of unknown version")
    ran.append(f"Khronos {version}")
    for report in reports:
        for message in report.messages:
            yield _issue(report.path, message.code, message.severity, message.message, message.pointer)


def _proofs(files: Sequence[Path], against: Sequence[Path], level: str, ran: list[str]) -> Iterator[dict[str, Any]]:
    from ..batch.prove import prove

    results = []
    for proof in prove(files, against, level):
        for diagnostic in proof.diagnostics:
            severity = diagnostic.code.severity.value
            yield _issue(proof.path, diagnostic.code.name, severity, diagnostic.message, diagnostic.where)
        if proof.result is None:
            yield _issue(proof.path, "ROUNDTRIP_SKIPPED", "error", "the round trip could not be run")
        else:
            results.append(proof.result)
    worst = max((result.max_error_m for result in results), default=0.0)
    cuts = [result.cut["max_m"] for result in results if result.cut]
    moved = f", influence cuts move vertices by up to {millimetres(max(cuts))}" if cuts else ""
    say(f"round trip, {level}: {counted(len(results), 'file')}, worst error {worst:.3g} m{moved}")
    ran.append(f"round trip {level}")
