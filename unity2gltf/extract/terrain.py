"""TerrainData and TerrainLayer objects to :class:`raw.RawTerrainData` and :class:`raw.RawTerrainLayer`.

Layers are objects of their own from 2018.3 on, before a list of splat prototypes. Width and height of the height map
became one resolution in 2019.3, when holes came, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..raw import Bytes, RawTerrainData, RawTerrainLayer
from ..source import Reference, Source

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

_DATA = frozenset(("m_Name", "m_SplatDatabase", "m_Heightmap"))
_LAYER = frozenset(
    [
        "m_Name",
        "m_DiffuseTexture",
        "m_NormalMapTexture",
        "m_MaskMapTexture",
        "m_TileSize",
        "m_TileOffset",
        "m_Metallic",
        "m_Smoothness",
        "m_DiffuseRemapMin",
        "m_DiffuseRemapMax",
    ]
)
_HOLES = ("m_Holes", "m_SurfaceMask")


def read_terrain(root: ContentRoot, source: Source) -> RawTerrainData:
    """A TerrainData; its heights are a view of the file's bytes. Raises :class:`diagnostics.Fault`."""
    file = root.file(source)
    fields = root.read(source, _DATA)
    ground, splats = fields["m_Heightmap"], fields["m_SplatDatabase"]
    x, y, z = (float(part) for part in ground["m_Scale"])
    return RawTerrainData(
        source=source,
        name=str(fields["m_Name"]),
        version=file.version,
        columns=int(ground.get("m_Resolution", ground.get("m_Width", 0))),
        rows=int(ground.get("m_Resolution", ground.get("m_Height", 0))),
        heights=ground["m_Heights"],
        scale=(x, y, z),
        surface=_surface(ground),
        layers=_layers(root, file, splats),
        alpha_maps=tuple(root.resolve(file, pointer) for pointer in splats["m_AlphaTextures"].tolist()),
        trees=_trees(root, source),
        details=len(_plants(root, source, "m_DetailPrototypes")),
    )


def read_terrain_layer(root: ContentRoot, source: Source) -> RawTerrainLayer:
    """A TerrainLayer object. Raises :class:`diagnostics.Fault`."""
    file = root.file(source)
    fields = root.read(source, _LAYER)
    return RawTerrainLayer(
        source=source,
        name=str(fields["m_Name"]),
        color=root.resolve(file, fields["m_DiffuseTexture"]),
        normal=root.resolve(file, fields["m_NormalMapTexture"]),
        mask=root.resolve(file, fields["m_MaskMapTexture"]),
        tile_size=_pair(fields["m_TileSize"]),
        tile_offset=_pair(fields["m_TileOffset"]),
        metallic=float(fields.get("m_Metallic", 0.0)),
        smoothness=float(fields.get("m_Smoothness", 0.0)),
        low=_rgb(fields.get("m_DiffuseRemapMin", (0.0, 0.0, 0.0))),
        high=_rgb(fields.get("m_DiffuseRemapMax", (1.0, 1.0, 1.0))),
    )


def _surface(ground: Mapping[str, Any]) -> Bytes:
    """One byte a cell where holes are stored; Unity leaves the list empty where there are none."""
    return next((ground[name] for name in _HOLES if name in ground), b"")


def _layers(root: ContentRoot, file: GameFile, splats: Mapping[str, Any]) -> tuple[RawTerrainLayer | Reference, ...]:
    if "m_TerrainLayers" in splats:
        return tuple(root.resolve(file, pointer) for pointer in splats["m_TerrainLayers"].tolist())
    stored = splats["m_Splats"]
    names = stored.dtype.names
    return tuple(_splat(root, file, dict(zip(names, row, strict=True))) for row in stored.tolist())


def _splat(root: ContentRoot, file: GameFile, fields: Mapping[str, Any]) -> RawTerrainLayer:
    """A splat prototype; normal maps came in 4.0, metallic and smoothness in 5.0."""
    tint = tuple(fields.get("specularMetallic", (0.0, 0.0, 0.0, 0.0)))
    return RawTerrainLayer(
        source=None,
        name="",
        color=root.resolve(file, fields["texture"]),
        normal=root.resolve(file, fields["normalMap"]) if "normalMap" in fields else None,
        mask=None,
        tile_size=_pair(fields["tileSize"]),
        tile_offset=_pair(fields.get("tileOffset", (0.0, 0.0))),
        metallic=float(tint[3]),
        smoothness=float(fields.get("smoothness", 0.0)),
    )


def _trees(root: ContentRoot, source: Source) -> tuple[int, ...]:
    kinds = len(_plants(root, source, "m_TreePrototypes"))
    stored = _plants(root, source, "m_TreeInstances")
    if not kinds or not len(stored):
        return (0,) * kinds
    numbers = np.asarray(stored["index"], np.int64)
    counts = np.bincount(numbers[(numbers >= 0) & (numbers < kinds)], minlength=kinds)
    return tuple(int(count) for count in counts)


def _plants(root: ContentRoot, source: Source, name: str) -> Any:
    """A list of the detail database, without the patches that lie between; empty where there is none."""
    found = root.peek(source, "m_DetailDatabase", name)
    return () if found is None else found


def _pair(value: Any) -> tuple[float, float]:
    return float(value[0]), float(value[1])


def _rgb(value: Any) -> tuple[float, float, float]:
    return float(value[0]), float(value[1]), float(value[2])
