"""``unity2gltf codes``: every diagnostic code with its severity and sentence."""

from __future__ import annotations

from typing import Annotated

import typer

from .output import print_json, table


def run(json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False) -> None:
    """List every diagnostic code, its severity and what it means."""
    from ..codes import CODES

    rows = [(code.name, code.severity.value, code.sentence) for code in sorted(CODES.values(), key=lambda c: c.name)]
    if json_:
        print_json([{"code": name, "severity": severity, "sentence": text} for name, severity, text in rows])
    else:
        table(("code", "severity", "meaning"), rows)
