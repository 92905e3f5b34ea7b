"""What a curve does before its first and after its last key: hold, loop, or go to and fro."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from .cubics import Array
from .segments import ascending, mirrored

PINGPONG, LOOP, CLAMP = 0, 1, 2  # m_PreInfinity, m_PostInfinity


def extended(
    times: Array,
    coefficients: Array,
    modes: tuple[int, int],
    span: tuple[float, float],
    limit: int,
    tally: Counter[str],
) -> tuple[Array, Array]:
    """The curve with its segments repeated or mirrored, exactly, until it covers ``span``.

    ``times`` (K,), ``coefficients`` (W, K, 4) with a last row that holds; ``modes`` before and after. At most ``limit``
    segments are made: what lies further out holds, and is counted in ``tally``.
    """
    tally["infinity modes that are none"] += sum(mode not in (PINGPONG, LOOP, CLAMP) for mode in modes)
    period = float(times[-1] - times[0])
    if period <= 0 or not {PINGPONG, LOOP}.intersection(modes):
        return times, coefficients
    gaps = (times[0] - span[0], span[1] - times[-1])
    wanted = [_turns(gap / period, mode) for gap, mode in zip(gaps, modes, strict=True)]
    most = max(0, limit // (len(times) - 1))
    before, after = (min(count, most // 2) for count in wanted)
    if [before, after] != wanted:
        tally["infinity modes cut short"] += 1
    if not before and not after:
        return times, coefficients
    turns = np.arange(-before, after + 1, dtype=np.int64)
    to_and_fro = np.where(turns < 0, modes[0], modes[1]) == PINGPONG
    return _tiled(times, coefficients, turns, to_and_fro & (turns % 2 == 1), period)


def _turns(periods: float, mode: int) -> int:
    """Whole repetitions that cover a gap of so many periods; a huge number instead of infinity."""
    if mode not in (PINGPONG, LOOP) or periods <= 0:
        return 0
    return math.ceil(min(periods, 1e15))


def _tiled(
    times: Array, coefficients: Array, turns: NDArray[np.int64], backwards: NDArray[np.bool_], period: float
) -> tuple[Array, Array]:
    """The segments once a turn, those of ``backwards`` turns mirrored, and a last row that holds the end's value."""
    starts, lengths, forward = times[:-1], np.diff(times), coefficients[:, :-1]
    back_starts = (times[0] + times[-1] - times[1:])[::-1]
    back = mirrored(forward, lengths)[:, ::-1]
    offsets = turns * period
    laid = np.where(backwards[:, None], back_starts, starts) + offsets[:, None]
    rows = np.where(backwards[None, :, None, None], back[:, None], forward[:, None])
    end = coefficients[:, :1] if backwards[-1] else coefficients[:, -1:]
    end = end * (0.0, 0.0, 0.0, 1.0)
    width = len(coefficients)
    all_times = np.append(laid.ravel(), times[-1] + offsets[-1])
    return ascending(all_times, np.concatenate([rows.reshape(width, -1, 4), end], axis=1))
