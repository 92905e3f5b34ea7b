"""What a worker does: open content roots, look through them, and convert their assets. One a process.

The last roots stay open, so that the jobs of a root that run one after another share what was decoded.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from ..codes import ASSET_FAILED
from ..diagnostics import Diagnostic, Diagnostics
from ..extract.content import ContentRoot
from ..extract.game import Game
from ..normalize.content import Library
from ..pipeline import Job, convert_asset
from ..source import Source
from .names import output_path
from .plan import FOLDERS, drawn_meshes, plan_root
from .records import JobRecord, PlannedJob, RootKey, RootPlan, Setting

OPEN_ROOTS = 2
WAITING = ".unity2gltf"
"""Below OUT: where files wait for their last names, which depend on what other jobs write."""


class Worker:
    """Made once in a process; :meth:`plan`, :meth:`convert` and :meth:`draws` are its tasks."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._games: dict[int, Game] = {}
        self._open: OrderedDict[RootKey, tuple[ContentRoot, Library]] = OrderedDict()
        self._told: dict[int, int] = {}

    def plan(self, key: RootKey) -> RootPlan:
        """Look through a root."""
        start = time.perf_counter()
        plan = plan_root(*self._root(key), self._setting.options)
        plan.diagnostics = self._news(key)
        plan.failed = self._failed(key)
        _hold_memory_to(plan.diagnostics + plan.other)
        plan.seconds = time.perf_counter() - start
        return plan

    def convert(self, planned: PlannedJob) -> JobRecord:
        """Convert one asset, and with ``--clips library`` its clips. Raises MemoryError where memory ran out: what was
        written may lack parts."""
        start = time.perf_counter()
        root, library = self._root(planned.root)
        asked = root.whole_root_lookups
        results = convert_asset(
            planned.job,
            root,
            library,
            self._setting.options,
            self._setting.out,
            _namer(planned),
            planned.more,
        )
        news = self._news(planned.root)
        _hold_memory_to([*news, *(item for result in results for item in result.diagnostics)])
        return JobRecord(
            results=tuple(results),
            diagnostics=tuple(news),
            failed=self._failed(planned.root),
            names_used=root.whole_root_lookups > asked,
            seconds=time.perf_counter() - start,
        )

    def draws(self, asked: tuple[RootKey, Sequence[Job]]) -> set[Source]:
        """The meshes that hierarchies of a root draw by default, found without decoding anything."""
        key, jobs = asked
        drawn: set[Source] = set()
        for job in jobs:
            with Diagnostics().guard(ASSET_FAILED):  # told of where the hierarchy is converted
                root, _ = self._root(key)
                drawn |= drawn_meshes(job, root, self._setting.options)
        return drawn

    def _root(self, key: RootKey) -> tuple[ContentRoot, Library]:
        if key not in self._open:
            while len(self._open) >= OPEN_ROOTS:
                self._open.popitem(last=False)[1][0].close()
            root = next(root for root in self._game(key[0]).roots if root.path == key[1])
            assert root.files is not None  # opened: objects are asked for by their file's name
            self._open[key] = root, Library(root)
        self._open.move_to_end(key)
        return self._open[key]

    def _game(self, number: int) -> Game:
        if number not in self._games:
            files = self._setting.games[number]
            exported = None if files.exported is None else set(files.exported)
            game = Game(files.inputs, files.files, exported, self._setting.options.unity_version, Diagnostics())
            assert game.roots is not None  # grouped now; what is wrong with archives was told by who planned the run
            self._games[number], self._told[number] = game, len(game.diagnostics.items)
        return self._games[number]

    def _news(self, key: RootKey) -> list[Diagnostic]:
        """What the INPUT's own diagnostics have got since the last task."""
        items = self._game(key[0]).diagnostics.items
        news = items[self._told[key[0]] :]
        self._told[key[0]] = len(items)
        return news

    def _failed(self, key: RootKey) -> dict[str, str]:
        return {item.path: item.reason or "" for item in self._game(key[0]).inputs if item.status == "failed"}


def _hold_memory_to(found: Iterable[Diagnostic]) -> None:
    """Raise the MemoryError that was survived as one object's, if there was any: it says nothing of the object."""
    if any(str(item.data.get("exception", "")).endswith("MemoryError") for item in found):
        raise MemoryError


def _namer(planned: PlannedJob) -> Callable[[str, str, Source], str]:
    """A path for each file of a job to wait at, as deep below OUT as its last one will be: URIs stay as they are."""
    job = planned.job
    own = hashlib.sha1(repr((planned.root, job.kind, job.source)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    count = 0

    def name(kind: str, path: str, source: Source) -> str:
        nonlocal count
        count += 1
        depth = output_path(FOLDERS[kind], path).count("/")
        return f"{WAITING}/{'d/' * (depth - 1)}{own}-{count}"

    return name
