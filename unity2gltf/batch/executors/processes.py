"""Worker processes on this machine. One that dies or takes too long costs one task; another takes its place.

Each process is started anew (``spawn``), so nothing of this one's memory is copied. Tasks are given out one by one: to
a worker that has the task's root open, else of a root that no other worker has.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from ...errors import OutputError
from ..records import RootKey, Setting
from ..worker import OPEN_ROOTS, Worker
from .tasks import OUT_OF_MEMORY, Done, Task

_CONTEXT = multiprocessing.get_context("spawn")
_END_SECONDS = 5.0
_READY = "ready"
"""The first word of a worker: what it takes to start is not its first task's time."""


@dataclass(slots=True, eq=False)
class _Process:
    """A worker process. ``roots`` are those that it opened last, newest last; ``started`` is when its task began,
    infinite while the process itself begins."""

    process: SpawnProcess
    pipe: Connection
    task: Task | None = None
    started: float = math.inf
    roots: dict[RootKey, None] = field(default_factory=dict)


class Processes:
    """``max_memory``: bytes that a worker may allocate (where the system can hold it to that); ``timeout``: seconds
    that a task may take."""

    def __init__(
        self, setting: Setting, count: int, *, max_memory: int | None = None, timeout: float | None = None
    ) -> None:
        self._setting = setting
        self._max_memory = max_memory
        self._timeout = timeout
        self._count = count
        self._waiting: dict[RootKey, deque[Task]] = {}
        self._workers: list[_Process] = []

    def submit(self, task: Task) -> None:
        self._waiting.setdefault(task.root, deque()).append(task)

    def outcomes(self) -> Iterator[Done]:
        while True:
            tasks = sum(map(len, self._waiting.values()))
            idle = sum(worker.task is None for worker in self._workers)
            self._workers += [self._start() for _ in range(min(self._count - len(self._workers), tasks - idle))]
            for worker in self._workers:
                if worker.task is None and self._waiting:
                    self._give(worker, self._choose(worker))
            if all(worker.task is None for worker in self._workers):
                return
            yield from self._finished()

    def close(self) -> None:
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(_END_SECONDS if worker.task is None else 0)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def _start(self) -> _Process:
        ours, theirs = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=_main, args=(theirs, self._setting, self._max_memory), daemon=True)
        with _without_interrupts():
            process.start()
        theirs.close()
        return _Process(process, ours)

    def _choose(self, worker: _Process) -> Task:
        """Take a task from the root that suits the worker best."""
        waiting = self._waiting
        own = next((root for root in reversed(worker.roots) if root in waiting), None)
        taken = {root for other in self._workers if other is not worker for root in other.roots}
        free = next((root for root in waiting if root not in taken), None)
        most = max(waiting, key=lambda root: len(waiting[root]))
        root = own if own is not None else free if free is not None else most
        task = waiting[root].popleft()
        if not waiting[root]:
            del waiting[root]
        return task

    def _give(self, worker: _Process, task: Task) -> None:
        worker.task = task
        worker.started = max(worker.started, time.monotonic())
        worker.roots.pop(task.root, None)
        worker.roots[task.root] = None
        while len(worker.roots) > OPEN_ROOTS:
            del worker.roots[next(iter(worker.roots))]
        try:
            worker.pipe.send(task)
        except OSError:  # it died between two tasks: found below as one that ended
            return

    def _finished(self) -> Iterator[Done]:
        """Outcomes that are there, waiting for one; workers that ended or took too long are replaced."""
        busy = [worker for worker in self._workers if worker.task is not None]
        ready = wait([item for worker in busy for item in (worker.pipe, worker.process.sentinel)], self._patience(busy))
        for worker in busy:
            assert worker.task is not None
            if worker.pipe in ready:
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    yield self._replaced(worker, None)
                    continue
                if isinstance(answer, OutputError):
                    raise answer
                if answer == _READY:
                    worker.started = time.monotonic()
                    continue
                value, failure = answer
                if failure is not None:  # it ends, since what it holds may lack parts
                    yield self._replaced(worker, failure)
                    continue
                done = Done(worker.task, value)
                worker.task = None
                yield done
            elif worker.process.sentinel in ready:
                yield self._replaced(worker, None)
            elif self._timeout is not None and time.monotonic() - worker.started > self._timeout:
                yield self._replaced(worker, f"it took longer than {self._timeout:g} seconds")

    def _patience(self, busy: Sequence[_Process]) -> float | None:
        if self._timeout is None:
            return None
        first = min(worker.started for worker in busy)
        return None if first == math.inf else max(0.0, first + self._timeout - time.monotonic()) + 0.01

    def _replaced(self, worker: _Process, why: str | None) -> Done:
        """The failed task of a worker, whose place another takes when there is work for it."""
        task = worker.task
        assert task is not None
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self._workers.remove(worker)
        return Done(task, failure=why or _cause(worker.process.exitcode))


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        name = signal.Signals(-exit_code).name if -exit_code in set(signal.Signals) else f"signal {-exit_code}"
        hint = ", as when memory runs out" if name == "SIGKILL" else ""
        return f"the worker process was ended by {name}{hint}"
    return f"the worker process ended with code {exit_code}"


def _main(pipe: Connection, setting: Setting, max_memory: int | None) -> None:
    """The life of a worker process: tasks in, outcomes out, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started us ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if max_memory is not None:
        _limit_memory(max_memory)
    worker = Worker(setting)
    answer: object = _READY
    while _sent(pipe, answer) and (task := _received(pipe)) is not None:
        answer = _answer(worker, task)
    os._exit(0)  # tearing down what was decoded would keep the run waiting


def _answer(worker: Worker, task: Task) -> object:
    """(value, why there is none), or what ends the run: that no file can be written any more."""
    try:
        return task.run(worker), None
    except OutputError as error:
        return error
    except MemoryError:
        return None, OUT_OF_MEMORY


def _received(pipe: Connection) -> Task | None:
    """None when there is nothing more to do."""
    try:
        task: Task = pipe.recv()
    except (EOFError, OSError):
        return None
    return task


def _sent(pipe: Connection, answer: object) -> bool:
    """False where who started us is gone."""
    try:
        pipe.send(answer)
    except OSError:
        return False
    return True


def _end_with_parent() -> None:
    """End this process as soon as who started it is gone, killed or not, in the middle of a task if need be."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process that is started in here never sees Ctrl-C, not even before it runs our first line. Windows has no such
    mask."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it starts with the first process, and lifts the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _limit_memory(size: int) -> None:
    """Hold what the process allocates to ``size`` bytes; files that are mapped do not count. Windows has no such
    limit."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))
