"""The name index of a content root: which paths a CRC-32 may stand for, and where each is from."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..codes import OBJECT_UNREADABLE
from .avatar import read_tos

if TYPE_CHECKING:
    from .game import ContentRoot

TABLES = ("Avatar", "AnimatorController")
"""Classes with an m_TOS table of hash to path."""


def hash_of(path: str) -> int:
    """Unity's hash of a path or name: CRC-32 of its UTF-8 bytes."""
    return zlib.crc32(path.encode("utf-8", "surrogateescape"))


class NameIndex:
    """Hash to names, best source first: Avatars, controllers, paths below an Animator or Animation, other suffixes.

    Built when first asked; ``entries`` also tells where a name is from.
    """

    def __init__(self, root: ContentRoot) -> None:
        self._root = root
        self._names: dict[int, dict[str, str]] | None = None

    def lookup(self, hash_: int) -> Sequence[str]:
        """Names whose hash this is, best source first."""
        return [name for name, _ in self.entries(hash_)]

    def entries(self, hash_: int) -> list[tuple[str, str]]:
        """(name, where it came from) for a hash."""
        if self._names is None:
            self._names = {}
            self._add_tables()
            self._add_paths()
        return list(self._names.get(hash_, {}).items())

    def _add(self, hash_: int, name: str, origin: str) -> None:
        assert self._names is not None
        self._names.setdefault(hash_, {}).setdefault(name, origin)

    def _add_tables(self) -> None:
        for type_ in TABLES:
            for source in self._root.objects(type_):
                with self._root.diagnostics.guard(OBJECT_UNREADABLE, source.place(type_), source):
                    for hash_, name in read_tos(
                        self._root.read(source, frozenset(("m_TOS",))).get("m_TOS", ())
                    ).items():
                        self._add(hash_, name, f"{type_} {source.file}:{source.path_id}")

    def _add_paths(self) -> None:
        from .graph import all_paths

        suffixes: list[tuple[str, str]] = []
        for file in self._root.files:
            for path, rigs in all_paths(self._root, file):
                for rig in rigs:
                    self._add(hash_of(path[rig:]), path[rig:], f"a path below an Animator in {file.name}")
                suffixes += [(suffix, file.name) for suffix in _suffixes(path)]
        for suffix, name in suffixes:
            self._add(hash_of(suffix), suffix, f"a path in {name}")


def _suffixes(path: str) -> Iterable[str]:
    while path:
        yield path
        path = path.partition("/")[2]
