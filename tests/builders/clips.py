"""AnimationClips and controllers of any version with the words a test gives."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from unity2gltf.sample.writer import FileBuilder

CLIP, CONTROLLER, OVERRIDE = 74, 91, 221


def stream_words(frames: Iterable[tuple[float, Sequence[tuple[int, Sequence[float]]]]]) -> np.ndarray[Any, Any]:
    """The uint32 words of frames (time, [(curve, four coefficients)])."""
    out = b""
    for time, records in frames:
        out += struct.pack("<fI", time, len(records))
        for curve, coefficients in records:
            out += struct.pack("<I4f", curve, *coefficients)
    return np.frombuffer(out, "<u4")


def compiled(words: Any, curves: int, dense: Any = (), rate: float = 30.0, constants: Sequence[float] = ()) -> Any:
    """m_Clip's data. ``dense`` (frames, curves)."""
    samples = np.asarray(dense, np.float32).reshape(len(dense), -1 if len(dense) else 0)
    return {
        "m_StreamedClip": {"data": np.asarray(words, np.uint32), "curveCount": curves},
        "m_DenseClip": {
            "m_FrameCount": samples.shape[0],
            "m_CurveCount": samples.shape[1] if samples.size else 0,
            "m_SampleRate": rate,
            "m_SampleArray": samples.ravel(),
        },
        "?m_ConstantClip": {"data": np.asarray(constants, np.float32)},
    }


def add_clip(file: FileBuilder, clip: Any, bindings: Sequence[tuple[int, ...]] = (), **fields: Any) -> int:
    """A generic clip. ``bindings``: (path, attribute, class, customType); its m_MuscleClip runs from 0 to 1."""
    fields.setdefault("m_MuscleClip", {}).update({"m_Clip": {"data": clip}, "m_StopTime": 1.0})
    rows = [
        {"path": path, "attribute": attribute, "?typeID": class_id, "?classID": class_id, "customType": custom}
        for path, attribute, class_id, custom in bindings
    ]
    fields["?m_ClipBindingConstant"] = {"genericBindings": rows}
    return file.add(CLIP, {"m_Name": "clip", "?m_Legacy": False, "?m_AnimationType": 2, **fields})


def keyframes(rows: Iterable[tuple[float, Any, Any, Any]], letters: str = "xyz") -> list[dict[str, Any]]:
    """(time, value, in slope, out slope) rows; values are tuples, or numbers when ``letters`` is empty."""

    def value(item: Any) -> Any:
        return dict(zip(letters, item, strict=True)) if letters else item

    return [
        {"time": time, "value": value(at), "inSlope": value(into), "outSlope": value(out)}
        for time, at, into, out in rows
    ]


def layer(machine: int, name: int, *, motion_set: int = 0, weight: float = 0.0, additive: bool = False) -> Any:
    return {
        "data": {
            "m_StateMachineIndex": machine,
            "?m_StateMachineSynchronizedLayerIndex": motion_set,
            "?m_StateMachineMotionSetIndex": motion_set,
            "m_Binding": name,
            "(int&)m_LayerBlendingMode": int(additive),
            "m_DefaultWeight": weight,
        }
    }


def leaf(clip: int, **fields: Any) -> Any:
    return {"m_ClipID": clip, "m_BlendEventID": 0xFFFFFFFF, "m_Duration": 1.0, **fields}


def state(
    name: int, trees: Sequence[Sequence[Mapping[str, Any]]], indices: Sequence[int] | None = None, **f: Any
) -> Any:
    """A state with one blend tree (a list of nodes) a motion set."""
    return {
        "data": {
            "m_NameID": name,
            "?m_FullPathID": name,
            "m_PathID": name,
            "m_Speed": 1.0,
            "m_BlendTreeConstantIndexArray": list(range(len(trees))) if indices is None else list(indices),
            "m_BlendTreeConstantArray": [
                {"data": {"m_NodeArray": [{"data": dict(node)} for node in nodes]}} for nodes in trees
            ],
            **f,
        }
    }


def machine(states: Sequence[Any], default: int = 0) -> Any:
    return {"data": {"m_StateConstantArray": list(states), "m_DefaultState": default}}


def add_controller(
    file: FileBuilder, layers: Sequence[Any], machines: Sequence[Any], clips: Sequence[int], tos: Mapping[int, str]
) -> int:
    pointers = [{"m_FileID": 0, "m_PathID": path_id} for path_id in clips]
    constant = {"m_LayerArray": list(layers), "m_StateMachineArray": list(machines)}
    fields = {"m_Name": "controller", "m_Controller": constant, "m_AnimationClips": pointers}
    return file.add(CONTROLLER, {**fields, "m_TOS": list(tos.items())})


def add_override(file: FileBuilder, base: int, pairs: Mapping[int, int], path_id: int | None = None) -> int:
    def pointer(target: int) -> dict[str, int]:
        return {"m_FileID": 0, "m_PathID": target}

    clips = [{"m_OriginalClip": pointer(old), "m_OverrideClip": pointer(new)} for old, new in pairs.items()]
    return file.add(OVERRIDE, {"m_Name": "override", "m_Controller": pointer(base), "m_Clips": clips}, path_id)
