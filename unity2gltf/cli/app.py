"""The command line: one file a command; this one joins them and turns errors into sentences and exit codes."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import typer

from ..errors import InputError, Unity2GltfError, UsageError
from .codes import run as codes
from .convert import run as convert
from .diff import run as diff
from .doctor import run as doctor
from .inspect import run as inspect
from .names import run as names
from .output import say
from .preview import run as preview
from .report import run as report
from .sample import run as sample
from .validate import run as validate
from .view import run as view

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
app.command("names")(names)
app.command("validate")(validate)
app.command("preview")(preview)
app.command("view")(view)
app.command("report")(report)
app.command("diff")(diff)
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
    debug = "--debug" in sys.argv  # commands take it too, but here is where errors end
    _prepare_streams()
    try:
        if "" in sys.argv[1:]:  # as a path it would mean the current folder: an unset variable must not convert that
            raise UsageError("an argument is empty: is a variable not set?")
        app()
    except Unity2GltfError as error:
        if debug:
            raise
        say(f"unity2gltf: {error}")
        code = EXIT_USAGE if isinstance(error, UsageError) else EXIT_NOTHING if isinstance(error, InputError) else 1
        sys.exit(code)
    except SystemExit as end:
        if end.code == EXIT_INTERRUPTED:  # what typer makes of Ctrl-C, without a word
            say("unity2gltf: interrupted")
        raise
    except KeyboardInterrupt:
        say("unity2gltf: interrupted")
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader went away: no traceback at exit
        sys.exit(1)
    except OSError as error:
        if debug:
            raise
        say(f"unity2gltf: {error.strerror or error}: {error.filename or ''}".rstrip(": "))
        sys.exit(1)
    except Exception as error:
        if debug:
            raise
        say(f"unity2gltf: this should not happen: {type(error).__name__}: {error}; --debug shows where")
        sys.exit(1)


def _prepare_streams() -> None:
    """Let nothing that is printed be an error: no stream where the caller closed it (``>&-``), or an encoding that
    lacks a game's letters."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - stays open to the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
