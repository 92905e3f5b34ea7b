"""Humanoid clips on real nodes: with which avatar, on which nodes, what is told, and what is kept beside."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.builders.humans import Axes, Joint, stick
from tests.builders.raw import source
from tests.reference.clip_writer import keys
from tests.unit.normalize.build.people import (
    AVATAR,
    UPRIGHT,
    Built,
    Figure,
    Pose,
    build,
    goals,
    line,
    moved,
    muscle_clip,
    steady,
)
from tests.unit.normalize.humanoid.sticks import (
    BACK_Y,
    BACK_Z,
    HALF,
    QUARTER_X,
    QUARTER_Y,
    QUARTER_Z,
    STRAIGHT,
    avatar,
    close,
    same_turn,
    turn,
)
from unity2gltf.ir import Interpolation, Path
from unity2gltf.math3d import multiply_quaternions
from unity2gltf.normalize.build import muscles as module
from unity2gltf.raw import RawAvatar, RawClip, RawKeys, RawMotion, RawMuscles, RawState

ARM, HAND, NOD = "Right Arm Down-Up", "Right Hand In-Out", "Head Nod Down-Up"
TRANSLATION, ROTATION = Path.TRANSLATION, Path.ROTATION

# --- channels -----------------------------------------------------------------------------------------------------


def test_every_bone_turns_on_its_own_node() -> None:
    """The hips in an armature at (1, 2, 3), a quarter about y, twice as large; the fore-arm in an object that stands a
    quarter about z."""
    armature = Pose((1.0, 2.0, 3.0), QUARTER_Y, (2.0, 2.0, 2.0))
    figure = Figure(armature=armature, between={"LeftLowerArm": [("Roll", Pose((0.1, 0.0, 0.0), QUARTER_Z))]})
    built = build(figure, muscle_clip(UPRIGHT | {"Left Forearm Stretch": line(0, 1), ARM: steady(1)}))
    assert set(built.channels()) == {
        ("Hips", "rotation"), ("Hips", "translation"), ("LeftLowerArm", "rotation"), ("RightUpperArm", "rotation")
    }  # fmt: skip
    close(built.at("Hips", TRANSLATION, 1.0), (1.5, -0.5, -0.5))
    same_turn(built.turn("Hips", 1.0), BACK_Y)
    same_turn(built.turn("LeftLowerArm", 0.0), BACK_Z)
    same_turn(built.turn("LeftLowerArm", 1.0), STRAIGHT)
    same_turn(built.turn("RightUpperArm", 0.5), QUARTER_Z)
    assert built.clip.rig == 0 and built.beside == []
    assert built.codes() == {"CLIP_BAKED", "CLIP_MUSCLES_ABSENT"}


def test_the_tracks_are_what_the_channels_say() -> None:
    built = build(clip=muscle_clip({ARM: line(0, 1)}))
    (track,) = built.clip.tracks
    assert track.path is Path.ROTATION and track.interpolation is Interpolation.CUBICSPLINE
    same_turn(track.values[0], STRAIGHT)
    same_turn(track.values[-1], QUARTER_Z)
    assert track.times[0] == 0.0 and track.times[-1] == 1.0


def test_a_twist_is_shared_with_the_next_bone() -> None:
    built = build(clip=muscle_clip({"Right Arm Twist In-Out": steady(1)}))
    assert set(built.channels()) == {("RightUpperArm", "rotation"), ("RightLowerArm", "rotation")}
    for name in ("RightUpperArm", "RightLowerArm"):
        same_turn(built.turn(name), turn("x", 45))


def test_a_pose_is_one_key() -> None:
    at_once = {"RootT.y": keys((0.0, 1.8, 0.0, 0.0)), ARM: keys((0.0, 1.0, 0.0, 0.0))}
    built = build(clip=muscle_clip(at_once, stop=0.0))
    assert built.clip.duration == 0.0 and built.report["keys"] == 1
    assert all(len(track.times) == 1 for track in built.clip.tracks)
    same_turn(built.turn("RightUpperArm"), QUARTER_Z)


# --- nodes between ------------------------------------------------------------------------------------------------


def rolled() -> dict[str, Joint]:
    """``Roll`` stands between the right fore-arm and hand, a quarter about z in the T-pose."""
    joints = {}
    for name, joint in stick().items():
        if name == "RightHand":
            joints["Roll"] = Joint("RightLowerArm", (0.1, 0.0, 0.0), rotation=QUARTER_Z)
            joint = replace(joint, parent="Roll", position=(0.0, -0.2, 0.0), axes=Axes(pre=BACK_Z))
        joints[name] = joint
    return joints


def test_a_node_between_bones_is_put_as_in_the_t_pose() -> None:
    """At rest it stands straight."""
    built = build(Figure(rolled(), rest={"Roll": Pose((0.1, 0.0, 0.0))}), muscle_clip({HAND: line(0, 1)}))
    assert set(built.channels()) == {("RightHand", "rotation"), ("Roll", "rotation")}
    same_turn(built.turn("Roll"), QUARTER_Z)
    (track,) = [track for track in built.clip.tracks if built.asset.nodes[track.node].name == "Roll"]
    same_turn(track.values, QUARTER_Z)


def test_what_it_hangs_in_is_taken_off_there_too() -> None:
    figure = Figure(rolled(), rest={"Roll": Pose()}, between={"Roll": [("Sleeve", Pose(rotation=QUARTER_X))]})
    built = build(figure, muscle_clip({HAND: line(0, 1)}))
    same_turn(built.turn("Roll"), multiply_quaternions(turn("x", -90), QUARTER_Z))


@pytest.mark.parametrize("rest", [QUARTER_Z, tuple(-x for x in QUARTER_Z), turn("z", 90.05)])
def test_a_node_between_that_stands_so_at_rest_is_left_alone(rest: Any) -> None:
    """90.05 degrees are 0.9 thousandths of a radian off."""
    built = build(Figure(rolled(), rest={"Roll": Pose(rotation=rest)}), muscle_clip({HAND: line(0, 1)}))
    assert set(built.channels()) == {("RightHand", "rotation")}


def test_a_node_between_is_left_alone_where_nothing_below_it_moves() -> None:
    built = build(Figure(rolled(), rest={"Roll": Pose()}), muscle_clip({"Right Forearm Stretch": line(0, 1)}))
    assert set(built.channels()) == {("RightLowerArm", "rotation")}


def test_bones_that_the_clip_leaves_alone_keep_their_rest_pose() -> None:
    """The fore-arm is no node between the upper arm and the hand, but a bone for another clip to move."""
    figure = Figure(rest={"RightLowerArm": Pose((0.3, 0.0, 0.0), QUARTER_X)})
    assert set(build(figure, muscle_clip({HAND: line(0, 1)})).channels()) == {("RightHand", "rotation")}


def test_nodes_above_the_hips_stand_as_they_are() -> None:
    """Hips are placed from the Animator on, past whatever is there at rest: a mount that stands a quarter about y in
    the T-pose would take them along if it were put so."""
    joints = {}
    for name, joint in stick().items():
        if name == "Hips":
            joints["Mount"] = Joint("Top", (0.0, 0.0, 0.0), rotation=QUARTER_Y)
            joint = replace(joint, parent="Mount")
        joints[name] = joint
    built = build(Figure(joints, rest={"Mount": Pose()}), muscle_clip(UPRIGHT))
    assert set(built.channels()) == {("Hips", "rotation"), ("Hips", "translation")}
    close(built.at("Hips", TRANSLATION), (0, 1, 0))


# --- with other curves --------------------------------------------------------------------------------------------


def test_other_curves_of_the_clip_stay_exact() -> None:
    """A position, a scale of a bone that is turned by muscles, and a shape."""
    bent = keys((0.0, 0.0, 0.0, 3.0), (1.0, 2.0, -1.0, 0.0))
    others = [
        moved("Armature", "position", bent, steady(1), steady(2)),
        moved(Figure().paths["Head"], "scale", line(1, 2), line(1, 3), steady(1)),
        moved("Skin", "float", bent, attribute="blendShape.Smile", class_id=137),
    ]
    built = build(clip=muscle_clip({NOD: line(0, 1)}, others))
    channels = built.channels()
    assert set(channels) == {
        ("Head", "rotation"), ("Armature", "translation"), ("Head", "scale"), ("Skin", "weights")
    }  # fmt: skip
    # Hermite from 0 to 2 with slopes 3 and -1: a = 3 - 1 - 4, b = 6 - 6 + 1
    for key in (("Armature", "translation"), ("Skin", "weights")):
        assert channels[key].exact and channels[key].error == 0.0
        own = channels[key].curves[0]
        assert own is not None and own.times.tolist() == [0.0, 1.0]
        assert own.coefficients.tolist() == [[-2.0, 1.0, 3.0, 0.0], [0.0, 0.0, 0.0, 2.0]]
    assert channels["Head", "scale"].exact
    assert not channels["Head", "rotation"].exact
    errors = {built.asset.nodes[track.node].name: track.error for track in built.clip.tracks if track.path != ROTATION}
    assert set(errors.values()) == {0.0}
    assert built.codes() == {"CLIP_BAKED", "CLIP_MUSCLES_ABSENT"}, "the error of the bake is told there alone"


def test_muscles_come_before_curves_of_the_same_bone() -> None:
    """Rotation and position of the hips, Euler angles of the head; but not the position of the head."""
    paths = Figure().paths
    others = [
        moved(paths["Hips"], "rotation", *map(steady, QUARTER_X)),
        moved(paths["Hips"], "position", steady(5), steady(5), steady(5)),
        moved(paths["Head"], "euler", steady(10), steady(20), steady(30)),
        moved(paths["Head"], "position", steady(0), steady(0.5), steady(0)),
        moved(paths["Neck"], "rotation", *map(steady, QUARTER_X)),
    ]
    built = build(clip=muscle_clip(UPRIGHT | {NOD: steady(1)}, others))
    assert built.told("CLIP_DUPLICATE") == [{"count": 3}]
    assert built.messages("CLIP_DUPLICATE") == ["3 curves left out: muscles move the same bones"]
    close(built.at("Hips", TRANSLATION), (0, 1, 0))
    same_turn(built.turn("Hips"), STRAIGHT)
    same_turn(built.turn("Head"), QUARTER_Z)
    close(built.at("Head", TRANSLATION), (0, 0.5, 0))
    same_turn(built.turn("Neck"), QUARTER_X)


def test_root_curves_of_a_generic_clip_are_no_muscles() -> None:
    """They say where its root node is: kept in the extras, unless it stays at the origin."""
    others = [moved("Armature", "position", line(0, 1), steady(0), steady(0))]
    built = build(clip=muscle_clip({"MotionT.x": line(0, 2), "MotionQ.w": steady(1)}, others))
    assert set(built.channels()) == {("Armature", "translation")}
    kept = built.clip.extras["curves"]
    assert [(item["attribute"], item["type_id"], item["path"]) for item in kept] == [
        ("MotionT.x", 95, ""), ("MotionQ.w", 95, "")
    ]  # fmt: skip
    assert "humanoid" not in built.clip.extras and built.beside == []
    for once in (steady, lambda value: keys((0.0, value, 0.0, 0.0))):
        still = build(clip=muscle_clip({"MotionT.x": once(0), "MotionQ.w": once(1)}, others))
        assert "curves" not in still.clip.extras and still.codes() == set()


# --- avatars ------------------------------------------------------------------------------------------------------


def weaker(figure: Figure, name: str = "Weak", path_id: int = 401) -> RawAvatar:
    """Of the same bones; its right arm goes half as far."""
    joints = dict(figure.joints)
    joints["RightUpperArm"] = replace(joints["RightUpperArm"], axes=Axes(minimum=(-45, -45, -45), maximum=(45, 45, 45)))
    return replace(figure, joints=joints).avatar_of(name, path_id)


RAISED = UPRIGHT | {ARM: steady(1)}
FOR_STICK = RAISED | goals(**{"RightHandQ.z": HALF, "RightHandQ.w": HALF, "RightHandT.x": 0.2, "RightHandT.y": 0.4})
FOR_WEAK = RAISED | goals(
    **{"RightHandQ.z": math.sin(math.pi / 8), "RightHandQ.w": math.cos(math.pi / 8)},
    **{"RightHandT.x": 0.2 + 0.6 * HALF, "RightHandT.y": -0.2 + 0.6 * HALF},
)
"""The arm, 0.6 long from (0.2, -0.2) off the head, is raised by 90 or 45 degrees."""


def chosen(built: Built) -> tuple[str, str, str]:
    mark = built.report["avatar_source"]
    return built.report["avatar"], built.report["chosen_by"], mark["path_id"]


def test_the_animators_own_avatar_is_taken() -> None:
    figure = Figure()
    built = build(figure, muscle_clip(FOR_WEAK), [figure.avatar_of(), weaker(figure)])
    assert chosen(built) == ("Stick", "animator", "400")
    same_turn(built.turn("RightUpperArm"), QUARTER_Z)


@pytest.mark.parametrize("own", [AVATAR, None])
def test_an_avatar_can_be_named(own: Any) -> None:
    figure = Figure(avatar=own)
    avatars = [figure.avatar_of(), weaker(figure), weaker(figure, path_id=402)]
    built = build(figure, muscle_clip(RAISED), avatars, avatar="Weak")
    assert chosen(built) == ("Weak", "option", "401"), "the first of that name"
    same_turn(built.turn("RightUpperArm"), turn("z", 45))


def test_a_name_that_no_avatar_has() -> None:
    built = build(clip=muscle_clip(RAISED), avatar="Nobody")
    assert built.told("AVATAR_UNKNOWN") == [{"name": "Nobody"}] and chosen(built) == ("Stick", "animator", "400")
    generic = build(
        clip=muscle_clip(RAISED), avatars=[Figure().avatar_of(), avatar(None, "Nobody", 5)], avatar="Nobody"
    )
    assert generic.told("AVATAR_UNKNOWN") == [{"name": "Nobody"}], "it is no human"


@pytest.mark.parametrize(
    ("muscles", "name", "path_id"), [(FOR_STICK, "Stick", "400"), (FOR_WEAK, "Weak", "401"), (RAISED, "Stick", "400")]
)
def test_without_an_avatar_the_one_that_fits_the_goals_is_taken(
    muscles: Mapping[str, RawKeys], name: str, path_id: str
) -> None:
    """The first of all where the clip has no goals."""
    figure = Figure(avatar=None)
    built = build(figure, muscle_clip(muscles), [figure.avatar_of(), weaker(figure), avatar(None, "Generic", 402)])
    assert chosen(built) == (name, "best_fit", path_id)
    assert built.told("CLIP_AVATAR_CHOSEN") == [{"avatar": name, "among": 2}]


@pytest.mark.parametrize(("without", "fits"), [((), True), (("LeftHand",), True), (("LeftHand", "RightHand"), False)])
def test_an_avatar_fits_a_rig_that_has_nine_tenths_of_its_bones(without: tuple[str, ...], fits: bool) -> None:
    """16 of 17, or 15."""
    figure = Figure(avatar=None, without=without)
    built = build(figure, muscle_clip(RAISED), [figure.avatar_of()])
    assert bool(built.told("CLIP_AVATAR_CHOSEN")) is fits
    assert len(built.asset.clips) == fits and bool(built.beside) is not fits


def test_an_avatar_that_was_named_need_not_fit() -> None:
    figure = Figure(without=["LeftHand", "RightHand", "Head"])
    built = build(figure, muscle_clip(RAISED), avatar="Stick")
    assert chosen(built)[1] == "option" and ("RightUpperArm", "rotation") in built.channels()


# --- what is kept beside ------------------------------------------------------------------------------------------


def test_muscles_without_an_avatar_are_kept_and_the_rest_is_written() -> None:
    others = [moved("Armature", "position", line(0, 1), steady(0), steady(0))]
    built = build(Figure(avatar=None), muscle_clip(RAISED, others), avatars=[])
    assert set(built.channels()) == {("Armature", "translation")} and "humanoid" not in built.clip.extras
    (kept,) = built.beside
    reason = "no human avatar fits this rig"
    assert (kept.name, kept.rig, kept.reason, kept.source) == ("Move", "Figure", reason, source(70, "AnimationClip"))
    assert (kept.duration, kept.sample_rate, set(kept.curves)) == (1.0, 1.0, {"RootT.y", ARM})
    assert built.told("CLIP_MUSCLES") == [{"count": 2, "reason": reason}]


def test_a_clip_of_nothing_else_is_in_no_file() -> None:
    built = build(Figure(avatar=None), muscle_clip(RAISED), avatars=[])
    assert built.asset.clips == () and len(built.beside) == 1
    assert built.codes() == {"CLIP_MUSCLES", "CLIP_EMPTY"}


def test_nothing_is_kept_of_a_clip_that_is_baked_whole() -> None:
    assert build(clip=muscle_clip(RAISED)).beside == []


def lost(built: Built) -> tuple[list[dict[str, Any]], str]:
    """What is told to be lost of a clip that is written all the same, and why its muscles are kept."""
    assert built.report["bones"] > 0
    (kept,) = built.beside
    return built.told("CLIP_MUSCLES_PARTLY"), kept.reason


def test_bones_that_are_not_on_the_rig() -> None:
    built = build(
        Figure(without=["Head", "LeftUpperLeg"]), muscle_clip(RAISED | {NOD: steady(1), "Left Foot Up-Down": steady(0)})
    )
    assert lost(built) == ([{"count": 2, "names": ["LeftFoot", "Head"]}], "2 bones are not on the rig")
    assert set(built.beside[0].curves) == {"RootT.y", ARM, NOD, "Left Foot Up-Down"}, "all of them"


def test_hips_that_are_not_on_the_rig() -> None:
    """The rig begins at the spine, for once."""
    joints = {
        name: replace(joint, parent="Top") if joint.parent == "Hips" else joint for name, joint in stick().items()
    }
    built = build(Figure(joints, without=["Hips"]), muscle_clip(RAISED))
    assert lost(built) == ([{"count": 1, "names": ["Hips"]}], "1 bone is not on the rig")
    assert set(built.channels()) == {("RightUpperArm", "rotation")}


def test_muscles_of_no_range() -> None:
    """One that has none cannot show what drives it; where nothing drives it nothing is lost."""
    joints = stick()
    joints["Head"] = replace(joints["Head"], axes=Axes(minimum=(-90, 0, 0), maximum=(90, 0, 0)))
    muscles = RAISED | {NOD: steady(1), "Head Tilt Left-Right": steady(0), "Head Turn Left-Right": steady(1)}
    built = build(Figure(joints), muscle_clip(muscles))
    assert lost(built) == ([{"count": 1, "names": [NOD]}], "1 muscle has no range on this avatar")


@pytest.mark.parametrize("has_tdof", [True, False])
def test_translations_of_bones(has_tdof: bool) -> None:
    """An avatar says whether they count."""
    figure = Figure()
    free = {"ChestTDOF.x": steady(0.5), "ChestTDOF.y": steady(0)}
    built = build(figure, muscle_clip(RAISED | free), [figure.avatar_of(has_tdof=has_tdof)])
    if has_tdof:
        names = ["ChestTDOF.x", "ChestTDOF.y"]
        assert lost(built) == ([{"count": 2, "names": names}], "2 translations of bones are left out")
        assert "CLIP_TDOF" not in built.codes()
    else:
        assert built.beside == [] and "CLIP_MUSCLES_PARTLY" not in built.codes()
        assert built.told("CLIP_TDOF") == [{"count": 2}]


def test_curves_that_could_not_be_read() -> None:
    built = build(clip=muscle_clip(RAISED | {NOD: steady(math.nan)}))
    told, reason = lost(built)
    assert (told, reason) == ([{"count": 1, "names": [NOD]}], "1 curve could not be read")
    assert set(built.beside[0].curves) == {"RootT.y", ARM}


def test_a_clip_none_of_whose_curves_could_be_read() -> None:
    """There is nothing to bake, and nothing to choose an avatar by."""
    others = [moved("Armature", "position", line(0, 1), steady(0), steady(0))]
    clip = muscle_clip({NOD: steady(math.nan), ARM: steady(math.nan)}, others)
    for own in (AVATAR, None):
        figure = Figure(avatar=own)
        built = build(figure, clip, [figure.avatar_of()])
        assert set(built.channels()) == {("Armature", "translation")}
        assert built.told("CLIP_MUSCLES") == [{"count": 2, "reason": "none of its curves can be read"}]
        assert [(kept.reason, dict(kept.curves)) for kept in built.beside] == [("none of its curves can be read", {})]
        assert "CLIP_AVATAR_CHOSEN" not in built.codes()


def test_several_reasons_are_told_together() -> None:
    figure = Figure(without=["Head"])
    muscles = RAISED | {NOD: steady(1), "ChestTDOF.x": steady(1), HAND: steady(math.nan)}
    built = build(figure, muscle_clip(muscles), [figure.avatar_of(has_tdof=True)])
    told, reason = lost(built)
    assert [item["count"] for item in told] == [1, 1, 1]
    assert reason == ("1 bone is not on the rig; 1 translation of a bone is left out; 1 curve could not be read")


def test_what_goes_wrong_costs_the_muscles_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "bake", lambda *_: 1 / 0)
    others = [moved("Armature", "position", line(0, 1), steady(0), steady(0))]
    built = build(clip=muscle_clip(RAISED, others))
    assert set(built.channels()) == {("Armature", "translation")}
    (kept,) = built.beside
    assert kept.reason == "ZeroDivisionError: division by zero" and set(kept.curves) == {"RootT.y", ARM}
    assert len(built.told("CLIP_MUSCLES")) == 1


def test_a_clip_of_too_many_keys_is_kept() -> None:
    built = build(clip=muscle_clip(RAISED, stop=1e6, sample_rate=30.0))
    assert built.asset.clips == ()
    assert built.beside[0].reason == "1e+06 s have too many keys at 30 a second"
    assert built.told("CLIP_INVALID") == [{"seconds": 1e6}]


# --- how well it fits ---------------------------------------------------------------------------------------------

MEASURES = {"feet_deg", "hands_deg", "rotation_deg", "feet_mm", "hands_mm"}


def test_the_report_of_a_clip_on_its_own_avatar() -> None:
    """Both ends of two seconds, and half-way at the rate."""
    said = RawMuscles(delta=(0.0,) * 55)
    built = build(Figure(apply_root_motion=True), muscle_clip(FOR_STICK, stop=2.0, muscles=said))
    report = built.report
    assert set(report) == {
        *("avatar", "avatar_source", "chosen_by", "bones", "keys", "root_motion", "numbering", "between_keys", "goals"),
        "passed",
    }
    assert (report["bones"], report["keys"], report["root_motion"], report["numbering"]) == (2, 3, "keep", 0.0)
    assert report["passed"] is True
    assert set(report["goals"]) == MEASURES
    for name, sizes in report["goals"].items():
        assert set(sizes) == {"mean", "p95", "max"}
        assert sizes["max"] == pytest.approx(0.0, abs=1e-3), name
    assert report["between_keys"] == pytest.approx({"mean_deg": 0.0, "max_deg": 0.0, "hips_mm": 0.0}, abs=1e-4)
    assert built.told("CLIP_BAKED") == [{"humanoid": report}]
    assert built.clip.extras["apply_root_motion"] is True and built.clip.extras["kind"] == "humanoid"
    assert built.messages("CLIP_BAKED")[0].startswith("2 bones baked with avatar 'Stick'; the clip's own goals are met")


def test_goals_are_measured_in_millimetres_and_degrees() -> None:
    """Both hands and the left foot 2 cm further up than they are; the right foot a quarter about y."""
    far = FOR_STICK | goals(
        **{"RightHandQ.z": HALF, "RightHandQ.w": HALF, "RightHandT.x": 0.2, "RightHandT.y": 0.42, "LeftHandT.y": -0.18},
        **{"LeftFootT.y": -1.68, "RightFootQ.y": HALF, "RightFootQ.w": HALF},
    )
    report = build(clip=muscle_clip(far)).report
    assert report["goals"]["hands_mm"] == pytest.approx({"mean": 20.0, "p95": 20.0, "max": 20.0}, abs=1e-3)
    assert report["goals"]["feet_mm"] == pytest.approx({"mean": 10.0, "p95": 20.0, "max": 20.0}, abs=1e-3)
    assert report["goals"]["hands_deg"] == pytest.approx({"mean": 0.0, "p95": 0.0, "max": 0.0}, abs=1e-4)
    assert report["goals"]["feet_deg"] == pytest.approx({"mean": 45.0, "p95": 90.0, "max": 90.0}, abs=1e-3)
    # of four goals at two keys the worst two are 90: seven steps from 0 to 7, 6.65 of them
    assert report["goals"]["rotation_deg"] == pytest.approx({"mean": 22.5, "p95": 90.0, "max": 90.0}, abs=1e-3)


def test_what_lies_between_keys_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A muscle of t^2 is 1.917 degrees off half-way where the keys are a second apart; the other bone is not."""
    monkeypatch.setattr("unity2gltf.normalize.humanoid.follow.ROUNDS", 0)
    square = keys((0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 2.0, 0.0))
    found = build(clip=muscle_clip({ARM: square, NOD: steady(0)})).report["between_keys"]
    assert found == {
        "mean_deg": pytest.approx(0.9585, abs=1e-3),
        "max_deg": pytest.approx(1.917, abs=1e-3),
        "hips_mm": 0.0,
    }


def test_a_clip_without_goals_has_none_to_measure_by() -> None:
    built = build(clip=muscle_clip(RAISED))
    assert built.report["goals"] is None and built.report["numbering"] is None and "passed" not in built.report
    assert "does not store all its goals" in built.messages("CLIP_BAKED")[0]
    some = {name: own for name, own in (FOR_STICK).items() if name != "LeftHandQ.x"}
    assert build(clip=muscle_clip(some)).report["goals"] is None


REASONS: dict[str, tuple[Mapping[str, float], Mapping[str, Any], str]] = {
    "turned": ({"LeftHandQ.z": 1.0}, {}, "likely it was made for another avatar, which is not in this game"),
    "additive": ({"LeftHandQ.z": 1.0}, {"m_HasAdditiveReferencePose": True}, "it is an additive clip"),
    "feet near": ({"LeftFootT.y": -1.68}, {}, "its keys were reduced when the game was made"),
    "feet far": ({"LeftFootT.y": -1.6}, {}, ""),
    "feet far, additive": ({"LeftFootT.y": -1.6}, {"m_HasAdditiveReferencePose": True}, "it is an additive clip"),
}
"""Goals of the T-pose that are off: one of a hand, so that degrees are 45 on average, or one of a foot, by 20 or 100 mm
of a metre."""


@pytest.mark.parametrize("name", REASONS)
def test_why_goals_are_missed(name: str) -> None:
    off, flags, reason = REASONS[name]
    built = build(clip=muscle_clip(UPRIGHT | goals(**off), flags=flags))
    assert (built.report["passed"], built.report["reason"]) == (False, reason)
    assert bool(built.told("CLIP_GOALS_MISSED")) is not bool(reason), "what is known is no surprise"
    assert (f"({reason})" in built.messages("CLIP_BAKED")[0]) is bool(reason)


def test_goals_are_missed_where_other_objects_move() -> None:
    others = [moved("Armature", "position", line(0, 1), steady(0), steady(0))]
    built = build(clip=muscle_clip(UPRIGHT | goals(**{"LeftFootT.y": -1.6}), others))
    assert built.report["reason"] == "objects between the bones move, too"


def test_a_clip_of_another_avatar_is_told_whose_it_is() -> None:
    figure = Figure()
    built = build(figure, muscle_clip(FOR_WEAK), [figure.avatar_of(), weaker(figure)])
    assert built.report["reason"] == "it was made for avatar 'Weak'"
    assert built.report["goals"]["rotation_deg"]["mean"] == pytest.approx(45 / 4, abs=1e-3)


def test_goals_that_are_missed_are_told_with_their_numbers() -> None:
    built = build(clip=muscle_clip(UPRIGHT | goals(**{"LeftFootT.y": -1.6})))
    (told,) = built.told("CLIP_GOALS_MISSED")
    assert set(told) == MEASURES and told["feet_mm"]["max"] == pytest.approx(100.0, abs=1e-2)


def test_each_remark_on_a_bake_says_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is coarse between keys and misses its goals, too."""
    monkeypatch.setattr("unity2gltf.normalize.humanoid.follow.ROUNDS", 0)
    square = keys((0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 2.0, 0.0))
    built = build(clip=muscle_clip(UPRIGHT | {NOD: square} | goals(**{"LeftFootT.y": -1.6})))
    assert "half-way between two keys" in built.messages("CLIP_BAKE_COARSE")[0]
    assert built.messages("CLIP_GOALS_MISSED") == built.messages("CLIP_BAKED")


@pytest.mark.parametrize(("wrong", "told"), [(0.0, False), (9e-5, False), (0.5, True)])
def test_muscles_that_do_not_change_as_the_clip_says(wrong: float, told: bool) -> None:
    """The arm, number 48 of the body, goes from 1 to 0."""
    delta = [0.0] * 55
    delta[48] = 1.0 - wrong
    built = build(clip=muscle_clip(UPRIGHT | {ARM: line(1, 0)}, muscles=RawMuscles(delta=tuple(delta))))
    assert built.report["numbering"] == pytest.approx(wrong, abs=1e-9)
    assert built.told("CLIP_NUMBERING") == ([{"difference": pytest.approx(wrong)}] if told else [])


# --- what the game does beside ------------------------------------------------------------------------------------


def state(name: str, clip: RawClip, blend: Mapping[str, Any] | None = None, **fields: Any) -> RawState:
    given = {"mirror": False, "additive": False, "foot_ik": False} | fields
    return RawState(
        layer="Base", layer_index=0, name=name, full_path=f"Base.{name}", speed=1.0, cycle_offset=0.0, default=False,
        motions=(RawMotion(clip=clip.source, blend=blend or {}),), **given,
    )  # fmt: skip


def test_muscles_that_are_absent_count_as_0() -> None:
    """Of the arm two, and those of the fore-arm, which takes a share of the arm's twist; but not if that is absent."""
    twist = "Right Arm Twist In-Out"
    built = build(clip=muscle_clip({ARM: steady(1)}))
    assert built.told("CLIP_MUSCLES_ABSENT") == [{"count": 2, "names": ["Right Arm Front-Back", twist]}]
    names = [ARM, "Right Arm Front-Back", "Right Forearm Stretch", "Right Forearm Twist In-Out"]
    assert build(clip=muscle_clip({twist: steady(1)})).told("CLIP_MUSCLES_ABSENT") == [{"count": 4, "names": names}]
    whole = {"Jaw Close": steady(0), "Left Foot Up-Down": steady(0), "Left Foot Twist In-Out": steady(0)}
    whole |= {"Left Lower Leg Twist In-Out": steady(0), "Left Lower Leg Stretch": steady(0)}
    whole |= {"Left Upper Leg Twist In-Out": steady(0), "Left Upper Leg In-Out": steady(0)}
    whole |= {"Left Upper Leg Front-Back": steady(0)}
    assert build(clip=muscle_clip(whole)).told("CLIP_MUSCLES_ABSENT") == []


def test_a_clip_that_is_mirrored_by_its_settings_is_baked_so() -> None:
    """The left arm is raised by the right one's muscle, and the body is 0.3 to the left."""
    clip = muscle_clip(RAISED | {"RootT.x": steady(0.3), NOD: steady(1)}, flags={"m_Mirror": True})
    built = build(clip=clip)
    assert ("RightUpperArm", "rotation") not in built.channels()
    same_turn(built.turn("LeftUpperArm"), QUARTER_Z)
    same_turn(built.turn("Head"), QUARTER_Z)
    close(built.at("Hips", TRANSLATION), (-0.3, 1, 0))
    assert built.messages("CLIP_MIRROR") == ["the clip's settings exchange left and right: baked so"]


def test_goals_of_a_mirrored_clip_are_those_of_the_stored_one() -> None:
    built = build(clip=muscle_clip(FOR_STICK, flags={"m_Mirror": True}))
    assert built.report["passed"] is True and built.report["goals"]["hands_mm"]["max"] < 1e-3


def test_states_that_mirror_a_clip() -> None:
    """It is written as it is stored."""
    clip = muscle_clip(RAISED)
    states = [
        state("Left", clip, mirror=True),
        state("Right", clip),
        state("Both", clip, {"tree": [], "mirror": True}),
        state("None", clip, {"tree": [], "mirror": False}),
    ]
    built = build(clip=clip, states=states)
    assert built.told("CLIP_MIRROR") == [{"states": ["Left", "Both"]}]
    assert built.messages("CLIP_MIRROR") == ["2 states play it mirrored; it is written as it is stored"]
    assert [told.get("mirror") for told in built.clip.extras["states"]] == [True, None, None, None]
    assert ("RightUpperArm", "rotation") in built.channels()


@pytest.mark.parametrize("flag", [True, False])
def test_clips_that_are_added_to_others(flag: bool) -> None:
    clip = muscle_clip(RAISED, flags={"m_HasAdditiveReferencePose": flag})
    built = build(clip=clip, states=[state("Breathe", clip, additive=True), state("Stand", clip)])
    assert built.told("CLIP_ADDITIVE") == [{"states": ["Breathe"]}]
    bare = build(clip=clip)
    assert bare.told("CLIP_ADDITIVE") == ([{"states": []}] if flag else [])


@pytest.mark.parametrize(("muscles", "far"), [(RAISED, None), (FOR_STICK, 0.0), (FOR_WEAK, 0.0)])
def test_states_that_put_the_feet_on_the_goals(muscles: Mapping[str, RawKeys], far: float | None) -> None:
    """How far that may be is known where the clip has goals."""
    clip = muscle_clip(muscles)
    built = build(clip=clip, states=[state("Stand", clip, foot_ik=True), state("Fly", clip)])
    (told,) = built.told("CLIP_FOOT_IK")
    assert told == {"states": ["Stand"], "feet_mm": None if far is None else pytest.approx(far, abs=1e-3)}
    assert built.messages("CLIP_FOOT_IK")[0].startswith("1 state puts the feet on the goals")


@pytest.mark.parametrize(("blend", "told"), [(True, [{"largest": 0.75}]), (False, [])])
def test_a_loop_whose_ends_the_game_blends(blend: bool, told: list[dict[str, float]]) -> None:
    muscles = RAISED | {NOD: line(0.25, 1), "LeftHand.Thumb.Spread": line(0, 5)}
    built = build(clip=muscle_clip(muscles, flags={"m_LoopTime": True, "m_LoopBlend": blend}))
    assert built.told("CLIP_LOOP_POSE") == told
    once = build(clip=muscle_clip(muscles, flags={"m_LoopTime": False, "m_LoopBlend": blend}))
    assert once.told("CLIP_LOOP_POSE") == []


# --- root motion --------------------------------------------------------------------------------------------------

CYCLE = (0.5, 0.5, 0.5, 0.5)
TOP = Pose((10.0, 0.0, 0.0), CYCLE, (2.0, 2.0, 2.0))
"""Where the prefab has the Animator's object: its x, y, z are the scene's y, z, x."""

WALK = UPRIGHT | {"RootT.z": line(0, 3), "RootQ.y": line(0, 1), "RootQ.w": steady(1)}
"""3 m ahead, and a quarter to the right meanwhile."""


def test_kept_motion_stays_on_the_hips() -> None:
    built = build(Figure(top=TOP), muscle_clip(WALK))
    assert set(built.channels()) == {("Hips", "rotation"), ("Hips", "translation")}
    close(built.at("Hips", TRANSLATION, 1.0), (0, 1, 3))
    same_turn(built.turn("Hips", 1.0), QUARTER_Y)


def test_split_motion_moves_the_animators_object_from_where_it_stands() -> None:
    """3 m of its own are 6 of the scene, along x; its turn comes after that of its rest pose. The hips hang 0.8 below
    it, since it goes with the head."""
    built = build(Figure(top=TOP), muscle_clip(WALK), root_motion="split")
    assert set(built.channels()) == {
        (name, path) for name in ("Figure", "Hips") for path in ("rotation", "translation")
    }  # fmt: skip
    for time, place, rotation in (
        (0.0, (10, 0, 0), CYCLE),
        (0.5, (13, 0, 0), None),
        (1.0, (16, 0, 0), (0, HALF, HALF, 0)),
    ):
        close(built.at("Figure", TRANSLATION, time), place, 1e-5)
        if rotation is not None:
            same_turn(built.turn("Figure", time), rotation)
        close(built.at("Hips", TRANSLATION, time), (0, -0.8, 0), 1e-5)
        same_turn(built.turn("Hips", time), STRAIGHT, 1e-5)
    assert built.report["root_motion"] == "split"


def test_stripped_motion_is_nowhere() -> None:
    built = build(Figure(top=TOP), muscle_clip(WALK), root_motion="strip")
    assert set(built.channels()) == {("Hips", "rotation"), ("Hips", "translation")}
    for time in (0.0, 1.0):
        close(built.at("Hips", TRANSLATION, time), (0, -0.8, 0), 1e-5)
        same_turn(built.turn("Hips", time), STRAIGHT, 1e-5)


def test_split_hips_hang_in_the_armature() -> None:
    """(0, -0.8, 0) is (-1, -2.8, -3) from the armature, (3, -2.8, -1) in its axes, half of that in its units."""
    armature = Pose((1.0, 2.0, 3.0), QUARTER_Y, (2.0, 2.0, 2.0))
    built = build(Figure(top=TOP, armature=armature), muscle_clip(WALK), root_motion="split")
    close(built.at("Hips", TRANSLATION, 1.0), (1.5, -1.4, -0.5), 1e-5)
    same_turn(built.turn("Hips", 1.0), BACK_Y, 1e-5)


def test_settings_bake_motion_into_the_pose() -> None:
    flags = {"m_LoopBlendPositionXZ": True, "m_LoopBlendOrientation": True, "m_KeepOriginalPositionY": True}
    built = build(Figure(top=TOP), muscle_clip(WALK, flags=flags), root_motion="split")
    close(built.at("Figure", TRANSLATION, 1.0), (10, 0, 0), 1e-5)
    same_turn(built.turn("Figure", 1.0), CYCLE)
    close(built.at("Hips", TRANSLATION, 1.0), (0, 1, 3), 1e-5)


def test_curves_of_the_animators_object_give_way_to_its_root_motion() -> None:
    others = [moved("", "position", steady(5), steady(5), steady(5))]
    clip = muscle_clip(WALK | {NOD: steady(0)}, others)
    built = build(clip=clip, root_motion="split")
    assert built.told("CLIP_DUPLICATE") == [{"count": 1}]
    close(built.at("Figure", TRANSLATION, 1.0), (0, 0, 3), 1e-5)
    kept = build(clip=clip)
    close(kept.at("Figure", TRANSLATION), (5, 5, 5))


def test_a_mirrored_body_starts_above_its_object() -> None:
    clip = muscle_clip(UPRIGHT | {"RootT.x": steady(0.3)}, flags={"m_Mirror": True})
    close(build(clip=clip, root_motion="split").at("Hips", TRANSLATION), (0, -0.8, 0))


def test_a_body_of_the_editors_form_starts_above_its_object() -> None:
    clip = muscle_clip(UPRIGHT | {"RootT.x": steady(0.3)})
    close(build(clip=clip, root_motion="split").at("Hips", TRANSLATION), (0, -0.8, 0))
