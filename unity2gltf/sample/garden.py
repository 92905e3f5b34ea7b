"""A garden: a terrain of two layers with a well in it, a boulder of two levels of detail, and a row of equal posts."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import pictures, typetree
from .figure import add_static
from .hierarchy import Hierarchy, Item
from .materials import Shelf
from .meshdata import MeshContent, mesh_fields
from .props import STONE, turned_mesh
from .shapes import ellipsoid, normals, tangents
from .values import LOD_GROUP, MESH, TERRAIN, TERRAIN_DATA, TERRAIN_LAYER, f32, pptr, vector

SAMPLES = 33
"""Of the height map, a side."""
SPACING, HEIGHT = 0.25, 2.0  # metres between samples; of the whole range
TOP = 32766  # the stored height that is the whole range

POST = ((0.0, 0.0), (0.06, 0.0), (0.05, 0.7), (0.07, 0.75), (0.0, 0.85))
"""Profile of (radius, height) in metres."""

LEVELS = ((0.4, 24), (0.05, 8))
"""Of the boulder: the relative screen height down to which a level is shown, and the sides of its ball."""


def add_garden(tree: Hierarchy, shelf: Shelf) -> Item:
    """The garden's root; all that it needs goes to the shelf's file."""
    garden = tree.add("Garden")
    stone = shelf.material(STONE)
    ground = tree.add("Ground", garden, position=(-4.0, 0.0, -4.0))
    tree.component(ground, TERRAIN, {"m_TerrainData": pptr(_terrain(shelf)), "m_DrawHeightmap": True})
    _add_boulder(tree, garden, stone, shelf)
    post = shelf.file.add(MESH, mesh_fields(turned_mesh("Post", POST, 12), shelf.file, shelf.stream))
    for number in range(4):
        where = (-2.25 + 1.5 * number, 0.9, 2.5)
        add_static(tree, tree.add(f"Post {number + 1}", garden, position=where), post, (stone,))
    return garden


def heights() -> np.ndarray[Any, np.dtype[np.int16]]:
    """(SAMPLES, SAMPLES) stored heights, rows along z: two soft hills."""
    steps = np.linspace(-1.0, 1.0, SAMPLES)
    x, z = steps[None, :], steps[:, None]
    hills = 0.45 * np.exp(-6 * ((x + 0.5) ** 2 + (z - 0.4) ** 2)) + 0.3 * np.exp(-5 * ((x - 0.6) ** 2 + (z + 0.5) ** 2))
    return np.rint((0.3 + hills) * TOP).astype(np.int16)


def _terrain(shelf: Shelf) -> int:
    """The path id of a TerrainData."""
    file = shelf.file
    layers = [("Grass", shelf.texture(pictures.GRASS), 1.0), ("Gravel", shelf.texture(pictures.GRAVEL), 0.5)]
    splats: dict[str, Any] = {
        "m_AlphaTextures": [pptr(shelf.texture(pictures.PATH))],
        "m_AlphamapResolution": pictures.SIZE,
    }
    database = typetree.find(typetree.tree(TERRAIN_DATA, file.version), "m_SplatDatabase")
    if typetree.has(database, "m_TerrainLayers"):
        splats["m_TerrainLayers"] = [pptr(file.add(TERRAIN_LAYER, _layer(*layer))) for layer in layers]
    else:  # 2018.2
        splats["m_Splats"] = [_splat(texture, tile) for _, texture, tile in layers]
    holes = np.ones((SAMPLES - 1, SAMPLES - 1), np.uint8)
    holes[14:16, 16:18] = 0
    ground = {
        "m_Heights": heights().reshape(-1).tolist(),
        "?m_Holes": holes.reshape(-1).tolist(),
        "?m_Resolution": SAMPLES,
        "?m_Width": SAMPLES,
        "?m_Height": SAMPLES,
        "m_Scale": vector((SPACING, HEIGHT, SPACING)),
    }
    return file.add(TERRAIN_DATA, {"m_Name": "Ground", "m_SplatDatabase": splats, "m_Heightmap": ground})


def _layer(name: str, texture: int, tile: float) -> dict[str, Any]:
    return {
        "m_Name": name,
        "m_DiffuseTexture": pptr(texture),
        "m_TileSize": vector((tile, tile)),
        "?m_DiffuseRemapMax": vector((1.0, 1.0, 1.0, 1.0)),
    }


def _splat(texture: int, tile: float) -> dict[str, Any]:
    return {"texture": pptr(texture), "tileSize": vector((tile, tile))}


def _add_boulder(tree: Hierarchy, garden: Item, stone: int, shelf: Shelf) -> None:
    boulder = tree.add("Boulder", garden, position=(1.5, 0.62, -0.5), scale=(1.5, 1.5, 1.5))
    levels = []
    for number, (height, sides) in enumerate(LEVELS):
        name = f"Boulder_LOD{number}"
        mesh = shelf.file.add(MESH, mesh_fields(_ball(name, sides), shelf.file, shelf.stream))
        item = tree.add(name, boulder, position=(0.0, 0.1, 0.0))
        add_static(tree, item, mesh, (stone,))
        renderer = item.components[-1][1]
        levels.append({"screenRelativeHeight": f32(height), "renderers": [{"renderer": pptr(renderer)}]})
    tree.component(boulder, LOD_GROUP, {"m_LODs": levels, "m_Size": 1.0})


def _ball(name: str, sides: int) -> MeshContent:
    ball = ellipsoid((0.0, 0.0, 0.0), (0.5, 0.3, 0.4), sides, sides // 2 + 1)
    normal = normals(ball.positions, ball.triangles)
    return MeshContent(
        name=name,
        positions=ball.positions.astype(np.float32),
        normals=normal.astype(np.float32),
        tangents=tangents(ball, normal).astype(np.float32),
        uv=ball.uv.astype(np.float32),
        submeshes=(ball.triangles,),
    )
