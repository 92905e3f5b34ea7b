"""Two entries of ``assets``, or two lists of remarks: what changed between them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

Json = dict[str, Any]


def compare_entries(old: Json, new: Json) -> list[Json]:
    """``{"field", "old", "new"}`` for whatever the two say differently, but for their remarks; None is "not there"."""
    before, after = dict(_flat(_comparable(old))), dict(_flat(_comparable(new)))
    fields = [*before, *(field for field in after if field not in before)]
    return [
        {"field": field, "old": before.get(field), "new": after.get(field)}
        for field in fields
        if before.get(field) != after.get(field)
    ]


def compare_remarks(old: Iterable[Json], new: Iterable[Json]) -> Json:
    """The remarks that are ``added`` and those that are ``gone``, as often as they are."""
    before, after = _counted(old), _counted(new)
    return {"added": _listed(after - before), "gone": _listed(before - after)}


def _comparable(asset: Json) -> Json:
    return {key: value for key, value in asset.items() if key not in ("diagnostics", "output")}


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(item, f"{path}.{key}" if path else key)
    else:
        yield path, value


def _counted(items: Iterable[Json]) -> Counter[str]:
    keys = ("severity", "code", "message", "where", "data")
    return Counter(json.dumps({key: item[key] for key in keys}) for item in items)


def _listed(found: Counter[str]) -> list[Json]:
    return [json.loads(text) for text in found.elements()]
