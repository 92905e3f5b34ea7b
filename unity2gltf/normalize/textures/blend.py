"""The ground of a terrain as one image: layers tiled, weighed and summed up in linear light.

Rows and columns of a tile are sampled apart from each other, since it lies square to the image: one layer costs two
passes over the image. It is worked on in strips, so that float numbers are held for a part of it only.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..srgb import linear_array_to_srgb, srgb_array_to_linear
from .pack import Pixels
from .recipes import Blend, Layer, TextureKey

F32 = NDArray[np.float32]
Ints = NDArray[np.int64]


class Bench(Protocol):
    """Where the textures of a blend come from. Each may be None, after a diagnostic."""

    def stored_size(self, key: TextureKey) -> tuple[int, int] | None:
        """(width, height), not yet decoded."""
        ...

    def pixels(self, key: TextureKey) -> Pixels | None:
        """(H, W, 4) of a map of weights; kept, since it serves four layers."""
        ...

    def colors(self, key: TextureKey, max_side: int) -> tuple[Pixels, bool] | None:
        """(H, W, 4) of a colour map, and whether it is sRGB; not kept. A stored mip no longer than ``max_side`` will do
        where there is one."""
        ...


GREY = 0.5
"""What Unity's terrain shaders take for a layer without a texture, as stored."""

_STRIP = 128  # rows
_LEAST = 4  # pixels a side


def blend(recipe: Blend, bench: Bench, encoded: bool) -> Pixels | None:
    """(H, W, 3) sRGB, top row first, or None when no texture of the recipe can be had.

    ``encoded``: the game blends in linear colours, which are made sRGB at the end; else (a game that works in gamma)
    stored colours are blended as they are.
    """
    image = _Image(recipe, bench, encoded)
    parts = [part for number in range(len(recipe.layers)) if (part := image.part(number)) is not None]
    if not image.found:
        return None
    result = np.empty((image.height, image.width, 3), np.uint8)
    for begin in range(0, image.height, _STRIP):
        rows = np.arange(begin, min(begin + _STRIP, image.height))
        total = np.zeros((len(rows), image.width, 3), np.float32)
        for part in parts:
            total += part.strip(rows, image.height)
        total = np.clip(total, 0, 1)
        result[rows] = np.rint((linear_array_to_srgb(total) if encoded else total) * 255)
    return result


class _Image:
    """The image to be made: its size, and its layers made ready. ``found``: was there any texture at all?"""

    def __init__(self, recipe: Blend, bench: Bench, encoded: bool) -> None:
        self._recipe, self._bench, self._encoded = recipe, bench, encoded
        self.width, self.height = self._side(0), self._side(1)
        self.found = False

    def _side(self, axis: int) -> int:
        """As many pixels as weights or tiles have, as a power of two, up to the recipe's size."""
        finest = float(_LEAST)
        for layer in self._recipe.layers:
            color = None if layer.color is None else self._bench.stored_size(layer.color)
            weight = None if layer.weight is None else self._bench.stored_size(layer.weight.texture)
            finest = max(finest, 0 if color is None else abs(layer.tiles[axis]) * color[axis])
            finest = max(finest, 0 if weight is None else weight[axis])
        most = self._recipe.size[axis]
        return most if finest >= most else min(most, 1 << math.ceil(math.log2(finest)))

    def part(self, number: int) -> _Part | None:
        """One layer; None where it does not show. Without its weights the first one shows everywhere."""
        layer = self._recipe.layers[number]
        weights: F32 | None = None
        if layer.weight is not None:
            pixels = self._bench.pixels(layer.weight.texture)
            if pixels is None and number:
                return None
            if pixels is not None:
                self.found = True
                weights = self._weights(pixels[..., layer.weight.channel])
                if not weights.any():
                    return None
        low, high = (np.array(values, np.float32) for values in (layer.low, layer.high))
        return _Part(layer, low + (high - low) * self._tile(layer), weights, self.width, self._recipe.centred)

    def _weights(self, channel: Pixels) -> F32:
        """(h, w) fractions, no finer than the image."""
        height, width = channel.shape
        fractions = channel.astype(np.float32)[..., None] / np.float32(255)
        return _shrunk(fractions, min(self.width, width), min(self.height, height))[..., 0]

    def _tile(self, layer: Layer) -> F32:
        """(h, w, 3) a layer's colours, no finer than the pixels of the image that a tile covers."""
        sides = (self.width, self.height)
        across, up = (max(math.ceil(side / abs(count)), 1) for side, count in zip(sides, layer.tiles, strict=True))
        found = None if layer.color is None else self._bench.colors(layer.color, 2 * max(across, up))
        self.found |= found is not None
        stored, srgb = (np.full((1, 1, 3), round(GREY * 255), np.uint8), True) if found is None else found
        values = np.arange(256) / 255
        table = (srgb_array_to_linear(values) if srgb and self._encoded else values).astype(np.float32)
        colors: F32 = table[stored[..., :3]]
        return _shrunk(colors, min(across, stored.shape[1]), min(up, stored.shape[0]))


class _Part:
    """One layer, ready to be sampled a strip at a time."""

    def __init__(self, layer: Layer, tile: F32, weights: F32 | None, width: int, centred: bool) -> None:
        self._layer, self._centred = layer, centred
        self._tile = _across(tile, *_tiled(tile.shape[1], width, layer.tiles[0], layer.offset[0]))
        self._weights = None
        if weights is not None:
            self._weights = _across(weights[..., None], *_placed(weights.shape[1], width, centred))

    def strip(self, rows: Ints, height: int) -> F32:
        """(len(rows), W, 3) the weighted colours of these rows of the image."""
        layer = self._layer
        colors = _along(self._tile, *_tiled(len(self._tile), height, layer.tiles[1], layer.offset[1], up=True), rows)
        if self._weights is None:
            return colors
        return colors * _along(self._weights, *_placed(len(self._weights), height, self._centred), rows)


def _shrunk(values: F32, width: int, height: int) -> F32:
    """(height, width, C) the means of the pixels covered."""
    from PIL import Image

    if values.shape[:2] == (height, width):
        return values
    planes = [
        np.asarray(Image.fromarray(np.ascontiguousarray(values[..., k])).resize((width, height), Image.Resampling.BOX))
        for k in range(values.shape[2])
    ]
    return np.stack(planes, axis=-1)


def _tiled(pixels: int, side: int, tiles: float, offset: float, up: bool = False) -> tuple[Ints, Ints, F32]:
    """For each pixel of a side the two pixels of a repeated tile it lies between, and the share of the second. ``up``:
    coordinates run upwards and rows downwards."""
    places = (np.arange(side) + 0.5) / side
    turns = (1.0 - places if up else places) * tiles + offset
    place = (-turns if up else turns) * pixels - 0.5
    first = np.floor(place)
    return _wrapped(first, pixels), _wrapped(first + 1, pixels), (place - first).astype(np.float32)


def _wrapped(places: NDArray[np.float64], pixels: int) -> Ints:
    return np.mod(places, pixels).astype(np.int64) % pixels


def _placed(pixels: int, side: int, centred: bool) -> tuple[Ints, Ints, F32]:
    """As :func:`_tiled`, for weights that cover the side once and are held at its edges."""
    places = (np.arange(side) + 0.5) / side
    place = np.clip(places * (pixels - 1) if centred else places * pixels - 0.5, 0, pixels - 1)
    first = np.floor(place).astype(np.int64)
    return first, np.minimum(first + 1, pixels - 1), (place - first).astype(np.float32)


def _across(values: F32, first: Ints, second: Ints, share: F32) -> F32:
    mixed: F32 = values[:, first] + (values[:, second] - values[:, first]) * share[None, :, None]
    return mixed


def _along(values: F32, first: Ints, second: Ints, share: F32, rows: Ints) -> F32:
    begin = values[first[rows]]
    mixed: F32 = begin + (values[second[rows]] - begin) * share[rows, None, None]
    return mixed
