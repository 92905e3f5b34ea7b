"""A second run does what changed, and nothing else."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.batch.small import bundle, contents, leftovers, paths, redone, stamps, touch, write_game
from unity2gltf import Options, Report, codes
from unity2gltf.batch import database as batch_database
from unity2gltf.batch import state as batch_state
from unity2gltf.batch.run import Running, convert
from unity2gltf.errors import OutputError

ALL = ["index.html", "prefabs/a1.glb", "prefabs/a2.glb", "prefabs/b.glb", "prefabs/c.glb", "report.json"]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game")


@pytest.fixture
def out(game: Path, tmp_path: Path) -> Path:
    """The output of a first run."""
    assert run(game, tmp_path / "out").exit_code("lossy") == 0
    assert paths(tmp_path / "out") == ALL
    return tmp_path / "out"


def run(game: Path, out: Path, *, running: Running | None = None, **options: Any) -> Report:
    report = convert(game, out, Options(**options), running=running)
    assert leftovers(out) == []
    return report


def like_anew(game: Path, out: Path, **options: Any) -> None:
    """The folder is as if everything had been done at once."""
    run(game, out.parent / "anew", **options)
    assert contents(out) == contents(out.parent / "anew")


def codes_of(report: Report) -> set[str]:
    return {item.code.name for item in report.diagnostics}


def test_nothing_changed_and_nothing_is_written(game: Path, out: Path) -> None:
    before = stamps(out)
    run(game, out)
    assert redone(before, out) == set()
    like_anew(game, out)


def test_a_changed_file_is_redone_alone(game: Path, out: Path) -> None:
    before = stamps(out)
    touch(game / "c.bundle", bundle("CAB-c", {"c.prefab": "C"}, size=2.0))
    run(game, out)
    assert redone(before, out) == {"prefabs/c.glb"}
    like_anew(game, out)


def test_what_refers_to_a_changed_file_is_redone_too(game: Path, out: Path) -> None:
    before = stamps(out)
    touch(game / "shared.bundle", bundle("CAB-shared", {}, mesh="Shared", size=2.0))
    run(game, out)
    assert redone(before, out) == {"prefabs/b.glb"}
    like_anew(game, out)


def test_a_file_that_was_only_touched_changes_nothing(game: Path, out: Path) -> None:
    before = stamps(out)
    touch(game / "c.bundle", (game / "c.bundle").read_bytes())
    run(game, out)
    assert redone(before, out) == set()


def test_a_new_file_is_done_alone(game: Path, out: Path) -> None:
    before = stamps(out)
    (game / "d.bundle").write_bytes(bundle("CAB-d", {"d.prefab": "D"}))
    run(game, out)
    assert redone(before, out) == {"prefabs/d.glb"}
    like_anew(game, out)


def test_a_file_that_was_missing_is_found_by_who_refers_to_it(game: Path, tmp_path: Path) -> None:
    shared = (game / "shared.bundle").read_bytes()
    (game / "shared.bundle").unlink()
    out = tmp_path / "out"
    assert run(game, out).exit_code("error") == 1
    before = stamps(out)
    (game / "shared.bundle").write_bytes(shared)
    run(game, out)
    assert redone(before, out) == {"prefabs/b.glb"}
    like_anew(game, out)


def test_outputs_of_a_removed_file_are_deleted_but_not_those_of_others(game: Path, out: Path) -> None:
    (out / "prefabs" / "mine.glb").write_bytes(b"not ours")
    (out / "notes.txt").write_text("not ours either")
    before = stamps(out)
    (game / "a.bundle").unlink()
    run(game, out)
    assert paths(out) == [
        "index.html",
        "notes.txt",
        "prefabs/b.glb",
        "prefabs/c.glb",
        "prefabs/mine.glb",
        "report.json",
    ]
    assert redone(before, out) == set()
    assert (out / "prefabs" / "mine.glb").read_bytes() == b"not ours"


def test_stale_outputs_are_kept_when_asked_for(game: Path, out: Path) -> None:
    (game / "a.bundle").unlink()
    run(game, out, running=Running(keep_stale=True))
    assert paths(out) == ALL
    run(game, out)
    assert paths(out) == [name for name in ALL if "/a" not in name]


def test_a_folder_that_held_nothing_else_goes_with_its_output(game: Path, out: Path) -> None:
    (game / "d.bundle").write_bytes(bundle("CAB-d", {"deep/er/d.prefab": "D"}))
    run(game, out)
    assert (out / "prefabs/deep/er/d.glb").is_file()
    (game / "d.bundle").unlink()
    run(game, out)
    assert not (out / "prefabs/deep").exists()


def test_another_option_does_all_anew(game: Path, out: Path) -> None:
    before = stamps(out)
    run(game, out, custom_attributes=True)
    assert redone(before, out) == set(before)
    like_anew(game, out, custom_attributes=True)


def test_another_format_leaves_no_file_of_the_former(game: Path, out: Path) -> None:
    run(game, out, format="gltf")
    assert not list(out.rglob("*.glb"))
    like_anew(game, out, format="gltf")
    run(game, out)
    assert paths(out) == ALL


def test_another_version_does_all_anew(game: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stamps(out)
    monkeypatch.setattr(batch_state, "__version__", "99")
    run(game, out)
    assert redone(before, out) == set(before)


def test_force_does_all_anew(game: Path, out: Path) -> None:
    before = stamps(out)
    run(game, out, running=Running(force=True))
    assert redone(before, out) == set(before)


@pytest.mark.parametrize("damage", ["deleted", "edited"])
def test_an_output_that_is_not_as_it_was_left_is_redone(game: Path, out: Path, damage: str) -> None:
    good, before = contents(out), stamps(out)
    if damage == "deleted":
        (out / "prefabs/a1.glb").unlink()
    else:
        touch(out / "prefabs/a1.glb", good["prefabs/a1.glb"][:-1] + b"x")
    run(game, out)
    assert redone(before, out) == {"prefabs/a1.glb"}
    assert contents(out) == good


def test_what_stood_in_the_way_of_an_output_is_tried_again(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "prefabs/c.glb").mkdir(parents=True)
    report = run(game, out)
    assert report.exit_code("error") == 1 and report.may_fare_better
    (out / "prefabs/c.glb").rmdir()
    before = stamps(out)
    assert run(game, out).exit_code("lossy") == 0
    assert redone(before, out) == {"prefabs/c.glb"}
    like_anew(game, out)


# --- names that two assets want -----------------------------------------------------------------------------------


def clash(game: Path) -> None:
    (game / "d.bundle").write_bytes(bundle("CAB-d", {"same.prefab": "D"}, size=3.0))
    (game / "e.bundle").write_bytes(bundle("CAB-e", {"SAME.prefab": "E"}, size=4.0))


def outputs(report: Report) -> dict[str, str | None]:
    return {asset.name: asset.output for asset in report.assets}


def test_a_name_goes_to_the_next_when_the_first_is_gone_and_back(game: Path, out: Path) -> None:
    clash(game)
    first = outputs(run(game, out))
    assert first["D"] == "prefabs/same.glb" and first["E"] is not None and first["E"].startswith("prefabs/SAME-")
    data = (game / "d.bundle").read_bytes()
    (game / "d.bundle").unlink()
    assert outputs(run(game, out))["E"] == "prefabs/SAME.glb"
    like_anew(game, out)
    shutil.rmtree(out.parent / "anew")
    (game / "d.bundle").write_bytes(data)
    assert outputs(run(game, out)) == first
    like_anew(game, out)


def test_two_assets_swap_their_names(game: Path, out: Path) -> None:
    (game / "d.bundle").write_bytes(bundle("CAB-d", {"x.prefab": "D1", "y.prefab": "D2"}))
    run(game, out)
    touch(game / "d.bundle", bundle("CAB-d", {"y.prefab": "D1", "x.prefab": "D2"}))
    run(game, out)
    like_anew(game, out)


def test_names_wander_along_a_chain_without_the_assets_being_done_again(game: Path, tmp_path: Path) -> None:
    """Only the path that the bundle stores changes: each output takes the place of the next."""
    names = ["p", "q", "r"]
    out = tmp_path / "out"
    for turn in range(4):
        order = names[turn % 3 :] + names[: turn % 3]
        touch(game / "d.bundle", bundle("CAB-d", {f"{path}.prefab": f"D{n}" for n, path in enumerate(order)}))
        os.utime(game / "d.bundle", ns=(turn, turn))
        run(game, out)
        shutil.rmtree(tmp_path / "anew", ignore_errors=True)
        like_anew(game, out)


# --- some assets only ---------------------------------------------------------------------------------------------


def test_a_run_for_some_assets_leaves_the_others_alone(game: Path, out: Path) -> None:
    before = stamps(out)
    report = run(game, out, name=("C",))
    assert outputs(report) == {"C": "prefabs/c.glb"}
    assert stamps(out) == before
    run(game, out)
    assert stamps(out) == before
    like_anew(game, out)


def test_a_run_for_one_of_two_that_want_a_name_does_not_take_the_others(game: Path, out: Path) -> None:
    clash(game)
    first, before = outputs(run(game, out)), stamps(out)
    assert outputs(run(game, out, name=("E",)))["E"] == first["E"]
    assert stamps(out) == before


def test_runs_for_some_assets_each_come_to_the_whole(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for name in ("A1", "B", "c", "a2"):
        run(game, out, name=(name,))
    assert paths(out) == ALL
    before = stamps(out)
    run(game, out)
    assert stamps(out) == before
    like_anew(game, out)


# --- the state file -----------------------------------------------------------------------------------------------


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def rot(path: Path) -> None:
    """Pages in the middle, not the header."""
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)


def from_the_future(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def without_a_column(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE jobs")
        connection.execute("CREATE TABLE jobs (id TEXT)")
    connection.close()


def nonsense_inside(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE jobs SET value = '{', files = '[1]'")
        connection.execute("UPDATE plans SET value = '7'")
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        truncate,
        rot,
        from_the_future,
        without_a_column,
        nonsense_inside,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no database" * 999),
    ],
    ids=["truncated", "rotten", "future", "column", "nonsense", "empty", "text"],
)
def test_a_state_file_of_no_use_is_made_anew_and_told_once(
    game: Path, out: Path, damage: Any, request: pytest.FixtureRequest
) -> None:
    good = contents(out)
    damage(out / ".unity2gltf" / "state.db")
    told = codes_of(run(game, out))
    empty = request.node.callspec.id == "empty"  # as a file that was never written: nothing to tell
    assert told == (set() if empty else {"STATE_REBUILT"})
    assert {name: data for name, data in contents(out).items() if name.startswith("prefabs")} == {
        name: data for name, data in good.items() if name.startswith("prefabs")
    }
    before = stamps(out)
    assert codes_of(run(game, out)) == set()
    assert stamps(out) == before
    assert contents(out) == good


@pytest.mark.parametrize("method", ["inputs", "plan", "job", "set_job", "set_plan", "job_files", "commit"])
def test_a_state_file_that_breaks_in_the_middle_of_a_run_costs_time_alone(
    game: Path, out: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(game / "c.bundle", bundle("CAB-c", {"c.prefab": "C"}, size=2.0))
    real, broken = getattr(batch_database.Database, method), False

    def breaks(self: batch_database.Database, *args: Any) -> Any:
        nonlocal broken
        if not broken:
            broken = True

            def fail(_: sqlite3.Connection) -> None:
                raise sqlite3.DatabaseError("database disk image is malformed")

            self._do(fail, None)
        return real(self, *args)

    monkeypatch.setattr(batch_database.Database, method, breaks)
    report = run(game, out)
    assert broken and codes_of(report) == {"STATE_REBUILT"}
    assert paths(out) == ALL
    run(game, out)
    like_anew(game, out)


def test_a_state_file_that_another_program_holds_is_a_sentence_and_stays(
    game: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_database, "PATIENCE", 0.1)
    with sqlite3.connect(out / ".unity2gltf" / "state.db", isolation_level=None) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(OutputError, match="locked"):
            convert(game, out)
        other.execute("ROLLBACK")
    other.close()
    before = stamps(out)
    assert codes_of(run(game, out)) == set()
    assert stamps(out) == before


def test_every_passing_trouble_is_tried_again(game: Path, out: Path) -> None:
    assert {code.name for code in batch_state.PASSING} == {"WORKER_DIED", "OUTPUT_UNWRITABLE", "INPUT_CHANGED"}
    report = Report(options=Options())
    assert not report.may_fare_better
    report.diagnostics.append(batch_state.Diagnostic(codes.INPUT_CHANGED, "", ""))
    assert report.may_fare_better
