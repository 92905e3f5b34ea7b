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

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.reference import clip_twin as twin
from tests.reference.clip_writer import binding, clip, compiled
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.clips.decode import DecodedClip, decode_clip
from unity2gltf.raw import RawClip

OBJECTS, CURVES = 20, 200
RATE = 30.0


def make_clip(keys: int) -> RawClip:
    """Frames of 200 records: cubics that land on the next frame's values."""
    frames = max(2, keys // CURVES)
    values = np.random.default_rng(1).standard_normal((frames, CURVES)).astype(np.float32)
    record = np.dtype([("curve", "<u4"), ("a", "<f4"), ("b", "<f4"), ("c", "<f4"), ("v", "<f4")])
    stream = np.zeros(frames, np.dtype([("time", "<f4"), ("count", "<u4"), ("records", record, CURVES)]))
    stream["time"] = np.arange(frames) / RATE
    stream["count"] = CURVES
    stream["records"]["curve"] = np.arange(CURVES)
    stream["records"]["v"] = values
    rise = np.diff(values, axis=0, append=values[-1:])
    stream["records"]["b"] = 3 * rise * RATE**2
    stream["records"]["a"] = -2 * rise * RATE**3
    words = np.append(stream.view(np.uint32), np.array([0x7F800000, 0], np.uint32))
    bindings = tuple(binding(4, attribute, path) for path in range(OBJECTS) for attribute in (1, 2, 3))
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
