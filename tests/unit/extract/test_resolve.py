"""Which file a name leads to, when several have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from unity2gltf.diagnostics import Fault
from unity2gltf.extract.content import ContentRoot, GameFile
from unity2gltf.extract.game import Game, open_game
from unity2gltf.sample.bundle import unityfs
from unity2gltf.sample.values import MATERIAL
from unity2gltf.sample.writer import FileBuilder
from unity2gltf.source import Missing, Source

VERSION = "2022.3.40f1"


def assets(*externals: str, version: str = VERSION) -> bytes:
    file = FileBuilder(version)
    file.add(MATERIAL, {"m_Name": "m"}, 1)
    for path in externals:
        file.external(path)
    return file.to_bytes()


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def file_at(game: Game, input_: str) -> tuple[ContentRoot, GameFile]:
    return next((root, file) for root in game.roots for file in root.files if file.input == input_)


def target(game: Game, input_: str) -> str:
    root, file = file_at(game, input_)
    found = root.resolve(file, (1, 1))
    return found.input if isinstance(found, Source) else str(found)


def test_same_folder_before_the_root(tmp_path: Path) -> None:
    put(tmp_path / "A_Data/one/x.assets", assets("shared.assets"))
    put(tmp_path / "A_Data/one/shared.assets", assets())
    put(tmp_path / "A_Data/two/shared.assets", assets())
    put(tmp_path / "A_Data/y.assets", assets("SHARED.assets"))
    game = open_game(tmp_path)
    assert target(game, "A_Data/one/x.assets") == "A_Data/one/shared.assets"
    assert target(game, "A_Data/y.assets") == "shared.assets:1 (ambiguous)".replace("shared", "SHARED")
    assert [d.code.name for d in game.diagnostics.items] == ["REFERENCE_AMBIGUOUS"]


def test_version_decides_between_several_in_a_root(tmp_path: Path) -> None:
    put(tmp_path / "A_Data/x.assets", assets("shared.assets"))
    put(tmp_path / "A_Data/one/shared.assets", assets(version="2021.3.1f1"))
    put(tmp_path / "A_Data/two/shared.assets", assets())
    assert target(open_game(tmp_path), "A_Data/x.assets") == "A_Data/two/shared.assets"


def test_own_bundle_before_the_folder(tmp_path: Path) -> None:
    put(tmp_path / "a.bundle", unityfs({"CAB-1": assets("archive:/CAB-2/CAB-2"), "CAB-2": assets()}, VERSION))
    put(tmp_path / "b.bundle", unityfs({"CAB-2": assets()}, VERSION))
    assert target(open_game(tmp_path), "a.bundle") == "a.bundle"


def test_another_game_only_of_the_same_version(tmp_path: Path) -> None:
    put(tmp_path / "A_Data/x.assets", assets("shared.assets"))
    put(tmp_path / "B_Data/shared.assets", assets(version="2021.3.1f1"))
    assert target(open_game(tmp_path), "A_Data/x.assets") == "shared.assets:1 (file not found)"
    put(tmp_path / "C_Data/shared.assets", assets())
    assert target(open_game(tmp_path), "A_Data/x.assets") == "C_Data/shared.assets"
    put(tmp_path / "D_Data/shared.assets", assets())
    assert target(open_game(tmp_path), "A_Data/x.assets") == "shared.assets:1 (ambiguous)"


def test_unreadable_target_is_told_from_a_missing_one(tmp_path: Path) -> None:
    put(tmp_path / "x.assets", assets("shared.assets"))
    put(tmp_path / "shared.assets", assets()[:-30])
    assert target(open_game(tmp_path), "x.assets") == "shared.assets:1 (unreadable)"


def test_default_resources_of_webgl_data_have_underscores(tmp_path: Path) -> None:
    put(tmp_path / "A_Data/x.assets", assets("library/unity default resources"))
    put(tmp_path / "A_Data/Resources/unity_default_resources", assets())
    assert target(open_game(tmp_path), "A_Data/x.assets") == "A_Data/Resources/unity_default_resources"


@pytest.mark.parametrize(
    ("files", "roots"),
    [
        (["G_Data/level0", "G_Data/StreamingAssets/aa/x.bundle"], ["G_Data"]),
        (["game/globalgamemanagers", "game/Resources/r.assets"], ["game"]),
        (["s/catalog_1.json", "s/aa/x.bundle", "t/y.bundle"], ["s", "t"]),
        (["docs/StreamingAssets/aa/WebGL/x.bundle"], ["docs/StreamingAssets/aa"]),
        (["a.bundle", "mods/b.bundle"], ["", "mods"]),
    ],
)
def test_roots(tmp_path: Path, files: list[str], roots: list[str]) -> None:
    for name in files:
        put(tmp_path / name, b"{}" if name.endswith("json") else assets())
    assert [root.path for root in open_game(tmp_path).roots] == roots


def test_resources(tmp_path: Path) -> None:
    put(tmp_path / "x.assets", assets())
    put(tmp_path / "x.assets.resS", bytes(range(10)))
    root, file = file_at(open_game(tmp_path), "x.assets")
    assert bytes(root.resource(file, "archive:/a/x.assets.resS", 2, 3)) == b"\2\3\4"
    for arguments, code in (
        (("x.assets.resS", 8, 3), "RESOURCE_TRUNCATED"),
        (("x.assets.resS", -1, 3), "RESOURCE_TRUNCATED"),
        (("x.assets.resS", 1 << 60, 1), "RESOURCE_TRUNCATED"),
        (("y.resS", 0, 1), "RESOURCE_MISSING"),
    ):
        with pytest.raises(Fault) as fault:
            root.resource(file, *arguments)
        assert fault.value.code.name == code


def test_missing_file_names_what_is_wanted(tmp_path: Path) -> None:
    put(tmp_path / "x.assets", assets("library/unity default resources"))
    root, file = file_at(open_game(tmp_path), "x.assets")
    assert root.resolve(file, (1, 10202)) == Missing("unity default resources", 10202, "file not found")
