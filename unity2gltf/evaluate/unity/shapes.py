"""Unity's blend shapes on vertices. The interpolation of frames is written out here, apart from ``math3d``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...ir import BlendFrame, BlendShape, Geometry

Array = NDArray[np.float64]


def active_frames(shape: BlendShape, weight: float) -> list[tuple[BlendFrame, float]]:
    """The frames that move vertices when the shape stands at ``weight`` (1.0 = Unity's 100), with their factors.

    Up to the first frame that frame is scaled, past the last the last one; between two frames both share, as a
    polyline through the frames would.
    """
    frames = shape.frames
    if not frames or weight == 0.0 <= frames[0].full_weight:
        return []
    if weight <= frames[0].full_weight or len(frames) == 1:
        return _scaled(frames[0], weight)
    for lower, upper in pairwise(frames):
        if weight <= upper.full_weight:
            span = upper.full_weight - lower.full_weight
            return [(lower, (upper.full_weight - weight) / span), (upper, (weight - lower.full_weight) / span)]
    return _scaled(frames[-1], weight)


def morph(geometry: Geometry, weights: Sequence[float]) -> Array:
    """(V, 3) positions in mesh space with every shape at its weight; shapes beyond ``weights`` stand at 0."""
    points: Array = geometry.positions.astype(np.float64)
    for shape, weight in zip(geometry.shapes, weights, strict=False):
        for frame, factor in active_frames(shape, weight):
            np.add.at(points, frame.indices, factor * frame.positions.astype(np.float64))
    return points


def _scaled(frame: BlendFrame, weight: float) -> list[tuple[BlendFrame, float]]:
    return [(frame, weight / frame.full_weight)] if frame.full_weight else []
