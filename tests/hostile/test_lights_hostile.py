"""Lights, cameras and colliders with numbers that no engine could use, end to end."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.test_pipeline_hostile import run
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.evaluate.gltf.lights import lights
from unity2gltf.sample import FileBuilder, Hierarchy
from unity2gltf.sample.figure import add_props, add_static
from unity2gltf.sample.game import ResourceFile
from unity2gltf.sample.materials import Shelf
from unity2gltf.sample.values import CAMERA, LIGHT

BOX_COLLIDER, RIGIDBODY = 65, 54
AWFUL = (math.nan, math.inf, -math.inf, -1.0, 0.0, 1e-38, 3e38)


def game(folder: Path, version: str) -> None:
    """A pedestal, and an object for each number with a light of each type and cameras that have it everywhere."""
    file, resources = FileBuilder(version, True), ResourceFile("a.assets.resS")
    props, tree = add_props(Shelf(file, resources.put)), Hierarchy(file)
    top = tree.add("Top")
    add_static(tree, top, props.pedestal, (props.stone,))
    for number, value in enumerate(AWFUL):
        for type_ in (*range(8), 99, -1):
            item = tree.add(f"light {type_} {number}", top)
            tree.component(item, LIGHT, _light(type_, value))
        for orthographic in (False, True):
            item = tree.add(f"camera {number}", top)
            tree.component(item, CAMERA, _camera(orthographic, value))
        tree.component(item, BOX_COLLIDER, {"m_Center": {"x": value, "y": 0.0, "z": 0.0}})
        tree.component(item, RIGIDBODY, {"m_Mass": value})
    tree.write()
    (folder / "a.assets").write_bytes(file.to_bytes())
    (folder / "a.assets.resS").write_bytes(bytes(resources.data))


def _light(type_: int, value: float) -> dict[str, Any]:
    color = dict.fromkeys("rgba", value)
    numbers = ("m_Intensity", "m_Range", "m_SpotAngle", "?m_InnerSpotAngle", "m_ColorTemperature")
    return {"m_Type": type_, "m_Color": color, "m_UseColorTemperature": True, **dict.fromkeys(numbers, value)}


def _camera(orthographic: bool, value: float) -> dict[str, Any]:
    numbers = ("near clip plane", "far clip plane", "field of view", "orthographic size", "m_FocalLength", "m_Depth")
    pairs = {"m_SensorSize": {"x": value, "y": value}, "m_LensShift": {"x": value, "y": 0.0}}
    return {"orthographic": orthographic, "m_projectionMatrixMode": 2, **dict.fromkeys(numbers, value), **pairs}


@pytest.mark.parametrize("version", ["2018.4.30f1", "2022.3.20f1", "6000.0.30f1"])
def test_every_light_and_camera_comes_out_valid_and_what_was_wrong_is_told(version: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    game(tmp_path / "in", version)
    done = run(tmp_path / "in", out=tmp_path / "out", extras=("colliders", "tags"))
    (asset,) = (a for a in done.report["assets"] if a["name"] == "Top")
    assert asset["status"] == "lossy" and asset["roundtrip"]["passed"], asset
    assert {"LIGHT_VALUE_FIXED", "LIGHT_LEFT_OUT", "CAMERA_VALUE_FIXED", "CAMERA_SHIFT"} <= done.losses
    gltf = read_gltf(done.out / asset["output"])
    assert len(lights(gltf)) == 4 * len(AWFUL)  # spot, directional, point, pyramid
    assert len(gltf.items("cameras")) == 2 * len(AWFUL)
    nodes = [node["extras"]["unity"] for node in gltf.items("nodes")]
    assert sum(len(unity.get("colliders", ())) for unity in nodes) == 2 * len(AWFUL)
