"""The command line: one file a command; this one joins them and turns errors into sentences and exit codes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from ..errors import InputError, Unity2GltfError, UsageError
from .codes import run as codes
from .convert import run as convert
from .doctor import run as doctor
from .inspect import run as inspect
from .sample import run as sample
from .validate import run as validate

EXIT_USAGE = 2
EXIT_NOTHING = 3
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="unity2gltf",
    help="Convert Unity game content to glTF 2.0, and prove every file that is written.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("convert")(convert)
app.command("inspect")(inspect)
app.command("validate")(validate)
app.command("codes")(codes)
app.command("doctor")(doctor)
app.command("sample")(sample)


@app.callback(invoke_without_command=True)
def _main(
    version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True),
) -> None:
    if version:
        from .. import __version__

        typer.echo(f"unity2gltf {__version__}")
        raise typer.Exit


def main() -> None:
    """Entry point of the console script."""
    debug = "--debug" in sys.argv
    _open_closed_streams()
    try:
        if "" in sys.argv[1:]:  # as a path it would mean the current folder: an unset variable must not convert that
            raise UsageError("an argument is empty: is a variable not set?")
        app()
    except Unity2GltfError as error:
        if debug:
            raise
        typer.echo(f"unity2gltf: {error}", err=True)
        code = EXIT_USAGE if isinstance(error, UsageError) else EXIT_NOTHING if isinstance(error, InputError) else 1
        sys.exit(code)
    except KeyboardInterrupt:
        typer.echo("unity2gltf: interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader went away: no traceback at exit
        sys.exit(1)
    except OSError as error:
        if debug:
            raise
        typer.echo(f"unity2gltf: {error.strerror or error}: {error.filename or ''}".rstrip(": "), err=True)
        sys.exit(1)


def _open_closed_streams() -> None:
    """Python has no stream where the caller closed it (``>&-``); what is printed there goes nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - stays open to the end
