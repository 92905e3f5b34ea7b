"""Muscle curves at given times, and the times at which clips are sampled."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.normalize.clips.splines import curve, line
from tests.unit.normalize.humanoid.sticks import close
from unity2gltf.diagnostics import Fault
from unity2gltf.ir import Curve
from unity2gltf.normalize.humanoid import sampling
from unity2gltf.normalize.humanoid.sampling import key_times, sample, turning_points


def at(*times: float) -> Curve:
    """A curve with keys at these times."""
    return curve(*((time, 0.0) for time in times))


# --- key times ----------------------------------------------------------------------------------------------------


def test_keys_at_the_rate() -> None:
    """Four a second, and one at the end, less than half a step after the last."""
    assert key_times({"a": at(0.0)}, 1.0, 4.0).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert key_times({"a": at(0.0)}, 1.1, 4.0).tolist() == [0.0, 0.25, 0.5, 0.75, 1.1]
    assert key_times({"a": at(0.0)}, 1.2, 4.0).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0, 1.2]
    assert key_times({"a": at(0.0)}, 0.1, 4.0).tolist() == [0.0, 0.1]


def test_every_key_of_the_curves_is_one_and_takes_the_place_of_one_at_the_rate() -> None:
    curves = {"a": at(0.0, 0.3, 1.0), "b": at(0.0, 0.625, 1.0)}
    assert key_times(curves, 1.0, 4.0).tolist() == [0.0, 0.3, 0.625, 1.0]  # half a step from 0.5 and from 0.75
    assert key_times({"a": at(0.0, 0.3)}, 1.0, 4.0).tolist() == [0.0, 0.3, 0.5, 0.75, 1.0]
    close(key_times({"a": at(*np.arange(8) / 10)}, 0.7, 2.0), np.arange(8) / 10)


def test_keys_round_the_same_time_are_one() -> None:
    """Within 0.2 ms: dense samples beside keys of the stream."""
    curves = {"a": at(0.0, 0.4, 0.8), "b": at(0.0001, 0.4001, 0.79995, 0.82)}
    assert key_times(curves, 1.0, 4.0).tolist() == [0.0, 0.25, 0.4, 0.79995, 0.82, 1.0]


def test_a_chain_of_near_keys_does_not_go_as_a_whole() -> None:
    curves = {"a": at(0.5, 0.50015, 0.5003, 0.50045)}
    assert key_times(curves, 1.0, 1.0).tolist() == [0.0, 0.5, 0.5003, 1.0]
    dense = np.arange(0.04, 1.0, 0.04)  # many keys for each sample of the clip's own rate
    assert key_times({"a": at(*dense.tolist())}, 1.0, 1.0).tolist() == [0.0, *dense.tolist(), 1.0]


def test_the_ends_are_keys_whatever_the_curves_have() -> None:
    """Keys beside the ends give way to them; those before and after the clip do not count."""
    curves = {"a": at(-0.5, 0.0001, 0.4, 0.9999, 1.5)}
    assert key_times(curves, 1.0, 1.0).tolist() == [0.0, 0.4, 1.0]
    assert key_times({"a": at(0.5)}, 1.0, 1.0).tolist() == [0.0, 0.5, 1.0]


def test_a_pose_has_one_key() -> None:
    assert key_times({"a": at(0.0, 0.5)}, 0.0, 30.0).tolist() == [0.0]
    assert key_times({"a": at(0.0)}, -1.0, 30.0).tolist() == [0.0]


def test_a_clip_may_be_too_long_for_its_rate() -> None:
    with pytest.raises(Fault, match=r"1e\+06 s have too many keys at 30 a second") as told:
        key_times({"a": at(0.0)}, 1e6, 30.0)
    assert (told.value.code.name, told.value.data) == ("CLIP_INVALID", {"seconds": 1e6})


def test_a_clip_may_have_too_many_keys_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOST_KEYS", 8)
    curves = {"a": at(*range(5)), "b": at(*(0.5 + np.arange(4)))}
    assert len(key_times({"a": at(*range(8))}, 7.0, 1.0)) == 8
    with pytest.raises(Fault, match="the muscles have 9 keys of their own"):
        key_times(curves, 4.0, 1.0)


# --- samples ------------------------------------------------------------------------------------------------------

BENT = curve((1.0, 1.0, 2.0, 3.0, 4.0), (2.0, 0.0, 0.0, -1.0, 7.0), (4.0, 0.5))
"""d^3 + 2 d^2 + 3 d + 4 for a second, then from 7 down by 1 a second, then 0.5."""


def test_samples_are_the_curve() -> None:
    found = sample({"a": BENT, "b": curve((0.0, -2.0))}, np.array([0.0, 1.0, 1.5, 2.0, 3.5, 4.0, 9.0]))
    assert found["a"].tolist() == [4.0, 4.0, 0.125 + 0.5 + 1.5 + 4.0, 7.0, 5.5, 0.5, 0.5]
    assert found["b"].tolist() == [-2.0] * 7


def test_a_segment_can_be_asked_for_its_end() -> None:
    """Just before 2 the first comes to 10, before 4 the second to 5; after that they jump to 7 and 0.5."""
    times, inside = np.array([1.0, 2.0, 2.0, 4.0]), np.array([1.5, 1.5, 3.0, 3.0])
    assert sample({"a": BENT}, times, inside)["a"].tolist() == [4.0, 10.0, 7.0, 5.0]
    assert sample({"a": BENT}, np.array([0.0, 1.0]), np.array([0.5, 0.5]))["a"].tolist() == [4.0, 4.0]


# --- turning points -----------------------------------------------------------------------------------------------

SECONDS = np.array([0.0, 1.0, 2.0])


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (line((0.0, -1.0), (1.0, 3.0), (2.0, 3.0)), [0.25]),
        (line((0.0, -1.0), (1.0, 3.0), (2.0, -1.0)), [0.25, 1.75]),
        (line((0.0, 1.0), (2.0, -3.0)), [0.5]),  # in the first of two segments that it runs through
        (curve((0.0, 1.0, 0.0, 0.0, -0.125), (1.0, 5.0)), [0.5]),
        (curve((0.0, 0.0, -1.0, 0.0, 0.25), (1.0, -0.75)), [0.5]),
        (line((0.0, 0.0), (1.0, 1.0), (2.0, 0.0)), []),  # from 0 and to 0
        (line((0.0, 1.0), (1.0, 0.5), (2.0, 1.0)), []),
        (curve((0.0, 1.0), (1.0, -1.0)), []),  # a jump at a key
        (line((0.0, 0.04), (1.0, -0.96), (2.0, -0.96)), []),  # after 0.04 of a segment: the key stands for it
        (line((0.0, 0.96), (1.0, -0.04), (2.0, -0.96)), []),
        (line((0.0, 0.06), (1.0, -0.94), (2.0, -0.94)), [0.06]),
    ],
)
def test_where_a_muscle_changes_its_range(given: Curve, wanted: list[float]) -> None:
    close(turning_points({"a": given}, SECONDS), wanted)


def test_turning_points_of_several_curves_are_joined() -> None:
    curves = {
        "a": line((0.0, -1.0), (2.0, 1.0)),
        "b": line((0.0, 3.0), (2.0, -1.0)),
        "c": line((0.0, 1.0), (1.0, -3.0)),
    }
    curves["d"] = curves["c"]
    assert turning_points(curves, SECONDS).tolist() == [0.25, 1.5]
    assert turning_points({}, SECONDS).tolist() == []
    assert turning_points(curves, np.zeros(1)).tolist() == []


def test_straight_and_bent_crossings_of_one_clip() -> None:
    curves = {"a": curve((0.0, 0.0, 0.0, -2.0, 1.0), (1.0, 8.0, 0.0, 0.0, -1.0), (2.0, 7.0))}
    close(turning_points(curves, SECONDS), [0.5, 1.5])
