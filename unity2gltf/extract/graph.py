"""GameObjects, Transforms and their components to :class:`raw.RawHierarchy`.

Chains may be thousands deep, so nothing here recurses. A broken object costs its own node, not the hierarchy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..codes import HIERARCHY_CYCLE, HIERARCHY_PARENT, OBJECT_UNREADABLE
from ..diagnostics import Diagnostics
from ..raw import RawHierarchy, RawLod, RawNode
from ..source import Source
from .components import TRANSFORMS, Components, Owner
from .physics import PHYSICS

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

_TRANSFORM = frozenset(("m_GameObject", "m_LocalRotation", "m_LocalPosition", "m_LocalScale", "m_Children", "m_Father"))
_LEVEL = re.compile(r"level(\d+)")


def prefab_roots(root: ContentRoot, file: GameFile) -> list[Source]:
    """GameObjects whose Transform has no father in the file, by path id; none in a scene."""
    if file.is_scene:
        return []
    return [owner for owner, _ in _tops(root, file, root.diagnostics)]


def read_prefab(root: ContentRoot, source: Source, diagnostics: Diagnostics | None = None) -> RawHierarchy:
    """The hierarchy below a GameObject. Raises :class:`Fault` when its own Transform cannot be read."""
    diagnostics = root.diagnostics if diagnostics is None else diagnostics
    file = root.file(source)
    components = Components(root, file)
    return _read(root, file, [components.transform_of(source)], components, diagnostics)


def read_scene(root: ContentRoot, file: GameFile, diagnostics: Diagnostics | None = None) -> RawHierarchy:
    """All hierarchies of a file, in the order of the scene's roots."""
    diagnostics = root.diagnostics if diagnostics is None else diagnostics
    tops = [transform for _, transform in _tops(root, file, diagnostics)]
    order = {path_id: number for number, path_id in enumerate(_scene_order(root, file, diagnostics))}
    tops.sort(key=lambda transform: (order.get(transform.path_id, len(order)), transform.path_id))
    return _read(root, file, tops, Components(root, file), diagnostics)


def scene_path(root: ContentRoot, file: GameFile) -> str:
    """A scene's stored path: from its bundle, from BuildSettings for ``level<N>``, else the file's own name."""
    beside = [other.bundle for other in root.files if other.input == file.input and other.bundle]
    for bundle in beside:
        for path, name in bundle.scene_hashes.items():
            if name == file.name:
                return path
    paths = [path for bundle in beside for path in bundle.paths]
    stem = file.name.removeprefix("BuildPlayer-")
    named = [path for path in paths if path.rsplit("/", 1)[-1].rsplit(".", 1)[0] == stem]
    if len(named) == 1 or len(paths) == 1:
        return (named or paths)[0]
    level = _LEVEL.fullmatch(file.name)
    number = int(level[1]) if level else 0 if file.name == "mainData" else None
    scenes = root.settings.scenes
    return scenes[number] if number is not None and number < len(scenes) and scenes[number] else file.name


def _scene_order(root: ContentRoot, file: GameFile, diagnostics: Diagnostics) -> list[int]:
    """SceneRoots (2022.2 and later) keeps the order of the root Transforms."""
    order: list[int] = []
    for source in file.sources("SceneRoots"):
        with diagnostics.guard(OBJECT_UNREADABLE, source.place("SceneRoots"), source):
            order += [path_id for _, path_id in root.read(source)["m_Roots"].tolist()]
    return order


def _tops(root: ContentRoot, file: GameFile, diagnostics: Diagnostics) -> list[tuple[Source, Source]]:
    """(GameObject, Transform) of every hierarchy of a file: no father, or none that is there; of a closed ring the
    Transform of the lowest path id."""
    fathers: dict[int, int] = {}
    owners: dict[int, Source] = {}
    transforms = {source.path_id: source for type_ in TRANSFORMS for source in file.sources(type_)}
    for path_id, transform in transforms.items():
        with diagnostics.guard(OBJECT_UNREADABLE, transform.place(""), transform):
            fields = root.read(transform, frozenset(("m_GameObject", "m_Father")))
            owner = root.resolve(file, fields["m_GameObject"])
            if isinstance(owner, Source) and owner.input == file.input and owner.file == file.name:
                owners[path_id] = owner
                fathers[path_id] = fields["m_Father"]["m_PathID"]
    tops = [path_id for path_id in fathers if fathers[path_id] not in fathers]
    for path_id in tops:
        if fathers[path_id]:
            with diagnostics.at(transforms[path_id].place(""), transforms[path_id]):
                diagnostics.add(HIERARCHY_PARENT, "the father is not in the file", father=str(fathers[path_id]))
    tops += _rings(fathers, set(tops))
    return [(owners[path_id], transforms[path_id]) for path_id in sorted(tops, key=lambda top: owners[top].path_id)]


def _rings(fathers: dict[int, int], tops: set[int]) -> list[int]:
    """The lowest path id of every ring of fathers."""
    done = set(tops)
    rings = []
    for start in sorted(fathers):
        seen: dict[int, int] = {}
        current = start
        while current not in done and current not in seen:
            seen[current] = len(seen)
            current = fathers[current]
        if current in seen:
            rings.append(min(path_id for path_id, place in seen.items() if place >= seen[current]))
        done.update(seen)
    return rings


def _read(
    root: ContentRoot, file: GameFile, tops: list[Source], components: Components, diagnostics: Diagnostics
) -> RawHierarchy:
    nodes: list[RawNode] = []
    lods: list[RawLod] = []
    visited: set[int] = set()
    pending: list[tuple[Source, int]] = [(top, -1) for top in reversed(tops)]
    while pending:
        transform, parent = pending.pop()
        if transform.path_id in visited:
            _report_second_visit(nodes, transform, parent, diagnostics)
            continue
        visited.add(transform.path_id)
        with diagnostics.guard(OBJECT_UNREADABLE, transform.place(""), transform):
            fields = root.read(transform, _TRANSFORM)
            if parent >= 0 and fields["m_Father"]["m_PathID"] != nodes[parent].transform.path_id:
                diagnostics.add(HIERARCHY_PARENT, "a child names another father than the one that lists it")
            children = list(_children(root, file, fields))
            nodes.append(_node(components, transform, fields, parent, diagnostics, lods))
            pending += [(child, len(nodes) - 1) for child in children]
    return RawHierarchy(nodes=tuple(nodes), lods=tuple(lods))


def _children(root: ContentRoot, file: GameFile, fields: dict[str, Any]) -> Iterator[Source]:
    """Child Transforms, last first (they go on a stack)."""
    for pointer in reversed(fields["m_Children"].tolist()):
        child = root.resolve(file, pointer)
        if isinstance(child, Source) and child.type in TRANSFORMS and child.file == file.name:
            yield child


def _report_second_visit(nodes: list[RawNode], transform: Source, parent: int, diagnostics: Diagnostics) -> None:
    with diagnostics.at(transform.place(""), transform):
        ancestor = parent
        while ancestor >= 0 and nodes[ancestor].transform != transform:
            ancestor = nodes[ancestor].parent
        if ancestor >= 0:
            diagnostics.add(HIERARCHY_CYCLE, "a Transform is among its own children; the link was cut")
        else:
            diagnostics.add(HIERARCHY_PARENT, "a Transform is listed by two parents; the first one keeps it")


def _node(
    components: Components,
    transform: Source,
    fields: dict[str, Any],
    parent: int,
    diagnostics: Diagnostics,
    lods: list[RawLod],
) -> RawNode:
    owner = Owner(transform, "", True, {}, ())  # what stands for a GameObject that cannot be read
    with diagnostics.guard(OBJECT_UNREADABLE, "GameObject", transform):
        owner = components.game_object(fields["m_GameObject"])
    parts = owner.parts
    with diagnostics.at(owner.source.place(owner.name), owner.source):
        if "LODGroup" in parts:
            lods += components.lods(parts["LODGroup"], diagnostics)
        return RawNode(
            source=owner.source,
            transform=transform,
            name=owner.name,
            active=owner.active,
            parent=parent,
            position=fields["m_LocalPosition"],
            rotation=fields["m_LocalRotation"],
            scale=fields["m_LocalScale"],
            renderer=components.renderer(parts, diagnostics),
            animator=components.animator(parts, diagnostics),
            animation=components.animation(parts, diagnostics),
            terrain=components.terrain(parts, diagnostics),
            light=components.light(owner, diagnostics),
            camera=components.camera(owner, diagnostics),
            physics=tuple(part for part in owner.every if part.type in PHYSICS),
            tag=owner.tag,
            layer=owner.layer,
            static=owner.static,
        )
