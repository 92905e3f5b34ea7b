"""Whole clips: which curve is whose, clip time, kinds and what is told."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.reference.clip_writer import INF, binding, clip, compiled, frame, keys, packed, rows, value
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.math3d import name_hash
from unity2gltf.normalize.clips.decode import decode_clip
from unity2gltf.normalize.clips.decoded import DecodedClip
from unity2gltf.raw import RawClip, RawCurve, RawEvent, RawKeys, RawPackedKeys


def decoded(raw: RawClip) -> tuple[DecodedClip, list[str]]:
    diagnostics = Diagnostics()
    return decode_clip(raw, diagnostics), [item.code.name for item in diagnostics.items]


def holds(curve: int, number: float) -> tuple[int, float, float, float, float]:
    return curve, 0.0, 0.0, 0.0, number


def test_curves_are_numbered_streamed_discrete_dense_constant() -> None:
    raw = clip(
        compiled=compiled(
            [frame(0.0, *(holds(n, float(n)) for n in range(4)), (4, 1.0, 1.0, 1.0, 4.0))],
            streamed=4,
            discrete=1,
            dense=[[5.0, 6.0], [5.5, 6.5]],
            constants=[7.0, 8.0],
        ),
        bindings=(
            binding(4, 1, path=11),
            binding(23, 2, path=12, custom_type=22),
            binding(1, 99, path=13, is_int=True),
            binding(95, 42, custom_type=8),
            binding(137, 0xFFFFFFFF, path=14, custom_type=20),
            binding(95, 43, custom_type=8),
            binding(95, 1234),
        ),
    )
    found, told = decoded(raw)
    assert [(c.path_hash, c.type_id, c.attribute, c.custom_type) for c in found.curves] == [
        (11, 4, "position", 0),
        (12, 23, 2, 22),
        (13, 1, 99, 0),
        (14, 137, 0xFFFFFFFF, 20),
        (0, 95, 1234, 0),
    ]
    assert [[part[0][4] for part in map(rows, c.curves)] for c in found.curves] == [[0, 1, 2], [3], [4], [6], [8]]
    assert [c.discrete for c in found.curves] == [False, False, True, False, False]
    assert rows(found.curves[2].curves[0]) == [(0.0, 0.0, 0.0, 0.0, 4.0)]  # integers step
    assert (found.kind, found.extras["muscles"], found.lost_muscles) == ("humanoid", 2, ())
    assert {name: rows(part)[0][4] for name, part in found.muscles.items()} == {
        "Spine Front-Back": 5.0,
        "Spine Left-Right": 7.0,
    }
    assert all(curve.path is None and curve.exact for curve in found.curves)
    assert told == []


@pytest.mark.parametrize(
    ("attribute", "name", "width"),
    [(1, "position", 3), (2, "rotation", 4), (3, "scale", 3), (4, "euler", 3), (7, 7, 1)],
)
def test_widths_of_a_transform(attribute: int, name: str | int, width: int) -> None:
    raw = clip(compiled=compiled(constants=[0.0] * width), bindings=(binding(4, attribute),))
    found, told = decoded(raw)
    assert (found.curves[0].attribute, len(found.curves[0].curves)) == (name, width)
    assert (found.kind, told) == ("generic", [])


def test_dense_curves_are_lines_from_their_begin_on() -> None:
    raw = clip(
        start=1.0,
        stop=4.0,
        compiled=compiled(dense=[[0.0], [1.0], [5.0]], rate=2.0, begin=2.0),
        bindings=(binding(1, 1),),
    )
    (curve,) = decoded(raw)[0].curves[0].curves
    assert rows(curve) == [(1.0, 0, 0, 2.0, 0.0), (1.5, 0, 0, 8.0, 1.0), (2.0, 0, 0, 0.0, 5.0)]
    assert [value(curve, t) for t in (0.0, 1.25, 3.0)] == [0.0, 0.5, 5.0]


def test_clip_time_begins_at_the_start_and_events_shift_alike() -> None:
    event = RawEvent(time=2.5, function="Step", string="left", number=1.0, integer=2)
    raw = clip(
        start=2.0,
        stop=4.0,
        compiled=compiled([frame(0.0, (0, 0.0, 0.0, 1.0, 0.0)), frame(9.0, holds(0, 9.0))], streamed=1),
        bindings=(binding(1, 1),),
        events=(event, replace(event, time=math.nan)),
        flags={"m_LoopTime": True, "m_CycleOffset": 0.5, "m_Level": math.nan},
    )
    found, told = decoded(raw)
    assert found.duration == 2.0
    assert rows(found.curves[0].curves[0]) == [(0.0, 0.0, 0.0, 1.0, 2.0)]
    assert found.events == (replace(event, time=0.5),)
    expected = {"sample_rate": 60.0, "wrap": 0, "start": 2.0, "stop": 4.0, "m_LoopTime": True, "m_CycleOffset": 0.5}
    assert found.extras == expected
    assert told == ["CLIP_INVALID"]


def test_pose_of_no_duration() -> None:
    raw = clip(
        stop=0.0,
        compiled=compiled([frame(0.0, (0, 1.0, 1.0, 1.0, 3.0))], streamed=1),
        bindings=(binding(1, 1),),
    )
    found, told = decoded(raw)
    assert found.duration == 0.0
    assert rows(found.curves[0].curves[0]) == [(0.0, 0.0, 0.0, 0.0, 3.0)]
    assert told == []


# --- by path ------------------------------------------------------------------------------------------------------


def stack(*columns: RawKeys) -> RawKeys:
    """Several components as one curve."""
    joined = {name: np.hstack([getattr(c, name) for c in columns]) for name in ("values", "in_slopes", "out_slopes")}
    return replace(columns[0], **joined)


def curve(kind: str, path: str, raw: RawKeys | RawPackedKeys | None, **fields: Any) -> RawCurve:
    return RawCurve(kind=kind, path=path, keys=raw, **fields)


LINE = keys((0, 0, 0, 2), (1, 2, 2, 0))


def test_legacy_clip() -> None:
    raw = clip(
        legacy=True,
        stop=77.0,  # means nothing in a legacy clip: its keys do
        curves=(
            curve("position", "a/b", stack(LINE, LINE, LINE)),
            curve("rotation", "a", stack(LINE, LINE, LINE, keys((0, 1, 0, 0), (1, 1, 0, 0)))),
            curve("euler", "", replace(stack(LINE, LINE, LINE), rotation_order=2)),
            curve("float", "a", keys((0, 0, 0, 0), (2.5, 1, 0, 0)), attribute="blendShape.Smile", class_id=137),
            curve("pptr", "s", None, attribute="m_Sprite", class_id=212, times=np.array([0, 3], np.float32)),
        ),
    )
    found, told = decoded(raw)
    assert [(c.path, c.path_hash, c.type_id, c.attribute, len(c.curves)) for c in found.curves] == [
        ("a/b", name_hash("a/b"), 4, "position", 3),
        ("a", name_hash("a"), 4, "rotation", 4),
        ("", 0, 4, "euler", 3),
        ("a", name_hash("a"), 137, "blendShape.Smile", 1),
        ("s", name_hash("s"), 212, "m_Sprite", 0),
    ]
    assert [c.rotation_order for c in found.curves] == [4, 4, 2, 4, 4]
    assert [c.discrete for c in found.curves] == [False, False, False, False, True]
    assert (found.kind, found.duration, found.extras["reference_curves"]) == ("legacy", 3.0, 1)
    assert told == []


@pytest.mark.parametrize(("first", "zero"), [(-0.5, -0.5), (0.25, 0.0)])
def test_legacy_clip_starts_at_a_first_key_before_zero(first: float, zero: float) -> None:
    raw = clip(
        legacy=True,
        curves=(curve("float", "", keys((first, 1, 0, 0), (2, 3, 0, 0)), attribute="x", class_id=1),),
        events=(RawEvent(time=1.0, function="f", string="", number=0.0, integer=0),),
    )
    found, _ = decoded(raw)
    assert (found.duration, found.extras["start"], found.events[0].time) == (2.0 - zero, zero, 1.0 - zero)
    assert found.curves[0].curves[0].times.tolist() == [first - zero, 2.0 - zero]


def test_editor_form_keeps_its_own_span_and_names_muscles() -> None:
    muscles = ["RootT.x", "RootQ.w", "LeftFootT.z", "MotionQ.x", "Spine Front-Back", "Left Eye In-Out", "Jaw Close"]
    muscles += ["LeftHand.Thumb.1 Stretched", "RightHand.Little.Spread", "Left Arm Twist In-Out", "ChestTDOF.x"]
    floats = [curve("float", "", LINE, attribute=name, class_id=95) for name in [*muscles, "Door Close"]]
    found, told = decoded(clip(start=0.25, stop=0.75, curves=(curve("scale", "a", stack(LINE, LINE, LINE)), *floats)))
    assert (found.kind, list(found.muscles), found.duration) == ("humanoid", muscles, 0.5)
    assert [c.attribute for c in found.curves] == ["scale", "Door Close"]
    assert rows(found.curves[0].curves[0]) == [(0.0, 0.0, 0.0, 2.0, 0.5)]
    assert told == []


def test_weighted_and_compressed_curves_are_told() -> None:
    weights = np.full((2, 1), 0.9, np.float32)
    bent = keys((0, 0, 0, 5), (1, 2, 0, 0), weighted=np.array([2, 0]), in_weights=weights, out_weights=weights)
    zeros = packed([0] * 12, 1)
    tight = RawPackedKeys(times=packed([0, 50], 6), values=packed([3, 3], 32), slopes=zeros)
    raw = clip(
        legacy=True,
        curves=(curve("float", "", bent, attribute="x", class_id=1), curve("rotation", "a", tight)),
    )
    found, told = decoded(raw)
    assert told == ["CLIP_RESAMPLED", "CLIP_COMPRESSED"]
    assert [c.exact for c in found.curves] == [False, True]
    assert found.curves[0].error > 0
    assert found.curves[1].curves[0].times.tolist() == [0.0, 0.5]


def test_compiled_curves_come_before_those_by_path() -> None:
    raw = clip(compiled=compiled(constants=[1.0]), bindings=(binding(1, 1),), curves=(curve("float", "", LINE),))
    found, told = decoded(raw)
    assert (len(found.curves), told) == (1, ["CLIP_DUPLICATE"])


def test_empty_clip() -> None:
    found, told = decoded(clip(compiled=compiled()))
    assert (found.kind, found.curves, found.duration, told) == ("empty", (), 1.0, [])


def test_infinite_slopes_step_in_whole_clips() -> None:
    raw = clip(legacy=True, curves=(curve("float", "", keys((0, 1, 0, INF), (1, 2, 0, 0)), attribute="m_IsActive"),))
    assert rows(decoded(raw)[0].curves[0].curves[0]) == [(0.0, 0, 0, 0, 1.0), (1.0, 0, 0, 0, 2.0)]
