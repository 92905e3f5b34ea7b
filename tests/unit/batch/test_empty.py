"""Scenes and prefabs that draw nothing get no file, and the report says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from unity2gltf.batch.run import convert
from unity2gltf.options import Options
from unity2gltf.sample import FileBuilder, Hierarchy, MeshContent, mesh_fields
from unity2gltf.sample.values import MESH, MESH_FILTER, MESH_RENDERER, RENDER_SETTINGS, pptr

VERSION = "2022.3.20f1"


def _triangle() -> MeshContent:
    positions = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0]], np.float32)
    return MeshContent(
        name="Triangle",
        positions=positions,
        normals=np.tile(np.array([0, 0, -1], np.float32), (3, 1)),
        tangents=np.tile(np.array([1, 0, 0, -1], np.float32), (3, 1)),
        uv=positions[:, :2].copy(),
        submeshes=(np.array([[0, 1, 2]]),),
    )


def _file(*, scene: bool, active: bool) -> FileBuilder:
    """``Door`` with a ``Leaf`` that is drawn only when ``active``, and a ``Menu`` that has nothing to draw."""
    file = FileBuilder(VERSION, True)
    mesh, tree = file.add(MESH, mesh_fields(_triangle(), file)), Hierarchy(file)
    leaf = tree.add("Leaf", tree.add("Door"), active=active)
    tree.component(leaf, MESH_FILTER, {"m_Mesh": pptr(mesh)})
    tree.component(leaf, MESH_RENDERER, {"m_Materials": [pptr(0)]})
    tree.add("Menu")
    tree.write()
    if scene:
        file.add(RENDER_SETTINGS, {"m_AmbientIntensity": 1.0})
    return file


def _report(tmp_path: Path, name: str, *, active: bool, **options: Any) -> dict[str, Any]:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / name).write_bytes(_file(scene=name == "level0", active=active).to_bytes())
    convert([tmp_path / "game"], tmp_path / "out", Options(**options))
    report: dict[str, Any] = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    return report


def _empty(report: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (item["message"], item["source"]["type"], item["data"])
        for item in report["diagnostics"]
        if item["code"] == "ASSET_EMPTY"
    ]


def test_a_scene_with_everything_hidden_is_told(tmp_path: Path) -> None:
    report = _report(tmp_path, "level0", active=False)
    text = "scene 'level0' draws nothing: 1 renderer is hidden; no file was written"
    assert _empty(report) == [(text, "Scene", {"kind": "scene", "hidden": 1})]
    assert [asset["output"] for asset in report["assets"]] == ["meshes/Triangle.glb"]


def test_a_prefab_with_everything_hidden_is_told_but_not_one_without_renderers(tmp_path: Path) -> None:
    report = _report(tmp_path, "a.assets", active=False)
    text = "prefab 'Door' draws nothing: 1 renderer is hidden; no file was written"
    assert _empty(report) == [(text, "GameObject", {"kind": "prefab", "hidden": 1})]
    assert "not drawn: inactive" in {item["message"] for item in report["diagnostics"]}


def test_nothing_is_told_of_what_is_written(tmp_path: Path) -> None:
    report = _report(tmp_path, "level0", active=True)
    assert _empty(report) == []
    assert [asset["output"] for asset in report["assets"]] == ["scenes/level0.glb"]


def test_hidden_renderers_that_are_asked_for_are_written(tmp_path: Path) -> None:
    report = _report(tmp_path, "level0", active=False, inactive="flag")
    assert _empty(report) == []
    assert [asset["output"] for asset in report["assets"]] == ["scenes/level0.glb"]
