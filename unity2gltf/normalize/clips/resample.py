"""LINEAR keys at a fixed rate, for engines without cubic splines, and how far they are from the curve."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import codes
from ...diagnostics import Fault
from ...ir import Interpolation
from .cubics import Array
from .fit import angles
from .keys import Keys
from .piecewise import Ints, Spline, ends, evaluate, single

MOST_KEYS = 1 << 20

PROBES = (0.25, 0.5, 0.75)
"""Where between two neighbours among all keys, the curve's own and the new ones, the error is measured."""

MARGIN = 1.125
"""The error may peak between two probes: by a sixteenth of a parabola's height, which the stated error makes up for."""


def resample(spline: Spline, rate: float, jointly: bool) -> tuple[Keys, float]:
    """Keys at ``rate`` a second and at the end, with the largest error at the probes: of the components together
    (a distance) if ``jointly``, else of each."""
    times = _grid(float(spline.times[-1]), rate)
    values = evaluate(spline, times).astype(np.float32).astype(np.float64)
    at, truth = _probes(spline, times)
    row, share = _place(times, at)
    off = values[row] + share * (values[row + 1] - values[row]) - truth
    sizes = np.linalg.norm(off, axis=1) if jointly else np.abs(off).max(axis=1, initial=0.0)
    return _linear(times, values), MARGIN * float(sizes.max(initial=0.0))


def resample_rotation(spline: Spline, rate: float, orient: Callable[[Array], Array]) -> tuple[Keys, float]:
    """The same for rotations, which ``orient`` makes unit quaternions (N, 4) of the spline's numbers; readers slerp.
    The error is in radians."""
    times = _grid(float(spline.times[-1]), rate)
    keys = orient(evaluate(spline, times))
    turned = np.einsum("nw,nw->n", keys[:-1], keys[1:]) < 0
    keys *= np.cumprod(np.concatenate([[1.0], np.where(turned, -1.0, 1.0)]))[:, None]
    keys = keys.astype(np.float32).astype(np.float64)
    at, truth = _probes(spline, times)
    row, share = _place(times, at)
    off = angles(_slerp(keys[row], keys[row + 1], share), orient(truth))
    return _linear(times, keys), MARGIN * float(off.max(initial=0.0))


def _grid(end: float, rate: float) -> Array:
    if end * rate > MOST_KEYS:
        raise Fault(codes.CLIP_INVALID, f"{end:g} s have too many keys at {rate:g} a second", seconds=end, rate=rate)
    times = single(np.arange(int(end * rate) + 1) / rate)
    return np.append(times[(times < end - 1e-3 / rate) | ((times == 0) & (end > 0))], end)


def _probes(spline: Spline, times: Array) -> tuple[Array, Array]:
    """Times and the spline's numbers there: between the keys, and on both sides of the spline's own keys."""
    pieces = np.union1d(times, spline.times)
    between = np.concatenate([pieces[:-1] + share * np.diff(pieces) for share in PROBES])
    at = np.concatenate([between, spline.times, spline.times[1:]])
    return at, np.concatenate([evaluate(spline, between), spline.coefficients[3], ends(spline)[0]])


def _place(times: Array, at: Array) -> tuple[Ints, Array]:
    """The key before each time, and how far (N, 1) it is to the next."""
    row = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    return row, ((at - times[row]) / (times[row + 1] - times[row]))[:, None]


def _slerp(one: Array, other: Array, share: Array) -> Array:
    half = np.minimum(np.linalg.norm(one - other, axis=1, keepdims=True) / 2, 1.0)
    angle = np.maximum(2 * np.arcsin(half), 1e-9)
    blended: Array = np.sin((1 - share) * angle) * one + np.sin(share * angle) * other
    blended /= np.sin(angle)
    return blended


def _linear(times: Array, values: Array) -> Keys:
    return Keys(interpolation=Interpolation.LINEAR, times=times.astype(np.float32), values=values.astype(np.float32))
