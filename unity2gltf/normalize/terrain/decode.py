"""A TerrainData to a mesh and what the material needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...ir import Geometry, Submesh, Topology
from ...raw import RawProvider, RawTerrainData, RawTerrainLayer
from ...source import Missing, Reference
from ...text import counted
from ..missing import report_missing
from .heights import Cells, coordinates, normals, positions, triangles
from .reduce import kept, moved, step_of, surface_of

MOST_STORED = 4097
"""Samples a side that Unity allows."""

_LARGEST = 1e30
"""Metres; what is beyond is no terrain, and its squares would leave float32."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terrain:
    """A decoded terrain. ``size`` (x, z) in metres; a layer that cannot be read is None; ``centred``: the outermost
    pixels of alpha maps have their centres on the edge, as 2018.3 and later draw them."""

    geometry: Geometry
    size: tuple[float, float]
    layers: tuple[RawTerrainLayer | None, ...]
    alpha_maps: tuple[Reference, ...]
    centred: bool


def decode_terrain(raw: RawTerrainData, provider: RawProvider, diagnostics: Diagnostics) -> Terrain:
    """The terrain at full resolution up to 1025 samples a side, else reduced (TERRAIN_REDUCED).

    Raises :class:`Fault` TERRAIN_INVALID when sizes contradict each other or are not usable.
    """
    _check(raw)
    heights = np.asarray(raw.heights).reshape(raw.rows, raw.columns)
    rows, columns = (kept(side, step_of(max(raw.rows, raw.columns))) for side in heights.shape)
    if (len(rows), len(columns)) != heights.shape:
        _report_reduced(raw, heights, rows, columns, diagnostics)
    surface = _surface(raw, diagnostics)
    if surface is not None:
        surface = surface_of(surface, rows, columns)
    _report_plants(raw, diagnostics)
    indices = triangles(len(rows), len(columns), surface)
    geometry = Geometry(
        source=raw.source,
        name=raw.name,
        positions=positions(heights, rows, columns, raw.scale),
        normals=normals(heights, rows, columns, raw.scale),
        uvs={0: coordinates(rows, columns)},
        submeshes=(Submesh(number=0, topology=Topology.TRIANGLES, indices=indices),),
        bind_poses=np.zeros((0, 4, 4), np.float32),
        bone_hashes=np.zeros(0, np.uint32),
    )
    return Terrain(
        geometry=geometry,
        size=((raw.columns - 1) * raw.scale[0], (raw.rows - 1) * raw.scale[2]),
        layers=tuple(_layers(raw, provider, diagnostics)),
        alpha_maps=raw.alpha_maps,
        centred=raw.version >= (2018, 3, 0),
    )


def _check(raw: RawTerrainData) -> None:
    rows, columns = raw.rows, raw.columns
    if not (2 <= rows <= MOST_STORED and 2 <= columns <= MOST_STORED) or rows * columns != len(raw.heights):
        message = f"the height map is said to be {columns} x {rows} and holds {len(raw.heights):,} samples"
        raise Fault(codes.TERRAIN_INVALID, message, columns=columns, rows=rows, samples=len(raw.heights))
    x, y, z = raw.scale
    far = (x * columns, abs(y) * 2, z * rows)  # stored heights may pass the range a little
    if not (x > 0 and z > 0 and all(length < _LARGEST for length in far)):
        raise Fault(codes.TERRAIN_INVALID, f"the scale of the height map is ({x:g}, {y:g}, {z:g})")


def _surface(raw: RawTerrainData, diagnostics: Diagnostics) -> Cells | None:
    """(rows - 1, columns - 1) False where there is a hole; None without holes."""
    stored = np.frombuffer(raw.surface, np.uint8)
    if not len(stored):
        return None
    if len(stored) != (raw.rows - 1) * (raw.columns - 1):
        message = f"holes are stored in {len(stored):,} bytes, which is not one a cell; the terrain has none here"
        diagnostics.add(codes.TERRAIN_HOLES, message, bytes=len(stored))
        return None
    cells: Cells = stored.reshape(raw.rows - 1, raw.columns - 1) != 0
    return cells


def _report_reduced(
    raw: RawTerrainData, heights: np.ndarray, rows: np.ndarray, columns: np.ndarray, diagnostics: Diagnostics
) -> None:
    off = moved(heights, rows, columns, raw.scale[1])
    diagnostics.add(
        codes.TERRAIN_REDUCED,
        f"{raw.columns} x {raw.rows} samples became {len(columns)} x {len(rows)}: the surface moves by up to "
        f"{off.max_m:,.3g} m, {off.rms_m:,.3g} m RMS",
        stored=[raw.columns, raw.rows],
        written=[len(columns), len(rows)],
        max_m=off.max_m,
        rms_m=off.rms_m,
    )


def _report_plants(raw: RawTerrainData, diagnostics: Diagnostics) -> None:
    trees = sum(raw.trees)
    if not trees and not raw.details:
        return
    parts = [counted(trees, "tree")] * bool(trees) + [counted(raw.details, "kind") + " of detail"] * bool(raw.details)
    diagnostics.add(
        codes.TERRAIN_PLANTS_LEFT,
        f"{' and '.join(parts)} on the terrain not written",
        trees=trees,
        by_prototype=list(raw.trees),
        details=raw.details,
    )


def _layers(raw: RawTerrainData, provider: RawProvider, diagnostics: Diagnostics) -> Iterator[RawTerrainLayer | None]:
    for layer in raw.layers:
        read: RawTerrainLayer | None = None
        if isinstance(layer, RawTerrainLayer):
            read = layer
        elif isinstance(layer, Missing):
            report_missing(layer, "terrain layer", diagnostics)
        elif layer is not None:
            with diagnostics.guard(codes.OBJECT_UNREADABLE, layer.place(provider.name(layer)), layer):
                read = provider.terrain_layer(layer)
        yield read
