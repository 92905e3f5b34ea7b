"""One of the reports that ``merge`` joins: its entries, and by what each is known among those of the others."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]
Key = tuple[Any, ...]

STATUSES = ("failed", "lossy", "exact", "skipped")
"""Of an object, in the order in which one part's word counts more than another's."""


class Part:
    """One report with its outputs as seen from where the joined one goes, and by what each entry is known."""

    def __init__(self, prefix: str, report: Json) -> None:
        self.prefix = prefix
        self.options, self.version = dict(report["options"]), report["tool"]["version"]
        self.hashes: dict[str, str | None] = {item["path"]: item["sha256"] for item in report["inputs"]}
        self.inputs = [((item["path"], item["sha256"] or "", item["status"]), item) for item in report["inputs"]]
        self.contents = [self._content(item) for item in report["contents"]]
        self.assets = [self._asset(asset) for asset in report["assets"]]
        self.remarks = [
            ((json.dumps(item, sort_keys=True), self._hash(item["source"])), item) for item in report["diagnostics"]
        ]

    def _content(self, item: Json) -> tuple[Key, Json]:
        placed = item | {
            key: [f"{self.prefix}{output}" for output in item[key]] for key in ("assets", "files") if key in item
        }
        return (*_mark(item["source"]), self._hash(item["source"])), placed

    def _asset(self, asset: Json) -> tuple[Key, Json]:
        placed = asset | {"output": f"{self.prefix}{asset['output']}" if asset["output"] else None}
        return (asset["kind"], placed["output"] or "", *_mark(asset["source"])), placed

    def _hash(self, source: Json | None) -> str:
        """Of the input file that an object lies in; archive members stand after ``!``."""
        return (self.hashes.get(source["input"].partition("!")[0]) if source else None) or ""


def _mark(source: Json) -> tuple[str, str, int, str]:
    return source["input"], source["file"], int(source["path_id"]), source["type"]
