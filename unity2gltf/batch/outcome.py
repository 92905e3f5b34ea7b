"""The outcome of a run, and report.json made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .. import __version__
from ..diagnostics import Diagnostic, Severity
from ..options import Options
from ..pipeline import AssetResult
from ..report.counts import count_report
from ..source import Source
from .records import PASSING

SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class InputResult:
    """One file of the input. ``status`` is read, skipped or failed."""

    path: str
    sha256: str | None
    status: str
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {"path": self.path, "sha256": self.sha256, "status": self.status}
        return result if self.reason is None else result | {"reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentResult:
    """What became of one Unity object. ``status`` is exact, lossy, failed or skipped; ``files``: side files that keep
    what no asset holds of it."""

    source: Source
    name: str
    status: str
    assets: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {
            "source": self.source.mark(),
            "type": self.source.type,
            "name": self.name,
            "status": self.status,
            "assets": list(self.assets),
        }
        if self.files:
            result["files"] = list(self.files)
        return result if self.reason is None else result | {"reason": self.reason}


@dataclass(slots=True, kw_only=True)
class Report:
    """Everything a run did. ``diagnostics`` are those that belong to no asset; ``tried`` counts the assets that were
    begun, with those that had nothing to show; ``read`` are the files on disk that may have mattered."""

    options: Options
    inputs: list[InputResult] = field(default_factory=list)
    contents: list[ContentResult] = field(default_factory=list)
    assets: list[AssetResult] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    tried: int = 0
    read: list[str] = field(default_factory=list)

    @property
    def may_fare_better(self) -> bool:
        """Something went wrong that is not in the input: the same run, made again, may do more."""
        found = [item for asset in self.assets for item in asset.diagnostics] + self.diagnostics
        return any(item.code in PASSING for item in found)

    def counts(self) -> dict[str, Any]:
        """Sums for a summary line: see :func:`report.counts.count_report`."""
        return count_report(self._lists())

    def to_json(self) -> dict[str, Any]:
        """report.json: sorted, no timestamps, finite numbers."""
        lists = self._lists()
        return {
            "schema": SCHEMA,
            "tool": {"name": "unity2gltf", "version": __version__},
            "options": self.options.to_json(),
            **lists,
            "counts": count_report(lists),
        }

    def _lists(self) -> dict[str, Any]:
        """All that is listed and counted, sorted."""
        return {
            "inputs": [item.to_json() for item in sorted(self.inputs, key=lambda i: i.path)],
            "contents": [item.to_json() for item in sorted(self.contents, key=lambda c: c.source)],
            "assets": [asset.to_json() for asset in sorted(self.assets, key=_asset_order)],
            "diagnostics": [diagnostic.to_json() for diagnostic in self.diagnostics],
        }

    def why_nothing(self) -> str | None:
        """Why a run made no assets, where that is known."""
        if self.options.name and not self.tried and any(item.status == "read" for item in self.inputs):
            return f"no name fits --name {', '.join(self.options.name)}"
        for status, words in (("failed", ""), ("skipped", "encrypted")):
            reasons = [item for item in self.inputs if item.status == status and item.reason and words in item.reason]
            if reasons:
                first = min(reasons, key=lambda item: item.path)
                return first.reason if status == "failed" else f"{first.path} is {first.reason}"
        return next((item.message for item in self.diagnostics if item.code.severity is Severity.ERROR), None)

    def exit_code(self, fail_on: str) -> int:
        """0 all converted; 1 ``fail_on`` (never, error, lossy) was met; 3 nothing convertible."""
        if not self.assets and not any(item.files for item in self.contents):
            return 3
        statuses = {asset.status for asset in self.assets}
        errors = "failed" in statuses or any(item.status == "failed" for item in self.inputs)
        errors |= any(d.code.severity == "error" for asset in self.assets for d in asset.diagnostics)
        errors |= any(d.code.severity == "error" for d in self.diagnostics)
        losses = "lossy" in statuses or any(d.code.severity == "warning" for d in self.diagnostics)
        met = {"never": False, "error": errors, "lossy": errors or losses}
        return 1 if met[fail_on] else 0


def _asset_order(asset: AssetResult) -> tuple[str, str, Source]:
    return (asset.kind, asset.output or "", asset.source)
