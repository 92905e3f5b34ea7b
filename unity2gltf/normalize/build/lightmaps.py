"""Where renderers lie in the scene's lightmaps."""

from __future__ import annotations

import math

from ...ir import Geometry, Lightmap
from ...raw import RawLightmap, RawRenderer

BAKED_UVS, REALTIME_UVS = (1, 0), (2, 1, 0)
"""Unity's UV sets, best first: a mesh without the set meant for a lightmap is looked up by the one before."""


def lightmaps_of(renderer: RawRenderer, geometry: Geometry) -> dict[str, Lightmap]:
    """``lightmap`` and ``lightmap_realtime``, as far as the renderer has them and the mesh has UVs."""
    found = {
        "lightmap": _lightmap(renderer.lightmap, geometry, BAKED_UVS),
        "lightmap_realtime": _lightmap(renderer.realtime_lightmap, geometry, REALTIME_UVS),
    }
    return {name: lightmap for name, lightmap in found.items() if lightmap is not None}


def _lightmap(raw: RawLightmap | None, geometry: Geometry, sets: tuple[int, ...]) -> Lightmap | None:
    uv = next((number for number in sets if number in geometry.uvs), None)
    if raw is None or uv is None or not all(map(math.isfinite, raw.scale_offset)):
        return None
    sx, sy, ox, oy = raw.scale_offset
    if not sx or not sy:
        return None  # no area of it
    return Lightmap(index=raw.index, uv=uv, scale=(sx, sy), offset=(ox, oy))
