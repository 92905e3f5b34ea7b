"""Compiled clips: curves by number (streamed, discrete, dense, constant), and which binding takes which.

Clips before 4.3 do not tell the bindings of muscles, but m_IndexArray does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from ...ir import Curve
from ...raw import RawBinding, RawClip, RawCompiled
from .constant import constant_curves
from .decoded import ANIMATOR, TRANSFORM, DecodedCurve
from .dense import dense_curves
from .muscles import names_in
from .streamed import read_streamed, streamed_curves

MUSCLE = 8  # GenericBinding.customType
TRANSFORM_ATTRIBUTES = {1: ("position", 3), 2: ("rotation", 4), 3: ("scale", 3), 4: ("euler", 3)}
"""GenericBinding.attribute of a Transform: name and number of curves. Any other binding takes one curve."""

Slot = tuple[RawBinding, int, int]
"""A binding, the number of its first curve, and how many it takes."""


def compiled_curves(
    raw: RawClip, compiled: RawCompiled, start: float, stop: float, tally: Counter[str]
) -> tuple[list[DecodedCurve], dict[str, Curve | None]]:
    """The curves of every binding, and those of muscles by name (None: not readable), cut to [start, stop]. What is
    broken is counted in ``tally``."""
    count = compiled.streamed_count + compiled.discrete_count + compiled.dense.shape[1] + len(compiled.constants)
    slots = list(_slots(raw.bindings))
    muscles = _muscle_numbers(raw, slots, tally)
    used = sum(width for _, _, width in slots) if slots else len(muscles)
    tally["curves without a binding"] += max(0, count - used)
    whole = [(binding, first, width) for binding, first, width in slots if first + width <= count]
    tally["bindings without curves"] += len(slots) - len(whole)
    kept = [slot for slot in whole if not is_muscle(slot[0])]
    wanted = {n for _, first, width in kept for n in range(first, first + width)}
    curves = _numbered(compiled, wanted | {n for n in muscles.values() if n < count}, start, stop, tally)
    result = [_decoded(slot, curves, compiled) for slot in kept]
    found = {name: curves.get(number) for name, number in muscles.items()}
    tally["curves without a value"] += result.count(None) + list(found.values()).count(None)
    return [curve for curve in result if curve is not None], found


def _muscle_numbers(raw: RawClip, slots: Sequence[Slot], tally: Counter[str]) -> dict[str, int]:
    """The curve number of each muscle, by name."""
    names, index = names_in(raw.version), raw.muscles.index_array
    if not slots:
        return {name: number for name, number in zip(names, index, strict=False) if number >= 0}
    bound = [(binding.attribute, first) for binding, first, _ in slots if is_muscle(binding)]
    known = [(attribute, first) for attribute, first in bound if attribute < len(names)]
    tally["muscles without a name"] += len(bound) - len(known)
    tally["muscles bound twice"] += len(known) - len({attribute for attribute, _ in known})
    listed = [first for attribute, first in known if attribute < len(index) and index[attribute] >= 0]
    differ = [first for attribute, first in known if attribute < len(index) and index[attribute] not in (first, -1)]
    tally["muscles numbered otherwise"] += len(differ) if listed else 0
    return {names[attribute]: first for attribute, first in known}


def is_muscle(binding: RawBinding) -> bool:
    """Whether the binding is a muscle, goal or root curve of a humanoid clip."""
    return binding.type_id == ANIMATOR and binding.custom_type == MUSCLE


def _slots(bindings: Sequence[RawBinding]) -> Iterator[Slot]:
    first = 0
    for binding in bindings:
        width = _attribute(binding)[1]
        yield binding, first, width
        first += width


def _attribute(binding: RawBinding) -> tuple[str | int, int]:
    if binding.type_id == TRANSFORM and not binding.is_pptr:
        return TRANSFORM_ATTRIBUTES.get(binding.attribute, (binding.attribute, 1))
    return binding.attribute, 1


def _numbered(
    compiled: RawCompiled, wanted: set[int], start: float, stop: float, tally: Counter[str]
) -> dict[int, Curve]:
    """The wanted curves by number."""
    streamed = compiled.streamed_count + compiled.discrete_count
    constant = streamed + compiled.dense.shape[1]
    curves = streamed_curves(
        read_streamed(compiled.streamed, streamed, tally), start, stop, lambda number: number in wanted
    )
    dense = dense_curves(
        compiled.dense,
        compiled.dense_rate,
        compiled.dense_begin,
        start,
        stop,
        tally,
        lambda column: streamed + column in wanted,
    )
    values = constant_curves(compiled.constants, [n - constant for n in sorted(wanted) if n >= constant], tally)
    curves |= {streamed + column: curve for column, curve in dense.items()}
    return curves | {constant + row: curve for row, curve in values.items()}


def _decoded(slot: Slot, curves: dict[int, Curve], compiled: RawCompiled) -> DecodedCurve | None:
    """None when a curve of the binding has no value at all."""
    binding, first, width = slot
    if any(number not in curves for number in range(first, first + width)):
        return None
    own = tuple(curves[number] for number in range(first, first + width))
    integers = range(compiled.streamed_count, compiled.streamed_count + compiled.discrete_count)
    discrete = binding.is_pptr or binding.is_int or first in integers
    return DecodedCurve(
        path=None,
        path_hash=binding.path,
        type_id=binding.type_id,
        attribute=_attribute(binding)[0],
        custom_type=binding.custom_type,
        curves=tuple(map(_stepped, own)) if discrete else own,
        discrete=discrete,
    )


def _stepped(curve: Curve) -> Curve:
    return Curve(times=curve.times, coefficients=curve.coefficients * np.array([0.0, 0.0, 0.0, 1.0]))
