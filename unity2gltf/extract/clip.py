"""AnimationClip objects of every version to :class:`raw.RawClip`, undecoded.

What changed: 4.0 m_MuscleClip, and m_AnimationType to say what a clip is; 4.3 m_ClipBindingConstant and m_ConstantClip;
5.0 m_Legacy; 5.3 m_EulerCurves; 5.6 typeID for classID; 2018.1 weighted keys; 2022.3 discrete curves. The type tree
says which fields there are, so nothing here asks for the version.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..codes import CLIP_INVALID
from ..diagnostics import Fault
from ..raw import RawClip, RawCompiled, RawCurve, RawEvent, RawKeys, RawMuscles, RawPackedKeys
from ..source import Source
from .bindings import read_bindings
from .objects import Fields, inner
from .packed import read_packed

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile


VECTORS = (
    ("m_PositionCurves", "position", 3),
    ("m_RotationCurves", "rotation", 4),
    ("m_EulerCurves", "euler", 3),
    ("m_ScaleCurves", "scale", 3),
)
"""Field, kind and width of the curves that move a Transform."""

FIELDS = frozenset(
    [
        "m_Name",
        "m_Legacy",
        "m_AnimationType",
        "m_Compressed",
        "m_UseHighQualityCurve",
        *(name for name, _, _ in VECTORS),
        "m_CompressedRotationCurves",
        "m_FloatCurves",
        "m_PPtrCurves",
        "m_SampleRate",
        "m_WrapMode",
        "m_MuscleClip",
        "m_ClipBindingConstant",
        "m_AnimationClipSettings",
        "m_HasGenericRootTransform",
        "m_HasMotionFloatCurves",
        "m_Events",
    ]
)

FLAGS = ("m_Compressed", "m_UseHighQualityCurve", "m_HasGenericRootTransform", "m_HasMotionFloatCurves")
LEGACY = 1
"""m_AnimationType of 4.x: 1 legacy, 2 generic, 3 humanoid."""

COMPRESSED_TICK = 0.01
"""Seconds of one step of a compressed curve's times."""

_NO_FLOATS = np.zeros(0, np.float32)


def read_clip(root: ContentRoot, source: Source) -> RawClip:
    """A clip. Raises :class:`Fault` when its bytes do not fit its type, or its counts do not fit its arrays."""
    file = root.file(source)
    fields = root.read(source, FIELDS)
    legacy = bool(fields.get("m_Legacy", fields.get("m_AnimationType", LEGACY) == LEGACY))
    muscle: Fields = fields.get("m_MuscleClip", {})
    settings: Fields = muscle or fields.get("m_AnimationClipSettings", {})
    curves = tuple(_curves(fields))
    compiled = None if legacy or not muscle else _compiled(inner(muscle["m_Clip"]))
    return RawClip(
        source=source,
        name=str(fields["m_Name"]),
        version=file.version,
        legacy=legacy,
        sample_rate=float(fields["m_SampleRate"]),
        wrap_mode=int(fields.get("m_WrapMode", 0)),
        start=0.0 if legacy else float(settings.get("m_StartTime", 0.0)),
        stop=_last_key(curves) if legacy or not settings else float(settings["m_StopTime"]),
        curves=curves,
        compiled=compiled,
        bindings=() if compiled is None else read_bindings(fields, inner(muscle["m_Clip"])),
        events=tuple(_events(root, file, fields.get("m_Events", ()))),
        muscles=_muscles(muscle) if compiled is not None else RawMuscles(),
        flags=_flags(settings) | {name: fields[name] for name in FLAGS if name in fields},
    )


def _flags(settings: Fields) -> dict[str, bool | int | float]:
    """Every number of m_MuscleClip (or of the editor's m_AnimationClipSettings) by Unity's name, times excepted."""
    return {
        name: value
        for name, value in settings.items()
        if isinstance(value, bool | int | float) and name not in ("m_StartTime", "m_StopTime")
    }


# --- curves by path -----------------------------------------------------------------------------------------------


def _curves(fields: Fields) -> Iterator[RawCurve]:
    for name, kind, width in VECTORS:
        for item in fields.get(name, ()):
            yield RawCurve(kind=kind, path=str(item["path"]), keys=_keys(item["curve"], width))
    for item in fields.get("m_CompressedRotationCurves", ()):
        yield RawCurve(kind="rotation", path=str(item["m_Path"]), keys=_packed_keys(item))
    for item in fields.get("m_FloatCurves", ()):
        yield RawCurve(kind="float", keys=_keys(item["curve"], 1), **_target(item))
    for item in fields.get("m_PPtrCurves", ()):
        times = np.asarray(item["curve"]["time"], np.float32)
        yield RawCurve(kind="pptr", keys=None, times=times, **_target(item))


def _target(item: Fields) -> dict[str, Any]:
    return {"path": str(item["path"]), "attribute": str(item["attribute"]), "class_id": int(item["classID"])}


def _keys(curve: Fields, width: int) -> RawKeys:
    stored = curve["m_Curve"]
    weighted = "weightedMode" in stored.dtype.names
    return RawKeys(
        times=np.asarray(stored["time"], np.float32),
        values=_column(stored["value"], width),
        in_slopes=_column(stored["inSlope"], width),
        out_slopes=_column(stored["outSlope"], width),
        weighted=np.asarray(stored["weightedMode"], np.int32) if weighted else None,
        in_weights=_column(stored["inWeight"], width) if weighted else None,
        out_weights=_column(stored["outWeight"], width) if weighted else None,
        pre_infinity=int(curve["m_PreInfinity"]),
        post_infinity=int(curve["m_PostInfinity"]),
        rotation_order=int(curve.get("m_RotationOrder", 4)),
    )


def _column(values: NDArray[Any], width: int) -> NDArray[np.float32]:
    """(K, width), a view of the object's own bytes when they are little-endian."""
    array = np.asarray(values, np.float32)
    if array.size != len(array) * width:
        raise Fault(CLIP_INVALID, f"a key has {array.shape[1:]} values instead of {width}", width=width)
    return array.reshape(-1, width)


def _packed_keys(item: Fields) -> RawPackedKeys:
    return RawPackedKeys(
        times=read_packed(item["m_Times"]),
        values=read_packed(item["m_Values"]),
        slopes=read_packed(item["m_Slopes"]),
        pre_infinity=int(item["m_PreInfinity"]),
        post_infinity=int(item["m_PostInfinity"]),
    )


def _last_key(curves: tuple[RawCurve, ...]) -> float:
    """Time of the last key of any curve, 0 without keys; times that are not finite do not count."""
    last = 0.0
    for curve in curves:
        if isinstance(curve.keys, RawPackedKeys):
            last = max(last, _packed_stop(curve.keys))
            continue
        times = curve.times if curve.keys is None else curve.keys.times
        times = _NO_FLOATS if times is None else times[np.isfinite(times)]
        last = max(last, float(times.max(initial=0.0)))
    return last


def _packed_stop(keys: RawPackedKeys) -> float:
    """Compressed times are differences, so their sum is the last one."""
    times = keys.times
    bits = np.unpackbits(times.data, bitorder="little")
    if not times.bit_size or times.num_items * times.bit_size > len(bits):
        return 0.0  # the decoder reports times that are cut short
    table = bits[: times.num_items * times.bit_size].reshape(-1, times.bit_size)
    return float(table.sum(axis=0, dtype=np.float64) @ 2.0 ** np.arange(times.bit_size)) * COMPRESSED_TICK


# --- humanoid -----------------------------------------------------------------------------------------------------


def _muscles(muscle: Fields) -> RawMuscles:
    return RawMuscles(
        index_array=tuple(np.asarray(muscle.get("m_IndexArray", ()), np.int64).tolist()),
        delta=tuple(np.asarray(inner(muscle.get("m_DeltaPose", {})).get("m_DoFArray", ()), np.float64).tolist()),
    )


# --- compiled curves ----------------------------------------------------------------------------------------------


def _compiled(clip: Fields) -> RawCompiled:
    streamed, dense = clip["m_StreamedClip"], clip["m_DenseClip"]
    words = np.asarray(streamed["data"], np.uint32)
    counts = int(streamed["curveCount"]), int(streamed.get("discreteCurveCount", 0))
    if sum(counts) > len(words):
        raise Fault(
            CLIP_INVALID,
            f"a streamed clip of {len(words)} words claims {sum(counts)} curves",
            words=len(words),
            curves=sum(counts),
        )
    constant = clip.get("m_ConstantClip", {})
    return RawCompiled(
        streamed=words,
        streamed_count=counts[0],
        discrete_count=counts[1],
        dense=_dense(dense),
        dense_rate=float(dense["m_SampleRate"]),
        dense_begin=float(dense["m_BeginTime"]),
        constants=np.asarray(constant.get("data", _NO_FLOATS), np.float32),
    )


def _dense(dense: Fields) -> NDArray[np.float32]:
    """(frames, curves); (0, 0) without curves, whatever the number of frames."""
    samples = np.asarray(dense["m_SampleArray"], np.float32)
    frames, curves = int(dense["m_FrameCount"]), int(dense["m_CurveCount"])
    if not curves:
        return samples[:0].reshape(0, 0)
    if frames < 1 or frames * curves > len(samples):
        raise Fault(
            CLIP_INVALID,
            f"a dense clip claims {frames} frames of {curves} curves, but holds {len(samples)} samples",
            frames=frames,
            curves=curves,
            samples=len(samples),
        )
    return samples[: frames * curves].reshape(frames, curves)


# --- events -------------------------------------------------------------------------------------------------------


def _events(root: ContentRoot, file: GameFile, stored: Any) -> Iterator[RawEvent]:
    for event in stored:
        yield RawEvent(
            time=float(event["time"]),
            function=str(event["functionName"]),
            string=str(event["data"]),
            number=float(event.get("floatParameter", 0.0)),
            integer=int(event.get("intParameter", 0)),
            reference=root.resolve(file, event["objectReferenceParameter"]),
        )
