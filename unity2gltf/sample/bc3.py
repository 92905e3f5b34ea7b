"""Write BC3 (DXT5): blocks of 4 x 4 pixels, 8 bytes for alpha and 8 for colour.

Alpha takes one of eight values between the block's extremes, colour one of four on the line from its lowest to its
highest corner: good for pixels in which one colour channel varies, as in normal maps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def encode_bc3(pixels: NDArray[np.uint8]) -> bytes:
    """(H, W, 4) pixels, sides multiples of 4, as blocks in the order of their rows."""
    height, width = pixels.shape[:2]
    if height % 4 or width % 4:
        raise ValueError(f"{width} x {height} pixels are no whole blocks of 4 x 4")
    blocks = pixels.reshape(height // 4, 4, width // 4, 4, 4).swapaxes(1, 2).reshape(-1, 16, 4).astype(np.int64)
    return np.concatenate([_alphas(blocks[..., 3]), _colors(blocks[..., :3])], axis=1).tobytes()


def _alphas(values: Ints) -> NDArray[np.uint8]:
    """(N, 16) to (N, 8) bytes: two extremes, then three bits a pixel."""
    high, low = values.max(axis=1), values.min(axis=1)
    between = [((7 - step) * high + step * low) // 7 for step in range(1, 7)]
    nearest = _nearest(values[..., None], np.stack([high, low, *between], axis=1)[..., None])
    extremes = np.stack([high, low], axis=1).astype(np.uint8)
    return np.concatenate([extremes, _packed(nearest, bits=3)], axis=1)


def _colors(values: Ints) -> NDArray[np.uint8]:
    """(N, 16, 3) to (N, 8) bytes: two colours of 5, 6 and 5 bits, then two bits a pixel."""
    high, low = (_to_565(edge) for edge in (values.max(axis=1), values.min(axis=1)))
    first, last = _from_565(high), _from_565(low)
    palette = np.stack([first, last, (2 * first + last) // 3, (first + 2 * last) // 3], axis=1)
    ends = np.stack([high, low], axis=1).astype("<u2").view(np.uint8)
    return np.concatenate([ends, _packed(_nearest(values, palette), bits=2)], axis=1)


def _nearest(values: Ints, palette: Ints) -> Ints:
    """(N, 16, C) values and (N, P, C) palettes: the number of the entry closest to each value."""
    distance = ((values[:, :, None] - palette[:, None]) ** 2).sum(axis=-1)
    return np.asarray(distance.argmin(axis=-1))


def _packed(numbers: Ints, bits: int) -> NDArray[np.uint8]:
    """(N, 16) numbers of ``bits`` bits, the first lowest, as (N, 2 * bits) bytes."""
    words = (numbers << (bits * np.arange(16))).sum(axis=1).astype("<u8")
    return np.asarray(words.view(np.uint8).reshape(-1, 8)[:, : 2 * bits])


def _to_565(colors: Ints) -> Ints:
    red, green, blue = (np.rint(colors * [31 / 255, 63 / 255, 31 / 255]).astype(np.int64)).T
    return np.asarray(red << 11 | green << 5 | blue)


def _from_565(words: Ints) -> Ints:
    red, green, blue = words >> 11, words >> 5 & 63, words & 31
    return np.stack([red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2], axis=1)
