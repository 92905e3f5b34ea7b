"""Numbers that can be had at any time, followed by cubics: keys, slopes at both sides of each, and more keys where that
is not enough."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...ir import Curve
from ...math3d import Array
from ..clips.cubics import hermite, value_at
from ..clips.fit import angles

SLOPE_SECONDS = 1e-5
"""Over which slopes are taken, at most a hundredth of what lies between two keys."""

CHUNK = 1024
"""Segments posed at a time, which bounds the memory."""

START, AFTER, MIDDLE, BEFORE, END = range(5)
"""Where a segment is posed: at its ends, beside them, and half-way."""

NEAR_RADIANS, NEAR_METRES = float(np.radians(0.1)), 5e-4
"""How far cubics may be off half-way between keys: rotations, and positions per metre of the body's scale. Segments
further off are halved."""

ROUNDS = 4
"""How often, at most."""

Posed = Callable[[Array, Array], Mapping[str, Array]]
"""Numbers by name at times (N,), each of which counts as within the segment that ``within`` (N,) lies in: positions
(N, 3) and rotations (N, 4)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moved:
    """Numbers over time: W ``curves``, within ``error`` of what they stand for half-way between keys (radians for
    rotations, else metres), ``mean_error`` on average."""

    curves: tuple[Curve, ...]
    error: float
    mean_error: float


def follow(times: Array, posed: Posed, scale: float) -> dict[str, Moved]:
    """What is posed, by name, with keys at ``times`` (K,) at least. ``scale``: of the body, in metres."""
    made = _pieces(times, posed)
    for _ in range(ROUNDS):
        off = np.max([_excess(pieces, scale) for pieces in made.values()], axis=0, initial=0.0)
        if not (off > 1).any():
            break
        times = np.union1d(times, ((times[:-1] + times[1:]) / 2)[off > 1])
        made = _pieces(times, posed)
    return {name: _joined(pieces, times) for name, pieces in made.items()}


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """Cubics (4, K, W) of K segments, the numbers (W,) at their end, and how far (K,) they are off half-way."""

    coefficients: Array
    end: Array
    errors: Array

    @property
    def is_rotation(self) -> bool:
        return len(self.end) == 4


def _pieces(times: Array, posed: Posed) -> dict[str, list[_Piece]]:
    made: dict[str, list[_Piece]] = defaultdict(list)
    for begin in range(0, max(len(times) - 1, 1), CHUNK):
        span = _Span(times[begin : begin + CHUNK + 1])
        for name, numbers in posed(span.times, span.within).items():
            made[name].append(span.piece(numbers))
    return made


def _excess(pieces: list[_Piece], scale: float) -> Array:
    """(K,) how far each segment is off, in units of what is allowed."""
    allowed = NEAR_RADIANS if pieces[0].is_rotation else NEAR_METRES * scale
    return np.concatenate([piece.errors for piece in pieces]) / allowed


def _joined(pieces: list[_Piece], times: Array) -> Moved:
    """The pieces one after the other, and the last key."""
    last = np.zeros((4, 1, len(pieces[-1].end)))
    last[3, 0] = pieces[-1].end
    cubics = np.concatenate([*(piece.coefficients for piece in pieces), last], axis=1)
    errors = np.concatenate([piece.errors for piece in pieces])
    rows = np.ascontiguousarray(cubics.transpose(2, 1, 0))
    return Moved(
        curves=tuple(Curve(times=times, coefficients=own) for own in rows),
        error=float(errors.max(initial=0.0)),
        mean_error=float(errors.mean()) if len(errors) else 0.0,
    )


class _Span:
    """K segments between K + 1 keys (or a single key), each posed at five times: ``times`` (5 K,), of which each counts
    as ``within`` its segment, so that jumps at keys belong to the right side."""

    def __init__(self, keys: Array) -> None:
        starts, ends = (keys[:-1], keys[1:]) if len(keys) > 1 else (keys, keys)
        self.lengths = ends - starts
        self.steps = np.minimum(SLOPE_SECONDS, self.lengths / 100)
        middle = (starts + ends) / 2
        self.times = np.concatenate([starts, starts + self.steps, middle, ends - self.steps, ends])
        self.within = np.tile(middle, 5)

    def piece(self, numbers: Array) -> _Piece:
        """The cubics through ``numbers`` (5 K, W)."""
        posed = numbers.reshape(5, len(self.lengths), -1)
        is_rotation = posed.shape[-1] == 4
        if is_rotation:
            posed = posed * np.where(np.einsum("skw,kw->sk", posed, posed[START]) < 0, -1.0, 1.0)[..., None]
        if not self.lengths.any():
            return _Piece(np.zeros((4, 0, posed.shape[-1])), posed[END, -1], np.zeros(0))
        lengths, steps = self.lengths[:, None], self.steps[:, None]
        leaving, arriving = (posed[AFTER] - posed[START]) / steps, (posed[END] - posed[BEFORE]) / steps
        cubics = hermite(lengths, posed[START], posed[END], leaving, arriving)
        middle = value_at(cubics, lengths / 2)
        off = angles(middle, posed[MIDDLE]) if is_rotation else np.linalg.norm(middle - posed[MIDDLE], axis=-1)
        return _Piece(cubics, posed[END, -1], off)
