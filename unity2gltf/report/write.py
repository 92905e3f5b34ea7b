"""report.json and index.html: written last, and whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError, OutputError
from .page import render_page
from .pictures import find_pictures
from .shape import REPORT, require_shape

SCHEMA = 1


def write_report(report: dict[str, Any], out: Path) -> None:
    """Write ``out/report.json`` and ``out/index.html`` from the report's JSON value. Raises OutputError."""
    _write_page(report, out)
    _replace(out / "report.json", _dump(report))


def read_report(out: Path) -> dict[str, Any]:
    """The value of ``out/report.json``.

    Raises InputError where there is none, or one that is not of this schema or lacks what ``shape`` asks for.
    """
    path = out / "report.json"
    try:
        report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no report ({error})") from error
    if not isinstance(report, dict) or report.get("schema") != SCHEMA:
        raise InputError(f"{path} is not of schema {SCHEMA}, the one that this version writes")
    try:
        require_shape(report, REPORT)
    except ValueError as error:
        raise InputError(f"{path} is no whole report: {error}") from error
    return report


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number")


def rewrite_page(out: Path) -> None:
    """Draw ``out/index.html`` anew from report.json, with the pictures that are there by now. Raises InputError and
    OutputError."""
    _write_page(read_report(out), out)


def _write_page(report: dict[str, Any], out: Path) -> None:
    outputs = [asset["output"] for asset in report["assets"] if asset["output"]]
    _replace(out / "index.html", [render_page(report, find_pictures(outputs, out))])


def remove_report(out: Path) -> None:
    """Take away the report of an earlier run, which says nothing true once files change. Raises OutputError."""
    for name in ("report.json", "index.html"):
        try:
            (out / name).unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"{out / name} cannot be replaced: {error.strerror}") from error


def _dump(report: dict[str, Any]) -> Iterator[str]:
    """JSON with one line an entry of each list: quick to write, and a change shows as changed lines. It comes in
    pieces, since the report of a large game is long."""
    for number, (key, value) in enumerate(report.items()):
        yield ",\n" if number else "{"
        if isinstance(value, list) and value:
            yield f"{_compact(key)}: [\n "
            for place, item in enumerate(value):
                yield f",\n {_compact(item)}" if place else _compact(item)
            yield "\n]"
        else:
            yield f"{_compact(key)}: {_compact(value)}"
    yield "}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _replace(path: Path, pieces: Iterable[str]) -> None:
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(pieces)
        beside.replace(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)
