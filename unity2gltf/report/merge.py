"""Several reports as one: of parts of a run, or of several games. Files stay where they are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .. import __version__, codes
from ..diagnostics import Diagnostic
from ..errors import UsageError
from .counts import count_report
from .part import STATUSES, Key, Part
from .write import SCHEMA, read_report

Json = dict[str, Any]

_OWN = ("scenes", "prefabs", "meshes", "animations", "vrm")
"""Folders that a run writes to."""


def merge_reports(outs: Sequence[Path], dest: Path) -> Json:
    """One report.json value of the reports in ``outs``, with outputs relative to ``dest``.

    Inputs of the same path and hash are one, and so are the objects in them and the remarks on them; where options,
    versions or files of one path differ, a REPORTS_DIFFER says so, and the options are those of the first report.
    Raises InputError for what is no report, and UsageError for a folder that is given twice, is ``dest``, or cannot be
    named from there, and for a ``dest`` that has the report of a run of its own.
    """
    _require_apart(outs, dest)
    _require_free(dest)
    parts = [Part(_prefix(out, dest), read_report(out)) for out in outs]
    lists = {
        "inputs": _joined_inputs(parts),
        "contents": _joined_contents(parts),
        "assets": [asset for _, asset in sorted((pair for part in parts for pair in part.assets), key=_first)],
        "diagnostics": [*_joined_remarks(parts), *(item.to_json() for item in _differences(parts))],
    }
    return {
        "schema": SCHEMA,
        "tool": {"name": "unity2gltf", "version": __version__},
        "options": parts[0].options,
        **lists,
        "counts": count_report(lists),
    }


def _require_apart(outs: Sequence[Path], dest: Path) -> None:
    seen = {dest.resolve()}
    for out in outs:
        if out.resolve() in seen:
            what = "is where the joined report shall go" if out.resolve() == dest.resolve() else "is given twice"
            raise UsageError(f"{out} {what}")
        seen.add(out.resolve())


def _require_free(dest: Path) -> None:
    """The report of a run, which its files need, is not to be replaced; a joined one is."""
    if not (dest / "report.json").exists():
        return
    outputs = [asset["output"] for asset in read_report(dest)["assets"] if asset["output"]]
    if any(output.partition("/")[0] in _OWN for output in outputs):
        raise UsageError(f"{dest} holds the report of a run of its own: name another folder for the joined one")


def _prefix(out: Path, dest: Path) -> str:
    try:
        return f"{Path(os.path.relpath(out.resolve(), dest.resolve())).as_posix()}/"
    except ValueError as error:  # another drive
        raise UsageError(f"{out} cannot be named from {dest}: {error}") from error


def _first(pair: tuple[Key, Json]) -> Key:
    return pair[0]


def _joined_inputs(parts: Sequence[Part]) -> list[Json]:
    """A file that a part could not read, or left aside, was read if another part did."""
    found: dict[tuple[str, str], Json] = {}
    for part in parts:
        for (path, digest, status), item in part.inputs:
            if (path, digest) not in found or status == "read":
                found[path, digest] = item
    return [found[key] for key in sorted(found)]


def _joined_contents(parts: Sequence[Part]) -> list[Json]:
    found: dict[Key, Json] = {}
    for part in parts:
        for key, item in part.contents:
            found[key] = _joined_content(found[key], item) if key in found else item
    return [found[key] for key in sorted(found)]


def _joined_content(one: Json, other: Json) -> Json:
    """What two parts say of one object: that of those which wrote it, the worse of two."""
    said = [item for item in (one, other) if item["assets"]] or [one, other]
    worst = min(said, key=lambda item: STATUSES.index(item["status"]))
    files = sorted({*one.get("files", ()), *other.get("files", ())})
    joined = worst | {"assets": sorted({*one["assets"], *other["assets"]})}
    return joined | {"files": files} if files else joined


def _joined_remarks(parts: Sequence[Part]) -> Iterator[Json]:
    """Each as often as the part that has it most often: every part of a run reads the same files."""
    most: Counter[Key] = Counter()
    items: dict[Key, Json] = {}
    for part in parts:
        most |= Counter(key for key, _ in part.remarks)
        for key, item in part.remarks:
            items.setdefault(key, item)
    for key, item in items.items():
        yield from [item] * most[key]


def _differences(parts: Sequence[Part]) -> Iterator[Diagnostic]:
    first = parts[0]
    options = sorted({key for part in parts for key in _unlike(first.options, part.options)})
    if options:
        values = [{"report": part.prefix, **{key: part.options.get(key) for key in options}} for part in parts]
        told = f"options differ ({', '.join(options)}); those of {first.prefix} are given"
        yield Diagnostic(codes.REPORTS_DIFFER, told, "options", {"options": values})
    versions = {part.prefix: part.version for part in parts}
    if len(set(versions.values())) > 1:
        told = f"versions differ: {', '.join(sorted(set(versions.values())))}"
        yield Diagnostic(codes.REPORTS_DIFFER, told, "tool", {"versions": versions})
    hashes: dict[str, set[str]] = {}
    for part in parts:
        for path, digest in part.hashes.items():
            hashes.setdefault(path, set()).update([digest] if digest else [])
    several = sorted(path for path, digests in hashes.items() if len(digests) > 1)
    if several:
        told = f"{len(several):,} paths of inputs stand for different files, such as {several[0]}"
        yield Diagnostic(codes.REPORTS_DIFFER, told, "inputs", {"paths": several})


def _unlike(one: Json, other: Json) -> set[str]:
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}
