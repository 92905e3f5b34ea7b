"""``unity2gltf view``: a viewer of a run's files in the browser, served to this machine alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import InputError, UsageError
from ..optional import Unavailable
from .output import say


def run(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder that was converted to.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")] = 8000,
    viewer: Annotated[
        str | None, typer.Option(metavar="PATH", help="model-viewer's JavaScript (file or npm folder).")
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks of surprises.")] = False,
) -> None:
    """Serve a viewer of the files in OUT on 127.0.0.1 until Ctrl-C; its address is printed on stdout."""
    from ..preview.viewer.bundle import find_model_viewer
    from ..preview.viewer.server import Server

    if not out.is_dir():
        raise InputError(f"there is no such folder: {out}")
    script = find_model_viewer(viewer)
    if isinstance(script, Unavailable) and viewer:
        raise UsageError(f"--viewer: {script.reason}")
    with Server(out, script, port) as server:
        server.assets()  # says now what the page would say later
        if isinstance(script, Unavailable):
            say(f"pictures only: {script.reason}")
        typer.echo(server.url)
        say("Ctrl-C ends it")
        if open_:
            typer.launch(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("ended")
