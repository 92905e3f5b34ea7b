"""An independent, plain writer of GLB files for tests: JSON to tinker with, and one array for each accessor."""

from __future__ import annotations

import copy
import json
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}


def pack(document: dict[str, Any] | bytes, binary: bytes | None = None) -> bytes:
    """A GLB from JSON (or raw bytes in its place) and the bytes of the BIN chunk."""
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if binary is not None:
        binary += b"\0" * (-len(binary) % 4)
        chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


@dataclass
class Draft:
    """``json`` without buffers and views, and ``arrays[i]`` (elements in rows) for accessor i. ``glb`` puts them
    together; accessors in ``bounds`` get min and max from their array at that time."""

    json: dict[str, Any] = field(default_factory=lambda: {"asset": {"version": "2.0"}, "accessors": []})
    arrays: list[NDArray[Any]] = field(default_factory=list)
    bounds: set[int] = field(default_factory=set)

    def add(self, values: Any, dtype: str, kind: str, *, bounds: bool = False, **more: Any) -> int:
        array = np.array(values, dtype="<" + dtype)
        self.json["accessors"].append({"componentType": COMPONENTS[dtype], "type": kind, "count": len(array), **more})
        self.arrays.append(array)
        index = len(self.arrays) - 1
        if bounds:
            self.bounds.add(index)
        return index

    def document(self) -> tuple[dict[str, Any], bytes]:
        """The whole JSON and the buffer."""
        result, binary = copy.deepcopy(self.json), b""
        views = result.setdefault("bufferViews", [])
        for index, array in enumerate(self.arrays):
            accessor = result["accessors"][index]
            accessor["bufferView"] = len(views)
            if index in self.bounds:
                columns = array.reshape(len(array), -1)
                accessor["min"], accessor["max"] = columns.min(axis=0).tolist(), columns.max(axis=0).tolist()
            views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": array.nbytes})
            binary += array.tobytes() + b"\0" * (-array.nbytes % 4)
        if binary:
            result["buffers"] = [{"byteLength": len(binary)}]
        return result, binary

    def glb(self) -> bytes:
        document, binary = self.document()
        return pack(document, binary or None)
