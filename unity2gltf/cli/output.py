"""What commands print: data on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import typer


def print_json(value: Any) -> None:
    """One JSON document, or one object of a stream, on a line of its own."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True, allow_nan=False) + "\n")
    sys.stdout.flush()


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], title: str | None = None) -> None:
    """A table on stdout: drawn by rich on a terminal, tab-separated lines elsewhere."""
    rows = [[str(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        if title:
            typer.echo(f"# {title}")
        for row in ([*head], *rows):
            typer.echo("\t".join(printable(cell) for cell in row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(*head, title=title, title_justify="left")
    for row in rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    Console().print(drawn)


def print_found(found: dict[str, Any], show: Callable[[dict[str, Any]], None], *, json_: bool, debug: bool) -> None:
    """What a command found in an input: JSON, or as ``show`` prints it; with ``debug`` the diagnostics too.

    Exits 3 when there was no Unity content.
    """
    if json_:
        print_json(found)
    else:
        show(found)
    for item in found["diagnostics"] if debug else ():
        say(f"{item['severity']}: {item['code']}: {item['where']}: {item['message']}")
    if not found["files"]:
        say("unity2gltf: no Unity content was found")
        raise typer.Exit(3)


def say(text: str) -> None:
    """A line for people, on stderr."""
    for line in text.splitlines():
        typer.echo(printable(line), err=True)


def printable(text: str) -> str:
    """On one line, without control characters (a game's names must not move the cursor) and lone surrogates."""
    clean = "".join(char if char.isprintable() or char == " " else "?" for char in text)
    return clean.encode("utf-8", "replace").decode("utf-8")
