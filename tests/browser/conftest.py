"""One browser and one converted sample for all tests here, which fail where the browser or a part is missing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from unity2gltf import Options, convert
from unity2gltf.preview.look import Look
from unity2gltf.preview.places import find_places
from unity2gltf.preview.run import draw_all
from unity2gltf.preview.viewer.bundle import find_model_viewer
from unity2gltf.preview.viewer.server import Server
from unity2gltf.report.write import rewrite_page
from unity2gltf.sample import write_sample

from .chromium import ENVIRONMENT, NAMES, Browser, find_chromium

BROKEN = "meshes/cut.glb"


@pytest.fixture(scope="session")
def out(tmp_path_factory: pytest.TempPathFactory, filament: str) -> Path:
    """The sample, converted, with pictures, and a file that is cut off."""
    folder = tmp_path_factory.mktemp("browser")
    write_sample(folder / "game", ("2022.3.20f1",))
    convert(folder / "game", folder / "out", Options(verify="none"))
    (folder / "out" / BROKEN).write_bytes((folder / "out/meshes/Hat.glb").read_bytes()[:-100])
    drawn = list(draw_all(find_places([folder / "out"], None), Look(width=128, height=128)))
    assert sum(one.status == "failed" for one in drawn) == 1
    rewrite_page(folder / "out")
    return folder / "out"


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_chromium()
    assert found, f"there is no {', '.join(NAMES)}: install one, or name it by {ENVIRONMENT}"
    return found


@pytest.fixture
def browser(chromium: str) -> Iterator[Browser]:
    """A new browser; afterwards, that it asked for nothing outside of this machine."""
    with Browser(chromium) as browser:
        yield browser
        browser.assert_no_request_left()


@pytest.fixture(scope="session")
def script() -> Path:
    found = find_model_viewer(None)
    assert isinstance(found, Path), found.reason
    return found


@pytest.fixture
def server(out: Path, script: Path) -> Iterator[Server]:
    with Server(out, script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
