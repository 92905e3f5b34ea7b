"""PNG and pixel decoding on arbitrary sizes."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.builders.surfaces import raw_texture
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.png import encode_png

_MODES = {1: "L", 3: "RGB", 4: "RGBA"}
_WHOLE = st.sampled_from([n for n, form in FORMATS.items() if form.block == (1, 1) and form.decode])
_BLOCKS = st.sampled_from([10, 12, 25, 34, 47, 48, 50, 53])


@given(
    st.integers(1, 90), st.integers(1, 90), st.sampled_from([1, 3, 4]), st.integers(0, 2**32 - 1), st.integers(1, 256)
)
def test_png_reads_back(width: int, height: int, channels: int, seed: int, colors: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, colors, (height, width, channels), dtype=np.uint8)
    image = Image.open(io.BytesIO(encode_png(pixels)))
    assert image.mode == _MODES[channels]
    np.testing.assert_array_equal(np.asarray(image).reshape(pixels.shape), pixels)


@given(_WHOLE, st.integers(1, 17), st.integers(1, 17), st.integers(0, 2**32 - 1))
def test_each_pixel_decodes_as_it_does_alone(format_: int, width: int, height: int, seed: int) -> None:
    size = FORMATS[format_].block_bytes
    data = np.random.default_rng(seed).integers(0, 256, (height, width, size), dtype=np.uint8)
    pixels = decode_texture(raw_texture(format_, width, height, data.tobytes()), Diagnostics())
    row, column = seed % height, seed % width
    alone = decode_texture(raw_texture(format_, 1, 1, data[row, column].tobytes()), Diagnostics())
    assert pixels[height - 1 - row, column].tolist() == alone[0, 0].tolist()


@given(_BLOCKS, st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_each_block_decodes_as_it_does_alone(format_: int, width: int, height: int, seed: int) -> None:
    form = FORMATS[format_]
    across, down = form.blocks(width, height)
    data = np.random.default_rng(seed).integers(0, 256, (down, across, form.block_bytes), dtype=np.uint8)
    pixels = decode_texture(raw_texture(format_, width, height, data.tobytes()), Diagnostics())[::-1]
    i, j = seed % down, seed % across
    block_width, block_height = form.block
    part = pixels[i * block_height : (i + 1) * block_height, j * block_width : (j + 1) * block_width]
    alone = decode_texture(raw_texture(format_, part.shape[1], part.shape[0], data[i, j].tobytes()), Diagnostics())
    np.testing.assert_array_equal(part, alone[::-1])
