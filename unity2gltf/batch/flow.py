"""The course of a run: roots are planned, their hierarchies converted, then the meshes that no hierarchy used.

Tasks finish in any order; outputs are placed, and progress told, in the order of the plan.
"""

from __future__ import annotations

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


@dataclass(slots=True)
class RootCourse:
    """One root: its plan, then its jobs with what became of them, by stage. ``meshes`` is None until every hierarchy is
    converted."""

    plan: RootPlan | None = None
    hierarchies: list[Job] = field(default_factory=list)
    meshes: list[Job] | None = None
    records: dict[tuple[str, Source], JobRecord] = field(default_factory=dict)

    @property
    def in_order(self) -> Iterator[JobRecord]:
        """Records of all jobs, in the order of the plan."""
        return (self.records[job.kind, job.source] for job in (*self.hierarchies, *(self.meshes or ())))


class Flow:
    """Runs the tasks of ``roots`` on an executor."""

    def __init__(
        self, roots: Sequence[RootKey], executor: Executor, placer: Placer, meter: Meter, progress: Progress | None
    ) -> None:
        self.courses = {root: RootCourse() for root in roots}
        self._executor = executor
        self._placer = placer
        self._meter = meter
        self._progress = progress
        self._hierarchies = self._placing(hierarchies=True)
        self._meshes = self._placing(hierarchies=False)

    def run(self) -> None:
        for root in self.courses:
            self._executor.submit(Task("plan", root, root))
        for done in self._executor.outcomes():
            self._take(done)
            next(self._hierarchies, None)
            next(self._meshes, None)

    def _take(self, done: Done) -> None:
        root = done.task.root
        course = self.courses[root]
        if done.task.method == "plan":
            course.plan = RootPlan(failure=done.failure) if done.failure else done.value
            course.hierarchies = course.plan.jobs
            for job in course.hierarchies:
                self._submit(root, job, course.plan.more)
        else:
            job = done.task.argument.job
            course.records[job.kind, job.source] = failed_record(job, done.failure) if done.failure else done.value
        if course.meshes is None and len(course.records) == len(course.hierarchies):
            course.meshes = list(_unused(course))
            for job in course.meshes:
                self._submit(root, job, {})

    def _submit(self, root: RootKey, job: Job, more: dict[Source, list[Source]]) -> None:
        own = {owner: clips for owner, clips in more.items() if owner.file == job.source.file}
        self._executor.submit(Task("convert", PlannedJob(root=root, job=job, more=own), root))

    def _placing(self, *, hierarchies: bool) -> Iterator[None]:
        """Places what can be placed each time it is asked; hierarchies and meshes share no paths."""
        for root, course in self.courses.items():
            while course.plan is None or (not hierarchies and course.meshes is None):
                yield
            jobs = course.hierarchies if hierarchies else course.meshes or []
            for number, job in enumerate(jobs, 1):
                while (job.kind, job.source) not in course.records:
                    yield
                record = self._placer.place(course.records[job.kind, job.source])
                course.records[job.kind, job.source] = record
                part = number / len(jobs)
                share = part * HIERARCHY_SHARE if hierarchies else HIERARCHY_SHARE + part * (1 - HIERARCHY_SHARE)
                self._tell(root, job, record, share)

    def _tell(self, root: RootKey, job: Job, record: JobRecord, share: float) -> None:
        fraction = self._meter.done(root, share)
        if self._progress is not None:
            shown = [result for result in record.results if result.status != "empty"]
            self._progress(Step(job, shown, fraction))


def _unused(course: RootCourse) -> Iterator[Job]:
    """Mesh jobs of meshes that no written hierarchy of the root uses."""
    used = {source for record in course.records.values() for result in record.results for source in result.uses}
    assert course.plan is not None
    return (job for job in course.plan.meshes if job.source not in used)


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
