"""The corpus's terrains, levels of detail and repeated props: read right, and proven in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.corpus.objects import objects_below
from unity2gltf import Options, convert
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.extract.content import ContentRoot
from unity2gltf.normalize.terrain.decode import decode_terrain
from unity2gltf.normalize.terrain.heights import TOP
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.raw import RawTerrainData
from unity2gltf.source import Source

pytestmark = pytest.mark.corpus

MODDED = "Valheim-Modding+Jotunn"


def terrains(corpus: Path) -> Iterator[tuple[ContentRoot, RawTerrainData]]:
    for root, source in objects_below(corpus, "TerrainData"):
        yield root, root.terrain(source)


@pytest.mark.slow
def test_stored_bounds_agree_on_what_the_heights_mean(corpus: Path) -> None:
    """Unity stores the bounds of each patch as fractions of the range."""
    seen = 0
    for root, raw in terrains(corpus):
        bounds = root.read(raw.source)["m_Heightmap"]["m_MinMaxPatchHeights"]
        assert float(np.max(bounds)) == pytest.approx(float(raw.heights.max()) / TOP, rel=1e-6)
        seen += 1
    assert seen >= 2


def test_every_terrain_is_decoded_without_a_word_but_for_its_plants(corpus: Path) -> None:
    for root, raw in terrains(corpus):
        diagnostics = Diagnostics()
        geometry = decode_terrain(raw, root, diagnostics).geometry
        assert {item.code.name for item in diagnostics.items} <= {"TERRAIN_PLANTS_LEFT"}
        assert geometry.vertex_count == raw.rows * raw.columns == 513 * 513
        assert len(geometry.submeshes[0].indices) == 6 * 512 * 512


@pytest.mark.slow
def test_layers_lie_on_the_slopes_they_were_painted_for(corpus: Path) -> None:
    """Rock is painted where it is steep, sand where it is flat: of the eight ways to lay the weights on the heights,
    ours is the one in which such layers follow the slope."""
    seen = 0
    for root, raw in terrains(corpus):
        if not raw.alpha_maps:
            continue
        heights = raw.heights.reshape(raw.rows, raw.columns).astype(np.float64)
        steep = np.hypot(np.diff(heights, axis=1)[:512], np.diff(heights, axis=0)[:, :512])
        for number in range(len(raw.layers)):
            alpha = raw.alpha_maps[number // 4]
            assert isinstance(alpha, Source)
            weights = decode_texture(root.texture(alpha), Diagnostics())[::-1][..., number % 4]
            fits = [abs(float(np.corrcoef(way.ravel(), steep.ravel())[0, 1])) for way in ways(weights)]
            if max(fits) > 0.45:
                assert fits[0] > 1.2 * max(fits[1:])
                seen += 1
    assert seen >= 4


def ways(plane: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """As it is, mirrored, and turned."""
    for turned in (plane, plane.T):
        for rows in (turned, turned[::-1]):
            yield from (rows, rows[:, ::-1])


def test_a_terrain_in_a_scene_and_one_alone(corpus: Path, tmp_path: Path) -> None:
    inputs = [
        corpus / "De-Panther+unity-webxr-export" / "_history" / "c5d05b57",
        corpus / "Torgo13+HLODSample" / "_history" / "3283d0b1",
    ]
    report = convert(inputs, tmp_path, Options(verify="full"))
    for output, textures in (("scenes/WebVR.glb", 0), ("meshes/ExampleTerrain_x0_y0.glb", 1)):
        (asset,) = (item for item in report.assets if item.output == output)
        assert asset.roundtrip is not None and asset.roundtrip["passed"]
        assert asset.stats["vertices"] >= 513 * 513 and asset.stats["textures"] >= textures
        gltf = read_gltf(tmp_path / output)
        (ground,) = (m for m in gltf.items("meshes") if m["extras"]["unity"]["type"] == "TerrainData")
        assert ground["primitives"][0]["attributes"].keys() == {"POSITION", "NORMAL", "TEXCOORD_0"}
    (baked,) = gltf.items("images")
    assert len(baked["extras"]["unity"]["sources"]) == 10


def test_levels_and_instances_of_real_prefabs(corpus: Path, tmp_path: Path) -> None:
    inputs = [corpus / MODDED, corpus / "Torgo13+HLODSample" / "_history" / "9cf8b7b4"]
    report = convert(inputs, tmp_path, Options(verify="full", lod="msft", instancing=True, include=("prefabs",)))
    written = [asset for asset in report.assets if asset.output]
    assert len(written) >= 20
    assert all(asset.roundtrip is not None and asset.roundtrip["passed"] for asset in written)
    nodes = [node for asset in written for node in read_gltf(tmp_path / str(asset.output)).items("nodes")]
    levels = [node["extensions"]["MSFT_lod"]["ids"] for node in nodes if "MSFT_lod" in node.get("extensions", {})]
    assert sum(map(len, levels)) >= 4
    joined = [node["extras"]["unity"]["instances"] for node in nodes if "instances" in node["extras"].get("unity", {})]
    assert sum(map(len, joined)) >= 4
