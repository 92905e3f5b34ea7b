"""Content roots: which files belong together.

A file's root is its archive (zip, apk, WebGL data) if it lies in one; else the nearest folder above it, within the
input, that is a player folder (``globalgamemanagers``, ``mainData``, ``data.unity3d``, ``*_Data``); else the nearest
that holds an Addressables catalog or is ``StreamingAssets/aa``; else its own folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..codes import INPUT_CORRUPT
from ..diagnostics import Diagnostics
from .archives import Zip
from .store import Address, Store
from .walk import ARCHIVES, HEAD, Found, recognise

_PLAYER = frozenset(("globalgamemanagers", "maindata", "data.unity3d"))
_CATALOG = re.compile(r"catalog.*\.(json|bin|hash)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unit:
    """A file on disk or a member of an archive. ``input`` names it; ``kind`` as in :func:`walk.recognise`.

    ``exported``: its objects belong to the output; other files are there to resolve references.
    """

    address: Address
    input: str
    kind: str | None
    exported: bool = True

    @property
    def name(self) -> str:
        return re.split(r"[/!]", self.input)[-1]

    @property
    def folder(self) -> str:
        return self.input[: -len(self.name)]


def group(
    files: Iterable[Found], exported: set[str] | None, store: Store, diagnostics: Diagnostics
) -> dict[str, list[Unit]]:
    """Units by root path, roots sorted. ``exported``: paths whose objects are wanted (None = all)."""
    files = list(files)
    units = [
        Unit((str(_whole(file)),), file.path, file.kind, exported is None or file.path in exported) for file in files
    ]
    for file, unit in zip(files, units, strict=True):
        if len(file.disk) > 1:
            store.add_parts(unit.address[0], file.disk)
    loose = [unit for unit in units if unit.kind not in ARCHIVES]
    markers = _Markers(unit.input for unit in loose)
    roots: dict[str, list[Unit]] = {}
    for unit in loose:
        roots.setdefault(markers.root_of(unit.input), []).append(unit)
    roots = {path: found for path, found in roots.items() if any(unit.kind and unit.exported for unit in found)}
    for unit in units:
        if unit.kind in ARCHIVES and unit.exported:
            roots.update(_archive(unit, store, diagnostics))
    return dict(sorted(roots.items()))


def _whole(file: Found) -> object:
    return file.disk[0] if len(file.disk) == 1 else file.disk[0].with_suffix("")


class _Markers:
    def __init__(self, paths: Iterable[str]) -> None:
        self._players: set[str] = set()
        self._catalogs: set[str] = set()
        for path in paths:
            folder, _, name = path.rpartition("/")
            if name.lower() in _PLAYER:
                self._players.add(folder)
            if _CATALOG.fullmatch(name):
                self._catalogs.add(folder)

    def root_of(self, path: str) -> str:
        own = path.rpartition("/")[0]
        above = [own, *("" if str(p) == "." else str(p) for p in PurePosixPath(own).parents)] if own else [""]
        for folder in above:
            if folder in self._players or folder.endswith("_Data"):
                return folder
        for folder in above:
            if folder in self._catalogs or re.search(r"(^|/)StreamingAssets/aa$", folder):
                return folder
        return own


def _archive(unit: Unit, store: Store, diagnostics: Diagnostics) -> dict[str, list[Unit]]:
    """The roots of an archive: itself, and archives in it. WebGL data holds none and is opened later."""
    if unit.kind == "web":
        return {unit.input: [unit]}
    roots: dict[str, list[Unit]] = {unit.input: []}
    with diagnostics.guard(INPUT_CORRUPT, unit.input):
        box = store.container(unit.address)
        for name in box.names:
            with diagnostics.guard(INPUT_CORRUPT, f"{unit.input}!{name}"):
                member = _member(unit, box, name)
                if member.kind in ARCHIVES:
                    roots.update(_archive(member, store, diagnostics))
                else:
                    roots[unit.input].append(member)
    return roots


def _member(unit: Unit, box: object, name: str) -> Unit:
    assert isinstance(box, Zip)
    kind, _ = recognise(memoryview(box.head(name, 4096)), box.size(name), name.rpartition("/")[2])
    return Unit((*unit.address, name), f"{unit.input}!{name}", kind)


def members(unit: Unit, store: Store) -> list[Unit]:
    """What is in a unit: the members of WebGL data, else itself."""
    if unit.kind != "web":
        return [unit]
    box = store.container(unit.address)
    found = []
    for name in box.names:
        data = box.read(name)
        kind, _ = recognise(data[:HEAD], len(data), name.rpartition("/")[2])
        found.append(Unit((*unit.address, name), f"{unit.input}!{name}", kind, unit.exported))
    return found
