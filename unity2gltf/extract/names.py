"""The name index of a content root: which paths a CRC-32 may stand for, and where each is from."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..codes import OBJECT_UNREADABLE
from .avatar import read_tos
from .graph import all_paths

if TYPE_CHECKING:
    from .game import ContentRoot

TABLES = ("Avatar", "AnimatorController")
"""Classes with an m_TOS table of hash to path."""


def hash_of(path: str) -> int:
    """Unity's hash of a path or name: CRC-32 of its UTF-8 bytes."""
    return zlib.crc32(path.encode("utf-8", "surrogateescape"))


class NameIndex:
    """Hash to names, best source first: Avatars, controllers, paths below an Animator or Animation, then suffixes of
    any path, which are hashed only when the others do not know a hash.

    Built when first asked; :meth:`entries` also tells where a name is from.
    """

    def __init__(self, root: ContentRoot) -> None:
        self._root = root
        self._names: dict[int, dict[str, str]] | None = None
        self._suffixes: dict[int, dict[str, str]] | None = None

    def lookup(self, hash_: int) -> Sequence[str]:
        """Names whose hash this is, best source first."""
        return [name for name, _ in self.entries(hash_)]

    def entries(self, hash_: int) -> list[tuple[str, str]]:
        """(name, where it came from) for a hash."""
        if self._names is None:
            self._names = self._tables_and_rigs()
        found = self._names.get(hash_)
        if found is None:
            if self._suffixes is None:
                self._suffixes = self._all_suffixes()
            found = self._suffixes.get(hash_, {})
        return list(found.items())

    def _tables_and_rigs(self) -> dict[int, dict[str, str]]:
        names: dict[int, dict[str, str]] = {}
        for type_ in TABLES:
            for source in self._root.objects(type_):
                with self._root.diagnostics.guard(OBJECT_UNREADABLE, source.place(type_), source):
                    table = read_tos(self._root.read(source, frozenset(("m_TOS",))).get("m_TOS", ()))
                    for hash_, name in table.items():
                        names.setdefault(hash_, {}).setdefault(name, f"{type_} {source.file}:{source.path_id}")
        for file in self._root.files:
            for path, rigs in all_paths(self._root, file):
                for rig in rigs:
                    name = path[rig:]
                    names.setdefault(hash_of(name), {}).setdefault(name, f"a path below an Animator in {file.name}")
        return names

    def _all_suffixes(self) -> dict[int, dict[str, str]]:
        names: dict[int, dict[str, str]] = {}
        seen: set[str] = set()
        for file in self._root.files:
            for path, _ in all_paths(self._root, file):
                while path and path not in seen:
                    seen.add(path)
                    names.setdefault(hash_of(path), {}).setdefault(path, f"a path in {file.name}")
                    path = path.partition("/")[2]
        return names
