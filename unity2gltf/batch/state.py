"""What an earlier run left that still holds: plans and jobs by keys of all that they depend on.

A job depends on the options, on the files on disk that its own file leads to, on all files of its content root where it
asked for names by their hash, and on the names of all files where a reference led nowhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import __version__, codes
from ..diagnostics import Diagnostic
from ..extract.game import Game
from ..extract.walk import InputFile
from ..options import Options
from ..pipeline import Job
from .database import UNFIT, Database, Stamp, StoredJob
from .records import (
    PASSING,
    JobRecord,
    RootKey,
    RootPlan,
    plan_from_json,
    plan_to_json,
    record_from_json,
    record_to_json,
)

FILTERS = ("include", "name", "exclude", "container")
"""Options that choose jobs and change none."""

_HASHERS = 2


class State:
    """Of one run. ``hashes``: SHA-256 of every input file by its path on disk; None for what is no regular file.

    ``kept``: files of jobs that still hold; ``seen``: ids of the run's jobs; ``replaced``: files of jobs that were done
    anew, or lie elsewhere now.
    """

    def __init__(self, out: Path, games: Sequence[Game], options: Options, *, force: bool = False) -> None:
        self._out = out
        self.database = Database(out)
        self._options = options
        self.hashes = self._hash_inputs([item for game in games for item in game.every_input])
        self._listings = [_digest([item.path for item in game.every_input]) for game in games]
        self._roots = {
            (number, root.path): sorted({unit.address[0] for unit in root.own_units})
            for number, game in enumerate(games)
            for root in game.roots
        }
        self._disks = {key: self._with_parts(games[key[0]], disks) for key, disks in self._roots.items()}
        if force:
            self.database.forget_jobs([id_ for id_, _ in self.database.job_files()])
        self.kept: set[str] = set()
        self.seen: set[str] = set()
        self.replaced: set[str] = set()

    @staticmethod
    def _with_parts(game: Game, disks: Iterable[str]) -> list[str]:
        return sorted({str(part) for disk in disks for part in game.store.files(disk)})

    def close(self) -> None:
        self.database.close()

    def found_changes(self, games: Sequence[Game]) -> list[Diagnostic]:
        """Inputs that are no longer what they were when the run began. What came of them does not count later."""
        found = []
        for item in (item for game in games for item in game.inputs):
            if item.mtime and Stamp.of(item.disk) != Stamp(item.size, item.mtime):
                self.database.forget_input(str(item.disk))
                found.append(Diagnostic(codes.INPUT_CHANGED, f"{item.path} changed while it was read", item.path))
        return found

    def read_files(self, plans: Iterable[RootPlan]) -> list[str]:
        """Paths on disk of every file that outputs were, or may have been, made from."""
        own = {disk for disks in self._disks.values() for disk in disks}
        return sorted(own | {disk for plan in plans for disks in plan.closure.values() for disk in disks})

    # --- plans ------------------------------------------------------------------------------------------------------

    def plan(self, root: RootKey) -> RootPlan | None:
        """The plan of a root, if nothing that it was made of has changed."""
        stored = self.database.plan(_root_id(root))
        if stored is None:
            return None
        try:
            plan = plan_from_json(stored[1])
        except UNFIT:
            return None
        return plan if stored[0] == self._plan_key(root, plan) else None

    def keep_plan(self, root: RootKey, plan: RootPlan) -> None:
        if plan.failure is None:
            self.database.set_plan(_root_id(root), self._plan_key(root, plan), plan_to_json(plan))
            self.database.commit()

    def _plan_key(self, root: RootKey, plan: RootPlan) -> str:
        disks = {disk for disks in plan.closure.values() for disk in disks} | set(self._disks[root])
        return _digest([self._options_text(filters=True), self._listings[root[0]], self._hashes_of(disks)])

    def owners(self, games: Sequence[Game]) -> dict[str, str]:
        """The job whose output lies at a path (case-folded, without extension). A run that does a part of the plan
        leaves these names alone, as the whole run would."""
        inputs = {item.path for game in games for item in game.every_input}
        return {
            name[: name.rindex(".")].casefold(): id_
            for id_, files in self.database.job_files()
            for name in files
            if name.endswith((".glb", ".gltf", ".vrm", ".muscles.json")) and source_input(id_) in inputs
        }

    # --- jobs -------------------------------------------------------------------------------------------------------

    def record(self, root: RootKey, job: Job, plan: RootPlan) -> JobRecord | None:
        """What a job gave, if nothing that it depends on has changed and its files are as they were."""
        id_ = job_id(root, job)
        self.seen.add(id_)
        stored = self.database.job(id_)
        if stored is None:
            return None
        try:
            record = record_from_json(stored.value)
        except UNFIT:
            return None
        if stored.key != self._job_key(root, job, plan, record) or not self._are_there(stored.files):
            self.replaced.update(stored.files)
            return None
        self.kept.update(stored.files)
        # the path wanted may have changed without the rest: a bundle's container, for one
        results = tuple(
            replace(item, path=job.path, name=job.name) if item.source == job.source else item
            for item in record.results
        )
        return replace(record, results=results)

    def keep_record(self, root: RootKey, job: Job, plan: RootPlan, record: JobRecord) -> None:
        """Keep what a job gave, unless it is to be tried again."""
        if any(item.code in PASSING for result in record.results for item in result.diagnostics):
            self.database.forget_jobs([job_id(root, job)])
            self.database.commit()
            return
        files = {name: stamp for result in record.results for name in result.files if (stamp := self._stamp(name))}
        stored = self.database.job(job_id(root, job))
        self.replaced.update(stored.files if stored else ())
        key = self._job_key(root, job, plan, record)
        self.database.set_job(job_id(root, job), StoredJob(key, record_to_json(record), files))
        self.database.commit()

    def _job_key(self, root: RootKey, job: Job, plan: RootPlan, record: JobRecord) -> str:
        file = (job.source.input, job.source.file)
        disks = set(plan.closure.get(file, ())) | (set(self._disks[root]) if record.names_used else set())
        more = [
            (str(owner), [str(clip) for clip in clips]) for owner, clips in plan.more.items() if owner.file == file[1]
        ]
        listing = self._listings[root[0]] if file in plan.open_ends else ""
        return _digest([self._options_text(filters=False), self._hashes_of(disks), more, listing])

    def _are_there(self, files: dict[str, Stamp]) -> bool:
        return all(self._stamp(name) == stamp for name, stamp in files.items())

    def _stamp(self, name: str) -> Stamp | None:
        return Stamp.of(self._out / name)

    # --- what keys are made of --------------------------------------------------------------------------------------

    def _options_text(self, *, filters: bool) -> str:
        values = self._options.to_json()
        return json.dumps([__version__, {key: value for key, value in values.items() if filters or key not in FILTERS}])

    def _hashes_of(self, disks: Iterable[str]) -> list[str | None]:
        return [self.hashes.get(disk) for disk in sorted(disks)]

    def _hash_inputs(self, items: Sequence[InputFile]) -> dict[str, str | None]:
        """Hash what is new or changed since the last run; two at a time, since hashing lets go of the lock."""
        known = self.database.inputs()
        stamps = {str(item.disk): Stamp(item.size, item.mtime) for item in items}
        new = [item for item in items if known.get(str(item.disk), (None,))[0] != stamps[str(item.disk)]]
        hashes = {disk: known[disk][1] for disk in stamps if disk in known}
        with ThreadPoolExecutor(_HASHERS) as pool:
            hashes |= zip((str(item.disk) for item in new), pool.map(lambda item: item.sha256, new), strict=True)
        self.database.set_inputs((disk, stamp, hashes[disk]) for disk, stamp in stamps.items())
        self.database.commit()
        return hashes


def chooses_all(options: Options) -> bool:
    """No asset is left out for its kind, name or place."""
    return all(getattr(options, name) == getattr(Options(), name) for name in FILTERS)


def _root_id(root: RootKey) -> str:
    return json.dumps(root)


def job_id(root: RootKey, job: Job) -> str:
    source = job.source
    return json.dumps([root[0], job.kind, source.input, source.file, str(source.path_id)])


def source_input(id_: str) -> str:
    """The input of the object that a job's id names."""
    return str(json.loads(id_)[2])


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode("utf-8", "surrogatepass")).hexdigest()
