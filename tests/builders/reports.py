"""report.json values made by hand: one of many assets, to measure the page, and one of hostile names."""

from __future__ import annotations

from typing import Any

from unity2gltf import codes
from unity2gltf.report.counts import count_report

KINDS = (("mesh", "meshes"), ("prefab", "prefabs"), ("scene", "scenes"))
CODES = (
    codes.SKIN_INFLUENCES_CUT, codes.MATERIAL_PARTS_LEFT, codes.RENDERER_NOT_DRAWN, codes.TEXTURE_MISSING,
    codes.SKIN_FORM, codes.CLIP_HASH_UNRESOLVED, codes.ASSET_FAILED,
)  # fmt: skip
STATUSES = ("exact", "exact", "lossy", "exact", "failed")

HOSTILE = (
    "</script><script>document.title = 'broken out'</script>",
    "<!-- <script> -->",
    """quotes " ' ` & &amp; <b>bold</b>""",
    "right \u202e to left \u2067 marks",
    "surrogate \ud800 and \udfff",
    "javascript:document.title='x'",
    "\x00\x07\r\n\t\u2028\u2029",
    "__proto__",
    "Ω" * 150,
    "",
)
"""Names that games could have; the longest is of 300 bytes."""


def asset_value(
    name: str, number: int = 0, *, folder: str = "meshes", status: str = "exact", **more: Any
) -> dict[str, Any]:
    """An entry of ``assets``."""
    stats = {"vertices": 3 * number, "triangles": number, "joints": number % 70, "morph_targets": number % 5}
    return {
        "kind": next(kind for kind, place in KINDS if place == folder),
        "name": name,
        "source": {
            "input": f"data/bundle{number // 100}",
            "file": f"CAB-{number}",
            "path_id": str(number),
            "type": "Mesh",
        },
        "output": f"{folder}/{name}.glb",
        "status": status,
        "diagnostics": [],
        "stats": stats | {"clips": 0, "textures": number % 3, "bytes": 1000 + 37 * number},
        "roundtrip": {
            "level": "quick",
            "max_error_m": number * 1e-9,
            "rms_error_m": number * 1e-10,
            "tolerance_m": 1e-5,
            "poses": 3,
            "vertices": 9 * number,
            "passed": True,
            "cut": None,
            "clips": None,
            "problems": [],
        },
    } | more


def diagnostic_value(code: codes.Code, message: str, where: str = "") -> dict[str, Any]:
    """A diagnostic, as it stands in the report."""
    return {
        "code": code.name,
        "severity": code.severity.value,
        "message": message,
        "where": where,
        "data": {},
        "source": None,
    }


def report_value(assets: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A whole report with its counts."""
    inputs = sorted({asset["source"]["input"] for asset in assets})
    value = {
        "schema": 1,
        "tool": {"name": "unity2gltf", "version": "0.0"},
        "options": {},
        "inputs": [{"path": path, "sha256": f"{number:064x}", "status": "read"} for number, path in enumerate(inputs)],
        "contents": [content_value(asset) for asset in assets],
        "assets": assets,
        "diagnostics": [],
    } | more
    return value | {"counts": count_report(value)}


def content_value(asset: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The entry of ``contents`` of the mesh that an asset shows."""
    value = {
        "source": asset["source"],
        "type": asset["source"]["type"],
        "name": asset["name"],
        "status": asset["status"],
    }
    written = {"assets": [asset["output"]]} if asset["output"] else {"assets": [], "reason": "it failed"}
    return value | written | more


def large_report(assets: int, remarks: int) -> dict[str, Any]:
    """Many assets with remarks: four in five of them spread over the assets, the rest of no asset."""
    made = []
    for number in range(assets):
        _, folder = KINDS[number % 3]
        made.append(asset_value(f"Asset {number}", number, folder=folder, status=STATUSES[number % len(STATUSES)]))
    for number in range(remarks * 4 // 5):
        asset = made[number * 7919 % assets]
        where = f'{asset["source"]["file"]}:{number}/Mesh "{asset["name"]}"/submesh {number % 4}'
        asset["diagnostics"].append(diagnostic_value(CODES[number % len(CODES)], f"{number} vertices of it", where))
    rest = range(remarks * 4 // 5, remarks)
    other = [
        diagnostic_value(codes.REFERENCE_MISSING, f"sharedassets{n}.assets is not there", f"level{n}") for n in rest
    ]
    return report_value(made, diagnostics=other)
