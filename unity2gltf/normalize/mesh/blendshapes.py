"""Blend shapes: m_Shapes to named shapes of frames, in order of the channels.

A channel or frame that is broken keeps its place as one that moves nothing: default weights and the weights of the
other frames go by place, and clips find a shape by its name.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import F32, BlendFrame, BlendShape
from ...raw import RawBlendShapes
from .values import finite

FULL = 100.0  # Unity's weight of a shape that is wholly there


def decode_shapes(raw: RawBlendShapes, vertex_count: int, diagnostics: Diagnostics) -> tuple[BlendShape, ...]:
    """One :class:`ir.BlendShape` a channel, its frames in order of their full weight.

    Reports what is broken as SHAPE_INVALID: ranges outside the data or overlapping an earlier one, vertices that do
    not exist, full weights that are no numbers.
    """
    free_channels = _disjoint([(first, count) for _, _, first, count in raw.channels], len(raw.shapes))
    free_frames = _disjoint([(first, count) for first, count, _, _ in raw.shapes], len(raw.index))
    shapes = []
    for (name, _, first, count), free in zip(raw.channels, free_channels, strict=True):
        with diagnostics.at(f'shape "{name}"'):
            if not free or count == 0:
                _report("its frames are none, or not there, or another shape's", diagnostics, first=first, count=count)
                frames = [_still(1.0)]
            else:
                frames = [
                    _frame(raw, number, free_frames[number], vertex_count, diagnostics)
                    for number in range(first, first + count)
                ]
        shapes.append(BlendShape(name=name, frames=tuple(sorted(frames, key=lambda frame: frame.full_weight))))
    return tuple(shapes)


def _report(problem: str, diagnostics: Diagnostics, **data: int) -> None:
    diagnostics.add(codes.SHAPE_INVALID, problem, **data)


def _still(full_weight: float) -> BlendFrame:
    """A frame that moves nothing."""
    return BlendFrame(
        full_weight=full_weight, indices=np.zeros(0, np.int64), positions=np.zeros((0, 3), dtype=np.float32)
    )


def _disjoint(ranges: list[tuple[int, int]], length: int) -> list[bool]:
    """Of every (first, count) range whether it lies in 0..length and begins after the good ones before it end."""
    good = [False] * len(ranges)
    end = 0
    for place in sorted(range(len(ranges)), key=lambda place: ranges[place]):
        first, count = ranges[place]
        good[place] = first >= 0 and count >= 0 and first + count <= length and (first >= end or count == 0)
        if good[place]:
            end = max(end, first + count)
    return good


def _frame(raw: RawBlendShapes, number: int, free: bool, vertex_count: int, diagnostics: Diagnostics) -> BlendFrame:
    weight = float(raw.full_weights[number]) / FULL if number < len(raw.full_weights) else np.nan
    if not np.isfinite(weight):
        _report("a frame has no full weight that is a number", diagnostics, frame=number)
        return _still(1.0)
    first, count, has_normals, has_tangents = raw.shapes[number]
    if not free:
        _report(
            "a frame's entries are not there, or another frame's", diagnostics, frame=number, first=first, count=count
        )
        return _still(weight)
    entries = slice(first, first + count)
    indices = raw.index[entries].astype(np.int64)
    if count and indices.max() >= vertex_count:
        highest = int(indices.max())
        _report("a frame moves a vertex that is not there", diagnostics, frame=number, vertex=highest)
        return _still(weight)
    merge = None if np.all(indices[1:] > indices[:-1]) else _Merge(indices)
    return BlendFrame(
        full_weight=weight,
        indices=indices if merge is None else merge.unique,
        positions=_deltas("positions", raw.position[entries], merge, diagnostics),
        normals=_deltas("normals", raw.normal[entries], merge, diagnostics) if has_normals else None,
        tangents=_deltas("tangents", raw.tangent[entries], merge, diagnostics) if has_tangents else None,
    )


class _Merge:
    """Puts entries in ascending order of their vertices; those of one vertex are added, as Unity applies them all."""

    def __init__(self, indices: NDArray[np.int64]) -> None:
        self.order = np.argsort(indices, kind="stable")
        self.unique, self.starts = np.unique(indices[self.order], return_index=True)

    def __call__(self, deltas: F32) -> F32:
        summed: F32 = np.add.reduceat(deltas[self.order], self.starts, axis=0)
        return summed


def _deltas(name: str, stored: F32, merge: _Merge | None, diagnostics: Diagnostics) -> F32:
    values = finite(name, np.require(stored, np.float32, ["C", "A"]), diagnostics)
    return values if merge is None else merge(values)
