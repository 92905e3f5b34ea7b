"""The T-pose upright at the origin, wherever the prefab's rig stood."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.builders.avatars import BODY, VRM, avatar
from tests.builders.raw import source
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Asset, Node
from unity2gltf.normalize.vrm.asset import vrm_asset
from unity2gltf.normalize.vrm.pose import matrix_below

HALF = math.sqrt(0.5)
MOVED = Node(
    name="Figure", source=source(100, "GameObject"), translation=(3.0, 0.5, 1.0), rotation=(0.0, HALF, 0.0, HALF)
)
TURNED = Node(name="Model", source=source(101, "GameObject"), translation=(0.0, 1.0, 0.0), rotation=(HALF, 0, 0, HALF))


def standing(asset: Asset) -> tuple[Asset, list[str]]:
    diagnostics = Diagnostics()
    found = vrm_asset(asset, VRM, diagnostics)
    assert found is not None
    return found, [item.code.name for item in diagnostics.items]


def places(asset: Asset) -> np.ndarray:
    index = {node.name: number for number, node in enumerate(asset.nodes) if node.name in BODY}
    return np.array([matrix_below(asset.nodes, index[bone])[:3, 3] for bone in BODY])


@pytest.mark.parametrize("top", [None, MOVED])
@pytest.mark.parametrize("model", [None, TURNED])
def test_every_bone_stands_where_the_t_pose_has_it(top: Node | None, model: Node | None) -> None:
    found, told = standing(avatar(top=top, model=model))
    assert places(found) == pytest.approx(np.array([place for _, place in BODY.values()]), abs=1e-12)
    assert told == (["VRM_MOVED"] if top or model else [])
    rig = found.nodes[found.humanoids[0].rig]
    assert rig.name == ("Figure" if model is None else "Model")


def test_a_rig_at_the_root_stands_there_exactly() -> None:
    found, _ = standing(avatar(top=MOVED))
    assert found.nodes[0].translation == (0.0, 0.0, 0.0) and found.nodes[0].rotation == (0.0, 0.0, 0.0, 1.0)


def test_what_stands_beside_the_rig_moves_with_it() -> None:
    hat = Node(name="Hat", source=source(500, "GameObject"), parent=0, translation=(0.0, 2.0, 0.0))
    before = avatar(top=MOVED, model=TURNED)
    before = replace(before, nodes=(*before.nodes, hat))
    found, _ = standing(before)
    last = len(found.nodes) - 1
    rig = found.humanoids[0].rig

    def seen(asset: Asset) -> np.ndarray:
        return np.linalg.inv(matrix_below(asset.nodes, rig)) @ matrix_below(asset.nodes, last)

    assert seen(found) == pytest.approx(seen(before), abs=1e-12)


def test_the_skinned_mesh_stays_at_the_scene_root() -> None:
    found, _ = standing(avatar(top=MOVED))
    body = found.nodes[-1]
    assert body.skin == 0 and body.translation == (0.0, 0.0, 0.0) and body.rotation == (0.0, 0.0, 0.0, 1.0)


def test_scale_stays_and_an_uneven_one_is_told() -> None:
    tall = Node(name="Figure", source=source(100, "GameObject"), scale=(2.0, 2.0, 2.0))
    found, told = standing(avatar(top=tall))
    assert found.nodes[0].scale == (2.0, 2.0, 2.0) and told == []
    wide = Node(name="Figure", source=source(100, "GameObject"), scale=(2.0, 1.0, 2.0))
    assert standing(avatar(top=wide))[1] == ["VRM_SCALE"]


def odd(asset: Asset, **turned: tuple[float, float, float, float]) -> Asset:
    """The avatar's T-pose with some bones turned."""
    humanoid = asset.humanoids[0]
    poses = dict(humanoid.t_pose)
    for bone, rotation in turned.items():
        poses[humanoid.bones[bone]] = (poses[humanoid.bones[bone]][0], rotation)
    return replace(asset, humanoids=(replace(humanoid, t_pose=poses),))


@pytest.mark.parametrize(
    ("turned", "words"),
    [
        ({"LeftUpperArm": (0.0, 0.0, HALF, HALF)}, "its arms are 90 and 0 degrees off level"),
        ({"RightUpperArm": (0.0, math.sin(0.25), 0.0, math.cos(0.25))}, "its arms are 0 and 29 degrees off level"),
        ({"Hips": (0.0, 0.0, 1.0, 0.0)}, "its head, hips and feet are not above each other"),
        ({"Hips": (0.0, 1.0, 0.0, 0.0)}, "its arms are 180 and 180 degrees off level"),
    ],
)
def test_a_t_pose_that_is_none_is_told(turned: dict[str, tuple[float, float, float, float]], words: str) -> None:
    diagnostics = Diagnostics()
    assert vrm_asset(odd(avatar(), **turned), VRM, diagnostics) is not None
    (told,) = diagnostics.items
    assert told.code.name == "VRM_POSE" and words in told.message


def test_arms_may_be_a_little_off() -> None:
    assert standing(odd(avatar(), LeftUpperArm=(0.0, 0.0, math.sin(0.15), math.cos(0.15))))[1] == []


def test_the_prefab_itself_is_not_changed() -> None:
    asset = avatar(top=MOVED)
    before = asset.nodes
    standing(asset)
    assert asset.nodes is before and asset.nodes[0].translation == (3.0, 0.5, 1.0) and asset.kind == "prefab"
