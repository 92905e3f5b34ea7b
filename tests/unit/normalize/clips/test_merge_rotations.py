"""Quaternion and Euler curves: signs, lengths, orders and turns, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.reference.clip_sampler import angle_between, channel_value, drawn_without_tangents, track_value
from tests.unit.normalize.clips.splines import DENSE, ORIGINAL, STILL, channel, curve, hermite, line, merged
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Channel, Curve, Interpolation, Path, Track
from unity2gltf.math3d import rotation_matrices
from unity2gltf.normalize.clips.euler import quaternions
from unity2gltf.normalize.clips.merge import TrackOptions, make_track

Array = NDArray[np.float64]


def about_y(degrees: float) -> list[float]:
    half = math.radians(degrees) / 2
    return [0.0, math.sin(half), 0.0, math.cos(half)]


def through(*keys: tuple[float, list[float]]) -> Channel:
    """Straight lines, component by component, from quaternion to quaternion."""
    return channel(Path.ROTATION, *(line(*((time, value[axis]) for time, value in keys)) for axis in range(4)))


def lengths(track: Track) -> Array:
    return np.asarray(np.linalg.norm(track.values.astype(np.float64), axis=1))


def worst(track: Track, source: Channel, duration: float, count: int = 200) -> float:
    """Radians between the track and its channel at odd times."""
    times = (np.arange(count) + 0.37) / count * duration
    return max(angle_between(track_value(track, float(t)), channel_value(source, float(t))) for t in times)


# --- quaternions --------------------------------------------------------------------------------------------------


def test_straight_quaternions_are_cubic_with_chord_slopes_never_linear() -> None:
    """Unity lerps the components and normalises; LINEAR would be a slerp, a tenth of a degree off at 40 degrees."""
    source = through((0, about_y(0)), (1, about_y(40)))
    track = merged(source, 1.0)
    assert track.interpolation is Interpolation.CUBICSPLINE
    assert (len(track.times), track.error) == (2, 0.0)
    assert track.out_tangents is not None
    assert track.out_tangents[0] == pytest.approx(np.subtract(about_y(40), about_y(0)), abs=1e-7)
    assert worst(track, source, 1.0) < 3e-7


def test_dense_keys_of_a_wide_turn_are_of_unit_length_and_nearly_exact() -> None:
    source = through((0, about_y(0)), (1, about_y(90)), (2, about_y(100)))
    track = merged(source, 2.0, DENSE)
    assert 0.0 < track.error <= 2e-6
    assert worst(track, source, 2.0) <= track.error + 5e-7
    assert abs(lengths(track) - 1).max() <= 0.005
    times = np.linspace(0.01, 1.99, 100)
    off = max(angle_between(drawn_without_tangents(track, t), channel_value(source, t)) for t in times)
    assert off <= math.radians(0.1)
    assert 6 < len(track.times) < 24


def test_a_segment_that_stays_near_unit_length_is_split_exactly() -> None:
    """Twenty degrees at uneven speed: 0.0038 short half-way."""
    end = about_y(20)
    source = channel(Path.ROTATION, *(hermite((0, about_y(0)[i], 0, 0), (1, end[i], 0, 0)) for i in range(4)))
    track = merged(source, 1.0, DENSE)
    assert track.error == 0.0
    assert len(track.times) > 4
    assert worst(track, source, 1.0) < 5e-7


def test_keys_far_from_unit_length_are_mended_and_their_neighbours_stay_exact() -> None:
    long = [1.3 * number for number in about_y(30)]
    source = through((0, about_y(0)), (1, about_y(10)), (2, long), (3, about_y(40)), (4, about_y(50)))
    track = merged(source, 4.0)
    assert abs(lengths(track) - 1).max() <= 0.005
    assert 0.0 < track.error <= 2e-6
    assert worst(track, source, 4.0) <= track.error + 5e-7
    exact = merged(through((0, about_y(0)), (1, about_y(10))), 1.0)
    assert track.values[:2].tolist() == exact.values.tolist()
    assert track.out_tangents is not None
    assert exact.out_tangents is not None
    assert track.out_tangents[0].tolist() == exact.out_tangents[0].tolist()


def test_a_little_off_unit_length_is_left_as_it_is() -> None:
    source = through((0, [0.0, 0.0, 0.0, 1.004]), (1, about_y(10)))
    track = merged(source, 1.0)
    assert (len(track.times), track.error) == (2, 0.0)
    assert track.values[0].tolist() == [0, 0, 0, np.float32(1.004)]


def test_constant_quaternions_are_normalised_exactly() -> None:
    track = merged(channel(Path.ROTATION, STILL, curve((0, 3.0)), STILL, curve((0, 4.0))), 2.0, DENSE)
    assert track.interpolation is Interpolation.STEP
    assert (len(track.times), track.error) == (2, 0.0)
    assert track.values.tolist() == [[0, np.float32(0.6), 0, np.float32(0.8)]] * 2


def test_a_sign_that_turns_at_a_jump_is_no_jump() -> None:
    """q and -q are one rotation; the segment after it is negated, slopes and all."""
    one, two, three = (np.array(about_y(angle)) for angle in (0, 5, 15))
    rows = [curve((0, 0, 0, (two - one)[i], one[i]), (1, 0, 0, (two - three)[i], -two[i])) for i in range(4)]
    source = channel(Path.ROTATION, *rows)
    track = merged(source, 2.0)
    assert track.times.tolist() == [0, 1, 2]
    assert track.values == pytest.approx(np.stack([one, two, three]), abs=1e-7)
    assert worst(track, source, 2.0) < 5e-7


def test_a_jump_keeps_the_hemisphere() -> None:
    one, other = np.array(about_y(0)), -np.array(about_y(90))
    rows = [curve((0, 0, 0, 0.01 * (i == 0), one[i]), (1, other[i])) for i in range(4)]
    track = merged(channel(Path.ROTATION, *rows), 2.0)
    assert len(track.times) == 4
    assert (np.einsum("kw,kw->k", track.values[:-1], track.values[1:]) > 0).all()


def zeros_told(source: Channel, duration: float) -> tuple[Track, int]:
    diagnostics = Diagnostics()
    track = make_track(source, duration, (), (), ORIGINAL, diagnostics)
    assert track is not None
    (item,) = (item for item in diagnostics.items if item.code.name == "CLIP_INVALID")
    return track, item.data["keys"]


def test_a_quaternion_of_length_zero_is_the_identity_and_is_told() -> None:
    track, keys = zeros_told(channel(Path.ROTATION, *[STILL] * 4), 1.0)
    assert keys == 2
    assert (track.values.tolist(), track.error) == ([[0, 0, 0, 1]] * 2, 0.0)
    track, keys = zeros_told(through((0, about_y(90)), (1, [0.0] * 4), (2, about_y(90))), 2.0)
    assert keys == 1
    assert np.isfinite(track.values).all()
    assert abs(lengths(track) - 1).max() <= 0.005
    assert track.error > 0


def test_a_quaternion_that_passes_zero_between_sound_keys_stays_the_one_exact_cubic() -> None:
    source = through((0, about_y(30)), (1, [-number for number in about_y(40)]))
    diagnostics = Diagnostics()
    track = make_track(source, 1.0, (), (), DENSE, diagnostics)
    assert track is not None
    assert (len(track.times), track.error) == (2, 0.0)
    assert [item.code.name for item in diagnostics.items] == ["CLIP_KEYS_CAPPED"]
    assert worst(track, source, 1.0, 40) < 1e-4


# --- Euler --------------------------------------------------------------------------------------------------------


def turn(axis: str, degrees: float) -> Array:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return {
        "X": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "Y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "Z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


@pytest.mark.parametrize(("number", "order"), list(enumerate(["XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"])))
def test_the_axis_named_first_turns_first(number: int, order: str) -> None:
    degrees = dict(zip("XYZ", (20.0, -50.0, 110.0), strict=True))
    first, second, third = (turn(axis, degrees[axis]) for axis in order)
    found = rotation_matrices(quaternions(np.array([list(degrees.values())]), number))[0]
    assert found == pytest.approx(third @ second @ first, abs=1e-12)
    track = merged(channel(Path.EULER, *(curve((0, angle)) for angle in degrees.values()), order=number), 1.0)
    assert track.path is Path.ROTATION
    assert rotation_matrices(track.values[0]) == pytest.approx(third @ second @ first, abs=1e-6)


def test_a_spin_of_a_hundred_turns_keeps_its_turns() -> None:
    source = channel(Path.EULER, STILL, line((0, 0), (100, 36000)), STILL)
    track = merged(source, 100.0)
    assert track.interpolation is Interpolation.CUBICSPLINE
    assert 400 < len(track.times) < 1500
    assert track.error <= math.radians(0.01)
    assert worst(track, source, 100.0, 997) <= math.radians(0.01)
    steps = np.abs(np.einsum("kw,kw->k", track.values[:-1], track.values[1:]))
    assert np.degrees(2 * np.arccos(np.minimum(steps, 1))).max() <= 90


def test_euler_keys_have_the_curves_own_derivatives() -> None:
    source = channel(Path.EULER, line((0, 10), (1, 30)), line((0, -20), (1, 20)), hermite((0, 0, 0, 60), (1, 9, 0, 0)))
    track = merged(source, 1.0)
    assert track.in_tangents is not None
    assert track.out_tangents is not None
    for k, time in enumerate(track.times.astype(float)):
        for tangents, low, high in ((track.out_tangents, time, time + 1e-6), (track.in_tangents, time - 1e-6, time)):
            if low >= 0 and high <= 1:
                rise = np.subtract(channel_value(source, high), channel_value(source, low)) / 1e-6
                assert tangents[k] == pytest.approx(rise, abs=1e-4)


def test_a_jump_of_a_whole_turn_is_none() -> None:
    source = channel(Path.EULER, STILL, curve((0, 0, 0, 30, 0), (1, 0, 0, 30, 390)), STILL)
    track = merged(source, 2.0)
    assert (np.diff(track.times) > 1e-3).all()
    assert worst(track, source, 2.0) <= math.radians(0.01)


def test_stepped_euler_curves_are_step() -> None:
    track = merged(channel(Path.EULER, curve((0, 0), (1, 90)), STILL, STILL), 2.0, DENSE)
    assert track.interpolation is Interpolation.STEP
    assert track.times.tolist() == [0, 1, 2]
    assert track.values == pytest.approx(np.array([[0, 0, 0, 1], *[[math.sqrt(0.5), 0, 0, math.sqrt(0.5)]] * 2]))
    assert track.error == 0.0


def test_an_absurd_spin_is_bounded_and_its_error_told() -> None:
    diagnostics = Diagnostics()
    spin = Curve(times=np.arange(2000.0), coefficients=np.tile([0.0, 0.0, 1e12, 0.0], (2000, 1)))
    track = make_track(channel(Path.EULER, STILL, spin, STILL), 2000.0, (), (), ORIGINAL, diagnostics)
    assert track is not None
    assert "CLIP_KEYS_CAPPED" in {item.code.name for item in diagnostics.items}
    assert len(track.times) <= 100_000
    assert track.error > 1.0


# --- resampled ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [Path.ROTATION, Path.EULER])
def test_resampled_rotations_are_unit_quaternions_on_one_side(path: Path) -> None:
    source = (
        through((0, about_y(0)), (1, [-2 * number for number in about_y(-60)]), (2, about_y(30)))
        if path is Path.ROTATION
        else channel(Path.EULER, STILL, line((0, 0), (2, 720)), hermite((0, 0, 0, 40), (2, 9, 0, 0)))
    )
    track = merged(source, 2.0, TrackOptions(key_tolerance=1.0, resample_hz=30.0, rig_size=1.0))
    assert track.interpolation is Interpolation.LINEAR
    assert len(track.times) == 61
    assert lengths(track) == pytest.approx(1.0, abs=1e-6)
    assert (np.einsum("kw,kw->k", track.values[:-1], track.values[1:]) > 0).all()
    if path is Path.EULER:
        assert 0 < worst(track, source, 2.0) <= track.error * 1.2 < 0.01
