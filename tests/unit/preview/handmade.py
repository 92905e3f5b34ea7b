"""Small .gltf files, written out by hand."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

TRIANGLE = ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def write_gltf(
    path: Path,
    nodes: list[dict[str, Any]],
    positions: Any = TRIANGLE,
    indices: tuple[int, ...] = (0, 1, 2),
    clips: tuple[str, ...] = (),
    shown: list[int] | None = None,
) -> Path:
    """One mesh of triangles (mesh 0) drawn by ``nodes``, those of ``shown`` in the scene. Each clip moves node 0 from
    its origin to (0, 8, 0) within two seconds."""
    points = np.array(positions, "<f4")
    parts = [points, np.array(indices, "<u4"), np.array([0, 2], "<f4"), np.array([[0, 0, 0], [0, 8, 0]], "<f4")]
    begins = np.cumsum([0, *(part.nbytes for part in parts)]).tolist()
    views = [
        {"buffer": 0, "byteOffset": begin, "byteLength": part.nbytes}
        for begin, part in zip(begins, parts, strict=False)
    ]
    kinds = ((5126, "VEC3"), (5125, "SCALAR"), (5126, "SCALAR"), (5126, "VEC3"))
    accessors: list[dict[str, Any]] = [
        {"bufferView": place, "componentType": component, "type": kind, "count": len(part)}
        for place, ((component, kind), part) in enumerate(zip(kinds, parts, strict=True))
    ]
    for accessor, part in zip(accessors, parts, strict=True):
        low, high = part.reshape(len(part), -1).min(axis=0), part.reshape(len(part), -1).max(axis=0)
        accessor |= {"min": low.tolist(), "max": high.tolist()}
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    moves = [{"name": name, "samplers": [{"input": 2, "output": 3}], "channels": [channel]} for name in clips]
    data = base64.b64encode(b"".join(part.tobytes() for part in parts)).decode()
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": shown if shown is not None else list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": begins[-1], "uri": f"data:application/octet-stream;base64,{data}"}],
    } | ({"animations": moves} if moves else {})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
