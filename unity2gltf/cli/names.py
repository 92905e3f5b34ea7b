"""``unity2gltf names``: which names the hashes of a game stand for, and the hash of a name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..options import Options
from .output import print_found, say, table


def run(
    input_: Annotated[Path, typer.Argument(metavar="INPUT", help="File or folder with Unity content.")],
    query: Annotated[
        str | None, typer.Argument(metavar="[HASH|TEXT]", help="A hash (decimal or 0x), or a part of a name.")
    ] = None,
    unity_version: Annotated[str | None, typer.Option(help="Version for files that name none.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks of surprises.")] = False,
) -> None:
    """List names with their hashes and where each comes from; look up a hash, or a text."""
    from ..batch.nametable import name_table

    found = name_table(input_, Options(unity_version=unity_version), query)
    print_found(found, _show, json_=json_, debug=debug)


def _show(found: dict[str, Any]) -> None:
    if not found["names"]:
        say("unity2gltf: no name was found")
        return
    title = "names"
    if found["query"] is not None:
        title = f"{found['query']} = {found['hash']} (0x{found['hash']:08x})"
    rows = ((entry["hash"], f"0x{entry['hash']:08x}", entry["name"], entry["origin"]) for entry in found["names"])
    table(("hash", "hex", "name", "origin"), rows, title)
