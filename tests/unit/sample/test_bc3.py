"""BC3 blocks, decoded by UnityPy's decoder and by Pillow's."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
import texture2ddecoder
from PIL import Image

from unity2gltf.sample.bc3 import encode_bc3

RNG = np.random.default_rng(5)


def by_native(data: bytes, width: int, height: int) -> np.ndarray:
    raw = texture2ddecoder.decode_bc3(data, width, height)
    return np.frombuffer(raw, np.uint8).reshape(height, width, 4)[..., [2, 1, 0, 3]]


def by_pillow(data: bytes, width: int, height: int) -> np.ndarray:
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, height, width, len(data), 0, 0)
    form = struct.pack("<II4s20x", 32, 4, b"DXT5")
    with Image.open(io.BytesIO(head + form + struct.pack("<I16x", 0x1000) + data)) as image:
        return np.asarray(image)


@pytest.mark.parametrize("decode", [by_native, by_pillow])
def test_what_blocks_can_hold_comes_back(decode) -> None:  # type: ignore[no-untyped-def]
    """Two colours of 5, 6 and 5 bits and two alphas a block, of which the greater ones go together."""
    pixels = np.zeros((8, 12, 4), np.uint8)
    pixels[...] = (8, 4, 8, 17)
    pixels[RNG.random((8, 12)) < 0.5] = (255, 130, 255, 201)
    pixels[:4, :4] = (255, 255, 255, 90)  # a block of one value
    data = encode_bc3(pixels)
    assert len(data) == 2 * 3 * 16
    assert np.array_equal(decode(data, 12, 8), pixels)


@pytest.mark.parametrize("decode", [by_native, by_pillow])
def test_ramps_stay_within_half_a_step(decode) -> None:  # type: ignore[no-untyped-def]
    pixels = np.full((16, 16, 4), 255, np.uint8)
    pixels[..., 1] = RNG.integers(0, 256, (16, 16))
    pixels[..., 3] = RNG.integers(0, 256, (16, 16))
    found = decode(encode_bc3(pixels), 16, 16).astype(int)
    assert np.abs(found[..., 3] - pixels[..., 3]).max() <= 255 / 7 / 2 + 1
    assert np.abs(found[..., 1] - pixels[..., 1].astype(int)).max() <= 255 / 3 / 2 + 4
    assert (found[..., [0, 2]] == 255).all()


def test_sides_are_whole_blocks() -> None:
    with pytest.raises(ValueError, match="6 x 4 pixels"):
        encode_bc3(np.zeros((4, 6, 4), np.uint8))
