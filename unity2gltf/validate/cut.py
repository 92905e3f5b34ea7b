"""What cutting influences may do to a vertex, from the ragged influences of Unity's side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..ir import Influences


def cut_rows(influences: Influences | None, limit: int) -> NDArray[np.int64]:
    """The vertices with more than ``limit`` influences; none when ``limit`` is 0 (all are kept)."""
    if influences is None or limit == 0:
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.diff(influences.offsets) > limit)


def mass_lost(influences: Influences, limit: int, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """(len(rows),) weight beyond the ``limit`` heaviest influences of each vertex in ``rows``, as share of its sum.

    With m lost, kept places averaging to c and lost ones to d, the full vertex is (1 - m) c + m d and the cut one is
    c: they are m |d - c| apart, at most m times the extent of the places.
    """
    first, last = influences.offsets[rows], influences.offsets[rows + 1]
    weights = np.append(influences.weights.astype(np.float64), 0.0)  # heaviest first; a place for the last end
    lost = np.add.reduceat(weights, np.stack([first + limit, last], axis=1).ravel())[::2]
    kept = np.add.reduceat(weights, np.stack([first, first + limit], axis=1).ravel())[::2]
    shares: NDArray[np.float64] = lost / (lost + kept)
    return shares
