"""Avatars of hostile data: names that are no names, bones that are no bones, poses that are none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.builders.avatars import VRM, avatar, smile
from tests.builders.proof import proven, written
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Asset, Humanoid
from unity2gltf.normalize.vrm.asset import vrm_asset
from unity2gltf.options import Options

ODD = (
    "",
    ".",
    "...",
    "a/b~c",
    "\ud800",
    "\udc80.\udc80",
    "\x00\n\t",
    "\u202eA",
    "🙂",
    "a" * 5000,
    "__proto__",
    "aa",
    "AA",
)


def tried(asset: Asset, options: Options = VRM) -> tuple[Asset | None, list[str]]:
    diagnostics = Diagnostics()
    found = vrm_asset(asset, options, diagnostics)
    return found, [item.code.name for item in diagnostics.items]


def changed(**changes: Any) -> Asset:
    asset = avatar()
    return replace(asset, humanoids=(replace(asset.humanoids[0], **changes),))


def test_shapes_of_any_name_are_expressions_and_proven() -> None:
    found, told = tried(avatar(shapes=[smile(name) for name in (*ODD, *ODD)]))
    assert found is not None and told == [] and proven(found, "quick").passed
    expressions = written(found).json["extensions"]["VRMC_vrm"]["expressions"]
    assert list(expressions["preset"]) == ["aa"]
    assert len(expressions["custom"]) == 2 * len(ODD) - 1


def test_a_thousand_shapes_are_quick() -> None:
    found, _ = tried(avatar(shapes=[smile("Smirk") for _ in range(1000)]))
    assert found is not None and found.vrm is not None and len(found.vrm.expressions) == 1000


@pytest.mark.parametrize("name", ODD[4:])
def test_names_that_are_no_text_are_written_as_such(name: str) -> None:
    found, _ = tried(avatar(), replace(VRM, vrm_name=f"{name}x", vrm_authors=(f"x{name}",)))
    assert found is not None and proven(found, "quick").passed


@pytest.mark.parametrize(
    "bones",
    [
        {},
        {"": 0},
        {"Hips": 0},
        dict.fromkeys(avatar().humanoids[0].bones, 1),
        dict(zip(avatar().humanoids[0].bones, reversed(list(avatar().humanoids[0].bones.values())), strict=True)),
        {f"Bone{number}": number for number in range(20)},
    ],
)
def test_bones_that_make_no_body_make_no_avatar(bones: dict[str, int]) -> None:
    assert tried(changed(bones=bones)) == (None, ["VRM_BONE_MISSING"])


def test_the_rig_itself_may_be_the_hips() -> None:
    """Such avatars exist; the T-pose then moves the rig's own node."""
    human: Humanoid = avatar().humanoids[0]
    found, _ = tried(changed(rig=human.bones["Hips"]))
    assert found is not None and proven(found, "quick").passed


def test_scales_of_nothing_are_told_and_survived() -> None:
    asset = avatar()
    nodes = [replace(node, scale=(0.0, 0.0, 0.0)) if node.name == "Head" else node for node in asset.nodes]
    found, told = tried(replace(asset, nodes=tuple(nodes)))
    assert found is not None and told == ["VRM_SCALE"] and proven(found, "quick").passed


def test_a_t_pose_without_bones_is_the_pose_of_the_game() -> None:
    found, told = tried(changed(t_pose={}))
    assert found is not None and found.nodes == avatar().nodes and told == ["VRM_POSE"]
