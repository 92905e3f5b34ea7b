"""Numbers that are none: the one check that every decoded array goes through."""

from __future__ import annotations

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import F32
from ...text import counted


def finite(name: str, values: F32, diagnostics: Diagnostics) -> F32:
    """``values`` with NaN and infinities replaced by 0, reported as MESH_NOT_FINITE; the same array if it has none."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):  # one pass without a temporary; a sum that only overflows goes on below
            return values
    wrong = ~np.isfinite(values)
    count = int(np.count_nonzero(wrong))
    if count == 0:
        return values
    text = f"{counted(count, 'number')} of {name} not finite"
    diagnostics.add(codes.MESH_NOT_FINITE, text, attribute=name, count=count)
    return np.where(wrong, np.float32(0), values)
