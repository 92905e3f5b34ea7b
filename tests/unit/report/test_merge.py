"""Several reports as one."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.builders.reports import asset_value, content_value, diagnostic_value, report_value
from unity2gltf import codes
from unity2gltf.errors import InputError, UsageError
from unity2gltf.report.merge import merge_reports
from unity2gltf.report.write import read_report, write_report

SCHEMA = json.loads(files("unity2gltf.report").joinpath("schema-1.json").read_text("utf-8"))
INPUT = "data/bundle0"


def put(folder: Path, *assets: dict[str, Any], **more: Any) -> Path:
    folder.mkdir(parents=True)
    write_report(report_value(list(assets), **more), folder)
    return folder


def inputs(path: str, digest: str | None, status: str = "read") -> dict[str, Any]:
    value = {"path": path, "sha256": digest and digest * 64, "status": status}
    return value if status == "read" else value | {"reason": "cut off"}


def test_outputs_are_named_from_the_new_place_and_counted(tmp_path: Path) -> None:
    one = put(tmp_path / "all/one", asset_value("Body", 3, status="lossy"))
    two = put(tmp_path / "two", asset_value("Hat", 5), asset_value("Gone", 6, output=None, status="failed"))
    value = merge_reports([one, two], tmp_path / "all")
    jsonschema.validate(value, SCHEMA)
    assert [asset["output"] for asset in value["assets"]] == [None, "../two/meshes/Hat.glb", "one/meshes/Body.glb"]
    assert value["counts"]["assets"] == {"exact": 1, "failed": 1, "lossy": 1}
    assert value["counts"]["stats"]["triangles"] == 14
    assert value["contents"][0]["assets"] == ["one/meshes/Body.glb"]
    assert value["diagnostics"] == []


def test_a_joined_report_is_written_read_and_joined_again(tmp_path: Path) -> None:
    one, two = (put(tmp_path / name, asset_value(name, number)) for number, name in enumerate(("one", "two")))
    for _ in range(2):
        write_report(merge_reports([one, two], tmp_path), tmp_path)
    other = tmp_path.parent / f"{tmp_path.name}-more"
    other.mkdir()
    value = merge_reports([tmp_path], other)
    jsonschema.validate(value, SCHEMA)
    assert value["assets"][0]["output"] == f"../{tmp_path.name}/one/meshes/one.glb"
    assert read_report(tmp_path)["counts"] == value["counts"]


def test_parts_of_one_run_list_their_inputs_objects_and_remarks_once(tmp_path: Path) -> None:
    body, hat = asset_value("Body", 1), asset_value("Hat", 2)
    missing = diagnostic_value(codes.REFERENCE_MISSING, "x is not there")
    skipped = {"status": "skipped", "assets": [], "reason": "no written primitive uses it"}
    same = {"inputs": [inputs(INPUT, "a")], "diagnostics": [missing, missing]}
    one = put(tmp_path / "one", body, contents=[content_value(body), content_value(hat, **skipped)], **same)
    two = put(tmp_path / "two", hat, contents=[content_value(body, **skipped), content_value(hat)], **same)
    value = merge_reports([one, two], tmp_path)
    assert value["inputs"] == [inputs(INPUT, "a")]
    assert [(item["status"], item["assets"]) for item in value["contents"]] == [
        ("exact", ["one/meshes/Body.glb"]),
        ("exact", ["two/meshes/Hat.glb"]),
    ]
    assert not any("reason" in item for item in value["contents"])
    assert value["diagnostics"] == [missing, missing]


def test_an_object_that_two_parts_wrote_is_what_the_worse_one_says(tmp_path: Path) -> None:
    body = asset_value("Body", 1)
    one = put(tmp_path / "one", body, contents=[content_value(body, status="lossy")])
    two = put(tmp_path / "two", body)
    (content,) = merge_reports([two, one], tmp_path)["contents"]
    assert content["status"] == "lossy"
    assert content["assets"] == ["one/meshes/Body.glb", "two/meshes/Body.glb"]


def test_files_of_one_path_in_two_games_stay_apart_and_are_told(tmp_path: Path) -> None:
    body = asset_value("Body", 1)
    one = put(tmp_path / "one", body, inputs=[inputs(INPUT, "a")], options={"lod": "first", "clips": "none"})
    two = put(tmp_path / "two", body, inputs=[inputs(INPUT, "b")], options={"lod": "all"})
    report = json.loads((two / "report.json").read_text("utf-8"))
    report["tool"]["version"] = "9.9"
    write_report(report, two)
    value = merge_reports([one, two], tmp_path)
    jsonschema.validate(value, SCHEMA)
    assert len(value["inputs"]) == len(value["contents"]) == 2
    assert value["options"] == {"lod": "first", "clips": "none"}
    told = [(item["code"], item["severity"], item["where"]) for item in value["diagnostics"]]
    assert told == [("REPORTS_DIFFER", "info", where) for where in ("options", "tool", "inputs")]
    assert value["diagnostics"][0]["data"]["options"][1] == {"report": "two/", "clips": None, "lod": "all"}


def test_a_file_that_one_part_could_read_was_read(tmp_path: Path) -> None:
    one = put(tmp_path / "one", inputs=[inputs(INPUT, "a", "skipped"), inputs("x", None, "failed")])
    two = put(tmp_path / "two", inputs=[inputs(INPUT, "a"), inputs("x", "b")])
    value = merge_reports([one, two], tmp_path)
    assert [(item["path"], item["status"]) for item in value["inputs"]] == [
        (INPUT, "read"),
        ("x", "failed"),
        ("x", "read"),
    ]
    assert value["diagnostics"] == [], "no two hashes of x are known"


def test_places_that_would_lose_a_report_are_refused(tmp_path: Path) -> None:
    one = put(tmp_path / "one", asset_value("Body"))
    own = put(tmp_path / "own", asset_value("Hat"))
    for outs, dest in (([one], one), ([one, tmp_path / "own/../one"], tmp_path), ([one], own)):
        with pytest.raises(UsageError):
            merge_reports(outs, dest)


@pytest.mark.parametrize("field", ["assets", "inputs", "contents", "diagnostics", "options", "tool"])
@pytest.mark.parametrize("value", [None, [3], [{}], "text"])
def test_what_is_no_whole_report_is_named(tmp_path: Path, field: str, value: Any) -> None:
    one = put(tmp_path / "one", asset_value("Body"))
    report = json.loads((one / "report.json").read_text("utf-8"))
    (one / "report.json").write_text(json.dumps(report | {field: value}), encoding="utf-8")
    with pytest.raises(InputError, match=r"one.report\.json"):
        merge_reports([one], tmp_path)
