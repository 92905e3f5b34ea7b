"""What the page lists: the files below OUT, with what the report says of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...report.pictures import Pictures, find_pictures
from ...report.write import read_report
from ...text import counted
from ..places import SUFFIXES

Json = dict[str, Any]


def list_assets(out: Path) -> Json:
    """``{"title", "note", "page", "assets": [..]}``, read anew: a run may have changed them. ``page``: whether the
    report's page is there. Raises InputError without files.

    An asset: ``output`` (path below ``out``, or null when it was not written), ``name``, ``kind``, ``status`` ("" for
    a file that the report does not know), ``remarks``, ``stats``, ``still`` and ``turntable`` (paths or null).
    """
    try:
        report, note = read_report(out), ""
        known = [_known(asset) for asset in report["assets"]]
    except InputError as error:
        known, note = [], str(error) if (out / "report.json").exists() else ""
    written = {asset["output"] for asset in known}
    others = [path for path in _files(out) if path not in written]
    told = [_other(path) for path in others if _is_text(path)]
    if len(told) < len(others):
        note = f"{note} {counted(len(others) - len(told), 'file is', 'files are')} left out: no text names them".strip()
    assets = known + told
    if not assets:
        raise InputError(f"{out} holds neither a report.json with assets nor .glb, .gltf or .vrm files")
    pictures = find_pictures((asset["output"] for asset in assets if asset["output"]), out)
    return {
        "title": out.resolve().name,
        "note": note,
        "page": (out / "index.html").is_file(),
        "assets": [asset | _paths(asset, pictures) for asset in assets],
    }


def _known(asset: Json) -> Json:
    remarks = [
        {key: item[key] for key in ("severity", "code", "message", "where")}
        for item in asset["diagnostics"]
        if item["severity"] != "info"
    ]
    kept = {key: asset[key] for key in ("output", "name", "kind", "status", "stats")}
    return kept | {"remarks": sorted(remarks, key=lambda item: item["severity"] != "error")}


def _other(path: str) -> Json:
    name = path.rpartition("/")[2]
    return {"output": path, "name": name, "kind": "", "status": "", "stats": {}, "remarks": []}


def _files(out: Path) -> Iterator[str]:
    for path in sorted(out.rglob("*")):
        below = path.relative_to(out)
        if path.suffix.lower() in SUFFIXES and path.is_file() and not any(part[0] == "." for part in below.parts):
            yield below.as_posix()


def _is_text(path: str) -> bool:
    """Can a browser ask for it? A name of other bytes than UTF-8 has no address."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _paths(asset: Json, pictures: Pictures) -> Json:
    picture = pictures.get(asset["output"] or "")
    return {"still": picture.still if picture else None, "turntable": picture.turntable if picture else None}
