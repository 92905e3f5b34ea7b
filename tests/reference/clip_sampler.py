"""Clips played twice, one plain Python step a number: as Unity plays piecewise cubics, and as glTF plays samplers.

The Unity side follows the description of ``ir.Curve`` and ``ir.Channel`` and of Unity's conventions; the glTF side
the text of glTF 2.0 (3.11 and appendix C). Neither imports the package but for its records. Slow on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from unity2gltf.ir import BlendShape, Channel, Curve, Interpolation, Path, Track

Numbers = list[float]

# --- Unity --------------------------------------------------------------------------------------------------------


def curve_value(curve: Curve, time: float) -> float:
    """The value of one curve: before its first key the first value, else the cubic of the last key not after."""
    if time < curve.times[0]:
        return float(curve.coefficients[0][3])
    row = max(k for k, start in enumerate(curve.times) if start <= time)
    a, b, c, v = (float(number) for number in curve.coefficients[row])
    d = time - float(curve.times[row])
    return a * d**3 + b * d**2 + c * d + v


def channel_value(
    channel: Channel, time: float, shapes: Sequence[BlendShape] = (), defaults: Sequence[float] = ()
) -> Numbers:
    """What the channel says at ``time``: a quaternion for rotations of both kinds, target weights for WEIGHTS."""
    if channel.path is Path.WEIGHTS:
        targets: Numbers = []
        for index, (shape, curve) in enumerate(zip(shapes, channel.curves, strict=True)):
            weight = defaults[index] if curve is None else curve_value(curve, time) / 100.0
            targets += tent([frame.full_weight for frame in shape.frames], weight)
        return targets
    values = [curve_value(curve, time) for curve in channel.curves if curve is not None]
    if channel.path is Path.EULER:
        return euler_quaternion(values, channel.rotation_order)
    return unit(values) if channel.path is Path.ROTATION else values


def tent(full: Numbers, weight: float) -> Numbers:
    """Weights of the frames: a tent over each frame's own full weight; the outermost go on as rays from 0."""
    if len(full) == 1 or weight <= full[0]:
        return [weight / full[0] if k == 0 else 0.0 for k in range(len(full))]
    if weight > full[-1]:
        return [weight / full[-1] if k == len(full) - 1 else 0.0 for k in range(len(full))]
    result = [0.0] * len(full)
    for k, (low, high) in enumerate(pairwise(full)):
        if low < weight <= high:
            result[k], result[k + 1] = (high - weight) / (high - low), (weight - low) / (high - low)
    return result


def unit(quaternion: Numbers) -> Numbers:
    length = math.sqrt(sum(number * number for number in quaternion))
    return [number / length for number in quaternion] if length > 1e-6 else [0.0, 0.0, 0.0, 1.0]


def product(p: Numbers, q: Numbers) -> Numbers:
    """Hamilton's product, xyzw: q turns first."""
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return [
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
        pw * qw - px * qx - py * qy - pz * qz,
    ]


def euler_quaternion(degrees: Numbers, order: int) -> Numbers:
    """Unity's orders by number; the axis named first turns the object first."""
    names = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")[order]
    result = [0.0, 0.0, 0.0, 1.0]
    for name in names:
        axis = "XYZ".index(name)
        half = math.radians(degrees[axis]) / 2
        turn = [0.0, 0.0, 0.0, math.cos(half)]
        turn[axis] = math.sin(half)
        result = product(turn, result)
    return result


# --- glTF ---------------------------------------------------------------------------------------------------------


def track_value(track: Track, time: float) -> Numbers:
    """The sampler's output at ``time``: clamped at both ends, quaternions of unit length."""
    times = [float(t) for t in track.times]
    rows = [[float(number) for number in row] for row in track.values]
    value = _sample(track, times, rows, min(max(time, times[0]), times[-1]))
    return unit(value) if track.path is Path.ROTATION else value


def _sample(track: Track, times: Numbers, rows: list[Numbers], time: float) -> Numbers:
    k = max(index for index, start in enumerate(times) if start <= time)
    if k == len(times) - 1 or track.interpolation is Interpolation.STEP:
        return rows[k]
    length = times[k + 1] - times[k]
    t = (time - times[k]) / length
    if track.interpolation is Interpolation.LINEAR:
        if track.path is Path.ROTATION:
            return slerp(rows[k], rows[k + 1], t)
        return lerp(rows[k], rows[k + 1], t)
    assert track.in_tangents is not None
    assert track.out_tangents is not None
    b, a = track.out_tangents[k], track.in_tangents[k + 1]
    return [
        (2 * t**3 - 3 * t**2 + 1) * rows[k][w]
        + length * (t**3 - 2 * t**2 + t) * float(b[w])
        + (-2 * t**3 + 3 * t**2) * rows[k + 1][w]
        + length * (t**3 - t**2) * float(a[w])
        for w in range(len(rows[k]))
    ]


def drawn_without_tangents(track: Track, time: float) -> Numbers:
    """What a reader shows that draws straight lines (rotations: slerp of normalised keys) between the key values."""
    times = [float(t) for t in track.times]
    k = min(max(index for index, start in enumerate(times) if start <= time), len(times) - 2)
    t = (time - times[k]) / (times[k + 1] - times[k])
    one, other = ([float(number) for number in track.values[row]] for row in (k, k + 1))
    return slerp(unit(one), unit(other), t) if track.path is Path.ROTATION else lerp(one, other, t)


def lerp(one: Numbers, other: Numbers, t: float) -> Numbers:
    return [(1 - t) * p + t * q for p, q in zip(one, other, strict=True)]


def slerp(one: Numbers, other: Numbers, t: float) -> Numbers:
    """glTF 2.0, C.4: the shorter way round."""
    d = sum(p * q for p, q in zip(one, other, strict=True))
    angle = math.acos(min(abs(d), 1.0))
    if math.sin(angle) < 1e-7:
        return lerp(one, [math.copysign(1.0, d) * q for q in other], t)
    s = math.copysign(1.0, d)
    f, g = math.sin((1 - t) * angle) / math.sin(angle), s * math.sin(t * angle) / math.sin(angle)
    return [f * p + g * q for p, q in zip(one, other, strict=True)]


def angle_between(one: Numbers, other: Numbers) -> float:
    """Radians between two rotations."""
    apart = min(
        math.sqrt(sum((p - sign * q) ** 2 for p, q in zip(unit(one), unit(other), strict=True))) for sign in (1, -1)
    )
    return 4 * math.asin(min(apart / 2, 1.0))
