"""Clips: the stream's words by hand, cubics that land on their keys, both layouts of the counts, names and paths."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import UnityPy

from tests.unit.sample.readback import assert_reads_back
from unity2gltf.math3d import name_hash
from unity2gltf.sample import (
    FileBuilder,
    Segment,
    State,
    compiled_clip,
    controller_fields,
    dense_fields,
    keyed,
    streamed_words,
    transform_binding,
)
from unity2gltf.sample.clips import LOWEST, hermite, shape_binding
from unity2gltf.sample.motion import HIPS_TIMES, idle_clip, spin_clip, wave_clip
from unity2gltf.sample.skeleton import build_skeleton
from unity2gltf.sample.values import ANIMATION_CLIP, ANIMATOR_CONTROLLER

SKELETON = build_skeleton()
VERSIONS = (
    *("4.6.9f1", "5.0.4f1", "5.6.7f1", "2017.4.40f1", "2018.4.30f1", "2019.4.40f1", "2020.3.48f1", "2021.3.30f1"),
    *("2022.1.20f1", "2022.3.20f1", "2023.1.0f1", "2023.2.20f1", "6000.0.30f1", "6000.2.5f1"),
)
COUNTED_TWICE = {"2022.3.20f1", "2023.2.20f1", "6000.0.30f1", "6000.2.5f1"}


def decode(words: np.ndarray[Any, Any]) -> list[tuple[float, int, float, float, float, float]]:
    """(time, curve, a, b, c, value) in file order, told word by word."""
    data, found, place = words.astype("<u4").tobytes(), [], 0
    while place < len(data):
        time, count = struct.unpack_from("<fi", data, place)
        place += 8
        for _ in range(count):
            found.append((time, *struct.unpack_from("<iffff", data, place)))
            place += 20
    assert place == len(data)
    return found


def test_words_of_two_curves() -> None:
    words = streamed_words([Segment(1, 0.5, 1, 2, 3, 4), Segment(0, 0.5, 5, 6, 7, 8)])
    assert decode(words) == [
        (LOWEST, 0, 0, 0, 0, 8),
        (LOWEST, 1, 0, 0, 0, 4),
        (0.5, 0, 5, 6, 7, 8),
        (0.5, 1, 1, 2, 3, 4),
    ]
    assert words[:3].tolist() == [0xFF7FFFFF, 2, 0], "the lead-in starts at the lowest float32"
    assert words[-2:].tolist() == [0x7F800000, 0], "the end is an empty frame at infinity"


def test_hermite_by_hand() -> None:
    assert hermite(1.0, 2.0, 4.0, 0.0, 1.0) == (-4.0, 5.0, 2.0)  # -4 + 5 + 2 + 1 = 4, slope -12 + 10 + 2 = 0


def test_an_infinite_slope_is_a_step() -> None:
    assert keyed(3, (0.0, 1.0, 2.0), (5.0, 7.0, 9.0), (float("inf"), 0.0, 0.0))[0] == Segment(3, 0, 0, 0, 0, 5)
    assert keyed(0, (0.0,), (5.0,), (1.0,)) == [Segment(0, 0, 0, 0, 0, 5)], "the last key holds"


def landings(clip: dict[str, Any]) -> tuple[int, list[tuple[int, float]]]:
    """How many float32 cubics reach their next key exactly, and (curve, time) of those that do not."""
    records = decode(clip["m_MuscleClip"]["m_Clip"]["data"]["m_StreamedClip"]["data"])
    good, missed = 0, []
    for curve in {record[1] for record in records}:
        own = [record for record in records if record[1] == curve and record[0] > LOWEST]
        for (t, _, *cubic), (end, _, *after) in pairwise(own):
            a, b, c, value, d = (np.float32(x) for x in (*cubic, end - t))
            if ((a * d + b) * d + c) * d + value == np.float32(after[3]):
                good += 1
            else:
                missed.append((curve, end))
    return good, missed


def test_only_the_jump_misses_its_next_key() -> None:
    assert landings(wave_clip(SKELETON)) == (8 * 4 + 3 * 3 + 2 - 1, [(10, HIPS_TIMES[2])])
    assert landings(idle_clip(SKELETON)) == (1 + 2 + 1 + 4 * 2, [])


@pytest.mark.parametrize("clip", [wave_clip(SKELETON), idle_clip(SKELETON)], ids=lambda clip: clip["m_Name"])
def test_bindings_take_every_curve(clip: dict[str, Any]) -> None:
    widths = {1: 3, 2: 4, 3: 3}
    parts = clip["m_MuscleClip"]["m_Clip"]["data"]
    counts = parts["m_StreamedClip"]["curveCount"], parts["m_DenseClip"]["m_CurveCount"]
    bindings = clip["m_ClipBindingConstant"]["genericBindings"]
    taken = sum(widths[b["attribute"]] if b["?typeID"] == 4 else 1 for b in bindings)
    assert (
        taken == sum(counts) + len(parts["?m_ConstantClip"]["data"]) == len(clip["m_MuscleClip"]["m_ValueArrayDelta"])
    )
    known = {name_hash(path) for path in (*SKELETON.paths, "Body")}
    assert {b["path"] for b in bindings} <= known


def test_wave_is_what_it_says() -> None:
    clip = wave_clip(SKELETON)
    parts = clip["m_MuscleClip"]["m_Clip"]["data"]
    assert (parts["m_StreamedClip"]["curveCount"], len(parts["?m_ConstantClip"]["data"])) == (12, 7)
    samples = parts["m_DenseClip"]["m_SampleArray"].reshape(-1, 4)
    assert len(samples) == 61, "two seconds at 30 Hz, both ends included"
    assert np.allclose(np.linalg.norm(samples, axis=1), 1, atol=1e-6)
    assert (np.sum(samples[1:] * samples[:-1], axis=1) > 0.99).all(), "neighbours are on the same side"
    breathing = [record for record in decode(parts["m_StreamedClip"]["data"]) if record[1] == 11]
    assert [record[5] for record in breathing] == [0, 0, 100, 0], "through 50, where the shape's first frame lies"
    (shape,) = (b for b in clip["m_ClipBindingConstant"]["genericBindings"] if b["customType"] == 20)
    assert shape == shape_binding("Body", "Breathe") and shape["attribute"] == name_hash("Breathe")
    quaternions = np.array([r[5] for r in decode(parts["m_StreamedClip"]["data"]) if r[1] < 4]).reshape(-1, 4)
    assert np.allclose(np.linalg.norm(quaternions, axis=1), 1, atol=1e-3)


@pytest.mark.parametrize("type_trees", [False, True])
@pytest.mark.parametrize("version", VERSIONS)
def test_clips_and_controllers_read_back(version: str, type_trees: bool) -> None:
    file = FileBuilder(version, type_trees)
    for clip in (wave_clip(SKELETON), idle_clip(SKELETON), spin_clip("Child", "Shape")):
        file.add(ANIMATION_CLIP, clip)
    count = 3
    if int(version.partition(".")[0]) > 5:  # controllers of Unity 4 and 5.0 had fields of other names
        file.add(ANIMATOR_CONTROLLER, controller_fields("C", [1, 2], [State("A", 0), State("B", 1, speed=2)]))
        count = 4
    assert assert_reads_back(file.to_bytes(), file, version) == count
    stream = file.objects[1].value["m_MuscleClip"]["m_Clip"]["data"]["m_StreamedClip"]
    assert ("discreteCurveCount" in stream) is (version in COUNTED_TWICE)


def test_discrete_curves_are_counted_apart_where_the_version_does() -> None:
    clip = compiled_clip("C", [], streamed=[Segment(0, 0, 0, 0, 0, 1), Segment(1, 0, 0, 0, 0, 2)], discrete=1)
    stream = clip["m_MuscleClip"]["m_Clip"]["data"]["m_StreamedClip"]
    assert (stream["curveCount"], stream["?discreteCurveCount"]) == (1, 1)


def test_dense_samples_lie_frame_by_frame() -> None:
    dense = dense_fields([[1, 2], [3, 4], [5, 6]], 10.0, 0.5)
    assert (dense["m_FrameCount"], dense["m_CurveCount"], dense["m_BeginTime"]) == (3, 2, 0.5)
    assert dense["m_SampleArray"].tolist() == [1, 2, 3, 4, 5, 6]


def test_the_root_has_path_zero() -> None:
    assert transform_binding("", "position")["path"] == 0
    assert transform_binding("Hips/Spine", "euler") | {"attribute": 0} == {
        **{"path": name_hash("Hips/Spine"), "attribute": 0, "customType": 0},
        **{"?typeID": 4, "?classID": 4},
    }


def test_spin_through_unitypy() -> None:
    file = FileBuilder("2022.3.20f1")
    file.add(ANIMATION_CLIP, spin_clip("Ornament", "Swell"))
    (clip,) = (reader.parse_as_dict() for reader in UnityPy.load(file.to_bytes()).objects)
    assert clip["m_Legacy"]
    keys = [key for curve in clip["m_PositionCurves"] for key in curve["curve"]["m_Curve"]]
    assert [key["weightedMode"] for key in keys] == [0, 3, 0]
    assert keys[1]["inWeight"]["y"] == 0.5 and keys[0]["outWeight"]["y"] == np.float32(1 / 3)
    (swell,) = clip["m_FloatCurves"]
    assert (swell["path"], swell["attribute"], swell["classID"]) == ("Ornament", "blendShape.Swell", 137)
    (turn,) = clip["m_EulerCurves"]
    assert [key["value"]["y"] for key in turn["curve"]["m_Curve"]] == [0, 360]
    assert turn["curve"]["m_RotationOrder"] == 4


def test_controller_names_resolve() -> None:
    fields = controller_fields("C", [7, 9], [State("Wave", 0, speed=1.5), State("Idle", 1)], default=1)
    names = dict(fields["m_TOS"])
    (machine,) = fields["m_Controller"]["m_StateMachineArray"]
    states = [state["data"] for state in machine["data"]["m_StateConstantArray"]]
    assert [names[state["?m_FullPathID"]] for state in states] == ["Base Layer.Wave", "Base Layer.Idle"]
    leaves = [state["m_BlendTreeConstantArray"][0]["data"]["m_NodeArray"][0]["data"]["m_ClipID"] for state in states]
    assert [fields["m_AnimationClips"][leaf]["m_PathID"] for leaf in leaves] == [7, 9]
    assert names[machine["data"]["m_StateConstantArray"][1]["data"]["?m_NameID"]] == "Idle"
