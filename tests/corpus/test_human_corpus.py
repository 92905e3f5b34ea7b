"""The human part of every real Avatar and the muscle part of every real clip, against what UnityPy reads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from UnityPy import classes
from UnityPy.UnityPyBoost import read_typetree

from tests.corpus.objects import VERSION
from tests.corpus.test_extract_corpus import each_file, unitypy_node
from tests.reference.humanoid_twin import bone_nodes
from unity2gltf.extract.content import ContentRoot, GameFile
from unity2gltf.extract.game import Game, open_game
from unity2gltf.raw import RawClip, RawHuman
from unity2gltf.source import Source

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

AXES = (
    ("pre", "m_PreQ", None, "xyzw"), ("post", "m_PostQ", None, "xyzw"), ("signs", "m_Sgn", None, "xyz"),
    ("minimum", "m_Limit", "m_Min", "xyz"), ("maximum", "m_Limit", "m_Max", "xyz"),
)  # fmt: skip


@pytest.fixture(scope="module")
def game(corpus: Path) -> Game:
    return open_game(corpus, unity_version=VERSION)


def theirs(root: ContentRoot, file: GameFile, source: Source) -> dict[str, Any]:
    plan, data = root._locate(file, source)
    value: dict[str, Any] = read_typetree(bytes(data), unitypy_node(plan.root), plan.endian, True, None, classes)[0]
    return value


def same(array: Any, rows: list[Any], letters: str) -> None:
    assert np.array_equal(array, np.array([[row[letter] for letter in letters] for row in rows], np.float32))


def check_human(human: RawHuman, stored: dict[str, Any]) -> None:
    skeleton, pose = stored["m_Skeleton"]["data"], stored["m_SkeletonPose"]["data"]["m_X"]
    nodes, axes = skeleton["m_Node"], skeleton["m_AxesArray"]
    assert human.parents.tolist() == [node["m_ParentId"] for node in nodes]
    assert human.axes.tolist() == [node["m_AxesId"] for node in nodes]
    assert human.ids.tolist() == skeleton["m_ID"]
    same(human.positions, [row["t"] for row in pose], "xyz")
    same(human.rotations, [row["q"] for row in pose], "xyzw")
    same(human.scales, [row["s"] for row in pose], "xyz")
    for name, outer, inner, letters in AXES:
        same(getattr(human.limits, name), [row[outer][inner] if inner else row[outer] for row in axes], letters)
    assert human.limits.lengths.tolist() == [row["m_Length"] for row in axes]
    assert list(human.bones) == stored["m_HumanBoneIndex"] and list(human.masses) == stored["m_HumanBoneMass"]
    assert list(human.left_hand) == stored["m_LeftHand"]["data"]["m_HandBoneIndex"]
    assert list(human.right_hand) == stored["m_RightHand"]["data"]["m_HandBoneIndex"]
    root = stored["m_RootX"]
    assert human.root_position == tuple(root["t"][letter] for letter in "xyz")
    assert human.root_rotation == tuple(root["q"][letter] for letter in "xyzw")
    assert (human.scale, human.has_tdof) == (stored["m_Scale"], stored["m_HasTDoF"])
    factors = (human.arm_twist, human.fore_arm_twist, human.upper_leg_twist, human.leg_twist)
    assert factors == tuple(stored[f"m_{name}Twist"] for name in ("Arm", "ForeArm", "UpperLeg", "Leg"))


def check_sound(human: RawHuman) -> None:
    """What every real avatar holds to."""
    count = len(human.parents)
    assert len(human.bones) == len(human.masses) == 25 and len(human.left_hand) == len(human.right_hand) == 15
    assert all(parent < node for node, parent in enumerate(human.parents.tolist()))
    assert all(-1 <= node < count for node in (*human.bones, *human.left_hand, *human.right_hand))
    assert human.axes.max() < len(human.limits.lengths)
    assert sum(human.masses) == pytest.approx(1.0, abs=1e-6)
    assert all(human.axes[node] >= 0 for node in bone_nodes(human).values())
    assert human.scale == pytest.approx(human.root_position[1], rel=1e-6)


def test_every_human_part(game: Game) -> None:
    seen: Counter[str] = Counter()
    for root, file in each_file(game):
        for source in file.sources("Avatar"):
            seen["avatars"] += 1
            avatar = root.avatar(source)
            stored = theirs(root, file, source)["m_Avatar"]["m_Human"]["data"]
            if avatar.human is None:
                assert set(stored["m_HumanBoneIndex"]) <= {-1}
                continue
            seen["humanoid"] += 1
            check_human(avatar.human, stored)
            check_sound(avatar.human)
            assert all(int(hash_) in avatar.tos for hash_ in avatar.human.ids)
    assert seen["humanoid"] >= 9 and seen["avatars"] > seen["humanoid"], seen


def check_muscles(clip: RawClip, stored: dict[str, Any]) -> None:
    muscles = clip.muscles
    assert list(muscles.index_array) == stored["m_IndexArray"]
    assert list(muscles.delta) == stored["m_DeltaPose"]["m_DoFArray"]


def test_every_muscle_part(game: Game) -> None:
    seen: Counter[str] = Counter()
    for root, file in each_file(game):
        for source in file.sources("AnimationClip"):
            clip = root.clip(source)
            if clip.compiled is None:
                continue
            seen["compiled"] += 1
            check_muscles(clip, theirs(root, file, source)["m_MuscleClip"])
            driven = [number for number in clip.muscles.index_array if number >= 0]
            if len(driven) > 7:
                seen["muscles"] += 1
                bound = sum(b.custom_type == 8 for b in clip.bindings)
                assert len(driven) == len(set(driven)) == bound and len(clip.muscles.index_array) == 200
    floors = {"compiled": 78, "muscles": 20}
    assert all(seen[name] >= floor for name, floor in floors.items()), seen
