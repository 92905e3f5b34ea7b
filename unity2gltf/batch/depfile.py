"""A rule for Make that tells what report.json was made from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..errors import OutputError

_SPECIAL = re.compile(r"([\\ #:%])")


def write_depfile(path: Path, target: Path, prerequisites: Iterable[Path]) -> None:
    """Write ``target: prerequisites`` to ``path``, and an empty rule for each prerequisite, so that one that is deleted
    is no error. Make has no way to write a name with a line break: such files are left out. Raises OutputError."""
    names = [escaped(item) for item in prerequisites if "\n" not in str(item)]
    lines = [f"{escaped(target)}: \\\n  " + " \\\n  ".join(names), *(f"{name}:" for name in names)]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error


def escaped(path: Path) -> str:
    """A file name as Make reads it."""
    return _SPECIAL.sub(r"\\\1", path.as_posix()).replace("$", "$$")
