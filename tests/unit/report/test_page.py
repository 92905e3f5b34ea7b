"""index.html: what it holds of a report, and that no name can break out of it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.builders.reports import (
    HOSTILE,
    asset_value,
    content_value,
    diagnostic_value,
    large_report,
    report_value,
)
from unity2gltf import codes
from unity2gltf.report.advice import ADVISED, advice
from unity2gltf.report.page import page_script, render_page
from unity2gltf.report.write import rewrite_page, write_report


def embedded(page: str, name: str) -> Any:
    (text,) = re.findall(rf'<script id="data-{name}" type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def rows(page: str) -> list[dict[str, Any]]:
    data = embedded(page, "assets")
    return [dict(zip(data["fields"], row, strict=True)) for row in data["assets"]]


def test_it_holds_what_the_table_shows() -> None:
    told = diagnostic_value(codes.SKIN_INFLUENCES_CUT, "3 vertices", "CAB-7")
    quiet = diagnostic_value(codes.SKIN_FORM, "4 influences", "CAB-7")
    one = asset_value("Body", 7, status="lossy", diagnostics=[told, quiet, told])
    page = render_page(report_value([one]))
    (row,) = rows(page)
    assert {key: row[key] for key in ("name", "output", "kind", "status", "triangles", "bytes", "told", "error")} == {
        "name": "Body",
        "output": "meshes/Body.glb",
        "kind": "mesh",
        "status": "lossy",
        "triangles": 7,
        "bytes": 1259,
        "told": 2,
        "error": 7 * 1e-9,
    }
    found = embedded(page, "assets")["codes"]
    assert [(code["name"], code["count"], code["assets"], code["told"]) for code in found] == [
        ("SKIN_FORM", 1, 1, False),
        ("SKIN_INFLUENCES_CUT", 2, 1, True),
    ]
    assert found[1]["sentence"] == codes.SKIN_INFLUENCES_CUT.sentence
    assert "--max-influences" in found[1]["advice"]
    details = embedded(page, "details")
    assert [details["texts"][number] for number in details["remarks"][0][0][1:]] == ["3 vertices", "CAB-7"]
    assert len(details["texts"]) == 3, "each text once"


def test_it_tells_inputs_lost_objects_clips_and_remarks_of_no_asset() -> None:
    one = asset_value("Body", 1)
    clip = content_value(one, type="AnimationClip", name="Walk")
    lost = content_value(one, status="failed", assets=[], reason="cut off", name="Hat")
    broken = {"path": "b", "sha256": None, "status": "failed", "reason": "no version"}
    other = [diagnostic_value(codes.ASSET_EMPTY, "scene 'Menu'"), diagnostic_value(codes.RENDERER_NOT_DRAWN, "hidden")]
    page = render_page(report_value([one], inputs=[broken], contents=[clip, lost], diagnostics=other))
    details = embedded(page, "details")
    assert details["clips"] == [["Walk"]]
    assert details["lost"] == [["Mesh", "Hat", "data/bundle0", "cut off"]]
    assert details["inputs"] == {"failed": [["b", "no version"]], "skipped": []}
    assert [details["texts"][message] for _, message, _ in details["other"]] == ["scene 'Menu'"]
    assert '<a href="#inputs">Not read <b>2</b></a>' in page


def test_hostile_names_stay_in_the_data(tmp_path: Path) -> None:
    remarks = [diagnostic_value(codes.TEXTURE_MISSING, name, name) for name in HOSTILE]
    assets = [asset_value(name, number, diagnostics=remarks) for number, name in enumerate(HOSTILE)]
    value = report_value(assets, diagnostics=remarks)
    value["tool"]["version"] = "<script>1</script>"
    write_report(value, tmp_path)
    page = (tmp_path / "index.html").read_text("utf-8")
    assert [row["name"] for row in rows(page)] == list(HOSTILE)
    assert page.count("<script") == 3, "the data twice, and the page's own"
    assert "<!--" not in page
    assert page.count("</script>") == 3
    assert "\ud800" not in page
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == value


def test_it_asks_for_nothing_and_runs_its_own_script_only() -> None:
    page = render_page(report_value([asset_value("Body")]))
    assert "http:" not in page.replace("location.protocol", "")
    assert "https:" not in page
    assert page_script() in page
    assert "innerHTML" not in page_script()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    assert "unsafe" not in policy


def test_the_page_of_a_large_report_is_compact() -> None:
    value = large_report(500, 2000)
    assert len(render_page(value)) < 0.6 * len(json.dumps(value))


def test_pictures_are_shown_unless_the_file_is_newer(tmp_path: Path) -> None:
    value = report_value([asset_value("Body"), asset_value("Hat")])
    model, still, turntable = (
        tmp_path / name for name in ("meshes/Body.glb", "previews/meshes/Body.glb.png", "previews/meshes/Body.glb.webp")
    )
    for path in (model, still):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    write_report(value, tmp_path)

    def pictures() -> list[tuple[Any, Any]]:
        rewrite_page(tmp_path)
        return [(row["still"], row["turntable"]) for row in rows((tmp_path / "index.html").read_text("utf-8"))]

    assert pictures() == [("previews/meshes/Body.glb.png", None), (None, None)]
    turntable.touch()
    assert pictures()[0] == ("previews/meshes/Body.glb.png", "previews/meshes/Body.glb.webp")
    os.utime(model, (still.stat().st_mtime + 10,) * 2)
    assert pictures()[0] == (None, None)
    assert embedded((tmp_path / "index.html").read_text("utf-8"), "assets")["pictured"] is False


def test_pictures_of_a_joined_report_lie_with_their_run(tmp_path: Path) -> None:
    for name in ("one/meshes/Body.gltf", "one/previews/meshes/Body.gltf.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    write_report(report_value([asset_value("Body", output="one/meshes/Body.gltf")]), tmp_path)
    (row,) = rows((tmp_path / "index.html").read_text("utf-8"))
    assert row["still"] == "one/previews/meshes/Body.gltf.png"


def test_advice_is_of_codes_that_exist_and_an_unknown_code_gets_that_of_its_severity() -> None:
    assert set(codes.CODES) >= ADVISED
    assert advice("NO_SUCH", "error")
    assert advice("NO_SUCH", "info") == ""
    page = render_page(report_value([asset_value("Body", diagnostics=[{
        "code": "NO_SUCH", "severity": "warning", "message": "", "where": "", "data": {}, "source": None,
    }])]))  # fmt: skip
    assert embedded(page, "assets")["codes"][0]["sentence"] == ""


@pytest.mark.parametrize(
    "name", ["page.html", "page.css", "base.js", "table.js", "rows.js", "panel.js", "lists.js", "start.js"]
)
def test_its_files_are_in_the_package(name: str) -> None:
    from importlib.resources import files

    assert files("unity2gltf.report").joinpath("web", name).is_file()
