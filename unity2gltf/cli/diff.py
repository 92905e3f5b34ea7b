"""``unity2gltf diff``: what differs between two outputs, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import print_json, printable, say


def run(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="Folder that was converted to.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Another one.")],
    json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="The exit code only.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks of surprises.")] = False,
) -> None:
    """Compare reports and files of two outputs: exit 0 when they are the same, 1 when not, 3 without a report."""
    from ..report.compare.outputs import compare_outputs
    from ..report.compare.words import difference_lines, summary_line

    found = compare_outputs(old, new)
    if json_:
        print_json(found)
    elif not quiet:
        for line in difference_lines(found):
            typer.echo(printable(line))
    if not quiet:
        say(summary_line(found))
    if not found["same"]:
        raise typer.Exit(1)
