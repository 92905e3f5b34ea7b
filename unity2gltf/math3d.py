"""Small linear algebra in float64: quaternions are xyzw, matrices ``[row, column]`` and act on column vectors."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def name_hash(name: str) -> int:
    """CRC-32 of the UTF-8 bytes: Unity's hash of bone paths, shape names and material properties.

    Bytes that are no UTF-8 are in a name as lone surrogates from U+DC80 on, and are hashed as they were stored.
    """
    try:
        return zlib.crc32(name.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def rotation_matrices(quaternions: ArrayLike) -> Array:
    """(..., 4) xyzw to (..., 3, 3). The quaternions are normalised first; a zero one is the identity."""
    q = np.asarray(quaternions, dtype=np.float64)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    identity = np.array([0.0, 0.0, 0.0, 1.0])
    q = np.where(length > 0, q / np.where(length > 0, length, 1.0), identity)
    x, y, z, w = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def compose(translations: ArrayLike, rotations: ArrayLike, scales: ArrayLike) -> Array:
    """(..., 3), (..., 4), (..., 3) to (..., 4, 4): first scale, then rotate, then translate."""
    t = np.asarray(translations, dtype=np.float64)
    matrices = np.zeros((*t.shape[:-1], 4, 4))
    matrices[..., :3, :3] = rotation_matrices(rotations) * np.asarray(scales, dtype=np.float64)[..., None, :]
    matrices[..., :3, 3] = t
    matrices[..., 3, 3] = 1.0
    return matrices


def decompose(matrix: ArrayLike) -> tuple[Array, Array, Array]:
    """(4, 4) to translation (3,), rotation (4,) xyzw and scale (3,); a mirror becomes a negative x scale.

    Shear cannot be expressed and is dropped: compare ``compose`` of the result where that matters.
    """
    m = np.asarray(matrix, dtype=np.float64)
    linear = m[:3, :3].copy()
    if np.linalg.det(linear) < 0:
        linear[:, 0] *= -1
        sign = np.array([-1.0, 1.0, 1.0])
    else:
        sign = np.ones(3)
    scale = np.linalg.norm(linear, axis=0)
    rotation = _nearest_rotation(linear / np.where(scale > 0, scale, 1.0))
    return m[:3, 3].copy(), matrix_quaternions(rotation), scale * sign


def _nearest_rotation(linear: Array) -> Array:
    u, _, vt = np.linalg.svd(linear)
    u[:, 2] *= np.sign(np.linalg.det(u @ vt)) or 1.0
    rotation: Array = u @ vt
    return rotation


def matrix_quaternions(rotations: ArrayLike) -> Array:
    """(..., 3, 3) rotation matrices to (..., 4) xyzw, by the largest of the four components (always stable)."""
    m = np.asarray(rotations, dtype=np.float64)
    diagonal = np.diagonal(m, axis1=-2, axis2=-1)
    trace = diagonal.sum(axis=-1)
    squares = np.concatenate([1 + 2 * diagonal - trace[..., None], (1 + trace)[..., None]], axis=-1)
    products = np.zeros((*m.shape[:-2], 4, 4))  # four times each product of two components
    products[..., range(4), range(4)] = squares
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        products[..., i, j] = products[..., j, i] = m[..., j, i] + m[..., i, j]
        products[..., 3, i] = products[..., i, 3] = m[..., k, j] - m[..., j, k]
    rows = np.take_along_axis(products, squares.argmax(axis=-1)[..., None, None], axis=-2)[..., 0, :]
    quaternions: Array = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return quaternions


def multiply_quaternions(a: ArrayLike, b: ArrayLike) -> Array:
    """Hamilton product a b (apply b first), xyzw, broadcast over leading axes."""
    one, other = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    ax, ay, az, aw = one[..., 0], one[..., 1], one[..., 2], one[..., 3]
    bx, by, bz, bw = other[..., 0], other[..., 1], other[..., 2], other[..., 3]
    product = np.empty(np.broadcast_shapes(one.shape, other.shape))
    product[..., 0] = aw * bx + ax * bw + ay * bz - az * by
    product[..., 1] = aw * by - ax * bz + ay * bw + az * bx
    product[..., 2] = aw * bz + ax * by - ay * bx + az * bw
    product[..., 3] = aw * bw - ax * bx - ay * by - az * bz
    return product


def between_rotations(first: ArrayLike, last: ArrayLike) -> Array:
    """(4, 4) that quaternions (..., 4) are multiplied by, on its left, to be put between two of them: q M = first q
    last."""
    return multiply_quaternions(multiply_quaternions(first, np.eye(4)), last)


def conjugate(quaternions: ArrayLike) -> Array:
    """The inverse rotations of unit quaternions (..., 4)."""
    inverse: Array = np.asarray(quaternions, dtype=np.float64) * (-1.0, -1.0, -1.0, 1.0)
    return inverse


def rotate(quaternions: ArrayLike, vectors: ArrayLike) -> Array:
    """Vectors (..., 3) turned by unit quaternions (..., 4), broadcast over leading axes."""
    q, v = np.asarray(quaternions, dtype=np.float64), np.asarray(vectors, dtype=np.float64)
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    vx, vy, vz = v[..., 0], v[..., 1], v[..., 2]
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    turned = np.empty((*np.broadcast_shapes(q.shape[:-1], v.shape[:-1]), 3))
    turned[..., 0] = vx + w * tx + y * tz - z * ty
    turned[..., 1] = vy + w * ty + z * tx - x * tz
    turned[..., 2] = vz + w * tz + x * ty - y * tx
    return turned


def weight_range(full_weights: Sequence[float]) -> tuple[float, float]:
    """Within which a game that clamps keeps a blend shape's weight: from 0 to its frames' own weights."""
    return min((0.0, *full_weights)), max((0.0, *full_weights))


def frame_weights(full_weights: Sequence[float], weight: float) -> Array:
    """Weights of a blend shape's frames (morph targets) when the shape stands at ``weight`` (1.0 = Unity's 100).

    ``full_weights`` f1 < .. < fn are the frames' own weights in the same unit. Below f1 the first frame is scaled by
    w / f1 (negative weights too), between two frames they share, above fn the last is scaled by w / fn.
    """
    full = np.asarray(full_weights, dtype=np.float64)
    result = np.zeros(len(full))
    if len(full) == 0:
        return result
    upper = int(np.searchsorted(full, weight))
    if upper == 0 or upper == len(full):
        index = min(upper, len(full) - 1)
        result[index] = weight / full[index] if full[index] != 0 else 0.0
    else:
        share = (weight - full[upper - 1]) / (full[upper] - full[upper - 1])
        result[upper - 1], result[upper] = 1.0 - share, share
    return result
