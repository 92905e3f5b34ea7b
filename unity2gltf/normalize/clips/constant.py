"""m_ConstantClip: one value a curve."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ...ir import Curve


def constant_curve(value: float) -> Curve:
    """A curve that always has ``value``."""
    return Curve(times=np.zeros(1), coefficients=np.array([[0.0, 0.0, 0.0, value]]))


def constant_curves(values: NDArray[np.float32], numbers: Iterable[int], tally: Counter[str]) -> dict[int, Curve]:
    """Of ``values`` the curves ``numbers``; values that are not finite give none and are counted in ``tally``."""
    result = {}
    for number in numbers:
        value = float(values[number])
        if math.isfinite(value):
            result[number] = constant_curve(value)
        else:
            tally["values that are not finite"] += 1
    return result
