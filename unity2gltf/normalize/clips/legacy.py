"""Curves by keys (legacy clips, and the editor's form): values and slopes to exact cubic segments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...ir import Curve
from ...raw import RawKeys, RawPackedKeys
from .cubics import Array
from .infinity import extended
from .packedkeys import unpack_keys
from .segments import ascending, cut, hermite
from .weighted import bezier_pieces, is_plain

WEIGHTED_IN, WEIGHTED_OUT = 1, 2  # m_WeightedMode


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeyedCurve:
    """The components of one curve in the clip's own time: groups of (times (K,), coefficients (W, K, 4)) that share
    their times. ``error``: of weighted segments, 0 where all is exact."""

    groups: tuple[tuple[Array, Array], ...]
    modes: tuple[int, int]
    rotation_order: int
    error: float = 0.0
    exact: bool = True

    @property
    def span(self) -> tuple[float, float]:
        """Time of the first and of the last key."""
        times = self.groups[0][0]
        return float(times[0]), float(times[-1])


def keyed_curve(keys: RawKeys | RawPackedKeys, tally: Counter[str]) -> KeyedCurve | None:
    """Segments of one curve, None without a usable key. What is broken is counted in ``tally``; raises
    :class:`Fault` when packed keys do not fit their bytes."""
    if isinstance(keys, RawPackedKeys):
        tally["compressed"] += 1
        keys = unpack_keys(keys)
    keys = _usable(keys, tally)
    if not len(keys.times):
        return None
    modes = keys.pre_infinity, keys.post_infinity
    times, rows = _hermite_rows(keys)
    weighted = _weighted_segments(keys)
    if not weighted.any():
        group = ascending(times, rows)
        return KeyedCurve(groups=(group,), modes=modes, rotation_order=keys.rotation_order)
    parts = [_with_beziers(keys, rows[w], weighted[:, w], w) for w in range(len(rows))]
    return KeyedCurve(
        groups=tuple((part_times, part_rows[None]) for part_times, part_rows, _ in parts),
        modes=modes,
        rotation_order=keys.rotation_order,
        error=max(error for _, _, error in parts),
        exact=False,
    )


def finished_curves(keyed: KeyedCurve, start: float, stop: float, limit: int, tally: Counter[str]) -> tuple[Curve, ...]:
    """One curve a component: extended by its infinity modes (at most ``limit`` segments), cut to [start, stop]."""
    result = []
    for times, rows in keyed.groups:
        times, rows = cut(*extended(times, rows, keyed.modes, (start, stop), limit, tally), start, stop)
        result += [Curve(times=times, coefficients=row) for row in rows]
    return tuple(result)


def key_span(curves: Iterable[KeyedCurve]) -> tuple[float, float] | None:
    """First and last key of all curves, None without any."""
    spans = [curve.span for curve in curves]
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def _usable(keys: RawKeys, tally: Counter[str]) -> RawKeys:
    """Keys with finite times and values, in order of time; keys of one time stay as they are stored."""
    columns = (keys.values, keys.in_slopes, keys.out_slopes, keys.weighted, keys.in_weights, keys.out_weights)
    count = min(len(column) for column in (keys.times, *columns) if column is not None)
    tally["keys that are cut short"] += len(keys.times) - count
    times = keys.times[:count]
    finite = np.isfinite(times) & np.isfinite(keys.values[:count]).all(axis=1)
    tally["values that are not finite"] += int(np.count_nonzero(~finite))
    slopes = np.isnan(keys.in_slopes[:count]) | np.isnan(keys.out_slopes[:count])
    tally["slopes that are no number"] += int(np.count_nonzero(slopes.any(axis=1) & finite))
    falls = np.diff(times[finite]) < 0
    tally["times that fall"] += int(np.count_nonzero(falls))
    if finite.all() and not falls.any() and count == len(keys.times):
        return keys
    return _picked(keys, np.flatnonzero(finite)[np.argsort(times[finite], kind="stable")])


def _picked(keys: RawKeys, order: NDArray[np.int64]) -> RawKeys:
    return replace(
        keys,
        times=keys.times[order],
        values=keys.values[order],
        in_slopes=keys.in_slopes[order],
        out_slopes=keys.out_slopes[order],
        weighted=None if keys.weighted is None else keys.weighted[order],
        in_weights=None if keys.in_weights is None else keys.in_weights[order],
        out_weights=None if keys.out_weights is None else keys.out_weights[order],
    )


def _hermite_rows(keys: RawKeys) -> tuple[Array, Array]:
    """Times (K,) and rows (W, K, 4); the last one holds, a step where a slope is not finite. Segments of no length
    hold too: they are removed by the caller."""
    times, values = keys.times.astype(np.float64), keys.values.T.astype(np.float64)
    lengths = np.diff(times)
    with np.errstate(invalid="ignore"):
        rows = hermite(
            np.where(lengths > 0, lengths, 1.0),
            values[:, :-1],
            values[:, 1:],
            keys.out_slopes[:-1].T.astype(np.float64),
            keys.in_slopes[1:].T.astype(np.float64),
        )
    rows[~_moves(keys), :3] = 0.0
    last = np.zeros((len(values), 1, 4))
    last[:, 0, 3] = values[:, -1]
    return times, np.concatenate([rows, last], axis=1)


def _moves(keys: RawKeys) -> NDArray[np.bool_]:
    """(W, K - 1): both slopes of a segment are finite, and it has a length."""
    finite = np.isfinite(keys.out_slopes[:-1]) & np.isfinite(keys.in_slopes[1:])
    return (finite & (np.diff(keys.times) > 0)[:, None]).T


def _weighted_segments(keys: RawKeys) -> NDArray[np.bool_]:
    """(K - 1, W): segments that are no Hermite cubics."""
    if keys.weighted is None or keys.in_weights is None or keys.out_weights is None:
        return np.zeros((max(len(keys.times) - 1, 0), keys.values.shape[1]), bool)
    first, last = _weights(keys)
    return ~is_plain(first, last) & _moves(keys).T


def _weights(keys: RawKeys) -> tuple[Array, Array]:
    """(K - 1, W) each: weights at the start and at the end of every segment, a third where none is set."""
    if keys.weighted is None or keys.in_weights is None or keys.out_weights is None:
        raise ValueError("keys without weights")
    sides = (
        (keys.out_weights[:-1], keys.weighted[:-1] & WEIGHTED_OUT),
        (keys.in_weights[1:], keys.weighted[1:] & WEIGHTED_IN),
    )
    first, last = (
        np.where((flag > 0)[:, None] & np.isfinite(weight), weight, 1.0 / 3.0).astype(np.float64)
        for weight, flag in sides
    )
    return first, last


def _with_beziers(keys: RawKeys, rows: Array, weighted: NDArray[np.bool_], w: int) -> tuple[Array, Array, float]:
    """Component ``w`` with its weighted segments replaced by pieces: times (n,), rows (n, 4), largest error."""
    first, last = _weights(keys)
    times = keys.times.astype(np.float64)
    bent = np.flatnonzero(weighted)
    values, outs, ins = (column[:, w].astype(np.float64) for column in (keys.values, keys.out_slopes, keys.in_slopes))
    pieces = bezier_pieces(
        np.diff(times)[bent],
        (values[bent], values[bent + 1]),
        (outs[bent], ins[bent + 1]),
        (first[bent, w], last[bent, w]),
    )
    kept = np.append(~weighted, True)
    joined_times = np.concatenate([times[kept], times[bent[pieces.segments]] + pieces.offsets])
    order = np.argsort(joined_times, kind="stable")
    joined = np.concatenate([rows[kept], pieces.rows])
    return *ascending(joined_times[order], joined[order]), float(pieces.errors.max(initial=0.0))
