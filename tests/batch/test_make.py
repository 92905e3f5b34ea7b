"""``examples/convert.mk`` with real make."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.batch.small import bundle, contents, paths, stamps, write_game
from unity2gltf import Options, convert

RULES = Path(__file__).parents[2] / "examples" / "convert.mk"
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two games, where make is called with relative paths."""
    for name in ("MAKEFLAGS", "MAKEOVERRIDES"):
        monkeypatch.delenv(name, raising=False)
    write_game(tmp_path / "one")
    write_game(tmp_path / "two")
    (tmp_path / "two" / "odd folder").mkdir()
    odd = bundle("CAB-odd", {"odd.prefab": "Odd"})
    (tmp_path / "two" / "odd folder" / "it's 100% $odd, #1:a.bundle").write_bytes(odd)
    for path in (tmp_path / "one", tmp_path / "two", *tmp_path.rglob("*")):
        os.utime(path, (1e9, 1e9))
    return tmp_path


def make(place: Path, *words: str) -> list[str]:
    """What make ran; it must succeed."""
    done = attempt(place, *words)
    assert done.returncode == 0, done.stderr
    return sorted(line.split()[2] for line in done.stdout.splitlines() if " convert " in line)


def attempt(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    asked = ["make", "-f", str(RULES), "OUT=out", *words]
    return subprocess.run(
        asked, cwd=place, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )


def newer(path: Path, data: bytes) -> None:
    """Later than every output by make's clock, but not by much."""
    path.write_bytes(data)
    os.utime(path)


def test_one_target_a_bundle(place: Path) -> None:
    for name in ("a.bundle", "shared.bundle"):
        (place / "one" / name).unlink()
    newer(place / "one/b.bundle", bundle("CAB-b", {"b.prefab": "B"}))
    words = ("-j", "2", "BUNDLES=one")
    assert make(place, *words) == ['"one/b.bundle"', '"one/c.bundle"']
    assert "prefabs/b.glb" in paths(place / "out/one/b.bundle")
    assert make(place, *words) == []
    before = stamps(place / "out")
    newer(place / "one/c.bundle", bundle("CAB-c", {"c.prefab": "C"}, size=2.0))
    assert make(place, *words) == ['"one/c.bundle"']
    changed = {name for name, stamp in stamps(place / "out").items() if before[name] != stamp}
    assert {name for name in changed if name.endswith(".glb")} == {"one/c.bundle/prefabs/c.glb"}


@pytest.mark.slow
def test_games_as_a_whole(place: Path) -> None:
    words = ("-j", "2", "GAMES=one two")
    assert make(place, *words) == ['"one"', '"two"']
    assert make(place, *words) == []
    odd = place / "two/odd folder/it's 100% $odd, #1:a.bundle"
    newer(odd, bundle("CAB-odd", {"odd.prefab": "Odd"}, size=2.0))
    assert make(place, *words) == ['"two"']
    assert make(place, *words) == []
    newer(place / "one/new.bundle", bundle("CAB-new", {"new.prefab": "New"}))
    assert make(place, *words) == ['"one"']
    assert "prefabs/new.glb" in paths(place / "out/one")
    odd.unlink()
    assert make(place, *words) == ['"two"']
    assert make(place, *words) == []
    convert(place / "two", place / "anew", Options())
    made = {name: data for name, data in contents(place / "out/two").items() if name != "report.d"}
    assert made == contents(place / "anew")


@pytest.mark.slow
def test_what_failed_is_tried_again(place: Path) -> None:
    (place / "one/shared.bundle").unlink()
    for _ in range(2):
        done = attempt(place, "GAMES=one")
        assert done.returncode == 2 and "errors: " in done.stderr
        assert 'convert "one"' in done.stdout
        assert (place / "out/one/report.json").is_file(), "what went wrong can be read"
    assert make(place, "GAMES=one", "FLAGS=-q --fail-on never") == ['"one"']
    assert make(place, "GAMES=one", "FLAGS=-q --fail-on never") == []
