"""Decoding a clip, from stored words to curves: ours against the plain-Python twin, in one process.

    python benchmarks/clip_decode.py [KEYS]

The clip has 60 bindings (position, rotation and scale of 20 objects: 200 curves) whose streamed curves have KEYS keys
(180,000) in all. Both sides cut them to the clip's span. Then ours at 1, 4 and 16 times as many keys, to show that
time grows with their number alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.reference import clip_twin as twin
from tests.reference.clip_writer import binding, clip, compiled
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.clips.decode import DecodedClip, decode_clip
from unity2gltf.raw import RawClip

OBJECTS, CURVES = 20, 200
RATE = 30.0


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
        rotation = [0.0, 0.0, 0.0, 1.0] + 0.5 * wandering(frames, 4, rng)
        parts += [wandering(frames, 3, rng), rotation / np.linalg.norm(rotation, axis=1, keepdims=True)]
        parts += [1.0 + 0.1 * wandering(frames, 3, rng)]
    return np.concatenate(parts, axis=1)


def make_clip(keys: int) -> RawClip:
    frames = max(2, keys // CURVES)
    bindings = tuple(binding(4, attribute, path) for path in range(OBJECTS) for attribute in (1, 2, 3))
    words = streamed_words(motion(frames, np.random.default_rng(1)), RATE)
    return clip(stop=(frames - 1) / RATE, compiled=compiled(words, streamed=CURVES), bindings=bindings)


def ours(raw: RawClip) -> DecodedClip:
    return decode_clip(raw, Diagnostics())


def plain(raw: RawClip) -> list[list[list[twin.Row]]]:
    assert raw.compiled is not None
    curves = twin.streamed(raw.compiled.streamed.tolist(), CURVES)
    kept = {n: [row for row in rows if raw.start <= row[0] <= raw.stop] for n, rows in curves.items()}
    numbers = twin.binding_numbers([(one.type_id, one.attribute) for one in raw.bindings])
    return [[kept[number] for number in group] for group in numbers]


def seconds(run: Callable[[RawClip], Any], raw: RawClip, runs: int) -> float:
    """Of the fastest of ``runs``."""
    times = []
    for _ in range(runs):
        start = perf_counter()
        run(raw)
        times.append(perf_counter() - start)
    return min(times)


def main(keys: int) -> None:
    raw = make_clip(keys)
    count = sum(len(part.times) for curve in ours(raw).curves for part in curve.curves)
    assert count == sum(len(rows) for group in plain(raw) for rows in group)
    fast, slow = seconds(ours, raw, 5), seconds(plain, raw, 2)
    print(
        f"{count:>9,} keys   ours {fast * 1e3:8.1f} ms   plain Python {slow * 1e3:8.1f} ms   {slow / fast:5.1f} times"
    )
    for factor in (1, 4, 16):
        large = make_clip(keys * factor)
        print(f"{keys * factor:>9,} keys   ours {1e9 * seconds(ours, large, 3) / (keys * factor):8.1f} ns a key")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 180_000)
