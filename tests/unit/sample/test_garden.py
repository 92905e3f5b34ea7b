"""The garden's terrain, levels and posts, read back as this package reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.unit.sample.readback import assert_reads_back
from unity2gltf.extract.content import ContentRoot
from unity2gltf.extract.game import open_game
from unity2gltf.extract.graph import read_prefab
from unity2gltf.sample import FileBuilder, Hierarchy, Shelf
from unity2gltf.sample.garden import SAMPLES, add_garden, heights
from unity2gltf.source import Source

VERSIONS = ("2018.2.21f1", "2018.4.30f1", "2019.4.40f1", "2021.3.30f1", "2022.3.20f1", "6000.0.30f1", "6000.2.5f1")


def garden(version: str, type_trees: bool = True) -> FileBuilder:
    file = FileBuilder(version, type_trees)
    tree = Hierarchy(file)
    add_garden(tree, Shelf(file))
    tree.write()
    return file


def opened(tmp_path: Path, version: str) -> ContentRoot:
    (tmp_path / "a.assets").write_bytes(garden(version).to_bytes())
    (root,) = open_game(tmp_path).roots
    return root


@pytest.mark.parametrize("type_trees", [False, True])
@pytest.mark.parametrize("version", VERSIONS[1:])
def test_every_object_reads_back(version: str, type_trees: bool) -> None:
    file = garden(version, type_trees)
    assert assert_reads_back(file.to_bytes(), file, version) >= 40


@pytest.mark.parametrize("version", VERSIONS)
def test_the_terrain_is_read_in_the_words_of_its_version(version: str, tmp_path: Path) -> None:
    root = opened(tmp_path, version)
    (data,) = root.objects("TerrainData")
    raw = root.terrain(data)
    assert (raw.name, raw.rows, raw.columns, raw.scale) == ("Ground", SAMPLES, SAMPLES, (0.25, 2.0, 0.25))
    np.testing.assert_array_equal(raw.heights, heights().reshape(-1))
    holes = 0 if raw.version < (2019, 3, 0) else 4
    assert np.count_nonzero(np.frombuffer(raw.surface, np.uint8) == 0) == holes
    layers = [root.terrain_layer(item) if isinstance(item, Source) else item for item in raw.layers]
    found = [layer for layer in layers if layer is not None]
    assert [layer.tile_size for layer in found] == [(1.0, 1.0), (0.5, 0.5)]  # type: ignore[union-attr]
    assert [layer.high for layer in found] == [(1.0, 1.0, 1.0)] * 2  # type: ignore[union-attr]
    (alpha,) = raw.alpha_maps
    assert isinstance(alpha, Source) and root.name(alpha) == "SplatAlpha 0"


def test_components_and_levels_hang_together(tmp_path: Path) -> None:
    root = opened(tmp_path, "2022.3.20f1")
    top = next(source for source in root.objects("GameObject") if root.name(source) == "Garden")
    raw = read_prefab(root, top)
    nodes = {node.name: node for node in raw.nodes}
    ground = nodes["Ground"].terrain
    assert ground is not None and ground.enabled and ground.draws_ground
    assert isinstance(ground.data, Source) and ground.data.type == "TerrainData"
    (lod,) = raw.lods
    drawn = [nodes[f"Boulder_LOD{number}"].renderer for number in (0, 1)]
    assert [renderers for _, renderers in lod.levels] == [(item.source,) for item in drawn if item]
    assert len({nodes[f"Post {n}"].renderer.mesh for n in (1, 2, 3, 4)}) == 1  # type: ignore[union-attr]
