"""Terrains against their slow twin."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.builders.raw import FakeRoot, source
from tests.builders.terrain import terrain_data
from tests.reference import terrain_twin
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.terrain.decode import decode_terrain
from unity2gltf.normalize.terrain.heights import positions, triangles
from unity2gltf.normalize.terrain.reduce import kept, moved
from unity2gltf.normalize.textures.blend import blend
from unity2gltf.normalize.textures.pack import Pixels
from unity2gltf.normalize.textures.recipes import Blend, Layer, Tap, TextureKey

_SIDE = st.integers(2, 9)
_SEED = st.integers(0, 2**32 - 1)


def heights_of(rows: int, columns: int, seed: int) -> NDArray[np.int16]:
    return np.random.default_rng(seed).integers(-40, 32767, (rows, columns)).astype(np.int16)


@given(_SIDE, _SIDE, _SEED)
def test_every_vertex_is_that_of_the_twin(rows: int, columns: int, seed: int) -> None:
    heights = heights_of(rows, columns, seed)
    geometry = decode_terrain(terrain_data(heights), FakeRoot(), Diagnostics()).geometry
    metres = [[float(value) / 100 for value in row] for row in heights]
    assert geometry.normals is not None
    for row in range(rows):
        for column in range(columns):
            vertex = row * columns + column
            place = (2.0 * column, metres[row][column], 4.0 * row)
            np.testing.assert_allclose(geometry.positions[vertex], place, rtol=1e-6)
            normal = terrain_twin.normal(metres, row, column, 2.0, 4.0)
            np.testing.assert_allclose(geometry.normals[vertex], normal, atol=1e-6)


@given(st.integers(3, 9), st.integers(3, 9), st.sampled_from([2, 4]), _SEED)
def test_the_measured_error_is_that_of_the_triangles_drawn(rows: int, columns: int, step: int, seed: int) -> None:
    heights = heights_of(rows, columns, seed)
    scale = (2.0, 327.66, 4.0)
    down, across = kept(rows, step), kept(columns, step)
    corners = [(float(x), float(y), float(z)) for x, y, z in positions(heights, down, across, scale).astype(float)]
    drawn = [(int(a), int(b), int(c)) for a, b, c in triangles(len(down), len(across), None).reshape(-1, 3)]
    errors = [
        abs(terrain_twin.surface_height(corners, drawn, 2.0 * column, 4.0 * row) - heights[row, column] / 100)
        for row in range(rows)
        for column in range(columns)
    ]
    found = moved(heights, down, across, scale[1])
    np.testing.assert_allclose(found.max_m, max(errors), atol=1e-4)
    np.testing.assert_allclose(found.rms_m, np.sqrt(np.mean(np.square(errors))), atol=1e-4)


class Shelf:
    """Textures by their key; colours are sRGB."""

    def __init__(self, textures: dict[TextureKey, Pixels]) -> None:
        self._textures = textures

    def stored_size(self, key: TextureKey) -> tuple[int, int] | None:
        return self._textures[key].shape[1], self._textures[key].shape[0]

    def pixels(self, key: TextureKey) -> Pixels | None:
        return self._textures[key]

    def colors(self, key: TextureKey, max_side: int) -> tuple[Pixels, bool] | None:
        return self._textures[key], True


def random_texture(seed: int) -> Callable[[int, int], Pixels]:
    random = np.random.default_rng(seed)
    return lambda height, width: random.integers(0, 256, (height, width, 4), dtype=np.uint8)


@given(
    st.integers(1, 3),
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    st.tuples(st.floats(0.3, 1.7), st.floats(-1.7, 0.0)),
    st.booleans(),
    st.booleans(),
    _SEED,
)
def test_every_pixel_of_the_ground_is_that_of_the_twin(
    count: int, side: tuple[int, int], place: tuple[float, float], centred: bool, linear: bool, seed: int
) -> None:
    """Textures that are coarser than the image, which is where nothing is averaged."""
    make = random_texture(seed)
    alpha = source(1, "Texture2D")
    textures: dict[TextureKey, Pixels] = {alpha: make(*side) // 3}
    layers, slow = [], []
    for number in range(count):
        key = source(2 + number, "Texture2D")
        textures[key] = make(3, 4)
        tiles = (1.0 + number, place[0])
        layers.append(Layer(key, Tap(alpha, number), tiles, place))
        colors = [[tuple(pixel[:3] / 255) for pixel in row] for row in textures[key]]
        weights = [[float(pixel[number]) / 255 for pixel in row] for row in textures[alpha]]
        slow.append(terrain_twin.SlowLayer(colors, weights, tiles, place))
    pixels = blend(Blend("ground", tuple(layers), (16, 16), centred), Shelf(textures), linear)
    assert pixels is not None
    height, width = pixels.shape[:2]
    for row in range(height):
        for column in range(width):
            u, v = (column + 0.5) / width, 1 - (row + 0.5) / height
            wanted = terrain_twin.ground(slow, u, v, centred, linear)
            np.testing.assert_allclose(pixels[row, column] / 255, wanted, atol=0.503 / 255)
