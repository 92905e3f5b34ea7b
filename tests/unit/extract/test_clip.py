"""Clips written by hand in several versions, and read word for word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.clips import add_clip, compiled, keyframes, stream_words
from unity2gltf.diagnostics import Fault
from unity2gltf.extract.game import open_game
from unity2gltf.math3d import name_hash
from unity2gltf.raw import RawBinding, RawClip, RawKeys, RawPackedKeys
from unity2gltf.sample.writer import FileBuilder

COMPILED = ("4.3.4f1", "5.0.2f1", "5.6.0f3", "2018.3.0f2", "2022.3.20f1", "2023.1.0f1", "6000.0.23f1")
WORDS = stream_words([(-3e38, [(0, (0, 0, 0, 2)), (1, (0, 0, 0, 3))]), (0.5, [(1, (1, 2, 3, 4))]), (np.inf, [])])


def read(tmp_path: Path, file: FileBuilder) -> RawClip:
    (tmp_path / "a.assets").write_bytes(file.to_bytes())
    (root,) = open_game(tmp_path).roots
    (source,) = root.objects("AnimationClip")
    return root.clip(source)


@pytest.mark.parametrize("version", COMPILED)
@pytest.mark.parametrize("big_endian", [False, True])
def test_compiled_curves(tmp_path: Path, version: str, big_endian: bool) -> None:
    file = FileBuilder(version, big_endian=big_endian)
    dense = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    data = compiled(WORDS, 2, dense, 24.0, [7.0, 8.0])
    muscle = {"m_StartTime": 0.25, "m_LoopTime": True, "m_CycleOffset": 0.5, "m_IndexArray": [-1, 3]}
    add_clip(file, data, [(17, 1, 4, 0), (0, name_hash("Smile"), 137, 20)], m_MuscleClip=muscle, m_SampleRate=24.0)
    clip = read(tmp_path, file)
    assert (clip.name, clip.legacy, clip.start, clip.stop, clip.sample_rate) == ("clip", False, 0.25, 1.0, 24.0)
    assert clip.compiled is not None
    assert clip.compiled.streamed.tobytes() == WORDS.tobytes()
    assert (clip.compiled.streamed_count, clip.compiled.discrete_count) == (2, 0)
    assert clip.compiled.dense.tolist() == dense and clip.compiled.dense_rate == 24.0
    assert clip.compiled.constants.tolist() == [7.0, 8.0]
    assert clip.bindings == (
        RawBinding(path=17, attribute=1, type_id=4, custom_type=0),
        RawBinding(path=0, attribute=name_hash("Smile"), type_id=137, custom_type=20),
    )
    assert clip.muscles.index_array == (-1, 3)
    assert clip.flags["m_LoopTime"] is True and clip.flags["m_CycleOffset"] == 0.5
    assert all(isinstance(value, bool | int | float) for value in clip.flags.values())
    assert clip.curves == ()


@pytest.mark.parametrize(("version", "split"), [("2022.3.18f1", False), ("2022.3.20f1", True), ("6000.0.23f1", True)])
def test_discrete_curves_are_counted_apart(tmp_path: Path, version: str, split: bool) -> None:
    file = FileBuilder(version)
    data = compiled(WORDS, 1 if split else 2)
    data["m_StreamedClip"]["?discreteCurveCount"] = 1
    add_clip(file, data)
    clip = read(tmp_path, file)
    assert clip.compiled is not None
    assert (clip.compiled.streamed_count, clip.compiled.discrete_count) == ((1, 1) if split else (2, 0))


def binding(rows: list[tuple[int, str]]) -> dict[str, Any]:
    """m_Binding of 4.0 to 4.2: (hash of the path, name of the component)."""
    values = [{"m_ID": path, "m_TypeID": name_hash(name), "m_Index": i} for i, (path, name) in enumerate(rows)]
    return {"data": {"m_ValueArray": values}}


@pytest.mark.parametrize("version", ["4.0.1f2", "4.2.0f4"])
def test_bindings_before_4_3_are_read_from_the_names_of_their_components(tmp_path: Path, version: str) -> None:
    file = FileBuilder(version)
    rows = [(9, f"Quaternion{axis}") for axis in "XYZW"] + [(5, f"Position{axis}") for axis in "XYZ"]
    add_clip(file, compiled(WORDS, 2) | {"m_Binding": binding(rows)})
    clip = read(tmp_path, file)
    assert [(b.path, b.attribute, b.type_id) for b in clip.bindings] == [(9, 2, 4), (5, 1, 4)]
    assert clip.compiled is not None and len(clip.compiled.constants) == 0


@pytest.mark.parametrize(
    "rows", [[(9, "PositionX"), (9, "PositionY")], [(9, "PositionX"), (8, "PositionY")], [(1, "RootT.x")]]
)
def test_bindings_before_4_3_that_cannot_be_told_are_left_empty(tmp_path: Path, rows: list[tuple[int, str]]) -> None:
    file = FileBuilder("4.2.0f4")
    add_clip(file, compiled(WORDS, 2) | {"m_Binding": binding(rows)})
    assert read(tmp_path, file).bindings == ()


@pytest.mark.parametrize("version", ["4.0.1f2", "4.5.5f1", "5.0.2f1", "2017.4.40f1", "2022.3.20f1"])
def test_legacy_curves(tmp_path: Path, version: str) -> None:
    file = FileBuilder(version)
    rows = keyframes([(0, (1, 2, 3), (0, 0, 0), (4, 5, 6)), (2, (7, 8, 9), (1, 1, 1), (np.inf, 0, 0))])
    numbers = keyframes([(0, 10.0, 0, 0), (3, 90.0, 0, 0)], "")
    fields = {
        "m_Name": "walk", "?m_Legacy": True, "?m_AnimationType": 1, "m_WrapMode": 2, "m_SampleRate": 30.0,
        "m_PositionCurves": [{"path": "Hips", "curve": {"m_Curve": rows, "m_PreInfinity": 1, "m_PostInfinity": 2}}],
        "m_FloatCurves": [
            {"path": "Body", "attribute": "blendShape.Smile", "classID": 137, "curve": {"m_Curve": numbers}}
        ],
        "m_Events": [{"time": 0.5, "functionName": "Step", "data": "left", "floatParameter": 1.5, "intParameter": 3}],
    }  # fmt: skip
    file.add(74, fields)
    clip = read(tmp_path, file)
    assert (clip.legacy, clip.compiled, clip.bindings, clip.wrap_mode) == (True, None, (), 2)
    assert (clip.start, clip.stop) == (0.0, 3.0)
    position, shape = clip.curves
    assert (position.kind, position.path) == ("position", "Hips")
    assert isinstance(position.keys, RawKeys) and isinstance(shape.keys, RawKeys)
    assert position.keys.times.tolist() == [0, 2]
    assert position.keys.values.tolist() == [[1, 2, 3], [7, 8, 9]]
    assert position.keys.in_slopes.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert position.keys.out_slopes.tolist() == [[4, 5, 6], [np.inf, 0, 0]]
    assert (position.keys.pre_infinity, position.keys.post_infinity) == (1, 2)
    assert (shape.kind, shape.attribute, shape.class_id) == ("float", "blendShape.Smile", 137)
    assert shape.keys.values.tolist() == [[10], [90]]
    (event,) = clip.events
    assert (event.time, event.function, event.string, event.number, event.integer) == (0.5, "Step", "left", 1.5, 3)
    assert event.reference is None


def test_keys_with_weights(tmp_path: Path) -> None:
    rows = keyframes([(0, (1, 2, 3), (0, 0, 0), (0, 0, 0))])
    rows[0] |= {"weightedMode": 3, "inWeight": dict(x=0.25, y=0.5, z=0.75), "outWeight": dict(x=1, y=2, z=3)}
    file = FileBuilder("2018.1.0f2")
    curve = {"m_Curve": rows, "m_RotationOrder": 2}
    file.add(74, {"m_Legacy": True, "m_EulerCurves": [{"path": "", "curve": curve}]})
    (curve,) = read(tmp_path, file).curves
    assert curve.kind == "euler" and isinstance(curve.keys, RawKeys) and curve.keys.rotation_order == 2
    assert curve.keys.weighted is not None and curve.keys.weighted.tolist() == [3]
    assert curve.keys.in_weights is not None and curve.keys.in_weights.tolist() == [[0.25, 0.5, 0.75]]
    assert curve.keys.out_weights is not None and curve.keys.out_weights.tolist() == [[1, 2, 3]]


def test_compressed_rotations_end_at_the_sum_of_their_times(tmp_path: Path) -> None:
    times = np.packbits(np.array([[0] * 6, [0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 1]], np.uint8), bitorder="little")
    packed = {"m_NumItems": 3, "m_BitSize": 6, "m_Data": times}  # steps of 0, 4 and 34 hundredths
    item = {"m_Path": "Hips", "m_Times": packed, "m_Values": {"m_NumItems": 3, "m_Data": np.zeros(12, np.uint8)}}
    file = FileBuilder("5.0.2f1")
    file.add(74, {"m_Legacy": True, "m_CompressedRotationCurves": [item]})
    clip = read(tmp_path, file)
    (curve,) = clip.curves
    assert isinstance(curve.keys, RawPackedKeys)
    assert (curve.kind, curve.path, curve.keys.values.num_items, curve.keys.values.bit_size) == (
        "rotation",
        "Hips",
        3,
        0,
    )
    assert clip.stop == pytest.approx(0.38)


def test_big_arrays_are_views_of_the_file(tmp_path: Path) -> None:
    file = FileBuilder("2022.3.20f1")
    add_clip(file, compiled(np.zeros(100_000, np.uint32), 2, np.zeros((1000, 50))))
    clip = read(tmp_path, file)
    assert clip.compiled is not None
    assert not clip.compiled.streamed.flags.owndata and not clip.compiled.dense.flags.owndata
    assert not clip.compiled.streamed.flags.writeable


# --- clips that lie ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frames", "curves"), [(3, 3), (1 << 30, 1 << 30), (0, 3), (-1, 3), (-(1 << 31), 0xFFFFFFFF), (7, 1)]
)
def test_dense_counts_that_do_not_fit_the_samples(tmp_path: Path, frames: int, curves: int) -> None:
    data = compiled(WORDS, 2, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    data["m_DenseClip"] |= {"m_FrameCount": frames, "m_CurveCount": curves}
    file = FileBuilder("2021.3.0f1")
    add_clip(file, data)
    with pytest.raises(Fault) as fault:
        read(tmp_path, file)
    assert fault.value.code.name == "CLIP_INVALID"


def test_frames_without_dense_curves_cost_nothing(tmp_path: Path) -> None:
    data = compiled(WORDS, 2)
    data["m_DenseClip"]["m_FrameCount"] = 1 << 30
    file = FileBuilder("2021.3.0f1")
    add_clip(file, data)
    clip = read(tmp_path, file)
    assert clip.compiled is not None and clip.compiled.dense.shape == (0, 0)


def test_more_streamed_curves_than_words(tmp_path: Path) -> None:
    file = FileBuilder("2021.3.0f1")
    add_clip(file, compiled(WORDS, 0xFFFFFFFF))
    with pytest.raises(Fault) as fault:
        read(tmp_path, file)
    assert fault.value.code.name == "CLIP_INVALID" and fault.value.data["curves"] == 0xFFFFFFFF


def test_times_that_are_not_finite_do_not_set_the_stop(tmp_path: Path) -> None:
    rows = keyframes([(np.nan, 1.0, 0, 0), (np.inf, 1.0, 0, 0), (0.5, 1.0, 0, 0)], "")
    file = FileBuilder("5.0.2f1")
    file.add(74, {"m_Legacy": True, "m_FloatCurves": [{"path": "", "curve": {"m_Curve": rows}}]})
    assert read(tmp_path, file).stop == 0.5


def test_packed_times_longer_than_their_bits_do_not_set_the_stop(tmp_path: Path) -> None:
    packed = {"m_NumItems": 0xFFFFFFFF, "m_BitSize": 32, "m_Data": np.zeros(4, np.uint8)}
    file = FileBuilder("5.0.2f1")
    file.add(74, {"m_Legacy": True, "m_CompressedRotationCurves": [{"m_Times": packed}]})
    assert read(tmp_path, file).stop == 0.0


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9, 0.999])
def test_clip_cut_short(tmp_path: Path, share: float) -> None:
    whole = FileBuilder("2022.3.20f1")
    add_clip(whole, compiled(WORDS, 2, np.zeros((9, 9)), 30.0, [1.0]), [(1, 1, 4, 0)] * 5)
    (written,) = whole.objects.values()
    file = FileBuilder("2022.3.20f1")
    file.add_bytes(74, written.data[: int(len(written.data) * share)])
    with pytest.raises(Fault) as fault:
        read(tmp_path, file)
    assert fault.value.code.name == "OBJECT_CORRUPT"
