"""Clips for tests: streams, keys and raw records from a few numbers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unity2gltf.ir import Curve
from unity2gltf.raw import RawBinding, RawClip, RawCompiled, RawKeys, RawPacked
from unity2gltf.source import Source

FLT_MAX = float(np.finfo(np.float32).max)
INF = float("inf")
SOURCE = Source("game", "level0", 7, "AnimationClip")
Record = tuple[int, float, float, float, float]


def frame(time: float, *records: Record) -> bytes:
    """One frame: time, count, then (curve, a, b, c, v) each."""
    body = b"".join(struct.pack("<I4f", *record) for record in records)
    return struct.pack("<fI", time, len(records)) + body


def words(*frames: bytes, end: bool = True) -> NDArray[np.uint32]:
    """A stream, with its end frame at +inf unless told otherwise."""
    return np.frombuffer(b"".join(frames) + (frame(INF) if end else b""), np.uint32)


def compiled(stream: Sequence[bytes] | NDArray[np.uint32] = (), streamed: int = 0, **fields: Any) -> RawCompiled:
    """``dense`` is rows of samples, ``constants`` a list."""
    return RawCompiled(
        streamed=stream if isinstance(stream, np.ndarray) else words(*stream) if streamed else words(end=False),
        streamed_count=streamed,
        discrete_count=fields.get("discrete", 0),
        dense=np.array(fields.get("dense", np.zeros((0, 0))), np.float32),
        dense_rate=fields.get("rate", 1.0),
        dense_begin=fields.get("begin", 0.0),
        constants=np.array(fields.get("constants", []), np.float32),
    )


def binding(type_id: int, attribute: int, path: int = 0, custom_type: int = 0, **flags: bool) -> RawBinding:
    return RawBinding(path=path, attribute=attribute, type_id=type_id, custom_type=custom_type, **flags)


def clip(start: float = 0.0, stop: float = 1.0, **fields: Any) -> RawClip:
    given = {"name": "clip", "version": (2019, 4, 0), "legacy": False, "sample_rate": 60.0, "wrap_mode": 0}
    return RawClip(source=SOURCE, start=start, stop=stop, **(given | fields))


def keys(*rows: tuple[float, float, float, float], **fields: Any) -> RawKeys:
    """One component by (time, value, in slope, out slope)."""
    table = np.array(rows, np.float32).reshape(-1, 4)
    columns = {"values": table[:, 1:2], "in_slopes": table[:, 2:3], "out_slopes": table[:, 3:4]}
    return RawKeys(times=table[:, 0], **columns, **fields)


def packed(values: Sequence[int], bits: int, span: float = 0.0, start: float = 0.0) -> RawPacked:
    """A PackedBitVector of integers."""
    big = sum(value << bits * place for place, value in enumerate(values))
    data = np.frombuffer(big.to_bytes(-(-len(values) * bits // 8), "little"), np.uint8)
    return RawPacked(num_items=len(values), bit_size=bits, data=data, range=span, start=start)


def rows(curve: Curve) -> list[tuple[float, ...]]:
    """(time, a, b, c, v) of every segment."""
    return [(float(t), *map(float, row)) for t, row in zip(curve.times, curve.coefficients, strict=True)]


def value(curve: Curve, time: float) -> float:
    """The curve at one time, as ``ir.Curve`` says."""
    k = max(int(np.searchsorted(curve.times, time, "right")) - 1, 0)
    d = max(time - float(curve.times[k]), 0.0)
    a, b, c, v = map(float, curve.coefficients[k])
    return ((a * d + b) * d + c) * d + v
