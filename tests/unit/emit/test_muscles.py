"""Side files of muscle curves: what is in them, and that curves come back out of them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from tests.builders.raw import source
from tests.unit.normalize.clips.splines import curve, hermite, line
from unity2gltf.emit.muscles import muscles_bytes
from unity2gltf.ir import Curve, MuscleCurves


def written(**curves: Curve) -> dict[str, Any]:
    data = muscles_bytes(
        MuscleCurves(
            name="Wave",
            source=source(70, "AnimationClip"),
            rig="Figure",
            reason="no human avatar fits this rig",
            duration=2.0,
            sample_rate=30.0,
            curves=curves,
        )
    )
    document: dict[str, Any] = json.loads(data.decode("ascii"))
    return document


def one(given: Curve) -> dict[str, Any]:
    (told,) = written(a=given)["curves"]
    assert isinstance(told, dict)
    return told


def played(told: dict[str, Any], time: float) -> float:
    """A curve of the file at one time, as its description says."""
    times, values = told["times"], told["values"]
    key = max(sum(start <= time for start in times) - 1, 0)
    d = max(time - times[key], 0.0)
    if told["interpolation"] == "step" or (told["interpolation"] == "linear" and key == len(times) - 1):
        return float(values[key])
    if told["interpolation"] == "linear":
        return float(values[key] + (values[key + 1] - values[key]) * d / (times[key + 1] - times[key]))
    a, b, c = told["cubics"][key]
    return float(values[key] + c * d + b * d**2 + a * d**3)


def test_the_whole_document() -> None:
    spine = curve((0.0, 0.5))
    assert written(**{"Spine Front-Back": spine, "RootT.y": line((0.0, 1.0), (2.0, 0.5))}) == {
        "name": "Wave",
        "source": {"input": "game/level0", "file": "level0", "path_id": "70", "type": "AnimationClip"},
        "rig": "Figure",
        "reason": "no human avatar fits this rig",
        "duration": 2.0,
        "sample_rate": 30.0,
        "curves": [
            {"attribute": "Spine Front-Back", "interpolation": "step", "times": [0.0], "values": [0.5]},
            {"attribute": "RootT.y", "interpolation": "linear", "times": [0.0, 2.0], "values": [1.0, 0.5]},
        ],
    }


def test_nothing_is_a_document_too() -> None:
    assert written()["curves"] == []


# --- interpolation ------------------------------------------------------------------------------------------------

STEPS = curve((0.0, 1.0), (0.5, -2.0), (1.5, 3.0))
LINES = line((0.0, 1.0), (0.5, -2.0), (2.0, 3.0))
BENT = curve((0.0, 1.0, -2.0, 3.0, 4.0), (1.0, 0.0, 0.0, -1.0, 5.0), (2.0, 7.0))


@pytest.mark.parametrize(
    ("given", "interpolation"),
    [
        (STEPS, "step"),
        (LINES, "linear"),
        (line((0.0, 1.0), (1.0, 1.0), (2.0, 3.0)), "linear"),  # level, then up
        (BENT, "cubic"),
        (curve((0.0, 0.0, 1e-3, 0.0, 0.0), (1.0, 1e-3)), "cubic"),
        (curve((0.0, 1e-3, 0.0, 0.0, 0.0), (1.0, 1e-3)), "cubic"),
        (curve((0.0, 0.0, 0.0, 1.0, 0.0), (1.0, 5.0)), "cubic"),  # straight, then a jump
        (curve((0.0, 0.0, 0.0, 1.0, 0.0), (1.0, 1.0), (2.0, 5.0)), "cubic"),  # a line, then a step
        (curve((0.0, 0.0, 0.0, 1.0, 0.0), (1.0, 0.0, 0.0, 1.0, 1.0)), "cubic"),  # goes on after its last key
        (curve((0.0, 0.0, 0.0, 1.0, 0.0)), "cubic"),
    ],
)
def test_the_simplest_form_that_is_exact(given: Curve, interpolation: str) -> None:
    told = one(given)
    assert told["interpolation"] == interpolation
    assert ("cubics" in told) is (interpolation == "cubic")


def test_a_line_may_be_off_by_what_float32_rounds() -> None:
    """A slope of a third ends 1e-8 off when it is stored so; one that ends 1e-5 off jumps there."""
    slope = float(np.float32(1 / 3))
    assert one(curve((0.0, 0.0, 0.0, slope, 0.0), (1.0, 1 / 3)))["interpolation"] == "linear"
    assert one(curve((0.0, 0.0, 0.0, 1.0, 0.0), (1.0, 1 + 1e-5)))["interpolation"] == "cubic"


def test_cubics_are_told_by_falling_power() -> None:
    """Of each key a, b, c; what holds from the last one on, too."""
    assert one(BENT) == {
        "attribute": "a",
        "interpolation": "cubic",
        "times": [0.0, 1.0, 2.0],
        "values": [4.0, 5.0, 7.0],
        "cubics": [[1.0, -2.0, 3.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]],
    }


# --- there and back -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (STEPS, {0.0: 1.0, 0.49: 1.0, 0.5: -2.0, 1.4: -2.0, 1.5: 3.0, 9.0: 3.0}),
        (LINES, {0.0: 1.0, 0.25: -0.5, 0.5: -2.0, 1.25: 0.5, 2.0: 3.0, 9.0: 3.0}),
        (BENT, {0.0: 4.0, 0.5: 0.125 - 0.5 + 1.5 + 4.0, 1.0: 5.0, 1.5: 4.5, 1.75: 4.25, 2.0: 7.0, 9.0: 7.0}),
        (hermite((0.0, 0.0, 0.0, 3.0), (1.0, 0.0, -3.0, 0.0)), {0.5: 0.75, 0.25: 0.5625, 1.0: 0.0}),
        (curve((1.0, 2.0), (2.0, 3.0)), {0.0: 2.0, 1.5: 2.0, 2.0: 3.0}),  # begins after the clip's start
    ],
)
def test_values_come_back(given: Curve, wanted: dict[float, float]) -> None:
    told = one(given)
    for time, value in wanted.items():
        assert played(told, time) == pytest.approx(value, abs=1e-9)


def test_numbers_keep_nine_digits() -> None:
    """As many as float32 tells apart, and none that only float64 does."""
    fine = [float(np.float32(0.1)), float(np.float32(123456.7)), float(np.nextafter(np.float32(1), np.float32(2)))]
    told = one(curve(*((float(time), value) for time, value in enumerate(fine))))
    assert told["values"] == [0.100000001, 123456.703, 1.00000012]
    assert [np.float32(value) for value in told["values"]] == [np.float32(value) for value in fine]
    assert one(curve((1 / 3, 1.0), (0.5, 1.0)))["times"] == [0.333333333, 0.5]


def test_names_are_written_as_text() -> None:
    assert written(**{'Wa"ve ü': STEPS})["curves"][0]["attribute"] == 'Wa"ve ü'


def test_there_are_no_numbers_that_json_lacks() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        one(curve((0.0, math.nan)))
