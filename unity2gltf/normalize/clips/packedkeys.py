"""CompressedAnimationCurve: rotations in packed vectors to plain keys."""

from __future__ import annotations

import numpy as np

from ... import codes
from ...diagnostics import Fault
from ...raw import RawKeys, RawPacked, RawPackedKeys
from ..mesh.packed import unpack_floats, unpack_ints
from .cubics import Array

TICK = 0.01  # seconds; a time is stored as the number of ticks since the one before
QUATERNION_BYTES, FLAG_BITS, LONG, SHORT = 4, 3, 10, 9


def unpack_keys(packed: RawPackedKeys) -> RawKeys:
    """Times, quaternions and slopes. Raises :class:`Fault` when a vector does not fit its bytes.

    Slopes are rows of four: row k comes before key k (its in slope) and row k + 1 after it (its out slope), as public
    readers have it; a row that is not there is 0.
    """
    values = unpack_quaternions(packed.values)
    for vector in (packed.times, packed.slopes):
        _check(vector, vector.bit_size, most_without_bits=4 * (len(values) + 1))
    ticks = unpack_ints(packed.times).astype(np.int64)
    count = min(len(values), len(ticks))
    slopes = np.zeros((count + 1, 4))
    stored = unpack_floats(packed.slopes)[: 4 * (count + 1)]
    rows = len(stored) // 4
    slopes[:rows] = stored[: 4 * rows].reshape(-1, 4)
    return RawKeys(
        times=(np.cumsum(ticks[:count]) * TICK).astype(np.float32),
        values=values[:count].astype(np.float32),
        in_slopes=slopes[:-1].astype(np.float32),
        out_slopes=slopes[1:].astype(np.float32),
        pre_infinity=packed.pre_infinity,
        post_infinity=packed.post_infinity,
    )


def unpack_quaternions(packed: RawPacked) -> Array:
    """(K, 4) unit quaternions xyzw: of 32 bits, lowest first, 2 tell the component left out and 1 its sign; the
    others follow in order with 10 bits each, but the one after the missing one (x after w) with 9."""
    _check(packed, 8 * QUATERNION_BYTES)
    words = np.ascontiguousarray(packed.data[: packed.num_items * QUATERNION_BYTES]).view("<u4").astype(np.uint32)
    missing, negative = words & 3, (words & 4) > 0
    result = np.zeros((len(words), 4))
    at = np.full(len(words), FLAG_BITS, np.uint32)
    for component in range(4):
        bits = np.where((missing + 1) % 4 == component, SHORT, LONG).astype(np.uint32)
        mask = (np.uint32(1) << bits) - np.uint32(1)
        value = (words >> np.minimum(at, 31)) & mask
        stored = missing != component
        result[stored, component] = value[stored] / (0.5 * mask[stored]) - 1.0
        at = at + np.where(stored, bits, np.uint32(0))
    rest = np.sqrt(np.maximum(1.0 - np.einsum("ij,ij->i", result, result), 0.0))
    result[np.arange(len(words)), missing] = np.where(negative, -rest, rest)
    return result


def _check(packed: RawPacked, bits: int, most_without_bits: int = 0) -> None:
    """Items of 0 bits take no bytes, so their number is held to what the quaternions can use."""
    needed: int = -(-packed.num_items * bits // 8)
    if bits > 32 or needed > len(packed.data) or (bits == 0 and packed.num_items > most_without_bits):
        raise Fault(
            codes.CLIP_TRUNCATED,
            f"a packed curve of {packed.num_items} items of {bits} bits does not fit its {len(packed.data)} bytes",
            items=packed.num_items,
            bits=bits,
            present=len(packed.data),
        )
