"""Time from stored texture to PNG at 2048 x 2048, against Pillow's own PNG at level 1, in one run.

Usage: python benchmarks/texture_png.py [SIZE]

The picture is made up: smooth shading with grain, encoded as each format is by simple blocks, so that no file is
needed. Times are the best of five, in milliseconds of CPU.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from time import process_time

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from timing import seconds

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.png import encode_png
from unity2gltf.raw import RawTexture
from unity2gltf.source import Source

_FORMATS = (3, 4, 10, 12, 25, 34, 47, 48, 50)
_REPEATS = 5


def picture(size: int) -> NDArray[np.uint8]:
    """(size, size, 3): slow waves in each channel with two bits of grain."""
    axis = np.linspace(0, 12, size, dtype=np.float32)
    waves = [np.sin(axis[None] * (1 + k)) + np.cos(axis[:, None] * (2 - k / 2)) for k in range(3)]
    grain = np.random.default_rng(0).integers(0, 4, (size, size, 3))
    return (np.stack(waves, -1) * 60 + 124 + grain).clip(0, 255).astype(np.uint8)


def texture(number: int, size: int) -> RawTexture:
    """The picture in an uncompressed format, or blocks whose bytes follow it."""
    form, pixels = FORMATS[number], picture(size)
    if form.block == (1, 1):
        alpha = pixels[..., :1] if form.block_bytes == 4 else pixels[..., :0]
        data = np.concatenate([pixels, alpha], axis=-1).tobytes()
    else:
        across, down = form.blocks(size, size)
        picked = pixels[np.arange(down) * size // down][:, np.arange(across) * size // across]
        data = np.resize(picked, (down, across, form.block_bytes)).tobytes()
    return RawTexture(
        source=Source("", "", 0, "Texture2D"),
        name=form.name,
        version=(2021, 3, 0),
        width=size,
        height=size,
        format=number,
        data=data,
        mip_count=1,
        color_space=1,
        filter=1,
        aniso=1,
        wrap=(0, 0),
        platform=19,
        platform_blob=b"",
    )


def best(run: Callable[[], object]) -> float:
    """Milliseconds of CPU, the best of some runs."""
    return seconds(run, _REPEATS, process_time) * 1000


def pillow_png(pixels: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 2048
    print(f"{'format':14}{'decode':>9}{'png':>9}{'Pillow png':>12}{'ratio':>8}{'bytes / Pillow':>16}")
    for number in _FORMATS:
        raw = texture(number, size)
        pixels = decode_texture(raw, Diagnostics())
        if int(pixels[..., 3].min()) == 255:
            pixels = pixels[..., :3]
        contiguous = np.ascontiguousarray(pixels)
        decode = best(lambda raw=raw: decode_texture(raw, Diagnostics()))
        ours = best(lambda pixels=pixels: encode_png(pixels))
        theirs = best(lambda contiguous=contiguous: pillow_png(contiguous))
        share = len(encode_png(pixels)) / len(pillow_png(contiguous))
        print(f"{raw.name:14}{decode:9.1f}{ours:9.1f}{theirs:12.1f}{theirs / ours:8.1f}{share:16.2f}")


if __name__ == "__main__":
    main()
