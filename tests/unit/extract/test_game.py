"""Games built by formula, read back: every container, version and byte order."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import brotli
import numpy as np
import pytest

from tests.builders.games import big_endian_file, gzip_twice, old_bundle, plain_file, web_data
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.errors import InputError, UsageError
from unity2gltf.extract.game import Game, open_game
from unity2gltf.extract.graph import prefab_roots, read_prefab, read_scene, scene_path
from unity2gltf.sample.bundle import COMPRESSIONS, unityfs
from unity2gltf.sample.game import figure_bundle, write_bundles, write_player
from unity2gltf.source import Missing, Source

VERSIONS = ("2018.4.36f1", "2019.4.40f1", "2022.3.40f1", "6000.2.2f1")


def names_of(game: Game) -> list[tuple[str, str]]:
    return [(file.input, file.name) for root in game.roots for file in root.files]


@pytest.mark.parametrize("version", VERSIONS)
def test_player_folder(tmp_path: Path, version: str) -> None:
    write_player(tmp_path / "Game_Data", version)
    game = open_game(tmp_path)
    (root,) = game.roots
    assert root.path == "Game_Data"
    level = next(file for file in root.files if file.name == "level0")
    assert [file.is_scene for file in root.files] == [False, True, False]
    assert scene_path(root, level) == "Assets/Scenes/Studio.unity"
    hierarchy = read_scene(root, level)
    tops = [node.name for node in hierarchy.nodes if node.parent < 0]
    assert tops == ["Figure", "Pedestal", "Spare", "Materials", "Sun", "Lamp", "Spot", "Main Camera"]
    assert all(node.parent < number for number, node in enumerate(hierarchy.nodes))
    assert len(hierarchy.nodes) == len(level.objects["GameObject"])
    skinned = next(node.renderer for node in hierarchy.nodes if node.renderer and node.renderer.skinned)
    assert isinstance(skinned.mesh, Source) and skinned.mesh.file == "sharedassets0.assets"
    mesh = root.mesh(skinned.mesh)
    assert len(mesh.vertex_data) > 0 and len(mesh.bind_poses) == len(skinned.bones)
    assert isinstance(skinned.materials[0], Source)
    assert root.material(skinned.materials[0]).shader == "Standard"
    assert root.settings.skin_weights == (("Low", 2), ("High", 4 if version < "2019" else 255))
    assert root.settings.clamp_blend_shapes is False
    textures = {root.name(source): root.texture(source) for source in root.objects("Texture2D")}
    assert len(textures) > 5 and all(len(texture.data) > 0 for texture in textures.values())
    assert game.diagnostics.items == []
    assert {item.path: item.reason for item in game.inputs if item.status == "skipped"} == {
        "Game_Data/sharedassets0.assets.resS": "resource data of sharedassets0.assets"
    }
    assert all(len(item.sha256) == 64 for item in game.inputs)


@pytest.mark.parametrize("version", VERSIONS)
def test_bundles(tmp_path: Path, version: str) -> None:
    write_bundles(tmp_path, version)
    game = open_game(tmp_path)
    (root,) = game.roots
    figures, garden, humanoid, props = root.files
    names = ["figure.bundle", "garden.bundle", "humanoid.bundle", "props.bundle"]
    assert [file.input for file in root.files] == names
    assert sorted(figures.container.values()) == [
        "assets/prefabs/figure optimised.prefab",
        "assets/prefabs/figure.prefab",
    ]
    whole, optimised = (read_prefab(root, source) for source in prefab_roots(root, figures))
    animators = [node.animator for hierarchy in (whole, optimised) for node in hierarchy.nodes if node.animator]
    assert [animator.has_transform_hierarchy for animator in animators] == [True, False]
    assert isinstance(animators[1].avatar, Source)
    avatar = root.avatar(animators[1].avatar)
    assert len(avatar.parents) == len(avatar.ids) == len(avatar.positions) > 1
    for hash_, path in avatar.tos.items():
        assert path in root.names.lookup(hash_)
    assert game.diagnostics.items == []
    root.close()
    assert [file.name for file in root.files] == [figures.name, garden.name, humanoid.name, props.name]


@pytest.mark.parametrize("compression", sorted(COMPRESSIONS))
def test_compressions(tmp_path: Path, compression: str) -> None:
    file, data = figure_bundle("2022.3.40f1")
    (tmp_path / "a").write_bytes(unityfs({"CAB-1": file, "CAB-1.resS": data}, "2022.3.40f1", compression))
    (root,) = open_game(tmp_path / "a").roots
    assert len(root.files[0].objects["Mesh"]) > 0


@pytest.mark.parametrize("signature", ["UnityRaw", "UnityWeb"])
def test_old_bundles(tmp_path: Path, signature: str) -> None:
    (tmp_path / "a.unity3d").write_bytes(old_bundle(signature, {"CustomAssetBundle": plain_file("4.7.2f1")}))
    game = open_game(tmp_path)
    assert names_of(game) == [("a.unity3d", "CustomAssetBundle")]
    assert game.diagnostics.items == []


@pytest.mark.parametrize("version", ["4.7.2f1", "5.0.4f1", "5.6.7f1", "2019.4.40f1", "2022.3.40f1"])
@pytest.mark.parametrize("type_trees", [True, False])
def test_both_byte_orders_give_the_same(tmp_path: Path, version: str, type_trees: bool) -> None:
    hierarchies = []
    for order, build in (("little", plain_file), ("big", big_endian_file)):
        (tmp_path / order).mkdir()
        (tmp_path / order / "sharedassets0.assets").write_bytes(build(version, type_trees))
        (root,) = open_game(tmp_path / order).roots
        (top,) = prefab_roots(root, root.files[0])
        assert root.files[0].big_endian == (order == "big")
        hierarchies.append(read_prefab(root, top))
    assert hierarchies[0] == hierarchies[1]
    nodes = hierarchies[0].nodes
    assert [(node.name, node.parent, node.active) for node in nodes] == [("Top", -1, True), ("Child", 0, True)]
    assert nodes[1].position == (1.0, 2.0, 3.0)


def _web(tmp_path: Path) -> bytes:
    folder = tmp_path / "made"
    return web_data({path.name: path.read_bytes() for path in write_player(folder, "2022.3.40f1")})


@pytest.mark.parametrize("wrap", ["plain", "gzip", "gzip twice", "brotli"])
def test_webgl_data(tmp_path: Path, wrap: str) -> None:
    data = _web(tmp_path)
    names = {"plain": "x.data", "gzip": "x.data.unityweb", "gzip twice": "x.data.gz", "brotli": "x.data.br"}
    pack = {"plain": bytes, "gzip": gzip.compress, "gzip twice": gzip_twice, "brotli": brotli.compress}
    build = tmp_path / "game" / "Build"
    build.mkdir(parents=True)
    (build / names[wrap]).write_bytes(pack[wrap](data))
    game = open_game(tmp_path / "game")
    (root,) = game.roots
    assert root.path == f"Build/{names[wrap]}"
    assert [file.input.rsplit("!")[-1] for file in root.files] == [
        "globalgamemanagers",
        "level0",
        "sharedassets0.assets",
    ]
    for source in root.objects("Mesh"):
        assert len(root.mesh(source).vertex_data) > 0
    assert root.settings.scenes
    assert game.diagnostics.items == []


def test_apk_with_an_archive_in_it(tmp_path: Path) -> None:
    files = write_player(tmp_path / "made", "2022.3.40f1")
    with zipfile.ZipFile(tmp_path / "game.apk", "w", zipfile.ZIP_DEFLATED) as apk:
        for path in files:
            apk.write(path, f"assets/bin/Data/{path.name}")
        apk.writestr("web.data", _web(tmp_path))
    game = open_game(tmp_path / "game.apk")
    assert [root.path for root in game.roots] == ["game.apk", "game.apk!web.data"]
    assert game.roots[0].files[0].input == "game.apk!assets/bin/Data/globalgamemanagers"
    mesh = next(game.roots[0].objects("Mesh"))
    assert len(game.roots[0].mesh(mesh).vertex_data) > 0
    assert game.diagnostics.items == []


def test_split_files_are_joined(tmp_path: Path) -> None:
    data = plain_file("2019.4.40f1")
    for number, start in enumerate(range(0, len(data), 1000)):
        (tmp_path / f"sharedassets0.assets.split{number}").write_bytes(data[start : start + 1000])
    game = open_game(tmp_path)
    assert names_of(game) == [("sharedassets0.assets", "sharedassets0.assets")]
    assert {item.reason for item in game.inputs} == {"part of sharedassets0.assets"}
    (tmp_path / "sharedassets0.assets.split1").unlink()
    game = open_game(tmp_path)
    assert names_of(game) == []
    assert [d.code.name for d in game.diagnostics.items] == ["INPUT_TRUNCATED"]


def test_single_file_finds_what_lies_beside_it(tmp_path: Path) -> None:
    write_player(tmp_path / "Game_Data", "2022.3.40f1")
    game = open_game(tmp_path / "Game_Data" / "level0")
    (root,) = game.roots
    assert [item.path for item in game.inputs] == ["level0"]
    assert [file.name for file in root.files] == ["level0"]
    renderers = [node.renderer for node in read_scene(root, root.files[0]).nodes if node.renderer]
    assert all(isinstance(renderer.mesh, Source) and root.mesh(renderer.mesh) for renderer in renderers)
    assert root.settings.scenes == ("Assets/Scenes/Studio.unity",)


def test_version_from_sibling_option_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.assets").write_bytes(_strip("2019.4.40f1"))
    game = open_game(tmp_path)
    assert names_of(game) == []
    assert [d.code.name for d in game.diagnostics.items] == ["VERSION_UNKNOWN"]
    assert game.inputs[0].status == "failed"
    game = open_game(tmp_path, unity_version="2019.4.1f1")
    assert game.roots[0].files[0].unity_version == "2019.4.1f1"
    (tmp_path / "a" / "y.assets").write_bytes(plain_file("2019.4.40f1"))
    game = open_game(tmp_path, unity_version="2018.1.1f1")
    assert {file.unity_version for file in game.roots[0].files} == {"2019.4.40f1"}
    assert [d.code.name for d in game.diagnostics.items] == ["VERSION_ASSUMED"]


def _strip(version: str) -> bytes:
    """A file whose version starts with three zeros, as stripped ones do."""
    data = plain_file(version)
    start = data.index(version.encode())
    return data[:start] + b"0.0.0" + data[start + 5 :]


def test_what_is_no_unity_content_is_skipped_with_a_reason(tmp_path: Path) -> None:
    contents = {
        "a.png": b"\x89PNG\r\n", "b.txt": b"hello\n", "c": b"", "d.dll": b"MZ\x90\0", "e.bin": bytes(range(256)),
        "f.gz": gzip.compress(b"nothing"), "g.resS": b"\1\2\3",
    }  # fmt: skip
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    game = open_game(tmp_path)
    assert game.roots == []
    assert {item.path: item.reason for item in game.inputs} == {
        "a.png": "an image", "b.txt": "text", "c": "empty", "d.dll": "a program", "e.bin": "unknown binary data",
        "f.gz": "gzip data that holds no Unity content", "g.resS": "resource data of g",
    }  # fmt: skip


def test_open_game_refuses_what_it_cannot_open(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        open_game(tmp_path / "absent")
    with pytest.raises(UsageError):
        open_game(tmp_path, unity_version="newest")


def test_newer_version_is_reported_and_read_with_the_last_known_tree(tmp_path: Path) -> None:
    data = plain_file("6000.2.2f1", False).replace(b"6000.2.2f1\0", b"9000.2.2f1\0")
    (tmp_path / "a.assets").write_bytes(data)
    diagnostics = Diagnostics()
    (root,) = open_game(tmp_path, diagnostics=diagnostics).roots
    assert len(read_prefab(root, prefab_roots(root, root.files[0])[0]).nodes) == 2
    assert [d.code.name for d in diagnostics.items] == ["VERSION_NEWER"]


def test_reading_what_is_not_there_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.assets").write_bytes(plain_file("2019.4.40f1"))
    (root,) = open_game(tmp_path).roots
    file = root.files[0]
    assert root.resolve(file, (0, 0)) is None
    assert root.resolve(file, (0, 99)) == Missing("a.assets", 99, "no such object")
    assert isinstance(root.resolve(file, (3, 1)), Missing)
    absent = Source(file.input, file.name, 99, "Mesh")
    assert root.name(absent) == ""
    with pytest.raises(Fault):
        root.mesh(absent)
    with pytest.raises(Fault):
        root.read(Source("other", "file", 1, "Mesh"))


def test_arrays_outlive_a_closed_root(tmp_path: Path) -> None:
    write_bundles(tmp_path, "2022.3.40f1")
    (root,) = open_game(tmp_path).roots
    mesh = root.mesh(next(root.objects("Mesh")))
    before = np.frombuffer(mesh.vertex_data, np.uint8).copy()
    root.close()
    np.testing.assert_array_equal(np.frombuffer(mesh.vertex_data, np.uint8), before)
