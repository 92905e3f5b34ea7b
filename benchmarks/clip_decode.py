"""Clips from stored words to glTF samplers: ours against the plain-Python twin, in one process.

    python benchmarks/clip_decode.py [KEYS]

The clip has 60 bindings (position, rotation and scale of 20 objects: 200 curves) whose streamed curves have KEYS keys
(180,000) in all. Both sides decode them, cut them to the clip's span, bind them to the objects, and make the samplers
of all channels: once with the clip's own keys, once as dense as the default tolerance asks. Both must give the same
samplers. Then ours at 1, 4 and 16 times as many keys, to show that time grows with their number alone.
"""

from __future__ import annotations

import math
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from timing import seconds

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.reference import clip_twin, track_twin
from tests.reference.clip_writer import binding, clip, compiled
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Track
from unity2gltf.normalize.clips.bindings import Rig, bind
from unity2gltf.normalize.clips.decode import decode_clip
from unity2gltf.normalize.clips.merge import DEGREES, LENGTHS, SHARE, TrackOptions, make_track
from unity2gltf.raw import RawClip

OBJECTS, CURVES = 20, 200
RATE = 30.0
RIG_SIZE = 2.0


def streamed_words(values: NDArray[Any], rate: float) -> NDArray[np.uint32]:
    """The stream of (frames, curves) values: cubics from frame to frame, with the slopes of their neighbours' chord."""
    frames, curves = values.shape
    record = np.dtype([("curve", "<u4"), ("a", "<f4"), ("b", "<f4"), ("c", "<f4"), ("v", "<f4")])
    stream = np.zeros(frames, np.dtype([("time", "<f4"), ("count", "<u4"), ("records", record, (curves,))]))
    stream["time"] = np.arange(frames) / rate
    stream["count"] = curves
    records = stream["records"]
    records["curve"] = np.arange(curves)
    records["v"] = values
    slopes, chords = np.gradient(values, 1 / rate, axis=0), np.diff(values, axis=0) * rate
    records["c"][:-1] = slopes[:-1]
    records["b"][:-1] = (3 * chords - 2 * slopes[:-1] - slopes[1:]) * rate
    records["a"][:-1] = (slopes[:-1] + slopes[1:] - 2 * chords) * rate**2
    return np.append(stream.view(np.uint32), np.array([0x7F800000, 0], np.uint32))


def wandering(frames: int, curves: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """(frames, curves) sums of three waves of 2 to 8 seconds, within -1 and 1."""
    time = np.arange(frames)[:, None, None] / RATE
    pace, phase = rng.uniform(0.8, 3.0, (3, curves)), rng.uniform(0, 6.3, (3, curves))
    return np.asarray(np.sin(pace * time + phase).mean(axis=1))


def motion(frames: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """(frames, CURVES): position, rotation (of unit length) and scale of each object in turn."""
    parts = []
    for _ in range(OBJECTS):
        rotation = [0.0, 0.0, 0.0, 1.0] + 0.8 * wandering(frames, 4, rng)
        parts += [wandering(frames, 3, rng), rotation / np.linalg.norm(rotation, axis=1, keepdims=True)]
        parts += [1.0 + 0.1 * wandering(frames, 3, rng)]
    return np.concatenate(parts, axis=1)


def make_clip(keys: int) -> RawClip:
    frames = max(2, keys // CURVES)
    bindings = tuple(binding(4, attribute, path) for path in range(OBJECTS) for attribute in (1, 2, 3))
    words = streamed_words(motion(frames, np.random.default_rng(1)), RATE)
    stop = float(np.float32((frames - 1) / RATE))
    return clip(stop=stop, compiled=compiled(words, streamed=CURVES), bindings=bindings)


def ours(raw: RawClip, tolerance: float) -> list[Track]:
    found = Diagnostics()
    clip_ = decode_clip(raw, found)
    options = TrackOptions(key_tolerance=tolerance, resample_hz=None, rig_size=RIG_SIZE)
    rig = Rig(node=0, by_hash={path: path for path in range(OBJECTS)})
    channels = bind(clip_, rig, {}, found).channels
    tracks = [make_track(channel, clip_.duration, (), (), options, found) for channel in channels]
    assert not found.items
    return [track for track in tracks if track is not None]


def plain(raw: RawClip, tolerance: float) -> list[track_twin.Sampler]:
    assert raw.compiled is not None
    curves = clip_twin.streamed(raw.compiled.streamed.tolist(), CURVES)
    kept = {n: [row for row in rows if raw.start <= row[0] <= raw.stop] for n, rows in curves.items()}
    for rows in kept.values():
        rows[-1] = (rows[-1][0], 0.0, 0.0, 0.0, rows[-1][4])
    numbers = clip_twin.binding_numbers([(one.type_id, one.attribute) for one in raw.bindings])
    result = []
    for one, group in zip(raw.bindings, numbers, strict=True):
        kind = {1: "position", 2: "rotation", 3: "scale"}[one.attribute]
        rows = [kept[number] for number in group]
        largest = max(abs(row[4]) for curve in rows for row in curve) if kind == "scale" else 0.0
        unit = {"position": LENGTHS * RIG_SIZE, "rotation": math.radians(DEGREES), "scale": SHARE * largest}[kind]
        result.append(track_twin.track(rows, raw.stop - raw.start, kind, tolerance * unit))
    return result


def assert_same(tracks: list[Track], twins: list[track_twin.Sampler]) -> int:
    """How many values were written, after a look whether both sides agree."""
    for track, (times, values, arriving, leaving) in zip(tracks, twins, strict=True):
        assert track.in_tangents is not None
        assert track.out_tangents is not None
        assert track.times.tolist() == times
        pairs = ((track.values, values), (track.in_tangents, arriving), (track.out_tangents, leaving))
        for own, other in pairs:
            assert np.abs(own - np.array(other)).max() < 1e-4
    return sum(track.values.size for track in tracks)


def main(keys: int) -> None:
    raw = make_clip(keys)
    for name, tolerance in (("own keys", 0.0), ("default density", 1.0)):
        written = assert_same(ours(raw, tolerance), plain(raw, tolerance))
        fast, slow = seconds(partial(ours, raw, tolerance), 5), seconds(partial(plain, raw, tolerance), 2)
        print(f"{name:16}{keys:>10,} keys to {written:>10,} numbers   ours {fast * 1e3:8.1f} ms   ", end="")
        print(f"plain Python {slow * 1e3:8.1f} ms   {slow / fast:5.1f} times")
        for factor in (1, 4, 16):
            large = make_clip(keys * factor)
            each = 1e9 * seconds(partial(ours, large, tolerance), 3) / (keys * factor)
            print(f"{name:16}{keys * factor:>10,} keys   ours {each:8.1f} ns a key", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 180_000)
