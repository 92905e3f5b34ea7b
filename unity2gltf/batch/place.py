"""Outputs get their last paths, in the order of the plan: the first that wants a path, and was written, keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from .. import codes
from ..diagnostics import Diagnostics
from ..emit.relocate import relocate
from ..pipeline import AssetResult
from .names import OutputNames
from .plan import FOLDERS
from .records import JobRecord
from .worker import WAITING


class Placer:
    """``kept``: paths at which outputs of an earlier run lie, which may be in the way of others until their turn. It
    grows while the run finds more of them. ``owners``: jobs by the paths that are theirs even if they are not run."""

    def __init__(self, out: Path, kept: set[str], owners: Mapping[str, str]) -> None:
        self._out = out
        self._owners = owners
        self._names = OutputNames()
        self._kept = kept
        self._aside: dict[str, str] = {}

    def place(self, record: JobRecord, job: str) -> JobRecord:
        """The record of the ``job`` of that id, with its files at their last paths."""
        placed: list[AssetResult] = []
        for result in record.results:
            wanted = _below_folder(placed[0]) if result.kind == "vrm" else result.path
            placed.append(self._placed(result, wanted, job))
        return replace(record, results=tuple(placed))

    def _placed(self, result: AssetResult, wanted: str, job: str) -> AssetResult:
        if result.output is None:
            return result

        def is_others(path: str) -> bool:
            return self._owners.get(path, job) != job

        ending = ".muscles" if result.kind == "muscles" else ""
        target = self._names.take(FOLDERS[result.kind], wanted, result.source, is_others, ending)
        files = [self._aside.get(name, name) for name in result.files]
        suffix = files[0][files[0].rindex(".") :]
        self._kept.difference_update(result.files)
        self._make_way(f"{target}{suffix}")
        diagnostics = Diagnostics()
        moved: list[str] = []
        with diagnostics.guard(codes.OUTPUT_UNWRITABLE, result.source.place(result.name), result.source):
            moved += relocate(self._out, files, target)
        if moved:
            return replace(result, output=moved[0], files=tuple(moved))
        found = (*result.diagnostics, *diagnostics.items)
        reason = diagnostics.items[0].message
        return replace(result, output=None, files=(), status="failed", reason=reason, diagnostics=found)

    def _make_way(self, path: str) -> None:
        """Put an earlier output that still waits for its turn out of the way."""
        if path in self._kept and path not in self._aside:
            stem = path[: path.rindex(".")]
            aside = f"{WAITING}/{'d/' * (path.count('/') - 1)}aside-{len(self._aside)}"
            for old in [name for name in self._kept if name.startswith(f"{stem}.")]:
                new = f"{aside}{old[len(stem) :]}"
                (self._out / new).parent.mkdir(parents=True, exist_ok=True)
                (self._out / old).replace(self._out / new)
                self._aside[old] = new
                self._kept.discard(old)


def _below_folder(prefab: AssetResult) -> str:
    """The path of a placed prefab below its folder, without extension: its avatar has the same."""
    if prefab.output is None:  # something was in its way
        return prefab.path
    return prefab.output[: prefab.output.rindex(".")].partition("/")[2]
