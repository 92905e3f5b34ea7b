"""Blend-shape weights: targets, frames, defaults and clamping, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.clip_sampler import channel_value, track_value
from tests.unit.normalize.clips.splines import DENSE, ORIGINAL, channel, curve, hermite, line, merged, refused, shape
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Interpolation, Path
from unity2gltf.math3d import frame_weights
from unity2gltf.normalize.clips.merge import TrackOptions, make_track

CLAMPED = TrackOptions(key_tolerance=0.0, resample_hz=None, rig_size=1.0, clamp_weights=True)


def test_a_hundred_is_one_and_slopes_follow() -> None:
    track = merged(channel(Path.WEIGHTS, hermite((0, 0, 0, 300), (1, 100, 0, 0))), 1.0, shapes=[shape(1.0)])
    assert track.values.tolist() == [[0], [1]]
    assert track.out_tangents is not None
    assert track.out_tangents[0].tolist() == [3]


def test_one_sampler_for_all_targets_in_order_with_defaults() -> None:
    shapes = [shape(1.0), shape(0.5, 1.0), shape(0.5)]
    source = channel(Path.WEIGHTS, None, None, line((0, 0), (2, 100)))
    track = merged(source, 2.0, shapes=shapes, defaults=[0.25, 0.75])
    assert track.interpolation is Interpolation.LINEAR
    assert track.values.tolist() == [[0.25, 0.5, 0.5, 0], [0.25, 0.5, 0.5, 2]]


def test_without_a_curve_there_is_no_track() -> None:
    diagnostics = Diagnostics()
    shapes = [shape(1.0), shape(1.0)]
    assert make_track(channel(Path.WEIGHTS, None, None), 1.0, shapes, (0, 0), ORIGINAL, diagnostics) is None
    assert make_track(channel(Path.WEIGHTS), 1.0, (), (), ORIGINAL, diagnostics) is None
    assert diagnostics.items == []


def test_frames_are_tents_split_where_the_weight_crosses() -> None:
    """0 to 150 in 3 s over frames at 50 and 100: keys at 1 and 2 s, past the last frame it is scaled on."""
    track = merged(channel(Path.WEIGHTS, line((0, 0), (3, 150))), 3.0, shapes=[shape(0.5, 1.0)])
    assert track.interpolation is Interpolation.LINEAR
    assert track.times.tolist() == [0, 1, 2, 3]
    assert track.values.tolist() == [[0, 0], [1, 0], [0, 1], [0, 1.5]]


def test_a_cubic_that_crosses_a_frame_three_times() -> None:
    wave = curve((0, 100.0, -150.0, 50.0, 50.0), (1, 50.0))  # 50 + 100 t (t - 1/2) (t - 1)
    track = merged(channel(Path.WEIGHTS, wave), 1.0, shapes=[shape(0.5, 1.0)])
    assert track.times.tolist() == [0, 0.5, 1]
    for time in np.linspace(0, 1, 101):
        weight = 0.5 + time * (time - 0.5) * (time - 1)
        assert track_value(track, time) == pytest.approx(frame_weights([0.5, 1.0], weight), abs=2e-7)


def test_a_step_onto_a_frame_and_beyond() -> None:
    steps = curve((0, 25), (1, 50), (2, 75), (3, 100), (4, 130), (5, -20))
    track = merged(channel(Path.WEIGHTS, steps), 6.0, shapes=[shape(0.5, 1.0)])
    assert track.interpolation is Interpolation.STEP
    expected = [[0.5, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1.3], [-0.4, 0], [-0.4, 0]]
    assert track.values == pytest.approx(np.array(expected), abs=1e-7)


def test_clamping_is_written_as_split_keys() -> None:
    """-50 to 150 in 4 s: 0 until 1 s, 1 from 3 s on."""
    source = channel(Path.WEIGHTS, line((0, -50), (4, 150)))
    track = merged(source, 4.0, CLAMPED, shapes=[shape(1.0)])
    assert track.interpolation is Interpolation.LINEAR
    assert track.times.tolist() == [0, 1, 3, 4]
    assert track.values.tolist() == [[0], [0], [1], [1]]
    free = merged(source, 4.0, shapes=[shape(1.0)])
    assert free.values.tolist() == [[-0.5], [1.5]]


def test_clamping_of_two_frames() -> None:
    track = merged(channel(Path.WEIGHTS, line((0, -50), (4, 150))), 4.0, CLAMPED, shapes=[shape(0.5, 1.0)])
    assert track.times.tolist() == [0, 1, 2, 3, 4]
    assert track.values.tolist() == [[0, 0], [0, 0], [1, 0], [0, 1], [0, 1]]


def test_a_constant_weight_beyond_the_clamp() -> None:
    track = merged(channel(Path.WEIGHTS, curve((0, 180))), 1.0, CLAMPED, shapes=[shape(0.5, 1.5)])
    assert track.values.tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize("full", [(0.0,), (0.0, 1.0), (0.5, 0.5), (-0.5, 0.5), (0.5, 0.5, 1.0)])
def test_odd_frames_follow_the_rule(full: tuple[float, ...]) -> None:
    """Full weights of 0, equal or negative ones: nothing divides by zero."""
    track = merged(channel(Path.WEIGHTS, line((0, -100), (2, 100))), 2.0, shapes=[shape(*full)])
    for time in (0.1, 0.3, 0.7, 0.9, 1.1, 1.3, 1.7, 1.9):
        assert track_value(track, time) == pytest.approx(frame_weights(full, time - 1), abs=3e-7)


def test_shapes_of_no_frames_have_no_targets() -> None:
    source = channel(Path.WEIGHTS, line((0, 0), (1, 100)), line((0, 0), (1, 50)))
    assert merged(source, 1.0, CLAMPED, shapes=[shape(), shape(1.0)]).values.tolist() == [[0], [0.5]]


def test_dense_keys_count_in_target_weights() -> None:
    source = channel(Path.WEIGHTS, hermite((0, 0, 0, 0), (1, 100, 0, 0)))
    track = merged(source, 1.0, DENSE, shapes=[shape(0.5)])
    # The target runs to 2, with a second derivative of 12: sqrt(12 / (8 * 0.001)) = 38.7
    assert len(track.times) == 40
    for time in np.linspace(0, 1, 33):
        expected = channel_value(source, time, [shape(0.5)])
        assert track_value(track, time) == pytest.approx(expected, abs=1e-6)


def test_more_targets_than_fit_are_refused() -> None:
    shapes = [shape(*np.linspace(0.001, 1, 1000).tolist())]
    wave = curve(*((float(k), 0, 0, 100.0 * (-1) ** k, 100.0 * (k % 2)) for k in range(40)))
    assert "too many keys" in refused(channel(Path.WEIGHTS, wave), 40.0, shapes=shapes)
