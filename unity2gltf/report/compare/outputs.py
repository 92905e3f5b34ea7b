"""Two outputs: their reports side by side, and the files of the assets that both have."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any

from ..write import read_report
from .entries import compare_entries, compare_remarks
from .files import compare_files

Json = dict[str, Any]
Pair = tuple[Json, Json]


def compare_outputs(old: Path, new: Path) -> Json:
    """Everything that differs between two folders of converted files.

    ``same``: whether nothing does. ``tool`` and ``options`` (fields with old and new) are told, but are no difference
    by themselves. ``inputs``, ``contents``: added, gone and changed. ``assets``: ``same`` (how many), ``added``,
    ``gone``, and ``changed`` with ``changes``, ``remarks`` and ``file``; an asset is known by its output, or else by
    its kind and source, and then ``was`` is its old output, which is no change of the objects in it. ``remarks``: those
    of no asset. Raises InputError where there is no report.
    """
    before, after = read_report(old), read_report(new)
    assets, moved = _assets(before["assets"], after["assets"], old, new)
    contents = [
        item | {"assets": sorted(moved.get(name, name) for name in item["assets"])} for item in before["contents"]
    ]
    found: Json = {
        "old": old.as_posix(),
        "new": new.as_posix(),
        "tool": compare_entries(before["tool"], after["tool"]),
        "options": compare_entries(before["options"], after["options"]),
        "inputs": _lists(before["inputs"], after["inputs"], _path, _path),
        "contents": _lists(contents, after["contents"], _object, _say_object),
        "assets": assets,
        "remarks": compare_remarks(before["diagnostics"], after["diagnostics"]),
    }
    return found | {"same": not any(_differs(found[key]) for key in ("inputs", "contents", "assets", "remarks"))}


def _differs(found: Json) -> bool:
    return any(found[key] for key in ("added", "gone", "changed") if key in found)


def _path(item: Json) -> str:
    return str(item["path"])


def _object(item: Json) -> tuple[str, ...]:
    source = item["source"]
    return tuple(str(source[key]) for key in ("input", "file", "path_id", "type"))


def _say_object(item: Json) -> str:
    return f'{item["type"]} "{item["name"]}" ({item["source"]["input"]}:{item["source"]["path_id"]})'


def _asset_object(asset: Json) -> tuple[str, ...]:
    return (str(asset["kind"]), *_object(asset))


def _lists(old: list[Json], new: list[Json], key: Callable[[Json], Hashable], say: Callable[[Json], str]) -> Json:
    """Entries of two lists, paired by ``key``; of several with one key, in their order."""
    pairs, gone, added = _paired(old, new, key)
    changed = [{"name": say(one), "changes": found} for one, other in pairs if (found := compare_entries(one, other))]
    return {"added": [say(item) for item in added], "gone": [say(item) for item in gone], "changed": changed}


def _paired(
    old: Iterable[Json], new: Iterable[Json], key: Callable[[Json], Hashable]
) -> tuple[list[Pair], list[Json], list[Json]]:
    """Pairs of one key, and what is left of either side."""
    waiting: dict[Hashable, list[Json]] = {}
    for item in old:
        waiting.setdefault(key(item), []).append(item)
    pairs, added = [], []
    for item in new:
        match = waiting.get(key(item))
        if match:
            pairs.append((match.pop(0), item))
        else:
            added.append(item)
    return pairs, [item for items in waiting.values() for item in items], added


def _assets(old: list[Json], new: list[Json], old_out: Path, new_out: Path) -> tuple[Json, dict[str, str]]:
    """What became of the assets, and the new outputs of those that moved."""
    written, gone, added = _paired(
        (asset for asset in old if asset["output"]), (asset for asset in new if asset["output"]), lambda a: a["output"]
    )
    rest, gone, added = _paired(
        [*gone, *(asset for asset in old if not asset["output"])],
        [*added, *(asset for asset in new if not asset["output"])],
        _asset_object,
    )
    compared = [(pair, _asset(*pair, old_out, new_out)) for pair in (*written, *rest)]
    found = {
        "same": sum(not found for _, found in compared),
        "added": [_brief(asset) for asset in added],
        "gone": [_brief(asset) for asset in gone],
        "changed": [_brief(new_asset) | found for (_, new_asset), found in compared if found],
    }
    return found, {one["output"]: other["output"] for one, other in rest if one["output"] and other["output"]}


def _brief(asset: Json) -> Json:
    return {key: asset[key] for key in ("output", "kind", "name", "status")}


def _asset(old: Json, new: Json, old_out: Path, new_out: Path) -> Json:
    """What changed of one asset; empty for nothing."""
    found: Json = {}
    if old["output"] != new["output"]:
        found["was"] = old["output"]
    if changes := compare_entries(old, new):
        found["changes"] = changes
    remarks = compare_remarks(old["diagnostics"], new["diagnostics"])
    if remarks["added"] or remarks["gone"]:
        found["remarks"] = remarks
    if old["output"] and new["output"]:
        file = compare_files(old_out / old["output"], new_out / new["output"])
        if file is not None:
            found["file"] = file
    return found
