"""The curves of a compiled humanoid clip by the names that the editor gives them, played one number at a time."""

from __future__ import annotations

from collections.abc import Callable

from tests.reference import clip_twin
from tests.reference.humanoid_twin import ATTRIBUTES, OLD_ATTRIBUTES
from unity2gltf.raw import RawClip

MUSCLE, ANIMATOR = 8, 95
UPPER_CHEST = (5, 6, 0)
"""The version from which on the new numbers hold."""


def attributes(clip: RawClip) -> tuple[str, ...]:
    return ATTRIBUTES if clip.version >= UPPER_CHEST else OLD_ATTRIBUTES


def curves(clip: RawClip) -> Callable[[int, float], float]:
    """Value of a compiled curve by number and time."""
    assert clip.compiled is not None
    compiled = clip.compiled
    streamed = clip_twin.streamed(compiled.streamed.tolist(), compiled.streamed_count)
    dense, constants = compiled.dense.tolist(), compiled.constants.tolist()
    width = compiled.dense.shape[1]

    def value(number: int, time: float) -> float:
        if number < compiled.streamed_count:
            return clip_twin.value_of(streamed[number], time)
        column = number - compiled.streamed_count
        if column < width:
            return clip_twin.dense_value(dense, column, compiled.dense_rate, compiled.dense_begin, time)
        return float(constants[column - width])

    return value


def muscle_numbers(clip: RawClip) -> dict[str, int]:
    """Number of each muscle curve by name, from the bindings."""
    numbers = clip_twin.binding_numbers([(b.type_id, b.attribute) for b in clip.bindings])
    return {
        attributes(clip)[binding.attribute]: own[0]
        for binding, own in zip(clip.bindings, numbers, strict=True)
        if (binding.type_id, binding.custom_type, binding.path) == (ANIMATOR, MUSCLE, 0)
    }


def indexed_numbers(clip: RawClip) -> dict[str, int]:
    """The same from m_IndexArray; what lies behind the muscles there is left out."""
    names = zip(attributes(clip), clip.muscles.index_array, strict=False)
    return {name: number for name, number in names if number >= 0}


def poses(clip: RawClip, times: list[float]) -> list[dict[str, float]]:
    """Values of all muscle curves at each time."""
    value = curves(clip)
    return [{name: value(number, time) for name, number in indexed_numbers(clip).items()} for time in times]
