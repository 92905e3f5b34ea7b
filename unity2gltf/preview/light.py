"""The light of the studio: an even sky with soft boxes that metals mirror, as Filament reads it (KTX 1).

Filament can filter a panorama itself, but without a graphics card that takes five seconds; this takes 0.1 s.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from ..math3d import Array

SKY, HORIZON, GROUND = 1.0, 0.75, 0.4
"""Brightness straight up, level and straight down."""

BOXES: tuple[tuple[tuple[float, float, float], float, float], ...] = (
    ((-0.7, 0.8, 0.7), 3.0, 0.35),
    ((0.9, 0.35, 0.3), 1.6, 0.3),
    ((0.2, 0.5, -1.0), 2.2, 0.3),
)
"""Direction, brightness and width in radians of each soft box."""

SIZES = (64, 32, 16, 8, 4)
"""Sides of the cube map's levels: the rougher a surface, the smaller the level that it mirrors."""

_SAMPLES = 96
_FACES: tuple[tuple[tuple[int, int, int], ...], ...] = (
    ((0, 0, -1), (0, -1, 0), (1, 0, 0)),
    ((0, 0, 1), (0, -1, 0), (-1, 0, 0)),
    ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    ((1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, -1)),
)
"""Where the columns, the rows and the middle of each face of a cube map lead, +X -X +Y -Y +Z -Z."""

_GOLDEN = np.pi * (3.0 - np.sqrt(5.0))


def light_from(directions: Array) -> Array:
    """(...) brightness of the surroundings in unit ``directions`` (..., 3)."""
    height = directions[..., 1]
    light = HORIZON + np.where(height > 0, (SKY - HORIZON) * height, (HORIZON - GROUND) * height)
    for direction, brightness, width in BOXES:
        towards = np.array(direction) / np.linalg.norm(direction)
        angle = np.arccos(np.clip(directions @ towards, -1.0, 1.0))
        light = light + brightness * np.exp(-0.5 * (angle / width) ** 4)
    result: Array = light
    return result


def sky_ktx() -> bytes:
    """The surroundings as a KTX 1 file: a cube map of half floats, its levels filtered by roughness, and the diffuse
    light as nine coefficients in the key ``sh``."""
    text = "".join(f"{value:.6f} {value:.6f} {value:.6f}\n" for value in diffuse())
    pair = b"sh\0" + text.encode() + b"\0"
    pair = struct.pack("<I", len(pair)) + pair + b"\0" * (-len(pair) % 4)
    half, rgba, rgba16 = 0x140B, 0x1908, 0x881A
    numbers = (0x04030201, half, 2, rgba, rgba16, rgba, SIZES[0], SIZES[0], 0, 0, 6, len(SIZES), len(pair))
    return b"\xabKTX 11\xbb\r\n\x1a\n" + struct.pack("<13I", *numbers) + pair + b"".join(_levels())


def _levels() -> Iterator[bytes]:
    for level, size in enumerate(SIZES):
        # Filament reads level p (2 - p) of the highest for the perceptual roughness p.
        perceptual = 1.0 - np.sqrt(1.0 - level / (len(SIZES) - 1))
        light = glossy(_cube(size), perceptual**2)
        pixels = np.repeat(light[..., None], 4, axis=-1)
        pixels[..., 3] = 1.0
        yield struct.pack("<I", pixels[0].size * 2) + pixels.astype("<f2").tobytes()


def _cube(size: int) -> Array:
    """(6, size, size, 3) unit directions of a cube map's texels."""
    steps = (np.arange(size) + 0.5) * 2 / size - 1
    faces = []
    for right, down, middle in np.array(_FACES, np.float64):
        faces.append(middle + steps[None, :, None] * right + steps[:, None, None] * down)
    cube = np.stack(faces)
    result: Array = cube / np.linalg.norm(cube, axis=-1, keepdims=True)
    return result


def glossy(directions: Array, roughness: float) -> Array:
    """(...) what a surface of GGX ``roughness`` (squared perceptual) mirrors when seen straight on, by importance
    sampling (Karis 2013, with view and normal the same)."""
    if roughness == 0.0:
        return light_from(directions)
    helper = np.where(np.abs(directions[..., 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    side = np.cross(helper, directions)
    side /= np.linalg.norm(side, axis=-1, keepdims=True)
    other = np.cross(directions, side)
    total, weight = np.zeros(directions.shape[:-1]), 0.0
    for k in range(_SAMPLES):
        share, turn = (k + 0.5) / _SAMPLES, k * _GOLDEN
        cosine = np.sqrt((1 - share) / (1 + (roughness**2 - 1) * share))  # of the half vector
        straight = 2 * cosine * cosine - 1  # of the light
        if straight > 0:
            aside = np.sqrt(1 - straight * straight)
            towards = straight * directions + aside * (np.cos(turn) * side + np.sin(turn) * other)
            total += straight * light_from(towards)
            weight += straight
    result: Array = total / weight
    return result


def diffuse() -> Array:
    """(9,) coefficients of the diffuse light by normal, in the order and form of Filament's shader."""
    normals, lights = _sphere(256), _sphere(4096)
    received = np.maximum(normals @ lights.T, 0.0) @ light_from(lights) * 4.0 / len(lights)
    x, y, z = normals.T
    basis = np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y], axis=1)
    coefficients: Array = np.linalg.lstsq(basis, received, rcond=None)[0]
    return coefficients


def _sphere(count: int) -> Array:
    """(count, 3) unit directions, evenly spread (a Fibonacci spiral)."""
    k = np.arange(count)
    height = 1 - 2 * (k + 0.5) / count
    ring = np.sqrt(1 - height * height)
    return np.stack([ring * np.cos(_GOLDEN * k), height, ring * np.sin(_GOLDEN * k)], axis=1)
