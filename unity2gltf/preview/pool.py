"""The parent's side of the drawing process: starts it, feeds it, and starts another when it dies or hangs."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import IO, Any

Answer = dict[str, Any]

COMMAND = (sys.executable, "-m", "unity2gltf.preview.worker")

SECONDS_TO_START = 60.0
SECONDS = 120.0
"""For one file, besides what its views take."""

SECONDS_PER_MEGAPIXEL = 10.0
"""For drawing and encoding one view; of a large scene that takes about four."""

FILES_PER_PROCESS = 200
"""Native code may keep memory: a new process, which starts in a quarter of a second, bounds that."""


class Pool:
    """One process at a time that draws pictures of one size. A context manager, which ends the process."""

    def __init__(self, width: int, height: int, *, seconds: float = SECONDS, command: Sequence[str] = COMMAND) -> None:
        self._command = (*command, str(width), str(height))
        self._seconds = seconds
        self._seconds_a_view = SECONDS_PER_MEGAPIXEL * width * height / 1e6
        self._worker: _Worker | None = None
        self._drawn = 0

    def start(self) -> str | None:
        """Have a process running. Gives the reason where none starts."""
        if self._worker is not None and self._drawn >= FILES_PER_PROCESS:
            self._stop()
        if self._worker is None:
            self._worker, self._drawn = _Worker(self._command), 0
            if self._worker.answer(SECONDS_TO_START) is None:
                return self._lost(SECONDS_TO_START)
        return None

    def draw(self, job: Answer, frames: int = 1) -> Answer:
        """The worker's answer for a file with ``frames`` views. One at which the process dies is tried once more in a
        new one, as files before it may be to blame; dying on it at once, or again, it has ``failed``."""
        trouble, seconds = "", self._seconds + frames * self._seconds_a_view
        for _ in range(2):
            if cause := self.start():
                return {"status": "failed", "reason": f"Filament does not start: {cause}"}
            assert self._worker is not None
            fresh = self._drawn == 0
            self._drawn += 1
            answer = self._worker.ask(job, seconds)
            if answer is not None:
                return answer
            trouble = self._lost(seconds)
            if fresh:
                break
        return {"status": "failed", "reason": f"Filament gave up on it: {trouble}"}

    def _lost(self, seconds: float) -> str:
        assert self._worker is not None
        ending = self._worker.ending(seconds)
        self._stop()
        return ending

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop()


class _Worker:
    """A process, and threads that read its answers and the last of its words."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"LIBGL_ALWAYS_SOFTWARE": "1"},  # the same pixels with and without a graphics card
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._words: deque[str] = deque(maxlen=20)
        self._threads = [
            _reading(self._process.stdout, self._answers.put, lambda: self._answers.put(None)),
            _reading(self._process.stderr, self._words.append, lambda: None),
        ]

    def ask(self, job: Answer, seconds: float) -> Answer | None:
        """The answer to a job, or None when the process dies or takes longer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
        except OSError:  # it is gone already
            return None
        return self.answer(seconds)

    def answer(self, seconds: float) -> Answer | None:
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            return None
        answer: Answer | None = json.loads(line) if line is not None else None
        return answer

    def ending(self, seconds: float) -> str:
        """Why there was no answer."""
        try:
            code = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return f"no answer within {seconds:.3g} s"
        if code < 0:
            return f"the renderer was ended by {signal.Signals(-code).name}"
        self._threads[1].join(timeout=2)
        words = [line.strip() for line in self._words if line.strip()]
        return words[-1][:300] if words else f"the renderer ended with exit code {code}"

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(timeout=2)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            try:
                stream.close()
            except OSError:  # a job that never left
                continue


def _reading(stream: IO[str] | None, take: Callable[[str], None], end: Callable[[], None]) -> threading.Thread:
    def read(lines: Iterable[str]) -> None:
        for line in lines:
            take(line)
        end()

    assert stream is not None
    thread = threading.Thread(target=read, args=(stream,), daemon=True)
    thread.start()
    return thread
