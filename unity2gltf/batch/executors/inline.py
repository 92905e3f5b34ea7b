"""This process does the work, one task after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ..records import RootKey, Setting
from ..worker import Worker
from .tasks import OUT_OF_MEMORY, Done, Task


class Inline:
    """No process is started, and nothing is pickled. A root is finished before the next is begun."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._worker = Worker(setting)
        self._waiting: dict[RootKey, deque[Task]] = {}

    def submit(self, task: Task) -> None:
        self._waiting.setdefault(task.root, deque()).append(task)

    def outcomes(self) -> Iterator[Done]:
        while self._waiting:
            root, tasks = next(iter(self._waiting.items()))
            if tasks:
                task = tasks.popleft()
                yield self._done(task)
            else:
                del self._waiting[root]

    def _done(self, task: Task) -> Done:
        try:
            return Done(task, task.run(self._worker))
        except MemoryError:
            self._worker = Worker(self._setting)  # what it holds may lack parts
            return Done(task, failure=OUT_OF_MEMORY)

    def close(self) -> None:
        """Nothing to end."""
