"""Read report.json with nothing but the standard library: which assets lost something, and what went wrong besides.

python examples/list_lossy.py out
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LOSES = ("warning", "error")


def read_report(path: Path) -> dict[str, Any]:
    path = path / "report.json" if path.is_dir() else path
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"{path} cannot be read: {error}") from error
    if document["schema"] != 1:
        raise SystemExit(f"{path} has schema {document['schema']}; this script reads schema 1")
    return document


def sentences(diagnostics: list[dict[str, Any]]) -> list[str]:
    """What was lost or went wrong, and where."""
    found = [item for item in diagnostics if item["severity"] in LOSES]
    return [
        f"{item['severity']} {item['code']}: {item['message']}" + (f" ({item['where']})" if item["where"] else "")
        for item in found
    ]


def lossy_assets(report: dict[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """Status, name and sentences of every asset that is not exact."""
    for asset in report["assets"]:
        if asset["status"] != "exact":
            yield asset["status"], asset["output"] or asset["name"], sentences(asset["diagnostics"])


def unread_inputs(report: dict[str, Any]) -> Iterator[str]:
    """Input files that could not be read, and why."""
    for item in report["inputs"]:
        if item["status"] == "failed":
            yield f"{item['path']}: {item.get('reason', 'no reason is known')}"


def tell(title: str, lines: list[str]) -> None:
    if lines:
        print(title, *lines, sep="\n  ")


def main(path: Path) -> None:
    report = read_report(path)
    count = 0
    for status, name, lines in lossy_assets(report):
        tell(f"{status}: {name}", lines or ["see its diagnostics"])
        count += 1
    tell("of no asset:", sentences(report["diagnostics"]))
    tell("could not be read:", list(unread_inputs(report)))
    print("1 asset is lossy or failed" if count == 1 else f"{count} assets are lossy or failed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: list_lossy.py OUT/report.json")
    main(Path(sys.argv[1]))
