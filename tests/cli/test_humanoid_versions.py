"""The humanoid of the sample through whole runs, in Unity versions from 4.0 to 6000: baked, measured and proven."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from unity2gltf import Options, convert
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.evaluate.gltf.pose import GltfPoser
from unity2gltf.evaluate.gltf.samplers import GltfPlayer
from unity2gltf.pipeline import AssetResult
from unity2gltf.sample import FileBuilder, Hierarchy
from unity2gltf.sample.figure import add_bones
from unity2gltf.sample.game import ResourceFile
from unity2gltf.sample.human import RIG, build_human
from unity2gltf.sample.humanoid import BODY, HAT_OBJECT, add_avatar, add_humanoid, add_moves
from unity2gltf.sample.materials import Shelf
from unity2gltf.sample.values import ANIMATOR, pptr

Array = NDArray[np.float64]

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
    folder.parent.mkdir(exist_ok=True)
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
    asset = walked(tmp_path, root_motion)
    told = told_of(asset)
    assert told.keys() == {"Reach", "Stroll"} and {item["root_motion"] for item in told.values()} == {root_motion}
    moved = 4 if root_motion == "split" else 0  # translation and rotation of the Animator's node, twice
    assert asset.stats["channels"] == CHANNELS + moved


def walked(folder: Path, root_motion: str) -> AssetResult:
    write_humanoid(folder / "game")
    report = convert(folder / "game", folder / "out", Options(verify="full", root_motion=root_motion))
    (asset,) = (asset for asset in report.assets if asset.kind == "prefab")
    assert asset.status != "failed" and asset.roundtrip is not None and asset.roundtrip["passed"]
    return asset


def stroll(folder: Path, root_motion: str) -> tuple[Array, Array]:
    """World matrices (5, 4, 4) of the Animator's node and of the hips over the clip, as the written file plays it."""
    asset = walked(folder, root_motion)
    gltf = read_gltf(folder / "out" / str(asset.output))
    player, poser = GltfPlayer(gltf), GltfPoser(gltf)
    clip = [item["name"] for item in gltf.items("animations")].index("Stroll")
    names = [node.get("name") for node in gltf.items("nodes")]
    worlds = [poser.world(player.pose(clip, time)[0]) for time in np.linspace(0.0, 1.0, 5)]
    return tuple(np.array([world[names.index(name)] for world in worlds]) for name in ("Humanoid", "Hips"))  # type: ignore[return-value]


def test_split_motion_puts_the_hips_where_kept_motion_has_them(tmp_path: Path) -> None:
    """But for where the whole begins: the game puts the character's object below its body. 1.25 units ahead, and 30
    degrees to the side; what is stripped of that is all that stripping takes away."""
    still, kept = stroll(tmp_path / "keep", "keep")
    moved, split = stroll(tmp_path / "split", "split")
    same, stripped = stroll(tmp_path / "strip", "strip")
    begin = split @ np.linalg.inv(kept)
    assert np.abs(begin - begin[0]).max() < 1e-5
    assert np.abs(still - still[0]).max() == np.abs(same - same[0]).max() == 0.0
    assert np.abs(moved @ np.linalg.solve(still, stripped) - split).max() < 1e-5
    assert np.linalg.norm(moved[-1, :3, 3] - moved[0, :3, 3]) > 1.0
    turn = np.linalg.solve(moved[0], moved[-1])
    assert np.degrees(np.arccos((np.trace(turn[:3, :3]) - 1) / 2)) == pytest.approx(30, abs=0.05)
    assert np.abs(stripped[0, [0, 2], 3]).max() < 0.15, "the hips are above the object"
