"""Decoded values to 8 bits, and what that cuts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics
from .formats import Format

_STRIP_PIXELS = 1 << 15


def quantise(values: NDArray[Any], form: Format, diagnostics: Diagnostics) -> NDArray[np.uint8]:
    """float32 to 8 bits, rounded; what lies outside 0..1 is cut, NaN becomes 0."""
    height, width = values.shape[:2]
    result = np.empty(values.shape, np.uint8)
    outside = 0
    for rows in _strips(height, width):
        strip = values[rows]
        if not (strip.min() >= 0 and strip.max() <= 1):  # also where one is NaN: both are, then
            within = (strip >= 0) & (strip <= 1)
            outside += int(np.count_nonzero(~np.logical_and.reduce([within[..., k] for k in range(4)])))
            strip = np.clip(np.nan_to_num(strip, nan=0.0), 0, 1)
        result[rows] = strip * np.float32(255) + np.float32(0.5)
    if outside:
        _report_clamped(outside, height * width, form, diagnostics)
    return result


def report_saturation(pixels: NDArray[Any], form: Format, diagnostics: Diagnostics) -> None:
    """The decoder has cut the values already: those at the top of the range are the ones that may have been above."""
    height, width = pixels.shape[:2]
    strips = (pixels[rows] == 255 for rows in _strips(height, width))
    saturated = sum(int(np.count_nonzero(top[..., 0] | top[..., 1] | top[..., 2])) for top in strips)
    if saturated:
        _report_clamped(saturated, height * width, form, diagnostics)


def with_full_alpha(pixels: NDArray[Any]) -> NDArray[Any]:
    """A copy of pixels whose alpha is padding."""
    result = np.array(pixels)
    result[..., 3] = 255
    return result


def _strips(height: int, width: int) -> Iterator[slice]:
    """Rows of a picture, so many at a time that what is computed of them stays in the processor's cache."""
    rows = max(_STRIP_PIXELS // width, 1)
    return (slice(start, start + rows) for start in range(0, height, rows))


def _report_clamped(pixels: int, of: int, form: Format, diagnostics: Diagnostics) -> None:
    message = f"{pixels} of {of} pixels of {form.name} lie outside 0..1 and were cut to it"
    diagnostics.add(codes.TEXTURE_CLAMPED, message, pixels=pixels, of=of, format=form.name)
