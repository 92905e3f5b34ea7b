"""What index.html holds of a report: no more than the page shows, and each repeated text once.

Two values: ``assets`` is what the table needs, ``details`` what is shown of one asset or beside the table; the page
parses the latter when it is first asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..codes import CODES
from ..diagnostics import Severity
from .advice import advice
from .pictures import Picture, Pictures

Json = dict[str, Any]

FIELDS = (
    "name", "output", "kind", "status", "input", "file", "type", "path_id", "reason", "still", "turntable",
    "triangles", "joints", "morph_targets", "clips", "textures", "bytes", "error", "told", "codes",
)  # fmt: skip
"""The columns of ``assets``. ``told`` counts remarks, ``codes`` are places in the list of codes."""

_STATS = ("triangles", "joints", "morph_targets", "clips", "textures", "bytes")
_SHOWN_NOTES = ("ASSET_EMPTY", "SKIN_CUT_MEASURED")
"""Codes that are told although they lose nothing themselves."""


class _Numbered:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def texts(self) -> list[str]:
        return list(self._numbers)


def page_data(report: Json, pictures: Pictures) -> tuple[Json, Json]:
    """``assets`` and ``details`` of a report.json value."""
    assets = report["assets"]
    codes, texts = _Numbered(), _Numbered()
    severities = _severities(report)
    for name in sorted(severities):
        codes.number(name)
    clips = _clip_names(report["contents"])
    head = {
        "fields": FIELDS,
        "assets": [_row(asset, codes, severities, pictures.get(asset["output"] or "")) for asset in assets],
        "codes": _codes(report, severities),
        "pictured": bool(pictures),
    }
    details = {
        "remarks": [_remarks(asset["diagnostics"], codes, texts) for asset in assets],
        "proofs": [asset["roundtrip"] for asset in assets],
        "stats": [asset["stats"] for asset in assets],
        "clips": [clips.get(asset["output"] or "", []) for asset in assets],
        "other": _remarks([item for item in report["diagnostics"] if _told(item)], codes, texts),
        "inputs": {status: _inputs(report["inputs"], status) for status in ("failed", "skipped")},
        "lost": _lost(report["contents"]),
        "contents": report["counts"]["contents"],
        "texts": texts.texts(),
    }
    return head, details


def count_other(report: Json) -> int:
    """How many remarks of no asset the page shows."""
    return sum(map(_told, report["diagnostics"]))


def count_lost(report: Json) -> int:
    """How many files and objects the page lists as failed."""
    return len(_inputs(report["inputs"], "failed")) + len(_lost(report["contents"]))


def _row(asset: Json, codes: _Numbered, severities: dict[str, str], picture: Picture | None) -> list[Any]:
    source, stats, proof = asset["source"], asset["stats"], asset["roundtrip"] or {}
    return [
        *(asset["name"], asset["output"], asset["kind"], asset["status"]),
        *(source["input"], source["file"], source["type"], source["path_id"], asset.get("reason")),
        *((picture.still, picture.turntable) if picture else (None, None)),
        *(stats.get(key) for key in _STATS),
        proof.get("max_error_m"),
        sum(map(_told, asset["diagnostics"])),
        sorted({codes.number(item["code"]) for item in asset["diagnostics"]}),
    ]


def _told(item: Json) -> bool:
    return bool(item["severity"] != Severity.INFO or item["code"] in _SHOWN_NOTES)


def _every(report: Json) -> Iterable[list[Json]]:
    yield report["diagnostics"]
    yield from (asset["diagnostics"] for asset in report["assets"])


def _severities(report: Json) -> dict[str, str]:
    return {item["code"]: item["severity"] for group in _every(report) for item in group}


def _codes(report: Json, severities: dict[str, str]) -> list[Json]:
    """The codes of the report in order of their names, with what they mean where this version knows it."""
    counts = Counter(item["code"] for group in _every(report) for item in group)
    assets = Counter(code for asset in report["assets"] for code in {item["code"] for item in asset["diagnostics"]})
    return [
        {
            "name": name,
            "severity": severity,
            "sentence": CODES[name].sentence if name in CODES else "",
            "advice": advice(name, severity),
            "told": _told({"code": name, "severity": severity}),
            "count": counts[name],
            "assets": assets[name],
        }
        for name, severity in sorted(severities.items())
    ]


def _remarks(items: Iterable[Json], codes: _Numbered, texts: _Numbered) -> list[list[int]]:
    return [[codes.number(item["code"]), texts.number(item["message"]), texts.number(item["where"])] for item in items]


def _inputs(inputs: Iterable[Json], status: str) -> list[list[str]]:
    return [[item["path"], item.get("reason", "")] for item in inputs if item["status"] == status]


def _lost(contents: Iterable[Json]) -> list[list[str]]:
    """Type, name, input and reason of the objects that failed and are in no output."""
    return [
        [item["type"], item["name"], item["source"]["input"], item.get("reason", "")]
        for item in contents
        if item["status"] == "failed" and not item["assets"]
    ]


def _clip_names(contents: Iterable[Json]) -> dict[str, list[str]]:
    """Names of the clips in each output."""
    found: dict[str, list[str]] = {}
    for item in contents:
        if item["type"] == "AnimationClip":
            for output in item["assets"]:
                found.setdefault(output, []).append(item["name"])
    return found
