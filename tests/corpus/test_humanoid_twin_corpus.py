"""The slow twin of humanoid clips against real ones: what Unity stored of its avatars and clips is what comes out."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.corpus.objects import objects_below
from tests.reference import humanoid_twin
from tests.reference.humanoid_twin import GOALS, MUSCLES
from tests.reference.muscle_twin import MUSCLE, curves, indexed_numbers, muscle_numbers, poses
from unity2gltf.raw import RawHuman

pytestmark = pytest.mark.corpus

CHARACTERS = "mfthomps+CyberCIEGE-port-to-Unity3d"
FOLDERS = (
    *(CHARACTERS, "nicoco007+BeatSaberCustomAvatars", "keenan-smith+LethalCompanyCrewmatePlayerModel"),
    "griphone-harashima+3dx-CharacterCustomization",
)
MOMENTS = 6
"""A clip is looked at in the middle of so many equal parts."""


def humans(folder: Path) -> dict[str, RawHuman]:
    found = {}
    for root, source in objects_below(folder, "Avatar"):
        avatar = root.avatar(source)
        if avatar.human is not None:
            found[f"{source.input} {avatar.name}"] = avatar.human
    return found


def test_avatars_in_the_t_pose_are_where_unity_says(corpus: Path) -> None:
    checked = 0
    for folder in FOLDERS:
        for name, human in humans(corpus / folder).items():
            centre, frame = humanoid_twin.rest_body(human)
            assert math.dist(centre, human.root_position) < 1e-6 * human.scale, name
            assert humanoid_twin.angle_between(frame, human.root_rotation) < 1e-4, name
            checked += 1
    assert checked >= 9


def misses(human: RawHuman, moments: list[dict[str, float]]) -> dict[str, list[float]]:
    """Degrees and shares of the scale between the goals of a clip and those of the twin."""
    found: dict[str, list[float]] = {"degrees": [], "feet": [], "hands": []}
    for pose in moments:
        posed = humanoid_twin.posed(human, pose)
        for name in GOALS:
            position, rotation = humanoid_twin.read_place(pose, name)
            found["degrees"].append(humanoid_twin.angle_between(rotation, posed.goals[name][1]))
            found["feet" if "Foot" in name else "hands"].append(math.dist(position, posed.goals[name][0]))
    return found


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def test_goals_of_real_clips(corpus: Path) -> None:
    """Each clip was made for one of two avatars; which one, is not told, so the nearer one counts."""
    avatars = humans(corpus / CHARACTERS)
    assert len(avatars) == 2
    checked = 0
    for root, source in objects_below(corpus / CHARACTERS, "AnimationClip"):
        clip = root.clip(source)
        if sum(binding.custom_type == MUSCLE for binding in clip.bindings) < 100:
            continue
        numbers, value = muscle_numbers(clip), curves(clip)
        assert indexed_numbers(clip) == numbers
        for k, name in enumerate(MUSCLES):
            change = value(numbers[name], clip.start) - value(numbers[name], clip.stop)
            assert clip.muscles.delta[k] == pytest.approx(change, abs=1e-4)
        length = clip.stop - clip.start
        times = [clip.start + length * (k + 0.5) / MOMENTS for k in range(MOMENTS)]
        moments = poses(clip, times)
        found = min((misses(human, moments) for human in avatars.values()), key=lambda missed: mean(missed["degrees"]))
        assert mean(found["degrees"]) < 0.5 and max(found["degrees"]) < 0.8, clip.name
        assert mean(found["feet"]) < 0.004, clip.name
        assert mean(found["hands"]) < 0.05, clip.name
        checked += 1
    assert checked >= 11
