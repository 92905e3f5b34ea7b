"""Workers of a Dask cluster, which see the same files as this machine (extra ``dask``)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from importlib import metadata
from typing import Any

from ...errors import OutputError, UsageError
from ...optional import Unavailable
from ..records import Setting
from ..worker import Worker
from .tasks import OUT_OF_MEMORY, Done, Task

LOCAL = "local"
CONNECT_SECONDS = 30
RETRIES = 3  # of a task whose worker was lost
IN_FLIGHT = 4  # tasks a worker thread, so that the scheduler never holds the whole plan

_workers: dict[str, Worker] = {}
"""In a process of the cluster: its worker, by the name of the run."""


def find_distributed() -> str | Unavailable:
    """Name and version of Dask's package for clusters."""
    try:
        return f"distributed {metadata.version('distributed')}"
    except metadata.PackageNotFoundError:
        return Unavailable("Dask is not installed (pip install 'unity2gltf[dask]')")


class Dask:
    """``address`` of a scheduler, or ``local`` for a cluster of ``count`` processes on this machine."""

    def __init__(self, setting: Setting, address: str, count: int, run: str) -> None:
        found = find_distributed()
        if isinstance(found, Unavailable):
            raise UsageError(f"--dask: {found.reason}")
        from distributed import Client, LocalCluster

        self._cluster: Any = None
        if address == LOCAL:
            self._cluster = LocalCluster(
                n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
            )
        try:
            self._client: Any = Client(self._cluster or address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"--dask: no scheduler answers at {address}: {error}") from error
        self._run = run
        self._waiting: deque[Task] = deque()
        self._setting = self._client.scatter(setting, broadcast=True, hash=False)

    def submit(self, task: Task) -> None:
        self._waiting.append(task)

    def outcomes(self) -> Iterator[Done]:
        from distributed import as_completed

        running: dict[str, Task] = {}
        queue = as_completed(loop=self._client.loop)
        while self._waiting or running:
            room = max(1, sum(self._client.nthreads().values())) * IN_FLIGHT
            while self._waiting and len(running) < room:
                task = self._waiting.popleft()
                future = self._client.submit(_call, self._run, self._setting, task, retries=RETRIES, pure=False)
                running[future.key] = task
                queue.add(future)
            future = next(queue)
            task = running.pop(future.key)
            error = future.exception()
            if isinstance(error, OutputError):
                raise error
            yield Done(task, failure=_cause(error)) if error else Done(task, future.result())
            future.release()  # or it would be done again where the worker that has its result is lost

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def _cause(error: BaseException) -> str:
    return OUT_OF_MEMORY if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"


def _call(run: str, setting: Setting, task: Task) -> Any:
    """One task in a process of the cluster, whose worker lives as long as the run."""
    if run not in _workers:
        _workers.clear()
        _workers[run] = Worker(setting)
    try:
        return task.run(_workers[run])
    except MemoryError:
        _workers.clear()  # what it holds may lack parts
        raise
