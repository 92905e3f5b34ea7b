"""One channel of Unity's beside one of the file's: the difference at each time, and how much of it is explained."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..evaluate.unity.curves import raw_values
from ..ir import BlendShape, Channel, Path
from .clip_times import Rounding
from .measure import EPS32

Array = NDArray[np.float64]

NO_DIRECTION = 1e-6
"""A quaternion that is no longer says nothing: rounding turns it any way."""

_MIRROR = {
    Path.TRANSLATION: np.array([-1.0, 1.0, 1.0]),
    Path.ROTATION: np.array([1.0, -1.0, -1.0, 1.0]),
    Path.EULER: np.array([1.0, -1.0, -1.0, 1.0]),
}


def mirrored_values(path: Path, values: Array) -> Array:
    """(T, W) of Unity's, reflected in x: places and turns change signs, the rest does not."""
    return values * _MIRROR[path] if path in _MIRROR else values


def differences(path: Path, wanted: Array, found: Array) -> Array:
    """(T,) metres, radians, or the largest difference of a component. Opposite quaternions are one rotation."""
    if path in (Path.ROTATION, Path.EULER):
        chords = np.minimum(_norm(wanted - found), _norm(wanted + found))
        angles: Array = 4.0 * np.arcsin(np.minimum(chords / 2.0, 1.0))
        return angles + np.abs(_norm(found) - 1.0)  # a file's rotation that is not of unit length is off, too
    if path is Path.TRANSLATION:
        return _norm(wanted - found)
    apart: Array = np.abs(wanted - found).max(axis=1, initial=0.0)
    return apart


def allowed(channel: Channel, rounding: Rounding, times: Array, shapes: Sequence[BlendShape]) -> Array:
    """(T,) what rounding to float32 explains of :func:`differences` at Unity's ``times``."""
    bounds = rounding.limits(times)
    if channel.path is Path.ROTATION:
        lengths = _norm(raw_values(channel, times))
        angles = 2.0 * _norm(bounds) / np.maximum(lengths, NO_DIRECTION) + 8 * EPS32
        return np.where(lengths <= NO_DIRECTION, np.pi, angles)
    if channel.path is Path.EULER:
        turns: Array = np.radians(bounds).sum(axis=1) + 16 * EPS32
        return turns
    if channel.path is Path.TRANSLATION:
        return _norm(bounds)
    if channel.path is Path.WEIGHTS:
        bounds = bounds * [_steepness(shape) for shape in shapes] + 4 * EPS32
    highest: Array = bounds.max(axis=1, initial=0.0)
    return highest


def target_weights(shapes: Sequence[BlendShape], weights: Array) -> Array:
    """(T, targets) of glTF's for (T, shapes): a shape of several frames is shared between the two about its weight,
    and beyond its first and last frame scales that frame."""
    columns = [_frame_shares(shape.full_weights, weights[:, place]) for place, shape in enumerate(shapes)]
    return np.concatenate([np.zeros((len(weights), 0)), *columns], axis=1)


def _frame_shares(full: list[float], weight: Array) -> Array:
    shares = np.zeros((len(weight), len(full)))
    if not full:
        return shares
    upper = np.searchsorted(full, weight, side="left")
    for place, outside in ((0, upper == 0), (len(full) - 1, upper == len(full))):
        if full[place]:
            shares[outside, place] = weight[outside] / full[place]
    for place in range(len(full) - 1):
        between = upper == place + 1
        share = (weight[between] - full[place]) / (full[place + 1] - full[place])
        shares[between, place], shares[between, place + 1] = 1.0 - share, share
    return shares


def _steepness(shape: BlendShape) -> float:
    """How fast a target's weight changes with the shape's, at most."""
    full = shape.full_weights
    steps = [abs(full[0]), abs(full[-1]), *np.abs(np.diff(full)).tolist()] if full else []
    return max((1.0 / step for step in steps if step), default=0.0)


def _norm(rows: Array) -> Array:
    lengths: Array = np.sqrt(np.square(rows).sum(axis=1))
    return lengths
