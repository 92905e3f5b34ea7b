"""A comparison in lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...text import counted

Json = dict[str, Any]

SHOWN = 12
"""Lines of one kind below one asset; the JSON has all."""

_LONGEST = 60
"""Characters of a value."""


def difference_lines(found: Json) -> Iterator[str]:
    """Lines for what ``compare_outputs`` found: assets first, then inputs, objects and remarks."""
    for label in ("tool", "options"):
        yield from (f"{label}: {_change(item)}" for item in found[label])
    assets = found["assets"]
    for what in ("gone", "added"):
        yield from (f"{what}: {_name(asset)} ({asset['kind']}, {asset['status']})" for asset in assets[what])
    for asset in assets["changed"]:
        was = f" (was {asset['was'] or 'not written'})" if "was" in asset else ""
        verb = "changed" if {"changes", "remarks", "file"} & asset.keys() else "moved"
        yield f"{verb}: {_name(asset)}{was}"
        yield from (f"  {line}" for line in _asset_lines(asset))
    for label, one in (("input", found["inputs"]), ("object", found["contents"])):
        yield from _short([f"{label} {what}: {name}" for what in ("gone", "added") for name in one[what]])
        yield from _short([f"{label} changed: {item['name']}: {_changes(item['changes'])}" for item in one["changed"]])
    yield from _short(_remarks(found["remarks"]))


def summary_line(found: Json) -> str:
    """How many assets are the same, changed, added and gone."""
    assets = found["assets"]
    numbers = [f"{assets['same']:,} the same", *(f"{len(assets[key]):,} {key}" for key in ("changed", "added", "gone"))]
    other = [
        counted(sum(len(found[key].get(what, ())) for what in ("added", "gone", "changed")), *words)
        for key, *words in (
            ("inputs", "input", "inputs"),
            ("contents", "object", "objects"),
            ("remarks", "remark of no asset", "remarks of no asset"),
        )
    ]
    return f"assets: {', '.join(numbers)}; besides: {', '.join(other)} differ"


def _name(asset: Json) -> str:
    return str(asset["output"] or asset["name"])


def _asset_lines(asset: Json) -> Iterator[str]:
    yield from _short([_change(item) for item in asset.get("changes", ())])
    yield from _short(_remarks(asset.get("remarks", {"added": (), "gone": ()})))
    file = asset.get("file")
    if file is None:
        return
    if "error" in file:
        yield f"file: {file['error']}"
    elif not file["parts"]:
        yield "file: its bytes differ, what they hold does not"
    else:
        yield from _short([_part(item) for item in file["parts"]])


def _part(item: Json) -> str:
    if "field" not in item:
        return f"{item['part']}: {item['what']}"
    if "note" in item:
        return f"{item['part']}: {item['field']}: {item['note']}"
    if item["what"] == "changed":
        return f"{item['part']}: {_change(item)}"
    return f"{item['part']}: {item['field']}: {item['what']} ({_value(item.get('new', item.get('old')))})"


def _remarks(found: Json) -> list[str]:
    return [
        f"remark {what}: {item['code']}: {item['message']} {item['where']}".rstrip()
        for what in ("gone", "added")
        for item in found[what]
    ]


def _changes(items: Sequence[Json]) -> str:
    return "; ".join(map(_change, items))


def _change(item: Json) -> str:
    old, new = _value(item["old"]), _value(item["new"])
    if old == new:  # in the digits that are told
        old, new = repr(item["old"]), repr(item["new"])
    return f"{item['field']}: {old} -> {new}"


def _value(value: Any) -> str:
    if value is None:
        return "nothing"
    text = f"{value:,}" if type(value) is int else f"{value:.4g}" if type(value) is float else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _short(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"and {len(lines) - SHOWN:,} more (--json has all)"
