"""Reports and files that lie, for what reads them: the page, joining and comparing. Errors are sentences."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.builders.reports import HOSTILE, asset_value, diagnostic_value, report_value
from tests.unit.preview.handmade import write_gltf
from unity2gltf import codes
from unity2gltf.errors import InputError
from unity2gltf.report.compare.files import compare_files
from unity2gltf.report.compare.outputs import compare_outputs
from unity2gltf.report.compare.words import difference_lines
from unity2gltf.report.digest import digest_report
from unity2gltf.report.merge import merge_reports
from unity2gltf.report.write import read_report, rewrite_page, write_report

STRANGE = (None, True, -1, 1e300, "", "x", [], [None], {}, {"a": []}, 10**40)


def report(name: str = "Body") -> dict[str, Any]:
    remark = diagnostic_value(codes.TEXTURE_MISSING, name, name)
    return report_value([asset_value(name, 3, diagnostics=[remark])], diagnostics=[remark])


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with every key in it."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@pytest.mark.parametrize("seed", range(60))
def test_strange_values_anywhere_in_a_report(tmp_path: Path, seed: int) -> None:
    """Taken for what they are, or told in a sentence that names the report."""
    dice = random.Random(seed)
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
        write_report(report(), tmp_path / name)
    value = report()
    owner, key = dice.choice(places(value))
    owner[key] = dice.choice(STRANGE)
    (tmp_path / "bad/report.json").write_text(json.dumps(value), encoding="utf-8")
    (tmp_path / "bad/index.html").unlink()

    acts = (
        lambda: rewrite_page(tmp_path / "bad"),
        lambda: write_report(merge_reports([tmp_path / "good", tmp_path / "bad"], tmp_path), tmp_path),
        lambda: list(difference_lines(compare_outputs(tmp_path / "good", tmp_path / "bad"))),
        lambda: list(difference_lines(compare_outputs(tmp_path / "bad", tmp_path / "good"))),
        lambda: digest_report(read_report(tmp_path / "bad")),
    )
    for act in acts:
        try:
            act()
        except InputError as error:
            assert "report.json" in str(error)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_joined_and_compared(tmp_path: Path, name: str) -> None:
    for folder, value in (("one", report(name)), ("two", report())):
        (tmp_path / folder).mkdir()
        write_report(value, tmp_path / folder)
    merged = merge_reports([tmp_path / "one", tmp_path / "two"], tmp_path)
    write_report(merged, tmp_path)
    assert {asset["name"] for asset in read_report(tmp_path)["assets"]} == {name, "Body"}
    assert compare_outputs(tmp_path / "one", tmp_path / "two")["assets"]["changed"]


@pytest.mark.parametrize("seed", range(40))
def test_strange_values_anywhere_in_a_file(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    good = write_gltf(tmp_path / "good.gltf", [{"name": "Body", "mesh": 0}, {"name": "Arm"}], clips=("Walk",))
    document = json.loads(good.read_text("utf-8"))
    document["textures"] = [{"source": 0, "sampler": 0}]
    document["materials"] = [{"normalTexture": {"index": 0}, "extensions": {"X": {"maskTexture": {"index": 7}}}}]
    owner, key = dice.choice(places(document))
    owner[key] = dice.choice(STRANGE)
    bad = tmp_path / "bad.gltf"
    bad.write_text(json.dumps(document), encoding="utf-8")
    for pair in ((good, bad), (bad, good), (bad, bad)):
        found = compare_files(*pair)
        assert found is None or "error" in found or isinstance(found["parts"], list)
