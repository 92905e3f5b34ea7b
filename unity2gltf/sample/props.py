"""What stands around the figure: a pedestal, a hat, a texture and materials."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .meshdata import Frame, MeshContent
from .shapes import ellipsoid, join, lathe, normals, tangents
from .values import SHADER, color, pptr
from .writer import FileBuilder

PEDESTAL = ((0.0, 0.0), (0.46, 0.0), (0.5, 0.03), (0.5, 0.08), (0.44, 0.12), (0.42, 0.2), (0.45, 0.24), (0.0, 0.24))
HAT = ((0.0, 0.0), (0.17, 0.0), (0.175, 0.008), (0.17, 0.016), (0.1, 0.02), (0.092, 0.1), (0.075, 0.118), (0.0, 0.12))
"""Profiles of (radius, height) in metres."""

ORNAMENT, SWELL = "Ornament", "Swell"
"""The ball on the pedestal's rim, and its blend shape."""

RGBA32 = 4
TEXTURE_SIZE = 64


def turned_mesh(name: str, profile: tuple[tuple[float, float], ...], sides: int = 32) -> MeshContent:
    """A profile turned about +Y with vertex colours that darken towards the ground."""
    bands = lathe(profile, sides)
    surface = join(bands)
    normal = np.concatenate([normals(band.positions, band.triangles) for band in bands])
    shade = np.interp(surface.positions[:, 1], [profile[0][1], profile[-1][1]], [110, 255])
    colors = np.stack([shade, shade, shade, np.full(len(shade), 255)], axis=1)
    return MeshContent(
        name=name,
        positions=surface.positions.astype(np.float32),
        normals=normal.astype(np.float32),
        tangents=tangents(surface, normal).astype(np.float32),
        uv=surface.uv.astype(np.float32),
        submeshes=(surface.triangles,),
        colors=colors.astype(np.uint8),
    )


def ornament_mesh() -> MeshContent:
    """A ball without bones, with one blend shape that widens its upper half."""
    ball = ellipsoid((0.0, 0.05, 0.0), (0.05, 0.05, 0.05), 16, 11)
    moved = np.maximum(ball.positions[:, 1:2] - 0.05, 0.0) * ball.positions * [1.0, 0.0, 1.0] * 20.0
    normal, wide = normals(ball.positions, ball.triangles), normals(ball.positions + moved, ball.triangles)
    index = np.flatnonzero((moved != 0).any(axis=1) | (np.abs(wide - normal) > 1e-6).any(axis=1))
    return MeshContent(
        name=ORNAMENT,
        positions=ball.positions.astype(np.float32),
        normals=normal.astype(np.float32),
        tangents=tangents(ball, normal).astype(np.float32),
        uv=ball.uv.astype(np.float32),
        submeshes=(ball.triangles,),
        shapes={SWELL: (Frame(100.0, index, moved[index], (wide - normal)[index]),)},
    )


def checker() -> NDArray[np.uint8]:
    """(64, 64, 4) RGBA, bottom row first: a soft checker under a gradient that brightens upwards."""
    cell = np.arange(TEXTURE_SIZE) // 8
    light = np.where((cell[:, None] + cell) % 2 == 0, 1.0, 0.72)
    rise = np.linspace(0.6, 1.0, TEXTURE_SIZE)[:, None]
    rgb = (light * rise)[..., None] * [255.0, 240.0, 220.0]
    return np.concatenate([rgb, np.full((*light.shape, 1), 255.0)], axis=2).astype(np.uint8)


def texture_fields(name: str, stream: dict[str, Any] | None = None) -> dict[str, Any]:
    """A Texture2D of :func:`checker`; its pixels stand in the object or where ``stream`` says."""
    pixels = checker().tobytes()
    return {
        "m_Name": name,
        "m_Width": TEXTURE_SIZE,
        "m_Height": TEXTURE_SIZE,
        "m_CompleteImageSize": len(pixels),
        "m_TextureFormat": RGBA32,
        "m_MipCount": 1,
        "m_ImageCount": 1,
        "m_TextureDimension": 2,
        "m_TextureSettings": {"m_FilterMode": 1, "m_Aniso": 1},
        "m_ColorSpace": 1,
        "image data": b"" if stream else pixels,
        "m_StreamData": stream,
    }


def add_standard_shader(file: FileBuilder) -> int:
    """A Shader object with the name of Unity's Standard shader and no programs."""
    return file.add(SHADER, {"m_ParsedForm": {"m_Name": "Standard"}})


def material_fields(name: str, shader: int, rgb: tuple[float, float, float], texture: int = 0) -> dict[str, Any]:
    """A Material of the Standard shader: a colour, and a texture tiled two by two where one is given."""
    slot = {"m_Texture": pptr(texture), "m_Scale": {"x": 2.0, "y": 2.0} if texture else {"x": 1.0, "y": 1.0}}
    return {
        "m_Name": name,
        "m_Shader": pptr(shader),
        "m_CustomRenderQueue": -1,
        "m_SavedProperties": {
            "m_TexEnvs": [("_MainTex", slot)],
            "m_Floats": [("_Glossiness", 0.25), ("_Metallic", 0.0), ("_Mode", 0.0)],
            "m_Colors": [("_Color", color(*rgb)), ("_EmissionColor", color(0.0, 0.0, 0.0))],
        },
    }
