"""Player folders and bundles: every object reads back, every reference leads somewhere, bytes are always the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import UnityPy

from tests.unit.sample.readback import assert_reads_back
from unity2gltf.sample import DEFAULT_VERSIONS, FileBuilder, Hierarchy, unityfs, write_player, write_sample
from unity2gltf.sample.figure import add_assets, add_figure
from unity2gltf.sample.game import FIGURE_CAB, ResourceFile, figure_bundle, scene_file, settings_file
from unity2gltf.sample.materials import Shelf
from unity2gltf.sample.row import add_row
from unity2gltf.sample.turntable import add_turntable
from unity2gltf.sample.values import ANIMATOR, MESH, SKINNED_MESH_RENDERER

ALL_VERSIONS = ("2018.4.30f1", "2019.4.40f1", "2020.3.48f1", "2021.3.30f1", "2022.3.20f1", "6000.0.30f1", "6000.2.5f1")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    written = write_sample(folder)
    assert len(written) == 8 * len(DEFAULT_VERSIONS)
    assert all(path.stat().st_size > 100 for path in written)
    return folder


@pytest.mark.parametrize("type_trees", [False, True])
@pytest.mark.parametrize("version", ALL_VERSIONS)
def test_every_object_reads_back(version: str, type_trees: bool) -> None:
    shared, resources = FileBuilder(version, type_trees), ResourceFile("sharedassets0.assets.resS")
    shelf = Shelf(shared, resources.put)
    assets, turntable, row = add_assets(shelf), add_turntable(shared), add_row(shelf, broken=True)
    settings, scene = settings_file(version, type_trees), scene_file(version, assets, turntable, row, type_trees)
    assert assert_reads_back(shared.to_bytes(), shared, version) == 40
    assert assert_reads_back(settings.to_bytes(), settings, version) == 3
    assert assert_reads_back(scene.to_bytes(), scene, version) == 117


def test_references_lead_somewhere(sample: Path) -> None:
    for version in DEFAULT_VERSIONS:
        environment = UnityPy.load(*map(str, sorted((sample / version / "Game_Data").iterdir())))
        files = {Path(name).name: file for name, file in environment.files.items()}
        seen = 0
        for reader in files["level0"].objects.values():
            for file_id, path_id in references(reader.parse_as_dict()):
                home = files["level0"] if file_id == 0 else files[files["level0"].externals[file_id - 1].path]
                assert path_id in home.objects
                seen += 1
        assert seen == 262


def references(value: Any) -> Iterator[tuple[int, int]]:
    """All references of an object that are not null."""
    if isinstance(value, dict):
        if value.keys() == {"m_FileID", "m_PathID"}:
            if value["m_PathID"]:
                yield value["m_FileID"], value["m_PathID"]
        else:
            for part in value.values():
                yield from references(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from references(part)


def test_streamed_data_lies_in_the_resource_file(sample: Path) -> None:
    folder = sample / DEFAULT_VERSIONS[1] / "Game_Data"
    size = (folder / "sharedassets0.assets.resS").stat().st_size
    streamed = {}
    for reader in UnityPy.load(str(folder / "sharedassets0.assets")).objects:
        value = reader.parse_as_dict()
        stream = value.get("m_StreamData", {"size": 0})
        if stream["size"]:
            assert stream["path"] == "sharedassets0.assets.resS"
            assert stream["offset"] + stream["size"] <= size
            streamed[value["m_Name"]] = stream["size"]
    assert streamed.pop("Pedestal") > 0
    rgba, dxt5 = 32 * 32 * 4, 64 * 64
    assert streamed == {
        "Checker": 64 * 64 * 4,
        "DentsNormal": dxt5,
        **dict.fromkeys(("BrassMetallicSmoothness", "BrassOcclusion", "EnamelMask"), rgba),
        **dict.fromkeys(("GlowLines", "Leaf", "Stripes", "Facets", "Sparkle"), rgba),
    }


def test_bundle_lists_its_prefabs(sample: Path) -> None:
    for version in DEFAULT_VERSIONS:
        environment = UnityPy.load(str(sample / version / "bundle" / "figure.bundle"))
        names = {path: pointer.read().m_Name for path, pointer in environment.container.items()}
        assert names == {
            "assets/prefabs/figure.prefab": "Figure",
            "assets/prefabs/figure optimised.prefab": "FigureOptimised",
        }
        props = UnityPy.load(str(sample / version / "bundle" / "props.bundle"))
        assert list(props.container) == ["assets/prefabs/pedestal.prefab"]
        humanoid = UnityPy.load(str(sample / version / "bundle" / "humanoid.bundle"))
        assert list(humanoid.container) == ["assets/prefabs/humanoid.prefab"]


def test_unitypy_decodes_the_texture(sample: Path) -> None:
    for reader in UnityPy.load(str(sample / DEFAULT_VERSIONS[0] / "bundle" / "figure.bundle")).objects:
        if reader.type.name == "Texture2D":
            image = np.asarray(reader.read().image)
            assert image.shape == (64, 64, 4)
            assert image[0, 63, 0] > image[63, 63, 0], "the gradient brightens upwards"
            break
    else:
        pytest.fail("the bundle holds no texture")


def test_bone_hashes_resolve_through_the_avatar(sample: Path) -> None:
    objects = list(UnityPy.load(str(sample / DEFAULT_VERSIONS[2] / "Game_Data" / "sharedassets0.assets")).objects)
    (avatar,) = (o.parse_as_dict() for o in objects if o.type.name == "Avatar")
    (body,) = (m for o in objects if o.type.name == "Mesh" and (m := o.parse_as_dict())["m_Name"] == "Figure")
    paths = dict(avatar["m_TOS"])
    assert [paths[hash_] for hash_ in body["m_BoneNameHashes"]][:2] == ["Hips", "Hips/Spine"]
    assert len(body["m_BoneNameHashes"]) == len(body["m_BindPose"]) == 20
    skeleton = avatar["m_Avatar"]["m_AvatarSkeleton"]["data"]
    for node, hash_ in zip(skeleton["m_Node"][1:], skeleton["m_ID"][1:], strict=True):
        parent = paths[skeleton["m_ID"][node["m_ParentId"]]]
        assert paths[hash_].rpartition("/")[0] == parent


def test_optimised_figure_has_no_bones() -> None:
    file = FileBuilder("2022.3.20f1")
    tree = Hierarchy(file)
    add_figure(tree, add_assets(Shelf(file, ResourceFile("r").put)), optimised=True)
    values = {written.class_id: written.value for written in file.objects.values()}
    assert values[SKINNED_MESH_RENDERER]["m_Bones"] == []
    assert not values[ANIMATOR]["m_HasTransformHierarchy"]
    assert [item.name for item in tree.items] == ["FigureOptimised", "Head", "Hat", "Body"]


def test_variable_weights_only_where_unity_has_them() -> None:
    for version, expected in (("2018.4.30f1", False), ("2019.4.40f1", True)):
        file = FileBuilder(version)
        assets = add_assets(Shelf(file, ResourceFile("r").put))
        assert ("m_VariableBoneCountWeights" in file.objects[assets.body].value) is expected
        assert file.objects[assets.body].class_id == MESH


def test_settings_say_unlimited() -> None:
    for version, key, best in (("2018.4.30f1", "blendWeights", 4), ("2022.3.20f1", "skinWeights", 255)):
        quality = settings_file(version).objects[2].value
        assert [level[key] for level in quality["m_QualitySettings"]] == [2, best]
    assert settings_file("2022.3.20f1").objects[3].value["scenes"] == ["Assets/Scenes/Studio.unity"]


def test_same_bytes_in_another_process(tmp_path: Path) -> None:
    here = write_sample(tmp_path / "a", ["2022.3.20f1"])
    code = (
        "import sys, pathlib; from unity2gltf.sample import write_sample;"
        "write_sample(pathlib.Path(sys.argv[1]), ['2022.3.20f1'])"
    )
    seed = {"PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "b")], check=True, env=os.environ | seed)
    for path in here:
        twin = tmp_path / "b" / path.relative_to(tmp_path / "a")
        assert path.read_bytes() == twin.read_bytes(), path.name


def test_player_with_type_trees_and_bundle_without(tmp_path: Path) -> None:
    (level, *_) = (p for p in write_player(tmp_path, "2022.3.20f1", type_trees=True) if p.name == "level0")
    (asset,) = UnityPy.load(str(level)).assets
    assert all(kind.node is not None for kind in asset.types)
    data, resources = figure_bundle("2022.3.20f1", type_trees=False)
    bundle = UnityPy.load(unityfs({FIGURE_CAB: data, FIGURE_CAB + ".resS": resources}, "2022.3.20f1"))
    assert all(kind.node is None for asset in bundle.assets for kind in asset.types)
    assert len(bundle.container) == 2
