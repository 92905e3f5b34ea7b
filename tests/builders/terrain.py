"""Small terrains as a content root gives them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.builders.raw import source
from unity2gltf.raw import RawTerrain, RawTerrainData, RawTerrainLayer
from unity2gltf.source import Reference

DATA = source(500, "TerrainData")
TERRAIN = source(501, "Terrain")


def terrain_data(heights: Any, **changes: Any) -> RawTerrainData:
    """``heights``: rows along z of stored numbers. Cells of 2 x 4 m, 327.66 m high: 100 stored are one metre."""
    grid = np.array(heights, np.int16)
    values: dict[str, Any] = {
        "source": DATA,
        "name": "Ground",
        "version": (2022, 3, 0),
        "columns": grid.shape[1],
        "rows": grid.shape[0],
        "heights": grid.reshape(-1),
        "scale": (2.0, 327.66, 4.0),
    }
    return RawTerrainData(**(values | changes))


def terrain(data: Reference = DATA, **changes: Any) -> RawTerrain:
    """A Terrain component that draws."""
    values: dict[str, Any] = {"source": TERRAIN, "enabled": True, "draws_ground": True, "data": data}
    return RawTerrain(**(values | changes))


def layer(number: int, color: Reference = None, **changes: Any) -> RawTerrainLayer:
    """A TerrainLayer object with tiles of 4 x 4 m."""
    values: dict[str, Any] = {
        "source": source(number, "TerrainLayer"),
        "name": f"layer {number}",
        "color": color,
        "normal": None,
        "mask": None,
        "tile_size": (4.0, 4.0),
        "tile_offset": (0.0, 0.0),
    }
    return RawTerrainLayer(**(values | changes))
