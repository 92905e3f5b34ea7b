"""What differs between two outputs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.builders.reports import asset_value, content_value, diagnostic_value, report_value
from tests.unit.preview.handmade import TRIANGLE, write_gltf
from unity2gltf import codes
from unity2gltf.errors import InputError
from unity2gltf.report.compare.files import compare_files
from unity2gltf.report.compare.outputs import compare_outputs
from unity2gltf.report.compare.words import difference_lines, summary_line
from unity2gltf.report.write import write_report

NODES: list[dict[str, Any]] = [{"name": "Body", "mesh": 0}, {"name": "Arm"}]


def put(folder: Path, *assets: dict[str, Any], **more: Any) -> Path:
    for asset in assets:
        if asset["output"]:
            write_gltf(folder / asset["output"], NODES)
    folder.mkdir(exist_ok=True)
    write_report(report_value(list(assets), **more), folder)
    return folder


def asset(name: str, number: int = 1, **more: Any) -> dict[str, Any]:
    return asset_value(name, number, **({"output": f"meshes/{name}.gltf"} | more))


def edit(path: Path, change: Callable[[Any], object]) -> None:
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")


def parts(old: Path, new: Path) -> list[tuple[str, ...]]:
    found = compare_files(old, new)
    assert found is not None
    return [
        tuple(str(item[key]) for key in ("part", "field", "what", "note") if key in item) for item in found["parts"]
    ]


def test_the_same_twice(tmp_path: Path) -> None:
    one, two = (put(tmp_path / name, asset("Body"), asset("Gone", output=None)) for name in ("one", "two"))
    found = compare_outputs(one, two)
    assert found["same"]
    assert found["assets"] == {"same": 2, "added": [], "gone": [], "changed": []}
    assert not list(difference_lines(found))


def test_assets_added_gone_moved_and_changed(tmp_path: Path) -> None:
    note = diagnostic_value(codes.SKIN_BONE_MISSING, "no Arm", "CAB-3")
    body = asset("Body", 3)
    one = put(tmp_path / "one", asset("Old", 1), asset("Moved", 2), body, asset("Same", 4))
    two = put(
        tmp_path / "two",
        *(asset("New", 5), asset("Moved", 2, output="meshes/Moved-1.gltf"), asset("Same", 4)),
        body | {"status": "lossy", "diagnostics": [note], "stats": body["stats"] | {"triangles": 4}, "reason": "so"},
    )
    found = compare_outputs(one, two)
    assert not found["same"]
    assets = found["assets"]
    assert assets["same"] == 1
    assert [item["output"] for item in assets["added"]] == ["meshes/New.gltf"]
    assert [item["output"] for item in assets["gone"]] == ["meshes/Old.gltf"]
    changed, moved = sorted(assets["changed"], key=lambda item: item["name"])
    assert moved["was"] == "meshes/Moved.gltf"
    assert changed["changes"][0] == {"field": "status", "old": "exact", "new": "lossy"}
    assert {"field": "stats.triangles", "old": 3, "new": 4} in changed["changes"]
    assert changed["remarks"]["added"][0]["code"] == "SKIN_BONE_MISSING"
    lines = list(difference_lines(found))
    assert "moved: meshes/Moved-1.gltf (was meshes/Moved.gltf)" in lines
    assert "  status: exact -> lossy" in lines
    assert "  reason: nothing -> so" in lines
    assert "  remark added: SKIN_BONE_MISSING: no Arm CAB-3" in lines
    assert summary_line(found).startswith(
        "assets: 1 the same, 2 changed, 1 added, 1 gone; besides: 0 inputs, 3 objects"
    )


def test_inputs_objects_and_remarks_count_but_options_and_versions_do_not(tmp_path: Path) -> None:
    body = asset("Body")
    one = put(tmp_path / "one", body, options={"lod": "first"})
    two = put(tmp_path / "two", body, options={"lod": "all"})
    found = compare_outputs(one, two)
    assert found["same"]
    assert found["options"] == [{"field": "lod", "old": "first", "new": "all"}]
    assert list(difference_lines(found)) == ["options: lod: first -> all"]
    broken = {"path": "data/bundle0", "sha256": None, "status": "failed", "reason": "cut off"}
    for number, more in enumerate(
        (
            {"inputs": [broken]},
            {"contents": [content_value(body, status="lossy")]},
            {"diagnostics": [diagnostic_value(codes.ASSET_EMPTY, "Menu")]},
        )
    ):
        assert not compare_outputs(one, put(tmp_path / f"three{number}", body, **more))["same"]


def test_parts_of_a_changed_file_are_told_by_name(tmp_path: Path) -> None:
    old = write_gltf(tmp_path / "old.gltf", NODES, clips=("Walk",))
    new = write_gltf(tmp_path / "new.gltf", NODES, [*TRIANGLE[:2], (0.0, 1.5, 0.0)], clips=("Walk", "Run"))
    edit(new, lambda document: document["nodes"][1].update(translation=[1.0, 0.0, 0.0]))
    assert parts(old, new) == [
        ('node "Arm"', "translation", "added"),
        ("mesh without a name", "primitives/0/attributes/POSITION", "changed", "1 of 3 elements differ, by up to 0.5"),
        ('animation "Run"', "added"),
    ]


def test_a_node_in_front_changes_nothing_but_its_own(tmp_path: Path) -> None:
    """References are compared by the name of what they lead to, not by their numbers."""
    old = write_gltf(tmp_path / "old.gltf", [{"name": "Root", "children": [1]}, *NODES[:1]], shown=[0], clips=("Up",))
    new = write_gltf(
        tmp_path / "new.gltf", [{"name": "Extra"}, {"name": "Root", "children": [2]}, *NODES[:1]], shown=[0, 1]
    )
    move = json.loads(old.read_text("utf-8"))["animations"]
    move[0]["channels"][0]["target"]["node"] = 1
    edit(new, lambda document: document.update(animations=move))
    assert parts(old, new) == [("scene without a name", "nodes", "changed"), ('node "Extra"', "added")]


def test_maps_of_human_bones_are_compared_by_the_names_of_their_nodes(tmp_path: Path) -> None:
    def human(path: Path, hips: int) -> Path:
        bones = {"Hips": hips, "Head": 99}
        rig = {"unity": {"humanoid": {"avatar": "A", "bones": bones}}}
        vrm = {"humanoid": {"humanBones": {"hips": {"node": hips}}}}

        def change(document: dict[str, Any]) -> None:
            document["asset"]["extras"] = {"unity": {"humanoid": bones, "muscle_limits": {"Jaw": [-1.0, 1.0]}}}
            document["extensions"] = {"VRMC_vrm": vrm}
            document["nodes"][-2]["extras"] = rig

        edit(path, change)
        return path

    old = human(write_gltf(tmp_path / "old.gltf", NODES), 1)
    new = human(write_gltf(tmp_path / "new.gltf", [{"name": "Extra"}, *NODES], shown=[0, 1, 2]), 2)
    assert parts(old, new) == [("scene without a name", "nodes", "changed"), ('node "Extra"', "added")]
    other = human(write_gltf(tmp_path / "other.gltf", NODES), 0)
    assert [part[:2] for part in parts(old, other)] == [
        ("document", "asset/extras/unity/humanoid/Hips"),
        ("document", "extensions/VRMC_vrm/humanoid/humanBones/hips/node"),
        ('node "Body"', "extras/unity/humanoid/bones/Hips"),
    ]


def test_images_and_textures(tmp_path: Path) -> None:
    def paint(image: str, name: str) -> Callable[[Any], object]:
        return lambda document: document.update(
            images=[{"name": "Skin", "uri": f"{image}.png"}],
            samplers=[{"wrapS": 33071 if name == "clamped" else 10497}],
            textures=[{"source": 0, "sampler": 0}],
            materials=[{"name": "Skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        )

    files = {}
    for name in ("old", "same", "new", "clamped"):
        files[name] = write_gltf(tmp_path / name / "body.gltf", NODES)
        edit(files[name], paint("skin", name))
        (tmp_path / name / "skin.png").write_bytes(b"changed" if name == "new" else b"pixels")
    assert compare_files(files["old"], files["same"]) is None
    assert parts(files["old"], files["new"]) == [('image "Skin"', "content", "changed", "6 bytes -> 7 bytes")]
    field = "pbrMetallicRoughness/baseColorTexture/index/sampler/wrapS"
    assert parts(files["old"], files["clamped"]) == [('material "Skin"', field, "changed")]


def test_other_bytes_of_the_same_content(tmp_path: Path) -> None:
    old, new = (write_gltf(tmp_path / name, NODES) for name in ("old.gltf", "new.gltf"))
    new.write_text(f"{new.read_text('utf-8')}  ", encoding="utf-8")
    found = compare_files(old, new)
    assert found is not None
    assert found["parts"] == []
    assert found["bytes"][1] == found["bytes"][0] + 2


@pytest.mark.parametrize("content", [b"", b"glTF", b"{}", b'{"asset":{"version":"2.0"},"textures":[{"extensions":3}]}'])
def test_files_that_cannot_be_read_are_a_difference_and_no_crash(tmp_path: Path, content: bytes) -> None:
    old, new = tmp_path / "old.gltf", tmp_path / "new.gltf"
    write_gltf(old, NODES)
    new.write_bytes(content)
    found = compare_files(old, new)
    assert found is not None
    assert "error" in found or found["parts"]
    assert compare_files(new, new) is None
    assert "error" in (compare_files(old, tmp_path / "missing.gltf") or {})


@pytest.mark.parametrize("field", ["assets", "inputs", "contents", "diagnostics", "options", "tool"])
@pytest.mark.parametrize("value", [None, [3], [{}], "text"])
def test_what_is_no_whole_report_is_named(tmp_path: Path, field: str, value: Any) -> None:
    one, two = (put(tmp_path / name, asset("Body")) for name in ("one", "two"))
    edit(two / "report.json", lambda report: report.update({field: value}))
    for pair in ((one, two), (two, one)):
        with pytest.raises(InputError, match=r"two.report\.json"):
            compare_outputs(*pair)
