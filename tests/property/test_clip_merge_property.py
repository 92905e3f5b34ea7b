"""Random piecewise cubics, played by Unity's rules, and their tracks, played by glTF's, agree within float32.

Times are compared outside the one float32 step before a key: there a jump is cut early, and a rounded time may make
one segment begin before the other ends.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.clip_sampler import (
    angle_between,
    channel_value,
    curve_value,
    drawn_without_tangents,
    track_value,
)
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import BlendFrame, BlendShape, Channel, Curve, Interpolation, Path, Track
from unity2gltf.normalize.clips.merge import TrackOptions, make_track

DURATION = 3.0
EPSILON = 2.0**-23  # one float32 step, relative
TINY = 1e-12  # the square of a float32 step of time
ORIGINAL = TrackOptions(key_tolerance=0.0, resample_hz=None, rig_size=1.0)
DENSE = TrackOptions(key_tolerance=1.0, resample_hz=None, rig_size=1.0)

numbers = st.floats(-4, 4, width=32)
seeds = st.integers(0, 2**32 - 1)


@st.composite
def key_times(draw: st.DrawFn) -> list[float]:
    """Times around 0..DURATION, some of them float32 neighbours or closer, some beyond the ends."""
    times = set(draw(st.lists(st.floats(-0.5, DURATION + 0.5), min_size=1, max_size=7)))
    for time in list(times)[:2]:
        near = draw(st.sampled_from([None, float(np.nextafter(np.float32(time), np.float32(9))), time + 1e-12]))
        if near is not None:
            times.add(near)
    return sorted(times)


@st.composite
def curves(draw: st.DrawFn) -> Curve:
    """Each segment a step, a line or a cubic; it ends on the next key or jumps there."""
    times = draw(key_times())
    rows = []
    value = draw(numbers)
    for k, start in enumerate(times):
        length = times[k + 1] - start if k + 1 < len(times) else 1.0
        kind = draw(st.sampled_from(["step", "line", "cubic", "cubic"]))
        a, b, c = (draw(numbers) for _ in range(3))
        a, b = (a, b) if kind == "cubic" else (0.0, 0.0)
        row = [a, b, 0.0 if kind == "step" else c, value]
        rows.append(row)
        value = ((a * length + b) * length + row[2]) * length + value
        if draw(st.booleans()):
            value += draw(st.sampled_from([-1, 1])) * draw(st.floats(0.0625, 4, width=32))
    return Curve(times=np.array(times), coefficients=np.array(rows))


def make(channel: Channel, options: TrackOptions, shapes: Sequence[BlendShape] = ()) -> Track:
    diagnostics = Diagnostics()
    track = make_track(channel, DURATION, shapes, [0.25] * len(shapes), options, diagnostics)
    assert track is not None, diagnostics.items
    assert {item.code.name for item in diagnostics.items} <= {"CLIP_KEYS_CAPPED"}
    assert_shape(track)
    return track


def assert_shape(track: Track) -> None:
    assert track.times.dtype == track.values.dtype == np.float32
    assert (track.times[0], track.times[-1]) == (0.0, np.float32(DURATION))
    assert (np.diff(track.times) > 0).all()
    assert np.isfinite(track.values).all()
    cubic = track.interpolation is Interpolation.CUBICSPLINE
    for tangents in (track.in_tangents, track.out_tangents):
        assert (tangents is not None) is cubic
        assert tangents is None or (tangents.shape == track.values.shape and tangents.dtype == np.float32)


def sample_times(channel: Channel, seed: int) -> list[float]:
    """Random times, and times about the keys, but for the float32 steps next to the keys."""
    starts = np.unique(np.concatenate([curve.times for curve in channel.curves if curve is not None]))
    rng = np.random.default_rng(seed)
    near = np.concatenate([starts + 2e-6, starts - 2e-6])
    times = np.concatenate([rng.uniform(0, DURATION, 40), near, [0.0, DURATION]])
    times = times[(times >= 0) & (times <= DURATION)]
    distance = np.abs(times[:, None] - starts).min(axis=1)
    return times[distance > 1e-6].tolist()


def float32_bound(channel: Channel, track: Track, time: float) -> float:
    """What rounding to float32 may cost at ``time``: a step of the values and of the tangents over their piece, and
    the slopes over a step of time (segments begin at rounded times, where the one before is a little off)."""
    row = min(int(np.searchsorted(track.times, time, side="right")) - 1, len(track.times) - 2)
    near = slice(max(row - 1, 0), row + 3)
    lengths = np.diff(track.times[near].astype(float))
    slope = float(np.abs(np.diff(track.values[near].astype(float), axis=0) / lengths[:, None]).max())
    if track.in_tangents is not None and track.out_tangents is not None:
        slope = float(max(np.abs(track.out_tangents[near]).max(), np.abs(track.in_tangents[near]).max()))
    elif track.interpolation is Interpolation.STEP:
        slope = 0.0
    size = float(np.abs(track.values[row : row + 2]).max())
    tick = float(np.spacing(np.float32(DURATION)))
    steepest = max(float(np.abs(curve.coefficients[:, 2]).max()) for curve in channel.curves if curve is not None)
    if channel.path is Path.WEIGHTS:
        steepest *= 16 / 100.0  # in hundredths, over frames that lie at least 1/8 apart
    return EPSILON * (size + float(lengths.max()) * slope) + tick * (slope + steepest) + TINY


@given(st.sampled_from([Path.TRANSLATION, Path.SCALE, Path.POINTER]), st.lists(curves(), min_size=3, max_size=3), seeds)
def test_components_play_alike(path: Path, parts: list[Curve], seed: int) -> None:
    channel = Channel(node=0, path=path, curves=tuple(parts))
    for options in (ORIGINAL, DENSE):
        track = make(channel, options)
        assert track.error == 0.0
        for time in sample_times(channel, seed):
            off = np.abs(np.subtract(track_value(track, time), channel_value(channel, time))).max()
            assert off <= float32_bound(channel, track, time), (time, off)


@given(st.lists(curves(), min_size=3, max_size=3), seeds)
def test_lines_between_dense_keys_stay_close(parts: list[Curve], seed: int) -> None:
    channel = Channel(node=0, path=Path.TRANSLATION, curves=tuple(parts))
    track = make(channel, TrackOptions(key_tolerance=1.0, resample_hz=None, rig_size=50.0))
    if track.interpolation is Interpolation.STEP:
        return
    for time in sample_times(channel, seed):
        off = np.linalg.norm(np.subtract(drawn_without_tangents(track, time), channel_value(channel, time)))
        assert off <= 50.0 * 1e-4 * 1.001 + float32_bound(channel, track, time)


# --- weights ------------------------------------------------------------------------------------------------------


@st.composite
def blend_shapes(draw: st.DrawFn) -> BlendShape:
    steps = draw(st.lists(st.floats(0.125, 1, width=32), min_size=1, max_size=4))
    frames = tuple(
        BlendFrame(full_weight=float(full), indices=np.zeros(0, np.int64), positions=np.zeros((0, 3), np.float32))
        for full in np.cumsum(steps)
    )
    return BlendShape(name="shape", frames=frames)


def percent(curve: Curve) -> Curve:
    """Weights of a few hundred per cent, so that no segment passes the limit on extra keys."""
    return Curve(times=curve.times, coefficients=curve.coefficients * 10.0)


@given(st.lists(st.tuples(blend_shapes(), st.none() | curves().map(percent)), min_size=1, max_size=3), seeds)
def test_weights_of_frames_play_alike(pairs: list[tuple[BlendShape, Curve | None]], seed: int) -> None:
    shapes = [shape for shape, _ in pairs]
    channel = Channel(node=0, path=Path.WEIGHTS, curves=tuple(curve for _, curve in pairs))
    if not any(channel.curves):
        assert make_track(channel, DURATION, shapes, [0.25] * len(shapes), DENSE, Diagnostics()) is None
        return
    for options in (ORIGINAL, DENSE):
        track = make(channel, options, shapes)
        assert track.error == 0.0
        for time in sample_times(channel, seed):
            expected = channel_value(channel, time, shapes, [0.25] * len(shapes))
            off = np.abs(np.subtract(track_value(track, time), expected)).max()
            assert off <= float32_bound(channel, track, time), (time, off)
            if options is DENSE and track.interpolation is not Interpolation.STEP:
                off = np.abs(np.subtract(drawn_without_tangents(track, time), expected)).max()
                assert off <= 1.001e-3 + float32_bound(channel, track, time)


# --- rotations ----------------------------------------------------------------------------------------------------


@st.composite
def quaternion_channels(draw: st.DrawFn) -> Channel:
    """Hermite curves through unit quaternions, up to 80 degrees apart in quaternion space, with random slopes; here
    and there a jump, or a sign that turns."""
    count = draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(seeds))
    times = np.sort(rng.uniform(0, DURATION, count))
    rows = np.zeros((count, 4, 4))
    value = _unit(rng.normal(size=4))
    for k in range(count):
        rows[k, 3] = value
        if k + 1 < count:
            length = times[k + 1] - times[k]
            end = _unit(value + rng.normal(size=4) * draw(st.sampled_from([0.0, 0.05, 0.4])))
            slope, arriving = rng.normal(size=(2, 4)) * 0.1
            mean = (end - value) / length
            rows[k] = [
                (slope + arriving - 2 * mean) / length**2,
                (3 * mean - 2 * slope - arriving) / length,
                slope,
                value,
            ]
            value = {0: end, 1: -end, 2: _unit(rng.normal(size=4))}[draw(st.sampled_from([0, 0, 1, 2]))]
    curves_ = tuple(Curve(times=times, coefficients=rows[:, :, axis]) for axis in range(4))
    return Channel(node=0, path=Path.ROTATION, curves=curves_)


def _unit(quaternion: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return quaternion / np.linalg.norm(quaternion)


@given(quaternion_channels(), seeds)
def test_quaternions_play_alike(channel: Channel, seed: int) -> None:
    for options in (ORIGINAL, DENSE):
        track = make(channel, options)
        assert track.interpolation is not Interpolation.LINEAR
        assert track.error <= (0.0 if options is ORIGINAL else 2e-6)
        assert np.abs(np.linalg.norm(track.values.astype(float), axis=1) - 1).max() <= 0.005 + 1e-6
        for time in sample_times(channel, seed):
            expected = channel_value(channel, time)
            length = np.linalg.norm([curve_value(curve, time) for curve in channel.curves if curve])
            if length < 0.2:
                continue  # next to a quaternion without direction any rounding turns it
            off = angle_between(track_value(track, time), expected)
            assert off <= 2 * track.error + 2 * (float32_bound(channel, track, time) + 2e-7) / length
            if options is DENSE and track.interpolation is not Interpolation.STEP and length > 0.5:
                off = angle_between(drawn_without_tangents(track, time), expected)
                assert off <= np.radians(0.1) + 1e-5


@given(st.lists(curves(), min_size=3, max_size=3), st.integers(0, 5), st.sampled_from([10.0, 90.0]), seeds)
def test_euler_curves_within_a_hundredth_of_a_degree(parts: list[Curve], order: int, scale: float, seed: int) -> None:
    degrees = tuple(Curve(times=part.times, coefficients=part.coefficients * scale) for part in parts)
    channel = Channel(node=0, path=Path.EULER, curves=degrees, rotation_order=order)
    for options in (ORIGINAL, DENSE):
        track = make(channel, options)
        assert track.path is Path.ROTATION
        assert track.error <= np.radians(0.01)
        for time in sample_times(channel, seed):
            expected = channel_value(channel, time)
            off = angle_between(track_value(track, time), expected)
            rounding = np.radians(float32_bound(channel, track, time)) + 1e-6
            assert off <= np.radians(0.01) + rounding
            if options is DENSE and track.interpolation is not Interpolation.STEP:
                assert angle_between(drawn_without_tangents(track, time), expected) <= np.radians(0.11) + rounding


@given(st.sampled_from([Path.TRANSLATION, Path.EULER]), st.lists(curves(), min_size=3, max_size=3), seeds)
def test_resampled_tracks_state_their_error(path: Path, parts: list[Curve], seed: int) -> None:
    channel = Channel(node=0, path=path, curves=tuple(parts))
    track = make(channel, TrackOptions(key_tolerance=1.0, resample_hz=30.0, rig_size=1.0))
    assert track.interpolation is not Interpolation.CUBICSPLINE
    if track.interpolation is Interpolation.STEP:
        return
    for time in sample_times(channel, seed):
        found, expected = track_value(track, time), channel_value(channel, time)
        if path is Path.EULER:
            assert angle_between(found, expected) <= 1.5 * track.error + np.radians(float32_bound(channel, track, time))
        else:
            off = np.linalg.norm(np.subtract(found, expected))
            assert off <= 1.5 * track.error + float32_bound(channel, track, time)


@given(st.lists(curves(), min_size=3, max_size=3))
def test_the_same_curves_give_the_same_bytes(parts: list[Curve]) -> None:
    channel = Channel(node=0, path=Path.TRANSLATION, curves=tuple(parts))
    one, other = make(channel, DENSE), make(channel, DENSE)
    assert one.times.tobytes() == other.times.tobytes()
    assert one.values.tobytes() == other.values.tobytes()
