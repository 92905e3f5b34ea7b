"""Values of different readers made comparable."""

from __future__ import annotations

from typing import Any

import numpy as np

SCALARS = frozenset((bool, int, float, str))


def leaves(value: Any) -> list[Any]:
    """All scalars of a nested value, in order; NaN becomes a word so that it equals itself."""
    out: list[Any] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, np.ndarray):
            pending.append(item.tolist())
        elif isinstance(item, dict):
            pending += reversed(item.values())
        elif isinstance(item, list | tuple):
            if SCALARS.issuperset(map(type, item)):  # most values by far are numbers in long lists
                out += ["nan" if number != number else number for number in item]
            else:
                pending += reversed(item)
        elif isinstance(item, bytes | bytearray | memoryview):
            out.append(bytes(item))
        else:
            out.append("nan" if item != item else item)
    return out
