"""What a glTF viewer plays: animation samplers of a file, in float64 (glTF 2.0, 3.11 and appendix C)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..document import Gltf
from ..fields import GlbError, Json, as_object, get_index, get_integer, get_list, get_object, get_text
from .nodes import TRS, node_trs

Array = NDArray[np.float64]

Pose = tuple[dict[int, TRS], dict[int, tuple[float, ...]]]
"""Local transforms, and weights of morph targets, by node."""

WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}
"""Components of a value by the path of the target."""

_PARTS = {"translation": 0, "rotation": 1, "scale": 2}
_POINTER = "KHR_animation_pointer"


@dataclass(frozen=True, slots=True, eq=False)
class GltfChannel:
    """One channel with its sampler: ``times`` (K,), ``values`` (K, W), for CUBICSPLINE tangents (K, W).

    ``node`` is -1 and ``pointer`` set for path ``pointer``; ``truth``: its values are bytes that stand for true and
    false.
    """

    node: int
    path: str
    pointer: str
    mode: str
    times: Array
    values: Array
    in_tangents: Array | None = None
    out_tangents: Array | None = None
    truth: bool = False


class GltfPlayer:
    """Plays the animations of ``gltf``. Raises :class:`GlbError` where one makes no sense."""

    def __init__(self, gltf: Gltf) -> None:
        self.gltf = gltf
        self._arrays: dict[int, NDArray[Any]] = {}
        self._channels: dict[int, list[GltfChannel]] = {}

    def channels(self, animation: int) -> list[GltfChannel]:
        """The channels of an animation in order; those without a node and pointer, which readers ignore, left out."""
        if animation not in self._channels:
            item, pointer = self.gltf.items("animations")[animation], f"/animations/{animation}"
            samplers = get_list(item, "samplers", pointer)
            found = []
            for place, value in enumerate(get_list(item, "channels", pointer)):
                where = f"{pointer}/channels/{place}"
                channel = as_object(value, where)
                number = get_integer(channel, "sampler", where, below=len(samplers))
                sampler = as_object(samplers[number], f"{pointer}/samplers/{number}")
                target = self._target(get_object(channel, "target", where), f"{where}/target")
                if target is not None:
                    found.append(self._channel(*target, sampler, f"{pointer}/samplers/{number}"))
            self._channels[animation] = found
        return self._channels[animation]

    def sample(self, channel: GltfChannel, times: Array) -> Array:
        """(T, W) of a channel at ``times`` (T,), held before the first key and after the last. Rotations are unit
        quaternions where the format normalises them (CUBICSPLINE, slerp of unit keys); a truth value is 0 or 1."""
        clamped = np.clip(times, channel.times[0], channel.times[-1])
        left = np.minimum(np.searchsorted(channel.times, clamped, side="right") - 1, len(channel.times) - 1)
        if channel.mode == "STEP" or len(channel.times) == 1:
            values = channel.values[left]
            return (values != 0).astype(np.float64) if channel.truth else values
        left = np.minimum(left, len(channel.times) - 2)
        span = (channel.times[left + 1] - channel.times[left])[:, None]
        share = (clamped - channel.times[left])[:, None] / span
        if channel.mode == "CUBICSPLINE":
            spline = _spline(channel, left, share, span)
            return _unit(spline) if channel.path == "rotation" else spline
        before, after = channel.values[left], channel.values[left + 1]
        return _slerp(before, after, share) if channel.path == "rotation" else before + share * (after - before)

    def pose(self, animation: int, time: float) -> Pose:
        """Local transforms of the nodes that an animation moves, as the node stands in what it leaves alone, and the
        weights of morph targets of the nodes whose mesh it drives."""
        return self.poses(animation, np.array([time]))[0]

    def poses(self, animation: int, times: Array) -> list[Pose]:
        """:meth:`pose` at each of ``times``, every channel sampled once."""
        poses: list[Pose] = [({}, {}) for _ in times]
        for channel in self.channels(animation):
            if channel.path == "pointer":
                continue
            rest = node_trs(self.gltf.items("nodes")[channel.node], f"/nodes/{channel.node}")
            for (overrides, weights), value in zip(poses, self.sample(channel, times).tolist(), strict=True):
                if channel.path == "weights":
                    weights[channel.node] = tuple(value)
                else:
                    parts = list(overrides.get(channel.node, rest))
                    parts[_PARTS[channel.path]] = value
                    overrides[channel.node] = (parts[0], parts[1], parts[2])
        return poses

    def _target(self, target: Json, pointer: str) -> tuple[int, str, str] | None:
        path = get_text(target, "path", pointer)
        if path == "pointer":
            extension = get_object(get_object(target, "extensions", pointer), _POINTER, f"{pointer}/extensions")
            return -1, path, get_text(extension, "pointer", f"{pointer}/extensions/{_POINTER}")
        node = get_index(target, "node", pointer, len(self.gltf.items("nodes")))
        if node is None:
            return None
        if path not in (*WIDTHS, "weights"):
            raise GlbError(f"{pointer}/path", f"{path!r} is no path")
        if path != "weights" and "matrix" in self.gltf.items("nodes")[node]:
            raise GlbError(f"{pointer}/node", "a node with a matrix cannot be animated")
        return node, path, ""

    def _channel(self, node: int, path: str, target: str, sampler: Json, pointer: str) -> GltfChannel:
        mode = get_text(sampler, "interpolation", pointer, "LINEAR")
        if mode not in ("STEP", "LINEAR", "CUBICSPLINE"):
            raise GlbError(f"{pointer}/interpolation", f"{mode!r} is no interpolation")
        times = self._array(sampler, "input", pointer)
        if times.ndim != 1 or times.dtype.kind != "f" or not np.all(times[1:] > times[:-1]):
            raise GlbError(f"{pointer}/input", "key times must be scalars that rise strictly")
        stored = self._array(sampler, "output", pointer)
        parts = 3 if mode == "CUBICSPLINE" else 1
        if stored.size % (parts * len(times)) or len(stored) < parts * len(times) or (parts == 3 and len(times) < 2):
            raise GlbError(f"{pointer}/output", f"{len(stored)} values do not fit {len(times)} keys")
        keys = stored.astype(np.float64).reshape(len(times), parts, -1)
        if path in WIDTHS and (keys.shape[2] != WIDTHS[path] or stored.ndim != 2):
            raise GlbError(f"{pointer}/output", f"{keys.shape[2]} components for {path}")
        return GltfChannel(
            node=node,
            path=path,
            pointer=target,
            mode=mode,
            times=times.astype(np.float64),
            values=keys[:, parts // 2],
            in_tangents=keys[:, 0] if parts == 3 else None,
            out_tangents=keys[:, 2] if parts == 3 else None,
            truth=path == "pointer" and stored.dtype == np.uint8,
        )

    def _array(self, sampler: Json, key: str, pointer: str) -> NDArray[Any]:
        index = get_integer(sampler, key, pointer, below=len(self.gltf.items("accessors")))
        if index not in self._arrays:
            self._arrays[index] = self.gltf.accessor(index)
        return self._arrays[index]


def _spline(channel: GltfChannel, left: NDArray[np.int64], share: Array, span: Array) -> Array:
    """Cubic Hermite (appendix C.5): tangents are per second, so they count times the segment's length."""
    assert channel.in_tangents is not None and channel.out_tangents is not None, "CUBICSPLINE has tangents"
    square, cube = share**2, share**3
    result: Array = (
        (2 * cube - 3 * square + 1) * channel.values[left]
        + span * (cube - 2 * square + share) * channel.out_tangents[left]
        + (-2 * cube + 3 * square) * channel.values[left + 1]
        + span * (cube - square) * channel.in_tangents[left + 1]
    )
    return result


def _slerp(before: Array, after: Array, share: Array) -> Array:
    """Spherical, the shorter way (appendix C.4); straight where the two nearly coincide."""
    cosine = np.sum(before * after, axis=1, keepdims=True)
    sign = np.where(cosine < 0.0, -1.0, 1.0)
    angle = np.arccos(np.minimum(np.abs(cosine), 1.0))
    sine = np.sin(angle)
    close = sine < 1e-6
    safe = np.where(close, 1.0, sine)
    first = np.where(close, 1.0 - share, np.sin(angle * (1.0 - share)) / safe)
    second = np.where(close, share, np.sin(angle * share) / safe)
    return _unit(first * before + sign * second * after)


def _unit(quaternions: Array) -> Array:
    lengths = np.sqrt(np.square(quaternions).sum(axis=1, keepdims=True))
    result: Array = quaternions / np.where(lengths > 0.0, lengths, 1.0)
    return result
