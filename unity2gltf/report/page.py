"""index.html: one file that opens from the local disk and asks nothing of the network.

Its text, style and script are the files of ``web``; what it shows is JSON in the page (``pagedata``), which the script
turns into text nodes. A policy in the page lets only this script run, so that no name of a game ever could.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ..text import counted, millimetres
from .pagedata import count_lost, count_other, page_data
from .pictures import Pictures

_SCRIPTS = ("base.js", "table.js", "rows.js", "panel.js", "lists.js", "start.js")
"""In the order in which they build on each other; one script in the page."""


def render_page(report: dict[str, Any], pictures: Pictures | None = None) -> str:
    """The whole page for a report.json value, with a column of ``pictures`` when there are any."""
    assets, details = page_data(report, pictures or {})
    title = f"{report['tool']['name']} {report['tool']['version']}: converted assets"
    return Template(_web("page.html")).substitute(
        title=escape(title),
        summary=escape(_summary(report["counts"])),
        views=_views(report),
        policy=escape(_policy()),
        style=_web("page.css"),
        script=page_script(),
        assets=_embedded(assets),
        details=_embedded(details),
    )


@cache
def page_script() -> str:
    """The script of the page."""
    return "\n".join(_web(name) for name in _SCRIPTS)


def script_source() -> str:
    """The script as a source in a Content-Security-Policy: its hash."""
    return _hash(page_script())


@cache
def _web(name: str) -> str:
    return files(__package__).joinpath("web", name).read_text("utf-8")


def _policy() -> str:
    images = "img-src 'self' file: data:"
    return f"default-src 'none'; script-src {script_source()}; style-src {_hash(_web('page.css'))}; {images}"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _embedded(value: Any) -> str:
    """JSON that cannot end its script element, whatever its texts say."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _summary(counts: dict[str, Any]) -> str:
    assets = ", ".join(f"{number:,} {status}" for status, number in counts["assets"].items()) or "none"
    inputs = ", ".join(f"{number:,} {status}" for status, number in counts["inputs"].items()) or "none"
    error = "" if counts["max_error_m"] is None else f" Worst round-trip error: {_error(counts['max_error_m'])}."
    cut = counts["max_cut_m"]
    moved = "" if cut is None else f" Influence cuts move vertices by up to {millimetres(cut)}."
    return f"Assets: {assets}. Input files: {inputs}.{error}{moved}"


def _error(metres: float) -> str:
    return millimetres(metres) if metres >= 1e-6 else "below 0.001 mm"


def _views(report: dict[str, Any]) -> str:
    """Links to the parts of the page, with what is in them."""
    shown = (
        ("assets", "Assets", len(report["assets"])),
        ("codes", "Diagnostics", len(report["counts"]["diagnostics"])),
        ("inputs", "Not read", count_lost(report)),
        ("other", "Remarks of no asset", count_other(report)),
    )
    links = (f'<a href="#{view}">{label} <b>{number:,}</b></a>' for view, label, number in shown)
    return f'{"".join(links)}<a href="report.json" title="{counted(len(report["contents"]), "object")}">report.json</a>'
