"""``report`` and ``diff`` as a user meets them."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from tests.cli.test_cli import run, sentence
from unity2gltf.sample import write_sample

SCHEMA = json.loads(files("unity2gltf.report").joinpath("schema-1.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def outs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two conversions of one game: ``eight`` and ``four`` influences."""
    folder = tmp_path_factory.mktemp("report")
    write_sample(folder / "game", ("2022.3.20f1",))
    for name, options in (("eight", ()), ("four", ("--max-influences", "4"))):
        result = run("convert", folder / "game", "-o", folder / name, "--quiet", "--verify", "none", *options)
        assert result.returncode == 0
    return folder


@pytest.fixture
def out(outs: Path, tmp_path: Path) -> Path:
    return shutil.copytree(outs / "eight", tmp_path / "out")


def test_the_page_is_drawn_anew_and_the_report_told(out: Path) -> None:
    before = (out / "report.json").read_bytes()
    page = (out / "index.html").read_bytes()
    (out / "index.html").write_text("old", encoding="utf-8")
    result = run("report", out)
    assert result.returncode == 0
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert lines[0].split() == ["kind", "exact", "lossy", "failed"]
    assert any(line.startswith("warning: SKIN_INFLUENCES_CUT, ") for line in lines)
    assert lines[-1] == f"report: {out / 'report.json'}  page: {out / 'index.html'}"
    assert (out / "index.html").read_bytes() == page
    assert (out / "report.json").read_bytes() == before


def test_json_and_quiet(out: Path) -> None:
    result = run("report", out, "--json", "--quiet")
    assert result.stderr == ""
    found = json.loads(result.stdout)
    counts = json.loads((out / "report.json").read_text("utf-8"))["counts"]
    assert found["report"] == (out / "report.json").as_posix()
    assert sum(row["lossy"] for row in found["kinds"].values()) == counts["assets"]["lossy"]
    assert {item["code"]: item["count"] for item in found["diagnostics"]} == counts["diagnostics"]


def test_reports_are_joined(outs: Path, tmp_path: Path) -> None:
    all_ = tmp_path / "new/all"
    result = run("report", "--merge", outs / "eight", outs / "four", "-o", all_, "--json")
    assert result.returncode == 0
    value = json.loads((all_ / "report.json").read_text("utf-8"))
    jsonschema.validate(value, SCHEMA)
    single = json.loads((outs / "eight/report.json").read_text("utf-8"))
    assert len(value["assets"]) == 2 * len(single["assets"])
    assert value["inputs"] == single["inputs"]
    assert len(value["contents"]) == len(single["contents"])
    assert all((all_ / asset["output"]).is_file() for asset in value["assets"])
    assert value["diagnostics"][-1]["code"] == "REPORTS_DIFFER"
    assert "max_influences" in value["diagnostics"][-1]["message"]
    assert (all_ / "index.html").is_file()
    assert json.loads(result.stdout)["assets"] == len(value["assets"])
    assert run("report", all_, "--quiet").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["one", "two"], "need --merge"),
        (["--merge", "one"], "needs -o DEST"),
        (["one", "-o", "two"], "-o is for --merge"),
        (["--merge", "one", "one", "-o", "two"], "is given twice"),
        (["--merge", "one", "-o", "one"], "is where the joined report shall go"),
    ],
)
def test_wrong_usage_is_2(arguments: list[str], words: str) -> None:
    result = run("report", *arguments)
    assert result.returncode == 2
    assert words in sentence(result)


def test_no_report_is_3(out: Path, tmp_path: Path) -> None:
    for arguments in (["report", tmp_path], ["report", "--merge", out, tmp_path / "gone", "-o", tmp_path / "all"]):
        result = run(*arguments)
        assert result.returncode == 3
        assert "report.json cannot be read" in sentence(result)
    assert not (tmp_path / "all").exists()
    assert run("diff", out, tmp_path).returncode == 3
    assert run("diff", tmp_path / "gone", out).returncode == 3
    (tmp_path / "report.json").write_text("{", encoding="utf-8")
    assert run("diff", tmp_path, out).returncode == 3


def test_the_same_output_is_0(outs: Path, out: Path) -> None:
    result = run("diff", outs / "eight", out)
    assert result.returncode == 0
    assert result.stdout == ""
    assert "0 changed, 0 added, 0 gone" in sentence(result)


def test_a_difference_is_1_and_told_by_name(outs: Path) -> None:
    result = run("diff", outs / "eight", outs / "four")
    assert result.returncode == 1
    assert "options: max_influences: 8 -> 4" in result.stdout
    assert 'mesh "Figure": primitives/0/attributes/WEIGHTS_0: ' in result.stdout
    assert "elements differ, by up to" in result.stdout
    assert result.stderr.startswith("assets: ")
    quiet = run("diff", outs / "eight", outs / "four", "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (1, "", "")
    found = json.loads(run("diff", outs / "eight", outs / "four", "--json").stdout)
    assert found["same"] is False
    assert found["assets"]["changed"][0]["file"]["parts"]


def test_a_file_that_is_gone_is_told(outs: Path, out: Path) -> None:
    gone = sorted(out.rglob("*.glb"))[0]
    gone.unlink()
    result = run("diff", outs / "eight", out)
    assert result.returncode == 1
    assert f"changed: {gone.relative_to(out).as_posix()}" in result.stdout
    assert "No such file" in result.stdout
