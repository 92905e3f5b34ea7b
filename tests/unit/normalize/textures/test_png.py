"""The PNG encoder and the images made with it."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from tests.builders.surfaces import TEXTURE, raw_texture
from unity2gltf import ir
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.textures.image import Settings, make_image
from unity2gltf.normalize.textures.png import encode_png
from unity2gltf.normalize.textures.recipes import Color


def _read(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def test_chunks_and_header() -> None:
    data = encode_png(np.zeros((2, 3, 4), np.uint8))
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert data[8:33] == b"\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0" + data[29:33]
    assert data.endswith(b"\0\0\0\0IEND\xaeB`\x82")


def test_an_image_of_several_strips_reads_back() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (700, 401, 4), dtype=np.uint8)
    np.testing.assert_array_equal(np.asarray(_read(encode_png(pixels))), pixels)


def test_smooth_gradients_of_both_directions_are_small() -> None:
    ramp = np.arange(256, dtype=np.uint8)
    across = np.broadcast_to(ramp[None, :, None], (256, 256, 3))
    down = np.broadcast_to(ramp[:, None, None], (256, 256, 3))
    for pixels in (across, down):
        data = encode_png(pixels)
        np.testing.assert_array_equal(np.asarray(_read(data)), pixels)
        assert len(data) < 4000


def test_the_same_pixels_give_the_same_bytes_whatever_their_strides() -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (37, 41, 4), dtype=np.uint8)
    flipped = np.ascontiguousarray(pixels[::-1])[::-1]
    padded = np.zeros((37, 64, 4), np.uint8)
    padded[:, :41] = pixels
    assert encode_png(pixels) == encode_png(flipped) == encode_png(padded[:, :41])
    assert encode_png(pixels[..., :3]) == encode_png(np.ascontiguousarray(pixels[..., :3]))


@pytest.mark.parametrize("shape", [(0, 4, 4), (4, 0, 3), (4, 4, 2), (4, 4)])
def test_shapes_that_are_no_image_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not an image"):
        encode_png(np.zeros(shape, np.uint8))


def _made(data: bytes) -> ir.Image:
    raw = raw_texture(4, 1, 2, data)
    return make_image(Color(raw.source), {raw.source: raw}, Settings(), Diagnostics())


def test_an_opaque_texture_becomes_rgb() -> None:
    image = _made(bytes([1, 2, 3, 255, 4, 5, 6, 255]))
    assert (image.name, image.mime, image.width, image.height) == ("bricks", "image/png", 1, 2)
    assert image.sources == (TEXTURE,)
    read = _read(image.data)
    assert read.mode == "RGB"
    assert np.asarray(read).tolist() == [[[4, 5, 6]], [[1, 2, 3]]]


def test_a_texture_with_alpha_stays_rgba() -> None:
    image = _made(bytes([1, 2, 3, 255, 4, 5, 6, 254]))
    read = _read(image.data)
    assert read.mode == "RGBA"
    assert np.asarray(read).tolist() == [[[4, 5, 6, 254]], [[1, 2, 3, 255]]]
