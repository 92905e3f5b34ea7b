"""Folders as a game ships them: a player's data folder and a folder of AssetBundles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import typetree
from .bundle import unityfs
from .figure import Assets, add_assets, add_figure, add_props, add_static
from .garden import add_garden
from .hierarchy import Hierarchy, Item
from .humanoid import add_humanoid
from .materials import Shelf
from .row import Shown, add_row, place_row
from .stage import add_stage
from .turntable import Turntable, add_turntable, place_pedestal
from .values import ASSET_BUNDLE, BUILD_SETTINGS, PLAYER_SETTINGS, QUALITY_SETTINGS, RENDER_SETTINGS, pptr
from .writer import FileBuilder

DEFAULT_VERSIONS = ("2019.4.40f1", "2022.3.20f1", "6000.0.30f1")

SCENE = "Assets/Scenes/Studio.unity"
FIGURE_CAB = "CAB-0f1a2b3c4d5e6f708192a3b4c5d6e7f8"
PROPS_CAB = "CAB-8f7e6d5c4b3a29180706f5e4d3c2b1a0"
GARDEN_CAB = "CAB-3c4d5e6f708192a3b4c5d6e7f80f1a2b"
HUMANOID_CAB = "CAB-6e7f80f1a2b3c4d5e6f708192a3b4c5d"
UNLIMITED = 255
LINEAR = 1
"""ColorSpace of a project: lights and colours are worked out in linear numbers."""


class ResourceFile:
    """The bytes of a .resS file; each piece starts at a multiple of 16."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.data = bytearray()

    def put(self, data: bytes) -> dict[str, Any]:
        """Append ``data``; the result is the m_StreamData that points at it."""
        self.data += bytes(-len(self.data) % 16)
        start = len(self.data)
        self.data += data
        return {"offset": start, "size": len(data), "path": self.path}


def write_sample(folder: Path, versions: Sequence[str] = DEFAULT_VERSIONS) -> list[Path]:
    """Write ``folder/<version>/Game_Data`` and ``folder/<version>/bundle`` for each version; gives the files.

    Any version from 2018.2 on that UnityPy's type trees cover will do. The same call always writes the same bytes.
    """
    written: list[Path] = []
    for version in versions:
        written += write_player(folder / version / "Game_Data", version)
        written += write_bundles(folder / version / "bundle", version)
    return written


def write_player(folder: Path, version: str, *, type_trees: bool = False, broken: bool = False) -> list[Path]:
    """A player's data folder with one scene. Players carry no type trees, unless asked for.

    ``broken``: with a texture that declares more pixels than there are.
    """
    assets_file = FileBuilder(version, type_trees)
    resources = ResourceFile("sharedassets0.assets.resS")
    shelf = Shelf(assets_file, resources.put)
    assets, turntable, row = add_assets(shelf), add_turntable(assets_file), add_row(shelf, broken=broken)
    return _save(
        folder,
        {
            "globalgamemanagers": settings_file(version, type_trees).to_bytes(),
            "level0": scene_file(version, assets, turntable, row, type_trees).to_bytes(),
            "sharedassets0.assets": assets_file.to_bytes(),
            "sharedassets0.assets.resS": bytes(resources.data),
        },
    )


def settings_file(version: str, type_trees: bool = False) -> FileBuilder:
    """globalgamemanagers: two quality levels, the better one with unlimited skin weights, and one scene."""
    file = FileBuilder(version, type_trees)
    modern = typetree.find(typetree.tree(QUALITY_SETTINGS, version), "m_QualitySettings")
    key = "skinWeights" if typetree.has(typetree.element(modern), "skinWeights") else "blendWeights"
    best = UNLIMITED if key == "skinWeights" else 4
    levels = [{"name": name, key: weights} for name, weights in (("Low", 2), ("High", best))]
    player = {"productName": "Sample", "m_ActiveColorSpace": LINEAR, "?legacyClampBlendShapeWeights": False}
    file.add(PLAYER_SETTINGS, player)
    file.add(QUALITY_SETTINGS, {"m_CurrentQuality": 1, "m_QualitySettings": levels})
    file.add(BUILD_SETTINGS, {"scenes": [SCENE], "m_Version": version})
    return file


def scene_file(
    version: str, assets: Assets, turntable: Turntable, row: Sequence[Shown], type_trees: bool = False
) -> FileBuilder:
    """level0: the figure on a pedestal that spins, an inactive spare one, the row of materials in front, lights and a
    camera; assets are in sharedassets0.assets."""
    file = FileBuilder(version, type_trees)
    shared = file.external("sharedassets0.assets")
    file.add(RENDER_SETTINGS, {"m_AmbientIntensity": 1.0})
    tree = Hierarchy(file)
    turn = (0.0, float(np.sin(np.pi / 12)), 0.0, float(np.cos(np.pi / 12)))
    add_figure(tree, assets, shared, position=(0.0, 0.24, 0.0), rotation=turn)
    place_pedestal(tree, assets.props, turntable, shared)
    spare = tree.add("Spare", position=(1.5, 0.0, 0.0), scale=(0.5, 0.5, 0.5), active=False)
    add_static(tree, spare, assets.props.pedestal, (assets.props.stone,), shared)
    place_row(tree, row, shared)
    add_stage(tree)
    tree.write()
    return file


def write_bundles(folder: Path, version: str, *, type_trees: bool = True) -> list[Path]:
    """``figure.bundle`` (LZ4: the figure whole and optimised), ``props.bundle`` (LZMA: the pedestal), ``garden.bundle``
    (LZ4: a terrain, levels of detail and repeated props) and ``humanoid.bundle`` (LZ4: clips of muscles)."""
    figure, figure_data = figure_bundle(version, type_trees)
    props, props_data = props_bundle(version, type_trees)
    garden, garden_data = garden_bundle(version, type_trees)
    humanoid, humanoid_data = humanoid_bundle(version, type_trees)
    return _save(
        folder,
        {
            "figure.bundle": unityfs({FIGURE_CAB: figure, FIGURE_CAB + ".resS": figure_data}, version, "lz4"),
            "props.bundle": unityfs({PROPS_CAB: props, PROPS_CAB + ".resS": props_data}, version, "lzma"),
            "garden.bundle": unityfs({GARDEN_CAB: garden, GARDEN_CAB + ".resS": garden_data}, version, "lz4"),
            "humanoid.bundle": unityfs({HUMANOID_CAB: humanoid, HUMANOID_CAB + ".resS": humanoid_data}, version, "lz4"),
        },
    )


def figure_bundle(version: str, type_trees: bool = True) -> tuple[bytes, bytes]:
    """The serialized file and the resources of ``figure.bundle``."""
    file, resources = FileBuilder(version, type_trees), _bundle_resources(FIGURE_CAB)
    assets, tree = add_assets(Shelf(file, resources.put)), Hierarchy(file)
    prefabs = {
        "assets/prefabs/figure.prefab": add_figure(tree, assets),
        "assets/prefabs/figure optimised.prefab": add_figure(tree, assets, optimised=True),
    }
    _finish_bundle(file, tree, "figure", prefabs)
    return file.to_bytes(), bytes(resources.data)


def props_bundle(version: str, type_trees: bool = True) -> tuple[bytes, bytes]:
    """The serialized file and the resources of ``props.bundle``; its hat hangs on nothing."""
    file, resources = FileBuilder(version, type_trees), _bundle_resources(PROPS_CAB)
    props = add_props(Shelf(file, resources.put))
    turntable, tree = add_turntable(file), Hierarchy(file)
    pedestal = place_pedestal(tree, props, turntable)
    _finish_bundle(file, tree, "props", {"assets/prefabs/pedestal.prefab": pedestal})
    return file.to_bytes(), bytes(resources.data)


def garden_bundle(version: str, type_trees: bool = True) -> tuple[bytes, bytes]:
    """The serialized file and the resources of ``garden.bundle``."""
    file, resources = FileBuilder(version, type_trees), _bundle_resources(GARDEN_CAB)
    tree = Hierarchy(file)
    garden = add_garden(tree, Shelf(file, resources.put))
    _finish_bundle(file, tree, "garden", {"assets/prefabs/garden.prefab": garden})
    return file.to_bytes(), bytes(resources.data)


def humanoid_bundle(version: str, type_trees: bool = True) -> tuple[bytes, bytes]:
    """The serialized file and the resources of ``humanoid.bundle``."""
    file, resources = FileBuilder(version, type_trees), _bundle_resources(HUMANOID_CAB)
    tree = Hierarchy(file)
    humanoid = add_humanoid(tree, Shelf(file, resources.put))
    _finish_bundle(file, tree, "humanoid", {"assets/prefabs/humanoid.prefab": humanoid})
    return file.to_bytes(), bytes(resources.data)


def _bundle_resources(cab: str) -> ResourceFile:
    return ResourceFile(f"archive:/{cab}/{cab}.resS")


def _finish_bundle(file: FileBuilder, tree: Hierarchy, name: str, prefabs: dict[str, Item]) -> None:
    """Write the hierarchy and the AssetBundle object that lists the prefabs."""
    tree.write()
    count = len(file.objects)
    container = [
        (path, {"preloadIndex": 0, "preloadSize": count, "asset": pptr(item.game_object)})
        for path, item in prefabs.items()
    ]
    fields = {"m_PreloadTable": [pptr(path_id) for path_id in file.objects], "m_Container": container}
    named = {"m_Name": name + ".bundle", "m_AssetBundleName": name + ".bundle", "m_RuntimeCompatibility": 1}
    file.add(ASSET_BUNDLE, fields | named)


def _save(folder: Path, files: dict[str, bytes]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]
