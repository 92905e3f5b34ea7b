"""A report in a few lines."""

from __future__ import annotations

from tests.builders.reports import asset_value, diagnostic_value, report_value
from unity2gltf import codes
from unity2gltf.report.digest import digest_report


def test_kinds_worst_errors_and_codes_errors_first() -> None:
    lost = diagnostic_value(codes.TEXTURE_MISSING, "gone")
    cut = diagnostic_value(codes.SKIN_INFLUENCES_CUT, "cut")
    form = diagnostic_value(codes.SKIN_FORM, "form")
    assets = [
        asset_value("Body", 1, status="lossy", diagnostics=[cut, cut, form]),
        asset_value("Hat", 2, diagnostics=[cut, lost]),
        asset_value("Still", 0, folder="scenes"),
    ]
    found = digest_report(report_value(assets, diagnostics=[form]))
    assert found["assets"] == 3
    assert found["kinds"] == {
        "mesh": {"exact": 1, "lossy": 1, "failed": 0},
        "scene": {"exact": 1, "lossy": 0, "failed": 0},
    }
    assert [item["name"] for item in found["worst"]] == ["Hat", "Body"]
    assert [(item["code"], item["count"], item["assets"]) for item in found["diagnostics"]] == [
        ("TEXTURE_MISSING", 1, 1),
        ("SKIN_INFLUENCES_CUT", 3, 2),
        ("SKIN_FORM", 2, 1),
    ]
    assert found["diagnostics"][0]["sentence"] == codes.TEXTURE_MISSING.sentence
