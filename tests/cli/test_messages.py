"""What the command line tells at its end, and options that people write in many ways."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.test_cli import run, sentence
from unity2gltf.cli.convert import _rules, _size
from unity2gltf.cli.validate import issue_lines
from unity2gltf.errors import UsageError
from unity2gltf.sample import write_sample


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game")
    write_sample(folder, ("2022.3.20f1",))
    return folder


def test_summary_tells_how_far_influence_cuts_move_vertices(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path, "--include", "scenes")
    assert result.stderr.startswith("1 asset: 0 exact, 1 lossy, 0 failed\n")
    assert re.search(r"^influence cuts move vertices by up to [0-9.]+ mm$", result.stderr, re.MULTILINE)
    assert "errors: " not in result.stderr


def test_exit_code_1_names_its_errors_quiet_or_not(game: Path, tmp_path: Path) -> None:
    broken = tmp_path / "game"
    shutil.copytree(game, broken)
    (assets,) = broken.rglob("sharedassets0.assets")
    with assets.open("r+b") as file:
        file.truncate(100)
    for more in ((), ("--quiet",)):
        result = run("convert", broken, "-o", tmp_path / "out", *more)
        assert result.returncode == 1
        assert re.fullmatch(
            r"errors: .*\d+ REFERENCE_MISSING, 1 input file could not be read \(see .*report\.json\)", sentence(result)
        )
    assert len(result.stderr.splitlines()) == 1
    assert run("convert", broken, "-o", tmp_path / "out", "--quiet", "--fail-on", "never").stderr == ""


def test_exit_code_1_of_a_loss_names_it(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path, "--name", "figure", "--fail-on", "lossy", "-q")
    assert result.returncode == 1
    assert result.stderr == f"lossy: 2 SKIN_INFLUENCES_CUT (see {tmp_path / 'report.json'})\n"


def test_name_fits_the_path_below_the_folder_without_regard_to_case(game: Path, tmp_path: Path) -> None:
    run("convert", game, "-o", tmp_path, "-q", "--name", "assets/PREFABS/fig*")
    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.glb"))
    assert names == ["prefabs/assets/prefabs/figure optimised.glb", "prefabs/assets/prefabs/figure.glb"]


def test_name_that_fits_nothing_is_told(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path, "--name", "fog*", "--name", "x")
    assert result.returncode == 3
    assert sentence(result) == "unity2gltf: nothing convertible was found: no name fits --name fog*, x"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--include=",), "--include must name at least one of scenes, prefabs, meshes"),
        (("--include", " , "), "--include must name at least one of scenes, prefabs, meshes"),
        (("--max-glb", "5 cats"), "--max-glb must be a size such as 1000000, 500MB or 2GiB"),
        (("--max-glb", "0"), "--max-glb must be at least one byte"),
    ],
)
def test_options_that_make_no_sense(options: tuple[str, ...], words: str, game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path, *options)
    assert result.returncode == 2
    assert words in sentence(result)


@pytest.mark.parametrize(
    ("text", "size"),
    [("1000", 1000), ("1kB", 1000), ("500MB", 500_000_000), ("2GiB", 2 << 30), ("1.5 gib", 3 << 29), ("7B", 7)],
)
def test_sizes_have_units(text: str, size: int) -> None:
    assert _size(text, "--max-glb") == size


def test_validate_says_what_it_checked(game: Path, tmp_path: Path) -> None:
    run("convert", game, "-o", tmp_path, "-q", "--include", "prefabs")
    last = sentence(run("validate", tmp_path, "--against", game, "--level", "quick", "--every", "2"))
    assert re.fullmatch(
        r"5 files, 0 errors, 0 warnings; checked: structure, (Khronos \S+, )?round trip quick of 3 files", last
    )


def test_validate_sums_up_many_issues_of_a_kind() -> None:
    issues = [
        {"file": file, "code": code, "severity": severity, "message": f"no {number}", "where": ""}
        for file, code, severity, count in (("a", "W", "warning", 6), ("a", "E", "error", 1485), ("b", "E", "error", 5))
        for number in range(count)
    ]
    lines = list(issue_lines(issues))
    assert lines[:7] == [
        *(f"error: a: E: no {n}" for n in range(5)),
        "error: a: E: and 1,480 more",
        "error: b: E: no 0",
    ]
    assert lines[-1] == "warning: a: W: and 1 more"
    assert len(lines) == 6 + 5 + 6


def test_a_file_of_rules_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[[family]]\nshaders = "x"\n', "utf-8-sig")
    assert _rules(rules) == '[[family]]\nshaders = "x"\n'


def test_what_is_no_file_of_rules_is_wrong_usage(game: Path, tmp_path: Path) -> None:
    empty, large, latin, pipe = (tmp_path / name for name in ("empty.toml", "large.toml", "latin.toml", "pipe.toml"))
    empty.write_text(" \n")
    large.write_bytes(b"#" * ((1 << 20) + 1))
    latin.write_bytes(b"# \xe4\n")
    os.mkfifo(pipe)
    told = {
        empty: "is empty: it has no [[family]]",
        large: "has more than 1 MiB",
        latin: "cannot be read: it is not UTF-8",
        pipe: "is not a file",
        tmp_path: "is not a file",
        Path("/dev/zero"): "is not a file",
        tmp_path / "none.toml": "cannot be read: No such file or directory",
    }
    for path, reason in told.items():
        with pytest.raises(UsageError) as caught:
            _rules(path)
        assert str(caught.value) == f"--material-rules: {path} {reason}"
    done = run("convert", game, "-o", tmp_path / "out", "--material-rules", pipe)
    assert (done.returncode, done.stdout) == (2, "")
