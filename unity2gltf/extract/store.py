"""Bytes of files and of members of containers, opened when wanted and kept within a budget.

An address is a tuple: the path on disk, then the member's name in each container. The least recently used bytes are
dropped first; arrays that still view them keep them alive as long as they are needed.
"""

from __future__ import annotations

import mmap
from collections import OrderedDict
from collections.abc import Collection
from pathlib import Path

from ..codes import INPUT_CORRUPT, INPUT_LIMIT, INPUT_TRUNCATED, INPUT_UNREADABLE
from ..diagnostics import Fault
from .archives import Container, WebData, Zip
from .bundle import Bundle
from .codecs import LARGEST, RATIO, gunzip, unbrotli
from .walk import HEAD, MAX_DEPTH, recognise, wrapped

Address = tuple[str, ...]

BUDGET = 256 << 20
"""Bytes kept, or the largest single one if that is more."""
SMALL = 1 << 20
"""Files up to this size are read; larger ones are mapped. Also what a mapping counts for: maps hold file handles."""
UNPACKED = LARGEST
"""Bytes that all archives and wrappers within one file on disk may come to; a file above 4 MiB may come to
:data:`codecs.RATIO` times its size."""


class Store:
    """``fallback``: the Unity version assumed for bundles whose own is stripped."""

    def __init__(self, fallback: str | None = None, budget: int = BUDGET) -> None:
        self._budget = budget
        self._fallback = fallback
        self._parts: dict[str, tuple[Path, ...]] = {}
        self._kept: OrderedDict[tuple[str, Address], tuple[memoryview | Container, int]] = OrderedDict()
        self._total = 0
        self._maps: dict[str, mmap.mmap] = {}
        self._unpacked: dict[str, int] = {}
        self._counted: dict[str, set[tuple[Address, int]]] = {}

    def add_parts(self, path: str, parts: tuple[Path, ...]) -> None:
        """The file at ``path`` is these parts, joined."""
        self._parts[path] = parts

    def files(self, path: str) -> tuple[Path, ...]:
        """The files on disk that hold the file at ``path``: itself, or its parts."""
        return self._parts.get(path, (Path(path),))

    def view(self, address: Address) -> memoryview:
        """The bytes at an address, gzip and brotli around Unity content undone. Raises :class:`Fault`."""
        self._check_map(address[0])
        kept = self._kept.get(("view", address))
        if kept is not None:
            self._kept.move_to_end(("view", address))
            assert isinstance(kept[0], memoryview)
            return kept[0]
        if len(address) == 1:
            data, weight = self._from_disk(address[0])
        else:
            box = self.container(address[:-1])
            data = box.read(address[-1])
            weight = len(data) if isinstance(box, Zip) else 0
            self._weigh(("box", address[:-1]), box)
            self._count(address, weight)
        plain = _unwrap(data, address[-1])
        if plain is not data:
            data, weight = plain, len(plain)
            self._count(address, weight)
        if weight:
            self._keep(("view", address), data, weight)
        return data

    def container(self, address: Address) -> Container:
        """The container at an address. Raises :class:`Fault` when there is none that can be read."""
        if len(address) > MAX_DEPTH:
            raise Fault(INPUT_LIMIT, f"archives are nested more than {MAX_DEPTH} deep", depth=len(address))
        kept = self._kept.get(("box", address))
        if kept is not None:
            self._kept.move_to_end(("box", address))
            assert not isinstance(kept[0], memoryview)
            return kept[0]
        box = self._open(address)
        self._keep(("box", address), box, SMALL + box.weight)
        return box

    def drop(self, disks: Collection[str]) -> None:
        """Forget the bytes of files on disk, and of all that is in them."""
        for key in [key for key in self._kept if key[1][0] in disks]:
            self._forget(key)
        for disk in disks:
            self._unpacked.pop(disk, None)
            self._counted.pop(disk, None)

    def _forget(self, key: tuple[str, Address]) -> None:
        self._total -= self._kept.pop(key)[1]
        if key[0] == "view" and len(key[1]) == 1:
            self._maps.pop(key[1][0], None)

    def _check_map(self, disk: str) -> None:
        """Reading a mapped file past its end would end the process: one that shrank is not looked at again."""
        mapped = self._maps.get(disk)
        if mapped is not None and mapped.size() < len(mapped):
            now = mapped.size()
            text = f"{Path(disk).name} shrank from {len(mapped)} to {now} bytes while it was read"
            raise Fault(INPUT_TRUNCATED, text, expected=len(mapped), size=now)

    def _count(self, address: Address, size: int) -> None:
        """Bombs within bombs: what comes out of one file on disk is bounded as a whole, too."""
        disk, counted = address[0], self._counted.setdefault(address[0], set())
        if not size or (address, size) in counted:
            return
        counted.add((address, size))
        total = self._unpacked[disk] = self._unpacked.get(disk, 0) + size
        most = max(UNPACKED, RATIO * self._size(disk))
        if total > most:
            text = f"{Path(disk).name} holds more than {most} bytes, archives within it unpacked"
            raise Fault(INPUT_LIMIT, text, size=total)

    def _size(self, disk: str) -> int:
        return sum(part.stat().st_size for part in self.files(disk))

    def _open(self, address: Address) -> Container:
        view = self.view(address)
        kind, _ = recognise(view[:HEAD], len(view), address[-1])
        if kind == "bundle":
            return Bundle(view, self._fallback)
        if kind == "web":
            return WebData(view)
        if kind == "zip":
            return Zip(Path(address[0]) if len(address) == 1 and self._is_zip(address[0]) else view)
        raise Fault(INPUT_CORRUPT, f"{address[-1]} is no container")

    def _is_zip(self, path: str) -> bool:
        """Whether the file on disk is the zip itself: it may lie in parts, or in gzip."""
        if path in self._parts:
            return False
        with Path(path).open("rb") as stream:
            return stream.read(4) == b"PK\x03\x04"

    def _from_disk(self, path: str) -> tuple[memoryview, int]:
        parts = self.files(path)
        try:
            if len(parts) > 1:
                data = memoryview(b"".join(part.read_bytes() for part in parts))
                return data, len(data)
            with parts[0].open("rb") as stream:
                size = stream.seek(0, 2)
                stream.seek(0)
                if size <= SMALL:
                    return memoryview(stream.read()), size
                self._maps[path] = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
                return memoryview(self._maps[path]), SMALL
        except (OSError, ValueError) as error:
            raise Fault(INPUT_UNREADABLE, f"{parts[0].name} cannot be read: {error}") from None

    def _keep(self, key: tuple[str, Address], value: memoryview | Container, weight: int) -> None:
        self._kept[key] = (value, weight)
        self._total += weight
        self._trim(weight)

    def _weigh(self, key: tuple[str, Address], box: Container) -> None:
        """A container's weight grows when it decompresses."""
        kept = self._kept.get(key)
        weight = SMALL + box.weight
        if kept is not None and kept[1] != weight:
            self._total += weight - kept[1]
            self._kept[key] = (box, weight)
            self._trim(weight)

    def _trim(self, newest: int) -> None:
        while self._total > max(self._budget, newest) and len(self._kept) > 1:
            self._forget(next(iter(self._kept)))


def _unwrap(data: memoryview, name: str) -> memoryview:
    for _ in range(MAX_DEPTH):
        wrapper = wrapped(data[:64], name)
        if wrapper is None or recognise(data[: 1 << 16], len(data), name)[0] is None:
            return data
        data = memoryview(gunzip(data) if wrapper == "gzip" else unbrotli(data))
        name = name[:-3] if name.lower().endswith(".br") else name
    return data
