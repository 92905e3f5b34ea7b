"""Which rig of its file gets a clip that nothing names: by its curves, and a humanoid one by its avatar."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from tests.builders.humans import Axes, stick
from tests.builders.raw import FakeRoot, source
from tests.unit.normalize.clips.splines import curve
from tests.unit.normalize.humanoid.sticks import body
from unity2gltf.batch.clips import ranked
from unity2gltf.batch.rigs import Candidate
from unity2gltf.ir import Curve
from unity2gltf.math3d import name_hash
from unity2gltf.normalize.clips.bindings import Rig
from unity2gltf.normalize.clips.decoded import TRANSFORM, DecodedClip, DecodedCurve
from unity2gltf.normalize.content import Library
from unity2gltf.normalize.humanoid.body import Body

STILL = curve((0.0, 0.0))


def clip(muscles: Mapping[str, Curve], paths: Sequence[str] = (), kind: str = "humanoid") -> DecodedClip:
    """Muscles, and the scales of objects."""
    return DecodedClip(
        name="Move",
        source=source(70, "AnimationClip"),
        kind=kind,
        duration=1.0,
        curves=tuple(
            DecodedCurve(
                path=path,
                path_hash=name_hash(path),
                type_id=TRANSFORM,
                attribute="scale",
                custom_type=0,
                curves=(STILL,) * 3,
            )
            for path in paths
        ),
        muscles=muscles,
    )


def rig(path_id: int, paths: Sequence[str] = (), human: Body | None = None) -> Candidate:
    by_hash = {name_hash(path): node for node, path in enumerate(("", *paths))}
    return Candidate(source(path_id, "GameObject"), f"Rig {path_id}", Rig(node=0, by_hash=by_hash), human)


def figure(path_id: int = 400, reach: float = 90.0) -> Body:
    """A right arm that is raised by so many degrees by a muscle of 1."""
    joints = stick()
    joints["RightUpperArm"] = replace(joints["RightUpperArm"], axes=Axes(maximum=(reach, reach, reach)))
    return replace(body(joints), source=source(path_id, "Avatar"))


def order(decoded: DecodedClip, rigs: Sequence[Candidate]) -> list[tuple[int, float]]:
    found = ranked(decoded, list(rigs), Library(FakeRoot()))
    return [(candidate.game_object.path_id, share) for share, candidate in found]


RAISE = {"Right Arm Down-Up": curve((0.0, 1.0)), "RootT.y": curve((0.0, 1.8)), "Spine Front-Back": STILL}


def test_muscles_are_played_by_humans_alone() -> None:
    assert order(clip(RAISE), [rig(1, ["A"]), rig(2, human=figure())]) == [(2, 1.0), (1, 0.0)]
    assert order(clip(RAISE), []) == []


def test_muscles_count_as_curves_beside_others() -> None:
    """Three muscles, and two objects of which one is there; a rig without a human has none of it."""
    decoded = clip(RAISE, ["Hat", "Stick"])
    found = order(decoded, [rig(1, ["Hat", "Stick"]), rig(2, ["Hat"], figure()), rig(3, ["Hat", "Stick"], figure(401))])
    assert found == [(3, 1.0), (2, pytest.approx(4 / 5)), (1, 0.0)]


def test_other_clips_do_not_ask_for_an_avatar() -> None:
    decoded = clip({}, ["Hat", "Stick"], "generic")
    assert order(decoded, [rig(1, ["Hat"], figure()), rig(2, ["Hat", "Stick"])]) == [(2, 1.0), (1, 0.5)]


def goals(hand: float) -> dict[str, Curve]:
    """All four, the right hand turned by so many degrees about z."""
    found: dict[str, Curve] = {}
    for name in ("LeftFoot", "RightFoot", "LeftHand", "RightHand"):
        half = math.radians(hand if name == "RightHand" else 0.0) / 2
        values = {
            "T.x": 0.0,
            "T.y": 0.0,
            "T.z": 0.0,
            "Q.x": 0.0,
            "Q.y": 0.0,
            "Q.z": math.sin(half),
            "Q.w": math.cos(half),
        }
        found |= {name + key: curve((0.0, value)) for key, value in values.items()}
    return found


@pytest.mark.parametrize(("hand", "first"), [(90.0, [1, 3, 2]), (45.0, [2, 1, 3]), (50.0, [2, 1, 3])])
def test_of_several_humans_the_one_that_fits_the_goals_comes_first(hand: float, first: list[int]) -> None:
    """Two of them share an avatar: those by path id."""
    rigs = [rig(3, human=figure()), rig(2, human=figure(401, 45.0)), rig(1, human=figure())]
    assert [path_id for path_id, _ in order(clip(RAISE | goals(hand)), rigs)] == first


def test_without_goals_path_ids_decide() -> None:
    rigs = [rig(2, human=figure()), rig(1, human=figure(401, 45.0))]
    assert [path_id for path_id, _ in order(clip(RAISE), rigs)] == [1, 2]


def test_what_a_rig_resolves_comes_before_how_well_it_fits() -> None:
    rigs = [rig(1, human=figure()), rig(2, ["Hat"], figure(401, 45.0))]
    found = order(clip(RAISE | goals(90.0), ["Hat"]), rigs)
    assert found[0] == (2, 1.0) and found[1][1] == pytest.approx(31 / 32)
