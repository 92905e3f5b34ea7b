"""The round trip of clips: a file made by hand passes, and damage to any number of a sampler is caught."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.evaluate.clip_by_hand import (
    BODY,
    HIP,
    KNEE,
    curve,
    line,
    moving,
    moving_by_hand,
    steps,
    still,
    track,
    walk,
)
from tests.unit.evaluate.draft import Draft
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.ir import Asset, Channel, Clip, Curve, Path
from unity2gltf.validate.clip_times import MOST_TIMES, Rounding, sample_times, unity_times
from unity2gltf.validate.roundtrip import RoundTrip, roundtrip
from unity2gltf.validate.structure import check_structure

LEVELS = ("quick", "full")
GLIDE, TURN, EULER, GROW, SMILE, COLOR, STAY = range(7)


def check(unity: Asset, draft: Draft, level: str = "quick") -> RoundTrip:
    result = roundtrip(unity, parse_glb(draft.glb()), level, diagnostics=Diagnostics(), max_influences=8)
    json.dumps(result.to_json(), allow_nan=False)
    return result


def animation(draft: Draft, number: int = 0) -> dict[str, Any]:
    item: dict[str, Any] = draft.json["animations"][number]
    return item


def output(draft: Draft, sampler: int) -> np.ndarray:
    return draft.arrays[animation(draft)["samplers"][sampler]["output"]]


def times(draft: Draft, sampler: int) -> np.ndarray:
    return draft.arrays[animation(draft)["samplers"][sampler]["input"]]


@pytest.mark.parametrize("level", LEVELS)
def test_a_right_file_passes(level: str) -> None:
    result = check(moving(), moving_by_hand(), level)
    assert result.passed, result.problems
    assert result.clips is not None
    assert result.clips["count"] == 1 and result.clips["channels"] == 7
    assert result.clips["kinds"] == {"CUBICSPLINE": 2, "LINEAR": 3, "STEP": 2}
    assert result.clips["max_translation_m"] < 1e-6 and result.clips["max_rotation_deg"] < 1e-5
    assert result.clips["max_weight"] < 1e-6 and result.clips["max_scale"] == result.clips["max_pointer"] == 0
    assert result.clips["approximate"]["channels"] == 1
    assert 0 < result.clips["approximate"]["max_rotation_deg"] < 1e-4
    assert result.clips["vertices"] == 16 * {"quick": 4, "full": 8}[level]
    assert 0 < result.clips["approximate"]["max_vertex_m"] < 1e-5
    assert check_structure(parse_glb(moving_by_hand().glb()), contract=False) == []


def test_without_clips_there_is_nothing_to_say() -> None:
    draft = moving_by_hand()
    del draft.json["animations"], draft.json["extensionsUsed"]
    result = check(replace(moving(), clips=()), draft)
    assert result.passed and result.clips is None


# --- damage ---------------------------------------------------------------------------------------------------------

UNUSED = {GLIDE: {0, 5, 6, 11}, TURN: {0, 5}}
"""Rows of tangents that nothing reads: before the first key, after the last, and within the ulp before the jump."""

PLACES = [
    (sampler, row, column)
    for sampler, (rows, columns) in enumerate(((12, 3), (6, 4), (2, 4), (3, 3), (6, 1), (2, 4), (2, 3)))
    for row in range(rows)
    for column in range(columns)
    if row not in UNUSED.get(sampler, set())
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("sampler", "row", "column"), PLACES)
def test_every_number_counts(sampler: int, row: int, column: int, level: str) -> None:
    """A thousandth more on any value or slope."""
    draft = moving_by_hand()
    output(draft, sampler).reshape(len(output(draft, sampler)), -1)[row, column] += 0.001
    result = check(moving(), draft, level)
    assert not result.passed
    if sampler == STAY:
        assert "translation of node 5" in result.problems[0]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("sampler", "rows"), [(sampler, rows) for sampler, rows in UNUSED.items()])
def test_tangents_that_nothing_reads_do_not_count(sampler: int, rows: set[int], level: str) -> None:
    draft = moving_by_hand()
    output(draft, sampler)[sorted(rows)] += 0.25
    assert check(moving(), draft, level).passed


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("sampler", "key"), [(GLIDE, 1), (GLIDE, 2), (GROW, 1), (GLIDE, 3), (TURN, 1), (COLOR, 0)])
def test_every_time_counts(sampler: int, key: int, level: str) -> None:
    draft = moving_by_hand()
    times(draft, sampler)[key] += -0.001 if key else 0.001
    assert not check(moving(), draft, level).passed


def test_a_jump_one_ulp_late_is_caught() -> None:
    draft = moving_by_hand()
    keys = times(draft, GLIDE)
    keys[1:3] = [1.0, np.nextafter(np.float32(1), np.float32(2))]
    result = check(moving(), draft)
    assert not result.passed and result.clips is not None and result.clips["max_translation_m"] > 2


def unmirror(sampler: int, component: int, part: int) -> Callable[[Draft], object]:
    """Turn the sign of one component of all in-tangents (0), values (1) or out-tangents (2) of a spline."""
    return lambda draft: output(draft, sampler)[part::3, component].__imul__(-1)


def swap(sampler: int, first: int, second: int) -> Callable[[Draft], object]:
    def damage(draft: Draft) -> None:
        values = output(draft, sampler)
        values[:, [first, second]] = values[:, [second, first]]

    return damage


DAMAGE: list[tuple[str, Callable[[Draft], object]]] = [
    ("a place that is not mirrored", unmirror(GLIDE, 0, 1)),
    ("an in-slope that is not mirrored", unmirror(GLIDE, 0, 0)),
    ("an out-slope that is not mirrored", unmirror(GLIDE, 0, 2)),
    ("a turn that is not mirrored", unmirror(TURN, 1, 1)),
    ("a turn whose slope is not mirrored", unmirror(TURN, 2, 2)),
    ("y and z swapped in a turn", swap(TURN, 1, 2)),
    ("x and y swapped in a place", swap(GLIDE, 0, 1)),
    ("wxyz quaternions", lambda d: output(d, TURN).__setitem__(slice(None), np.roll(output(d, TURN), 1, axis=1))),
    ("in and out slopes swapped", lambda d: output(d, GLIDE).__setitem__(
        slice(None), output(d, GLIDE).reshape(4, 3, 3)[:, ::-1].reshape(12, 3))),
    ("slopes times the segment's length", lambda d: output(d, TURN)[0::3].__imul__(2)),
    ("slopes forgotten", lambda d: output(d, TURN)[2::3].__imul__(0)),
    ("weights that are not divided by 100", lambda d: output(d, SMILE).__imul__(100)),
    ("the default of another shape forgotten", lambda d: output(d, SMILE)[2::3].__imul__(0)),
    ("weights by key and shape swapped", lambda d: output(d, SMILE).__setitem__(
        slice(None), output(d, SMILE).reshape(2, 3).T.ravel())),
    ("times from another start", lambda d: times(d, TURN).__iadd__(0.25)),
    ("a turn of the other hand", lambda d: output(d, EULER).__imul__(np.array([1, -1, 1, 1], np.float32))),
    ("straight for stepped", lambda d: animation(d)["samplers"][GROW].update(interpolation="LINEAR")),
    ("stepped for straight", lambda d: animation(d)["samplers"][SMILE].update(interpolation="STEP")),
    ("even pace for blended", lambda d: animation(d)["samplers"][TURN].update(
        interpolation="LINEAR", output=d.add([(0, 0, 0, 1), (0.5, -0.5, 0.5, 0.5)], "f4", "VEC4"))),
    ("another node", lambda d: animation(d)["channels"][GLIDE]["target"].update(node=3)),
    ("another path", lambda d: animation(d)["channels"][STAY]["target"].update(path="scale")),
    ("two channels swapped", lambda d: (
        animation(d)["channels"][GLIDE].update(sampler=STAY), animation(d)["channels"][STAY].update(sampler=GLIDE))),
    ("one channel twice", lambda d: animation(d)["channels"].append(animation(d)["channels"][0])),
    ("a channel missing", lambda d: animation(d)["channels"].pop()),
    ("another pointer", lambda d: animation(d)["channels"][COLOR]["target"]["extensions"][
        "KHR_animation_pointer"].update(pointer="/materials/0/emissiveFactor")),
    ("a shorter clip", lambda d: animation(d)["samplers"][STAY].update(input=d.add([0, 1.5], "f4", "SCALAR"))),
    ("another name", lambda d: animation(d).update(name="Run")),
    ("another rig", lambda d: animation(d)["extras"]["unity"].update(rig=1)),
    ("another origin", lambda d: animation(d)["extras"]["unity"].update(path_id="71")),
    ("a clip missing", lambda d: d.json.pop("animations")),
    ("NaN", lambda d: output(d, STAY).__setitem__((0, 0), np.nan)),
    ("infinity", lambda d: output(d, GLIDE).__setitem__((4, 0), np.inf)),
    ("weights of fewer targets", lambda d: animation(d)["samplers"][SMILE].update(
        output=d.add([0, 0, 1, 0], "f4", "SCALAR"))),
    ("a path that is wide for its mesh", lambda d: d.json["nodes"][BODY].pop("mesh")),
    ("no such accessor", lambda d: animation(d)["samplers"][0].update(output=999)),
]  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("name", "damage"), DAMAGE, ids=[name for name, _ in DAMAGE])
def test_damage_is_caught(name: str, damage: Callable[[Draft], object], level: str) -> None:
    draft = moving_by_hand()
    damage(draft)
    result = check(moving(), draft, level)
    assert not result.passed and result.problems


def test_a_stated_error_is_granted_and_no_more() -> None:
    def turned(angle: float) -> Draft:
        draft = moving_by_hand()
        half = np.pi / 4 + angle / 2
        output(draft, EULER)[1] = (0, -np.sin(half), 0, np.cos(half))
        return draft

    def stating(error: float) -> Asset:
        clip = walk()
        tracks = [replace(t, error=error) if t.node == KNEE and t.path is Path.ROTATION else t for t in clip.tracks]
        return moving(replace(clip, tracks=tuple(tracks)))

    assert not check(stating(1e-6), turned(1e-3)).passed
    result = check(stating(1e-3), turned(0.9e-3))
    assert result.passed and result.clips is not None
    assert result.clips["approximate"]["max_rotation_deg"] == pytest.approx(np.degrees(0.9e-3), rel=0.01)
    assert result.clips["max_rotation_deg"] < 1e-5


def test_what_curves_stand_off_by_is_told_but_not_granted() -> None:
    clip = walk()
    channels = [replace(c, exact=False, error=0.25) if c.node == BODY else c for c in clip.channels]
    result = check(moving(replace(clip, channels=tuple(channels))), moving_by_hand())
    assert result.passed and result.clips is not None and result.clips["approximate"]["channels"] == 2
    assert result.clips["approximate"]["max_weight"] == pytest.approx(0.0025, rel=1e-3)


def test_a_channel_without_a_track_is_told() -> None:
    clip = walk()
    result = check(moving(replace(clip, tracks=clip.tracks[:-1])), moving_by_hand())
    assert result.problems == ['clip 0 "Walk": translation of node 5 has a channel or a track, but not both']


def test_names_made_unique_by_the_rig() -> None:
    draft = moving_by_hand()
    draft.json["animations"] *= 3
    draft.json["animations"] = json.loads(json.dumps(draft.json["animations"]))
    for number, name in enumerate(("Walk", "Walk@Rig", "Walk@Rig#2")):
        animation(draft, number)["name"] = name
    asset = moving(walk(), walk(), walk())
    assert check(asset, draft).passed
    animation(draft, 2)["name"] = "Walk@Rig"
    assert not check(asset, draft).passed


def test_clamped_weights_are_what_is_wanted_where_the_game_clamps() -> None:
    clip, over = walk(), line(0, 200)
    channels = [replace(c, curves=(over, None)) if c.node == BODY else c for c in clip.channels]
    asset = moving(replace(clip, channels=tuple(channels)))
    draft = moving_by_hand()
    sampler = animation(draft)["samplers"][SMILE]
    sampler["input"] = draft.add([0, 1, 2], "f4", "SCALAR", bounds=True)
    sampler["output"] = draft.add([0, 0, 1, 1, 0, 1, 1, 0, 1], "f4", "SCALAR")
    assert not check(asset, draft).passed
    assert check(replace(asset, clamp_weights=True), draft).passed


ODD = (
    None,
    -1,
    0,
    7,
    999,
    1e300,
    1.5,
    10**30,
    True,
    "",
    "weights",
    [],
    [0],
    {},
    "/nodes/0/rotation",
    "/nodes/9999999999/x",
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every owner and key below a JSON value."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


@given(st.integers(0, 2**32))
def test_strange_values_anywhere_in_an_animation_never_crash(seed: int) -> None:
    random = Random(seed)
    draft = moving_by_hand()
    part = random.choice([draft.json["animations"], draft.json["animations"], draft.json["nodes"]])
    owner, key = random.choice(list(places(part)))
    if random.random() < 0.3:
        del owner[key]
    else:
        owner[key] = random.choice(ODD)
    try:
        gltf = parse_glb(draft.glb())
    except GlbError:
        return
    result = roundtrip(moving(), gltf, random.choice(LEVELS), diagnostics=Diagnostics(), max_influences=8)
    json.dumps(result.to_json(), allow_nan=False)
    check_structure(gltf)


# --- times and tolerances -------------------------------------------------------------------------------------------


def glide(*curves: Curve) -> Channel:
    return Channel(node=HIP, path=Path.TRANSLATION, curves=curves)


def test_jumps_are_where_a_segment_misses_its_key() -> None:
    jumping = glide(curve((0, 0, 1, 2, 3), (1, 5, 0, 4, -1), end=(2, 4)), steps((0, 1), (0.3, 2), (0.4, 2)))
    assert Rounding(jumping, 2.0).jumps.tolist() == [0.3, 1.0]
    assert Rounding(glide(line(0, 1), still(3)), 2.0).jumps.tolist() == []


def test_what_float32_holds_as_0_is_explained() -> None:
    tiny = glide(line(0, 1e-79), still(1e-46), still(0))
    wanted = np.array([[5e-80, 1e-46, 0.0]])
    limits = Rounding(tiny, 2.0).limits(np.array([0.5]))
    assert (np.abs(wanted.astype(np.float32) - wanted) <= limits).all()
    assert limits.max() < 1e-40


def test_both_sides_are_asked_on_the_same_side_of_a_jump() -> None:
    jumps = np.array([0.1, 0.7])  # float32 rounds the first up and the second down
    up, down = (float(np.float32(time)) for time in jumps)
    assert up > 0.1 and down < 0.7
    between = (0.1 + up) / 2
    asked = unity_times(np.array([0.05, between, up, 0.5, down, 0.9]), jumps)
    assert asked.tolist() == [0.05, np.nextafter(0.1, 0), up, 0.5, 0.7, 0.9]


def test_a_jump_between_float32_times_passes_and_a_wrong_value_beside_it_does_not() -> None:
    at = 0.1
    key = float(np.float32(at))
    one = glide(curve((0, 0, 1, 0.1, 1), (at, 5, 0, 5, 0), end=(2, 5)), still(0), still(0))
    early = float(np.nextafter(np.float32(at), np.float32(0)))
    keys = [(0, 0, 0), (early, 0, 0), (5, 0, 0), (5, 0, 0)]
    slopes = [(1, 0, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0)]
    made = track(HIP, Path.TRANSLATION, "CUBICSPLINE", (0, early, key, 2), keys, (slopes, slopes))
    asset = moving(walk(channels=(one,), tracks=(made,)))
    draft = moving_by_hand()
    item = animation(draft)
    item["channels"], item["samplers"] = item["channels"][:1], item["samplers"][:1]
    values = np.zeros((4, 3, 3))
    values[:, 0], values[:, 1], values[:, 2] = slopes, keys, slopes
    values[..., 0] *= -1
    item["samplers"][0]["input"] = draft.add([0, early, key, 2], "f4", "SCALAR", bounds=True)
    item["samplers"][0]["output"] = draft.add(values.reshape(12, 3), "f4", "VEC3")
    assert check(asset, draft, "full").passed
    output(draft, 0)[4, 0] = -5
    assert not check(asset, draft, "quick").passed


def test_many_keys_are_thinned_evenly_and_counted() -> None:
    keys = np.arange(5000) / 100
    long = Channel(node=HIP, path=Path.SCALE, curves=(steps(*((time, time % 7) for time in keys)), still(1), still(1)))
    chosen = sample_times(keys, long, np.zeros(0), 49.99, "quick")
    assert len(chosen) == MOST_TIMES["quick"] and chosen[0] == 0 and chosen[-1] == np.float32(49.99)
    assert np.diff(chosen).max() < 0.05


def test_a_clip_of_no_length_is_compared_at_its_start() -> None:
    clip = Clip(name="Walk", source=walk().source, rig=0, duration=0.0, channels=(), tracks=())
    one = glide(still(1), still(2), still(3))
    clip = replace(clip, channels=(one,), tracks=(track(HIP, Path.TRANSLATION, "STEP", (0,), [(1, 2, 3)]),))
    draft = moving_by_hand()
    item = animation(draft)
    item["channels"], item["samplers"] = item["channels"][:1], item["samplers"][:1]
    item["samplers"][0] = {
        "input": draft.add([0], "f4", "SCALAR", bounds=True),
        "output": draft.add([(-1, 2, 3)], "f4", "VEC3"),
        "interpolation": "STEP",
    }
    assert check(moving(clip), draft, "full").passed
    output(draft, 0)[0, 1] = 2.001
    assert not check(moving(clip), draft).passed
