"""Curves, channels and tracks for the tests of merging, in few words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import BlendFrame, BlendShape, Channel, Curve, Path, Track
from unity2gltf.normalize.clips.merge import TrackOptions, make_track

ORIGINAL = TrackOptions(key_tolerance=0.0, resample_hz=None, rig_size=1.0)
DENSE = TrackOptions(key_tolerance=1.0, resample_hz=None, rig_size=1.0)


def curve(*rows: tuple[float, ...]) -> Curve:
    """Rows are (time, a, b, c, v), or (time, v) for a step."""
    table = np.array([row if len(row) == 5 else (row[0], 0, 0, 0, row[1]) for row in rows], dtype=float)
    return Curve(times=table[:, 0], coefficients=table[:, 1:])


def hermite(*keys: tuple[float, float, float, float]) -> Curve:
    """Keys are (time, value, in slope, out slope)."""
    rows = []
    for (start, value, _, leaving), (stop, end, arriving, _) in pairwise(keys):
        length = stop - start
        mean = (end - value) / length
        rows.append(
            (
                start,
                (leaving + arriving - 2 * mean) / length**2,
                (3 * mean - 2 * leaving - arriving) / length,
                leaving,
                value,
            )
        )
    return curve(*rows, (keys[-1][0], keys[-1][1]))


def line(*keys: tuple[float, float]) -> Curve:
    """Straight from (time, value) to (time, value)."""
    slopes = [(end - value) / (stop - start) for (start, value), (stop, end) in pairwise(keys)]
    rows = [(time, 0.0, 0.0, slope, value) for (time, value), slope in zip(keys, slopes, strict=False)]
    return curve(*rows, keys[-1])


STILL = curve((0.0, 0.0))


def channel(path: Path, *curves: Curve | None, order: int = 4) -> Channel:
    return Channel(node=7, path=path, curves=curves, rotation_order=order)


def position(x: Curve, y: Curve = STILL, z: Curve = STILL) -> Channel:
    return channel(Path.TRANSLATION, x, y, z)


def shape(*full: float) -> BlendShape:
    empty = (np.zeros(0, np.int64), np.zeros((0, 3), np.float32))
    return BlendShape(
        name="shape", frames=tuple(BlendFrame(full_weight=f, indices=empty[0], positions=empty[1]) for f in full)
    )


def merged(
    source: Channel,
    duration: float,
    options: TrackOptions = ORIGINAL,
    shapes: Sequence[BlendShape] = (),
    defaults: Sequence[float] = (),
) -> Track:
    """The track of a channel about which there is nothing to say."""
    diagnostics = Diagnostics()
    track = make_track(source, duration, shapes, defaults, options, diagnostics)
    assert diagnostics.items == []
    assert track is not None
    return track


def refused(
    source: Channel, duration: float, options: TrackOptions = ORIGINAL, shapes: Sequence[BlendShape] = ()
) -> str:
    """The sentence with which a broken channel is refused."""
    diagnostics = Diagnostics()
    assert make_track(source, duration, shapes, (), options, diagnostics) is None
    assert [item.code.name for item in diagnostics.items if item.code.name != "CLIP_KEYS_CAPPED"] == ["CLIP_INVALID"]
    return diagnostics.items[-1].message
