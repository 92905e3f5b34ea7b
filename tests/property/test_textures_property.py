"""PNG and pixel decoding on arbitrary sizes."""

from __future__ import annotations

import io
import struct

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.builders.surfaces import raw_texture
from tests.reference import texture_twin
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.eac import signed_eac
from unity2gltf.normalize.textures.encode import COLOR, DATA, encode_image
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.levels import lay_out
from unity2gltf.normalize.textures.plain import shared_exponent, yuy2
from unity2gltf.normalize.textures.platforms import block_linear
from unity2gltf.normalize.textures.png import encode_png
from unity2gltf.normalize.textures.resize import resize

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


@given(st.integers(1, 40), st.integers(1, 70), st.sampled_from([1, 2, 4, 8, 16]), st.integers(0, 3), st.integers(0, 99))
def test_switch_order_is_that_of_its_twin(across: int, down: int, size: int, log: int, seed: int) -> None:
    row_bytes = across * size
    needed = texture_twin.switch_size(row_bytes, down, log)
    data = np.random.default_rng(seed).integers(0, 256, needed + seed, dtype=np.uint8)
    rows = block_linear(data, across, down, size, log)
    assert rows.tobytes() == texture_twin.switch_rows(data.tobytes(), row_bytes, down, log)


@given(st.binary(min_size=32, max_size=32))
def test_signed_eac_is_that_of_its_twin(data: bytes) -> None:
    pixels = signed_eac(1)(np.frombuffer(data, np.uint8), 8, 8)
    for y in range(8):
        for x in range(8):
            block = data[(y // 4 * 2 + x // 4) * 8 :][:8]
            assert pixels[y, x, 0] == np.float32(texture_twin.signed_eac(block, x % 4, y % 4))


@given(st.binary(min_size=24, max_size=24))
def test_yuy2_is_that_of_its_twin(data: bytes) -> None:
    pixels = yuy2(np.frombuffer(data, np.uint8), 4, 3)
    for y in range(3):
        for x in range(4):
            quad = data[(y * 2 + x // 2) * 4 :][:4]
            assert tuple(pixels[y, x, :3]) == texture_twin.yuy2(quad, x % 2)


@given(_WHOLE | _BLOCKS, st.integers(1, 40), st.integers(1, 40), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_a_mip_decodes_as_it_does_alone(format_: int, width: int, height: int, mips: int, seed: int) -> None:
    levels = lay_out(FORMATS[format_], width, height, mips)
    data = np.random.default_rng(seed).integers(0, 256, levels[-1].offset + levels[-1].size, dtype=np.uint8).tobytes()
    level = levels[seed % len(levels)]
    pixels = decode_texture(raw_texture(format_, width, height, data, mip_count=mips), Diagnostics(), level.side)
    first = next(item for item in levels if item.side <= level.side)
    part = data[first.offset : first.offset + first.size]
    alone = decode_texture(raw_texture(format_, first.width, first.height, part), Diagnostics())
    np.testing.assert_array_equal(pixels, alone)


@given(st.binary(min_size=16, max_size=16))
def test_shared_exponents_are_exact(data: bytes) -> None:
    pixels = shared_exponent(np.frombuffer(data, np.uint8), 2, 2)
    for index, (word,) in enumerate(struct.iter_unpack("<I", data)):
        wanted = [(word >> shift & 511) * 2.0 ** ((word >> 27) - 24) for shift in (0, 9, 18)]
        assert pixels.reshape(4, 4)[index].tolist() == [*wanted, 1.0]


@given(
    st.integers(1, 40), st.integers(1, 40), st.sampled_from([1, 3, 4]), st.sampled_from([COLOR, DATA]),
    st.sampled_from(["png", "webp"]), st.integers(0, 2**32 - 1), st.integers(1, 256),
)  # fmt: skip
def test_lossless_formats_read_back(
    width: int, height: int, channels: int, kind: str, textures: str, seed: int, colors: int
) -> None:
    pixels = np.random.default_rng(seed).integers(0, colors, (height, width, channels), dtype=np.uint8)
    _, data = encode_image(pixels, kind, textures=textures, diagnostics=Diagnostics())
    read = np.asarray(Image.open(io.BytesIO(data)).convert(_MODES[channels]))
    np.testing.assert_array_equal(read.reshape(pixels.shape), pixels)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_scaling_down_by_whole_numbers_is_the_mean(width: int, height: int, by: int, down: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height * down, width * by, 4), dtype=np.uint8)
    means = pixels.reshape(height, down, width, by, 4).mean(axis=(1, 3))
    # two passes, each rounded to 8 bits
    assert np.abs(resize(pixels, width, height) - means).max() <= 1.01
