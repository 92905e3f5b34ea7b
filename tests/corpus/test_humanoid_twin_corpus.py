"""The slow twin of humanoid clips against real ones: what Unity stored of its avatars and clips is what comes out."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpus.objects import objects_below
from tests.reference import clip_twin, humanoid_twin
from tests.reference.humanoid_twin import ATTRIBUTES, GOALS, MUSCLES
from unity2gltf.raw import RawClip, RawHuman

pytestmark = pytest.mark.corpus

MUSCLE, ANIMATOR = 8, 95
FIRST_MUSCLE = ATTRIBUTES.index(MUSCLES[0])
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


def curves(clip: RawClip) -> Callable[[int, float], float]:
    """Value of a compiled curve by number and time."""
    assert clip.compiled is not None
    compiled = clip.compiled
    streamed = clip_twin.streamed(compiled.streamed.tolist(), compiled.streamed_count)
    dense, constants = compiled.dense.tolist(), compiled.constants.tolist()
    width = compiled.dense.shape[1]

    def value(number: int, time: float) -> float:
        if number < compiled.streamed_count:
            return clip_twin.value_of(streamed[number], time)
        column = number - compiled.streamed_count
        if column < width:
            return clip_twin.dense_value(dense, column, compiled.dense_rate, compiled.dense_begin, time)
        return float(constants[column - width])

    return value


def muscle_curves(clip: RawClip) -> dict[str, int]:
    """Name and number of each muscle curve, from the bindings."""
    numbers = clip_twin.binding_numbers([(b.type_id, b.attribute) for b in clip.bindings])
    return {
        ATTRIBUTES[binding.attribute]: own[0]
        for binding, own in zip(clip.bindings, numbers, strict=True)
        if (binding.type_id, binding.custom_type, binding.path) == (ANIMATOR, MUSCLE, 0)
    }


def test_avatars_in_the_t_pose_are_where_unity_says(corpus: Path) -> None:
    checked = 0
    for folder in FOLDERS:
        for name, human in humans(corpus / folder).items():
            centre, frame = humanoid_twin.rest_body(human)
            assert math.dist(centre, human.root_position) < 1e-6 * human.scale, name
            assert humanoid_twin.angle_between(frame, human.root_rotation) < 1e-4, name
            checked += 1
    assert checked >= 9


def misses(human: RawHuman, poses: list[dict[str, float]]) -> dict[str, list[float]]:
    """Degrees and shares of the scale between the goals of a clip and those of the twin."""
    found: dict[str, list[float]] = {"degrees": [], "feet": [], "hands": []}
    for pose in poses:
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
        numbers, value = muscle_curves(clip), curves(clip)
        for name, number in numbers.items():
            assert clip.muscles.index_array[ATTRIBUTES.index(name)] == number
            k = ATTRIBUTES.index(name) - FIRST_MUSCLE
            if 0 <= k < len(MUSCLES):
                change = value(number, clip.start) - value(number, clip.stop)
                assert clip.muscles.delta[k] == pytest.approx(change, abs=1e-4)
        length = clip.stop - clip.start
        times = [clip.start + length * (k + 0.5) / MOMENTS for k in range(MOMENTS)]
        poses = [{name: value(number, time) for name, number in numbers.items()} for time in times]
        found = min((misses(human, poses) for human in avatars.values()), key=lambda missed: mean(missed["degrees"]))
        assert mean(found["degrees"]) < 0.5 and max(found["degrees"]) < 0.8, clip.name
        assert mean(found["feet"]) < 0.004, clip.name
        assert mean(found["hands"]) < 0.05, clip.name
        checked += 1
    assert checked >= 11
