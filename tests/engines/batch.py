"""Runs a runner script over many files in processes of its own: a crash or a hang is one failed file."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

Job = Mapping[str, Any]
Result = dict[str, Any]

SILENCE = 120.0
"""Seconds that a runner may take for one file, or to start."""


@dataclass(frozen=True)
class Runner:
    """How to start an engine's script: the words before the path of the job list, and variables it needs."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


def run_batch(
    runner: Runner, jobs: Sequence[Job], seen: Callable[[int, Result], None], silence: float = SILENCE
) -> None:
    """Gives each job's result to ``seen`` as it comes.

    When the process ends or falls silent within a job, that job is tried once more in a process of its own (what
    earlier files left behind may be to blame), and the rest goes on in a new one.
    """
    waiting = list(range(len(jobs)))
    while waiting:
        done, culprit, cause = _run_once(runner, jobs, waiting, seen, silence)
        waiting = [number for number in waiting if number not in done]
        if culprit is None:
            if waiting and not done:
                raise RuntimeError(f"{runner.command[0]} does not start: {cause}")
            continue
        if len(done) + len(waiting) > 1:
            again, _, cause = _run_once(runner, jobs, [culprit], seen, silence)
        else:
            again = set()
        if culprit not in again:
            seen(culprit, {"error": cause})
        waiting.remove(culprit)


def _run_once(
    runner: Runner, jobs: Sequence[Job], numbers: Sequence[int], seen: Callable[[int, Result], None], silence: float
) -> tuple[set[int], int | None, str]:
    """The jobs that came through, the one within which the process ended (if so), and how it ended."""
    done: set[int] = set()
    current: int | None = None
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump([jobs[number] for number in numbers], file)
    cause = ""
    try:
        for word, value, rest in _lines(runner, file.name, silence):
            if word == "@start":
                current = numbers[int(value)]
            elif word == "@done":
                done.add(numbers[int(value)])
                current = None
                seen(numbers[int(value)], json.loads(rest))
            else:
                cause = rest
    finally:
        Path(file.name).unlink()
    return done, current, cause


def _lines(runner: Runner, jobs: str, silence: float) -> Iterator[tuple[str, str, str]]:
    """(``@start`` or ``@done``, number, JSON) as they come, and last ("", "", how the process ended)."""
    process = subprocess.Popen(
        [*runner.command, jobs],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | dict(runner.environment),
        text=True,
        errors="replace",
        start_new_session=True,
    )
    assert process.stdout is not None and process.stderr is not None
    lines: queue.Queue[str | None] = queue.Queue()
    told: list[str] = []
    reader = threading.Thread(target=_pump, args=(process.stdout, lines.put), daemon=True)
    complaints = threading.Thread(target=_pump, args=(process.stderr, told.append), daemon=True)
    reader.start()
    complaints.start()
    try:
        while (line := lines.get(timeout=silence)) is not None:
            word, _, rest = line.partition(" ")
            if word in ("@start", "@done"):
                number, _, value = rest.partition(" ")
                yield word, number.strip(), value
        process.wait(timeout=10)
        complaints.join(timeout=10)
        yield "", "", _ending(process.returncode, told)
    except (queue.Empty, subprocess.TimeoutExpired):
        yield "", "", f"no answer within {silence:g} s"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        process.stderr.close()


def _pump(stream: TextIO, put: Callable[[Any], None]) -> None:
    try:
        for line in stream:
            put(line)
    except ValueError:
        pass  # closed while the process was being ended
    put(None)


def _ending(code: int, told: Sequence[str | None]) -> str:
    if code < 0:
        return f"ended by {signal.Signals(-code).name}"
    last = [line.strip() for line in told if line and line.strip()]
    return f"ended with exit code {code}" + (f": {last[-1][:300]}" if last else "")
