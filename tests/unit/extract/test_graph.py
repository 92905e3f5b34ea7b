"""Hierarchies that are deep, tangled or broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.extract.content import ContentRoot
from unity2gltf.extract.game import open_game
from unity2gltf.extract.graph import prefab_roots, read_prefab, read_scene
from unity2gltf.extract.names import NameIndex
from unity2gltf.math3d import name_hash
from unity2gltf.sample.hierarchy import Hierarchy, Item
from unity2gltf.sample.values import GAME_OBJECT, MESH, MESH_FILTER, MESH_RENDERER, RENDER_SETTINGS, TRANSFORM, pptr
from unity2gltf.sample.writer import FileBuilder
from unity2gltf.source import Missing

VERSION = "2022.3.40f1"
LOD_GROUP, ANIMATOR = 205, 95


class Broken(Hierarchy):
    """A hierarchy whose Transforms can be told to lie: ``lies[item.transform]`` replaces fields."""

    def __init__(self, file: FileBuilder) -> None:
        super().__init__(file)
        self.lies: dict[int, dict[str, Any]] = {}

    def write(self) -> None:
        add = self.file.add

        def lying(class_id: int, fields: Any, path_id: int | None = None) -> int:
            return add(class_id, dict(fields) | self.lies.get(path_id or 0, {}), path_id)

        for item in self.items:
            for class_id, path_id, fields in self._objects(item):
                lying(class_id, fields, path_id)

    def _objects(self, item: Item) -> list[tuple[int, int, dict[str, Any]]]:
        components = [(TRANSFORM, item.transform), *item.components]
        owner = {
            "m_Name": item.name,
            "m_IsActive": item.active,
            "m_Component": [{"component": pptr(path_id)} for _, path_id in components],
        }
        transform = {
            "m_GameObject": pptr(item.game_object),
            "m_Children": [pptr(child.transform) for child in item.children],
            "m_Father": pptr(item.parent.transform if item.parent else 0),
        }
        return [(GAME_OBJECT, item.game_object, owner), (TRANSFORM, item.transform, transform)]


def opened(tmp_path: Path, file: FileBuilder) -> ContentRoot:
    (tmp_path / "a.assets").write_bytes(file.to_bytes())
    (root,) = open_game(tmp_path).roots
    assert len(root.files) == 1
    return root


def codes(diagnostics: Diagnostics) -> list[str]:
    return [item.code.name for item in diagnostics.items]


def test_three_thousand_levels_do_not_recurse(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    item: Item | None = None
    for number in range(3_000):
        item = tree.add(f"n{number}", item)
    tree.write()
    root = opened(tmp_path, file)
    (top,) = prefab_roots(root, root.files[0])
    nodes = read_prefab(root, top).nodes
    assert [node.parent for node in nodes] == list(range(-1, 2_999))
    assert root.names.lookup(12345) == []


def test_child_that_lists_its_parent_is_cut(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Broken(file)
    top = tree.add("Top")
    child = tree.add("Child", top)
    tree.lies[child.transform] = {"m_Children": [pptr(top.transform)]}
    tree.write()
    root = opened(tmp_path, file)
    diagnostics = Diagnostics()
    (source,) = prefab_roots(root, root.files[0])
    assert [node.name for node in read_prefab(root, source, diagnostics).nodes] == ["Top", "Child"]
    assert codes(diagnostics) == ["HIERARCHY_CYCLE"]


def test_ring_without_a_top_is_opened_at_its_lowest_path_id(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    file.add(RENDER_SETTINGS, {}, 900)
    tree = Broken(file)
    first = tree.add("First")
    second = tree.add("Second", first)
    tree.lies[first.transform] = {"m_Father": pptr(second.transform)}
    tree.lies[second.transform] = {"m_Children": [pptr(first.transform)]}
    tree.write()
    root = opened(tmp_path, file)
    diagnostics = Diagnostics()
    assert [node.name for node in read_scene(root, root.files[0], diagnostics).nodes] == ["First", "Second"]
    assert "HIERARCHY_CYCLE" in codes(diagnostics)


def test_transform_with_two_parents_stays_with_the_first(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Broken(file)
    top = tree.add("Top")
    left, right = tree.add("Left", top), tree.add("Right", top)
    shared = tree.add("Shared", left)
    tree.lies[right.transform] = {"m_Children": [pptr(shared.transform)]}
    tree.write()
    root = opened(tmp_path, file)
    diagnostics = Diagnostics()
    nodes = read_prefab(root, prefab_roots(root, root.files[0])[0], diagnostics).nodes
    assert [(node.name, node.parent) for node in nodes] == [("Top", -1), ("Left", 0), ("Shared", 1), ("Right", 0)]
    assert codes(diagnostics) == ["HIERARCHY_PARENT"]


def test_father_that_is_not_there_makes_a_root(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Broken(file)
    orphan = tree.add("Orphan")
    tree.lies[orphan.transform] = {"m_Father": pptr(777)}
    tree.write()
    root = opened(tmp_path, file)
    assert [root.name(source) for source in prefab_roots(root, root.files[0])] == ["Orphan"]
    assert codes(root.diagnostics) == ["HIERARCHY_PARENT"]


def test_broken_child_costs_only_itself(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    top = tree.add("Top")
    broken, good = tree.add("Broken", top), tree.add("Good", top)
    tree.write()
    del file.objects[broken.transform]
    file.add_bytes(TRANSFORM, bytes(5), broken.transform)
    root = opened(tmp_path, file)
    diagnostics = Diagnostics()
    (source,) = prefab_roots(root, root.files[0])
    nodes = read_prefab(root, source, diagnostics).nodes
    assert [(node.name, node.parent) for node in nodes] == [("Top", -1), ("Good", 0)]
    assert codes(diagnostics) == ["OBJECT_CORRUPT"]
    assert good.parent is top


def test_unreadable_game_object_keeps_its_children_in_place(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    top = tree.add("Top")
    broken = tree.add("Broken", top, position=(1.0, 0.0, 0.0))
    tree.add("Child", broken)
    tree.add("Last", top)
    tree.write()
    del file.objects[broken.game_object]
    file.add_bytes(GAME_OBJECT, bytes(3), broken.game_object)
    root = opened(tmp_path, file)
    diagnostics = Diagnostics()
    (source,) = prefab_roots(root, root.files[0])
    nodes = read_prefab(root, source, diagnostics).nodes
    assert [(n.name, n.parent) for n in nodes] == [("Top", -1), ("", 0), ("Child", 1), ("Last", 0)]
    assert nodes[1].position == (1.0, 0.0, 0.0)
    assert codes(diagnostics) == ["OBJECT_CORRUPT"]


def test_components(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    mesh = file.add(MESH, {"m_Name": "Shape"})
    top = tree.add("Top", active=False)
    tree.component(top, MESH_FILTER, {"m_Mesh": pptr(mesh)})
    batch = {"firstSubMesh": 2, "subMeshCount": 3}
    fields = {
        "m_Enabled": False,
        "m_CastShadows": 3,
        "m_Materials": [pptr(0), pptr(5, 4)],
        "m_StaticBatchInfo": batch,
        "m_StaticBatchRoot": pptr(top.transform),
    }
    renderer = tree.component(top, MESH_RENDERER, fields)
    tree.component(top, ANIMATOR, {"m_HasTransformHierarchy": True})
    lods = [{"screenRelativeHeight": 0.5, "renderers": [{"renderer": pptr(renderer)}]}]
    tree.component(top, LOD_GROUP, {"m_LODs": lods})
    tree.write()
    root = opened(tmp_path, file)
    hierarchy = read_prefab(root, prefab_roots(root, root.files[0])[0])
    (node,) = hierarchy.nodes
    assert not node.active and node.renderer is not None and node.animator is not None
    drawn = node.renderer
    assert (drawn.enabled, drawn.shadows_only, drawn.submeshes, drawn.skinned) == (False, True, (2, 3, 4), False)
    assert drawn.static_batch_root == node.transform
    assert drawn.materials[0] is None and isinstance(drawn.materials[1], Missing)
    assert node.animator.avatar is None and node.animator.has_transform_hierarchy
    assert hierarchy.lods[0].levels == ((0.5, (drawn.source,)),)


def test_unreadable_renderer_leaves_the_node(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    top = tree.add("Top")
    tree.component(top, MESH_FILTER, {})
    renderer = tree.component(top, MESH_RENDERER, {})
    tree.write()
    del file.objects[renderer]
    file.add_bytes(MESH_RENDERER, bytes(3), renderer)
    root = opened(tmp_path, file)
    diagnostics = Diagnostics()
    (node,) = read_prefab(root, prefab_roots(root, root.files[0])[0], diagnostics).nodes
    assert node.renderer is None
    assert codes(diagnostics) == ["OBJECT_CORRUPT"]
    assert diagnostics.items[0].source is not None and diagnostics.items[0].source.path_id == renderer


def test_names_of_paths_and_suffixes(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    top = tree.add("Top")
    rig = tree.add("Rig", top)
    tree.component(rig, ANIMATOR, {})
    tree.add("Hand", tree.add("Arm", rig))
    tree.write()
    root = opened(tmp_path, file)
    names = root.names
    assert isinstance(names, NameIndex)
    assert names.entries(name_hash("Arm/Hand")) == [("Arm/Hand", "a path below an Animator in a.assets")]
    assert names.entries(name_hash("Rig/Arm/Hand")) == [("Rig/Arm/Hand", "a path in a.assets")]
    assert names.lookup(name_hash("Hand")) == ["Hand"]
    assert names.lookup(1) == []
