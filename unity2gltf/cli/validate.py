"""``unity2gltf validate``: structure, the Khronos validator, and on request the round trip against Unity's side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError, Unity2GltfError, UsageError
from .output import print_json, printable, say


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
    checks = [*_structure(files), *_khronos(files, khronos)]
    if against:
        checks += _proofs(files[::every], against, level)
    bad = [check for check in checks if check["severity"] == "error"]
    warnings = [check for check in checks if check["severity"] == "warning"]
    if json_:
        print_json({"files": len(files), "errors": len(bad), "warnings": len(warnings), "issues": checks})
    else:
        for check in [*bad, *warnings]:
            line = f"{check['severity']}: {check['file']}: {check['code']}: {check['message']} {check['where']}"
            typer.echo(printable(line))
    say(f"{len(files)} files, {len(bad)} errors, {len(warnings)} warnings")
    raise typer.Exit(1 if bad else 0)


def find_files(paths: Sequence[Path]) -> list[Path]:
    """The GLB and glTF files named, and those below the folders named, sorted."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(p for p in path.rglob("*") if p.suffix.lower() in (".glb", ".gltf") and p.is_file())
        elif path.is_file():
            files.append(path)
        else:
            raise InputError(f"there is no such file or folder: {path}")
    if not files:
        raise InputError(f"no .glb or .gltf files in {', '.join(map(str, paths))}")
    return list(dict.fromkeys(files))


def _issue(file: Path, code: str, severity: str, message: str, where: str = "") -> dict[str, Any]:
    return {"file": file.as_posix(), "code": code, "severity": severity, "message": message, "where": where}


def _structure(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    from ..evaluate.glb import read_gltf
    from ..validate.structure import check_structure

    for file in files:
        try:
            issues = check_structure(read_gltf(file))
        except Unity2GltfError as error:
            yield _issue(file, "FILE_BROKEN", "error", str(error))
            continue
        for issue in issues:
            yield _issue(file, issue.code, str(issue.severity), issue.message, issue.pointer)


def _khronos(files: Sequence[Path], explicit: str | None) -> Iterator[dict[str, Any]]:
    from ..validate.khronos import Unavailable, find_khronos, run_khronos

    runner = find_khronos(explicit)
    if isinstance(runner, Unavailable) and explicit:
        raise UsageError(f"--khronos: {runner.reason}")
    if isinstance(runner, Unavailable):
        say(f"Khronos check skipped: {runner.reason}")
        return
    for report in run_khronos(list(files), runner):
        for message in report.messages:
            yield _issue(report.path, message.code, message.severity, message.message, message.pointer)


def _proofs(files: Sequence[Path], against: Sequence[Path], level: str) -> Iterator[dict[str, Any]]:
    from ..batch.prove import prove

    worst, count = 0.0, 0
    for proof in prove(files, against, level):
        for diagnostic in proof.diagnostics:
            severity = diagnostic.code.severity.value
            yield _issue(proof.path, diagnostic.code.name, severity, diagnostic.message, diagnostic.where)
        if proof.result is None:
            yield _issue(proof.path, "ROUNDTRIP_SKIPPED", "error", "the round trip could not be run")
        else:
            count += 1
            worst = max(worst, proof.result.max_error_m)
    say(f"round trip, {level}: {count} files, worst error {worst:.3g} m")
