"""index.html: a plain table of the assets that opens from the local disk and asks nothing of the network."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any
from urllib.parse import quote

from ..text import counted, millimetres
from .pictures import Picture, Pictures

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1d2430; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #dde2ea; vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
.exact { color: #17703a } .lossy, .warning { color: #96600a } .failed, .error { color: #b3261e; font-weight: 600 }
td.p { width: 128px } td.p img { display: block; width: 128px; height: 128px; object-fit: contain; border-radius: 4px }
small { overflow-wrap: anywhere } td.n { white-space: nowrap }
summary { cursor: pointer } ul { margin: .3rem 0 .6rem; padding-left: 1.2rem } code { font-size: 13px }
@media (prefers-color-scheme: dark) {
  body { color: #e3e7ee; background: #14181f } th, td { border-color: #2c3441 } a { color: #8ab4f8 }
  .exact { color: #6cc48c } .lossy, .warning { color: #e0ae5b } .failed, .error { color: #f2938c }
}
"""

_NUMBERS = ("vertices", "triangles", "joints", "morph_targets", "bytes")
_WORST_FIRST = ("failed", "lossy", "exact")
_SHOWN_NOTES = ("ASSET_EMPTY", "SKIN_CUT_MEASURED")
"""Codes that are told although they lose nothing themselves."""


def render_page(report: dict[str, Any], pictures: Pictures | None = None) -> str:
    """The whole page for a report.json value, with a column of ``pictures`` when there are any."""
    assets = sorted(report["assets"], key=lambda asset: _WORST_FIRST.index(asset["status"]))
    rows = "\n".join(_asset_row(asset, pictures) for asset in assets)
    picture = "<th>picture</th>" if pictures else ""
    title = f"{report['tool']['name']} {report['tool']['version']}: converted assets"
    head = "".join(f'<th class="n">{name.replace("_", " ")}</th>' for name in _NUMBERS)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head><body>
<h1>{escape(title)}</h1>
<p>{escape(_summary(report["counts"]))}{_pointer(report)}</p>
<table><thead><tr>{picture}<th>asset</th><th>kind</th><th>status</th>{head}<th class="n">influence cuts</th>\
<th class="n">worst error, m</th></tr></thead>
<tbody>
{rows}
</tbody></table>
{_inputs(report["inputs"])}
{_unwritten(report["diagnostics"])}
<p>Everything in numbers: <a href="report.json">report.json</a></p>
</body></html>
"""


def _summary(counts: dict[str, Any]) -> str:
    assets = ", ".join(f"{number:,} {status}" for status, number in counts["assets"].items()) or "none"
    inputs = ", ".join(f"{number:,} {status}" for status, number in counts["inputs"].items()) or "none"
    cut = counts["max_cut_m"]
    moved = "" if cut is None else f" Influence cuts move vertices by up to {millimetres(cut)}."
    return f"Assets: {assets}. Input files: {inputs}.{moved}"


def _pointer(report: dict[str, Any]) -> str:
    """Links to what stands below the table, which may be long."""
    unread = sum(item["status"] == "failed" for item in report["inputs"])
    other = len(_told(report["diagnostics"]))
    links = [f' <a href="#unread">{counted(unread, "file")} could not be read.</a>'] if unread else []
    links += [f' <a href="#other">{counted(other, "remark")} of no asset.</a>'] if other else []
    return "".join(links)


def _asset_row(asset: dict[str, Any], pictures: Pictures | None) -> str:
    name = escape(asset["name"])
    if asset["output"]:
        name = f'<a href="{escape(quote(asset["output"]))}">{name}</a> <small>{escape(asset["output"])}</small>'
    name += f"<br><small>from {escape(asset['source']['input'])}</small>"
    stats, proof = asset["stats"], asset["roundtrip"] or {}
    numbers = [f"{stats[key]:,}" if key in stats else "" for key in _NUMBERS]
    numbers.append(millimetres(proof["cut"]["max_m"]) if proof.get("cut") else "")
    numbers.append(f"{proof['max_error_m']:.2g}" if proof else "")
    cells = "".join(f'<td class="n">{number}</td>' for number in numbers)
    return (
        f"<tr>{_picture(asset, pictures)}<td>{name}{_diagnostics(asset['diagnostics'])}</td><td>{asset['kind']}</td>"
        f'<td class="{asset["status"]}">{asset["status"]}</td>{cells}</tr>'
    )


def _picture(asset: dict[str, Any], pictures: Pictures | None) -> str:
    """The cell of an asset's picture, which leads to the turntable or else to the picture in full size."""
    if not pictures:
        return ""
    picture: Picture | None = pictures.get(asset["output"] or "")
    if picture is None:
        return '<td class="p"></td>'
    link, image = escape(quote(picture.turntable or picture.still)), escape(quote(picture.still))
    return f'<td class="p"><a href="{link}"><img src="{image}" alt="{escape(asset["name"])}" loading="lazy"></a></td>'


def _told(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a reader should see, errors first."""
    told = [item for item in items if item["severity"] != "info" or item["code"] in _SHOWN_NOTES]
    return sorted(told, key=lambda item: item["severity"] != "error")


def _diagnostics(items: list[dict[str, Any]]) -> str:
    told = _told(items)
    if not told:
        return ""
    return f"<details><summary>{counted(len(told), 'remark')}</summary>{_list(map(_remark, told))}</details>"


def _remark(item: dict[str, Any]) -> str:
    severity = f'<span class="{item["severity"]}">{item["severity"]}</span>'
    return f"{severity} <code>{item['code']}</code> {escape(item['message'])} <small>{escape(item['where'])}</small>"


def _inputs(inputs: list[dict[str, Any]]) -> str:
    failed = [item for item in inputs if item["status"] == "failed"]
    if not failed:
        return ""
    items = (f"<code>{escape(item['path'])}</code> {escape(item.get('reason', ''))}" for item in failed)
    return f'<h2 id="unread">Files that could not be read</h2>{_list(items)}'


def _unwritten(items: list[dict[str, Any]]) -> str:
    """What belongs to no asset: scenes and prefabs that draw nothing, and what went wrong besides."""
    told = _told(items)
    return f'<h2 id="other">Not written, and other remarks</h2>{_list(map(_remark, told))}' if told else ""


def _list(items: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"
