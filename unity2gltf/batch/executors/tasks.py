"""Tasks, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from ..records import RootKey
from ..worker import Worker

OUT_OF_MEMORY = "memory ran out"


@dataclass(frozen=True, slots=True)
class Task:
    """A call of a :class:`worker.Worker`'s method: ``plan``, ``convert`` or ``draws``. ``root``: workers that have it
    open are asked first."""

    method: str
    argument: Any
    root: RootKey

    def run(self, worker: Worker) -> Any:
        return getattr(worker, self.method)(self.argument)


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of a task: its value, or why there is none."""

    task: Task
    value: Any = None
    failure: str | None = None


class Executor(Protocol):
    """Runs tasks; which comes first is its own matter, but for those of one root, which begin in their order."""

    def submit(self, task: Task) -> None:
        """Take a task. More may be given while outcomes are read."""
        ...

    def outcomes(self) -> Iterator[Done]:
        """Each task's outcome when it is there, until all tasks are done."""
        ...

    def close(self) -> None:
        """End the workers."""
        ...
