"""A rule for Make that tells what report.json was made from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..errors import OutputError

_EQUALS = "unity2gltf_equals"
"""A variable for what would make an assignment of a rule, and has no escape."""
_SPECIAL = re.compile(r"(\\*)([ #:|]|$)")
_UNSPEAKABLE = re.compile(r"[\n\r\t;]")


def write_depfile(path: Path, target: Path, prerequisites: Iterable[Path]) -> None:
    """Write ``target: prerequisites`` to ``path``, and an empty rule for each prerequisite, so that one that is deleted
    is no error. Make has no way to write a name with a line break, tab or semicolon: such files are left out. Raises
    OutputError."""
    files = [item for item in prerequisites if not _UNSPEAKABLE.search(str(item))]
    lines = [
        f"{_EQUALS} := =",
        f"{as_target(target)}: \\\n  " + " \\\n  ".join(map(escaped, files)),
        *(f"{as_target(file)}:" for file in files),
    ]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error


def escaped(path: Path) -> str:
    """A file name as Make reads it among prerequisites. A backslash means itself, but before a special character."""
    text = path.as_posix().replace("$", "$$").replace("=", f"$({_EQUALS})")
    return _SPECIAL.sub(lambda found: found[1] * 2 + (f"\\{found[2]}" if found[2] else ""), text)


def as_target(path: Path) -> str:
    """A file name as Make reads it before the colon, where ``%`` would make a pattern of it, and ``|`` means itself."""
    text = re.sub(r"(\\*)%", lambda found: found[1] * 2 + "\\%", escaped(path))
    return re.sub(r"(\\+)\|", lambda found: found[1][: len(found[1]) // 2] + "|", text)
