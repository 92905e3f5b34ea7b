"""The row of materials, converted: every number and pixel against the sample's formulas, worked out here anew."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from unity2gltf import Options, convert
from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.sample import DEFAULT_VERSIONS, write_player

SIDE = 32
X, Y = np.arange(SIDE)[None, :], np.arange(SIDE)[::-1, None]
"""A pixel's column from the left, and its row from the bottom: glTF's images begin at the top."""


@dataclass(frozen=True)
class Scene:
    gltf: Gltf
    report: dict[str, Any]

    def material(self, name: str) -> dict[str, Any]:
        (found,) = (item for item in self.gltf.json["materials"] if item["name"] == name)
        return found

    def pixels(self, texture: dict[str, Any]) -> np.ndarray:
        """(H, W, channels) as integers."""
        image = self.gltf.json["images"][self.gltf.json["textures"][texture["index"]]["source"]]
        view = self.gltf.json["bufferViews"][image["bufferView"]]
        start = view.get("byteOffset", 0)
        with Image.open(io.BytesIO(bytes(self.gltf.buffers[0][start : start + view["byteLength"]]))) as decoded:
            return np.asarray(decoded).astype(int)


def converted(folder: Path, version: str, *, broken: bool = False) -> Scene:
    write_player(folder / "Game_Data", version, broken=broken)
    convert(folder / "Game_Data", folder / "out", Options(verify="none", include=("scenes",)))
    report = json.loads((folder / "out" / "report.json").read_text("utf-8"))
    return Scene(read_gltf(folder / "out" / "scenes" / "Studio.glb"), report)


@pytest.fixture(scope="module", params=DEFAULT_VERSIONS)
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return converted(tmp_path_factory.mktemp("scene"), request.param)


def linear(values: Any) -> np.ndarray:
    """Of sRGB, 0..1."""
    values = np.asarray(values, dtype=float)
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def bytes_of(share: Any) -> np.ndarray:
    return np.broadcast_to(np.rint(np.asarray(share) * 255), (SIDE, SIDE)).astype(int)


def off(found: np.ndarray, wanted: np.ndarray) -> int:
    """The largest difference, in bytes."""
    assert found.shape == wanted.shape
    return int(np.abs(found - wanted).max())


def tiling(use: dict[str, Any]) -> dict[str, Any]:
    return dict(use["extensions"]["KHR_texture_transform"])


def test_brass_packs_occlusion_roughness_and_metallic(scene: Scene) -> None:
    brass = scene.material("Brass")
    pbr, occlusion = brass["pbrMetallicRoughness"], brass["occlusionTexture"]
    assert pbr["metallicRoughnessTexture"]["index"] == occlusion["index"]
    assert pbr.get("metallicFactor", 1) == pbr.get("roughnessFactor", 1) == 1
    assert occlusion["strength"] == 0.75
    assert "baseColorTexture" not in pbr
    image = scene.pixels(occlusion)
    assert off(image[..., 0], bytes_of(linear((100 + 5 * Y) / 255))) == 0
    assert off(image[..., 1], bytes_of(1 - 0.8 * (8 * X) / 255)) <= 1
    assert off(image[..., 2], np.where((X // 8 + Y // 8) % 2 == 0, 255, 64)) == 0


def test_brass_is_tiled_by_its_empty_base_slot(scene: Scene) -> None:
    brass = scene.material("Brass")
    for use in (brass["pbrMetallicRoughness"]["metallicRoughnessTexture"], brass["occlusionTexture"]):
        assert tiling(use) == {"offset": [0.25, 0.0], "scale": [2.0, 1.0]}  # from the top: 1 - 1 - 0


def test_hammered_has_its_normals(scene: Scene) -> None:
    use = scene.material("Hammered")["normalTexture"]
    assert use["scale"] == pytest.approx(0.7)
    assert tiling(use) == {"offset": [0.0, -1.0], "scale": [3.0, 2.0]}  # from the top: 1 - 2 - 0
    u, v = ((np.arange(64) + 0.5) / 64 * 2 * 2 * np.pi for _ in "uv")
    x = 0.6 * np.sin(u)[None, :] * np.cos(v[::-1])[:, None]
    y = 0.6 * np.cos(u)[None, :] * np.sin(v[::-1])[:, None]
    found = scene.pixels(use) / 255 * 2 - 1
    assert np.abs(found[..., 0] - x).max() < 0.04, "eight steps a block of 4 x 4"
    assert np.abs(found[..., 1] - y).max() < 0.07, "four steps of 6 bits"
    assert np.abs((found**2).sum(axis=-1) - 1).max() < 0.03
    assert found[..., 2].min() > 0


def test_hammered_is_drawn_on_a_mesh_with_tangents(scene: Scene) -> None:
    number = scene.gltf.json["materials"].index(scene.material("Hammered"))
    (primitive,) = (p for m in scene.gltf.json["meshes"] for p in m["primitives"] if p.get("material") == number)
    assert "TANGENT" in primitive["attributes"]


def test_lamp_shines_by_a_colour_that_is_stored_in_gamma(scene: Scene) -> None:
    lamp = scene.material("Lamp")
    strength = lamp["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"]
    light = np.array(lamp["emissiveFactor"]) * strength
    assert light == pytest.approx([2.0**2.2, 1.5**2.2, float(linear(0.25))], rel=1e-6)
    assert max(lamp["emissiveFactor"]) == 1
    assert "emissiveTexture" not in lamp


def test_screen_shines_by_a_map_and_a_linear_colour(scene: Scene) -> None:
    screen = scene.material("Screen")
    assert screen["emissiveFactor"] == [1.0, 0.75, 0.125]
    assert screen["extensions"]["KHR_materials_emissive_strength"] == {"emissiveStrength": 2.0}
    lines = np.broadcast_to(np.where(Y % 8 < 4, 255, 0), (SIDE, SIDE))
    assert off(scene.pixels(screen["emissiveTexture"]), np.stack([lines] * 3, axis=-1)) == 0


def test_leaf_is_cut_out(scene: Scene) -> None:
    leaf = scene.material("Leaf")
    assert leaf["alphaMode"] == "MASK"
    assert leaf["alphaCutoff"] == pytest.approx(0.4)
    image = scene.pixels(leaf["pbrMetallicRoughness"]["baseColorTexture"])
    half = 14 * np.sin(np.pi * (Y + 0.5) / SIDE)
    assert off(image[..., 3], np.floor(np.clip(255 * (1 - np.abs(X - 15.5) / half), 0, 255)).astype(int)) <= 1
    drawn = (image[..., 3] > 0.4 * 255).mean()
    assert 0.2 < drawn < 0.5


def test_only_banner_and_gem_are_two_sided(scene: Scene) -> None:
    names = {item["name"] for item in scene.gltf.json["materials"] if item.get("doubleSided")}
    assert names == {"Banner", "Gem"}


def test_banner_is_tiled_and_moved(scene: Scene) -> None:
    use = scene.material("Banner")["pbrMetallicRoughness"]["baseColorTexture"]
    assert tiling(use) == {"offset": [0.25, -1.5], "scale": [3.0, 2.0]}  # from the top: 1 - 2 - 0.5
    assert (scene.pixels(use)[-4:] == 60).all(), "the dark line is at the bottom"


def test_copper_reflects_its_specular_colour(scene: Scene) -> None:
    copper = scene.material("Copper")
    assert copper["pbrMetallicRoughness"]["metallicFactor"] == 0
    assert copper["pbrMetallicRoughness"]["roughnessFactor"] == pytest.approx(0.3)
    ior = copper["extensions"]["KHR_materials_ior"]["ior"]
    color = copper["extensions"]["KHR_materials_specular"]["specularColorFactor"]
    assert ((ior - 1) / (ior + 1)) ** 2 * np.array(color) == pytest.approx(linear([0.95, 0.64, 0.54]), rel=1e-5)


def test_enamel_maps_the_ranges_of_its_mask(scene: Scene) -> None:
    enamel = scene.material("Enamel")
    image = scene.pixels(enamel["pbrMetallicRoughness"]["metallicRoughnessTexture"])
    assert off(image[..., 0], bytes_of(0.5 + 0.5 * 8 * Y / 255)) <= 1
    assert off(image[..., 1], bytes_of(1 - (0.2 + 0.7 * (255 - 8 * X) / 255))) <= 1
    assert off(image[..., 2], np.where((X // 16 + Y // 16) % 2 == 0, 0, 204)) == 0
    assert not any(enamel.get("emissiveFactor", ()))


def test_gem_is_guessed_by_what_its_shader_marks(scene: Scene) -> None:
    gem = scene.material("Gem")
    image = scene.pixels(gem["pbrMetallicRoughness"]["baseColorTexture"])
    kind = (X // 8 + Y // 8 + (X % 8 > Y % 8)) % 3
    assert off(image, np.stack([60 + 50 * kind, 120 + 40 * kind, 255 - 10 * kind], axis=-1)) == 0
    assert gem["pbrMetallicRoughness"]["baseColorFactor"][:3] == pytest.approx(linear([0.9, 0.9, 1.0]), rel=1e-5)
    assert gem["normalTexture"]["index"] == scene.material("Hammered")["normalTexture"]["index"]
    (asset,) = scene.report["assets"]
    told = {item["code"]: item for item in asset["diagnostics"] if item["where"].endswith('Material "Gem"')}
    assert told.keys() == {"MATERIAL_SHADER_GUESSED", "MATERIAL_PARTS_LEFT"}
    assert [slot["slot"] for slot in told["MATERIAL_PARTS_LEFT"]["data"]["slots"]] == ["_Fire", "_Sparkle"]


def test_torn_texture_becomes_a_white_pixel_and_an_error(tmp_path: Path) -> None:
    broken = converted(tmp_path, "2022.3.20f1", broken=True)
    use = broken.material("Torn")["pbrMetallicRoughness"]["baseColorTexture"]
    assert broken.pixels(use).tolist() == [[[255, 255, 255]]]
    (asset,) = broken.report["assets"]
    (error,) = (item for item in asset["diagnostics"] if item["severity"] == "error")
    assert (error["code"], error["data"]) == ("TEXTURE_CORRUPT", {"needed": 4096, "found": 1000})
    assert asset["status"] == "lossy"
