"""The course of a run: roots are planned, their hierarchies converted, then the meshes that no hierarchy used.

Tasks finish in any order; outputs are placed, and progress told, in the order of the plan.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .. import codes
from ..diagnostics import Diagnostic
from ..pipeline import AssetResult, Job
from ..source import Source
from .executors.tasks import Done, Executor, Task
from .place import Placer
from .progress import HIERARCHY_SHARE, Meter, Progress, Step
from .records import JobRecord, PlannedJob, RootKey, RootPlan
from .state import State, job_id


@dataclass(frozen=True, slots=True)
class Shard:
    """The ``number``-th of ``count`` parts of a plan, from 1 on. Which part a job is in depends on its source alone."""

    number: int
    count: int

    def has(self, job: Job) -> bool:
        source = job.source
        text = f"{job.kind}:{source.input}:{source.file}:{source.path_id}"
        digest = hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
        return int.from_bytes(digest[:8]) % self.count == self.number - 1


WHOLE = Shard(1, 1)


@dataclass(slots=True)
class RootCourse:
    """One root: its plan, then its jobs with what became of them, by stage. ``elsewhere``: the meshes that hierarchies
    of other shards draw, None until that is known. ``meshes`` is None until every hierarchy is converted."""

    plan: RootPlan | None = None
    hierarchies: list[Job] = field(default_factory=list)
    elsewhere: set[Source] | None = field(default_factory=set)
    meshes: list[Job] | None = None
    records: dict[tuple[str, Source], JobRecord] = field(default_factory=dict)

    @property
    def in_order(self) -> Iterator[JobRecord]:
        """Records of all jobs, in the order of the plan."""
        return (self.records[job.kind, job.source] for job in (*self.hierarchies, *(self.meshes or ())))


class Flow:
    """Runs the tasks of ``roots`` on an executor."""

    def __init__(
        self,
        roots: Sequence[RootKey],
        executor: Executor,
        state: State,
        placer: Placer,
        meter: Meter,
        progress: Progress | None,
        shard: Shard = WHOLE,
    ) -> None:
        self._shard = shard
        self.courses = {root: RootCourse() for root in roots}
        self._state = state
        self._executor = executor
        self._placer = placer
        self._meter = meter
        self._progress = progress
        self._placing = self._places()

    def run(self) -> None:
        """Begin every root, and go on until all is done. What still holds of an earlier run is not done again."""
        for root in self.courses:
            plan = self._state.plan(root)
            if plan is None:
                self._executor.submit(Task("plan", root, root))
            else:
                self._begin(root, plan)
        self._place()
        for done in self._executor.outcomes():
            self._take(done)
            self._place()

    def _take(self, done: Done) -> None:
        root = done.task.root
        course = self.courses[root]
        if done.task.method == "plan":
            plan = failed_plan(root, done.failure) if done.failure else done.value
            self._state.keep_plan(root, plan)
            self._begin(root, plan)
            return
        if done.task.method == "draws":
            course.elsewhere = done.value or set()
            self._begin_meshes(root)
            return
        job: Job = done.task.argument.job
        record = failed_record(job, done.failure) if done.failure else done.value
        assert course.plan is not None
        self._state.keep_record(root, job, course.plan, record)
        course.records[job.kind, job.source] = record
        self._begin_meshes(root)

    def _begin(self, root: RootKey, plan: RootPlan) -> None:
        course = self.courses[root]
        course.plan = plan
        course.hierarchies = [job for job in plan.jobs if self._shard.has(job)]
        others = [job for job in plan.jobs if not self._shard.has(job)]
        if others and plan.meshes:
            course.elsewhere = None
            self._executor.submit(Task("draws", (root, others), root))
        for job in course.hierarchies:
            self._submit(root, job)
        self._begin_meshes(root)

    def _begin_meshes(self, root: RootKey) -> None:
        """Once every hierarchy of a root is converted, it is known which meshes nothing uses."""
        course = self.courses[root]
        converted = len(course.records) == len(course.hierarchies)
        if course.meshes is None and course.elsewhere is not None and converted:
            course.meshes = [job for job in _unused(course) if self._shard.has(job)]
            for job in course.meshes:
                self._submit(root, job)

    def _submit(self, root: RootKey, job: Job) -> None:
        course = self.courses[root]
        assert course.plan is not None
        record = self._state.record(root, job, course.plan)
        if record is not None:
            course.records[job.kind, job.source] = record
            return
        own = {owner: clips for owner, clips in course.plan.more.items() if owner.file == job.source.file}
        self._executor.submit(Task("convert", PlannedJob(root=root, job=job, more=own), root))

    def _place(self) -> None:
        next(self._placing, None)

    def _places(self) -> Iterator[None]:
        """Places, and tells of, what can be placed each time it is asked: root by root, hierarchies before meshes."""
        for root, course in self.courses.items():
            while course.plan is None:
                yield
            for number, job in enumerate(course.hierarchies, 1):
                while (job.kind, job.source) not in course.records:
                    yield
                self._place_job(root, course, job, number / len(course.hierarchies) * HIERARCHY_SHARE)
            while course.meshes is None:
                yield
            for number, job in enumerate(course.meshes, 1):
                while (job.kind, job.source) not in course.records:
                    yield
                part = number / len(course.meshes)
                self._place_job(root, course, job, HIERARCHY_SHARE + part * (1 - HIERARCHY_SHARE))

    def _place_job(self, root: RootKey, course: RootCourse, job: Job, share: float) -> None:
        record = course.records[job.kind, job.source]
        placed = self._placer.place(record, job_id(root, job))
        course.records[job.kind, job.source] = placed
        if placed.results != record.results:
            assert course.plan is not None
            self._state.keep_record(root, job, course.plan, placed)
        self._tell(root, job, placed, share)

    def _tell(self, root: RootKey, job: Job, record: JobRecord, share: float) -> None:
        fraction = self._meter.done(root, share)
        if self._progress is not None:
            shown = [result for result in record.results if result.is_asset]
            self._progress(Step(job, shown, fraction))


def _unused(course: RootCourse) -> Iterator[Job]:
    """Mesh jobs of meshes that no written hierarchy of the root uses."""
    used = {source for record in course.records.values() for result in record.results for source in result.uses}
    used |= course.elsewhere or set()
    assert course.plan is not None
    return (job for job in course.plan.meshes if job.source not in used)


def failed_plan(root: RootKey, why: str) -> RootPlan:
    """A root whose worker died while it looked through it has no assets."""
    text = f"what {root[1] or 'the input'} holds could not be listed: {why}"
    return RootPlan(failure=text, diagnostics=[Diagnostic(codes.WORKER_DIED, text, root[1])])


def failed_record(job: Job, why: str | None) -> JobRecord:
    """A job whose worker died, or took too long, is a failed asset."""
    where = job.source.place(job.name)
    diagnostic = Diagnostic(codes.WORKER_DIED, f"{job.kind} {job.name!r} was given up: {why}", where, {}, job.source)
    result = AssetResult(
        kind=job.kind,
        name=job.name,
        path=job.path,
        source=job.source,
        output=None,
        status="failed",
        reason=diagnostic.message,
        diagnostics=(diagnostic,),
    )
    return JobRecord(results=(result,))
