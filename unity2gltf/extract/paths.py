"""Paths of GameObjects by name, which clips and Avatars give as hashes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..diagnostics import Fault
from .components import TRANSFORMS, Components
from .objects import expect_fields

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

DEEPEST_PATH = 256
"""Levels of names in an indexed path: of a longer chain only the objects above this depth are indexed."""


def all_paths(root: ContentRoot, file: GameFile) -> Iterator[tuple[str, list[int]]]:
    """(path from the top, top's own name first; where in it the paths below each Animator or Animation start)."""
    names: dict[int, str] = {}
    rigs: set[int] = set()
    fathers: dict[int, int] = {}
    components = Components(root, file)
    for type_ in TRANSFORMS:
        for source in file.sources(type_):
            try:
                with expect_fields(source):
                    fields = root.read(source, frozenset(("m_GameObject", "m_Father")))
                    owner = components.game_object(fields["m_GameObject"])
                    fathers[source.path_id] = fields["m_Father"]["m_PathID"]
            except Fault:
                continue  # reported by whoever reads the hierarchy
            names[source.path_id] = owner.name
            if "Animator" in owner.parts or "Animation" in owner.parts:
                rigs.add(source.path_id)
    known: dict[int, tuple[str, list[int]]] = {}
    for path_id in names:
        path, starts = _path(path_id, names, fathers, rigs, known)
        if path:
            yield path, starts


def _path(
    path_id: int,
    names: dict[int, str],
    fathers: dict[int, int],
    rigs: set[int],
    known: dict[int, tuple[str, list[int]]],
) -> tuple[str, list[int]]:
    """Path and starts of one Transform; empty for one that is too deep or in a ring."""
    chain: list[int] = []
    current = path_id
    while current in names and current not in known and len(chain) < DEEPEST_PATH:
        chain.append(current)
        current = fathers[current]
    path, starts = known.get(current, ("", []))
    too_deep = current in names and not path
    if too_deep or path.count("/") + len(chain) >= DEEPEST_PATH:
        known[path_id] = ("", [])
        return "", []
    for step in reversed(chain):
        path = f"{path}/{names[step]}" if current in names else names[step]
        current = step
        known[step] = (path, [*starts, len(path) + 1] if step in rigs else starts)
        starts = known[step][1]
    return path, [start for start in starts if start < len(path)]
