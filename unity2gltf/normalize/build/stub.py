"""A stand-in for a mesh in files that hold animations only: glTF wants a mesh wherever weights are driven."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...ir import BlendFrame, BlendShape, Geometry, Mesh, Primitive, Submesh, Topology


def stub_geometry(geometry: Geometry) -> Geometry:
    """One triangle without size that has the name, mark and blend shapes of ``geometry``, none of which moves it.

    Frames keep their weights, so weights tracks made for ``geometry`` fit the stub.
    """
    return Geometry(
        source=geometry.source,
        name=geometry.name,
        positions=np.zeros((3, 3), np.float32),
        submeshes=(Submesh(number=0, topology=Topology.TRIANGLES, indices=np.arange(3, dtype=np.uint32)),),
        shapes=tuple(_empty_shape(shape) for shape in geometry.shapes),
        bind_poses=np.zeros((0, 4, 4), np.float32),
        bone_hashes=np.zeros(0, np.uint32),
    )


def stub_mesh(mesh: Mesh, geometry_index: int) -> Mesh:
    """The use of the stub at ``geometry_index`` in place of ``mesh``; ``extras.unity.stub`` says what it is."""
    primitives = (Primitive(submesh=0, material=None),)
    return replace(
        mesh, geometry=geometry_index, primitives=primitives, influences=None, extras={**mesh.extras, "stub": True}
    )


def _empty_shape(shape: BlendShape) -> BlendShape:
    nothing = np.zeros((0, 3), np.float32)
    frames = (
        BlendFrame(full_weight=frame.full_weight, indices=np.zeros(0, np.int64), positions=nothing)
        for frame in shape.frames
    )
    return replace(shape, frames=tuple(frames))
