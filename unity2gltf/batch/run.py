"""A whole run: open every INPUT, convert its content roots one after another, write the report last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import codes
from ..diagnostics import Diagnostic, Diagnostics
from ..errors import UsageError
from ..extract.content import ContentRoot
from ..extract.game import Game
from ..normalize.content import Library
from ..normalize.materials.rules import parse_rules
from ..normalize.textures.encode import require_encoder
from ..options import Options
from ..pipeline import AssetResult, Job, convert_asset
from ..report.write import remove_report, write_report
from ..source import Source
from .clips import ClipPlan, match_clips
from .contents import list_contents
from .inputs import open_inputs
from .names import OutputNames
from .outcome import InputResult, Report
from .plan import FOLDERS, hierarchy_jobs, mesh_jobs

HIERARCHY_SHARE = 0.8  # of a content root's work, at a guess; only the progress bar cares


@dataclass(frozen=True, slots=True)
class Step:
    """One job is done. ``results`` are empty when there was nothing to show; ``fraction`` of the run is behind us, 0 to
    1, by the bytes of its inputs."""

    job: Job
    results: list[AssetResult]
    fraction: float


Progress = Callable[[Step], None]


def convert(
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    options: Options | None = None,
    *,
    progress: Progress | None = None,
) -> Report:
    """Convert one INPUT (a file or folder) or several below ``out``, and write report.json and index.html there.

    Raises InputError for a path that does not exist, UsageError for options that cannot be met here and for an ``out``
    that cannot be a folder or is an INPUT, and OutputError for one that takes no files; everything else that goes wrong
    is in the report.
    """
    options = options or Options()
    parse_rules(options.material_rules)
    require_encoder(options.textures)
    inputs = [inputs] if isinstance(inputs, str | Path) else inputs
    folder = Path(out)
    games = open_inputs(inputs, unity_version=options.unity_version, out=folder)
    make_folder(folder)
    report = Report(options=options)
    names = OutputNames()
    for number, game in enumerate(games):
        if number == 0:
            remove_report(folder)
        for step in _convert_game(game, options, folder, names, report):
            if progress is not None:
                progress(replace(step, fraction=(number + step.fraction) / len(inputs)))
        report.inputs += _inputs(game)
        report.diagnostics += game.diagnostics.items
    write_report(report.to_json(), folder)
    return report


def make_folder(folder: Path) -> None:
    """Make OUT, or say in one sentence why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the output folder {folder} cannot be made: {error.strerror}") from error


def _convert_game(game: Game, options: Options, out: Path, names: OutputNames, report: Report) -> Iterator[Step]:
    """Convert the roots of one INPUT; ``fraction`` is of its bytes."""
    sizes = {item.path: item.size for item in game.inputs}
    total, behind = sum(sizes.values()) or 1, 0
    for root in game.roots:
        size = sum(sizes.get(name, 0) for name in {file.input.partition("!")[0] for file in root.files})
        for step in _convert_root(root, options, out, names, report):
            yield replace(step, fraction=min((behind + size * step.fraction) / total, 1.0))
        behind += size
        root.close()


def _convert_root(root: ContentRoot, options: Options, out: Path, names: OutputNames, report: Report) -> Iterator[Step]:
    """Convert one root; ``fraction`` is the share of its work that is done."""
    library = Library(root)
    results: list[AssetResult] = []
    other: list[Diagnostic] = []
    written: set[Source] = set()
    plan = ClipPlan()

    def name_output(kind: str, path: str, source: Source) -> str:
        return names.take(FOLDERS[kind], path, source)

    def run(jobs: list[Job], before: float, after: float) -> Iterator[Step]:
        for number, job in enumerate(jobs, 1):
            report.tried += 1
            made = convert_asset(job, root, library, options, out, name_output, plan.more)
            shown = [result for result in made if result.status != "empty"]
            other.extend(d for result in made if result.status == "empty" for d in result.diagnostics)
            results.extend(shown)
            written.update(source for result in shown for source in result.uses)
            yield Step(job, shown, before + (after - before) * number / len(jobs))

    planning = Diagnostics()
    with planning.guard(codes.ASSET_FAILED):
        plan = match_clips(root, library, options, planning)
        yield from run(list(hierarchy_jobs(root, options)), 0.0, HIERARCHY_SHARE)
        yield from run(list(mesh_jobs(root, written, options)), HIERARCHY_SHARE, 1.0)
    other += planning.items
    report.assets += results
    report.diagnostics += other
    report.contents += list_contents(root, results, other, plan.left)


def _inputs(game: Game) -> list[InputResult]:
    return [
        InputResult(path=item.path, sha256=item.sha256, status=item.status, reason=item.reason) for item in game.inputs
    ]
