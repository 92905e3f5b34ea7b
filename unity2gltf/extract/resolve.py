"""Finding the file that a reference names.

External references carry base names, which are not unique. They are looked for in the same bundle, the same folder,
the content root, and last in the whole input, where only a single file of the same Unity version counts. Archives
(zip, apk, WebGL data) hold everything that they refer to, so they are neither searched from outside nor left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..codes import REFERENCE_AMBIGUOUS, RESOURCE_MISSING, RESOURCE_TRUNCATED
from ..diagnostics import Fault
from ..source import Missing
from .bundle import Bundle
from .codecs import readable
from .roots import Unit
from .store import Address

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that a reference may name: a unit, or a member of the bundle that the unit is."""

    address: Address
    name: str
    unit: Unit


def key_of(path: str) -> str:
    """How names compare: base name, without case; WebGL data writes spaces as underscores."""
    return readable(path).replace("\\", "/").rsplit("/", 1)[-1].casefold().replace(" ", "_")


class Resolver:
    """The names of one content root. Bundles are listed by their headers; nothing is decompressed for that."""

    def __init__(self, root: ContentRoot) -> None:
        self._root = root
        self._versions: dict[Address, str] = {}
        self.entries: list[Entry] = []
        for unit in root.units:
            with root._guard(unit):
                self.entries += self._list(unit)
        self._by_key: dict[str, list[Entry]] = {}
        for entry in self.entries:
            self._by_key.setdefault(key_of(entry.name), []).append(entry)
        self._externals: dict[tuple[str, str, int], GameFile | Missing] = {}

    def _list(self, unit: Unit) -> Iterator[Entry]:
        if unit.kind != "bundle":
            yield Entry(unit.address, unit.name, unit)
            return
        box = self._root.game.store.container(unit.address)
        assert isinstance(box, Bundle)
        self._versions[unit.address] = box.version_text
        seen: set[str] = set()
        for path in box.names:
            name = path.rsplit("/", 1)[-1]
            yield Entry((*unit.address, path), path if name in seen else name, unit)  # marks tell files apart by it
            seen.add(name)

    def bundle_version(self, entry: Entry) -> str | None:
        """The Unity version that the header of the entry's bundle names."""
        return self._versions.get(entry.unit.address)

    def forget(self) -> None:
        """Forget which files references lead to."""
        self._externals.clear()

    def named(self, name: str) -> list[Entry]:
        """Entries of this root with a name."""
        return self._by_key.get(key_of(name), [])

    def external(self, file: GameFile, file_id: int) -> GameFile | Missing:
        """The file behind m_FileID ``file_id`` (1 = first external) of ``file``."""
        key = (file.input, file.name, file_id)
        if key not in self._externals:
            self._externals[key] = self._external(file, file_id)
        return self._externals[key]

    def _external(self, file: GameFile, file_id: int) -> GameFile | Missing:
        externals = file.index.externals
        if not 1 <= file_id <= len(externals):
            return Missing(f"external {file_id} of {file.name}", 0, "no such external reference")
        path = externals[file_id - 1]
        return self._files(file, path)

    def _files(self, file: GameFile, path: str) -> GameFile | Missing:
        name = path.rsplit("/", 1)[-1]
        unreadable = False
        for level in self._levels(file, path):
            files = [entry for entry in level if entry.unit.kind]
            opened = [opened for entry in files if (opened := self._root.open(entry)) is not None]
            unreadable |= bool(files) and not opened
            if not opened:
                continue
            same = [other for other in opened if other.unity_version == file.unity_version]
            if len(opened) == 1 or len(same) == 1:
                return opened[0] if len(opened) == 1 else same[0]
            return self._ambiguous(file, name, [other.input for other in opened])
        return self._beyond(file, path) or Missing(name, 0, "unreadable" if unreadable else "file not found")

    def _ambiguous(self, file: GameFile, name: str, inputs: list[str]) -> Missing:
        self._root.diagnostics.add(
            REFERENCE_AMBIGUOUS, f"{file.name} refers to {name}, which is in {len(inputs)} places", places=inputs
        )
        return Missing(name, 0, "ambiguous")

    def _levels(self, file: GameFile, path: str) -> Iterator[list[Entry]]:
        """Candidates in this root, nearest first."""
        entries = self.named(path)
        unit = file.entry.unit
        yield [entry for entry in entries if entry.unit == unit]
        yield [entry for entry in entries if entry.unit.folder == unit.folder]
        yield entries

    def _beyond(self, file: GameFile, path: str) -> GameFile | Missing | None:
        """A file of another root of the input: only a single one of the same Unity version."""
        if "!" in file.input:
            return None
        found = []
        for root, entry in self._root.game.entries_by_name.get(key_of(path), ()):
            opened = root.open(entry) if entry.unit.kind and root is not self._root else None
            if opened is not None and opened.unity_version == file.unity_version:
                found.append(opened)
        if len(found) > 1:
            return self._ambiguous(file, path.rsplit("/", 1)[-1], [other.input for other in found])
        return found[0] if found else None

    def resource(self, file: GameFile, path: str, offset: int, size: int) -> memoryview:
        """A range of a resource file. Raises :class:`Fault` RESOURCE_MISSING or RESOURCE_TRUNCATED."""
        name = path.replace("\\", "/").rsplit("/", 1)[-1]
        for level in self._levels(file, path):
            if len(level) > 1:
                places = [entry.unit.input for entry in level]
                raise Fault(REFERENCE_AMBIGUOUS, f"{name} is in {len(level)} places", file=name, places=places)
            for entry in level:
                data = self._root.game.store.view(entry.address)
                if offset < 0 or size < 0 or offset + size > len(data):
                    raise Fault(
                        RESOURCE_TRUNCATED,
                        f"bytes {offset} to {offset + size} lie past the end of {name} ({len(data)} bytes)",
                        file=name,
                        offset=offset,
                        size=size,
                        length=len(data),
                    )
                return data[offset : offset + size]
        raise Fault(RESOURCE_MISSING, f"{name} is not in the input", file=name, offset=offset, size=size)


def entries_by_name(roots: Iterable[ContentRoot]) -> dict[str, list[tuple[ContentRoot, Entry]]]:
    """What a reference may name from outside its root, by :func:`key_of`."""
    found: dict[str, list[tuple[ContentRoot, Entry]]] = {}
    for root in roots:
        if not root.is_archive:
            for entry in root.resolver.entries:
                found.setdefault(key_of(entry.name), []).append((root, entry))
    return found
