"""Where the names of a content root come from: each source gives (hash, name, origin)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..codes import OBJECT_UNREADABLE
from ..diagnostics import Fault
from ..math3d import name_hash
from ..source import Source
from .avatar import read_tos
from .material import property_name
from .objects import expect_fields
from .paths import all_paths
from .properties import component_properties, material_hashes, material_numbers

if TYPE_CHECKING:
    from .content import ContentRoot

Entries = Iterator[tuple[int, str, str]]

TABLES = ("Avatar", "AnimatorController")
"""Classes with an m_TOS table: paths of bones; a controller's also names its layers, states and parameters."""

KINDS = (("m_TexEnvs", "texture"), ("m_Floats", "float"), ("m_Ints", "float"), ("m_Colors", "color"))


def tables(root: ContentRoot) -> Entries:
    for type_ in TABLES:
        for source in root.objects(type_):
            with root.diagnostics.guard(OBJECT_UNREADABLE, source.place(type_), source), expect_fields(source):
                table = read_tos(root.read(source, frozenset(("m_TOS",))).get("m_TOS", ()))
                yield from ((hash_, name, _at(source)) for hash_, name in table.items())


def _at(source: Source) -> str:
    return f"{source.type} {source.file}:{source.path_id}"


def rig_paths(root: ContentRoot) -> Entries:
    """Paths below an Animator or Animation, as clips name nodes."""
    for file in root.files:
        for path, rigs in all_paths(root, file):
            for rig in rigs:
                yield name_hash(path[rig:]), path[rig:], f"a path below an Animator in {file.name}"


def suffix_paths(root: ContentRoot) -> Entries:
    """Every end of every path: a bone's hash may start anywhere below the root."""
    seen: set[str] = set()
    for file in root.files:
        for path, _ in all_paths(root, file):
            while path and path not in seen:
                seen.add(path)
                yield name_hash(path), path, f"a path in {file.name}"
                path = path.partition("/")[2]


def well_known(root: ContentRoot) -> Entries:
    yield from component_properties()


def shape_names(root: ContentRoot) -> Entries:
    """Blend shapes by their stored hash and by that of their name."""
    for source in root.objects("Mesh"):
        for name, stored in _read(source, lambda source: _shapes(root, source)):
            for hash_ in dict.fromkeys((stored, name_hash(name))):
                yield hash_, name, f"a blend shape of {_at(source)}"


def _shapes(root: ContentRoot, source: Source) -> list[tuple[str, int]]:
    """(name, stored hash). From 4.3 on there are channels; 4.1 and 4.2 list the shapes themselves, without a hash."""
    channels = root.peek(source, "m_Shapes", "channels")
    if channels is not None:
        return [(str(channel["name"]), int(channel["nameHash"])) for channel in channels]
    return [(str(shape["name"]), name_hash(shape["name"])) for shape in root.peek(source, "m_Shapes") or ()]


def material_properties(root: ContentRoot) -> Entries:
    """Saved properties of every material, each name once, as text and as packed numbers."""
    seen: set[tuple[str, str]] = set()
    for source in root.objects("Material"):
        new = dict.fromkeys(_read(source, lambda source: _saved(root, source)))
        for name, kind in new:
            if (name, kind) not in seen:
                seen.add((name, kind))
                origin = f"a material property of {_at(source)}"
                yield from ((hash_, text, origin) for hash_, text in material_hashes(name, kind))
                yield from ((hash_, text, f"{origin}, packed") for hash_, text in material_numbers(name, kind))


def _saved(root: ContentRoot, source: Source) -> list[tuple[str, str]]:
    saved = root.peek(source, "m_SavedProperties")
    return [(property_name(key), kind) for field, kind in KINDS for key, _ in saved.get(field, ())]


def _read(source: Source, reader: Callable[[Source], list[tuple[str, Any]]]) -> list[tuple[str, Any]]:
    try:
        with expect_fields(source):
            return reader(source)
    except Fault:
        return []  # reported by whoever reads the object itself
