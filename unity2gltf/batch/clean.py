"""What is taken out of OUT: outputs whose source is gone, and what an interrupted run left half-way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..extract.game import Game
from ..options import Options
from .database import FOLDER, Database
from .state import State, chooses_all, source_input

_PART = re.compile(r"\.[0-9a-f]{16}\.part")
_OWN = re.compile(r"state\.db.*|lock")


def remove_leftovers(out: Path, database: Database) -> None:
    """Delete files that wait for a name in vain: no job of the state file knows them."""
    known = {name for _, files in database.job_files() for name in files}
    for path in sorted((out / FOLDER).rglob("*"), reverse=True):
        if path.is_dir():
            _remove_empty(path)
        elif path.relative_to(out).as_posix() not in known and not _OWN.fullmatch(path.name):
            path.unlink(missing_ok=True)
    for folder in {(out / name).parent for name in known}:
        if folder.is_dir():
            for path in folder.iterdir():
                if _PART.fullmatch(path.name):
                    path.unlink(missing_ok=True)


def remove_stale(out: Path, state: State, games: Sequence[Game], options: Options) -> None:
    """Delete outputs of earlier runs whose source is gone, or that lie elsewhere now. A run that was asked for some
    assets only leaves those of others alone."""
    whole = chooses_all(options)
    inputs = {item.path for game in games for item in game.every_input}
    kept: set[str] = set()
    stale: dict[str, set[str]] = {}
    for id_, files in state.database.job_files():
        if id_ in state.seen or (not whole and source_input(id_) in inputs):
            kept.update(files)
        else:
            stale[id_] = set(files)
    for name in sorted(set().union(*stale.values(), state.replaced) - kept):
        path = out / name
        path.unlink(missing_ok=True)
        _remove_empty(path.parent, below=out)
    state.database.forget_jobs(stale)
    state.database.commit()


def _remove_empty(folder: Path, below: Path | None = None) -> None:
    """Remove a folder that holds nothing, and those above it up to ``below``."""
    while folder != below:
        try:
            folder.rmdir()
        except OSError:  # it holds something, or is gone: a worker of a killed run may still be at work
            return
        if below is None:
            return
        folder = folder.parent
