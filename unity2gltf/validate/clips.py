"""Clips of Unity's beside the animations of a file: names and targets, then every channel over time, then vertices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..evaluate.fields import GlbError, get_text, unity_extras
from ..evaluate.gltf.samplers import GltfChannel, GltfPlayer
from ..evaluate.unity.curves import UnityPlayer
from ..ir import Asset, BlendShape, Channel, Clip, Path, Track
from .claims import utf8_text
from .clip_sums import ClipSums
from .clip_times import MOST_TIMES, Rounding, sample_times, unity_times
from .clip_values import allowed, differences, mirrored_values, target_weights
from .measure import LARGEST_ERROR, Problems

Array = NDArray[np.float64]
Key = tuple[int, str, str]
"""Node, path and pointer: what a channel moves."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A channel of Unity's, its track, and the file's channel with the same target; the rounding between them."""

    channel: Channel
    track: Track
    written: GltfChannel
    rounding: Rounding
    shapes: tuple[BlendShape, ...]

    @property
    def approximate(self) -> bool:
        return self.track.error > 0.0 or not self.channel.exact

    def allowed(self, times: Array) -> Array:
        """(T,) by how much both sides may differ at Unity's ``times``."""
        return allowed(self.channel, self.rounding, times, self.shapes) + self.track.error


class ClipComparison:
    """Compares all clips of one file. ``sums`` tells the outcome, ``problems`` what does not match."""

    def __init__(self, asset: Asset, player: GltfPlayer, level: str, problems: Problems) -> None:
        self.asset, self.level, self.problems = asset, level, problems
        self.unity, self.gltf = UnityPlayer(asset), player
        self.sums = ClipSums()

    def pairs(self) -> Iterator[tuple[int, Clip, str, list[Pair]]]:
        """Number in the file, clip, label and the paired channels of every clip that both sides have, after they have
        been compared over time."""
        clips = [clip for clip in self.asset.clips if clip.tracks or clip.channels]
        animations = self.gltf.gltf.items("animations")
        if len(animations) != len(clips):
            self.problems.add(f"{len(clips)} clips in Unity, {len(animations)} animations in the file")
            return
        names: set[str] = set()
        for number, clip in enumerate(clips):
            label = f'clip {number} "{clip.name}"'
            self.sums.count += 1
            try:
                self._claims(number, clip, label, names)
                pairs = self._paired(number, clip, label)
                for pair in pairs:
                    self._compare(clip, pair, label)
                yield number, clip, label, pairs
            except GlbError as error:
                self.problems.add(f"{label}: {error}")

    def _claims(self, number: int, clip: Clip, label: str, names: set[str]) -> None:
        """Name (the clip's, made unique by its rig's), rig, and source mark."""
        item, pointer = self.gltf.gltf.items("animations")[number], f"/animations/{number}"
        name, rig = get_text(item, "name", pointer, ""), utf8_text(self.asset.nodes[clip.rig].name)
        wanted = rf"{re.escape(utf8_text(clip.name))}(@{re.escape(rig)}(#\d+)?)?"
        if not re.fullmatch(wanted, name) or name in names:
            self.problems.add(f"{label}: it is called {name!r} in the file")
        names.add(name)
        unity = unity_extras(item, pointer)
        if unity.get("rig") != clip.rig:
            self.problems.add(f"{label}: its rig is {unity.get('rig')} in the file, wanted is {clip.rig}")
        mark = clip.source.mark()
        if {key: unity.get(key) for key in mark} != mark:
            self.problems.add(f"{label}: its source mark is not {mark}")

    def _paired(self, number: int, clip: Clip, label: str) -> list[Pair]:
        written: dict[Key, GltfChannel] = {}
        for channel in self.gltf.channels(number):
            key = (channel.node, channel.path, channel.pointer)
            if key in written:
                self.problems.add(f"{label}: two channels move {_place(key)}")
            written[key] = channel
        channels = {_key(channel): channel for channel in clip.channels}
        tracks = {_key(track): track for track in clip.tracks}
        for key in sorted(channels.keys() ^ tracks.keys()):
            self.problems.add(f"{label}: {_place(key)} has a channel or a track, but not both")
        for what, keys in (
            ("is missing in the file", channels.keys() - written.keys()),
            ("is not moved by Unity", written.keys() - channels.keys()),
        ):
            for key in sorted(keys):
                self.problems.add(f"{label}: {_place(key)} {what}")
        both = [key for key in channels if key in written and key in tracks]
        return [
            Pair(c := channels[key], tracks[key], written[key], Rounding(c, clip.duration), self._shapes(c))
            for key in both
        ]

    def _compare(self, clip: Clip, pair: Pair, label: str) -> None:
        """One channel at its sample times."""
        channel, written = pair.channel, pair.written
        self.sums.kinds[written.mode] += 1
        place = f"{label}, {_place(_key(channel))}"
        if written.times[-1] != float(np.float32(clip.duration)) or written.times[0] < 0:
            self.problems.add(f"{place}: it ends at {written.times[-1]:.9g} s, the clip at {clip.duration:.9g} s")
        jumps = pair.rounding.jumps
        times = sample_times(written.times, channel, jumps, clip.duration, self.level)
        asked = unity_times(times, jumps)
        wanted, found = self._wanted(pair, asked), self.gltf.sample(written, times)
        if wanted.shape != found.shape:
            self.problems.add(f"{place}: {wanted.shape[1]} components in Unity, {found.shape[1]} in the file")
            return
        self.sums.times += len(times)
        self.sums.thinned += len(times) == MOST_TIMES[self.level]
        errors = differences(channel.path, wanted, found)
        bounds = pair.allowed(asked)
        sums = self.sums.approximate if pair.approximate else self.sums.exact
        sums.add(channel.path, float(errors[errors < LARGEST_ERROR].max(initial=0.0)) + _stated(channel))
        wrong = np.flatnonzero(~(errors <= bounds))
        if len(wrong):
            worst = int(wrong[np.argmax(np.nan_to_num(errors[wrong], nan=np.inf))])
            self.problems.add(
                f"{place}: {len(wrong)} of {len(times)} times are up to {errors[worst]:.6g} off "
                f"(at {times[worst]:.9g} s, tolerance {bounds[worst]:.3g})"
            )

    def _wanted(self, pair: Pair, times: Array) -> Array:
        channel = pair.channel
        values = mirrored_values(channel.path, self.unity.sample(channel, times))
        if channel.path is Path.WEIGHTS:
            return target_weights(pair.shapes, values)
        return (values != 0).astype(np.float64) if pair.written.truth else values

    def _shapes(self, channel: Channel) -> tuple[BlendShape, ...]:
        mesh = self.asset.nodes[channel.node].mesh if channel.path is Path.WEIGHTS else None
        return () if mesh is None else self.asset.geometries[self.asset.meshes[mesh].geometry].shapes


def _key(item: Channel | Track) -> Key:
    if item.path is Path.POINTER:
        return -1, "pointer", item.pointer
    return item.node, "rotation" if item.path is Path.EULER else item.path.value, ""


def _place(key: Key) -> str:
    node, path, pointer = key
    return f"pointer {pointer}" if pointer else f"{path} of node {node}"


def _stated(channel: Channel) -> float:
    """What the channel's curves may be off from the game, in the units of :func:`differences`."""
    if channel.path is Path.EULER:
        return float(np.radians(channel.error))
    return channel.error / 100.0 if channel.path is Path.WEIGHTS else channel.error
