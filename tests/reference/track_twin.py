"""Curves to glTF samplers once more, one plain Python step a number: what :func:`track` does for smooth curves.

Nothing here imports the package. Rows of a curve are (time, a, b, c, v) as in ``clip_twin``. Left out is what smooth
curves of sound clips never need: jumps, straight and still segments, quaternions far from unit length, and limits.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from itertools import pairwise

from .clip_twin import Row

Cubic = tuple[float, float, float, float]
Vector = list[float]
Sampler = tuple[list[float], list[Vector], list[Vector], list[Vector]]
"""Times, values, in and out tangents."""

MOST_PIECES = 256


def single(number: float) -> float:
    """The nearest float32."""
    value: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return value


def track(curves: Sequence[Sequence[Row]], duration: float, kind: str, tolerance: float) -> Sampler:
    """Cubic keys of the curves together. ``kind`` is position, rotation or another; straight lines from key to key
    are to be within ``tolerance`` (radians for rotations, else the curves' unit; 0 = the curves' own keys)."""
    times = united(curves, single(duration))
    columns = [expanded(rows, times) for rows in curves]
    segments = [list(row) for row in zip(*columns, strict=True)]
    if kind == "rotation":
        segments = one_half_space(segments, times)
    if tolerance > 0:
        times, segments = divided(segments, times, kind, tolerance)
    return sampler(segments, times)


def united(curves: Sequence[Sequence[Row]], end: float) -> list[float]:
    inner = {single(row[0]) for rows in curves for row in rows}
    return [0.0, *sorted(time for time in inner if 0.0 < time < end), end]


def expanded(rows: Sequence[Row], times: Sequence[float]) -> list[Cubic]:
    """The cubic of a curve about each time."""
    result, at, starts = [], 0, [single(row[0]) for row in rows]
    for time in times:
        while at + 1 < len(rows) and starts[at + 1] <= time:
            at += 1
        start, a, b, c, v = rows[at]
        result.append(moved((a, b, c, v), time - start))
    a, b, c, v = result[-1]
    result[-1] = (0.0, 0.0, 0.0, v)
    return result


def moved(cubic: Cubic, d: float) -> Cubic:
    a, b, c, v = cubic
    return a, b + 3 * a * d, (3 * a * d + 2 * b) * d + c, ((a * d + b) * d + c) * d + v


def one_half_space(segments: list[list[Cubic]], times: Sequence[float]) -> list[list[Cubic]]:
    """Each segment with the sign that the one before it ended on."""
    sign, result = 1.0, [segments[0]]
    for (before, after), (left, right) in zip(pairwise(segments), pairwise(times), strict=True):
        ended = [moved(cubic, right - left)[3] for cubic in before]
        if sum(p * q[3] for p, q in zip(ended, after, strict=True)) < 0:
            sign = -sign
        result.append([(sign * a, sign * b, sign * c, sign * v) for a, b, c, v in after])
    return result


def divided(
    segments: list[list[Cubic]], times: Sequence[float], kind: str, tolerance: float
) -> tuple[list[float], list[list[Cubic]]]:
    """Keys between the keys, as many as the tolerance asks for."""
    new_times, result = [], []
    for segment, (left, right) in zip(segments, pairwise(times), strict=False):
        length = right - left
        wanted = (
            turning(segment, length, tolerance) if kind == "rotation" else bending(segment, length, kind, tolerance)
        )
        pieces = math.ceil(min(max(wanted, 1.0), MOST_PIECES))
        for piece in range(pieces):
            time = single(left + piece / pieces * length)
            new_times.append(time)
            result.append([moved(cubic, time - left) for cubic in segment])
    return [*new_times, times[-1]], [*result, segments[-1]]


def bending(segment: list[Cubic], length: float, kind: str, tolerance: float) -> float:
    """A line is off by length^2 / 8 times the largest second derivative, which lies at an end."""
    most = 0.0
    for d in (0.0, length):
        second = [2 * b + 6 * a * d for a, b, _, _ in segment]
        size = math.sqrt(sum(x * x for x in second)) if kind == "position" else max(map(abs, second))
        most = max(most, size)
    return length * math.sqrt(most / (8 * tolerance))


def turning(segment: list[Cubic], length: float, tolerance: float) -> float:
    """The same on the sphere of quaternions, and what lerp adds to slerp, from five points."""
    speed = acceleration = 0.0
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        here = [moved(cubic, share * length) for cubic in segment]
        size = math.sqrt(sum(cubic[3] * cubic[3] for cubic in here))
        unit = [cubic[3] / size for cubic in here]
        radial = sum(u * cubic[2] for u, cubic in zip(unit, here, strict=True))
        across = [(cubic[2] - u * radial) / size for u, cubic in zip(unit, here, strict=True)]
        inward = sum(u * 2 * cubic[1] for u, cubic in zip(unit, here, strict=True))
        bend = [(2 * cubic[1] - u * inward) / size for u, cubic in zip(unit, here, strict=True)]
        pull = [p - 2 * radial / size * q for p, q in zip(bend, across, strict=True)]
        speed = max(speed, math.sqrt(sum(x * x for x in across)))
        acceleration = max(acceleration, math.sqrt(sum(x * x for x in pull)))
    even = length * math.sqrt(2 * acceleration / (8 * 0.9 * tolerance))
    return max(even, 2 * speed * length / (0.1 * tolerance / 0.004) ** (1 / 3))


def sampler(segments: list[list[Cubic]], times: list[float]) -> Sampler:
    values = [[single(cubic[3]) for cubic in segment] for segment in segments]
    leaving = [[single(cubic[2]) for cubic in segment] for segment in segments]
    arriving = [[0.0] * len(segments[0])]
    for segment, (left, right) in zip(segments, pairwise(times), strict=False):
        arriving.append([single(moved(cubic, right - left)[2]) for cubic in segment])
    return times, values, arriving, leaving
