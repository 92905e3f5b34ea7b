"""The humanoid: an Avatar whose every number counts, clips that tell the truth about themselves, in any version.

The goals in the clips and the body in the T-pose are tables. They are worked out here by the slow twin, which is no
part of the package; a table that is not right any more is shown as it should be.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.builders.humans import sample_humanoid
from tests.reference import humanoid_twin as twin
from tests.reference.muscle_twin import curves, indexed_numbers, muscle_numbers, poses
from tests.unit.sample.readback import assert_reads_back
from unity2gltf.math3d import name_hash
from unity2gltf.raw import RawClip, RawHuman
from unity2gltf.sample import FileBuilder, Hierarchy, Keys, MuscleContent, muscle_clip
from unity2gltf.sample import goals as tables
from unity2gltf.sample.human import MASSES, build_human, has_upper_chest
from unity2gltf.sample.humanoid import add_avatar, add_clips, add_humanoid
from unity2gltf.sample.materials import Shelf
from unity2gltf.sample.moves import SIXTEENTHS
from unity2gltf.sample.muscles import ATTRIBUTES, attributes
from unity2gltf.sample.values import ANIMATION_CLIP, AVATAR, SKINNED_MESH_RENDERER

VERSION = "2022.3.20f1"
VERSIONS = (
    *("4.0.1f2", "4.2.2f1", "4.3.4f1", "4.6.9f1", "5.2.5f1", "5.4.6f3", "5.6.7f1", "2017.4.40f1"),
    *("2019.4.40f1", "2021.3.30f1", "2022.3.20f1", "6000.0.30f1"),
)
TABLES = {"Reach": (tables.REACH, twin.GOALS), "Stroll": (tables.STROLL, twin.GOALS[:2])}


def human(version: str = VERSION) -> RawHuman:
    found = sample_humanoid(version)[0].human
    assert found is not None
    return found


def clip(name: str, version: str = VERSION) -> RawClip:
    return sample_humanoid(version)[1][name]


# --- the tables ---------------------------------------------------------------------------------------------------


def test_the_body_in_the_t_pose() -> None:
    position, rotation = twin.rest_body(human())
    assert pytest.approx((*position, *rotation), abs=1e-7) == tables.ROOT, f"ROOT = {(*position, *rotation)}"


def goal_rows(name: str, version: str) -> list[list[float]]:
    """Seven numbers a goal and moment; rotations go on with the sign they came with."""
    rows: list[list[float]] = []
    last: dict[str, twin.Quaternion] = {}
    for pose in poses(clip(name, version), list(SIXTEENTHS)):
        for goal in TABLES[name][1]:
            position, turn = twin.posed(human(version), pose).goals[goal]
            if goal in last and sum(a * b for a, b in zip(last[goal], turn, strict=True)) < 0:
                turn = (-turn[0], -turn[1], -turn[2], -turn[3])
            last[goal] = turn
            rows.append([*position, *turn])
    return rows


@pytest.mark.parametrize("version", ["4.0.1f2", "5.4.6f3", VERSION])
@pytest.mark.parametrize("name", TABLES)
def test_goals_in_the_clips(name: str, version: str) -> None:
    rows = goal_rows(name, version)
    shown = "\n".join("".join(f"{number:9.5f}" for number in row).strip() for row in rows)
    kept = np.array(TABLES[name][0].split(), np.float64).reshape(-1, 7)
    assert kept.shape == (17 * len(TABLES[name][1]), 7)
    assert np.abs(kept - np.array(rows)).max() < 1e-5, f'{name.upper()} = """\n{shown}\n"""'


def misses(body: RawHuman, name: str, shift: float) -> tuple[float, float]:
    """Mean degrees, and of feet the mean distance in units of the scale, ``shift`` sixteenths after each key."""
    degrees, feet = [], []
    for pose in poses(clip(name), [time + shift / 16 for time in SIXTEENTHS[:-1]]):
        posed = twin.posed(body, pose)
        for goal in TABLES[name][1]:
            position, rotation = twin.read_place(pose, goal)
            degrees.append(twin.angle_between(rotation, posed.goals[goal][1]))
            if goal.endswith("Foot"):
                feet.append(math.dist(position, posed.goals[goal][0]))
    return sum(degrees) / len(degrees), sum(feet) / len(feet)


@pytest.mark.parametrize("name", TABLES)
def test_goals_between_their_keys_are_near_enough(name: str) -> None:
    for shift in (0.25, 0.5, 0.75):
        degrees, feet = misses(human(), name, shift)
        assert degrees < 0.3 and feet < 0.002


def test_no_number_of_the_avatar_is_without_effect() -> None:
    """What is stored of the trunk, the scale, the soles, limits, masses: without it the goals are missed."""
    body = human()
    assert misses(body, "Reach", 0.0) < (0.001, 0.0001)
    limits = body.limits
    left, right = twin.BONES.index("LeftLowerArm"), twin.BONES.index("RightLowerArm")
    swapped = list(body.masses)
    swapped[left], swapped[right] = swapped[right], swapped[left]
    mirrored = np.array([1, -1, 1, 1], np.float32)
    turned = {
        "trunk": replace(body, root_rotation=twin.STRAIGHT),
        "pre": replace(body, limits=replace(limits, pre=limits.pre * mirrored)),
        "post": replace(body, limits=replace(limits, post=limits.post * mirrored)),
        "signs": replace(body, limits=replace(limits, signs=abs(limits.signs))),
        "lower": replace(body, limits=replace(limits, minimum=-limits.maximum)),
        "upper": replace(body, limits=replace(limits, maximum=-limits.minimum)),
    }
    moved = {
        "scale": replace(body, scale=1.0),
        "soles": replace(body, limits=replace(limits, lengths=0 * limits.lengths)),
        "masses": replace(body, masses=tuple(swapped)),
        "scales": replace(body, scales=np.ones_like(body.scales)),
    }
    for name, other in turned.items():
        assert misses(other, "Reach", 0.0)[0] > 0.5, name
    for name, other in moved.items():
        assert misses(other, "Reach", 0.0)[1] > 0.004, name


# --- the avatar ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_the_human_part(version: str) -> None:
    avatar, body = sample_humanoid(version)[0], human(version)
    assert len(body.bones) == len(body.masses) == (25 if has_upper_chest(version) else 24)
    nodes = twin.bone_nodes(body)
    assert set(nodes) == {
        *(bone for bone in MASSES if bone not in ("UpperChest", "LeftEye", "RightEye", "Jaw")),
        *("Left Thumb Proximal", "Left Index Proximal", "Left Index Intermediate"),
    }
    assert sum(body.masses) == pytest.approx(1.0, abs=1e-6)
    path = {node: avatar.tos[int(hash_)] for node, hash_ in enumerate(body.ids)}
    assert path[0] == "Rig" and path[nodes["Chest"]] == "Rig/Hips/Spine/Chest"
    chest, neck = nodes["Chest"], nodes["Neck"]
    between = int(body.parents[neck])
    assert body.parents[between] == chest and body.axes[between] == -1, "a bone that none is mapped to"
    assert {body.arm_twist, body.fore_arm_twist, body.upper_leg_twist, body.leg_twist} == {0.5}
    assert body.limits.lengths.min() > 0


def test_the_rest_pose_is_no_t_pose() -> None:
    """Games are made of the former, muscles count from the latter."""
    avatar, body = sample_humanoid(VERSION)[0], human()
    rest = {int(hash_): row for hash_, row in zip(avatar.ids, avatar.rotations, strict=True)}
    names = build_human().names
    changed = {
        names[node - 1]
        for node, hash_ in enumerate(body.ids)
        if node and twin.angle_between(tuple(rest[int(hash_)].tolist()), tuple(body.rotations[node].tolist())) > 1
    }
    assert {"Spine", "LeftUpperArm", "RightLowerArm", "Hips"} <= changed
    assert twin.angle_between(twin.rest_body(body)[1], twin.STRAIGHT) > 5
    hips = body.ids.tolist().index(name_hash("Rig/Hips"))
    assert body.scales[hips].tolist() == [0.5] * 3


# --- the clips ----------------------------------------------------------------------------------------------------


def test_names_are_those_of_the_twin() -> None:
    assert ATTRIBUTES == twin.ATTRIBUTES
    assert attributes("5.5.6f1") == twin.OLD_ATTRIBUTES


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", TABLES)
def test_what_a_clip_says_of_itself(name: str, version: str) -> None:
    """The index, and the way each muscle goes."""
    own = clip(name, version)
    numbers, value = indexed_numbers(own), curves(own)
    assert len(numbers) == (len(attributes(version)) - 7 if name == "Reach" else 38)
    if own.bindings:
        assert numbers == muscle_numbers(own)
    names = [muscle for muscle in twin.MUSCLES if muscle in attributes(version)]
    assert len(own.muscles.delta) == len(names)
    for muscle, delta in zip(names, own.muscles.delta, strict=True):
        number = numbers.get(muscle)
        change = 0.0 if number is None else value(number, own.start) - value(number, own.stop)
        assert delta == pytest.approx(change, abs=1e-6)


@pytest.mark.parametrize("name", TABLES)
def test_the_body_and_the_feet_at_the_start(name: str) -> None:
    """m_StartX and its like repeat what the curves say, so this package does not read them."""
    file = FileBuilder(VERSION)
    values = {file.objects[number].value["m_Name"]: file.objects[number].value for number in add_clips(file)}
    (start,) = poses(clip(name), [0.0])
    for place, field in (("Root", "m_StartX"), ("LeftFoot", "m_LeftFootStartX"), ("RightFoot", "m_RightFootStartX")):
        stored = values[name]["m_MuscleClip"][field]
        position, rotation = twin.read_place(start, place)
        numbers = [stored["t"][axis] for axis in "xyz"] + [stored["q"][axis] for axis in "xyzw"]
        assert numbers == pytest.approx([*position, *twin.normal(rotation)], abs=1e-6)


def test_all_three_kinds_of_curves_hold_muscles() -> None:
    own = clip("Reach")
    assert own.compiled is not None
    numbers = sorted(indexed_numbers(own).values())
    streamed, dense = own.compiled.streamed_count, own.compiled.dense.shape[1]
    assert streamed == 7 + 28 + 42 + 4 + 1 and dense == 6
    assert numbers[-1] == streamed + dense + len(own.compiled.constants) - 1
    others = [(b.type_id, b.custom_type) for b in own.bindings if b.custom_type != 8]
    assert others == [(4, 0), (SKINNED_MESH_RENDERER, 20)]


def test_a_stroll_goes_ahead_and_turns_and_loops() -> None:
    first, last = poses(clip("Stroll"), [0.0, 1.0])
    assert last["RootT.z"] - first["RootT.z"] == pytest.approx(1.25)
    turn = twin.angle_between(twin.read_place(first, "Root")[1], twin.read_place(last, "Root")[1])
    assert turn == pytest.approx(30, abs=0.05)
    moved = {name for name in first if abs(first[name] - last[name]) > 1e-4}
    assert moved == {"RootT.x", "RootT.z", "RootQ.y", "RootQ.w"}, "the rest is where it was"
    flags = clip("Stroll").flags
    assert flags["m_LoopTime"] and flags["m_LoopBlendPositionY"] and not flags["m_LoopBlendOrientation"]


def test_swings_and_twists_are_large() -> None:
    body = human()
    nodes = twin.bone_nodes(body)
    found = {bone: [0.0, 0.0, 0.0] for bone in nodes}
    for pose in poses(clip("Reach"), list(SIXTEENTHS)):
        for bone in nodes:
            if bone in twin.TRIPLES:
                turns = [abs(math.degrees(angle)) for angle in twin.angles(body, bone, nodes[bone], pose)]
                found[bone] = list(map(max, found[bone], turns))
    for bone in ("LeftUpperArm", "RightUpperArm", "LeftUpperLeg", "RightUpperLeg"):
        assert min(found[bone]) > 20 and sum(angle > 40 for angle in found[bone]) >= 2, (bone, found[bone])
    for bone in ("LeftLowerArm", "RightLowerArm", "LeftLowerLeg", "RightLowerLeg"):
        assert found[bone][0] > 50, bone


def test_a_clip_of_one_muscle() -> None:
    content = MuscleContent("Nod", 0.5, {"Head Nod Down-Up": Keys((0.0, 0.25, 0.5), (0.0, 1.0, 0.5))})
    muscle = muscle_clip(content, VERSION)["m_MuscleClip"]
    assert muscle["m_IndexArray"].max() == 0 and muscle["m_IndexArray"].tolist().index(0) == 42 + 12
    assert muscle["m_DeltaPose"]["m_DoFArray"] == [-0.5 if k == 12 else 0.0 for k in range(55)]
    assert muscle["m_StartX"]["q"]["w"] == 1 and muscle["m_ValueArrayDelta"] == [{"m_Start": 0.0, "m_Stop": 0.5}]


# --- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("type_trees", [False, True])
def test_reads_back(version: str, type_trees: bool) -> None:
    file = FileBuilder(version, type_trees)
    add_avatar(file)
    assert len(add_clips(file)) == 2
    assert assert_reads_back(file.to_bytes(), file, version) == 3


@pytest.mark.parametrize("version", ["2018.4.30f1", VERSION, "6000.0.30f1"])
def test_the_whole_humanoid(version: str) -> None:
    file = FileBuilder(version)
    tree = Hierarchy(file)
    add_humanoid(tree, Shelf(file))
    tree.write()
    assert [item.name for item in tree.items][:3] == ["Humanoid", "Rig", "Hips"]
    assert len(tree.items) == len(build_human().names) + 4
    assert assert_reads_back(file.to_bytes(), file, version) == len(file.objects)
    classes = [written.class_id for written in file.objects.values()]
    assert (classes.count(AVATAR), classes.count(ANIMATION_CLIP), classes.count(SKINNED_MESH_RENDERER)) == (1, 2, 1)
