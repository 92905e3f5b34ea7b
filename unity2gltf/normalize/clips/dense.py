"""m_DenseClip: samples at a fixed rate, straight lines between them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...ir import Curve
from .cubics import Array
from .segments import ascending, cut


def dense_curves(
    samples: NDArray[np.float32],
    rate: float,
    begin: float,
    start: float,
    stop: float,
    tally: Counter[str],
    wanted: Callable[[int], bool] = lambda number: True,
) -> dict[int, Curve]:
    """Curves by column of ``samples`` (frames, curves), cut to [start, stop]. Sample f is at ``begin`` + f / ``rate``
    seconds; the first and last hold before and after. What is broken is counted in ``tally``."""
    numbers = [number for number in range(samples.shape[1]) if wanted(number)] if len(samples) else []
    if not numbers:
        return {}
    values = np.ascontiguousarray(samples.T[numbers], np.float64)
    good = np.isfinite(values)
    if not good.all():
        tally["values that are not finite"] += int(np.count_nonzero(~good))
        values = _held(values, good)
        some = np.flatnonzero(good.any(axis=1))
        numbers, values = [numbers[row] for row in some.tolist()], values[some]
    if not (math.isfinite(begin) and math.isfinite(rate) and rate > 0):
        tally["dense rates that are none"] += 1
        values, rate, begin = values[:, :1], 1.0, start
    times, rows = cut(*_lines(values, rate, begin), start, stop)
    return {number: Curve(times=times, coefficients=row) for number, row in zip(numbers, rows, strict=True)}


def _held(values: Array, good: NDArray[np.bool_]) -> Array:
    """A sample that is not finite takes the one before it, or the first finite one."""
    last = np.maximum.accumulate(np.where(good, np.arange(values.shape[1]), -1), axis=1)
    source = np.where(last >= 0, last, good.argmax(axis=1)[:, None])
    return np.take_along_axis(values, source, axis=1)


def _lines(values: Array, rate: float, begin: float) -> tuple[Array, Array]:
    """Times (F,) and the lines (C, F, 4) from sample to sample; the last one holds."""
    times = begin + np.arange(values.shape[1]) / rate
    rows = np.zeros((*values.shape, 4))
    rows[..., 3] = values
    with np.errstate(divide="ignore", invalid="ignore"):
        rows[:, :-1, 2] = np.diff(values, axis=1) / np.diff(times)
    return ascending(times, rows)
