"""Progress of a conversion, or over many files, on stderr: a bar on a terminal, plain lines elsewhere.

A conversion also gives JSON lines on stdout on request.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from .output import print_json, say

if TYPE_CHECKING:
    from rich.progress import Progress

    from ..batch.progress import Step
    from ..pipeline import AssetResult

LINE_EVERY_SECONDS = 5.0


@contextmanager
def progress_on_stderr(*, quiet: bool, json_lines: bool, debug: bool) -> Iterator[Callable[[Step], None]]:
    """Yields the callback that a run calls after every job."""
    bar = _bar() if sys.stderr.isatty() and not quiet else None
    counts = {"exact": 0, "lossy": 0, "failed": 0}
    last = time.monotonic()

    def callback(step: Step) -> None:
        nonlocal last
        for result in step.results:
            counts[result.status] += 1
            _tell(result, quiet=quiet, json_lines=json_lines, debug=debug)
        text = ", ".join(f"{number} {status}" for status, number in counts.items())
        if bar is not None:
            bar.update(bar.task_ids[0], completed=step.fraction, description=text, name=step.job.name)
        elif not quiet and time.monotonic() - last > LINE_EVERY_SECONDS:
            last = time.monotonic()
            say(f"{step.fraction:.0%}: {text}; {step.job.kind} {step.job.name}")

    if bar is None:
        yield callback
    else:
        with bar:
            yield callback


@contextmanager
def counting_on_stderr(total: int, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Yields what to call with a file's name after each of ``total`` files."""
    bar = _bar() if sys.stderr.isatty() and not quiet else None
    done, last = 0, time.monotonic()

    def callback(name: str) -> None:
        nonlocal done, last
        done += 1
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done / total, description=f"{done:,} of {total:,}", name=name)
        elif not quiet and time.monotonic() - last > LINE_EVERY_SECONDS:
            last = time.monotonic()
            say(f"{done:,} of {total:,}: {name}")

    with bar or nullcontext():
        yield callback


def _tell(result: AssetResult, *, quiet: bool, json_lines: bool, debug: bool) -> None:
    if json_lines:
        print_json(result.to_json())
    if result.status == "failed" and not quiet:
        say(f"failed: {result.kind} {result.name}: {result.reason or 'see its diagnostics'}")
    if debug:
        for diagnostic in result.diagnostics:
            say(f"{diagnostic.code.severity.value}: {diagnostic.code.name}: {diagnostic.where}: {diagnostic.message}")
            if diagnostic.traceback:
                say(diagnostic.traceback)


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.fields[name]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("", total=1.0, name="")
    return bar
