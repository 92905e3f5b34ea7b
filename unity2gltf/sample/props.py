"""What stands around the figure, and the plain materials of both."""

from __future__ import annotations

import numpy as np

from . import pictures
from .materials import MaterialContent, Rgb, Slot
from .meshdata import Frame, MeshContent, surface_mesh
from .shader_table import STANDARD
from .shapes import ellipsoid, join, lathe, normals

PEDESTAL = ((0.0, 0.0), (0.46, 0.0), (0.5, 0.03), (0.5, 0.08), (0.44, 0.12), (0.42, 0.2), (0.45, 0.24), (0.0, 0.24))
HAT = ((0.0, 0.0), (0.17, 0.0), (0.175, 0.008), (0.17, 0.016), (0.1, 0.02), (0.092, 0.1), (0.075, 0.118), (0.0, 0.12))
"""Profiles of (radius, height) in metres."""

ORNAMENT, SWELL = "Ornament", "Swell"
"""The ball on the pedestal's rim, and its blend shape."""


def plain(name: str, rgb: Rgb, *, checked: bool = False) -> MaterialContent:
    """A colour, and a texture tiled two by two."""
    return MaterialContent(
        name=name,
        shader=STANDARD,
        slots={"_MainTex": Slot(pictures.CHECKER, scale=(2.0, 2.0))} if checked else {"_MainTex": Slot(None)},
        floats={"_Glossiness": 0.25, "_Metallic": 0.0, "_Mode": 0.0},
        colors={"_Color": rgb, "_EmissionColor": (0.0, 0.0, 0.0)},
    )


SUIT = plain("Suit", (0.25, 0.5, 0.85), checked=True)
SKIN = plain("Skin", (0.95, 0.74, 0.58))
STONE = plain("Stone", (0.6, 0.6, 0.62), checked=True)


def turned_mesh(name: str, profile: tuple[tuple[float, float], ...], sides: int = 32) -> MeshContent:
    """A profile turned about +Y with vertex colours that darken towards the ground."""
    bands = lathe(profile, sides)
    surface = join(bands)
    normal = np.concatenate([normals(band.positions, band.triangles) for band in bands])
    shade = np.interp(surface.positions[:, 1], [profile[0][1], profile[-1][1]], [110, 255])
    colors = np.stack([shade, shade, shade, np.full(len(shade), 255)], axis=1)
    return surface_mesh(name, surface, normal, colors=colors.astype(np.uint8))


def ornament_mesh() -> MeshContent:
    """A ball without bones, with one blend shape that widens its upper half."""
    ball = ellipsoid((0.0, 0.05, 0.0), (0.05, 0.05, 0.05), 16, 11)
    moved = np.maximum(ball.positions[:, 1:2] - 0.05, 0.0) * ball.positions * [1.0, 0.0, 1.0] * 20.0
    normal, wide = normals(ball.positions, ball.triangles), normals(ball.positions + moved, ball.triangles)
    index = np.flatnonzero((moved != 0).any(axis=1) | (np.abs(wide - normal) > 1e-6).any(axis=1))
    swell = (Frame(100.0, index, moved[index], (wide - normal)[index]),)
    return surface_mesh(ORNAMENT, ball, normal, shapes={SWELL: swell})
