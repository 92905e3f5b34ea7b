"""``OUT/.unity2gltf/state.db``: what is known of the inputs, the plans of content roots, and what jobs gave.

A file that cannot be used, or turns out to be damaged in the middle of a run, is made anew, with one warning: nothing
is lost but time. Values are JSON.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..errors import OutputError

SCHEMA = 1
UNFIT = (ValueError, LookupError, TypeError, AttributeError)
"""What reading JSON raises that is not of the shape expected."""
PATIENCE = 5.0
"""Seconds to wait for another program that has the file."""
FOLDER = ".unity2gltf"
NAME = "state.db"

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS inputs (path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, sha256 TEXT);
CREATE TABLE IF NOT EXISTS plans (root TEXT PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL, files TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Size in bytes and time of the last change in nanoseconds: enough to see that a file is another now."""

    size: int
    mtime: int

    @classmethod
    def of(cls, path: Path) -> Stamp | None:
        """None where there is no such file."""
        try:
            stat = path.stat()
        except OSError:
            return None
        return cls(stat.st_size, stat.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job's key and record as JSON, and the stamps of the files that it wrote, by path relative to OUT."""

    key: str
    value: dict[str, Any]
    files: dict[str, Stamp]


T = TypeVar("T")


class Database:
    """``rebuilt``: there was a state file, and it was of no use. ``read_only``: nothing is written, and what cannot be
    read raises sqlite3.Error or ValueError.

    Raises OutputError where the file cannot be written, or another process does not let go of it.
    """

    def __init__(self, out: Path, *, read_only: bool = False) -> None:
        self._path = out / FOLDER / NAME
        self._read_only = read_only
        self.rebuilt = False
        if read_only:
            self._connection = sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)
            return
        try:
            self._connection = _connect(self._path)
        except (sqlite3.Error, ValueError) as error:
            self._rebuild(error)

    def close(self) -> None:
        try:
            if not self._read_only:
                self.commit()
        finally:
            self._connection.close()

    def commit(self) -> None:
        self._do(lambda connection: connection.commit(), None)

    # --- meta -------------------------------------------------------------------------------------------------------

    def meta(self, key: str) -> Any:
        """A value, or None."""
        rows = self._rows("SELECT value FROM meta WHERE key = ?", (key,), lambda row: json.loads(row[0]))
        return rows[0] if rows else None

    def set_meta(self, key: str, value: Any) -> None:
        self._put("meta", key, json.dumps(value))

    # --- inputs -----------------------------------------------------------------------------------------------------

    def inputs(self) -> dict[str, tuple[Stamp, str | None]]:
        """Stamp and hash of every input, by its path on disk."""
        rows = self._rows(
            "SELECT path, size, mtime, sha256 FROM inputs", (), lambda row: (json.loads(row[0]), *row[1:])
        )
        return {path: (Stamp(size, mtime), sha256) for path, size, mtime, sha256 in rows}

    def set_inputs(self, rows: Iterable[tuple[str, Stamp, str | None]]) -> None:
        """These, and no others."""
        # as JSON: a path may hold bytes that are no text
        values = [(json.dumps(path), stamp.size, stamp.mtime, sha256) for path, stamp, sha256 in rows]

        def run(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM inputs")
            connection.executemany("INSERT OR REPLACE INTO inputs VALUES (?, ?, ?, ?)", values)

        self._do(run, None)

    def forget_input(self, path: str) -> None:
        self._do(lambda connection: connection.execute("DELETE FROM inputs WHERE path = ?", (json.dumps(path),)), None)

    # --- plans and jobs ---------------------------------------------------------------------------------------------

    def plan(self, root: str) -> tuple[str, dict[str, Any]] | None:
        query = "SELECT key, value FROM plans WHERE root = ?"
        rows = self._rows(query, (root,), lambda row: (row[0], json.loads(row[1])))
        return rows[0] if rows else None

    def set_plan(self, root: str, key: str, value: dict[str, Any]) -> None:
        self._put("plans", root, key, json.dumps(value))

    def job(self, id_: str) -> StoredJob | None:
        query = "SELECT key, value, files FROM jobs WHERE id = ?"
        rows = self._rows(query, (id_,), lambda row: StoredJob(row[0], json.loads(row[1]), _files(row[2])))
        return rows[0] if rows else None

    def set_job(self, id_: str, job: StoredJob) -> None:
        files = json.dumps({path: [stamp.size, stamp.mtime] for path, stamp in job.files.items()})
        self._put("jobs", id_, job.key, json.dumps(job.value), files)

    def job_files(self) -> Iterator[tuple[str, dict[str, Stamp]]]:
        """The id and files of every job."""
        return iter(self._rows("SELECT id, files FROM jobs", (), lambda row: (row[0], _files(row[1]))))

    def forget_jobs(self, ids: Iterable[str]) -> None:
        rows = [(id_,) for id_ in ids]
        self._do(lambda connection: connection.executemany("DELETE FROM jobs WHERE id = ?", rows), None)

    # --- what may go wrong ------------------------------------------------------------------------------------------

    def _rows(self, query: str, values: tuple[str, ...], read: Callable[[Any], T]) -> list[T]:
        return self._do(lambda connection: [read(row) for row in connection.execute(query, values)], [])

    def _put(self, table: str, *values: str) -> None:
        marks = ", ".join("?" * len(values))
        query = f"INSERT OR REPLACE INTO {table} VALUES ({marks})"
        self._do(lambda connection: connection.execute(query, values), None)

    def _do(self, run: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What ``run`` gives; where the file is damaged it is made anew, and nothing was in it."""
        try:
            return run(self._connection)
        except (sqlite3.Error, *UNFIT) as error:
            if self._read_only:
                raise ValueError(str(error)) from error
            self._rebuild(error, self._connection)
            return otherwise

    def _rebuild(self, error: Exception, connection: sqlite3.Connection | None = None) -> None:
        """Make the file anew, unless what is wrong is no matter of what is in it."""
        if _is_about_the_disk(error):
            raise OutputError(f"the state file {self._path} cannot be used: {error}") from error
        if connection is not None:
            connection.close()
        self.rebuilt = True
        try:
            for stale in self._path.parent.glob(f"{NAME}*"):
                stale.unlink()
            self._connection = _connect(self._path)
        except (OSError, sqlite3.Error, ValueError) as again:
            raise OutputError(f"the state file {self._path} cannot be made anew: {again}") from again


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level="DEFERRED")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise ValueError("the file is damaged")
        connection.executescript(_TABLES)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA):
            raise ValueError(f"its schema is {version}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
    except BaseException:
        connection.close()
        raise
    return connection


def _files(text: str) -> dict[str, Stamp]:
    return {path: Stamp(size, mtime) for path, (size, mtime) in json.loads(text).items()}


_DISK = frozenset(("BUSY", "LOCKED", "PERM", "READONLY", "IOERR", "FULL", "CANTOPEN", "NOLFS", "NOMEM", "PROTOCOL"))


def _is_about_the_disk(error: Exception) -> bool:
    """Whether the file may be whole: it is locked, no place is left, it may not be opened."""
    name = getattr(error, "sqlite_errorname", "") or ""
    return name.removeprefix("SQLITE_").split("_")[0] in _DISK
