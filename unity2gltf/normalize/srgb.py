"""The sRGB curve (IEC 61966-2-1) and what Unity makes of colours above 1, for numbers and for arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def srgb_to_linear(value: float) -> float:
    """One channel of 0..1."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def gamma_to_linear(value: float) -> float:
    """One channel of any size, as Unity converts colours: the sRGB curve to 1, a power of 2.2 beyond."""
    return srgb_to_linear(value) if value <= 1.0 else float(value**2.2)


def srgb_array_to_linear(values: NDArray[Any]) -> NDArray[Any]:
    """Channels of 0..1, of the type of ``values`` (floats)."""
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def linear_array_to_srgb(values: NDArray[Any]) -> NDArray[Any]:
    """The inverse of :func:`srgb_array_to_linear`."""
    return np.where(values <= 0.0031308, values * 12.92, 1.055 * np.maximum(values, 0) ** (1 / 2.4) - 0.055)


def gamma_array_to_linear(values: NDArray[Any]) -> NDArray[Any]:
    """As :func:`gamma_to_linear`; what is negative becomes 0."""
    cut = np.maximum(values, 0.0)
    return np.where(cut <= 1.0, srgb_array_to_linear(cut), cut**2.2)
