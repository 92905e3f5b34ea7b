"""Humanoids keep to their nodes when these get other numbers."""

from __future__ import annotations

from tests.builders.avatars import avatar
from unity2gltf.normalize.build.finish import moved_humanoids


def test_bones_follow_their_nodes_and_those_of_nodes_that_are_left_out_go() -> None:
    asset = avatar()
    before = asset.humanoids[0]
    gone = before.bones["LeftHand"]
    kept = [index for index in range(len(asset.nodes)) if index != gone]
    renumber = {old: new for new, old in enumerate(reversed(kept))}
    (after,) = moved_humanoids(asset.humanoids, renumber)
    assert after.rig == renumber[before.rig]
    assert after.bones == {bone: renumber[node] for bone, node in before.bones.items() if bone != "LeftHand"}
    assert after.t_pose == {renumber[node]: pose for node, pose in before.t_pose.items() if node != gone}
    assert after.limits == before.limits and after.avatar == before.avatar


def test_a_humanoid_goes_with_its_rig() -> None:
    asset = avatar()
    renumber = {node: number for number, node in enumerate(range(1, len(asset.nodes)))}
    assert list(moved_humanoids(asset.humanoids, renumber)) == []
