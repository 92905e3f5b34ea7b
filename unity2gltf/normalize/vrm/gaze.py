"""How the eyes of a VRM follow a look: by their bones within the limits of Unity's eye muscles, or by expressions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ...ir import Humanoid, LookAt, Node
from .pose import matrix_below

_MUSCLES = {
    "HorizontalInner": ("In-Out", 0),
    "HorizontalOuter": ("In-Out", 1),
    "VerticalDown": ("Down-Up", 0),
    "VerticalUp": ("Down-Up", 1),
}
"""VRM's directions: the eye muscle that turns there, and which of its limits (least, most) is the end of it."""

_LOOKS = {"lookUp", "lookDown", "lookLeft", "lookRight"}


def look_at(
    humanoid: Humanoid, bones: Mapping[str, int], presets: Collection[str], nodes: Sequence[Node]
) -> LookAt | None:
    """By the bones of both eyes, else by expressions where all four directions have one, else not at all."""
    if {"leftEye", "rightEye"} <= bones.keys():
        x, y, z = _between_eyes(bones, nodes)
        return LookAt(bones=True, ranges=_ranges(humanoid), origin=(x, y, z))
    if set(presets) >= _LOOKS:
        return LookAt(bones=False, ranges=dict.fromkeys(_MUSCLES, 1.0))
    return None


def _between_eyes(bones: Mapping[str, int], nodes: Sequence[Node]) -> list[float]:
    eyes = [matrix_below(nodes, bones[eye], bones["head"])[:3, 3] for eye in ("leftEye", "rightEye")]
    middle: list[float] = np.mean(eyes, axis=0).tolist()
    return middle


def _ranges(humanoid: Humanoid) -> dict[str, float]:
    """Degrees from straight ahead, of both eyes on average; a direction without limits is left open."""
    ranges = {}
    for direction, (muscle, end) in _MUSCLES.items():
        names = (f"{side} Eye {muscle}" for side in ("Left", "Right"))
        limits = [abs(humanoid.limits[name][end]) for name in names if name in humanoid.limits]
        if limits:
            ranges[direction] = float(np.mean(limits))
    return ranges
