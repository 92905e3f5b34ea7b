"""Which prefabs become avatars, and what is said of those that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.builders.avatars import VRM, avatar, smile
from tests.builders.proof import proven
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Asset
from unity2gltf.normalize.vrm.asset import vrm_asset


def tried(asset: Asset) -> tuple[Asset | None, list[str]]:
    diagnostics = Diagnostics()
    found = vrm_asset(asset, VRM, diagnostics)
    return found, [f"{item.code.name}: {item.message}" for item in diagnostics.items]


def test_an_avatar_is_proven_like_any_file() -> None:
    found, told = tried(avatar(shapes=[smile("Joy", 0.5, 1.0), smile("A"), smile("Smirk")]))
    assert found is not None and told == []
    assert found.kind == "vrm" and found.clips == () and found.vrm is not None
    assert (found.vrm.name, found.vrm.authors) == ("Figure", ("Ada",))
    result = proven(found)
    assert result.passed and result.max_error_m < 1e-6


def test_the_prefab_without_a_humanoid_is_no_news() -> None:
    assert tried(replace(avatar(), humanoids=())) == (None, [])


def test_two_rigs_are_one_too_many() -> None:
    asset = avatar()
    found, told = tried(replace(asset, humanoids=asset.humanoids * 2))
    assert found is None and told == ["VRM_AMBIGUOUS: the prefab has 2 humanoid rigs: Figure, Figure"]


def test_a_required_bone_that_is_missing_is_named() -> None:
    found, told = tried(avatar(without=["LeftHand", "Head"]))
    assert found is None
    text = "VRM_BONE_MISSING: avatar 'FigureAvatar' lacks bones that a VRM needs: head, leftHand"
    assert told == [text]


def test_bones_that_are_left_out_are_told() -> None:
    asset = avatar()
    humanoid = asset.humanoids[0]
    bones = {**humanoid.bones, "LeftToes": humanoid.bones["RightFoot"]}
    found, told = tried(replace(asset, humanoids=(replace(humanoid, bones=bones),)))
    assert found is not None and told[0].startswith("VRM_BONE_LEFT_OUT: 1 human bone")


@pytest.mark.parametrize(("given", "name"), [("{name}", "Figure"), ("Hero {name}!", "Hero Figure!"), ("{x}", "{x}")])
def test_the_name_may_hold_that_of_the_prefab(given: str, name: str) -> None:
    found = vrm_asset(avatar(), replace(VRM, vrm_name=given), Diagnostics())
    assert found is not None and found.vrm is not None and found.vrm.name == name
