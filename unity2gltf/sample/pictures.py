"""The sample's pictures by formula. Pixels are (H, W, 4), bottom row first; x runs right, y up."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .textures import Picture

Pixels = NDArray[np.uint8]

CHECKER_SIZE, SIZE, NORMALS_SIZE = 64, 32, 64


def rgba(red: ArrayLike, green: ArrayLike, blue: ArrayLike, alpha: ArrayLike = 255, size: int = SIZE) -> Pixels:
    """Channels of 0..255, numbers or planes, as square pixels; what is no whole number is cut off."""
    planes = [np.broadcast_to(np.asarray(plane), (size, size)) for plane in (red, green, blue, alpha)]
    return np.stack(planes, axis=-1).astype(np.uint8)


def grid(size: int = SIZE) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """x (1, size) and y (size, 1)."""
    return np.arange(size)[None, :], np.arange(size)[:, None]


def checks(cell: int, size: int = SIZE) -> NDArray[np.bool_]:
    """A chessboard whose lower left field is True."""
    x, y = grid(size)
    return np.asarray((x // cell + y // cell) % 2 == 0)


def checker() -> Pixels:
    """A soft checker under a gradient that brightens upwards."""
    light = np.where(checks(8, CHECKER_SIZE), 1.0, 0.72)
    shade = light * np.linspace(0.6, 1.0, CHECKER_SIZE)[:, None]
    return rgba(shade * 255.0, shade * 240.0, shade * 220.0, size=CHECKER_SIZE)


def brass_surface() -> Pixels:
    """Metallic in red: full on the checks, a quarter between them. Smoothness in alpha: rises to the right."""
    x, _ = grid()
    return rgba(np.where(checks(8), 255, 64), 0, 0, 8 * x)


def brass_occlusion() -> Pixels:
    """Darker downwards."""
    _, y = grid()
    shade = 100 + 5 * y
    return rgba(shade, shade, shade)


def dents() -> Pixels:
    """Round dents, two along each side: a normal's x in alpha, its y in green."""
    u, v = (2 * np.pi * 2 * (axis + 0.5) / NORMALS_SIZE for axis in grid(NORMALS_SIZE))
    x, y = 0.6 * np.sin(u) * np.cos(v), 0.6 * np.cos(u) * np.sin(v)
    green, alpha = (np.rint((part / 2 + 0.5) * 255) for part in (y, x))
    return rgba(255, green, 255, alpha, NORMALS_SIZE)


def glow_lines() -> Pixels:
    """Bright lines on black."""
    _, y = grid()
    bright = np.where(y % 8 < 4, 255, 0)
    return rgba(bright, bright, bright)


def leaf() -> Pixels:
    """A leaf with a soft rim: alpha falls from the middle line outwards, and is 0 beyond."""
    x, y = grid()
    half = 14.0 * np.sin(np.pi * (y + 0.5) / SIZE)
    alpha = np.clip(255.0 * (1.0 - np.abs(x - 15.5) / np.maximum(half, 0.1)), 0.0, 255.0)
    vein = (np.abs(x - 15.5) < 1) | ((x + y) % 8 == 0)
    return rgba(np.where(vein, 150, 60), np.where(vein, 200, 140), 50, alpha)


def stripes() -> Pixels:
    """Red and white, a change every eight pixels, with a dark line at the bottom that shows which way is up."""
    x, y = grid()
    pale = np.where(y < 4, 60, np.where(x // 8 % 2 == 0, 40, 230))
    return rgba(np.where(y < 4, 60, 220), pale, pale)


def enamel_mask() -> Pixels:
    """HDRP's order: metallic red, occlusion green, detail mask blue, smoothness alpha."""
    x, y = grid()
    return rgba(np.where(checks(16), 0, 255), 8 * y, 128, 255 - 8 * x)


def facets() -> Pixels:
    """Triangles in three blues."""
    x, y = grid()
    kind = (x // 8 + y // 8 + (x % 8 > y % 8)) % 3
    return rgba(60 + 50 * kind, 120 + 40 * kind, 255 - 10 * kind)


def sparkle() -> Pixels:
    """Smoothness in green: most of it rough, some points like mirrors."""
    x, y = grid()
    return rgba(0, np.where((5 * x + 3 * y) % 16 < 3, 250, 90), 0)


def grass() -> Pixels:
    """Blades in three greens."""
    x, y = grid()
    blade = (7 * x + 3 * y + x * y) % 3
    return rgba(70 + 12 * blade, 120 + 20 * blade, 50)


def gravel() -> Pixels:
    """Grains of light and dark grey."""
    x, y = grid()
    grain = (5 * x * x + 3 * y * y + x * y) % 5
    shade = 110 + 25 * grain
    return rgba(shade, shade, shade - 12)


def path_weights() -> Pixels:
    """A path of the second layer along y, with soft edges; the first is everywhere else."""
    x, y = grid()
    gravelled = np.clip(255 - 60 * abs(2 * x - SIZE + 1 + 0 * y) // 2 + 90, 0, 255)
    return rgba(255 - gravelled, gravelled, 0, 0)


CHECKER = Picture("Checker", checker())
BRASS_SURFACE = Picture("BrassMetallicSmoothness", brass_surface(), srgb=False)
BRASS_OCCLUSION = Picture("BrassOcclusion", brass_occlusion())
DENTS = Picture("DentsNormal", dents(), srgb=False, normals=True)
GLOW_LINES = Picture("GlowLines", glow_lines())
LEAF = Picture("Leaf", leaf())
STRIPES = Picture("Stripes", stripes())
ENAMEL_MASK = Picture("EnamelMask", enamel_mask(), srgb=False)
FACETS = Picture("Facets", facets())
SPARKLE = Picture("Sparkle", sparkle(), srgb=False)
GRASS = Picture("Grass", grass())
GRAVEL = Picture("Gravel", gravel())
PATH = Picture("SplatAlpha 0", path_weights(), srgb=False)
TORN = Picture("Torn", stripes(), keep=1000)
"""Declares more pixels than there are."""
