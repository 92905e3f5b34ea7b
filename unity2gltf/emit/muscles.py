"""Muscle curves of a humanoid clip as JSON: what could not become bones, whole."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..ir import Curve, MuscleCurves


def muscles_bytes(muscles: MuscleCurves) -> bytes:
    """The side file of a clip. Each curve has the ``attribute`` it moves, ``times`` in seconds and ``values`` at them;
    between two keys it is a ``step``, ``linear``, or ``cubic``: value + c d + b d^2 + a d^3 with d seconds since the
    key, [a, b, c] a key in ``cubics``."""
    document = {
        "name": muscles.name,
        "source": muscles.source.mark(),
        "rig": muscles.rig,
        "reason": muscles.reason,
        "duration": muscles.duration,
        "sample_rate": muscles.sample_rate,
        "curves": [_curve(name, curve) for name, curve in muscles.curves.items()],
    }
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode()


def _curve(name: str, curve: Curve) -> dict[str, Any]:
    told = {
        "attribute": name,
        "interpolation": _interpolation(curve),
        "times": _numbers(curve.times),
        "values": _numbers(curve.coefficients[:, 3]),
    }
    if told["interpolation"] == "cubic":
        told["cubics"] = [_numbers(row) for row in curve.coefficients[:, :3]]
    return told


def _interpolation(curve: Curve) -> str:
    """``linear`` only where the straight line from key to key is the curve, to float32 rounding."""
    if not curve.coefficients[:, :3].any():
        return "step"
    if curve.coefficients[:, :2].any() or curve.coefficients[-1, :3].any():
        return "cubic"
    values = curve.coefficients[:, 3]
    ends = values[:-1] + curve.coefficients[:-1, 2] * np.diff(curve.times)
    return "linear" if np.allclose(ends, values[1:], rtol=1e-6, atol=1e-7) else "cubic"


def _numbers(values: np.ndarray) -> list[float]:
    """Nine digits: as much as float32 tells apart."""
    return [float(f"{value:.9g}") for value in values.tolist()]
