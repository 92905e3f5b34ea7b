"""Positions, scales and properties: which keys a sampler gets, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.clip_sampler import channel_value, drawn_without_tangents, track_value
from tests.unit.normalize.clips.splines import (
    DENSE,
    ORIGINAL,
    STILL,
    channel,
    curve,
    hermite,
    line,
    merged,
    position,
    refused,
)
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Channel, Curve, Interpolation, Path, Track
from unity2gltf.normalize.clips.merge import TrackOptions, make_track
from unity2gltf.normalize.clips.resample import MARGIN


def early(time: float) -> np.float32:
    """One float32 step before."""
    return np.nextafter(np.float32(time), np.float32(0))


def tangents(track: Track) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    assert track.in_tangents is not None
    assert track.out_tangents is not None
    return track.in_tangents, track.out_tangents


BUMP = hermite((0, 0, 0, 3), (1, 1, 0, 0), (2, 0, -3, 0))


def test_a_cubic_keeps_its_keys_and_slopes() -> None:
    track = merged(position(BUMP), 2.0)
    assert track.interpolation is Interpolation.CUBICSPLINE
    assert (track.node, track.path, track.error) == (7, Path.TRANSLATION, 0.0)
    assert track.times.tolist() == [0, 1, 2]
    assert track.values[:, 0].tolist() == [0, 1, 0]
    arriving, leaving = tangents(track)
    assert arriving[:, 0].tolist() == [0, 0, -3]
    assert leaving[:, 0].tolist() == [3, 0, 0]
    assert track_value(track, 0.25)[0] == pytest.approx(0.578125, abs=1e-12)


def test_dense_keys_say_it_to_readers_that_ignore_tangents() -> None:
    """Of the original keys they would draw 0.25 at a quarter, where the curve is at 0.578."""
    assert drawn_without_tangents(merged(position(BUMP), 2.0), 0.25)[0] == 0.25
    track = merged(position(BUMP), 2.0, TrackOptions(key_tolerance=1.0, resample_hz=None, rig_size=20.0))
    assert drawn_without_tangents(track, 0.25)[0] == pytest.approx(0.578125, abs=2e-3)
    assert track_value(track, 0.25)[0] == pytest.approx(0.578125, abs=1e-6)
    # 6 is the largest second derivative: 1 / h = sqrt(6 / (8 * 0.002)) = 19.4
    assert len(track.times) == 2 * 20 + 1


def test_a_line_is_linear_and_needs_no_more_keys() -> None:
    track = merged(position(line((0, 1), (2, 5), (3, 5))), 3.0, DENSE)
    assert track.interpolation is Interpolation.LINEAR
    assert track.times.tolist() == [0, 2, 3]
    assert track.values[:, 0].tolist() == [1, 5, 5]
    assert track.in_tangents is track.out_tangents is None


def test_a_line_but_for_less_than_rounding_is_a_line() -> None:
    crooked = curve((0, 1e-9, -1e-9, 2.0, 1.0), (1, 3.0))
    assert merged(position(crooked), 1.0).interpolation is Interpolation.LINEAR


def test_steps_are_step_and_repeat_nothing() -> None:
    track = merged(position(curve((0, 1), (1, 1), (2, 4), (3, 4), (4, 4))), 4.5)
    assert track.interpolation is Interpolation.STEP
    assert track.times.tolist() == [0, 2, 4.5]
    assert track.values[:, 0].tolist() == [1, 4, 4]


@pytest.mark.parametrize("path", [Path.TRANSLATION, Path.SCALE, Path.POINTER])
def test_what_never_changes_is_two_equal_keys(path: Path) -> None:
    same = curve((0.5, 2), (1, 2), (2, 2))
    track = merged(channel(path, same, same, same), 2.0)
    assert track.interpolation is Interpolation.STEP
    assert track.times.tolist() == [0, 2]
    assert track.values.tolist() == [[2, 2, 2], [2, 2, 2]]


def test_a_clip_without_length_is_one_key() -> None:
    for path, count in ((Path.TRANSLATION, 3), (Path.ROTATION, 4), (Path.EULER, 3), (Path.POINTER, 1)):
        track = merged(channel(path, *[curve((0, 0, 0, 3.0, 1.0), (1, 4.0))] * count), 0.0, DENSE)
        assert track.interpolation is Interpolation.STEP
        assert track.times.tolist() == [0]
        assert track.values.shape == (1, 4 if path in (Path.ROTATION, Path.EULER) else count)


def test_a_constant_stretch_in_a_cubic_loses_its_inner_keys() -> None:
    held = hermite((0, 0, 0, 0), (1, 2, 0, 0), (2, 2, 0, 0), (3, 2, 0, 0), (4, 0, 0, 0))
    assert merged(position(held), 4.0).times.tolist() == [0, 1, 3, 4]


def test_components_meet_at_the_union_of_their_times() -> None:
    source = position(hermite((0, 0, 0, 1), (2, 1, 0, 0)), hermite((0, 5, 0, 0), (1, 3, 1, -1), (2, 4, 0, 0)))
    track = merged(source, 2.0)
    assert track.times.tolist() == [0, 1, 2]
    # x half-way: (1 * 2 * 1/8) + 1/2 = 0.75; slope there: 3/4 - 1/4
    assert track.values[1].tolist() == [0.75, 3, 0]
    assert tangents(track)[0][1].tolist() == [0.5, 1, 0]
    assert tangents(track)[1][1].tolist() == [0.5, -1, 0]


# --- jumps --------------------------------------------------------------------------------------------------------


def test_a_jump_is_cut_one_step_early_and_not_squeezed() -> None:
    jumping = curve((0, 0.5, 0, 1.0, 0.0), (1, 0, 0, 2.0, 9.0), (2, 11.0))
    track = merged(position(jumping), 2.0)
    assert track.interpolation is Interpolation.CUBICSPLINE
    assert track.times.tolist() == [0, early(1), 1, 2]
    just = float(early(1))
    assert track.values[:, 0].tolist() == [0, np.float32(0.5 * just**3 + just), 9, 11]
    arriving, leaving = tangents(track)
    assert arriving[:, 0].tolist() == [0, np.float32(1.5 * just**2 + 1), 0, 2]
    assert leaving[:, 0].tolist() == [1, 0, 2, 0]
    for time in (0.5, 0.999999, 1.0, 1.5):
        assert track_value(track, time)[0] == pytest.approx(channel_value(position(jumping), time)[0], abs=1e-6)


def test_lines_that_jump_stay_linear() -> None:
    track = merged(position(curve((0, 0, 0, 1.0, 0.0), (1, 5.0))), 2.0)
    assert track.interpolation is Interpolation.LINEAR
    assert track.times.tolist() == [0, early(1), 1, 2]
    assert track.values[:, 0].tolist() == [0, early(1), 5, 5]


def test_a_step_beside_a_cubic_jumps_in_it() -> None:
    track = merged(position(curve((0, 1), (0.5, 3)), hermite((0, 0, 0, 0), (1, 1, 0, 0))), 1.0)
    assert track.times.tolist() == [0, early(0.5), 0.5, 1]
    assert track.values[:, 0].tolist() == [1, 1, 3, 3]
    assert track.values[1:3, 1] == pytest.approx(0.5, abs=1e-6)


def test_a_jump_at_the_start_keeps_the_value_after_it_and_one_at_the_end_too() -> None:
    track = merged(position(curve((-1, 8), (0, 0, 0, 1, 2), (1, 7))), 1.0)
    assert track.times.tolist() == [0, early(1), 1]
    assert track.values[:, 0].tolist() == [2, np.float32(2 + float(early(1))), 7]


def test_a_jump_without_room_before_it() -> None:
    """Neighbours in float32: there is no time between them that a float32 reader could ask for."""
    near = float(np.nextafter(np.float32(1), np.float32(2)))
    track = merged(position(curve((0, 0, 0, 1, 0), (1, 5.0), (near, -5.0), (2, 0, 0, 1, -5.0), (3, -4.0))), 3.0)
    assert track.times.tolist() == [0, early(1), 1, near, 2, 3]
    assert track.values[:, 0].tolist() == [0, early(1), 5, -5, -5, -4]


def test_times_that_collide_in_float32_are_one_key_of_the_later_value() -> None:
    track = merged(position(curve((0, 0, 0, 1, 0), (1, 5.0), (1 + 1e-9, 6.0), (2, 6.0))), 2.0)
    assert track.times.tolist() == [0, early(1), 1, 2]
    assert track.values[:, 0].tolist() == [0, early(1), 6, 6]


def test_a_segment_about_a_rounded_time_is_expanded_not_shifted() -> None:
    """0.7 is no float32 number; the key stands at its neighbour and holds the curve's value there."""
    steep = curve((0.7, 0, 0, 1e6, 0.0), (1.7, 1e6))
    track = merged(position(steep), 1.7)
    time = float(np.float32(0.7))
    assert track.times[1] == np.float32(0.7)
    assert track.values[1, 0] == np.float32((time - 0.7) * 1e6)


def test_a_miss_of_float32_coefficients_is_no_jump() -> None:
    """0.1 + 0.2 in float32 is a rounding off 0.3: one key, not two."""
    rough = curve((0, 0, 0, float(np.float32(0.2)), float(np.float32(0.1))), (1, float(np.float32(0.3))))
    assert merged(position(rough), 1.5).times.tolist() == [0, 1, 1.5]


def test_a_component_stilled_by_rounding_does_not_jump() -> None:
    """Beside a metre, 3e-8 m in a second is no motion, and the step that stilling it leaves is no jump."""
    drift = line((0, 0.0), (1, 3e-8), (2, 0.0))
    track = merged(position(drift, BUMP), 2.0)
    assert track.times.tolist() == [0, 1, 2]
    assert track.values[:, 1].tolist() == [0, 1, 0]
    assert np.abs(track.values[:, 0]).max() <= 2.0**-24


# --- ends ---------------------------------------------------------------------------------------------------------


def test_a_curve_starts_late_and_ends_early() -> None:
    """Before its first key it stands at its value; its last row goes on."""
    track = merged(position(curve((1, 0, 0, 2.0, 3.0))), 3.0)
    assert track.interpolation is Interpolation.LINEAR
    assert track.times.tolist() == [0, 1, 3]
    assert track.values[:, 0].tolist() == [3, 3, 7]


def test_no_key_past_the_duration() -> None:
    track = merged(position(BUMP), 0.5)
    assert track.times.tolist() == [0, 0.5]
    assert track.values[1, 0] == np.float32(channel_value(position(BUMP), 0.5)[0])


# --- options ------------------------------------------------------------------------------------------------------


def test_resampled_cubics_are_linear_with_a_stated_error() -> None:
    options = TrackOptions(key_tolerance=1.0, resample_hz=10.0, rig_size=1.0)
    track = merged(position(BUMP), 2.05, options)
    assert track.interpolation is Interpolation.LINEAR
    assert track.times.tolist() == [float(np.float32(k / 10)) for k in range(21)] + [np.float32(2.05)]
    # A line over 0.1 s of a second derivative of 6 at most: 0.1^2 / 8 * 6 = 0.0075
    assert 0.007 < track.error / MARGIN < 0.0075


def test_what_is_exact_without_cubics_is_not_resampled() -> None:
    options = TrackOptions(key_tolerance=1.0, resample_hz=10.0, rig_size=1.0)
    for source in (line((0, 1), (2, 5)), curve((0, 1), (0.123, 5))):
        track = merged(position(source), 2.0, options)
        assert (len(track.times), track.error) == (len(source.times) + (source.times[-1] < 2), 0.0)


def test_a_stated_limit_on_keys_is_told() -> None:
    wild = curve((0, 0, 1e9, -1e9, 0.0), (1, 0.0))
    diagnostics = Diagnostics()
    track = make_track(position(wild), 1.0, (), (), DENSE, diagnostics)
    assert [item.code.name for item in diagnostics.items] == ["CLIP_KEYS_CAPPED"]
    assert track is not None
    assert len(track.times) == 257


def test_a_rig_without_size_asks_for_no_keys() -> None:
    track = merged(position(BUMP), 2.0, TrackOptions(key_tolerance=1.0, resample_hz=None, rig_size=0.0))
    assert len(track.times) == 3


# --- hostile ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "duration", "sentence"),
    [
        (channel(Path.TRANSLATION, STILL, STILL), 1.0, "2 curves where 3"),
        (channel(Path.TRANSLATION, STILL, None, STILL), 1.0, "2 curves where 3"),
        (channel(Path.ROTATION, STILL, STILL, STILL), 1.0, "3 curves where 4"),
        (channel(Path.EULER, STILL, STILL, STILL, order=6), 1.0, "no rotation order 6"),
        (channel(Path.WEIGHTS, STILL), 1.0, "1 curve where 0"),
        (position(STILL), float("nan"), "duration"),
        (position(STILL), float("inf"), "duration"),
        (position(STILL), -1.0, "duration"),
        (position(curve((0, np.nan))), 1.0, "not finite"),
        (position(curve((np.inf, 1.0))), 1.0, "not finite"),
        (position(curve((1, 1.0), (0, 2.0))), 2.0, "do not rise"),
        (position(curve((1, 1.0), (1, 2.0))), 2.0, "do not rise"),
        (position(Curve(times=np.zeros(0), coefficients=np.zeros((0, 4)))), 2.0, "no keys"),
        (position(Curve(times=np.zeros(1), coefficients=np.zeros((2, 4)))), 2.0, "no keys"),
        (position(curve((0, 1e300))), 1.0, "float32"),
        (position(curve((0, 1e300, 1e300, 1e300, 1e300), (1, 0.0))), 2.0, "float32"),
        (position(STILL), 1e300, "duration"),
    ],
)
@pytest.mark.parametrize("options", [ORIGINAL, DENSE])
def test_broken_channels_are_refused(source: Channel, duration: float, sentence: str, options: TrackOptions) -> None:
    assert sentence in refused(source, duration, options)


def test_a_rate_that_asks_for_millions_of_keys_is_refused() -> None:
    options = TrackOptions(key_tolerance=1.0, resample_hz=1e12, rig_size=1.0)
    assert "too many keys" in refused(position(BUMP), 2.0, options)


def test_many_curves_of_many_keys_are_refused_before_memory_is_taken() -> None:
    many = Curve(times=np.arange(200.0), coefficients=np.zeros((200, 4)))
    assert "too many keys" in refused(channel(Path.POINTER, *[many] * 300), 200.0)
