"""A game as its files lie on disk: :func:`open_game` looks at the first bytes of every file, and no further.

A content root (``content``) lists and parses its files when first asked.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from ..diagnostics import Diagnostics
from ..errors import InputError, UsageError
from .codecs import readable
from .content import ContentRoot, GameFile
from .resolve import Entry, entries_by_name
from .roots import Unit, group
from .serialized import parse_version
from .store import Store
from .walk import Found, InputFile, list_files, look


class Game:
    """One INPUT argument: a file, or a folder with one or many games."""

    def __init__(
        self,
        inputs: list[InputFile],
        files: list[Found],
        exported: set[str] | None,
        unity_version: str | None,
        diagnostics: Diagnostics,
    ) -> None:
        self.diagnostics = diagnostics
        self.unity_version = unity_version
        self.store = Store(unity_version)
        self.opened: dict[tuple[str, str], GameFile] = {}
        self.every_input = inputs
        self.files = files
        self.exported = exported
        self._items = {str(item.disk): item for item in inputs}

    @property
    def inputs(self) -> list[InputFile]:
        """The files that were asked for; ``every_input`` has those that lie around a single one, too."""
        return [item for item in self.every_input if self.exported is None or item.path in self.exported]

    @cached_property
    def roots(self) -> list[ContentRoot]:
        """Content roots, sorted by path; nothing of them is read yet."""
        grouped = group(self.files, self.exported, self.store, self.diagnostics)
        return [ContentRoot(self, path, units) for path, units in grouped.items()]

    @cached_property
    def entries_by_name(self) -> dict[str, list[tuple[ContentRoot, Entry]]]:
        """The names of all roots but archives, kept when roots are closed: files are listed once."""
        return entries_by_name(self.roots)

    def fail(self, unit: Unit, reason: str) -> None:
        """A file of the input (or something in it) could not be read."""
        for disk in self.store.files(unit.address[0]):
            item = self._items.get(str(disk))
            if item is not None:
                item.fail(reason)


def open_game(
    path: str | Path,
    *,
    unity_version: str | None = None,
    diagnostics: Diagnostics | None = None,
    without: Path | None = None,
    label: str = "",
) -> Game:
    """Look at every file of an input. ``unity_version`` is used for files that name none; the folder ``without`` is
    not entered; ``label`` goes before every path of the input.

    Raises :class:`InputError` when the path does not exist, :class:`UsageError` for a version that is none.
    """
    path = Path(path)
    if unity_version is not None and parse_version(unity_version) is None:
        raise UsageError(f"{unity_version!r} is not a Unity version such as 2019.4.40f1")
    diagnostics = Diagnostics() if diagnostics is None else diagnostics
    if path.is_dir():
        inputs, files = look(list_files(path, diagnostics, without), path, diagnostics, label)
        return Game(inputs, files, None, unity_version, diagnostics)
    if not path.exists():
        raise InputError(f"there is no such file or folder: {path}")
    around = (entry for entry in sorted(path.parent.iterdir()) if not entry.is_dir())
    inputs, files = look(around, path.parent, Diagnostics() if path.name else diagnostics, label)
    return Game(inputs, files, {label + readable(path.name)}, unity_version, diagnostics)
