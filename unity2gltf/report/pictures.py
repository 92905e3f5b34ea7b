"""The pictures of a run's files: where they are, and which of them are those of the files that are there now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    """The pictures of ``outputs`` (paths relative to ``out``) that are not older than the files they show."""
    found = {}
    for output in outputs:
        still, turntable = (f"{FOLDER}/{name(output)}" for name in (still_name, turntable_name))
        if _shows(out / still, out / output):
            found[output] = Picture(still, turntable if _shows(out / turntable, out / output) else None)
    return found


def _shows(picture: Path, file: Path) -> bool:
    try:
        return picture.stat().st_mtime >= file.stat().st_mtime
    except OSError:  # one of them is not there
        return False
