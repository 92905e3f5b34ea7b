"""The layers of a terrain as one material: their base colours are blended to one texture, the rest is told.

Metal, smoothness, normal and mask maps differ from layer to layer at a scale of centimetres, which one texture over the
whole terrain cannot hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Material, TextureUse
from ...raw import RawTerrainLayer
from ...source import Missing, Reference, Source
from ...text import counted
from ..textures.recipes import Blend, Layer, Recipe, Tap
from .decode import Terrain

MOST_PIXELS = 2048
"""Longest side of the baked image; ``--max-texture-size`` may ask for less. 2048 x 2048 decode to 16 MB on a GPU."""

_PLAIN = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
_CHANNELS = 4


def terrain_material(
    terrain: Terrain,
    source: Source,
    request: Callable[[Recipe], int | None],
    max_side: int,
    diagnostics: Diagnostics,
) -> Material:
    """The material of a terrain that has layers, marked with ``source``. ``max_side``: as ``--max-texture-size``."""
    layers = tuple(_layer(number, terrain, diagnostics) for number in range(len(terrain.layers)))
    shown = tuple(layer for layer in layers if layer is not None)
    recipe = Blend(terrain.geometry.name, shown, _size(terrain, max_side), terrain.centred)
    index = request(recipe) if recipe.textures else None
    _report_left(terrain, diagnostics)
    if index is not None:
        message = (
            f"{counted(len(shown), 'layer')} blended to one texture of at most {recipe.size[0]} x {recipe.size[1]}"
        )
        diagnostics.add(codes.TERRAIN_LAYERS_BAKED, message, layers=len(shown), size=list(recipe.size))
    return Material(
        name=terrain.geometry.name,
        source=source,
        base_color_texture=None if index is None else TextureUse(texture=index),
        extras={"layers": [_told(layer) for layer in terrain.layers]},
    )


def _size(terrain: Terrain, max_side: int) -> tuple[int, int]:
    """Pixels of the longer side, and in proportion of the other."""
    most = min(max_side or MOST_PIXELS, MOST_PIXELS)
    longer = max(terrain.size)
    across, along = (max(round(most * (side / longer)), 1) for side in terrain.size)
    return across, along


def _layer(number: int, terrain: Terrain, diagnostics: Diagnostics) -> Layer | None:
    """A layer of the recipe; None where no alpha map says where it shows."""
    group, channel = divmod(number, _CHANNELS)
    weight: Tap | None = None
    if group < len(terrain.alpha_maps):
        alpha = terrain.alpha_maps[group]
        if alpha is None:
            return None
        weight = Tap(alpha, channel)
    elif number:
        return None
    stored = terrain.layers[number]
    if stored is None:
        return Layer(None, weight, (1.0, 1.0))
    tiles, offset = _tiling(stored, terrain.size, diagnostics)
    low, high = (stored.low, stored.high) if all(map(math.isfinite, (*stored.low, *stored.high))) else _PLAIN
    return Layer(stored.color, weight, tiles, offset, low, high)


def _tiling(
    layer: RawTerrainLayer, size: tuple[float, float], diagnostics: Diagnostics
) -> tuple[tuple[float, float], tuple[float, float]]:
    """(tiles, offset in tiles) over the terrain; one tile where the stored size is not usable."""
    tiles, offset = [], []
    for length, tile, moved in zip(size, layer.tile_size, layer.tile_offset, strict=True):
        count = length / tile if tile else math.inf
        shift = moved / tile if tile else math.inf
        usable = 1e-6 <= abs(count) <= 1e6 and abs(shift) <= 1e6
        if not usable:
            message = f'layer "{layer.name}" has tiles of {tile:g} m at {moved:g} m; one tile over the terrain is used'
            diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, tile=tile, offset=moved)
        tiles.append(count if usable else 1.0)
        offset.append(shift if usable else 0.0)
    return (tiles[0], tiles[1]), (offset[0], offset[1])


def _report_left(terrain: Terrain, diagnostics: Diagnostics) -> None:
    """Say which maps and numbers of the layers have no place in the material."""
    layers = [layer for layer in terrain.layers if layer is not None]
    left = {
        "normal maps": sum(layer.normal is not None for layer in layers),
        "mask maps": sum(layer.mask is not None for layer in layers),
        "metallic": sum(layer.metallic != 0 for layer in layers),
        "smoothness": sum(layer.smoothness != 0 for layer in layers),
    }
    if any(left.values()):
        parts = ", ".join(f"{what} of {counted(count, 'layer')}" for what, count in left.items() if count)
        diagnostics.add(codes.TERRAIN_MAPS_LEFT, f"not written: {parts}", **left)


def _told(layer: RawTerrainLayer | None) -> dict[str, Any]:
    """What extras keep of a layer: its source, its textures, its tiling in metres."""
    if layer is None:
        return {}
    told: dict[str, Any] = {"name": layer.name, **({} if layer.source is None else layer.source.mark())}
    for key, texture in (("color", layer.color), ("normal", layer.normal), ("mask", layer.mask)):
        if texture is not None:
            told[key] = _mark(texture)
    numbers = (*layer.tile_size, *layer.tile_offset, layer.metallic, layer.smoothness)
    if all(map(math.isfinite, numbers)):
        told |= {"tile_size": list(layer.tile_size), "tile_offset": list(layer.tile_offset)}
        told |= {"metallic": layer.metallic, "smoothness": layer.smoothness}
    return told


def _mark(reference: Reference) -> dict[str, str]:
    if isinstance(reference, Missing):
        return {"file": reference.file, "path_id": str(reference.path_id), "missing": reference.reason}
    return {} if reference is None else reference.mark()
