"""A whole run: open every INPUT, convert what the plans of its content roots name, write the report last."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .. import codes
from ..diagnostics import Diagnostic
from ..errors import UsageError
from ..extract.content import ContentRoot
from ..extract.game import Game
from ..normalize.materials.rules import parse_rules
from ..normalize.textures.encode import require_encoder
from ..options import Options
from ..pipeline import BESIDE
from ..report.write import remove_report, write_report
from .clean import remove_leftovers, remove_stale
from .contents import list_contents
from .database import FOLDER
from .executors.inline import Inline
from .executors.processes import Processes
from .executors.tasks import Executor
from .flow import WHOLE, Flow, Shard
from .inputs import open_inputs
from .lock import locked
from .outcome import InputResult, Report
from .place import Placer
from .progress import Meter, Progress
from .records import GameFiles, JobRecord, RootKey, RootPlan, Setting
from .state import State, chooses_all

WORTH_WORKERS = 16 << 20  # bytes of input


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """How a run works, which changes nothing of what it writes.

    ``jobs``: worker processes, 1 = this process alone, None = one a processor where that pays. ``max_memory``: bytes a
    worker may allocate; ``timeout``: seconds an asset may take; both need workers. ``shard``: the part of the plan to
    do. ``dask``: address of a scheduler, or ``local``. ``force``: nothing of an earlier run is taken over;
    ``keep_stale``: its outputs stay though their source is gone.
    """

    jobs: int | None = 1
    max_memory: int | None = None
    timeout: float | None = None
    dask: str | None = None
    shard: Shard = WHOLE
    force: bool = False
    keep_stale: bool = False

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"--jobs must be at least 1, not {self.jobs}")
        if self.timeout is not None and not self.timeout > 0:
            raise UsageError(f"--timeout must be above 0 seconds, not {self.timeout:g}")
        if not 1 <= self.shard.number <= self.shard.count:
            raise UsageError(f"--shard {self.shard.number}/{self.shard.count} is no part of a whole")
        if self.dask is not None and (self.timeout is not None or self.max_memory is not None):
            raise UsageError("--timeout and --max-memory are for workers of this machine: --dask has limits of its own")
        if self.max_memory is not None and self.max_memory < 1:
            raise UsageError(f"--max-memory must be at least one byte, not {self.max_memory}")


def convert(
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    options: Options | None = None,
    *,
    progress: Progress | None = None,
    running: Running | None = None,
) -> Report:
    """Convert one INPUT (a file or folder) or several below ``out``, and write report.json and index.html there.

    Worker processes (``running``) import the caller's main module: a script that asks for them needs the usual
    ``if __name__ == "__main__"``.

    Raises InputError for a path that does not exist, UsageError for options that cannot be met here and for an ``out``
    that cannot be a folder or is an INPUT, and OutputError for one that takes no files; everything else that goes wrong
    is in the report.
    """
    options, running = options or Options(), running or Running()
    parse_rules(options.material_rules)
    require_encoder(options.textures)
    inputs = [inputs] if isinstance(inputs, str | Path) else inputs
    folder = Path(out)
    opening = open_inputs(inputs, unity_version=options.unity_version, out=folder)
    make_folder(folder)
    with locked(folder / FOLDER):
        games = list(opening)
        remove_report(folder)
        with closing(State(folder, games, options, force=running.force)) as state:
            return _run(games, options, running, state, folder, progress)


def _run(
    games: Sequence[Game], options: Options, running: Running, state: State, out: Path, progress: Progress | None
) -> Report:
    remove_leftovers(out, state.database)
    setting = Setting(games=tuple(map(_files, games)), options=options, out=out)
    with closing(_executor(setting, running)) as executor:
        whole = running.shard == WHOLE and chooses_all(options)
        placer = Placer(out, state.kept, {} if whole else state.owners(games))
        flow = Flow(_roots(games), executor, state, placer, Meter(_sizes(games)), progress, running.shard)
        flow.run()
    report = _report(options, games, flow, state)
    report.diagnostics += state.found_changes(games)
    report.read = state.read_files(course.plan for course in flow.courses.values() if course.plan is not None)
    if not running.keep_stale and running.shard == WHOLE:
        remove_stale(out, state, games, options)
    remove_leftovers(out, state.database)
    write_report(report.to_json(), out)
    return report


def make_folder(folder: Path) -> None:
    """Make OUT, or say in one sentence why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageError(f"{folder} is a file, not a folder") from None
    except OSError as error:
        raise UsageError(f"the output folder {folder} cannot be made: {error.strerror}") from error


def _files(game: Game) -> GameFiles:
    exported = None if game.exported is None else frozenset(game.exported)
    return GameFiles(inputs=game.every_input, files=game.files, exported=exported)


def _executor(setting: Setting, running: Running) -> Executor:
    if running.dask is not None:
        from .executors.dask import Dask

        return Dask(setting, running.dask, running.jobs or os.cpu_count() or 1, secrets.token_hex(8))
    count = running.jobs if running.jobs is not None else _paying(setting)
    if count == 1 and running.timeout is None and running.max_memory is None:
        return Inline(setting)
    return Processes(setting, count, max_memory=running.max_memory, timeout=running.timeout)


def _paying(setting: Setting) -> int:
    """One worker a processor, but none for inputs that are done before one has started."""
    size = sum(item.size for game in setting.games for item in game.inputs if item.status == "read")
    return 1 if size < WORTH_WORKERS else os.cpu_count() or 1


def _roots(games: Sequence[Game]) -> list[RootKey]:
    return [(number, root.path) for number, game in enumerate(games) for root in game.roots]


def _sizes(games: Sequence[Game]) -> dict[RootKey, int]:
    """Bytes on disk of each root."""
    sizes = {}
    for number, game in enumerate(games):
        of_file = {item.path: item.size for item in game.inputs}
        for root in game.roots:
            sizes[number, root.path] = sum(of_file.get(name, 0) for name in _input_names(root))
    return sizes


def _input_names(root: ContentRoot) -> set[str]:
    """The input files that a root was made of; archives count as a whole."""
    return {unit.input.partition("!")[0] for unit in root.own_units}


# --- reporting ------------------------------------------------------------------------------------------------------


def _report(options: Options, games: Sequence[Game], flow: Flow, state: State) -> Report:
    report = Report(options=options)
    if state.database.rebuilt:
        report.diagnostics.append(Diagnostic(codes.STATE_REBUILT, codes.STATE_REBUILT.sentence, ""))
    for number, game in enumerate(games):
        found: list[Diagnostic] = list(game.diagnostics.items)
        failed: dict[str, str] = {}
        for root in game.roots:
            course = flow.courses[number, root.path]
            plan = course.plan or RootPlan()
            records = list(course.in_order)
            _add_root(report, plan, records)
            found += plan.diagnostics
            found += [item for record in records for item in record.diagnostics]
            for told in (plan.failed, *(record.failed for record in records)):
                failed = {**told, **failed}
            if plan.failure:
                failed = {**dict.fromkeys(_input_names(root), plan.failure), **failed}
        report.inputs += list(_inputs(game, failed, state.hashes))
        report.diagnostics += sorted(_distinct(found), key=_diagnostic_order)
    return report


def _add_root(report: Report, plan: RootPlan, records: list[JobRecord]) -> None:
    results = [result for record in records for result in record.results]
    shown = [result for result in results if result.is_asset]
    beside = [result for result in results if result.status == BESIDE]
    other = [item for result in results if result.status == "empty" for item in result.diagnostics] + plan.other
    report.tried += len(records)
    report.assets += shown
    report.diagnostics += other
    report.contents += list_contents(plan.contents, plan.unread, shown, other, plan.left, beside)


def _inputs(game: Game, failed: dict[str, str], hashes: dict[str, str | None]) -> Iterator[InputResult]:
    for item in game.inputs:
        status = "failed" if item.path in failed else item.status
        reason = failed.get(item.path, item.reason)
        yield InputResult(path=item.path, sha256=hashes[str(item.disk)], status=status, reason=reason)


def _diagnostic_order(item: Diagnostic) -> tuple[str, str, str, str]:
    """Which worker met something first is chance."""
    return item.where, item.code.name, item.message, repr(item.data)


def _distinct(items: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each once: two workers may have met the same."""
    seen: dict[str, Diagnostic] = {}
    for item in items:
        seen.setdefault(repr(item.to_json()), item)
    return list(seen.values())
