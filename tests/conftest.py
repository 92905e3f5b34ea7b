"""Fixtures, profiles and hooks that every test shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.khronos_gate import KhronosGate
from unity2gltf.optional import Unavailable
from unity2gltf.preview.filament import probe_filament

CORPUS = "UNITY2GLTF_CORPUS"

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60, print_blob=True)
settings.register_profile("dev", deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real Unity files. They are not ours to distribute: tests that need them may be left out."""
    path = Path(os.environ[CORPUS])
    assert path.is_dir(), f"{CORPUS} names no folder: {path}"
    return path


class CorpusTests:
    """Leaves out what needs the corpus when there is none, and says so in one line."""

    def __init__(self) -> None:
        self.left_out = 0

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if os.environ.get(CORPUS):
            return
        without = [item for item in items if "corpus" in getattr(item, "fixturenames", ())]
        self.left_out = len(without)
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if item not in without]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.write_line(f"{CORPUS} is not set: {self.left_out} tests on real files were left out")


@pytest.fixture(scope="session")
def filament() -> str:
    """The renderer of pictures and its version. Tests that draw are left out where it is not installed."""
    found = probe_filament()
    assert isinstance(found, str), found
    return found


class DrawingTests:
    """Leaves out what draws pictures where the renderer is missing, and says so in one line."""

    def __init__(self) -> None:
        self.line = ""

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        drawing = [item for item in items if "filament" in getattr(item, "fixturenames", ())]
        found = probe_filament() if drawing else ""
        if isinstance(found, Unavailable):
            self.line = f"{len(drawing)} tests that draw were left out: {found.reason}"
            config.hook.pytest_deselected(items=drawing)
            items[:] = [item for item in items if item not in drawing]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.line:
            terminalreporter.write_line(self.line)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(CorpusTests(), "corpus-tests")
    config.pluginmanager.register(DrawingTests(), "drawing-tests")
    config.pluginmanager.register(KhronosGate(), "khronos-gate")
