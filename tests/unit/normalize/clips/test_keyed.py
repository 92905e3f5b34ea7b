"""Curves by keys: Hermite and weighted segments, infinity modes, compressed rotations. By hand."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.reference import clip_twin as twin
from tests.reference.clip_writer import INF, keys, packed, rows, value
from unity2gltf.ir import Curve
from unity2gltf.normalize.clips.legacy import finished_curves, keyed_curve
from unity2gltf.normalize.clips.packedkeys import unpack_keys, unpack_quaternions
from unity2gltf.normalize.clips.weighted import BOUND
from unity2gltf.raw import RawKeys, RawPackedKeys

NAN = math.nan


def finished(raw: RawKeys, start: float, stop: float, limit: int = 1000) -> tuple[Curve, dict[str, int]]:
    tally: Counter[str] = Counter()
    keyed = keyed_curve(raw, tally)
    assert keyed is not None
    (curve,) = finished_curves(keyed, start, stop, limit, tally)
    return curve, {name: number for name, number in tally.items() if number}


def test_hermite_segment() -> None:
    # 0 to 8 in 2 s, slopes 3 and 1: chord 4, a = (3 + 1 - 8) / 4, b = (12 - 6 - 1) / 2
    curve, tally = finished(keys((0, 0, 0, 3), (2, 8, 1, 0)), 0.0, 2.0)
    assert rows(curve) == [(0.0, -1.0, 2.5, 3.0, 0.0), (2.0, 0.0, 0.0, 0.0, 8.0)]
    assert tally == {}


@pytest.mark.parametrize("slopes", [(INF, 0.0), (0.0, INF), (-INF, 0.0)])
def test_infinite_slope_is_a_step(slopes: tuple[float, float]) -> None:
    curve, tally = finished(keys((0, 1, 0, slopes[0]), (1, 2, slopes[1], 0)), 0.0, 1.0)
    assert rows(curve) == [(0.0, 0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0, 2.0)]
    assert tally == {}


def test_keys_at_one_time_make_a_jump() -> None:
    curve, _ = finished(keys((0, 0, 0, 1), (1, 1, 1, 0), (1, 5, 0, 0), (2, 5, 0, 0)), 0.0, 2.0)
    assert rows(curve) == [(0.0, 0.0, 0.0, 1.0, 0.0), (1.0, 0.0, 0.0, 0.0, 5.0), (2.0, 0.0, 0.0, 0.0, 5.0)]


def test_unsorted_keys_are_sorted_and_told() -> None:
    curve, tally = finished(keys((1, 1, 1, 0), (0, 0, 0, 1)), 0.0, 1.0)
    assert rows(curve) == [(0.0, 0.0, 0.0, 1.0, 0.0), (1.0, 0.0, 0.0, 0.0, 1.0)]
    assert tally == {"times that fall": 1}


def test_one_key_holds() -> None:
    assert rows(finished(keys((3, 7, 1, 1), pre_infinity=1, post_infinity=0), 0.0, 5.0)[0]) == [(3.0, 0, 0, 0, 7.0)]


def test_broken_keys_are_dropped_and_told() -> None:
    curve, tally = finished(keys((0, 1, 0, 0), (NAN, 2, 0, 0), (1, INF, 0, 0), (2, 3, NAN, 0)), 0.0, 2.0)
    assert rows(curve) == [(0.0, 0, 0, 0, 1.0), (2.0, 0, 0, 0, 3.0)]
    assert tally == {"values that are not finite": 2, "slopes that are no number": 1}


RAMP: list[tuple[float, float, float, float]] = [(1, 0, 0, 0), (2, 1, 2, 2)]  # d^2 from 1 to 2 s


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ((2, 2), [0, 0, 0.25, 1, 1, 1]),
        ((1, 1), [0.25, 0, 0.25, 0, 0.25, 0]),
        ((0, 0), [0.25, 0, 0.25, 1, 0.25, 0]),
        ((2, 1), [0, 0, 0.25, 0, 0.25, 0]),
        ((0, 2), [0.25, 0, 0.25, 1, 1, 1]),
    ],
)
def test_infinity_modes(modes: tuple[int, int], expected: list[float]) -> None:
    curve, tally = finished(keys(*RAMP, pre_infinity=modes[0], post_infinity=modes[1]), 0.0, 4.0)
    assert [value(curve, t) for t in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)] == pytest.approx(expected, abs=1e-12)
    assert tally == {}


def test_pingpong_plays_segments_backwards() -> None:
    curve, _ = finished(keys(*RAMP, post_infinity=0), 1.0, 3.0)
    assert rows(curve)[:2] == [(0.0, 0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 1.0, -2.0, 1.0)]


def test_too_many_repetitions_are_cut_short_and_told() -> None:
    curve, tally = finished(keys((0, 0, 0, 1), (1e-4, 1e-4, 1, 0), post_infinity=1), 0.0, 1e6, limit=64)
    assert len(curve.times) == 34  # 32 turns beside the one that is there, and the end
    assert tally == {"infinity modes cut short": 1}


def test_unknown_infinity_mode_holds_and_is_told() -> None:
    curve, tally = finished(keys(*RAMP, post_infinity=9), 0.0, 4.0)
    assert value(curve, 3.5) == 1.0
    assert tally == {"infinity modes that are none": 1}


def weighted_keys(mode: tuple[int, int], weights: tuple[float, float], *slopes: float) -> RawKeys:
    return keys(
        (0, 0, 0, slopes[0]),
        (2, 1, slopes[1], 0),
        weighted=np.array(mode, np.int32),
        in_weights=np.array([[0.7], [weights[1]]], np.float32),
        out_weights=np.array([[weights[0]], [0.7]], np.float32),
    )


@pytest.mark.parametrize("weights", [(0.8, 0.6), (0.1, 0.9), (0.0, 0.0), (0.0, 0.5), (1.0, 0.0), (0.9, 0.95)])
def test_weighted_tangents_within_the_bound_told(weights: tuple[float, float]) -> None:
    keyed = keyed_curve(weighted_keys((2, 1), weights, 3.0, -1.0), Counter())
    assert keyed is not None and not keyed.exact
    (curve,) = finished_curves(keyed, 0.0, 2.0, 1000, Counter())
    left, right = (0.0, 0.0, 0.0, 3.0), (2.0, 1.0, -1.0, 0.0)
    stored = tuple(float(np.float32(weight)) for weight in weights)
    misses = [
        abs(value(curve, t) - twin.weighted(left, right, (stored[0], stored[1]), t)) for t in np.linspace(0, 1.999, 301)
    ]
    assert keyed.error <= BOUND * 8
    assert max(misses) <= 1.5 * keyed.error + 1e-12


def test_upright_tangents_are_followed_closely() -> None:
    keyed = keyed_curve(weighted_keys((2, 1), (1.0, 1.0), 0.0, 0.0), Counter())
    assert keyed is not None
    (curve,) = finished_curves(keyed, 0.0, 2.0, 1000, Counter())
    assert keyed.error < 5e-4
    for t in (0.5, 0.9, 0.999, 1.001, 1.4):
        expected = twin.weighted((0.0, 0.0, 0.0, 0.0), (2.0, 1.0, 0.0, 0.0), (1.0, 1.0), t)
        assert abs(value(curve, t) - expected) <= 2e-5


@pytest.mark.parametrize("mode", [(0, 0), (1, 2)])  # (1, 2): the sides of other segments
def test_weights_that_are_not_set_do_not_count(mode: tuple[int, int]) -> None:
    plain, _ = finished(keys((0, 0, 0, 3), (2, 1, -1, 0)), 0.0, 2.0)
    keyed = keyed_curve(weighted_keys(mode, (0.8, 0.6), 3.0, -1.0), Counter())
    assert keyed is not None and keyed.exact
    assert rows(finished_curves(keyed, 0.0, 2.0, 1000, Counter())[0]) == rows(plain)


# --- compressed rotations -----------------------------------------------------------------------------------------


def test_compressed_quaternion_bits() -> None:
    # w (3) dropped, negative: flags 0b111; x, after w, has 9 bits: 511 = 1; y, z 10 bits: 512 and 511 of 1023
    word = 0b111 | 511 << 3 | 512 << 12 | 511 << 22
    x, y, z, w = unpack_quaternions(packed([word], 32))[0]
    assert (x, y, z) == pytest.approx((1.0, 1 / 1023, -1 / 1023))
    assert w == 0.0
    assert unpack_quaternions(packed([0b011 | 0x7F << 3], 32))[0] == pytest.approx(twin.quaternion(0b011 | 0x7F << 3))


def test_compressed_times_are_running_sums() -> None:
    raw = RawPackedKeys(
        times=packed([5, 10, 1], 4),
        values=packed([3, 3, 3], 32),
        slopes=packed([0, 0, 0, 0, 3, 2, 1, 0, 0, 0, 0, 3, 1, 1, 1, 1], 2, span=3.0, start=0.0),
    )
    unpacked = unpack_keys(raw)
    assert unpacked.times.tolist() == pytest.approx([0.05, 0.15, 0.16])
    assert unpacked.in_slopes[1].tolist() == unpacked.out_slopes[0].tolist() == [3.0, 2.0, 1.0, 0.0]
    assert unpacked.out_slopes[2].tolist() == [1.0, 1.0, 1.0, 1.0]


def test_slopes_without_bits_are_all_alike() -> None:
    raw = RawPackedKeys(times=packed([0, 1], 1), values=packed([3, 3], 32), slopes=packed([], 0))
    slopes: dict[str, Any] = {"num_items": 12, "bit_size": 0, "data": raw.slopes.data, "start": 0.25}
    unpacked = unpack_keys(RawPackedKeys(times=raw.times, values=raw.values, slopes=type(raw.slopes)(**slopes)))
    assert unpacked.out_slopes.tolist() == [[0.25] * 4] * 2
