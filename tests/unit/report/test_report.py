"""report.json against its schema, the page, and exit codes."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from unity2gltf import codes, ir
from unity2gltf.batch.outcome import ContentResult, InputResult, Report
from unity2gltf.diagnostics import Diagnostic
from unity2gltf.errors import InputError
from unity2gltf.options import Options
from unity2gltf.pipeline import AssetResult
from unity2gltf.report.write import rewrite_page, write_report
from unity2gltf.source import Source
from unity2gltf.validate.clip_sums import ClipSums
from unity2gltf.validate.roundtrip import RoundTrip

MESH = Source("a", "CAB-1", -9223372036854775808, "Mesh")
SCHEMA = json.loads(files("unity2gltf.report").joinpath("schema-1.json").read_text("utf-8"))


def report(status: str = "exact", **changes: Any) -> Report:
    asset = AssetResult(
        kind="mesh",
        name="Body <b>&",
        path="Body",
        source=MESH,
        output="meshes/Body.glb",
        status=status,
        diagnostics=(Diagnostic(codes.SKIN_INFLUENCES_CUT, "3 <vertices>", "CAB-1:1/Mesh", {"vertices": 3}, MESH),),
        stats={"vertices": 4, "bytes": 100},
        roundtrip=RoundTrip("quick", max_error_m=1e-7, rms_error_m=1e-8, poses=1, vertices=4, passed=True).to_json(),
    )
    values: dict[str, Any] = {
        "options": Options(),
        "inputs": [InputResult(path="a", sha256="0" * 64, status="read")],
        "contents": [ContentResult(source=MESH, name="Body", status=status, assets=("meshes/Body.glb",))],
        "assets": [asset],
    }
    return Report(**(values | changes))


def test_the_report_fits_its_schema_and_is_whole(tmp_path: Path) -> None:
    value = report("lossy").to_json()
    jsonschema.validate(value, SCHEMA)
    write_report(value, tmp_path)
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == value
    assert value["assets"][0]["source"]["path_id"] == "-9223372036854775808"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.html", "report.json"]


def test_the_schema_knows_every_number_of_a_round_trip() -> None:
    sums = ClipSums(count=1, times=9)
    sums.kinds["CUBICSPLINE"] += 1
    sums.exact.add(ir.Path.ROTATION, 1e-7)
    cut = {"max_m": 0.01, "rms_m": 0.001, "vertices": 3}
    proof = RoundTrip("full", cut=cut, clips=sums.to_json(), problems=["a node is missing"]).to_json()
    value = report(assets=[replace(report().assets[0], roundtrip=proof)]).to_json()
    jsonschema.validate(value, SCHEMA)
    for part in (proof, proof["cut"], proof["clips"], proof["clips"]["approximate"]):
        part["surprise"] = 1
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(value, SCHEMA)
        del part["surprise"]


def test_the_schema_wants_a_reason_for_what_was_not_written() -> None:
    silent = report(contents=[ContentResult(source=MESH, name="Body", status="skipped")]).to_json()
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(silent, SCHEMA)


@pytest.mark.parametrize(
    ("status", "never", "error", "lossy"), [("exact", 0, 0, 0), ("lossy", 0, 0, 1), ("failed", 0, 1, 1)]
)
def test_exit_codes(status: str, never: int, error: int, lossy: int) -> None:
    one = report(status)
    assert [one.exit_code(word) for word in ("never", "error", "lossy")] == [never, error, lossy]


def test_clips_are_summed_over_all_assets() -> None:
    def clips(count: int, error: float) -> dict[str, Any]:
        worst = {"max_rotation_deg": error, "max_vertex_m": error / 2}
        return {
            "count": count,
            "channels": 3 * count,
            "kinds": {"STEP": count, "LINEAR": 2 * count},
            **worst,
            "approximate": {"channels": 1, "max_rotation_deg": 2 * error, "max_vertex_m": 0.0},
        }

    one = report().assets[0]
    assert one.roundtrip is not None
    assets = [replace(one, roundtrip=one.roundtrip | {"clips": clips(*given)}) for given in ((1, 0.5), (4, 0.25))]
    assert report(assets=[*assets, one]).counts()["clips"] == {
        "count": 5,
        "channels": 15,
        "kinds": {"LINEAR": 10, "STEP": 5},
        "max_rotation_deg": 0.5,
        "max_vertex_m": 0.25,
        "approximate": {"channels": 2, "max_rotation_deg": 1.0, "max_vertex_m": 0.0},
    }
    assert report().counts()["clips"] is None


def test_nothing_convertible_is_exit_code_3_and_a_broken_file_is_an_error() -> None:
    assert report(assets=[]).exit_code("never") == 3
    broken = InputResult(path="b", sha256=None, status="failed", reason="cut off")
    assert report(inputs=[broken]).exit_code("error") == 1


def test_an_error_in_an_asset_that_was_written_counts() -> None:
    one = report("lossy")
    error = Diagnostic(codes.TEXTURE_MISSING, "gone", "x", {}, MESH)
    one.assets = [replace(one.assets[0], diagnostics=(error,))]
    assert one.exit_code("error") == 1


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 2}', '{"schema": 1}', '{"schema": 1, "assets": [3]}'])
def test_a_page_is_not_drawn_anew_from_what_is_no_report(tmp_path: Path, text: str) -> None:
    (tmp_path / "report.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"report\.json"):
        rewrite_page(tmp_path)
    assert not (tmp_path / "index.html").exists()
