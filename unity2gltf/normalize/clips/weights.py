"""Blend-shape weights (Unity's 0..100) to the weights of morph targets, one a frame.

Between two neighbouring full weights, and outside them, the targets' weights are linear in the shape's
(``math3d.frame_weights``). So a cubic stays one when it is split where the shape crosses a full weight, or a bound at
which the game clamps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Fault
from ...ir import F32, BlendShape
from ...math3d import frame_weights, weight_range
from .cubics import Array, value_at
from .keys import Keys
from .piecewise import Spline, rekey, single

MOST_CELLS = 1 << 24
"""Keys times targets of one track."""

HALVINGS = 60


def to_targets(spline: Spline, shapes: Sequence[BlendShape], clamp: bool) -> Spline:
    """The weights of all frames of ``shapes``, which the spline's components move, in order. Fault: too many."""
    fractions = Spline(times=spline.times, coefficients=spline.coefficients / 100.0)
    bounds = [_bounds(shape.full_weights, clamp) for shape in shapes]
    crossings = [_crossings(fractions, component, level) for component, levels in enumerate(bounds) for level in levels]
    starts = np.unique(np.concatenate([spline.times, *(single(times) for times in crossings)]))
    targets = sum(len(shape.frames) for shape in shapes)
    if len(starts) * targets > MOST_CELLS:
        raise Fault(codes.CLIP_INVALID, "blend shapes have too many keys", keys=len(starts), targets=targets)
    split = rekey(fractions, starts, np.searchsorted(spline.times, starts, side="right") - 1)
    columns = [
        _targets(split, component, shape.full_weights, bounds[component], clamp)
        for component, shape in enumerate(shapes)
    ]
    return Spline(times=starts, coefficients=np.concatenate(columns, axis=-1))


def fill_targets(
    keys: Keys, shapes: Sequence[BlendShape], driven: NDArray[np.bool_], defaults: Sequence[float]
) -> Keys:
    """Keys of the driven shapes' targets, to those of all: the other shapes stand at their default weights."""
    counts = [len(shape.frames) for shape in shapes]
    moving = np.repeat(driven, counts)
    given = [defaults[index] if index < len(defaults) else 0.0 for index in range(len(shapes))]
    still = [frame_weights(shape.full_weights, weight) for shape, weight in zip(shapes, given, strict=True)]
    rest = np.concatenate(still).astype(np.float32)
    if len(keys.times) * len(rest) > MOST_CELLS:
        raise Fault(codes.CLIP_INVALID, "blend shapes have too many keys", keys=len(keys.times), targets=len(rest))

    def widen(columns: F32 | None, others: F32) -> F32 | None:
        if columns is None:
            return None
        wide = np.tile(others, (len(columns), 1))
        wide[:, moving] = columns
        return wide

    values = widen(keys.values, rest)
    assert values is not None
    zeros = np.zeros_like(rest)
    return replace(
        keys,
        values=values,
        in_tangents=widen(keys.in_tangents, zeros),
        out_tangents=widen(keys.out_tangents, zeros),
    )


def _bounds(full: list[float], clamp: bool) -> list[float]:
    """Ascending weights between which the targets are linear in the shape's weight."""
    bounds = set(full) if len(full) > 1 else set()
    if clamp:
        bounds |= set(weight_range(full))
    return sorted(bounds)


def _targets(spline: Spline, component: int, full: list[float], bounds: list[float], clamp: bool) -> Array:
    """(4, K, frames): each segment lies between two bounds; its middle tells which."""
    coefficients = spline.coefficients[:, :, component]
    zone = np.searchsorted(bounds, value_at(coefficients, np.append(spline.lengths / 2, 0.0)))
    inside = [bounds[0] - 1.0, *((np.array(bounds[1:]) + bounds[:-1]) / 2), bounds[-1] + 1.0] if bounds else [0.0]
    lines = [_line(full, float(weight), clamp) for weight in inside]
    factors, offsets = np.stack([line[0] for line in lines]), np.stack([line[1] for line in lines])
    targets: Array = coefficients[:, :, None] * factors[zone]
    targets[3] += offsets[zone]
    return targets


def _line(full: list[float], weight: float, clamp: bool) -> tuple[Array, Array]:
    """Factors and offsets, (frames,), by which the targets follow the shape's weight around ``weight``."""
    factors, offsets = np.zeros(len(full)), np.zeros(len(full))
    low, high = weight_range(full)
    nearest = min(max(weight, low), high)
    if clamp and nearest != weight:
        return factors, frame_weights(full, nearest)
    upper = int(np.searchsorted(full, weight))
    if 0 < upper < len(full):
        span = full[upper] - full[upper - 1]
        factors[upper - 1], factors[upper] = -1.0 / span, 1.0 / span
        offsets[upper - 1], offsets[upper] = full[upper] / span, -full[upper - 1] / span
    elif full:
        index = min(upper, len(full) - 1)
        factors[index] = 1.0 / full[index] if full[index] else 0.0
    return factors, offsets


def _crossings(spline: Spline, component: int, level: float) -> Array:
    """Times at which a component passes ``level``, by halving the stretches on which it rises or falls."""
    coefficients = spline.coefficients[:, :-1, component].copy()
    coefficients[3] -= level
    _, b, c, v = coefficients
    length = spline.lengths
    third = c * length / 3
    hull = np.stack([v, v + third, v + 2 * third + b * length**2 / 3, value_at(coefficients, length)])
    rows = np.flatnonzero((hull.min(axis=0) < 0) & (hull.max(axis=0) > 0))
    times = []
    for low, high in _stretches(coefficients[:, rows], length[rows]):
        after = _halve(coefficients[:, rows], low, high)
        inside = (after > 1e-9 * length[rows]) & (after < (1 - 1e-9) * length[rows])  # at its ends there are keys
        times.append((after + spline.times[rows])[inside])
    return np.concatenate(times)


def _stretches(coefficients: Array, length: Array) -> list[tuple[Array, Array]]:
    """The (up to) three monotone stretches of each cubic on 0..length; those it has not are empty."""
    a, b, c, _ = coefficients
    with np.errstate(divide="ignore", invalid="ignore"):
        root = -(b + np.copysign(np.sqrt(np.maximum(b * b - 3 * a * c, 0.0)), b))
        turns = np.stack([root / (3 * a), c / root])
    turns = np.sort(np.clip(np.nan_to_num(turns, nan=0.0), 0.0, length), axis=0)
    knots = [np.zeros_like(length), turns[0], turns[1], length]
    return list(pairwise(knots))


def _halve(coefficients: Array, low: Array, high: Array) -> Array:
    """Where the cubics are 0 between ``low`` and ``high``; NaN where their signs there do not differ."""
    sign = np.sign(value_at(coefficients, low))
    none = (sign * np.sign(value_at(coefficients, high)) > 0) | (low >= high)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        before = np.sign(value_at(coefficients, middle)) == sign
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    return np.where(none, np.nan, (low + high) / 2)
