"""Clips decoded once more, from the description of the formats alone: one plain Python step a number.

Nothing here imports the package. A curve is a list of (time, a, b, c, v): ((a d + b) d + c) d + v from ``time`` on.
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Sequence

Row = tuple[float, float, float, float, float]
FLT_MAX = struct.unpack("<f", struct.pack("<I", 0x7F7FFFFF))[0]


def as_float(word: int) -> float:
    """The float32 of 32 bits."""
    value: float = struct.unpack("<f", struct.pack("<I", word))[0]
    return value


def polynomial(row: Row, time: float) -> float:
    start, a, b, c, v = row
    d = time - start
    return ((a * d + b) * d + c) * d + v


def value_of(rows: Sequence[Row], time: float) -> float:
    """A curve's value: its first before the first time, the last row from there on."""
    current = rows[0]
    if time < current[0]:
        return current[4]
    for row in rows:
        if row[0] <= time:
            current = row
    return polynomial(current, time)


# --- compiled -----------------------------------------------------------------------------------------------------


def streamed(words: Sequence[int], count: int) -> dict[int, list[Row]]:
    """A whole and sound stream: of each curve the records by time, without a start value that a key at 0 replaces."""
    frames: dict[int, dict[float, list[Row]]] = {}
    at = 0
    while at < len(words):
        time, number = as_float(words[at]), words[at + 1]
        at += 2
        for _ in range(number):
            curve, (a, b, c, v) = words[at], map(as_float, words[at + 1 : at + 5])
            at += 5
            if not all(map(math.isfinite, (a, b, c))) or time == -FLT_MAX:
                a = b = c = 0.0
            if curve < count:
                frames.setdefault(curve, {}).setdefault(time, []).append((time, a, b, c, v))
    return {curve: chosen(list(by_time.values())) for curve, by_time in frames.items()}


def chosen(groups: list[list[Row]]) -> list[Row]:
    """Of the records of one frame the one that ends on a key of the next frame, of equal ones the last."""
    result = []
    for group, after in zip(groups, [*groups[1:], None], strict=True):
        best, least = group[-1], math.inf
        for row in reversed(group):
            if after is None:
                miss = abs(row[1]) + abs(row[2]) + abs(row[3])
            else:
                miss = min(abs(polynomial(row, after[0][0]) - key[4]) for key in after)
            if miss < least:
                best, least = row, miss
        result.append(best)
    return result


def dense_value(samples: Sequence[Sequence[float]], column: int, rate: float, begin: float, time: float) -> float:
    """Linear between samples, clamped at both ends."""
    place = (time - begin) * rate
    if place <= 0:
        return samples[0][column]
    if place >= len(samples) - 1:
        return samples[-1][column]
    left = int(place)
    return samples[left][column] + (samples[left + 1][column] - samples[left][column]) * (place - left)


def binding_numbers(bindings: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Curve numbers of each (typeID, attribute)."""
    result: list[list[int]] = []
    number = 0
    for type_id, attribute in bindings:
        width = {1: 3, 2: 4, 3: 3, 4: 3}.get(attribute, 1) if type_id == 4 else 1
        result.append([number + k for k in range(width)])
        number += width
    return result


# --- keys ---------------------------------------------------------------------------------------------------------

Key = tuple[float, float, float, float]  # time, value, in slope, out slope


def key_value(keys: Sequence[Key], modes: tuple[int, int], time: float) -> float:
    """A curve by keys, sorted by time; modes 0 pingpong, 1 loop, 2 clamp."""
    first, last = keys[0][0], keys[-1][0]
    mode = modes[0] if time < first else modes[1] if time > last else 2
    if mode in (0, 1) and last > first:
        turns = math.floor((time - first) / (last - first))
        time -= turns * (last - first)
        if mode == 0 and turns % 2:
            time = first + last - time
    if time < first:
        return keys[0][1]
    if time >= last:
        return keys[-1][1]
    for left, right in itertools.pairwise(keys):
        if left[0] <= time < right[0]:
            return hermite(left, right, time)
    raise AssertionError(time)


def hermite(left: Key, right: Key, time: float) -> float:
    """The textbook basis; a step when a slope is not finite."""
    if not (math.isfinite(left[3]) and math.isfinite(right[2])):
        return left[1]
    length = right[0] - left[0]
    s = (time - left[0]) / length
    return (
        (2 * s**3 - 3 * s**2 + 1) * left[1]
        + (s**3 - 2 * s**2 + s) * length * left[3]
        + (-2 * s**3 + 3 * s**2) * right[1]
        + (s**3 - s**2) * length * right[2]
    )


def weighted(left: Key, right: Key, weights: tuple[float, float], time: float) -> float:
    """A Bezier segment: s is found by halving."""
    length = right[0] - left[0]
    x = [0.0, weights[0] * length, (1 - weights[1]) * length, length]
    y = [left[1], left[1] + left[3] * x[1], right[1] - right[2] * weights[1] * length, right[1]]

    def bezier(points: list[float], s: float) -> float:
        while len(points) > 1:
            points = [p + (q - p) * s for p, q in itertools.pairwise(points)]
        return points[0]

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if bezier(x, middle) < time - left[0] else (low, middle)
    return bezier(y, (low + high) / 2)


def quaternion(word: int) -> tuple[float, ...]:
    """32 bits, lowest first: dropped component (2), its sign, then the others: 9 bits after the dropped, else 10."""
    dropped, negative = word & 3, word >> 2 & 1
    place, parts = 3, [0.0] * 4
    for component in range(4):
        if component == dropped:
            continue
        bits = 9 if component == (dropped + 1) % 4 else 10
        parts[component] = (word >> place & (1 << bits) - 1) / (0.5 * ((1 << bits) - 1)) - 1
        place += bits
    rest = math.sqrt(max(0.0, 1 - sum(part * part for part in parts)))
    parts[dropped] = -rest if negative else rest
    return tuple(parts)
