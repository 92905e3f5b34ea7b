"""Every humanoid clip of the corpus: baked on the avatar it fits, and held against what the clip says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from unity2gltf.batch.inputs import open_inputs
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.clips.decoded import DecodedClip
from unity2gltf.normalize.content import Library
from unity2gltf.normalize.humanoid import goals
from unity2gltf.normalize.humanoid.bake import Baked, MuscleClip, bake
from unity2gltf.normalize.humanoid.body import Body
from unity2gltf.normalize.humanoid.frame import Frame

pytestmark = pytest.mark.corpus

CLIPS, WITH_AVATAR = 20, 11


@cache
def humanoid_clips(corpus: Path) -> list[tuple[DecodedClip, Body | None]]:
    """Each with the avatar of its game that fits it best."""
    return list(_humanoid_clips(corpus))


def _humanoid_clips(corpus: Path) -> Iterator[tuple[DecodedClip, Body | None]]:
    for game in open_inputs([corpus]):
        for root in game.roots:
            library = Library(root)
            for source in root.objects("AnimationClip"):
                decoded = library.clip(source, Diagnostics())
                if decoded is not None and decoded.kind == "humanoid":
                    yield decoded, min(library.bodies(), key=lambda body: library.misfit(body, decoded), default=None)
            root.close()


@cache
def baked_clips(corpus: Path, root_motion: str) -> list[tuple[DecodedClip, Body, Baked]]:
    return [
        (decoded, body, bake(body, MuscleClip.of(decoded), dict.fromkeys(body.nodes, Frame.still()), root_motion))
        for decoded, body in humanoid_clips(corpus)
        if body is not None
    ]


def test_all_are_there(corpus: Path) -> None:
    found = humanoid_clips(corpus)
    assert len(found) == CLIPS
    assert sum(body is not None for _, body in found) == WITH_AVATAR
    assert all(goals.has_goals(decoded.muscles) and not decoded.lost_muscles for decoded, _ in found)


def test_numbers_name_the_right_muscles(corpus: Path) -> None:
    for decoded, _ in humanoid_clips(corpus):
        found = goals.numbering_residual(decoded.muscles, decoded.humanoid, decoded.duration)
        assert found is not None and found < goals.NUMBERING, decoded.name


def test_goals_are_met_on_own_avatars(corpus: Path) -> None:
    means = []
    for decoded, body, baked in baked_clips(corpus, "keep"):
        measured = goals.clip_residual(body, decoded.muscles, baked.keys)
        assert goals.goals_met(measured, body), decoded.name
        means.append(measured.degrees.mean())
    assert len(means) == WITH_AVATAR and np.mean(means) < 0.25


def test_goals_are_missed_on_the_other_avatar(corpus: Path) -> None:
    """The gates tell avatars apart: none passes on another than its own."""
    clips = baked_clips(corpus, "keep")
    bodies = {body.name: body for _, body, _ in clips}
    assert len(bodies) == 2
    for decoded, body, baked in clips:
        (other,) = (other for name, other in bodies.items() if name != body.name)
        assert not goals.rotations_met(goals.clip_residual(other, decoded.muscles, baked.keys)), decoded.name


def test_between_keys(corpus: Path) -> None:
    """Cubics stay with the muscles where straight lines would be 0.3 degrees off on average."""
    for decoded, body, baked in baked_clips(corpus, "keep"):
        moved = list(baked.bones.values())
        assert np.degrees(np.mean([part.mean_error for part in moved])) < 0.015, decoded.name
        assert np.degrees(max(part.error for part in moved)) < 0.1, decoded.name
        assert baked.hips is not None and baked.hips.error < 5e-4 * body.scale


def test_root_motion_turns_as_the_clip_says(corpus: Path) -> None:
    """m_AverageAngularSpeed is Unity's: radians a second about Y, 0 where turns are baked into the pose."""
    turning = 0
    for decoded, _, baked in baked_clips(corpus, "split"):
        assert baked.object_rotation is not None
        _, y, _, w = (curve.coefficients[-1, 3] for curve in baked.object_rotation.curves)
        expected = decoded.extras["m_AverageAngularSpeed"]
        assert 2 * np.arctan2(y, w) / decoded.duration == pytest.approx(expected, abs=2e-7), decoded.name
        turning += expected != 0
    assert turning == 2
