"""``OUT/.unity2gltf/state.db``: what is known of the inputs, the plans of content roots, and what jobs gave.

A file that cannot be used is made anew, with one warning: nothing is lost but time. Values are JSON.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import OutputError

SCHEMA = 1
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


class Database:
    """``rebuilt``: there was a state file, and it was of no use."""

    def __init__(self, out: Path) -> None:
        path = out / FOLDER / NAME
        self.rebuilt = False
        try:
            self._connection = _connect(path)
        except (sqlite3.DatabaseError, ValueError):
            self.rebuilt = True
            for stale in path.parent.glob(f"{NAME}*"):
                stale.unlink()
            self._connection = _connect(path)

    def close(self) -> None:
        self._connection.commit()
        self._connection.close()

    def commit(self) -> None:
        try:
            self._connection.commit()
        except sqlite3.OperationalError as error:
            raise OutputError(f"the state file cannot be written: {error}") from error

    # --- meta -------------------------------------------------------------------------------------------------------

    def meta(self, key: str) -> Any:
        """A value, or None."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def set_meta(self, key: str, value: Any) -> None:
        self._put("meta", key, json.dumps(value))

    # --- inputs -----------------------------------------------------------------------------------------------------

    def inputs(self) -> dict[str, tuple[Stamp, str | None]]:
        """Stamp and hash of every input, by its path on disk."""
        rows = self._connection.execute("SELECT path, size, mtime, sha256 FROM inputs")
        return {json.loads(path): (Stamp(size, mtime), sha256) for path, size, mtime, sha256 in rows}

    def set_inputs(self, rows: Iterable[tuple[str, Stamp, str | None]]) -> None:
        """These, and no others."""
        self._connection.execute("DELETE FROM inputs")
        # as JSON: a path may hold bytes that are no text
        values = [(json.dumps(path), stamp.size, stamp.mtime, sha256) for path, stamp, sha256 in rows]
        self._connection.executemany("INSERT OR REPLACE INTO inputs VALUES (?, ?, ?, ?)", values)

    def forget_input(self, path: str) -> None:
        self._connection.execute("DELETE FROM inputs WHERE path = ?", (json.dumps(path),))

    # --- plans and jobs ---------------------------------------------------------------------------------------------

    def plan(self, root: str) -> tuple[str, dict[str, Any]] | None:
        row = self._connection.execute("SELECT key, value FROM plans WHERE root = ?", (root,)).fetchone()
        return None if row is None else (row[0], json.loads(row[1]))

    def set_plan(self, root: str, key: str, value: dict[str, Any]) -> None:
        self._put("plans", root, key, json.dumps(value))

    def job(self, id_: str) -> StoredJob | None:
        row = self._connection.execute("SELECT key, value, files FROM jobs WHERE id = ?", (id_,)).fetchone()
        return None if row is None else StoredJob(row[0], json.loads(row[1]), _files(row[2]))

    def set_job(self, id_: str, job: StoredJob) -> None:
        files = json.dumps({path: [stamp.size, stamp.mtime] for path, stamp in job.files.items()})
        self._put("jobs", id_, job.key, json.dumps(job.value), files)

    def job_files(self) -> Iterator[tuple[str, dict[str, Stamp]]]:
        """The id and files of every job."""
        rows = self._connection.execute("SELECT id, files FROM jobs").fetchall()
        return ((id_, _files(files)) for id_, files in rows)

    def forget_jobs(self, ids: Iterable[str]) -> None:
        self._connection.executemany("DELETE FROM jobs WHERE id = ?", [(id_,) for id_ in ids])

    def _put(self, table: str, *values: str) -> None:
        marks = ", ".join("?" * len(values))
        try:
            self._connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", values)
        except sqlite3.OperationalError as error:
            raise OutputError(f"the state file cannot be written: {error}") from error


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level="DEFERRED")
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
