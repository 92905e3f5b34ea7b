"""The humanoid of the sample through whole runs, in Unity versions from 4.0 to 6000: baked, measured and proven."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unity2gltf import Options, convert
from unity2gltf.pipeline import AssetResult
from unity2gltf.sample import FileBuilder, Hierarchy
from unity2gltf.sample.figure import add_bones
from unity2gltf.sample.game import ResourceFile
from unity2gltf.sample.human import RIG, build_human
from unity2gltf.sample.humanoid import BODY, HAT_OBJECT, add_avatar, add_humanoid, add_moves
from unity2gltf.sample.materials import Shelf
from unity2gltf.sample.values import ANIMATOR, pptr

VERSIONS = (
    *("4.0.1f2", "4.3.4f1", "4.6.9f1", "5.2.5f1", "5.4.6f3", "5.6.7f1", "2017.4.40f1", "2019.4.40f1", "2021.3.30f1"),
    *("2022.3.20f1", "6000.0.30f1"),
)
CHANNELS = 41
"""Of both clips, with all motion on the hips."""


def write_rig(folder: Path, version: str) -> None:
    """The humanoid's bones, Animator and clips in one file, and nothing to draw: meshes of old versions are others."""
    file, skeleton = FileBuilder(version), build_human()
    tree = Hierarchy(file)
    root = tree.add("Humanoid")
    moving = {"m_Avatar": pptr(add_avatar(file)), "m_Controller": pptr(add_moves(file))}
    tree.component(root, ANIMATOR, moving | {"?m_HasTransformHierarchy": True})
    rig = tree.add(RIG.name, root, position=RIG.position, rotation=RIG.rotation, scale=(RIG.scale,) * 3)
    bones = add_bones(tree, rig, skeleton)
    tree.add(HAT_OBJECT, bones[skeleton.names.index("Head")])
    tree.add(BODY, root)
    tree.write()
    folder.mkdir()
    (folder / "humanoid.assets").write_bytes(file.to_bytes())


def write_humanoid(folder: Path) -> None:
    resources, file = ResourceFile("humanoid.assets.resS"), FileBuilder("2022.3.20f1")
    tree = Hierarchy(file)
    add_humanoid(tree, Shelf(file, resources.put))
    tree.write()
    folder.mkdir()
    (folder / "humanoid.assets").write_bytes(file.to_bytes())
    (folder / "humanoid.assets.resS").write_bytes(bytes(resources.data))


def told_of(asset: AssetResult) -> dict[str, dict[str, Any]]:
    """What CLIP_BAKED says of each clip, by its name."""
    return {
        diagnostic.where.split('"')[1]: diagnostic.data["humanoid"]
        for diagnostic in asset.diagnostics
        if diagnostic.code.name == "CLIP_BAKED"
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_clips_of_any_version_meet_their_goals(version: str, tmp_path: Path) -> None:
    write_rig(tmp_path / "game", version)
    report = convert(tmp_path / "game", tmp_path / "out", Options(verify="full", clips="library"))
    assets = {asset.name: asset for asset in report.assets}
    assert assets.keys() == {"Reach", "Stroll"}
    for asset in assets.values():
        assert asset.status != "failed" and asset.roundtrip is not None and asset.roundtrip["passed"]
    reach = told_of(assets["Reach"])["Reach"]
    assert reach["passed"] and reach["numbering"] < 1e-6
    assert reach["goals"]["rotation_deg"]["mean"] < 0.1
    assert reach["goals"]["feet_mm"]["mean"] < 1.0 and reach["goals"]["hands_mm"]["mean"] < 1.0
    assert (reach["avatar"], reach["chosen_by"]) == ("HumanoidAvatar", "animator")


@pytest.mark.parametrize("root_motion", ["keep", "split", "strip"])
def test_root_motion(root_motion: str, tmp_path: Path) -> None:
    write_humanoid(tmp_path / "game")
    report = convert(tmp_path / "game", tmp_path / "out", Options(verify="full", root_motion=root_motion))
    (asset,) = (asset for asset in report.assets if asset.kind == "prefab")
    assert asset.status != "failed" and asset.roundtrip is not None and asset.roundtrip["passed"]
    told = told_of(asset)
    assert told.keys() == {"Reach", "Stroll"} and {item["root_motion"] for item in told.values()} == {root_motion}
    moved = 4 if root_motion == "split" else 0  # translation and rotation of the Animator's node, twice
    assert asset.stats["channels"] == CHANNELS + moved
