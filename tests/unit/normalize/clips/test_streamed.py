"""The streamed part of a clip, from frames written by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.reference.clip_writer import FLT_MAX, INF, frame, rows, words
from unity2gltf.ir import Curve
from unity2gltf.normalize.clips.streamed import read_streamed, streamed_curves


def decoded(
    stream: np.ndarray, count: int, start: float = 0.0, stop: float = 4.0
) -> tuple[dict[int, Curve], dict[str, int]]:
    tally: Counter[str] = Counter()
    curves = streamed_curves(read_streamed(stream, count, tally), start, stop)
    return curves, {name: number for name, number in tally.items() if number}


def test_words_of_two_curves() -> None:
    stream = np.array(
        [
            *(0xFF7FFFFF, 1, 0, 0, 0, 0, 0x40A00000),  # -FLT_MAX: curve 0 starts at 5
            *(0x00000000, 2),  # 0 s
            *(0, 0, 0, 0x40000000, 0x3F800000),  # curve 0: 1 + 2 d
            *(1, 0, 0, 0, 0x40400000),  # curve 1: 3
            *(0x3F800000, 1, 0, 0, 0, 0, 0x40400000),  # 1 s, curve 0: 3
            *(0x7F800000, 0),
        ],
        np.uint32,
    )
    curves, tally = decoded(stream, 2)
    assert rows(curves[0]) == [(0.0, 0.0, 0.0, 2.0, 1.0), (1.0, 0.0, 0.0, 0.0, 3.0)]
    assert rows(curves[1]) == [(0.0, 0.0, 0.0, 0.0, 3.0)]
    assert tally == {"moving": 1}


def test_start_value_holds_until_a_late_first_key() -> None:
    stream = words(frame(-FLT_MAX, (0, 9.0, 9.0, 9.0, 5.0)), frame(2.0, (0, 0.0, 0.0, 0.0, 7.0)))
    assert rows(decoded(stream, 1)[0][0]) == [(0.0, 0.0, 0.0, 0.0, 5.0), (2.0, 0.0, 0.0, 0.0, 7.0)]


def test_segment_cut_at_the_start_goes_on_from_there() -> None:
    # d^3 + 2 d^2 + 3 d + 4 from 1 s on, cut at 3 s: p(2) = 26, p' = 3*4 + 4*2 + 3 = 23, p''/2 = 3*2 + 2 = 8
    stream = words(frame(1.0, (0, 1.0, 2.0, 3.0, 4.0)), frame(9.0, (0, 0.0, 0.0, 0.0, 668.0)))
    curves, tally = decoded(stream, 1, start=3.0, stop=5.0)
    assert rows(curves[0]) == [(0.0, 1.0, 8.0, 23.0, 26.0)]
    assert tally == {"moving": 1}


def test_jump_at_the_start_keeps_the_value_after_it() -> None:
    stream = words(frame(0.0, (0, 0.0, 0.0, 0.0, 1.0)), frame(2.0, (0, 0.0, 0.0, 0.0, 8.0)))
    assert rows(decoded(stream, 1, start=2.0)[0][0]) == [(0.0, 0.0, 0.0, 0.0, 8.0)]


def test_key_at_the_stop_holds_and_later_ones_go() -> None:
    stream = words(*(frame(t, (0, 0.0, 0.0, 1.0, t)) for t in (0.0, 1.0, 2.0, 3.0)))
    assert rows(decoded(stream, 1, stop=2.0)[0][0]) == [
        (0.0, 0.0, 0.0, 1.0, 0.0),
        (1.0, 0.0, 0.0, 1.0, 1.0),
        (2.0, 0.0, 0.0, 0.0, 2.0),
    ]


def test_curve_twice_in_a_frame_takes_the_one_that_lands() -> None:
    stream = words(
        frame(0.0, (0, 0.0, 0.0, 2.0, 1.0), (0, -8e8, 1.2e5, 0.0, 4.0)),
        frame(1.0, (0, 0.0, 0.0, 0.0, 9.0), (0, 0.0, 0.0, 3.0, 3.0)),
        frame(2.0, (0, 1e7, 0.0, 0.0, 7.0), (0, 0.0, 0.0, 0.0, 6.0)),
    )
    curves, tally = decoded(stream, 1)
    assert [row[4] for row in rows(curves[0])] == [1.0, 3.0, 6.0]
    assert tally == {"moving": 2, "repeated": 3, "repeated groups": 3}


def test_equal_candidates_in_a_frame_take_the_last() -> None:
    stream = words(frame(0.0, (0, 0.0, 0.0, 0.0, 1.0), (0, 0.0, 0.0, 0.0, 1.5), (0, 0.0, 0.0, 0.0, 1.5)))
    assert rows(decoded(stream, 1)[0][0]) == [(0.0, 0.0, 0.0, 0.0, 1.5)]


@pytest.mark.parametrize(("miss", "unlanded"), [(0.0, 0), (1e-6, 0), (1e-4, 1)])
def test_segments_that_end_beside_their_next_key_are_counted(miss: float, unlanded: int) -> None:
    stream = words(frame(0.0, (0, 0.0, 0.0, 2.0, 1.0)), frame(1.0, (0, 0.0, 0.0, 0.0, 3.0 + miss)))
    tally = decoded(stream, 1)[1]
    assert (tally["moving"], tally.get("unlanded", 0)) == (1, unlanded)


def test_infinite_coefficient_is_a_step_as_unity_stores_it() -> None:
    stream = words(frame(0.0, (0, INF, 0.0, 1.0, 2.0)), frame(1.0, (0, 0.0, 0.0, 0.0, 5.0)))
    curves, tally = decoded(stream, 1)
    assert rows(curves[0]) == [(0.0, 0.0, 0.0, 0.0, 2.0), (1.0, 0.0, 0.0, 0.0, 5.0)]
    assert tally == {}


def test_only_wanted_curves_are_made() -> None:
    stream = words(frame(0.0, *((n, 0.0, 0.0, 0.0, float(n)) for n in range(4))))
    records = read_streamed(stream, 4, Counter())
    assert sorted(streamed_curves(records, 0.0, 1.0, lambda n: n % 2 == 1)) == [1, 3]
