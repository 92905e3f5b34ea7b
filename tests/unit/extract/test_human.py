"""The human part of Avatars and the muscle part of clips, number for number as they were written, in old and new forms:
four numbers a vector and 24 bones once, three and 25 now."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unity2gltf.extract.game import open_game
from unity2gltf.raw import RawAvatar, RawAxes, RawClip, RawMuscles
from unity2gltf.sample import FileBuilder
from unity2gltf.sample.human import avatar_fields, build_human, has_upper_chest
from unity2gltf.sample.humanoid import add_avatar, add_clips
from unity2gltf.sample.values import ANIMATION_CLIP, AVATAR

VERSIONS = (
    *("4.0.1f2", "4.6.9f1", "5.4.6f3", "5.6.7f1", "2017.4.40f1", "2019.4.40f1", "2022.3.20f1"),
    "6000.0.30f1",
)


def read_all(folder: Path, file: FileBuilder) -> tuple[list[RawAvatar], list[RawClip]]:
    (folder / "a.assets").write_bytes(file.to_bytes())
    game = open_game(folder)
    (root,) = game.roots
    found = [root.avatar(s) for s in root.objects("Avatar")], [root.clip(s) for s in root.objects("AnimationClip")]
    assert game.diagnostics.items == []
    root.close()
    return found


def rows(structs: list[dict[str, float]], letters: str) -> list[list[float]]:
    return [[row[letter] for letter in letters] for row in structs]


@pytest.mark.parametrize("big_endian", [False, True])
@pytest.mark.parametrize("version", VERSIONS)
def test_human_part(version: str, big_endian: bool, tmp_path: Path) -> None:
    file = FileBuilder(version, big_endian=big_endian)
    written = file.objects[add_avatar(file)].value["m_Avatar"]["m_Human"]["data"]
    ((avatar,), _) = read_all(tmp_path, file)
    human = avatar.human
    assert human is not None
    skeleton, pose = written["m_Skeleton"]["data"], written["m_SkeletonPose"]["data"]["m_X"]
    assert human.parents.tolist() == [node["m_ParentId"] for node in skeleton["m_Node"]]
    assert human.axes.tolist() == [node["m_AxesId"] for node in skeleton["m_Node"]]
    assert human.ids.tolist() == skeleton["m_ID"]
    for part, name, letters in (
        (human.positions, "t", "xyz"),
        (human.rotations, "q", "xyzw"),
        (human.scales, "s", "xyz"),
    ):
        assert part.dtype == np.float32 and part.tolist() == rows([row[name] for row in pose], letters)
    axes, limits = skeleton["m_AxesArray"], human.limits
    assert len(limits.lengths) == len(axes) == max(human.axes) + 1 == 24
    assert limits.pre.tolist() == rows([row["m_PreQ"] for row in axes], "xyzw")
    assert limits.post.tolist() == rows([row["m_PostQ"] for row in axes], "xyzw")
    assert limits.signs.tolist() == rows([row["m_Sgn"] for row in axes], "xyz")
    assert limits.minimum.tolist() == rows([row["m_Limit"]["m_Min"] for row in axes], "xyz")
    assert limits.maximum.tolist() == rows([row["m_Limit"]["m_Max"] for row in axes], "xyz")
    assert limits.lengths.tolist() == [row["m_Length"] for row in axes]
    assert list(human.bones) == written["m_HumanBoneIndex"] and len(human.bones) == 24 + has_upper_chest(version)
    assert list(human.masses) == written["m_HumanBoneMass"]
    assert list(human.left_hand) == written["m_LeftHand"]["data"]["m_HandBoneIndex"]
    assert human.right_hand == (-1,) * 15
    assert [list(human.root_position)] == rows([written["m_RootX"]["t"]], "xyz")
    assert [list(human.root_rotation)] == rows([written["m_RootX"]["q"]], "xyzw")
    assert human.scale == written["m_Scale"]
    assert (human.arm_twist, human.fore_arm_twist, human.upper_leg_twist, human.leg_twist) == (0.5,) * 4
    assert human.has_tdof is False


@pytest.mark.parametrize("version", VERSIONS)
def test_each_twist_factor_and_the_rest_of_the_numbers_have_their_own_place(version: str, tmp_path: Path) -> None:
    file = FileBuilder(version)
    content = avatar_fields(build_human(), version)
    human = content["m_Avatar"]["m_Human"]["data"]
    human |= {"m_ArmTwist": 0.125, "m_ForeArmTwist": 0.25, "m_UpperLegTwist": 0.375, "m_LegTwist": 0.75}
    human |= {"m_RightHand": {"data": {"m_HandBoneIndex": list(range(15))}}, "?m_HasTDoF": True}
    file.add(AVATAR, content)
    ((avatar,), _) = read_all(tmp_path, file)
    found = avatar.human
    assert found is not None
    assert (found.arm_twist, found.fore_arm_twist, found.upper_leg_twist, found.leg_twist) == (0.125, 0.25, 0.375, 0.75)
    assert found.right_hand == tuple(range(15))
    assert found.has_tdof is not version.startswith("4.")


@pytest.mark.parametrize("version", VERSIONS)
def test_an_avatar_that_maps_no_bone_has_no_human_part(version: str, tmp_path: Path) -> None:
    file = FileBuilder(version)
    content = avatar_fields(build_human(), version)
    human = content["m_Avatar"]["m_Human"]["data"]
    human["m_HumanBoneIndex"] = [-1] * len(human["m_HumanBoneIndex"])
    file.add(AVATAR, content)
    ((avatar,), _) = read_all(tmp_path, file)
    assert avatar.human is None and len(avatar.parents) == len(build_human().names) + 2


@pytest.mark.parametrize("big_endian", [False, True])
@pytest.mark.parametrize("version", VERSIONS)
def test_muscle_part(version: str, big_endian: bool, tmp_path: Path) -> None:
    file = FileBuilder(version, big_endian=big_endian)
    values = [file.objects[clip].value["m_MuscleClip"] for clip in add_clips(file)]
    _, clips = read_all(tmp_path, file)
    assert [clip.name for clip in clips] == ["Reach", "Stroll"]
    for clip, written in zip(clips, values, strict=True):
        muscles = clip.muscles
        assert list(muscles.index_array) == written["m_IndexArray"].tolist()
        assert list(muscles.delta) == written["m_DeltaPose"]["m_DoFArray"]
        assert len(muscles.delta) == 52 + 3 * has_upper_chest(version)
        assert clip.flags["m_CycleOffset"] == (0.25 if clip.name == "Stroll" else 0.0)
        bound = [b.attribute for b in clip.bindings if (b.type_id, b.custom_type, b.path) == (95, 8, 0)]
        if not version.startswith("4.0"):  # which has no m_ClipBindingConstant
            assert sorted(bound) == [k for k, number in enumerate(muscles.index_array) if number >= 0]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_clip_without_muscles_has_none(version: str, tmp_path: Path) -> None:
    file = FileBuilder(version)
    kind: dict[str, Any] = {"?m_Legacy": True, "?m_AnimationType": 1}
    file.add(ANIMATION_CLIP, {"m_Name": "Old", **kind})
    _, (clip,) = read_all(tmp_path, file)
    assert clip.legacy and clip.muscles == RawMuscles()
    assert clip.muscles.index_array == ()


def test_no_field_of_the_records_goes_untested() -> None:
    """Where a field is added, the tests above must look at it, too."""
    assert {field.name for field in fields(RawAxes)} == {"pre", "post", "signs", "minimum", "maximum", "lengths"}
    assert {field.name for field in fields(RawMuscles)} == {"index_array", "delta"}
