"""A report in a few lines: assets by kind and status, the worst errors, and what was remarked most, in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..codes import CODES
from ..diagnostics import Severity
from .advice import advice

Json = dict[str, Any]

STATUSES = ("exact", "lossy", "failed")
WORST = 5
"""Assets that are named for their round-trip error."""

_SEVERITIES = [Severity.ERROR.value, Severity.WARNING.value, Severity.INFO.value]


def digest_report(report: Json) -> Json:
    """What ``unity2gltf report`` tells of a report.json value.

    ``kinds``: assets by kind and status; ``inputs`` by status; ``max_error_m`` and ``max_cut_m`` of all, or None;
    ``worst``: the assets with the largest errors; ``diagnostics``: every code with its severity, how often it was
    given, to how many assets, its sentence and advice, errors first.
    """
    counts = report["counts"]
    return {
        "assets": len(report["assets"]),
        "kinds": _kinds(report["assets"]),
        "inputs": counts["inputs"],
        "max_error_m": counts["max_error_m"],
        "max_cut_m": counts["max_cut_m"],
        "worst": _worst(report["assets"]),
        "diagnostics": _codes(report),
    }


def _kinds(assets: list[Json]) -> dict[str, dict[str, int]]:
    found = Counter((asset["kind"], asset["status"]) for asset in assets)
    return {kind: {status: found[kind, status] for status in STATUSES} for kind in sorted({kind for kind, _ in found})}


def _worst(assets: list[Json]) -> list[Json]:
    errors = [
        {"output": asset["output"], "name": asset["name"], "max_error_m": asset["roundtrip"]["max_error_m"]}
        for asset in assets
        if asset["roundtrip"] and asset["roundtrip"]["max_error_m"] > 0
    ]
    return sorted(errors, key=lambda item: (-item["max_error_m"], item["output"] or ""))[:WORST]


def _codes(report: Json) -> list[Json]:
    groups = [asset["diagnostics"] for asset in report["assets"]]
    assets = Counter(code for group in groups for code in {item["code"] for item in group})
    every = [item for group in (report["diagnostics"], *groups) for item in group]
    counts = Counter((item["severity"], item["code"]) for item in every)
    codes = [
        {
            "code": code,
            "severity": severity,
            "count": number,
            "assets": assets[code],
            "sentence": CODES[code].sentence if code in CODES else "",
            "advice": advice(code, severity),
        }
        for (severity, code), number in counts.items()
    ]
    return sorted(codes, key=lambda item: (_SEVERITIES.index(item["severity"]), -item["count"], item["code"]))
