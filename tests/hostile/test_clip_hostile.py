"""Broken clips: told with numbers, what is whole is kept, nothing that is not finite gets through."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.reference.clip_writer import FLT_MAX, INF, binding, clip, compiled, frame, keys, packed, value, words
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.clips.decode import decode_clip
from unity2gltf.normalize.clips.decoded import DecodedClip
from unity2gltf.raw import RawClip, RawCurve, RawPackedKeys

NAN = math.nan
FLOAT = binding(1, 1)


def decoded(raw: RawClip) -> tuple[DecodedClip, dict[str, dict[str, Any]]]:
    diagnostics = Diagnostics()
    found = decode_clip(raw, diagnostics)
    assert math.isfinite(found.duration) and found.duration >= 0
    for curve in found.curves:
        for part in curve.curves:
            assert len(part.times) and np.all(np.diff(part.times) > 0)
            assert part.times[0] >= 0 and part.times[-1] <= found.duration
            assert np.isfinite(part.coefficients).all()
    return found, {item.code.name: item.data for item in diagnostics.items}


def streamed(stream: np.ndarray, count: int = 1) -> RawClip:
    return clip(compiled=compiled(stream, streamed=count), bindings=(FLOAT,) * count, stop=4.0)


def ramp(time: float, curve: int = 0) -> bytes:
    return frame(time, (curve, 0.0, 0.0, 1.0, time))


@pytest.mark.parametrize("left", range(1, 16))
def test_stream_cut_at_every_word(left: int) -> None:
    whole = words(ramp(0.0), ramp(1.0), end=True)
    found, told = decoded(streamed(whole[:-left]))
    assert "CLIP_TRUNCATED" in told
    whole_frames = (16 - left) // 7  # of 7, 7 and 2 words
    assert [part.times.tolist() for c in found.curves for part in c.curves] == [[0.0, 1.0][:whole_frames]][
        :whole_frames
    ]


def test_frame_that_claims_more_records_than_there_are_words() -> None:
    stream = words(ramp(0.0), ramp(1.0), end=False).copy()
    stream[8] = 0xFFFFFFFF
    found, told = decoded(streamed(stream))
    assert len(found.curves) == 1
    assert "CLIP_TRUNCATED" in told


def test_words_after_the_end_frame() -> None:
    stream = np.append(words(ramp(0.0)), np.arange(3, dtype=np.uint32))
    assert decoded(streamed(stream))[1] == {"CLIP_INVALID": {"words_after_the_end": 3}}


def test_curve_numbers_out_of_range() -> None:
    found, told = decoded(streamed(words(frame(0.0, (0, 0, 0, 0, 1), (1, 0, 0, 0, 2), (0xFFFFFFFF, 0, 0, 0, 3)))))
    assert told == {"CLIP_INVALID": {"curve_numbers_out_of_range": 2}}
    assert value(found.curves[0].curves[0], 0.0) == 1.0


def test_times_that_fall_or_are_no_number() -> None:
    found, told = decoded(streamed(words(ramp(0.0), ramp(2.0), ramp(1.0), ramp(NAN), ramp(3.0))))
    assert told == {"CLIP_INVALID": {"times_that_fall": 1, "times_that_are_no_number": 1}}
    assert found.curves[0].curves[0].times.tolist() == [0.0, 2.0, 3.0]


@pytest.mark.parametrize("place", [1, 2, 3])
def test_coefficients_that_are_no_number_make_a_step(place: int) -> None:
    record = [0, 1.0, 1.0, 1.0, 5.0]
    record[place] = NAN
    found, told = decoded(streamed(words(frame(0.0, tuple(record)), ramp(1.0))))  # type: ignore[arg-type]
    assert told == {"CLIP_INVALID": {"coefficients_that_are_no_number": 1}}
    assert value(found.curves[0].curves[0], 0.75) == 5.0


@pytest.mark.parametrize("bad", [NAN, INF, -INF])
def test_values_that_are_not_finite_are_left_out(bad: float) -> None:
    found, told = decoded(streamed(words(ramp(0.0), frame(1.0, (0, 0, 0, 0, bad)), ramp(2.0))))
    assert told == {"CLIP_INVALID": {"values_that_are_not_finite": 1}}
    assert found.curves[0].curves[0].times.tolist() == [0.0, 2.0]


def test_curve_without_any_usable_record() -> None:
    found, told = decoded(streamed(words(frame(0.0, (0, 0, 0, 0, NAN), (1, 0, 0, 0, 1))), count=2))
    assert len(found.curves) == 1
    assert told["CLIP_INVALID"] == {"values_that_are_not_finite": 1, "curves_without_a_value": 1}


def test_frame_of_one_curve_a_thousand_times_over() -> None:
    many = [(0, 0.0, 0.0, 0.0, float(n)) for n in range(1000)]
    found, told = decoded(streamed(words(frame(0.0, *many), frame(1.0, *many))))
    assert told["CLIP_REPEATED"] == {"count": 1998, "groups": 2}
    assert len(found.curves[0].curves[0].times) == 2


def test_largest_numbers_stay_finite() -> None:
    huge = (0, FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX)
    raw = replace(streamed(words(frame(-1e38, huge), frame(1e38, huge), frame(FLT_MAX, huge))), stop=FLT_MAX)
    assert len(decoded(raw)[0].curves) == 1


@pytest.mark.parametrize(("count", "fault"), [(5, "bindings_without_curves"), (1, "curves_without_a_binding")])
def test_bindings_and_curves_that_do_not_add_up(count: int, fault: str) -> None:
    found, told = decoded(clip(compiled=compiled(constants=[1.0, 2.0, 3.0]), bindings=(FLOAT,) * count))
    assert len(found.curves) == min(count, 3)
    assert told == {"CLIP_INVALID": {fault: abs(count - 3)}}


def test_binding_that_only_half_fits_is_left_out() -> None:
    found, told = decoded(clip(compiled=compiled(constants=[1.0, 2.0]), bindings=(FLOAT, binding(4, 2))))
    assert len(found.curves) == 1
    assert told == {"CLIP_INVALID": {"bindings_without_curves": 1}}


@pytest.mark.parametrize("rate", [0.0, -30.0, NAN, INF])
def test_dense_rate_that_is_none_keeps_the_first_sample(rate: float) -> None:
    raw = clip(compiled=compiled(dense=[[1.0], [2.0]], rate=rate), bindings=(FLOAT,))
    found, told = decoded(raw)
    assert told == {"CLIP_INVALID": {"dense_rates_that_are_none": 1}}
    assert value(found.curves[0].curves[0], 0.5) == 1.0


@pytest.mark.parametrize(("rate", "begin"), [(3e38, 5.0), (1e-38, 0.0), (30.0, 3e38), (30.0, -3e38)])
def test_dense_times_that_float_cannot_tell_apart(rate: float, begin: float) -> None:
    raw = clip(
        compiled=compiled(dense=[[1.0], [2.0], [FLT_MAX], [-FLT_MAX]], rate=rate, begin=begin), bindings=(FLOAT,)
    )
    assert len(decoded(raw)[0].curves) == 1


def test_dense_samples_that_are_not_finite_hold_the_one_before() -> None:
    samples = [[NAN, 1.0, NAN], [2.0, INF, NAN], [3.0, 3.0, NAN]]
    found, told = decoded(clip(compiled=compiled(dense=samples, rate=4.0), bindings=(FLOAT,) * 3))
    assert told["CLIP_INVALID"] == {"values_that_are_not_finite": 5, "curves_without_a_value": 1}
    assert [[value(c.curves[0], t) for t in (0.0, 0.25, 0.5)] for c in found.curves] == [[2, 2, 3], [1, 1, 3]]


@pytest.mark.parametrize(("start", "stop"), [(NAN, 1.0), (0.0, INF), (2.0, 1.0), (NAN, NAN)])
def test_span_that_is_none(start: float, stop: float) -> None:
    found, told = decoded(replace(clip(compiled=compiled(constants=[1.0]), bindings=(FLOAT,)), start=start, stop=stop))
    assert told["CLIP_INVALID"] == {"starts_or_stops_that_are_no_time": 1}
    assert found.duration in (0.0, 1.0)


# --- by path ------------------------------------------------------------------------------------------------------


def legacy(*curves: RawCurve, **fields: Any) -> RawClip:
    return clip(legacy=True, curves=curves, **fields)


def curve(raw: Any, kind: str = "float") -> RawCurve:
    return RawCurve(kind=kind, path="a", keys=raw, attribute="x", class_id=1)


def test_keys_without_a_finite_one() -> None:
    found, told = decoded(legacy(curve(keys((NAN, 1, 0, 0), (0, INF, 0, 0)))))
    assert found.kind == "empty"
    assert told == {"CLIP_INVALID": {"values_that_are_not_finite": 2}}


def test_no_keys_at_all() -> None:
    assert decoded(legacy(curve(keys())))[0].kind == "empty"


def test_tiny_period_looped_over_an_age() -> None:
    tick = curve(keys((0, 0, 0, 0), (1e-30, 1, 0, 0), post_infinity=1, pre_infinity=0))
    age = curve(keys((-1e30, 0, 0, 0), (1e30, 1, 0, 0)))
    found, told = decoded(legacy(tick, age))
    assert told == {"CLIP_INVALID": {"infinity_modes_cut_short": 1}}
    assert found.duration == pytest.approx(2e30)


def test_weights_that_are_no_weights() -> None:
    bent = keys(
        *[(0, 0, 0, 1), (1, 1, 1, 0), (2, 5, 1e38, 1e38), (3, 5, -1e38, 0), (3 + 1e-6, 7, 0, 0)],
        weighted=np.full(5, 3, np.int32),
        in_weights=np.array([[NAN], [-5.0], [1e30], [1.0], [1.0]], np.float32),
        out_weights=np.array([[7.0], [INF], [0.0], [1.0], [1.0]], np.float32),
    )
    found, _ = decoded(legacy(curve(bent)))
    assert len(found.curves[0].curves[0].times) > 4


@pytest.mark.parametrize("which", ["times", "values", "slopes"])
def test_packed_vectors_that_claim_more_than_their_bytes(which: str) -> None:
    whole = {"times": packed([0, 1], 4), "values": packed([3, 3], 32), "slopes": packed([0] * 12, 3)}
    whole[which] = replace(whole[which], num_items=1 << 31)
    found, told = decoded(legacy(curve(RawPackedKeys(**whole), "rotation"), curve(keys((0, 1, 0, 0)))))
    assert len(found.curves) == 1
    assert "CLIP_TRUNCATED" in told


def test_packed_slopes_of_no_bits_claim_any_number() -> None:
    slopes = replace(packed([], 0), num_items=1 << 31)
    _, told = decoded(
        legacy(curve(RawPackedKeys(times=packed([0], 4), values=packed([3], 32), slopes=slopes), "rotation"))
    )
    assert "CLIP_TRUNCATED" in told
