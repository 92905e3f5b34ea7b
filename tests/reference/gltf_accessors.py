"""A slow, literal reading of glTF 2.0, 3.6.2: accessors element by element, sparse substitution included."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

_FORMATS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
_LIMITS = {5121: 255.0, 5123: 65535.0}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def buffers_of(json: dict[str, Any], chunks: list[Any]) -> bytes:
    """The single buffer of a document, laid out anew from the offsets that its views state."""
    data = bytearray(sum(buffer["byteLength"] for buffer in json.get("buffers", ())))
    for view, chunk in zip(json.get("bufferViews", ()), chunks, strict=True):
        assert view["byteLength"] == len(chunk)
        start = view.get("byteOffset", 0)
        data[start : start + len(chunk)] = chunk
    return bytes(data)


def read_accessor(json: dict[str, Any], data: bytes, index: int) -> np.ndarray[Any, Any]:
    """(count, width) values; normalised integers as fractions."""
    accessor = json["accessors"][index]
    code, width = _FORMATS[accessor["componentType"]], _WIDTHS[accessor["type"]]
    if "bufferView" in accessor:
        offset = accessor.get("byteOffset", 0)
        rows = _elements(json, data, accessor["bufferView"], offset, code, width, accessor["count"])
    else:  # zeros (glTF 2.0, 3.6.2.3)
        rows = [[0.0] * width for _ in range(accessor["count"])]
    if "sparse" in accessor:
        sparse = accessor["sparse"]
        where = sparse["indices"]
        kind = _FORMATS[where["componentType"]]
        places = _elements(json, data, where["bufferView"], where.get("byteOffset", 0), kind, 1, sparse["count"])
        values = sparse["values"]
        new = _elements(json, data, values["bufferView"], values.get("byteOffset", 0), code, width, sparse["count"])
        for (place,), row in zip(places, new, strict=True):
            rows[place] = row
    if accessor.get("normalized"):
        rows = [[value / _LIMITS[accessor["componentType"]] for value in row] for row in rows]
    return np.array(rows).reshape(-1, width)


def _elements(
    json: dict[str, Any], data: bytes, view_index: int, offset: int, code: str, width: int, count: int
) -> list[list[float]]:
    view = json["bufferViews"][view_index]
    size = struct.calcsize(code) * width
    stride = view.get("byteStride", size)
    assert offset + stride * (count - 1) + size <= view["byteLength"], "accessor past the end of its view"
    start = view.get("byteOffset", 0) + offset
    return [list(struct.unpack_from(f"<{width}{code}", data, start + stride * row)) for row in range(count)]
