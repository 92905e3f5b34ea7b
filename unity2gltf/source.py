"""Where a thing comes from: the identity of one Unity object within a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """One object of one serialized file. Hashable: the key of every cache and look-up.

    ``input`` is the file's path relative to the INPUT argument, with ``/`` separators and the members of
    archives (zip, apk, WebGL data) after ``!``; ``file`` the serialized file's own name (``CAB-..``, ``level0``);
    ``type`` the Unity class name (``Mesh``).
    """

    input: str
    file: str
    path_id: int
    type: str

    def mark(self) -> dict[str, str]:
        """The ``extras.unity`` source mark. ``path_id`` is a string: 64-bit ids outgrow JavaScript numbers."""
        return {"input": self.input, "file": self.file, "path_id": str(self.path_id), "type": self.type}

    @classmethod
    def from_mark(cls, mark: Mapping[str, str]) -> Source:
        """The source that :meth:`mark` told of."""
        return cls(mark["input"], mark["file"], int(mark["path_id"]), mark["type"])

    def place(self, name: str) -> str:
        """The first part of a diagnostic's ``where``: ``file:path_id/Type "name"``."""
        return f'{self.file}:{self.path_id}/{self.type} "{name}"'


@dataclass(frozen=True, slots=True)
class Missing:
    """A reference that leads nowhere: the file wanted, the id in it, and why it could not be followed."""

    file: str
    path_id: int
    reason: str  # "file not found", "no such object", "ambiguous", "unreadable"

    def __str__(self) -> str:
        return f"{self.file}:{self.path_id} ({self.reason})"


Reference = Source | Missing | None
"""What a PPtr comes to: an object, a reference that leads nowhere, or null."""
