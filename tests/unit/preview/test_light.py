"""The studio's surroundings: a whole KTX file, and light that comes from where it should."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from unity2gltf.preview.light import BOXES, SIZES, _cube, _sphere, diffuse, glossy, light_from, sky_ktx


def test_the_file_is_a_whole_cube_map() -> None:
    data = sky_ktx()
    assert data[:12] == b"\xabKTX 11\xbb\r\n\x1a\n"
    numbers = struct.unpack_from("<13I", data, 12)
    assert numbers[6:8] == (SIZES[0], SIZES[0])
    assert numbers[10:12] == (6, len(SIZES))
    place = 64 + numbers[12]
    assert b"sh\0" in data[64:place]
    for size in SIZES:
        (face,) = struct.unpack_from("<I", data, place)
        assert face == size * size * 8
        pixels = np.frombuffer(data, "<f2", 6 * size * size * 4, place + 4)
        assert np.isfinite(pixels).all()
        place += 4 + 6 * face
    assert place == len(data)
    assert data == sky_ktx()


def test_faces_of_the_cube_lie_where_opengl_has_them() -> None:
    middles = _cube(3)[:, 1, 1]
    assert middles.tolist() == [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
    first = _cube(64)[:, 0, 0] * np.sqrt(3)
    expected = [(1, 1, 1), (-1, 1, -1), (-1, 1, -1), (-1, -1, 1), (-1, 1, 1), (1, 1, -1)]
    assert np.sign(first).tolist() == [list(corner) for corner in expected]


def test_the_boxes_are_the_brightest_and_the_sky_is_above() -> None:
    for direction, brightness, _ in BOXES:
        towards = np.array(direction) / np.linalg.norm(direction)
        assert light_from(towards) > brightness
    up, down = np.array([0.0, 1.0, 0.0]), np.array([0.0, -1.0, 0.0])
    assert light_from(up) > light_from(down) > 0


def test_rough_surfaces_mirror_the_same_light_spread_out() -> None:
    directions = _sphere(2000)
    sharp, soft = light_from(directions), glossy(directions, 0.5)
    assert soft.mean() == pytest.approx(sharp.mean(), rel=0.03)
    assert soft.std() < 0.6 * sharp.std()
    assert np.array_equal(glossy(directions, 0.0), sharp)


def test_diffuse_light_is_what_a_white_wall_sends_back() -> None:
    """Nine coefficients of the surroundings, against the integral by brute force."""
    lights = _sphere(20000)
    light = light_from(lights)
    x, y, z = normals = _sphere(50).T
    basis = np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y], axis=1)
    brute = np.maximum(normals.T @ lights.T, 0) @ light * 4 / len(lights)
    assert basis @ diffuse() == pytest.approx(brute, rel=0.04)
