"""From Unity's space to glTF's, as the round trip understands it. Written apart from ``normalize.space`` on purpose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
TRS = tuple[Sequence[float], Sequence[float], Sequence[float]]


def mirrored_points(points: NDArray[np.floating]) -> Array:
    """(n, 3) points or directions with x negated, in float64 (exact for float32)."""
    result: Array = points * np.array([-1.0, 1.0, 1.0])
    return result


def mirrored_matrices(matrices: NDArray[np.floating]) -> Array:
    """(..., 4, 4): mirror, then the matrix, then mirror."""
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    result: Array = mirror @ matrices.astype(np.float64) @ mirror
    return result


def mirrored_trs(transform: TRS) -> TRS:
    """A reflection in x turns a rotation's axis (x, y, z) into (x, -y, -z); scales stay."""
    (tx, ty, tz), (qx, qy, qz, qw), scale = transform
    return (-tx, ty, tz), (qx, -qy, -qz, qw), scale


def mirrored_triangles(indices: NDArray[np.integer]) -> NDArray[np.int64]:
    """(n, 3) corners in reverse: what was clockwise stays visible from the same side after the reflection."""
    return indices.astype(np.int64).reshape(-1, 3)[:, ::-1]
