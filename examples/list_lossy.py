"""Read report.json with nothing but the standard library: which assets lost something, and what.

python examples/list_lossy.py out/report.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

LOSES = ("warning", "error")


def lossy_assets(report: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Status, name and sentences of every asset that is not exact."""
    document = json.loads(report.read_text(encoding="utf-8"))
    if document["schema"] != 1:
        raise SystemExit(f"{report} has schema {document['schema']}; this script reads schema 1")
    for asset in document["assets"]:
        if asset["status"] != "exact":
            found = [item for item in asset["diagnostics"] if item["severity"] in LOSES]
            yield (
                asset["status"],
                asset["output"] or asset["name"],
                [f"{item['code']}: {item['message']} ({item['where']})" for item in found],
            )


def main(report: Path) -> None:
    count = 0
    for status, name, sentences in lossy_assets(report):
        print(f"{status}: {name}")
        for sentence in sentences:
            print(f"  {sentence}")
        count += 1
    print(f"{count} assets are lossy or failed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: list_lossy.py OUT/report.json")
    main(Path(sys.argv[1]))
