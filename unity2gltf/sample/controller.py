"""AnimatorControllers: layers of states that play clips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..math3d import name_hash
from .values import f32, pptr

NO_PARAMETER = 0xFFFFFFFF
LAYER = "Base Layer"
ALL_BODY = {"word0": 0xFFFFFFFF, "word1": 0xFFFFFFFF, "?word2": 0x7FFFF}


@dataclass(frozen=True, slots=True)
class State:
    """A state of the only layer: ``clip`` indexes the controller's clips."""

    name: str
    clip: int
    speed: float = 1.0
    loop: bool = False
    cycle_offset: float = 0.0


def controller_fields(
    name: str, clips: Sequence[int], states: Sequence[State], default: int = 0, layer: str = LAYER
) -> dict[str, Any]:
    """An AnimatorController of one layer over ``clips`` (path ids); ``default`` is the state it starts in."""
    names = ["", layer, *(text for state in states for text in (state.name, f"{layer}.{state.name}"))]
    machine = {
        "m_StateConstantArray": [{"data": _state(state, layer)} for state in states],
        "m_DefaultState": default,
        **dict.fromkeys(("?m_SynchronizedLayerCount", "?m_MotionSetCount"), 1),
    }
    whole = {"m_BodyMask": ALL_BODY, "m_Binding": name_hash(layer), "m_DefaultWeight": 1.0}
    return {
        "m_Name": name,
        "m_Controller": {"?m_LayerArray": [{"data": whole}], "m_StateMachineArray": [{"data": machine}]},
        "m_TOS": sorted({name_hash(text): text for text in names}.items()),
        "m_AnimationClips": [pptr(clip) for clip in clips],
        "?m_MultiThreadedStateMachine": True,
    }


def _state(state: State, layer: str) -> dict[str, Any]:
    leaf = {"m_BlendEventID": NO_PARAMETER, "?m_BlendEventYID": NO_PARAMETER, "m_ClipID": state.clip, "m_Duration": 1.0}
    path = name_hash(f"{layer}.{state.name}")
    return {
        "m_BlendTreeConstantIndexArray": [0],
        "?m_LeafInfoArray": [{"m_IDArray": [state.clip], "m_IndexOffset": state.clip}],
        "m_BlendTreeConstantArray": [{"data": {"m_NodeArray": [{"data": leaf}]}}],
        "?m_NameID": name_hash(state.name),
        "?m_PathID": path,
        "?m_FullPathID": path,
        "m_Speed": f32(state.speed),
        "?m_CycleOffset": f32(state.cycle_offset),
        "?m_WriteDefaultValues": True,
        "m_Loop": state.loop,
    }
