"""Extract against real files: counts that may not fall, and every object equal to UnityPy's own reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from UnityPy import classes
from UnityPy.helpers.TypeTreeNode import TypeTreeNode
from UnityPy.UnityPyBoost import read_typetree

from tests.corpus.objects import VERSION
from tests.unit.extract.leaves import leaves
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.extract.content import ContentRoot, GameFile
from unity2gltf.extract.game import Game, open_game
from unity2gltf.extract.graph import prefab_roots, read_prefab, read_scene, scene_path
from unity2gltf.source import Source

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

COMPARED = (
    "Mesh",
    "AnimationClip",
    "Texture2D",
    "SkinnedMeshRenderer",
    "Avatar",
    "Material",
    "Transform",
    "GameObject",
)
MOST = 40
"""Objects compared a file, for classes that are many and small."""


@pytest.fixture(scope="module")
def game(corpus: Path) -> Game:
    return open_game(corpus, unity_version=VERSION)


def each_file(game: Game) -> Iterator[tuple[ContentRoot, GameFile]]:
    for root in game.roots:
        for file in root.files:
            yield root, file
        root.close()


def unitypy_node(node: Any) -> TypeTreeNode:
    if isinstance(node, TypeTreeNode):
        return node
    children = [unitypy_node(child) for child in node.m_Children]
    return TypeTreeNode(0, node.m_Type, node.m_Name, 0, 1, children, m_MetaFlag=node.m_MetaFlag)


def test_every_file_opens(game: Game) -> None:
    counts: Counter[str] = Counter()
    for _, file in each_file(game):
        counts["files"] += 1
        counts["scenes"] += file.is_scene
        for name in ("Mesh", "SkinnedMeshRenderer", "GameObject", "Texture2D"):
            counts[name] += len(file.objects.get(name, ()))
    assert [d.code.name for d in game.diagnostics.items] == ["VERSION_ASSUMED"] * 2
    assert Counter(item.status for item in game.inputs)["failed"] == 0
    floors = {
        "files": 204,
        "scenes": 27,
        "Mesh": 585,
        "SkinnedMeshRenderer": 176,
        "GameObject": 7236,
        "Texture2D": 1132,
    }
    assert all(counts[name] >= floor for name, floor in floors.items()), counts


@pytest.mark.slow
def test_objects_equal_unitypys(game: Game) -> None:
    compared: Counter[str] = Counter()
    nodes: dict[int, tuple[Any, TypeTreeNode]] = {}
    for root, file in each_file(game):
        for type_ in COMPARED:
            sources = file.sources(type_)
            for source in sources if type_ in ("Mesh", "AnimationClip") else sources[:MOST]:
                plan, data = root._locate(file, source)
                value, used = plan.read(data)
                if id(plan) not in nodes:
                    nodes[id(plan)] = (plan, unitypy_node(plan.root))
                node = nodes[id(plan)][1]
                theirs, read = read_typetree(bytes(data), node, plan.endian, True, None, classes)
                assert used == len(data) == read
                assert leaves(value) == leaves(theirs), source
                compared[type_] += 1
    floors = {"Mesh": 585, "AnimationClip": 100, "Texture2D": 570, "SkinnedMeshRenderer": 170, "Avatar": 25}
    assert all(compared[name] >= floor for name, floor in floors.items()), compared


def test_every_game_object_is_in_one_hierarchy(game: Game) -> None:
    nodes = drawn = 0
    for root, file in each_file(game):
        diagnostics = Diagnostics()
        if file.is_scene:
            hierarchies = [read_scene(root, file, diagnostics)]
        else:
            hierarchies = [read_prefab(root, top, diagnostics) for top in prefab_roots(root, file)]
        found = [node.source for hierarchy in hierarchies for node in hierarchy.nodes]
        assert sorted(found) == file.sources("GameObject")
        assert [d.code.name for d in diagnostics.items] == []
        nodes += len(found)
        drawn += sum(node.renderer is not None for hierarchy in hierarchies for node in hierarchy.nodes)
    assert nodes >= 7236 and drawn >= 1018


def test_records_of_every_kind(game: Game) -> None:
    read: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for root, file in each_file(game):
        readers = {"Mesh": root.mesh, "Material": root.material, "Texture2D": root.texture, "Avatar": root.avatar}
        for type_, reader in readers.items():
            for source in file.sources(type_):
                try:
                    record = reader(source)
                except Fault as fault:
                    faults[f"{type_} {fault.code.name}"] += 1
                else:
                    read[type_] += 1
                    assert record.name == root.name(source)
    assert set(faults) <= {"Mesh RESOURCE_MISSING", "Texture2D RESOURCE_MISSING"}
    assert faults["Mesh RESOURCE_MISSING"] <= 1 and faults["Texture2D RESOURCE_MISSING"] <= 97
    assert all(
        read[name] >= floor for name, floor in {"Mesh": 584, "Material": 420, "Texture2D": 1035, "Avatar": 35}.items()
    )


def test_scenes_have_their_stored_path(game: Game) -> None:
    paths = [scene_path(root, file) for root, file in each_file(game) if file.is_scene]
    assert sum(path.startswith("Assets/") and path.endswith(".unity") for path in paths) >= 26
    assert [path for path in paths if not path.startswith("Assets/")] == ["level0"]


def test_settings_of_players(game: Game) -> None:
    found = {root.path: root.settings for root in game.roots if root.settings.skin_weights}
    assert len(found) >= 12
    assert all(settings.scenes and settings.clamp_blend_shapes is not None for settings in found.values())
    assert {weights for settings in found.values() for _, weights in settings.skin_weights} == {1, 2, 4, 255}
    for root in game.roots:
        root.close()


def test_avatar_tables_and_paths_name_most_bone_hashes(game: Game) -> None:
    known = total = 0
    for root in game.roots:
        hashes = {int(h) for source in root.objects("Mesh") for h in _bone_hashes(root, source)}
        known += sum(bool(root.names.lookup(hash_)) for hash_ in hashes)
        total += len(hashes)
        root.close()
    assert total >= 900
    assert known >= 0.9 * total


def _bone_hashes(root: ContentRoot, source: Source) -> list[int]:
    return list(root.read(source, frozenset(("m_BoneNameHashes",))).get("m_BoneNameHashes", ()))
