"""Submeshes: the index buffer to one list of triangles, lines or points a submesh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...ir import U32, Submesh, Topology
from ...raw import RawMesh, RawSubMesh
from .packed import unpack_ints


def _strip(indices: U32) -> U32:
    """Triangle strip to triangles: every other one is turned round; those without area join strips and are dropped."""
    if len(indices) == 0:
        return indices
    triangles = np.lib.stride_tricks.sliding_window_view(indices, 3).copy()
    triangles[1::2, :2] = triangles[1::2, 1::-1]
    a, b, c = triangles.T
    joined: U32 = triangles[(a != b) & (b != c) & (a != c)].reshape(-1)
    return joined


def _quads(indices: U32) -> U32:
    """Quads a b c d to triangles a b c, a c d."""
    return indices.reshape(-1, 4)[:, [0, 1, 2, 0, 2, 3]].reshape(-1)


@dataclass(frozen=True, slots=True)
class _Assembly:
    """How a Unity topology becomes a glTF one: ``build`` takes whole primitives, a multiple of ``size`` indices and at
    least ``least``."""

    topology: Topology
    size: int
    least: int
    build: Callable[[U32], U32] = lambda indices: indices


# Unity's MeshTopology: the number stored is the place in the row.
ASSEMBLIES: tuple[_Assembly, ...] = (
    _Assembly(Topology.TRIANGLES, 3, 3),
    _Assembly(Topology.TRIANGLES, 1, 3, _strip),
    _Assembly(Topology.TRIANGLES, 4, 4, _quads),
    _Assembly(Topology.LINES, 2, 2),
    _Assembly(Topology.LINE_STRIP, 1, 2),
    _Assembly(Topology.POINTS, 1, 1),
)


def decode_submeshes(raw: RawMesh, vertex_count: int, diagnostics: Diagnostics) -> tuple[Submesh, ...]:
    """One :class:`ir.Submesh` for each of Unity's, in its order and number.

    A submesh that is empty, or had to be dropped (reported: MESH_INDEX_RANGE, MESH_DATA_TRUNCATED,
    MESH_TOPOLOGY_UNKNOWN), keeps its place without indices: material slots go by place.
    """
    stored: NDArray[np.unsignedinteger] = np.zeros(0, np.uint32)
    with diagnostics.guard(codes.MESH_UNREADABLE, "index buffer"):
        stored = _stored_indices(raw)
    width = _index_type(raw).itemsize
    submeshes = []
    for number, submesh in enumerate(raw.submeshes):
        result = Submesh(number=number, topology=Topology.TRIANGLES, indices=np.zeros(0, np.uint32))
        with diagnostics.guard(codes.MESH_UNREADABLE, f"submesh {number}"):
            result = _submesh(number, submesh, _slice(stored, submesh, width), vertex_count, diagnostics)
        submeshes.append(result)
    return tuple(submeshes)


def _index_type(raw: RawMesh) -> np.dtype[np.unsignedinteger]:
    return np.dtype((">" if raw.big_endian else "<") + ("u4" if raw.index_format == 1 else "u2"))


def _stored_indices(raw: RawMesh) -> NDArray[np.unsignedinteger]:
    """All indices of the mesh in the type they are stored in; a compressed mesh packs them into m_Triangles."""
    packed = raw.compressed.get("m_Triangles")
    if packed is not None and packed.num_items:
        return unpack_ints(packed)
    data, dtype = memoryview(raw.index_buffer), _index_type(raw)  # type: ignore[arg-type]
    return np.frombuffer(data, dtype, count=len(data) // dtype.itemsize)


def _slice(stored: NDArray[np.unsignedinteger], submesh: RawSubMesh, width: int) -> NDArray[np.unsignedinteger]:
    """The submesh's own indices, as stored. ``first_byte`` counts bytes of the unpacked buffer."""
    first = submesh.first_byte // width
    if first < 0 or submesh.index_count < 0 or first + submesh.index_count > len(stored):
        raise Fault(
            codes.MESH_DATA_TRUNCATED,
            f"a submesh takes indices {first} to {first + submesh.index_count} of {len(stored)}",
            first=first,
            count=submesh.index_count,
            present=len(stored),
        )
    return stored[first : first + submesh.index_count]


def _submesh(
    number: int,
    submesh: RawSubMesh,
    stored: NDArray[np.unsignedinteger],
    vertex_count: int,
    diagnostics: Diagnostics,
) -> Submesh:
    if not 0 <= submesh.topology < len(ASSEMBLIES):
        raise Fault(codes.MESH_TOPOLOGY_UNKNOWN, f"topology {submesh.topology}", topology=submesh.topology)
    assembly = ASSEMBLIES[submesh.topology]
    used = len(stored) // assembly.size * assembly.size if len(stored) >= assembly.least else 0
    if used < len(stored):
        diagnostics.add(
            codes.MESH_INDICES_TRIMMED,
            f"{len(stored) - used} of {len(stored)} indices make no whole primitive",
            trimmed=len(stored) - used,
            topology=submesh.topology,
        )
    indices = _based(stored[:used], submesh.base_vertex, vertex_count)
    return Submesh(number=number, topology=assembly.topology, indices=np.ascontiguousarray(assembly.build(indices)))


def _based(stored: NDArray[np.unsignedinteger], base_vertex: int, vertex_count: int) -> U32:
    """Indices with baseVertex added, all within the vertices, or a :class:`Fault`."""
    if len(stored) == 0:
        return np.zeros(0, np.uint32)
    lowest, highest = int(stored.min()) + base_vertex, int(stored.max()) + base_vertex
    if lowest < 0 or highest >= vertex_count:
        raise Fault(
            codes.MESH_INDEX_RANGE,
            f"indices {lowest} to {highest} of a mesh of {vertex_count} vertices",
            lowest=lowest,
            highest=highest,
            vertices=vertex_count,
        )
    indices = stored.astype(np.uint32)
    if base_vertex:
        indices += np.uint32(base_vertex % (1 << 32))  # a negative base wraps round to the same sum
    return indices
