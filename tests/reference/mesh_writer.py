"""Writes mesh data as Unity stores it, the slow and obvious way: what the decoders of the tests are fed with."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from unity2gltf.raw import RawMesh, RawPacked, RawSubMesh
from unity2gltf.source import Source

SOURCE = Source("game/level0", "level0", 7, "Mesh")


def make_raw(**fields: Any) -> RawMesh:
    """A RawMesh of Unity 2021 without anything in it, but for ``fields``."""
    defaults: dict[str, Any] = {
        "source": SOURCE,
        "name": "mesh",
        "version": (2021, 3, 5),
        "big_endian": False,
        "submeshes": (),
        "index_buffer": b"",
        "index_format": 0,
        "vertex_count": 0,
        "channels": (),
        "streams": None,
        "vertex_data": b"",
        "bind_poses": np.zeros((0, 4, 4), np.float32),
        "bone_name_hashes": np.zeros(0, np.uint32),
    }
    return RawMesh(**(defaults | fields))


def with_positions(positions: Sequence[Sequence[float]], **fields: Any) -> RawMesh:
    """A RawMesh that has ``positions`` in the simplest form there is: 3.4's separate array."""
    return make_raw(separate={"vertices": np.array(positions, np.float32).reshape(-1, 3)}, **fields)


def points(count: int) -> list[list[float]]:
    """``count`` positions that say their own number."""
    return [[float(number), 0.0, 0.0] for number in range(count)]


def submesh(indices: Sequence[int], topology: int = 0, base: int = 0, first: int = 0) -> RawSubMesh:
    return RawSubMesh(first_byte=first, index_count=len(indices), topology=topology, base_vertex=base)


def u16(values: Sequence[int], order: str = "<") -> bytes:
    return struct.pack(f"{order}{len(values)}H", *values)


def u32(values: Sequence[int], order: str = "<") -> bytes:
    return struct.pack(f"{order}{len(values)}I", *values)


def pack_ints(values: Sequence[int], bits: int) -> RawPacked:
    """Each value's bits, lowest first, follow those of the one before; bytes fill from their lowest bit."""
    stream = [value >> bit & 1 for value in values for bit in range(bits)]
    stream += [0] * (-len(stream) % 8)
    data = bytes(sum(stream[start + bit] << bit for bit in range(8)) for start in range(0, len(stream), 8))
    return RawPacked(num_items=len(values), bit_size=bits, data=np.frombuffer(data, np.uint8))


def pack_floats(values: Sequence[float], bits: int) -> RawPacked:
    """Values quantised between their least and greatest."""
    start = min(values)
    span = max(values) - start
    top = (1 << bits) - 1
    items = pack_ints([round((value - start) / span * top) if span else 0 for value in values], bits)
    return RawPacked(num_items=len(values), bit_size=bits, data=items.data, range=span, start=start)


def pack_skin(vertices: Sequence[Sequence[tuple[int, int]]], bits: int = 8) -> dict[str, RawPacked]:
    """m_Weights and m_BoneIndices of vertices given as (bone, weight out of 31) lists that sum to 31.

    Every weight is stored but a fourth one; every bone is.
    """
    weights = [weight for vertex in vertices for _, weight in vertex[:3]]
    bones = [bone for vertex in vertices for bone, _ in vertex]
    return {"m_Weights": pack_ints(weights, 5), "m_BoneIndices": pack_ints(bones, bits)}


def variable_words(vertices: Sequence[Sequence[tuple[int, int]]]) -> np.ndarray[Any, Any]:
    """m_VariableBoneCountWeights of vertices given as (bone, weight out of 65535) lists."""
    starts, entries = [len(vertices) + 1], []
    for vertex in vertices:
        entries += [weight << 16 | bone for bone, weight in vertex]
        starts.append(starts[0] + len(entries))
    return np.array(starts + entries, np.uint32)
