"""The quick look: has anything changed since the last run? Answered from names, sizes and times alone.

Imports nothing that is heavy, so that a run which has nothing to do is over at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import OutputError, UsageError
from ..options import Options
from .database import FOLDER, NAME, UNFIT, Database, Stamp
from .lock import locked

REPORT = ("report.json", "index.html")


def run_key(inputs: Sequence[Path], out: Path, options: Options, how: Any) -> str:
    """A digest of what a run was asked for, and of every file that it may read; ``how`` are further settings."""
    digest = hashlib.sha256(json.dumps([__version__, options.to_json(), how]).encode())
    for path in inputs:
        whole = os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises where rights are missing
        for found in _files(path if whole else path.parent, out, deep=whole):
            stamp = Stamp.of(found)
            text = json.dumps([str(found), str(path), stamp and (stamp.size, stamp.mtime)])
            digest.update(text.encode())
    return digest.hexdigest()


def last_counts(out: Path, key: str) -> dict[str, Any] | None:
    """What the last run told of itself, if it had the same key and its files are as it left them; else None.

    Raises UsageError while another run has the folder.
    """
    if not (out / FOLDER / NAME).is_file():
        return None
    try:
        with locked(out / FOLDER):
            told = _told(out, key)
            if told is not None:
                os.utime(out / REPORT[0])  # for Make: it is as new as this run
                _write(out, key, told)
            return told
    except (OutputError, OSError):  # it is the run that says what is wrong with the folder
        return None


def remember(out: Path, key: str, told: dict[str, Any]) -> None:
    """Keep what a run that went through tells of itself, unless another has begun since then."""
    try:
        with locked(out / FOLDER):
            _write(out, key, told)
    except UsageError:
        return


def _told(out: Path, key: str) -> dict[str, Any] | None:
    """The last run's words, where they still hold. A state file that cannot be read is left to the run to mend."""
    try:
        database = Database(out, read_only=True)
        try:
            last = database.meta("run")
            if last is None or last["key"] != key or REPORT[0] not in last["report"]:
                return None
            files = {name: Stamp(*stamp) for name, stamp in last["report"].items()}
            for _, written in database.job_files():
                files |= written
            told: dict[str, Any] = last["told"]
        finally:
            database.close()
    except (sqlite3.Error, *UNFIT):
        return None
    return None if any(Stamp.of(out / name) != stamp for name, stamp in files.items()) else told


def _write(out: Path, key: str, told: dict[str, Any]) -> None:
    database = Database(out)
    try:
        database.set_meta("run", {"key": key, "told": told, "report": _report_stamps(out)})
    finally:
        database.close()


def _report_stamps(out: Path) -> dict[str, tuple[int, int]]:
    stamps = ((name, Stamp.of(out / name)) for name in REPORT)
    return {name: (stamp.size, stamp.mtime) for name, stamp in stamps if stamp is not None}


def _files(folder: Path, out: Path, *, deep: bool) -> Iterator[Path]:
    """Files at (or below) a folder, sorted, without those of OUT; no folder is entered twice."""
    seen = {_identity(out)}
    pending = [folder]
    while pending:
        current = pending.pop()
        identity = _identity(current)
        if identity in seen:
            continue
        seen.add(identity)
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if not _is_folder(entry):
                yield Path(entry.path)
            elif deep:
                pending.append(Path(entry.path))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
