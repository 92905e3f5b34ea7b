"""What moves in the sample: the figure waves and idles, the pedestal spins with its ornament."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..math3d import multiply_quaternions
from .clips import (
    Segment,
    compiled_clip,
    curve,
    dense_fields,
    event,
    key,
    keyed,
    legacy_clip,
    shape_binding,
    shape_curve,
    transform_binding,
)
from .skeleton import Skeleton

Array = NDArray[np.float64]

STEP = float("inf")
BODY, SHAPE = "Body", "Breathe"
HALF_SECONDS = (0.0, 0.5, 1.0, 1.5, 2.0)
UPPER_ARM, LOWER_ARM = (0.0, 100.0, 100.0, 100.0, 0.0), (0.0, 50.0, -20.0, 50.0, 0.0)
"""Degrees about the figure's forward axis at each half second: the arm is lifted, the fore-arm swings."""

HIPS_TIMES = (0.0, 0.5, 1.0, 2.0)
HIPS = (((0.0, 0.0625, -0.03125, 0.0), (0.0, 0.0, -0.0625, 0.0)), ((0.0, -0.0625, 0.0, 0.0), (0.0, 0.0, 0.125, 0.0)))
JUMP = ((0.0, 0.125, -0.125, 0.0), (0.25, STEP, 0.0, 0.25))
"""Offsets in metres and slopes of the hips along x and y, and along z, where they wait half a second and then jump."""

DENSE_RATE = 30.0


def wave_clip(skeleton: Skeleton) -> dict[str, Any]:
    """Two seconds: the right arm and the hips streamed (with a jump), the chest breathing through its middle frame,
    the head's rotation dense, the left arm and the neck's scale constant; two events."""
    arms = ("RightUpperArm", "RightLowerArm")
    path = dict(zip(skeleton.names, skeleton.paths, strict=True))
    streamed = [
        *_rotation(0, HALF_SECONDS, turned(skeleton, arms[0], np.array(UPPER_ARM))),
        *_rotation(4, HALF_SECONDS, turned(skeleton, arms[1], np.array(LOWER_ARM))),
        *_hips(8, skeleton),
        *keyed(11, (0.0, 1.0, 2.0), (0.0, 100.0, 0.0), (100.0, 0.0, -100.0)),
    ]
    nod = 20.0 * np.sin(np.arange(2 * DENSE_RATE + 1) / DENSE_RATE * np.pi)
    return compiled_clip(
        "Wave",
        [
            *(transform_binding(path[arm], "rotation") for arm in arms),
            transform_binding(path["Hips"], "position"),
            shape_binding(BODY, SHAPE),
            transform_binding(path["Head"], "rotation"),
            transform_binding(path["LeftUpperArm"], "rotation"),
            transform_binding(path["Neck"], "scale"),
        ],
        streamed=streamed,
        dense=dense_fields(turned(skeleton, "Head", nod), DENSE_RATE),
        constants=[*turned(skeleton, "LeftUpperArm", np.array([20.0]))[0].tolist(), 1.0, 1.0, 1.0],
        stop=2.0,
        loop=True,
        events=[event(0.5, "OnWave", "hello", 0.25, 3), event(2.0, "OnDone")],
    )


def idle_clip(skeleton: Skeleton) -> dict[str, Any]:
    """One second: the hips sink and the spine sways."""
    path = dict(zip(skeleton.names, skeleton.paths, strict=True))
    times = (0.0, 0.5, 1.0)
    x, y, z = _rest(skeleton, "Hips")
    return compiled_clip(
        "Idle",
        [transform_binding(path["Hips"], "position"), transform_binding(path["Spine"], "rotation")],
        streamed=[
            *keyed(0, (0.0, 1.0), (x, x), (0.0, 0.0)),
            *keyed(1, times, (y, y - 0.03125, y), (0.0, 0.0, 0.0)),
            *keyed(2, (0.0, 1.0), (z, z), (0.0, 0.0)),
            *_rotation(3, times, turned(skeleton, "Spine", np.array([0.0, 4.0, 0.0]))),
        ],
        loop=True,
    )


def spin_clip(child: str, shape: str) -> dict[str, Any]:
    """A legacy clip of four seconds: the object itself turns (Euler) and bobs, one tangent weighted; its ``child``
    rocks (quaternions) and ``shape`` swells."""
    side = float(np.sin(np.pi / 8)), float(np.cos(np.pi / 8))
    level, flat = (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    rock = [(0.0, level), (1.0, (side[0], 0.0, 0.0, side[1])), (3.0, (-side[0], 0.0, 0.0, side[1])), (4.0, level)]
    still, turn = (0.0, 0.0, 0.0), (0.0, 90.0, 0.0)
    return legacy_clip(
        "Spin",
        4.0,
        {
            "?m_EulerCurves": [curve("", [key(0.0, still, turn, turn), key(4.0, (0.0, 360.0, 0.0), turn, turn)])],
            "m_PositionCurves": [
                curve(
                    "",
                    [
                        key(0.0, still, still, (0.0, 0.05, 0.0)),
                        key(2.0, (0.0, 0.1, 0.0), still, still, weight=0.5),
                        key(4.0, still, (0.0, -0.05, 0.0), still),
                    ],
                )
            ],
            "m_RotationCurves": [curve(child, [key(time, value, flat, flat) for time, value in rock])],
            "m_FloatCurves": [
                shape_curve(child, shape, [key(t, v, 0.0, 0.0) for t, v in ((0.0, 0.0), (2.0, 100.0), (4.0, 0.0))])
            ],
        },
        m_WrapMode=2,
        m_Events=[event(4.0, "OnTurned")],
    )


def turned(skeleton: Skeleton, bone: str, degrees: Array) -> Array:
    """(N, 4) local rotations of a bone that stands turned about the figure's forward axis from its rest pose."""
    index = skeleton.names.index(bone)
    parent = skeleton.rotations[skeleton.parents[index]] * [-1, -1, -1, 1]
    half = np.radians(degrees) / 2
    about_z = np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], axis=1)
    return multiply_quaternions(parent, multiply_quaternions(about_z, skeleton.rotations[index]))


def _rotation(first: int, times: tuple[float, ...], keys: Array) -> list[Segment]:
    """Four curves through the quaternions ``keys`` (K, 4), with slopes that even out between neighbours."""
    values = _binary(keys)
    slopes = _binary(np.gradient(values, np.array(times), axis=0))
    segments = [keyed(first + k, times, values[:, k].tolist(), slopes[:, k].tolist()) for k in range(4)]
    return [segment for curve_ in segments for segment in curve_]


def _hips(first: int, skeleton: Skeleton) -> list[Segment]:
    rest = _rest(skeleton, "Hips")
    curves = zip(rest, (*HIPS, JUMP), strict=True)
    return [
        segment
        for k, (base, (offsets, slopes)) in enumerate(curves)
        for segment in keyed(first + k, HIPS_TIMES, [base + offset for offset in offsets], slopes)
    ]


def _rest(skeleton: Skeleton, bone: str) -> list[float]:
    rest: list[float] = _binary(skeleton.local_positions[skeleton.names.index(bone)]).tolist()
    return rest


def _binary(values: Array) -> Array:
    """Rounded to 1 / 4096, so that float32 coefficients reach the next key exactly."""
    return np.asarray(np.round(values * 4096) / 4096)
