"""The clip decoders agree with their slow twins on whatever can be written; cutting and extending change nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import clip_twin as twin
from tests.reference.clip_writer import FLT_MAX, INF, binding, clip, compiled, frame, keys, packed, rows, value, words
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Curve
from unity2gltf.normalize.clips.decode import decode_clip
from unity2gltf.normalize.clips.dense import dense_curves
from unity2gltf.normalize.clips.legacy import finished_curves, keyed_curve
from unity2gltf.normalize.clips.packedkeys import unpack_quaternions
from unity2gltf.normalize.clips.segments import advanced, cut, evaluate, mirrored
from unity2gltf.normalize.clips.streamed import read_streamed, streamed_curves
from unity2gltf.normalize.clips.weighted import bezier_pieces

NUMBERS = st.floats(-50, 50, width=32)
COEFFICIENTS = st.one_of(st.just(0.0), NUMBERS, st.just(INF))
TIMES = st.integers(0, 64).map(lambda tick: tick / 8)  # exact in float32
PROBES = np.arange(0, 8.01, 0.19).tolist()


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[bytes], int]:
    """Frames of up to four curves; a curve may come several times in a frame."""
    count = draw(st.integers(1, 4))
    record = st.tuples(st.integers(0, count - 1), COEFFICIENTS, COEFFICIENTS, COEFFICIENTS, NUMBERS)
    times = sorted(draw(st.sets(TIMES, max_size=8)))
    lead = [(number, 0.0, 0.0, 0.0, draw(NUMBERS)) for number in range(count) if draw(st.booleans())]
    frames = [frame(-FLT_MAX, *lead)]
    frames += [frame(time, *draw(st.lists(record, max_size=6))) for time in times]
    return frames, count


@given(streams())
def test_streamed_records_are_those_of_the_twin(given_: tuple[list[bytes], int]) -> None:
    frames, count = given_
    stream = words(*frames)
    expected = twin.streamed(stream.tolist(), count)
    records = read_streamed(stream, count, Counter())
    found: dict[int, list[tuple[float, ...]]] = {}
    for curve, time, row in zip(records.curves.tolist(), records.times, records.coefficients, strict=True):
        found.setdefault(curve, []).append((float(time), *map(float, row)))
    assert found == expected


@given(streams(), st.floats(0, 4, width=32), st.floats(0, 4, width=32))
def test_streamed_curves_play_like_the_twin(given_: tuple[list[bytes], int], start: float, length: float) -> None:
    frames, count = given_
    stream = words(*frames)
    expected = twin.streamed(stream.tolist(), count)
    curves = streamed_curves(read_streamed(stream, count, Counter()), start, start + length)
    assert curves.keys() == expected.keys()
    for number, curve in curves.items():
        for share in (0.0, 0.3, 0.7, 0.99):
            wanted = twin.value_of(expected[number], start + share * length)
            slack = 1e-9 * sum(abs(x) * 10**k for row in expected[number] for k, x in enumerate(row[:0:-1]))
            assert abs(value(curve, share * length) - wanted) <= slack + 1e-9


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=12),
    st.sampled_from([1.0, 24.0, 30.0, 60.0]),
    st.floats(-2, 2, width=32),
    st.floats(0, 2, width=32),
)
def test_dense_curves_play_like_the_twin(
    samples: list[tuple[float, float]], rate: float, begin: float, start: float
) -> None:
    curves = dense_curves(np.array(samples, np.float32), rate, begin, start, start + 3, Counter())
    for column, curve in curves.items():
        for time in np.linspace(0, 3, 17).tolist():
            wanted = twin.dense_value(samples, column, rate, begin, start + time)
            assert abs(value(curve, time) - wanted) <= 1e-9 * 100 * rate


@given(st.lists(st.tuples(st.sampled_from([4, 4, 137, 95, 23]), st.integers(0, 5)), max_size=10))
def test_bindings_take_curves_like_the_twin(pairs: list[tuple[int, int]]) -> None:
    numbers = twin.binding_numbers(pairs)
    count = sum(map(len, numbers))
    raw = clip(compiled=compiled(constants=list(range(count))), bindings=tuple(binding(*pair) for pair in pairs))
    found = decode_clip(raw, Diagnostics())
    assert [[int(rows(part)[0][4]) for part in curve.curves] for curve in found.curves] == numbers


# --- by keys ------------------------------------------------------------------------------------------------------

SLOPES = st.one_of(NUMBERS, st.sampled_from([INF, -INF]))


@st.composite
def key_lists(draw: st.DrawFn) -> list[tuple[float, float, float, float]]:
    times = sorted(draw(st.sets(TIMES, min_size=1, max_size=7)))
    return [(time, draw(NUMBERS), draw(SLOPES), draw(SLOPES)) for time in times]


@given(key_lists(), st.tuples(st.integers(0, 2), st.integers(0, 2)), st.floats(-3, 9), st.floats(0, 12))
def test_keys_play_like_the_twin(
    listed: list[tuple[float, float, float, float]], modes: tuple[int, int], start: float, length: float
) -> None:
    keyed = keyed_curve(keys(*listed, pre_infinity=modes[0], post_infinity=modes[1]), Counter())
    assert keyed is not None
    (curve,) = finished_curves(keyed, start, start + length, 10_000, Counter())
    assert_ascending(curve, (start + length) - start)
    edges = {key[0] for key in listed}
    first, last = min(edges), max(edges)
    for time in np.linspace(0, length, 29)[1:-1].tolist():
        turn = (start + time - first) % (last - first) if last > first else 0.0
        if min(abs(turn - (edge - first)) for edge in edges) < 1e-6 or abs(turn - (last - first)) < 1e-6:
            continue  # beside a jump rounding decides
        if min(abs((last - first) - turn - (edge - first)) for edge in edges) < 1e-6:
            continue  # and beside a mirrored one
        assert abs(value(curve, time) - twin.key_value(listed, modes, start + time)) <= 1e-6


def assert_ascending(curve: Curve, duration: float) -> None:
    assert np.all(np.diff(curve.times) > 0)
    assert curve.times[0] >= 0 and curve.times[-1] <= duration
    assert np.isfinite(curve.coefficients).all()


@given(
    st.lists(st.tuples(TIMES, st.lists(NUMBERS, min_size=4, max_size=4)), min_size=1, max_size=6),
    st.floats(0, 8),
    st.floats(0, 8),
)
def test_cutting_changes_no_value(listed: list[tuple[float, list[float]]], start: float, length: float) -> None:
    table = dict(sorted(listed))
    times, coefficients = np.array(list(table)), np.array(list(table.values()))
    whole = Curve(times=times, coefficients=coefficients)
    part = Curve(**dict(zip(("times", "coefficients"), cut(times, coefficients, start, start + length), strict=True)))
    assert_ascending(part, (start + length) - start)
    for share in (0.0, 0.25, 0.5, 0.999):
        time = start + share * length
        if np.abs(times - time).min() > 1e-9:
            assert abs(value(part, time - start) - value(whole, time)) <= 1e-6


@given(st.lists(NUMBERS, min_size=4, max_size=4), st.floats(0.01, 4), st.floats(0, 4))
def test_advanced_and_mirrored_segments_are_the_same_cubic(row: list[float], length: float, d: float) -> None:
    cubic = np.array(row)
    expected = float(evaluate(cubic, length + d))
    assert abs(float(evaluate(advanced(cubic, length), d)) - expected) <= 1e-9 * (1 + 1000 * np.abs(cubic).max())
    back = mirrored(cubic[None], np.array([length]))[0]
    inside = min(d, length)
    assert abs(float(evaluate(back, inside)) - float(evaluate(cubic, length - inside))) <= 1e-6


@given(
    st.floats(0.01, 3),
    st.tuples(NUMBERS, NUMBERS),
    st.tuples(NUMBERS, NUMBERS),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_weighted_segments_stay_within_the_error_they_tell(
    length: float, values: tuple[float, float], slopes: tuple[float, float], weights: tuple[float, float]
) -> None:
    first, last = ((np.array([a]), np.array([b])) for a, b in ((values[0], values[1]), (slopes[0], slopes[1])))
    pieces = bezier_pieces(np.array([length]), first, last, (np.array([weights[0]]), np.array([weights[1]])))
    left, right = (0.0, values[0], 0.0, slopes[0]), (length, values[1], slopes[1], 0.0)
    curve = Curve(times=pieces.offsets, coefficients=pieces.rows)
    extent = abs(values[1] - values[0]) + (abs(slopes[0]) + abs(slopes[1])) * length
    for share in np.linspace(0.013, 0.987, 23).tolist():
        expected = twin.weighted(left, right, weights, share * length)
        assert abs(value(curve, share * length) - expected) <= 4 * pieces.errors.max() + 1e-9 + 1e-6 * extent


@given(st.lists(st.integers(0, 2**32 - 1), max_size=12))
def test_compressed_quaternions_are_those_of_the_twin(stored: list[int]) -> None:
    found = unpack_quaternions(packed(stored, 32))
    assert np.allclose(found, np.array([twin.quaternion(word) for word in stored]).reshape(-1, 4), atol=1e-7)
