"""The command line as a user meets it: exit codes, one sentence for bad input, data on stdout only."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from unity2gltf.cli.app import main
from unity2gltf.codes import CODES


@dataclass
class Result:
    returncode: int
    stdout: str
    stderr: str


def run(*args: object) -> Result:
    """What the console script does, in this process: starting Python anew takes most of a second."""
    out, err = io.StringIO(), io.StringIO()
    with patch.object(sys, "argv", ["unity2gltf", *map(str, args)]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            return Result(int(end.code or 0), out.getvalue(), err.getvalue())
    return Result(0, out.getvalue(), err.getvalue())


def sentence(result: Result) -> str:
    """The one line of an error: no traceback."""
    assert "Traceback" not in result.stderr
    return result.stderr.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from unity2gltf.sample import write_sample

    folder = tmp_path_factory.mktemp("game")
    write_sample(folder, ("2022.3.20f1",))
    return folder


@pytest.fixture(scope="module")
def converted(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    assert run("convert", game, "-o", out, "--quiet").returncode == 0
    return out


def test_convert_writes_files_and_says_so_on_stderr(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path)
    assert result.returncode == 0
    assert result.stdout == ""
    assert "9 assets: 5 exact, 4 lossy, 0 failed" in result.stderr
    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert names == [
        ".unity2gltf/lock",
        ".unity2gltf/state.db",
        "index.html",
        "meshes/Boulder_LOD1.glb",
        "meshes/Hat.glb",
        "meshes/Pedestal.glb",
        "prefabs/assets/prefabs/figure optimised.glb",
        "prefabs/assets/prefabs/figure.glb",
        "prefabs/assets/prefabs/garden.glb",
        "prefabs/assets/prefabs/humanoid.glb",
        "prefabs/assets/prefabs/pedestal.glb",
        "report.json",
        "scenes/Studio.glb",
    ]


def test_json_is_one_object_an_asset_and_then_the_summary(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path, "--json", "--quiet", "--include", "prefabs", "--name", "fig*")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["name"] for line in lines[:-1]] == ["Figure", "FigureOptimised"]
    assert lines[-1]["summary"]["exit_code"] == 0
    assert result.stderr == ""


def test_fail_on_lossy_turns_a_cut_into_exit_code_1(game: Path, tmp_path: Path) -> None:
    assert run("convert", game, "-o", tmp_path, "--fail-on", "lossy", "-q").returncode == 1
    figures = ("--name", "figure*")  # the scene has a shader that is not known
    exact = run("convert", game, "-o", tmp_path, "--fail-on", "lossy", "-q", "--max-influences", "all", *figures)
    assert exact.returncode == 0


def test_gltf_format_writes_bin_and_images(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path, "--format", "gltf", "-q", "--include", "prefabs", "--name", "Figure")
    assert result.returncode == 0
    suffixes = sorted(path.suffix for path in (tmp_path / "prefabs").rglob("*") if path.is_file())
    assert suffixes == [".bin", ".gltf", ".png"]
    assert run("validate", tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("convert", "/no/such/folder", "-o", "OUT"), 3, "there is no such file or folder"),
        (("inspect", "/no/such/folder"), 3, "there is no such file or folder"),
        (("validate", "/no/such/folder"), 3, "there is no such file or folder"),
        (("convert", "GAME", "-o", "OUT", "--format", "fbx"), 2, "--format must be one of glb, gltf"),
        (("convert", "GAME", "-o", "OUT", "--include", "scenes,cats"), 2, "--include must be one of"),
        (("convert", "GAME", "-o", "OUT", "--max-influences", "0"), 2, "--max-influences must be a number above 0"),
        (("convert", "GAME", "-o", "OUT", "--max-influences", "-4"), 2, "--max-influences must be a number above 0"),
        (("convert", "GAME", "-o", "OUT", "--resample", "0"), 2, "--resample must be above 0"),
        (("convert", "GAME", "-o", "OUT", "--key-tolerance", "-1"), 2, "--key-tolerance must be 0"),
        (("convert", "GAME", "-o", "OUT", "--clips", "some"), 2, "--clips must be one of"),
        (("convert", "GAME", "-o", "OUT", "--fail-on", "rain"), 2, "--fail-on must be one of"),
        (("convert", "GAME", "-o", "OUT", "--unity-version", "new"), 2, "version"),
        (("convert", "GAME", "-o", "FILE"), 2, "is a file, not a folder"),
        (("sample", "FILE"), 2, "is a file, not a folder"),
        (("convert", "", "-o", "OUT"), 2, "an argument is empty"),
        (("convert", "GAME", "-o", ""), 2, "an argument is empty"),
        (("convert", "EMPTY", "-o", "OUT"), 3, "nothing convertible was found"),
        (("inspect", "EMPTY"), 3, "no Unity content was found"),
        (("validate", "EMPTY"), 3, "no .glb, .gltf or .vrm files"),
        (("validate", "OUTPUT", "--khronos", "/no/such/folder"), 2, "--khronos: /no/such/folder is not"),
    ],
)
def test_bad_input_is_one_sentence_and_the_right_exit_code(
    args: tuple[str, ...], code: int, words: str, game: Path, converted: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("not a folder")
    places = {
        "GAME": game,
        "OUT": tmp_path / "out",
        "FILE": tmp_path / "file",
        "EMPTY": tmp_path / "empty",
        "OUTPUT": converted,
    }
    result = run(*(places.get(word, word) for word in args))
    assert result.returncode == code, result.stderr
    assert words in sentence(result)


@pytest.mark.parametrize("args", [("convert",), ("convert", "x"), ("fly",), ("convert", "x", "-o", "y", "--wings")])
def test_usage_errors_exit_with_2(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_inspect_shows_meshes_and_what_would_be_exported(game: Path) -> None:
    found = json.loads(run("inspect", game, "--json").stdout)
    figure = next(mesh for mesh in found["meshes"] if mesh["name"] == "Figure")
    assert (figure["influences"], figure["joints"], len(figure["shapes"])) == ("variable", 20, 3)
    kinds = sorted(export["kind"] for export in found["exports"])
    assert kinds == ["mesh"] * 3 + ["prefab"] * 5 + ["scene"]
    wave = next(clip for clip in found["clips"] if clip["name"] == "Wave")
    assert (wave["kind"], wave["rig"], wave["share"]) == ("generic", "Figure", 1.0)
    assert wave["curves"]["blend shape"] == 1
    tables = run("inspect", game)
    assert tables.returncode == 0
    assert "Figure\t" in tables.stdout
    assert "variable" in tables.stdout


def test_library_mode_writes_a_file_a_clip_and_proves_it(game: Path, tmp_path: Path) -> None:
    assert run("convert", game, "-o", tmp_path, "-q", "--clips", "library", "--include", "prefabs").returncode == 0
    names = sorted(path.relative_to(tmp_path).as_posix() for path in (tmp_path / "animations").rglob("*.glb"))
    assert names == [
        "animations/Figure/Idle.glb",
        "animations/Figure/Wave.glb",
        "animations/FigureOptimised/Idle.glb",
        "animations/FigureOptimised/Wave.glb",
        "animations/Humanoid/Reach.glb",
        "animations/Humanoid/Stroll.glb",
        "animations/Pedestal/Spin.glb",
    ]
    result = run("validate", tmp_path, "--against", game, "--json")
    found = json.loads(result.stdout)
    assert (result.returncode, found["files"], found["errors"], found["warnings"]) == (0, 12, 0, 0), found["issues"]


@pytest.mark.parametrize(
    "options", [("--pointer",), ("--resample", "24"), ("--key-tolerance", "0"), ("--clips", "none")]
)
def test_clip_options_give_files_that_hold(options: tuple[str, ...], game: Path, tmp_path: Path) -> None:
    assert run("convert", game, "-o", tmp_path, "-q", *options).returncode == 0
    assert run("validate", tmp_path, "--against", game).returncode == 0


def test_validate_passes_what_was_written_and_proves_it_in_full(game: Path, converted: Path) -> None:
    result = run("validate", converted, "--against", game, "--json")
    assert result.returncode == 0, result.stdout
    found = json.loads(result.stdout)
    assert (found["files"], found["errors"], found["warnings"]) == (9, 0, 0)
    assert "round trip, full: 9 files" in result.stderr


def test_validate_finds_damage(converted: Path, tmp_path: Path) -> None:
    data = bytearray((converted / "meshes" / "Hat.glb").read_bytes())
    (tmp_path / "cut.glb").write_bytes(data[: len(data) // 2])
    result = run("validate", tmp_path)
    assert result.returncode == 1
    assert "FILE_BROKEN" in result.stdout


def test_validate_of_what_is_no_gltf_is_one_sentence(converted: Path, tmp_path: Path) -> None:
    text = tmp_path / "README.md"
    for content in ("# Title\n", ""):
        text.write_text(content)
        result = run("validate", text, converted / "meshes" / "Hat.glb")
        assert result.returncode == 1
        assert result.stdout == f"error: {text}: FILE_BROKEN: it is neither GLB nor glTF\n"
        assert result.stderr.splitlines()[-1].startswith("2 files, 1 error, 0 warnings; checked: structure")
    assert sentence(run("validate", text)) == "1 file, 1 error, 0 warnings; checked: structure"


def test_codes_lists_every_code() -> None:
    listed = json.loads(run("codes", "--json").stdout)
    assert {item["code"] for item in listed} == set(CODES)
    assert "SKIN_INFLUENCES_CUT\twarning" in run("codes").stdout


def test_doctor_tells_versions_and_how_to_get_what_is_missing() -> None:
    result = run("doctor", "--json")
    rows = {row["part"]: row for row in json.loads(result.stdout)}
    assert result.returncode == 0
    assert rows["UnityPy"]["state"].startswith("1.25")
    assert rows["Khronos validator"]["state"] in ("found", "not found")
    assert rows["Dask (--dask)"]["state"] in ("found", "not found")


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("unity2gltf 0.")
    assert run("convert", "--help").returncode == 0


def test_a_reader_that_goes_away_is_no_traceback(game: Path) -> None:
    code = "from unity2gltf.cli.app import main; main()"
    command = f"{sys.executable} -c '{code}' inspect '{game}' --json | head -c 10"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in result.stderr


def test_an_interrupt_ends_with_130_and_leaves_no_half_file(game: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from unity2gltf.cli.app import main; main()", "convert", game, "-o", tmp_path]
    process = subprocess.Popen([*command, "--verify", "full"], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(tmp_path.rglob("*.glb")):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert errors.splitlines()[-1] == "unity2gltf: interrupted"
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part")]
    assert not (tmp_path / "report.json").exists()


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_swallow_what_is_printed(closed: str) -> None:
    command = f'exec "$0" -c "from unity2gltf.cli.app import main; main()" codes --json {closed}'
    shell = ["sh", "-c", command, sys.executable]
    result = subprocess.run(shell, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_surprise_is_one_sentence_and_a_traceback_on_demand(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def surprise(*_: object) -> None:
        raise RecursionError("deeper\x1b[31m than deep")

    monkeypatch.setattr("unity2gltf.batch.survey.survey", surprise)
    result = run("inspect", game)
    assert result.returncode == 1
    assert sentence(result).startswith("unity2gltf: this should not happen: RecursionError: deeper?[31m than deep")
    with pytest.raises(RecursionError):
        run("inspect", game, "--debug")


def test_file_names_that_are_no_text_are_told_on_any_terminal(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff\x1b[31m\xe3\x81\xbe.glb")).write_bytes(b"glTF")
    code = "from unity2gltf.cli.app import main; main()"
    for encoding, letter in (("utf-8", b"\xe3\x81\xbe"), ("latin-1", b"\\u307e")):
        environment = os.environ | {"PYTHONIOENCODING": encoding}
        command = [sys.executable, "-c", code, "validate", str(tmp_path)]
        result = subprocess.run(command, capture_output=True, timeout=60, check=False, env=environment)
        assert result.returncode == 1
        assert (
            b"?[31m" + letter + b".glb: FILE_BROKEN" in result.stdout and b"\x1b" not in result.stdout + result.stderr
        )
