"""The pictures of a run's files: where they are, and which of them are those of the files that are there now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = "previews"
"""Below OUT."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Paths relative to OUT, with ``/``. ``turntable``: the moving picture, where there is one."""

    still: str
    turntable: str | None = None


Pictures = Mapping[str, Picture]
"""By the path of the output."""


def still_name(output: str) -> str:
    """Of the picture of an output, below the folder of pictures."""
    return f"{output}.png"


def turntable_name(output: str) -> str:
    """Of its moving picture."""
    return f"{output}.webp"


def find_pictures(outputs: Iterable[str], out: Path) -> dict[str, Picture]:
    """The pictures of ``outputs`` (paths relative to ``out``) that are not older than the files they show.

    Those of a joined report lie in the folder of the run that wrote the file, above it.
    """
    folders = _Folders(out)
    found = {}
    for output in outputs:
        for home, below in _splits(output):
            if not folders.exists(home):
                continue
            still, turntable = (f"{home}{FOLDER}/{name(below)}" for name in (still_name, turntable_name))
            if _shows(out / still, out / output):
                found[output] = Picture(still, turntable if _shows(out / turntable, out / output) else None)
                break
    return found


def _splits(output: str) -> Iterator[tuple[str, str]]:
    """A path as a folder, "" or with ``/`` at its end, and what is below it, for each folder on the way."""
    parts = output.split("/")
    for number in range(len(parts)):
        yield "".join(f"{part}/" for part in parts[:number]), "/".join(parts[number:])


class _Folders:
    """Which folders hold pictures, each looked up once."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._known: dict[str, bool] = {}

    def exists(self, home: str) -> bool:
        if home not in self._known:
            self._known[home] = (self._out / home / FOLDER).is_dir()
        return self._known[home]


def _shows(picture: Path, file: Path) -> bool:
    try:
        return picture.stat().st_mtime >= file.stat().st_mtime
    except (OSError, ValueError):  # one of them is not there, or cannot be
        return False
