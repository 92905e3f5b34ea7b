"""What Unity plays: the curves of a clip's channels, in Unity's space and float64."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...ir import Asset, Channel, Clip, Curve, Path, Space
from .pose import TRS

Array = NDArray[np.float64]

ROTATION_ORDERS = ((0, 1, 2), (0, 2, 1), (1, 2, 0), (1, 0, 2), (2, 0, 1), (2, 1, 0))
"""Unity's RotationOrder by number: the axes in the order in which they turn. Unity's usual one is 4: z, x, y."""

Pose = tuple[dict[int, TRS], dict[int, tuple[float, ...]]]
"""Local transforms, and weights of blend shapes, by node."""

_PARTS = {Path.TRANSLATION: 0, Path.ROTATION: 1, Path.EULER: 1, Path.SCALE: 2}
"""Where the value of a channel stands in a node's translation, rotation and scale."""


class UnityPlayer:
    """Plays the channels of clips on ``asset`` (Unity space)."""

    def __init__(self, asset: Asset) -> None:
        if asset.space is not Space.UNITY:
            raise ValueError("the asset must be in Unity space")
        self.asset = asset

    def sample(self, channel: Channel, times: Array) -> Array:
        """(T, W) of a channel at ``times`` (T,): metres, unit quaternions xyzw (EULER too), weights as fractions with
        the renderer's own where a shape has no curve, or what a pointer's property takes."""
        if channel.path is Path.WEIGHTS:
            return self._weights(channel, times)
        values = raw_values(channel, times)
        if channel.path is Path.ROTATION:
            return _unit(values)
        return _euler(values, channel.rotation_order) if channel.path is Path.EULER else values

    def pose(self, clip: Clip, time: float) -> Pose:
        """Local transforms of the nodes that ``clip`` moves, at rest in what it leaves alone, and the weights of the
        shapes of the nodes whose mesh it drives."""
        return self.poses(clip, np.array([time]))[0]

    def poses(self, clip: Clip, times: Array) -> list[Pose]:
        """:meth:`pose` at each of ``times``, every channel sampled once."""
        poses: list[Pose] = [({}, {}) for _ in times]
        for channel in clip.channels:
            if channel.path is Path.POINTER:
                continue
            for (overrides, weights), value in zip(poses, self.sample(channel, times).tolist(), strict=True):
                if channel.path is Path.WEIGHTS:
                    weights[channel.node] = tuple(value)
                else:
                    self._move(overrides, channel, value)
        return poses

    def _move(self, overrides: dict[int, TRS], channel: Channel, value: list[float]) -> None:
        node = self.asset.nodes[channel.node]
        parts = list(overrides.get(channel.node, (node.translation, node.rotation, node.scale)))
        parts[_PARTS[channel.path]] = value
        overrides[channel.node] = (parts[0], parts[1], parts[2])

    def _weights(self, channel: Channel, times: Array) -> Array:
        defaults = self._default_weights(channel)
        result = np.empty((len(times), len(channel.curves)))
        for place, curve in enumerate(channel.curves):
            result[:, place] = defaults[place] if curve is None else curve_values(curve, times) / 100.0
        return self._clamped(channel, result) if self.asset.clamp_weights else result

    def _clamped(self, channel: Channel, weights: Array) -> Array:
        """Each shape between 0 and the weight of its last frame (or its first, where that is negative)."""
        mesh = self.asset.nodes[channel.node].mesh
        shapes = () if mesh is None else self.asset.geometries[self.asset.meshes[mesh].geometry].shapes
        for place, shape in enumerate(shapes[: weights.shape[1]]):
            ends = [0.0, *(frame.full_weight for frame in shape.frames)]
            np.clip(weights[:, place], min(ends), max(ends), out=weights[:, place])
        return weights

    def _default_weights(self, channel: Channel) -> Sequence[float]:
        node = self.asset.nodes[channel.node]
        mesh = None if node.mesh is None else self.asset.meshes[node.mesh]
        stated = node.weights or (mesh.weights if mesh else ())
        return [*stated, *[0.0] * len(channel.curves)]


def raw_values(channel: Channel, times: Array) -> Array:
    """(T, W) of a channel's curves as they stand: Unity's units, rotations not normalised. No curve counts as 0."""
    result = np.zeros((len(times), len(channel.curves)))
    for place, curve in enumerate(channel.curves):
        if curve is not None:
            result[:, place] = curve_values(curve, times)
    return result


def curve_values(curve: Curve, times: Array) -> Array:
    """(T,) of one curve. A key counts from its own time on; before the first the curve has its first value."""
    rows = np.maximum(np.searchsorted(curve.times, times, side="right") - 1, 0)
    a, b, c, value = curve.coefficients[rows].T
    elapsed = np.maximum(times - curve.times[rows], 0.0)
    result: Array = ((a * elapsed + b) * elapsed + c) * elapsed + value
    return result


def _unit(quaternions: Array) -> Array:
    """Normalised; a zero one is the identity."""
    lengths = np.sqrt(np.square(quaternions).sum(axis=1))
    zero = lengths == 0.0
    result: Array = quaternions / np.where(zero, 1.0, lengths)[:, None]
    result[zero] = (0.0, 0.0, 0.0, 1.0)
    return result


def _euler(degrees: Array, order: int) -> Array:
    """Quaternions of turns by ``degrees`` (T, 3) about the fixed axes x, y and z, in the given order."""
    halves = np.radians(degrees) / 2.0
    turns = [_axis_turn(axis, halves[:, axis]) for axis in range(3)]
    first, second, third = ROTATION_ORDERS[order]
    return _after(_after(turns[first], turns[second]), turns[third])


def _axis_turn(axis: int, half_angles: Array) -> Array:
    quaternions = np.zeros((len(half_angles), 4))
    quaternions[:, axis] = np.sin(half_angles)
    quaternions[:, 3] = np.cos(half_angles)
    return quaternions


def _after(first: Array, then: Array) -> Array:
    """The rotation ``first``, followed by ``then``: the product then x first."""
    u, v = then[:, :3], first[:, :3]
    s, t = then[:, 3:], first[:, 3:]
    vector = s * v + t * u + np.cross(u, v)
    scalar = s * t - np.sum(u * v, axis=1, keepdims=True)
    return np.concatenate([vector, scalar], axis=1)
