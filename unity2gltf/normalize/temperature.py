"""The colour of a glowing body, for lights that have a colour temperature."""

from __future__ import annotations

import math

_COOLEST, _HOTTEST = 1000.0, 15000.0  # kelvin, the range of the fit below
_TO_SRGB = (
    (3.2404542, -1.5371385, -0.4985314),
    (-0.9692660, 1.8760108, 0.0415560),
    (0.0556434, -0.2040259, 1.0572252),
)
"""XYZ to linear sRGB (IEC 61966-2-1)."""


def kelvin_to_rgb(kelvin: float) -> tuple[float, float, float]:
    """Linear colour in 0..1, the largest channel 1.

    By Krystek's fit of the Planckian locus in CIE 1960 (Color Research and Application 10, 1985), good to 1e-4 in u and
    v. Unity's own curve is not published but for its error, 0.008. What is outside 1000..15000 K is taken at the end.
    """
    t = min(max(kelvin, _COOLEST), _HOTTEST) if math.isfinite(kelvin) else 6500.0
    u = (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t) / (1.0 + 8.42420235e-4 * t + 7.08145163e-7 * t * t)
    v = (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t) / (1.0 - 2.89741816e-5 * t + 1.61456053e-7 * t * t)
    below = 2 * u - 8 * v + 4
    x, y = 3 * u / below, 2 * v / below
    xyz = (x / y, 1.0, (1 - x - y) / y)
    rgb = [max(sum(a * b for a, b in zip(row, xyz, strict=True)), 0.0) for row in _TO_SRGB]
    most = max(rgb)
    return rgb[0] / most, rgb[1] / most, rgb[2] / most
