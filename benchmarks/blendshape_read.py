"""Reading a blend shape's entries: our type-tree plan against UnityPy's reader, on the same bytes in one process.

    python benchmarks/blendshape_read.py [ENTRIES]

The bytes are m_Shapes of a Mesh with one shape that moves ENTRIES vertices (40 bytes each). UnityPy reads it as
``parse_as_dict`` does (its compiled reader), to one dict an entry; ours is an array over the bytes, timed as well with
the decoding to frames.
"""

from __future__ import annotations

import struct
import sys
from typing import Any

import numpy as np
from timing import seconds
from UnityPy.helpers.Tpk import get_typetree_node
from UnityPy.helpers.TypeTreeHelper import read_typetree
from UnityPy.helpers.UnityVersion import UnityVersion
from UnityPy.streams import EndianBinaryReader

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.extract.typetree import Plan
from unity2gltf.normalize.mesh.blendshapes import decode_shapes
from unity2gltf.raw import RawBlendShapes

VERSION = "2021.3.5f1"
MESH = 43
ENTRY = np.dtype([("vertex", "<f4", 3), ("normal", "<f4", 3), ("tangent", "<f4", 3), ("index", "<u4")])


def shape_bytes(count: int) -> bytes:
    """vertices, shapes, channels, fullWeights: each a count and its elements."""
    entries = np.zeros(count, ENTRY)
    entries["index"] = np.arange(count)
    for name in ("vertex", "normal", "tangent"):
        entries[name] = np.random.default_rng(1).standard_normal((count, 3))
    vertices = struct.pack("<i", count) + entries.tobytes()
    shapes = struct.pack("<iII??xx", 1, 0, count, True, True)
    channels = struct.pack("<ii5sxxxIii", 1, 5, b"smile", 7, 0, 1)
    return vertices + shapes + channels + struct.pack("<if", 1, 100.0)


def main(count: int) -> None:
    mesh = get_typetree_node(MESH, UnityVersion.from_str(VERSION))
    node = next(child for child in mesh.m_Children if child.m_Name == "m_Shapes")
    data = shape_bytes(count)
    plan = Plan(node, "<")

    def ours() -> dict[str, Any]:
        value, used = plan.read(memoryview(data))
        assert used == len(data)
        return value

    def decoded() -> None:
        value = ours()
        entries = value["vertices"]
        raw = RawBlendShapes(
            index=entries["index"],
            position=entries["vertex"],
            normal=entries["normal"],
            tangent=entries["tangent"],
            shapes=tuple((first, number, n, t) for first, number, n, t in value["shapes"].tolist()),
            channels=tuple((c["name"], c["nameHash"], c["frameIndex"], c["frameCount"]) for c in value["channels"]),
            full_weights=value["fullWeights"],
        )
        (shape,) = decode_shapes(raw, count, Diagnostics())
        assert len(shape.frames[0].indices) == count

    theirs = seconds(lambda: read_typetree(node, EndianBinaryReader(data, "<"), byte_size=len(data)), 1)
    read, decode = seconds(ours, 5), seconds(decoded, 5)
    print(f"Plan.read                  {read * 1e3:10.2f} ms")
    print(f"Plan.read + decode_shapes  {decode * 1e3:10.2f} ms")
    print(f"UnityPy read_typetree      {theirs * 1e3:10.2f} ms")
    print(f"ratio                      {theirs / read:10.0f}, with decoding {theirs / decode:.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
