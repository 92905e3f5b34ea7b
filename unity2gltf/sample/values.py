"""Unity's small structures as the dicts that type trees want."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

GAME_OBJECT, TRANSFORM, MATERIAL, MESH_RENDERER, TEXTURE_2D = 1, 4, 21, 23, 28
MESH_FILTER, MESH, QUALITY_SETTINGS, SHADER, AVATAR, ANIMATOR = 33, 43, 47, 48, 90, 95
RENDER_SETTINGS, PLAYER_SETTINGS, SKINNED_MESH_RENDERER, BUILD_SETTINGS, ASSET_BUNDLE = 104, 129, 137, 141, 142
ANIMATION_CLIP, ANIMATOR_CONTROLLER, ANIMATION = 74, 91, 111
CAMERA, LIGHT = 20, 108
TERRAIN_DATA, LOD_GROUP, TERRAIN, TERRAIN_LAYER = 156, 205, 218, 1953259897


def pptr(path_id: int, file_id: int = 0) -> dict[str, int]:
    """A reference: ``file_id`` 0 is the same file, n the n-th external."""
    return {"m_FileID": file_id, "m_PathID": path_id}


def vector(values: Iterable[float]) -> dict[str, float]:
    """Vector2f, 3f, 4f or Quaternionf, rounded to float32 so that reading back gives equal numbers."""
    return dict(zip("xyzw", map(f32, values), strict=False))


def color(r: float, g: float, b: float, a: float = 1.0) -> dict[str, float]:
    """ColorRGBA, gamma space as Unity stores material colours."""
    return {"r": f32(r), "g": f32(g), "b": f32(b), "a": f32(a)}


def f32(value: float) -> float:
    """The nearest float32."""
    return float(np.float32(value))


def matrix(values: ArrayLike) -> dict[str, float]:
    """Matrix4x4f: e{row}{column}."""
    array = np.asarray(values, dtype=np.float32)
    return {f"e{row}{column}": float(array[row, column]) for row in range(4) for column in range(4)}


def bounds(points: ArrayLike) -> dict[str, Any]:
    """AABB (centre and half size) of (N, 3) points."""
    array = np.asarray(points, dtype=np.float64)
    low, high = array.min(axis=0), array.max(axis=0)
    return {"m_Center": vector((low + high) / 2), "m_Extent": vector((high - low) / 2)}


def xform(position: Sequence[float], rotation: Sequence[float], scale: Sequence[float]) -> dict[str, Any]:
    """The Avatar's transform."""
    return {"t": vector(position), "q": vector(rotation), "s": vector(scale)}
