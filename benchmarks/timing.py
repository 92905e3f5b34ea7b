"""How benchmarks time a call; a module for the scripts beside it, no script itself."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def seconds(run: Callable[[], object], runs: int, clock: Callable[[], float] = perf_counter) -> float:
    """Of the fastest of ``runs``, by ``clock``: what other processes take is noise that only adds."""
    times = []
    for _ in range(runs):
        start = clock()
        run()
        times.append(clock() - start)
    return min(times)
