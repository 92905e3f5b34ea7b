"""Random poses and blend-shape states in Unity space: the same ones each time for the same asset."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import chain

import numpy as np

from ..ir import Asset, BlendShape, Geometry
from ..math3d import frame_weights, multiply_quaternions
from .mirror import TRS

RANDOM_POSES = {"quick": 2, "full": 16}
FULL_STEPS = (-0.2, 0.0, 0.5, 1.0, 1.3)
"""Where ``full`` puts each shape, as fractions of its last frame's full weight."""

_LARGEST_TURN = 1.0  # radians: far enough that any wrong axis shows
_ACTIVE_SHAPES = 16  # shapes that are not at 0 in a random pose: bounds the time on faces with hundreds


def generator(asset: Asset) -> np.random.Generator:
    """A generator seeded by the asset's source, so that a failure can be run again."""
    return np.random.default_rng(zlib.crc32(repr(asset.source).encode("utf-8", "surrogatepass")))


def random_pose(asset: Asset, random: np.random.Generator) -> dict[int, TRS]:
    """Local transforms for all joints of all skins: turned by up to a radian, moved and scaled by up to a tenth."""
    pose: dict[int, TRS] = {}
    for index in sorted(set(chain.from_iterable(skin.joints for skin in asset.skins))):
        node = asset.nodes[index]
        reach = max(map(abs, node.translation)) or 0.1
        translation = np.add(node.translation, random.uniform(-0.1, 0.1, 3) * reach)
        rotation = multiply_quaternions(node.rotation, _random_turn(random))
        length = float(np.linalg.norm(rotation))
        rotation = rotation / length if length else np.array([0.0, 0.0, 0.0, 1.0])
        scale = np.multiply(node.scale, random.uniform(0.9, 1.1, 3))
        pose[index] = (translation.tolist(), rotation.tolist(), scale.tolist())
    return pose


def random_shape_weights(geometry: Geometry, random: np.random.Generator) -> list[float]:
    """A weight for each shape, between -20 % and 130 % of its last frame's; most stay at 0 where there are many."""
    weights = np.zeros(len(geometry.shapes))
    active = random.permutation(len(weights))[:_ACTIVE_SHAPES]
    last = [geometry.shapes[index].full_weights[-1] if geometry.shapes[index].frames else 0.0 for index in active]
    weights[active] = random.uniform(-0.2, 1.3, len(active)) * np.array(last, dtype=np.float64)
    return [float(weight) for weight in weights]


def shape_states(shape: BlendShape, level: str) -> list[float]:
    """Weights at which one shape is compared alone: at each frame, or at ``FULL_STEPS``, too, for ``full``."""
    full = shape.full_weights
    if not full:
        return []
    return full if level == "quick" else sorted({*full, *(step * full[-1] for step in FULL_STEPS)})


def target_weights(geometry: Geometry, weights: Sequence[float]) -> list[float]:
    """glTF's morph target weights, one a frame, for the given weights of the shapes (missing ones are 0)."""
    result: list[float] = []
    for place, shape in enumerate(geometry.shapes):
        weight = weights[place] if place < len(weights) else 0.0
        if weight == 0.0 and shape.frames and shape.frames[0].full_weight >= 0.0:  # at rest, as most of thousands are
            result += [0.0] * len(shape.frames)
        else:
            result += frame_weights(shape.full_weights, weight).tolist()
    return result


def _random_turn(random: np.random.Generator) -> list[float]:
    axis = random.normal(size=3)
    axis /= max(float(np.linalg.norm(axis)), 1e-9)
    angle = random.uniform(-_LARGEST_TURN, _LARGEST_TURN)
    return [*(axis * np.sin(angle / 2)).tolist(), float(np.cos(angle / 2))]
