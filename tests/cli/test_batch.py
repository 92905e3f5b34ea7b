"""What the command line says of second runs, plans, single files and depfiles."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.batch.small import bundle, paths, stamps, touch, write_game
from tests.cli.test_cli import run, sentence
from unity2gltf.batch import run as batch_run


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game")


def is_quick(game: Path, out: Path, *args: str) -> bool:
    """Whether a run saw at once that it has nothing to do."""
    before = stamps(out)
    result = run("convert", game, "-o", out, *args)
    quick = result.stderr.startswith("nothing has changed since the last run\n")
    assert not quick or stamps(out) == before
    return quick


# --- second runs --------------------------------------------------------------------------------------------------


def test_a_run_that_has_nothing_to_do_says_the_same_at_once(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    first = run("convert", game, "-o", out, "--json", "--depfile", tmp_path / "first.d")
    report, old = (out / "report.json").read_bytes(), (out / "report.json").stat().st_mtime_ns
    monkeypatch.delattr(batch_run, "convert")
    again = run("convert", game, "-o", out, "--json", "--depfile", tmp_path / "again.d")
    assert (again.returncode, first.returncode) == (0, 0)
    assert again.stderr == "nothing has changed since the last run\n" + first.stderr
    assert sorted(again.stdout.splitlines()) == sorted(first.stdout.splitlines())
    assert (tmp_path / "again.d").read_bytes() == (tmp_path / "first.d").read_bytes()
    assert (out / "report.json").read_bytes() == report
    assert (out / "report.json").stat().st_mtime_ns > old, "Make sees that its target is new"


def test_the_exit_code_of_a_run_that_has_nothing_to_do_is_that_of_the_last(game: Path, tmp_path: Path) -> None:
    (game / "shared.bundle").unlink()
    for _ in range(2):
        assert run("convert", game, "-o", tmp_path / "out", "-q").returncode == 1
    assert run("convert", game, "-o", tmp_path / "out", "-q", "--fail-on", "never").returncode == 0


def test_what_makes_a_run_look_again(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert not is_quick(game, out)
    assert is_quick(game, out)
    assert is_quick(game, out, "--jobs", "2")
    assert not is_quick(game, out, "--keep-stale")
    assert not is_quick(game, out)
    assert not is_quick(game, out, "--force")
    assert is_quick(game, out)
    assert not is_quick(game, out, "--format", "gltf")
    assert not is_quick(game, out)
    touch(game / "a.bundle", (game / "a.bundle").read_bytes())
    assert not is_quick(game, out)
    for name in ("report.json", "index.html", "prefabs/b.glb"):
        assert is_quick(game, out)
        (out / name).unlink()
        assert not is_quick(game, out)
        assert (out / name).is_file()
    (game / "new.txt").write_text("may be anything")
    assert not is_quick(game, out)


def test_a_state_file_of_no_use_is_told_once_by_the_command_line(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert not is_quick(game, out)
    (out / ".unity2gltf" / "state.db").write_bytes(b"what is this?" * 1000)
    for count in (1, 0):
        assert not is_quick(game, out, *(() if count else ("--force",)))
        told = json.loads((out / "report.json").read_text("utf-8"))["counts"]["diagnostics"]
        assert told.get("STATE_REBUILT", 0) == count


def test_a_failure_that_may_pass_is_tried_again_by_the_command_line(game: Path, tmp_path: Path) -> None:
    (tmp_path / "out/prefabs/c.glb").mkdir(parents=True)
    assert run("convert", game, "-o", tmp_path / "out", "-q").returncode == 1
    assert run("convert", game, "-o", tmp_path / "out", "-q").returncode == 1
    (tmp_path / "out/prefabs/c.glb").rmdir()
    assert run("convert", game, "-o", tmp_path / "out", "-q").returncode == 0


def test_a_state_file_that_another_program_holds_is_a_sentence(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert run("convert", game, "-o", out, "-q").returncode == 0
    touch(game / "a.bundle", (game / "a.bundle").read_bytes())
    monkeypatch.setattr("unity2gltf.batch.database.PATIENCE", 0.1)
    other = sqlite3.connect(out / ".unity2gltf" / "state.db", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    result = run("convert", game, "-o", out)
    other.close()
    assert result.returncode == 1
    assert sentence(result).endswith("state.db cannot be used: database is locked")


# --- plans --------------------------------------------------------------------------------------------------------


def test_a_plan_is_printed_and_nothing_is_written(game: Path, tmp_path: Path) -> None:
    planned = json.loads(run("convert", game, "--dry-run", "--json").stdout)
    assert [(item["kind"], item["name"], item["path"]) for item in planned] == [
        ("prefab", "A1", "a1"),
        ("prefab", "A2", "a2"),
        ("prefab", "B", "b"),
        ("prefab", "C", "c"),
    ]
    assert all(item["bytes"] > 100 for item in planned)
    told = run("convert", game, "--dry-run", "-o", tmp_path / "out", "--name", "b")
    assert told.stdout.splitlines() == ["kind\tname\tpath wanted\tabout MB", "prefab\tB\tb\t0.0"]
    assert "1 asset, about 0 MB" in told.stderr
    assert not (tmp_path / "out").exists()
    parts = [json.loads(run("convert", game, "--dry-run", "--json", "--shard", f"{n}/2").stdout) for n in (1, 2)]
    assert sorted(item["name"] for part in parts for item in part) == ["A1", "A2", "B", "C"]
    nothing = run("convert", game, "--dry-run", "--json", "--name", "nobody")
    assert (nothing.returncode, json.loads(nothing.stdout)) == (3, [])


@pytest.mark.parametrize("shard", ["0/3", "4/3", "1/0", "x", "1", "-1/2", "1/2/3"])
def test_a_shard_that_is_none_is_a_usage_sentence(game: Path, tmp_path: Path, shard: str) -> None:
    result = run("convert", game, "-o", tmp_path / "out", f"--shard={shard}")
    assert result.returncode == 2 and "--shard must be I/N" in sentence(result)


# --- single files -------------------------------------------------------------------------------------------------


def test_one_asset_goes_to_one_file(game: Path, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "my b.glb"
    result = run("convert", game, "--single", target, "--name", "b", "--depfile", tmp_path / "b.d", "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout)["output"] == target.as_posix()
    assert [path.name for path in target.parent.iterdir()] == ["my b.glb"]
    told = (tmp_path / "b.d").read_text()
    assert told.startswith("unity2gltf_equals := =\n\n" + str(target).replace(" ", "\\ ") + ": ")
    assert "b.bundle" in told and "shared.bundle" in told
    run("convert", game, "-o", tmp_path / "out", "--name", "b", "-q")
    assert target.read_bytes() == (tmp_path / "out/prefabs/b.glb").read_bytes()


def test_one_asset_goes_to_one_gltf_with_its_parts_beside_it(game: Path, tmp_path: Path) -> None:
    assert run("convert", game, "--single", tmp_path / "x" / "y.gltf", "--name", "b", "-q").returncode == 0
    assert paths(tmp_path / "x") == ["y.bin", "y.gltf"]
    assert json.loads((tmp_path / "x" / "y.gltf").read_text())["buffers"][0]["uri"] == "y.bin"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--name", "nobody"), "choose 0 assets"),
        (("--name", "a*"), "choose 2 assets: prefab A1, prefab A2"),
        (("--name", "b", "-o", "OUT"), "exclude each other"),
        (("--name", "b", "--shared-textures"), "has no place"),
    ],
)
def test_none_or_several_assets_are_a_usage_sentence_and_no_file(
    game: Path, tmp_path: Path, args: tuple[str, ...], words: str
) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "y.glb").write_bytes(b"as it was")
    result = run("convert", game, "--single", folder / "y.glb", *args)
    assert result.returncode == 2 and words in sentence(result)
    assert [path.name for path in folder.iterdir()] == ["y.glb"]
    assert (folder / "y.glb").read_bytes() == b"as it was"


def test_a_single_file_has_an_extension(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "--single", tmp_path / "y.fbx", "--name", "b")
    assert result.returncode == 2 and "must name a .glb, .gltf or .vrm file" in sentence(result)


# --- depfiles -----------------------------------------------------------------------------------------------------

ODD = ["plain", "with space", "two  spaces", "cost$$5", "$(shell)", "a#b", "c:d", "100%", "q'uote", 'd"q', "am&p"]
ODD += ["st*r", "que?tion", "[set]", "~tilde", "eq=ual", "a=b=c", "pipe|", "back\\slash", "tail\\"]
ODD += ["sp\\ ace", "\\#", "\\:", "\\%", "\\|", "\\\\ "]
make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@make
@pytest.mark.parametrize("name", ODD)
def test_make_reads_every_name(game: Path, tmp_path: Path, name: str) -> None:
    """Made once, again when the file of that name is newer, and still when it is gone."""
    folder = tmp_path / "makes"
    odd = game / name / f"{name}.bundle"
    odd.parent.mkdir()
    odd.write_bytes(bundle("CAB-odd", {"odd.prefab": "Odd"}))
    folder.mkdir()
    assert run("convert", game, "-o", folder / "out", "-q", "--depfile", folder / "deps.d").returncode == 0
    (folder / "Makefile").write_text("out/report.json:\n\t@echo MADE\n\t@touch $@\ninclude deps.d\n")
    text = (folder / "deps.d").read_text().replace(f"{folder.as_posix()}/", "")
    (folder / "deps.d").write_text(text)

    def made() -> bool:
        done = subprocess.run(["make", "out/report.json"], cwd=folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return "MADE" in done.stdout

    for path in (*game.rglob("*"), folder / "deps.d"):
        os.utime(path, (1e9, 1e9))
    os.utime(folder / "out/report.json", (1.1e9, 1.1e9))
    assert not made()
    os.utime(odd, (1.2e9, 1.2e9))
    assert made(), text
    assert not made()
    odd.unlink()
    assert made(), "a file that is gone is no error"


def test_a_name_that_make_cannot_hold_is_left_out(game: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("semi;colon.bundle", "new\nline.bundle", "t\tab.bundle")):
        (game / name).write_bytes(bundle(f"CAB-odd{number}", {"odd.prefab": "Odd"}))
    assert run("convert", game, "-o", tmp_path / "out", "-q", "--depfile", tmp_path / "deps.d").returncode == 0
    told = (tmp_path / "deps.d").read_text()
    assert ";" not in told and "line" not in told and "\tab" not in told and "c.bundle" in told


def test_a_depfile_that_cannot_be_written_is_a_sentence(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path / "out", "-q", "--depfile", tmp_path)
    assert result.returncode == 1 and sentence(result) == f"unity2gltf: {tmp_path} cannot be written: Is a directory"
