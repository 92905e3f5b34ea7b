"""The one registry style: a table of handlers under a key, filled by decorated functions with explicit imports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Registry(Generic[K, V]):
    """``@registry.add(key)`` registers; a key is registered once. Iteration is in order of registration."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._entries: dict[K, V] = {}

    def add(self, *keys: K) -> Callable[[V], V]:
        def register(value: V) -> V:
            for key in keys:
                if key in self._entries:
                    raise ValueError(f"{self._what} {key!r} is registered twice")
                self._entries[key] = value
            return value

        return register

    def get(self, key: K) -> V | None:
        return self._entries.get(key)

    def __contains__(self, key: K) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[K]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
