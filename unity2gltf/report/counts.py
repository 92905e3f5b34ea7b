"""The sums of a report, from its JSON values: what ``convert`` counts of a run, and ``report --merge`` of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]


def count_report(report: Json) -> Json:
    """``counts`` of a report.json value: assets by status and kind, inputs by status, contents by type and status,
    diagnostics by code, numbers added up, and the worst of the round trips."""
    assets = report["assets"]
    stats: Counter[str] = Counter()
    for asset in assets:
        stats.update(asset["stats"])
    proofs = [asset["roundtrip"] for asset in assets if asset["roundtrip"]]
    return {
        "assets": _count(asset["status"] for asset in assets),
        "kinds": _count(asset["kind"] for asset in assets if asset["output"]),
        "inputs": _count(item["status"] for item in report["inputs"]),
        "contents": _by_type(report["contents"]),
        "diagnostics": _count(
            item["code"] for group in (report["diagnostics"], *(a["diagnostics"] for a in assets)) for item in group
        ),
        "stats": dict(sorted(stats.items())),
        "max_error_m": max((proof["max_error_m"] for proof in proofs), default=None),
        "max_cut_m": max((proof["cut"]["max_m"] for proof in proofs if proof.get("cut")), default=None),
        "clips": _clip_sums([proof["clips"] for proof in proofs if proof.get("clips")]),
    }


def _by_type(contents: Iterable[Json]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for item in contents:
        found.setdefault(item["type"], Counter())[item["status"]] += 1
    return {kind: dict(sorted(statuses.items())) for kind, statuses in sorted(found.items())}


def _clip_sums(clips: list[Json]) -> Json | None:
    """Clips, channels and kinds of all round trips added up, and the worst error of each measure; None without any.
    ``approximate`` are the worst of channels that are no exact copy by their own word."""
    if not clips:
        return None
    kinds: Counter[str] = Counter()
    for one in clips:
        kinds.update(one["kinds"])
    worst = [key for key in clips[0] if key.startswith("max_")]
    return {
        "count": sum(one["count"] for one in clips),
        "channels": sum(one["channels"] for one in clips),
        "kinds": dict(sorted(kinds.items())),
        **{key: max(one[key] for one in clips) for key in worst},
        "approximate": {
            "channels": sum(one["approximate"]["channels"] for one in clips),
            **{key: max(one["approximate"][key] for one in clips) for key in worst},
        },
    }


def _count(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
