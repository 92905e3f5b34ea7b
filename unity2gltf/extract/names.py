"""The name index of a content root: which names a hash may stand for, and where each is from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from .namesources import (
    Entries,
    material_properties,
    rig_paths,
    shape_names,
    suffix_paths,
    tables,
    well_known,
)

if TYPE_CHECKING:
    from .content import ContentRoot

Found = dict[int, dict[str, str]]
"""Hash to name to origin."""

TIERS: tuple[tuple[Callable[[ContentRoot], Entries], ...], ...] = (
    (tables, rig_paths, well_known),
    (suffix_paths,),
    (shape_names,),
    (material_properties,),
)
"""Best sources first. A tier is read only when those before it do not know a hash: most hashes are in the first."""


class NameIndex:
    """Hash to names. A name's first source counts. Built when first asked; ``asked`` counts the questions."""

    def __init__(self, root: ContentRoot) -> None:
        self._root = root
        self._tiers: list[Found] = []
        self.asked = 0

    def lookup(self, hash_: int) -> Sequence[str]:
        """Names whose hash this is, best source first."""
        self.asked += 1
        return [name for name, _ in self.entries(hash_)]

    def entries(self, hash_: int) -> list[tuple[str, str]]:
        """(name, where it came from) for a hash, from the best tier that knows it."""
        for tier in self._each_tier():
            if hash_ in tier:
                return list(tier[hash_].items())
        return []

    def all(self) -> list[tuple[int, str, str]]:
        """(hash, name, origin) of every source, by name, then hash; a name that two tiers know, from the better."""
        found: dict[tuple[str, int], str] = {}
        for tier in self._each_tier():
            for hash_, names in tier.items():
                for name, origin in names.items():
                    found.setdefault((name, hash_), origin)
        return [(hash_, name, origin) for (name, hash_), origin in sorted(found.items())]

    def containing(self, text: str) -> list[tuple[int, str, str]]:
        """(hash, name, origin) of the names that contain a text, whatever its case."""
        folded = text.casefold()
        return [entry for entry in self.all() if folded in entry[1].casefold()]

    def _each_tier(self) -> Iterator[Found]:
        for number in range(len(TIERS)):
            if number == len(self._tiers):
                self._tiers.append(self._read(TIERS[number]))
            yield self._tiers[number]

    def _read(self, sources: tuple[Callable[[ContentRoot], Entries], ...]) -> Found:
        found: Found = {}
        for source in sources:
            for hash_, name, origin in source(self._root):
                found.setdefault(hash_, {}).setdefault(name, origin)
        return found
