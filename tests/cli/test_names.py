"""``unity2gltf names`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_cli import run, sentence
from unity2gltf.math3d import name_hash
from unity2gltf.sample import write_sample


def test_names_both_ways(tmp_path: Path) -> None:
    write_sample(tmp_path, ("2022.3.20f1",))
    everything = run("names", tmp_path)
    assert everything.returncode == 0 and "\tm_IsActive\t" in everything.stdout
    by_hash = run("names", tmp_path, "0x7c5a22f6")
    assert by_hash.stdout.splitlines()[-1].split("\t")[:3] == ["2086281974", "0x7c5a22f6", "m_IsActive"]
    by_text = json.loads(run("names", tmp_path, "m_isactive", "--json").stdout)
    assert by_text["hash"] == name_hash("m_isactive")
    assert {entry["name"] for entry in by_text["names"]} == {"m_IsActive"}


def test_names_of_nothing(tmp_path: Path) -> None:
    missing = run("names", tmp_path / "none")
    assert missing.returncode == 3 and "there is no such file or folder" in sentence(missing)
    empty = run("names", tmp_path)
    assert empty.returncode == 3 and sentence(empty) == "unity2gltf: no Unity content was found"
    write_sample(tmp_path, ("2022.3.20f1",))
    unknown = run("names", tmp_path, "0x1234")
    assert (unknown.returncode, unknown.stdout) == (0, "")
    assert sentence(unknown) == "unity2gltf: no name was found"
    large = run("names", tmp_path, "99999999999")
    assert large.returncode == 2 and large.stdout == ""
