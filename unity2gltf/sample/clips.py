"""AnimationClips from plain numbers: compiled ones (streamed, dense and constant curves with bindings) and legacy ones.

A compiled clip numbers its curves streamed, dense, constant; bindings take them in that order, so bindings of streamed
curves come first. Everything here gives the dicts and arrays that ``FileBuilder.add`` takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..math3d import name_hash
from .values import SKINNED_MESH_RENDERER, TRANSFORM, f32, vector

LOWEST = float(np.finfo(np.float32).min)
"""The time of a stream's first frame, which holds every curve's value before the clip starts."""

MUSCLE_CURVES = 200
"""Length of m_IndexArray: one entry a muscle attribute, -1 = the clip does not drive it."""

ATTRIBUTES = {"position": 1, "rotation": 2, "scale": 3, "euler": 4}
"""A Transform binding's attribute; rotation has four curves, the others three."""

BLEND_SHAPE = 20
"""A binding's customType for a blend-shape weight."""

LEGACY, GENERIC = 1, 2
"""m_AnimationType of Unity 4, which has no m_Legacy."""

CLAMP, WEIGHTED_BOTH = 2, 3


class Segment(NamedTuple):
    """From ``time`` to its curve's next segment: ((a d + b) d + c) d + value, d = seconds since ``time``."""

    curve: int
    time: float
    a: float
    b: float
    c: float
    value: float


# --- compiled: curves -----------------------------------------------------------------------------------------------


def hermite(value: float, slope: float, end: float, end_slope: float, length: float) -> tuple[float, float, float]:
    """a, b, c of the cubic that leaves ``value`` with ``slope`` and reaches ``end`` with ``end_slope``."""
    rise = (end - value) / length
    return (slope + end_slope - 2 * rise) / length**2, (3 * rise - 2 * slope - end_slope) / length, slope


def keyed(curve: int, times: Sequence[float], values: Sequence[float], slopes: Sequence[float]) -> list[Segment]:
    """Cubic segments through keys; an infinite slope holds its key's value until the next one (a step).

    The last key has a flat segment of its own. Times, values and slopes that are multiples of a power of two, a power
    of two apart, give coefficients that land on the next key exactly.
    """
    segments = []
    for k, (time, value) in enumerate(zip(times, values, strict=True)):
        if k + 1 == len(times) or np.isinf(slopes[k]):
            segments.append(Segment(curve, time, 0.0, 0.0, 0.0, value))
            continue
        end_slope = 0.0 if np.isinf(slopes[k + 1]) else slopes[k + 1]
        cubic = hermite(value, slopes[k], values[k + 1], end_slope, times[k + 1] - time)
        segments.append(Segment(curve, time, *cubic, value))
    return segments


def streamed_words(segments: Iterable[Segment]) -> NDArray[np.uint32]:
    """The uint32 stream of a StreamedClip, one frame a distinct time: a lead-in, the segments, an end at infinity."""
    ordered = sorted(segments, key=lambda segment: (segment.time, segment.curve))
    first: dict[int, Segment] = {}
    for segment in ordered:
        first.setdefault(segment.curve, segment)
    lead = [Segment(curve, LOWEST, 0.0, 0.0, 0.0, first[curve].value) for curve in sorted(first)]
    frames = [(time, list(group)) for time, group in groupby([*lead, *ordered], key=lambda segment: segment.time)]
    parts = [_frame(time, group) for time, group in frames]
    return np.concatenate([*parts, _frame(np.inf, [])])


def _frame(time: float, segments: Sequence[Segment]) -> NDArray[np.uint32]:
    records = np.zeros(len(segments), [("curve", "<i4"), ("cubic", "<f4", 4)])
    records["curve"] = [segment.curve for segment in segments]
    if segments:
        records["cubic"] = [segment[2:] for segment in segments]
    head = np.array([(time, len(segments))], [("time", "<f4"), ("count", "<i4")])
    return np.frombuffer(head.tobytes() + records.tobytes(), "<u4").astype(np.uint32)


def dense_fields(samples: ArrayLike, rate: float, begin: float = 0.0) -> dict[str, Any]:
    """A DenseClip of ``samples`` (frames, curves), the first at ``begin`` seconds, ``rate`` a second."""
    array = np.asarray(samples, dtype=np.float32)
    frames, curves = array.shape
    return {
        "m_FrameCount": frames,
        "m_CurveCount": curves,
        "m_SampleRate": f32(rate),
        "m_BeginTime": f32(begin),
        "m_SampleArray": array.ravel(),
    }


# --- compiled: bindings and the whole -------------------------------------------------------------------------------


def binding(path: str, attribute: int, class_id: int, custom_type: int = 0, **more: Any) -> dict[str, Any]:
    """A GenericBinding of any kind; ``path`` is the names below the Animator joined by ``/``, "" the Animator."""
    fields = {"path": name_hash(path) if path else 0, "attribute": attribute, "customType": custom_type}
    return fields | {"?typeID": class_id, "?classID": class_id} | more


def transform_binding(path: str, attribute: str) -> dict[str, Any]:
    """``attribute`` is a key of :data:`ATTRIBUTES`."""
    return binding(path, ATTRIBUTES[attribute], TRANSFORM)


def shape_binding(path: str, shape: str) -> dict[str, Any]:
    """The weight, 0 to 100, of a blend shape of the renderer at ``path``."""
    return binding(path, name_hash(shape), SKINNED_MESH_RENDERER, BLEND_SHAPE)


def event(time: float, function: str, text: str = "", number: float = 0.0, integer: int = 0) -> dict[str, Any]:
    """An AnimationEvent."""
    fields = {"time": f32(time), "functionName": function, "data": text}
    return fields | {"floatParameter": f32(number), "intParameter": integer}


def compiled_clip(
    name: str,
    bindings: Sequence[Mapping[str, Any]],
    *,
    streamed: Sequence[Segment] = (),
    dense: Mapping[str, Any] | None = None,
    constants: Sequence[float] = (),
    start: float = 0.0,
    stop: float = 1.0,
    rate: float = 30.0,
    loop: bool = False,
    events: Sequence[Mapping[str, Any]] = (),
    discrete: int = 0,
) -> dict[str, Any]:
    """Fields of a generic AnimationClip. The last ``discrete`` curves of the stream are counted as integer curves
    where the version tells them apart (2022.3 on)."""
    curves = {segment.curve for segment in streamed}
    count = max(curves, default=-1) + 1
    clip = {
        "m_StreamedClip": _streamed_fields(streamed, count, discrete),
        "m_DenseClip": dict(dense or dense_fields(np.zeros((0, 0)), rate)),
        "?m_ConstantClip": {"data": np.array(constants, np.float32)},
    }
    total = count + clip["m_DenseClip"]["m_CurveCount"] + len(constants)
    muscle = {
        "m_Clip": {"data": clip},
        "m_StartTime": f32(start),
        "m_StopTime": f32(stop),
        "m_IndexArray": np.full(MUSCLE_CURVES, -1, np.int32),
        "m_ValueArrayDelta": [{}] * total,
        "m_LoopTime": loop,
    }
    return {
        "m_Name": name,
        "m_SampleRate": f32(rate),
        "m_MuscleClipSize": 4 * total,
        "m_MuscleClip": muscle,
        "m_ClipBindingConstant": {"genericBindings": list(bindings)},
        "m_Events": list(events),
        "?m_UseHighQualityCurve": True,
        "?m_AnimationType": GENERIC,
    }


def _streamed_fields(segments: Sequence[Segment], count: int, discrete: int) -> dict[str, Any]:
    words = streamed_words(segments) if segments else np.zeros(0, np.uint32)
    return {"data": words, "curveCount": count - discrete, "?discreteCurveCount": discrete}


# --- legacy ---------------------------------------------------------------------------------------------------------


def key(
    time: float, value: ArrayLike, in_slope: ArrayLike, out_slope: ArrayLike, weight: float | None = None
) -> dict[str, Any]:
    """A Keyframe; a ``weight`` makes both its tangents weighted, from 2018.1 on (1/3 is what an unweighted one has)."""
    share = np.full(np.shape(value), 1 / 3 if weight is None else weight)
    return {
        "time": f32(time),
        "value": _value(value),
        "inSlope": _value(in_slope),
        "outSlope": _value(out_slope),
        "?weightedMode": 0 if weight is None else WEIGHTED_BOTH,
        "?inWeight": _value(share),
        "?outWeight": _value(share),
    }


def _value(value: ArrayLike) -> Any:
    array = np.asarray(value, dtype=np.float64)
    return f32(float(array)) if array.ndim == 0 else vector(array.tolist())


def curve(path: str, keys: Sequence[Mapping[str, Any]], rotation_order: int = 4, **more: Any) -> dict[str, Any]:
    """A curve by path, of m_PositionCurves and its like; ``more`` is attribute and classID of a float curve."""
    animation = {"m_Curve": list(keys), "m_PreInfinity": CLAMP, "m_PostInfinity": CLAMP}
    return {"path": path, "curve": animation | {"?m_RotationOrder": rotation_order}} | more


def shape_curve(path: str, shape: str, keys: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """An entry of m_FloatCurves: the weight, 0 to 100, of a blend shape."""
    return curve(path, keys, attribute="blendShape." + shape, classID=SKINNED_MESH_RENDERER)


def legacy_clip(
    name: str, stop: float, curves: Mapping[str, Any], *, rate: float = 60.0, **more: Any
) -> dict[str, Any]:
    """Fields of a legacy AnimationClip. ``curves`` maps m_RotationCurves, m_PositionCurves ... to their lists."""
    muscle = {"m_StopTime": f32(stop), "m_IndexArray": np.full(MUSCLE_CURVES, -1, np.int32)}
    fields = {"m_Name": name, "m_SampleRate": f32(rate), "m_MuscleClip": muscle, "?m_UseHighQualityCurve": True}
    return fields | {"?m_Legacy": True, "?m_AnimationType": LEGACY} | dict(curves) | more
