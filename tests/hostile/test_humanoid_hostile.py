"""Bad humanoids and bad clips of muscles, end to end through ``convert``: a coded remark, no exception, no NaN in what
is written, and the other clip of the rig plays on. And the way from a stored avatar to a body, number by number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.humans import avatar_of, human, stick
from tests.hostile.test_pipeline_hostile import Run, run, save, show, triangle
from tests.reference.humanoid_twin import ATTRIBUTES
from unity2gltf.codes import AVATAR_INVALID
from unity2gltf.diagnostics import Fault
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.evaluate.gltf.samplers import GltfPlayer
from unity2gltf.normalize.humanoid.body import make_body
from unity2gltf.normalize.humanoid.pose import pose_body
from unity2gltf.raw import RawAxes, RawHuman
from unity2gltf.sample import (
    FileBuilder,
    Hierarchy,
    Keys,
    MuscleContent,
    State,
    compiled_clip,
    controller_fields,
    mesh_fields,
    muscle_clip,
    transform_binding,
)
from unity2gltf.sample.clips import binding
from unity2gltf.sample.figure import add_bones
from unity2gltf.sample.human import RIG, avatar_fields, build_human
from unity2gltf.sample.moves import stroll
from unity2gltf.sample.values import ANIMATION_CLIP, ANIMATOR, ANIMATOR_CONTROLLER, AVATAR, MESH, pptr

VERSION = "2022.3.20f1"
NAN = math.nan
Fields = dict[str, Any]
Change = Callable[[Fields], Any]


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing may be printed."""
    yield
    assert capfd.readouterr() == ("", "")


# --- a small stage ------------------------------------------------------------------------------------------------


def converted(folder: Path, avatar: Fields, *clips: Fields) -> Run:
    """The humanoid's bones with this avatar, these clips, and after them ``Good``, which swings the hips' object."""
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    mesh = file.add(MESH, mesh_fields(triangle(), file))
    root = tree.add("Rig")
    show(tree, root, mesh)
    top = tree.add(RIG.name, root, position=RIG.position, rotation=RIG.rotation, scale=(RIG.scale,) * 3)
    add_bones(tree, top, build_human())
    good = compiled_clip("Good", [transform_binding(RIG.name, "scale")], constants=[2.0, 2.0, 2.0])
    numbers = [file.add(ANIMATION_CLIP, clip) for clip in (*clips, good)]
    states = [State(f"State {number}", number) for number in range(len(numbers))]
    controller = file.add(ANIMATOR_CONTROLLER, controller_fields("Moves", numbers, states))
    animator = {"m_Avatar": pptr(file.add(AVATAR, avatar)), "m_Controller": pptr(controller)}
    tree.component(root, ANIMATOR, animator | {"m_HasTransformHierarchy": True})
    tree.write()
    return run(save(folder / "game", file), out=folder / "out")


def avatar() -> Fields:
    return avatar_fields(build_human(), VERSION)


def human_of(content: Fields) -> Fields:
    found: Fields = content["m_Avatar"]["m_Human"]["data"]
    return found


def skeleton(part: Fields) -> Fields:
    found: Fields = part["m_Skeleton"]["data"]
    return found


def animations(result: Run) -> dict[str, dict[tuple[str, str], Any]]:
    """Channels by (node name, path) of each animation; all their numbers are finite."""
    gltf = read_gltf(result.out / "prefabs/Rig.glb")
    names = [node["name"] for node in gltf.items("nodes")]
    player = GltfPlayer(gltf)
    found = {}
    for number, animation in enumerate(gltf.items("animations")):
        channels = player.channels(number)
        assert all(np.isfinite(channel.values).all() and np.isfinite(channel.times).all() for channel in channels)
        found[animation["name"]] = {(names[channel.node], channel.path): channel for channel in channels}
    return found


def plays_on(result: Run) -> bool:
    """Whether the plain clip does what it should."""
    return bool((animations(result)["Good"][RIG.name, "scale"].values == 2.0).all())


# --- avatars ------------------------------------------------------------------------------------------------------


def setting(*path: str | int, value: Any) -> Change:
    """Put ``value`` at a path below m_Human."""

    def change(content: Fields) -> None:
        item: Any = human_of(content)
        for step in path[:-1]:
            item = item[step]
        item[path[-1]] = value

    return change


def without_human_part(content: Fields) -> None:
    human_of(content)["m_HumanBoneIndex"] = [-1] * 25


def unmapped(*bones: int) -> Change:
    def change(content: Fields) -> None:
        for bone in bones:
            human_of(content)["m_HumanBoneIndex"][bone] = -1

    return change


def every_limit(low: float, high: float) -> Change:
    def change(content: Fields) -> None:
        for row in skeleton(human_of(content))["m_AxesArray"]:
            row["m_Limit"] = {"m_Min": dict.fromkeys("xyz", low), "m_Max": dict.fromkeys("xyz", high)}

    return change


def cut(*path: str, to: int) -> Change:
    """Shorten the list at a path below m_Human, or make it longer with its last entry."""

    def change(content: Fields) -> None:
        item: Any = human_of(content)
        for step in path[:-1]:
            item = item[step]
        rows = item[path[-1]]
        item[path[-1]] = (rows + rows[-1:] * to)[:to]

    return change


POSE = ("m_SkeletonPose", "data", "m_X")
NODES, AXES = ("m_Skeleton", "data", "m_Node"), ("m_Skeleton", "data", "m_AxesArray")
NOTHING = dict.fromkeys("xyzw", 0.0)
THIGH = 1
"""Number of a human bone that must be there, and of its axes' row nothing in particular."""

REFUSED: dict[str, Change] = {
    "no_hips": unmapped(0),
    "no_head": unmapped(11),
    "no_left_hand": unmapped(18),
    "hips_alone": unmapped(*range(1, 25)),
    "a_bone_too_few": cut("m_HumanBoneIndex", to=23),
    "a_bone_too_many": cut("m_HumanBoneIndex", to=26),
    "no_masses": setting("m_HumanBoneMass", value=[]),
    "a_mass_too_few": cut("m_HumanBoneMass", to=24),
    "no_axes": setting(*AXES, value=[]),
    "axes_cut_short": cut(*AXES, to=5),
    "no_pose": setting(*POSE, value=[]),
    "pose_cut_short": cut(*POSE, to=9),
    "pose_too_long": cut(*POSE, to=40),
    "no_nodes": setting(*NODES, value=[]),
    "ids_cut_short": cut("m_Skeleton", "data", "m_ID", to=3),
    "bone_beyond_the_nodes": setting("m_HumanBoneIndex", THIGH, value=999),
    "bone_at_the_end_of_32_bits": setting("m_HumanBoneIndex", THIGH, value=2**31 - 1),
    "axes_beyond_the_rows": setting(*NODES, 12, "m_AxesId", value=999),
    "bone_without_axes": setting(*NODES, 12, "m_AxesId", value=-1),
    "parent_beyond_the_nodes": setting(*NODES, 4, "m_ParentId", value=999),
    "own_parent": setting(*NODES, 4, "m_ParentId", value=4),
    "ring_of_parents": setting(*NODES, 2, "m_ParentId", value=5),
    "ring_at_the_root": setting(*NODES, 0, "m_ParentId", value=1),
    "fingers_beyond_the_nodes": setting("m_LeftHand", "data", "m_HandBoneIndex", 0, value=999),
    "scale_of_nan": setting("m_Scale", value=NAN),
    "scale_of_infinity": setting("m_Scale", value=math.inf),
    "no_scale": setting("m_Scale", value=0.0),
    "lean_of_nan": setting("m_RootX", "q", value=dict.fromkeys("xyzw", NAN)),
    "lean_without_direction": setting("m_RootX", "q", value=NOTHING),
    "mass_of_nan": setting("m_HumanBoneMass", 3, value=NAN),
    "mass_of_infinity": setting("m_HumanBoneMass", 3, value=math.inf),
    "twist_of_nan": setting("m_ArmTwist", value=NAN),
    "position_of_nan": setting(*POSE, 5, "t", value=dict.fromkeys("xyz", NAN)),
    "position_of_infinity": setting(*POSE, 5, "t", value=dict.fromkeys("xyz", math.inf)),
    "rotation_of_nan": setting(*POSE, 5, "q", value=dict.fromkeys("xyzw", NAN)),
    "rotation_without_direction": setting(*POSE, 5, "q", value=NOTHING),
    "stretched_by_nan": setting(*POSE, 5, "s", value=dict.fromkeys("xyz", NAN)),
    "pre_of_nan": setting(*AXES, 3, "m_PreQ", value=dict.fromkeys("xyzw", NAN)),
    "pre_without_direction": setting(*AXES, 3, "m_PreQ", value=NOTHING),
    "post_of_nan": setting(*AXES, 3, "m_PostQ", value=dict.fromkeys("xyzw", NAN)),
    "post_without_direction": setting(*AXES, 3, "m_PostQ", value=NOTHING),
    "sign_of_nan": setting(*AXES, 3, "m_Sgn", value=dict.fromkeys("xyz", NAN)),
    "limits_of_nan": every_limit(NAN, NAN),
    "limits_of_infinity": every_limit(-math.inf, math.inf),
    "length_of_nan": setting(*AXES, 3, "m_Length", value=NAN),
    "two_bones_on_one_node": setting("m_HumanBoneIndex", 9, value=3),
    "hand_cut_short": cut("m_LeftHand", "data", "m_HandBoneIndex", to=3),
    "scale_below_nothing": setting("m_Scale", value=-1.0),
}
"""Avatars that cannot be a body."""

BAKED: dict[str, Change] = {
    "no_limits": every_limit(0.0, 0.0),
    "limits_the_wrong_way_round": every_limit(0.5, -0.5),
    "limits_of_many_turns": every_limit(-1e6, 1e6),
    "limits_at_the_end_of_float32": every_limit(-3e38, 3e38),
    "no_masses_at_all": setting("m_HumanBoneMass", value=[0.0] * 25),
    "masses_below_nothing": setting("m_HumanBoneMass", value=[-1.0] * 25),
    "bones_below_nothing": setting("m_HumanBoneIndex", 22, value=-77),
    "no_hand": setting("m_LeftHand", "data", "m_HandBoneIndex", value=[]),
    "twist_of_many_times": setting("m_ArmTwist", value=1e6),
    "mass_centre_of_nan": setting("m_RootX", "t", value=dict.fromkeys("xyz", NAN)),
    "stretched_to_nothing": setting(*POSE, 5, "s", value=dict.fromkeys("xyz", 0.0)),
    "all_in_one_place": setting(*POSE, value=[{"q": NOTHING | {"w": 1.0}}] * 26),
}
"""Avatars that make strange bodies, but bodies."""


# --- clips --------------------------------------------------------------------------------------------------------

NOD = "Head Nod Down-Up"
QUARTERS = (0.0, 0.25, 0.5)


def nodding(**changes: Any) -> Fields:
    """``Bad`` nods for half a second."""
    content = {"streamed": {NOD: Keys(QUARTERS, (0.0, 1.0, 0.5))}} | changes
    return muscle_clip(MuscleContent("Bad", 0.5, **content), VERSION)


def muscle_part(clip: Fields, **changes: Any) -> Fields:
    clip["m_MuscleClip"].update(changes)
    return clip


def bound(*attributes: int, **changes: Any) -> Fields:
    """``Bad``, with constants bound to any numbers."""
    rows = [binding("", attribute, ANIMATOR, 8) | changes for attribute in attributes]
    return compiled_clip("Bad", rows, constants=[0.5] * len(attributes))


def keys(*values: float) -> Keys:
    return Keys(QUARTERS, values)


def root(position: float, turn: float) -> dict[str, Keys]:
    curves = {f"RootT.{axis}": keys(position, position, position) for axis in "xyz"}
    return curves | {f"RootQ.{axis}": keys(turn, turn, turn) for axis in "xyzw"}


def goals_at(position: float, turn: float) -> dict[str, float]:
    return {name: position if "T." in name else turn for name in ATTRIBUTES[14:42]}


STREAMED = {NOD: keys(0.0, 1.0, 0.5)}

PLAYED: dict[str, tuple[Callable[[], Fields], str | None]] = {
    "constant_of_nan": (lambda: nodding(constants={"Spine Front-Back": NAN}), "CLIP_INVALID"),
    "constant_of_infinity": (lambda: nodding(constants={"Spine Front-Back": math.inf}), "CLIP_INVALID"),
    "constant_at_the_end_of_float32": (lambda: nodding(constants={"Spine Front-Back": 3e38}), None),
    "streamed_nan": (lambda: nodding(streamed={NOD: keys(0.0, NAN, 0.5)}), "CLIP_INVALID"),
    "dense_nan": (lambda: nodding(dense={"Spine Front-Back": [0.0, NAN, 1.0, 0.0]}), "CLIP_INVALID"),
    "root_of_nan": (lambda: nodding(streamed=STREAMED | root(NAN, NAN)), "CLIP_INVALID"),
    "root_without_direction": (lambda: nodding(streamed=STREAMED | root(0.5, 0.0)), None),
    "root_at_the_end_of_float32": (lambda: nodding(streamed=STREAMED | root(3e38, 3e38)), "CLIP_INVALID"),
    "root_too_small_for_a_turn": (lambda: nodding(streamed=STREAMED | root(0.0, 1e-38)), None),
    "root_that_turns_through_nothing": (lambda: nodding(streamed=STREAMED | {"RootQ.w": keys(1.0, 0.0, -1.0)}), None),
    "root_position_alone": (lambda: nodding(streamed={"RootT.y": keys(1.0, 0.5, 1.0)}), None),
    "goals_of_nan": (lambda: nodding(constants=goals_at(NAN, NAN)), "CLIP_MUSCLES_PARTLY"),
    "goals_without_direction": (lambda: nodding(constants=goals_at(0.0, 0.0)), "CLIP_GOALS_MISSED"),
    "goals_far_off": (lambda: nodding(constants=goals_at(1e30, 0.5)), "CLIP_GOALS_MISSED"),
    "attribute_beyond_all": (lambda: bound(54, 500, 2**32 - 1), "CLIP_INVALID"),
    "one_attribute_twice": (lambda: bound(54, 54, 54), "CLIP_INVALID"),
    "muscle_of_a_path": (lambda: bound(54, path=77), None),
    "index_beyond_the_curves": (
        lambda: muscle_part(nodding(), m_IndexArray=np.full(200, 999, np.int32)),
        "CLIP_INVALID",
    ),
    "index_below_nothing": (lambda: muscle_part(nodding(), m_IndexArray=np.full(200, -7, np.int32)), None),
    "no_index": (lambda: muscle_part(nodding(), m_IndexArray=np.zeros(0, np.int32)), None),
    "index_of_a_million": (lambda: muscle_part(nodding(), m_IndexArray=np.zeros(1 << 20, np.int32)), None),
    "no_change": (lambda: muscle_part(nodding(), m_DeltaPose={"m_DoFArray": []}), None),
    "change_of_nan": (lambda: muscle_part(nodding(), m_DeltaPose={"m_DoFArray": [NAN] * 55}), None),
    "change_too_long": (lambda: muscle_part(nodding(), m_DeltaPose={"m_DoFArray": [0.0] * 999}), None),
    "change_of_others": (lambda: muscle_part(nodding(), m_DeltaPose={"m_DoFArray": [0.25] * 55}), "CLIP_NUMBERING"),
    "start_of_nan": (lambda: muscle_part(nodding(), m_StartX={"t": {"x": NAN}, "q": {"w": NAN}}), None),
    "no_length": (lambda: muscle_part(nodding(), m_StopTime=0.0), "CLIP_NUMBERING"),
    "stop_of_nan": (lambda: muscle_part(nodding(), m_StopTime=NAN), "CLIP_INVALID"),
    "stop_before_the_start": (lambda: muscle_part(nodding(), m_StartTime=2.0), "CLIP_INVALID"),
    "a_denormal_length": (lambda: muscle_part(nodding(), m_StopTime=1e-40), "CLIP_NUMBERING"),
    "no_rate": (lambda: nodding() | {"m_SampleRate": 0.0}, None),
    "rate_of_nan": (lambda: nodding() | {"m_SampleRate": NAN}, None),
    "rate_below_nothing": (lambda: nodding() | {"m_SampleRate": -30.0}, None),
}
"""Clips of which something is left, and the remark on what is not; None where all of it can be played."""

LOST: dict[str, tuple[Callable[[], Fields], str]] = {
    "no_number_at_all": (lambda: nodding(streamed={}, constants=dict.fromkeys(ATTRIBUTES[7:], NAN)), "CLIP_INVALID"),
    "goals_alone": (lambda: nodding(streamed={}, constants=goals_at(0.0, 0.5)), "CLIP_EMPTY"),
    "no_attribute_of_any": (lambda: bound(*range(201, 300)), "CLIP_INVALID"),
    "a_billion_seconds": (lambda: muscle_part(nodding(), m_StopTime=1e9), "CLIP_INVALID"),
    "rate_of_a_billion": (lambda: nodding() | {"m_SampleRate": 1e9}, "CLIP_INVALID"),
}
"""Clips that move nothing, and why."""


@pytest.mark.parametrize("case", REFUSED)
def test_an_avatar_that_is_no_body_is_told_and_its_clips_keep_their_muscles(case: str, tmp_path: Path) -> None:
    content = avatar()
    REFUSED[case](content)
    result = converted(tmp_path, content, muscle_clip(stroll(), VERSION))
    assert list(animations(result)) == ["Good"] and plays_on(result)
    assert {"AVATAR_INVALID", "CLIP_MUSCLES"} <= result.losses


def test_an_avatar_without_a_human_part_bakes_nothing(tmp_path: Path) -> None:
    content = avatar()
    without_human_part(content)
    result = converted(tmp_path, content, muscle_clip(stroll(), VERSION))
    assert list(animations(result)) == ["Good"] and plays_on(result)
    assert "CLIP_MUSCLES" in result.losses and "AVATAR_INVALID" not in result.codes


@pytest.mark.parametrize("case", list(BAKED))
def test_a_strange_body_is_posed_without_a_number_that_is_none(case: str, tmp_path: Path) -> None:
    content = avatar()
    BAKED[case](content)
    result = converted(tmp_path, content, muscle_clip(stroll(), VERSION))
    assert sorted(animations(result)) == ["Good", "Stroll"] and plays_on(result)
    assert "CLIP_BAKED" in result.codes
    assert ("CLIP_MUSCLES_PARTLY" in result.codes) == (case == "no_limits")


@pytest.mark.parametrize("case", list(PLAYED))
def test_what_is_whole_of_a_clip_is_played_and_the_rest_is_told(case: str, tmp_path: Path) -> None:
    make, code = PLAYED[case]
    result = converted(tmp_path, avatar(), make())
    found = animations(result)
    assert sorted(found) == ["Bad", "Good"] and plays_on(result)
    assert "CLIP_BAKED" in result.codes
    if code:
        assert code in result.losses
    else:
        assert result.losses == set()


@pytest.mark.parametrize("case", list(LOST))
def test_a_clip_that_moves_nothing_is_told(case: str, tmp_path: Path) -> None:
    make, code = LOST[case]
    result = converted(tmp_path, avatar(), make())
    assert list(animations(result)) == ["Good"] and plays_on(result)
    assert code in result.codes


# --- a stored avatar, number by number ----------------------------------------------------------------------------


ARRAYS = ("positions", "rotations", "scales")
LIMITS = tuple(field.name for field in fields(RawAxes))
BAD = (NAN, math.inf, -math.inf, 0.0, 3e38, -3e38)


def body_or_fault(made: RawHuman) -> bool:
    """Whether it makes a body, whose bones then turn by numbers; else the Fault has the right code."""
    try:
        body = make_body(avatar_of(made, "Bad"))
    except Fault as fault:
        assert fault.code is AVATAR_INVALID
        return False
    random = np.random.default_rng(5)
    values = {name: random.uniform(-2, 2, 4) for name in ATTRIBUTES}
    posed = pose_body(body, values, 4)
    assert np.isfinite(posed.local).all()
    return True


def sound() -> RawHuman:
    return human(stick(), masses=(1.0 / 25,) * 25)


@pytest.mark.parametrize("value", BAD)
@pytest.mark.parametrize("name", [*ARRAYS, *LIMITS])
def test_any_number_of_an_avatar_may_be_bad(name: str, value: float) -> None:
    """One after the other. Whole rows, too: a rotation of zeros, a bone of no size. The hips answer to no muscles, so
    their axes, the first, do not matter."""
    made = sound()
    array = getattr(made if name in ARRAYS else made.limits, name)
    for place in [*np.ndindex(array.shape), *((row,) for row in range(len(array)))]:
        unused = name in LIMITS and place[0] == 0
        changed = array.copy()
        changed[place] = value
        if name in ARRAYS:
            other = replace(made, **{name: changed})
        else:
            other = replace(made, limits=replace(made.limits, **{name: changed}))
        assert not body_or_fault(other) or math.isfinite(value) or unused


@pytest.mark.parametrize("value", [-(2**31), -2, -1, 0, 5, 14, 999, 2**31 - 1])
@pytest.mark.parametrize("name", ["parents", "axes"])
def test_any_index_of_a_node_may_be_bad(name: str, value: int) -> None:
    made = sound()
    for node in range(len(made.parents)):
        changed = getattr(made, name).copy()
        changed[node] = value
        body_or_fault(replace(made, **{name: changed}))


@pytest.mark.parametrize("value", [-(2**31), -2, -1, 0, 5, 14, 999, 2**31 - 1])
def test_any_index_of_a_bone_may_be_bad(value: int) -> None:
    made = sound()
    for bone in range(25):
        body_or_fault(replace(made, bones=(*made.bones[:bone], value, *made.bones[bone + 1 :])))
    for finger in range(15):
        body_or_fault(replace(made, right_hand=(*made.right_hand[:finger], value, *made.right_hand[finger + 1 :])))


@pytest.mark.parametrize("value", BAD)
def test_any_single_number_may_be_bad(value: float) -> None:
    made = sound()
    for name in ("scale", "arm_twist", "fore_arm_twist", "upper_leg_twist", "leg_twist"):
        changed: dict[str, Any] = {name: value}
        assert not body_or_fault(replace(made, **changed)) or math.isfinite(value)
    for bone in range(25):
        body_or_fault(replace(made, masses=(*made.masses[:bone], value, *made.masses[bone + 1 :])))
    for part in range(4):
        turn = [0.0, 0.0, 0.0, 1.0]
        turn[part] = value
        body_or_fault(replace(made, root_rotation=(turn[0], turn[1], turn[2], turn[3])))
    body_or_fault(replace(made, root_rotation=(value,) * 4))


@pytest.mark.parametrize("count", [0, 1, 13, 14, 16, 40])
@pytest.mark.parametrize("name", ["parents", "axes", "ids", *ARRAYS, *LIMITS, "bones", "masses", "left_hand"])
def test_any_count_may_be_wrong(name: str, count: int) -> None:
    """Each list cut short or repeated: no body, unless it is a hand, which may be empty."""
    made = sound()
    if name in LIMITS:
        array = getattr(made.limits, name)
        changed = replace(made, limits=replace(made.limits, **{name: np.resize(array, (count, *array.shape[1:]))}))
    else:
        old = getattr(made, name)
        new = np.resize(old, (count, *np.shape(old)[1:]))
        fitting: dict[str, Any] = {name: tuple(new.tolist()) if isinstance(old, tuple) else new}
        changed = replace(made, **fitting)
    same = count == len(getattr(made.limits if name in LIMITS else made, name))
    assert body_or_fault(changed) == (same or (name == "left_hand" and count == 0))


def test_without_a_human_part_there_is_no_body() -> None:
    with pytest.raises(Fault) as caught:
        make_body(replace(avatar_of(sound(), ""), human=None))
    assert caught.value.code is AVATAR_INVALID
    assert body_or_fault(sound())
