"""At the end of a test run: the Khronos validator on every GLB (and VRM) that tests wrote, 0 errors and 0 warnings.

Files that are damaged on purpose are listed in ``khronos_exceptions.txt``, each with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from unity2gltf.optional import Unavailable
from unity2gltf.validate.khronos import find_khronos, run_khronos

EXCEPTIONS = Path(__file__).with_name("khronos_exceptions.txt")


def exceptions() -> list[tuple[str, str]]:
    """(glob on the path below the run's temporary folder, reason) of each line."""
    lines = (line.partition("#") for line in EXCEPTIONS.read_text("utf-8").splitlines() if line[:1] not in ("", "#"))
    return [(glob.strip(), reason.strip()) for glob, _, reason in lines]


def written_files(folder: Path) -> Iterator[Path]:
    globs = [glob for glob, _ in exceptions()]
    for path in sorted(path for suffix in ("glb", "vrm") for path in folder.rglob(f"*.{suffix}")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and not any(fnmatch(name, glob) for glob in globs):
            yield path


class KhronosGate:
    """A pytest plugin. Without the validator it says so in one line."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        factory = getattr(session.config, "_tmp_path_factory", None)
        if factory is None or session.config.option.collectonly or factory._basetemp is None:
            return
        runner = find_khronos(None)
        if isinstance(runner, Unavailable):
            self.lines.append(f"Khronos check skipped: {runner.reason}")
            return
        paths = list(written_files(factory.getbasetemp()))
        bad = [report for report in run_khronos(paths, runner) if report.errors or report.warnings]
        self.lines.append(f"Khronos: {len(paths)} GLB files that tests wrote, {len(bad)} with errors or warnings")
        self.lines += [f"  {report.path}: {report.messages[:3]}" for report in bad]
        if bad:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.lines:
            terminalreporter.write_line(line)
