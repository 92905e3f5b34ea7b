"""Compare what was written with what UnityPy reads back, field by field."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import UnityPy

from unity2gltf.sample.writer import FileBuilder


def differences(wrote: Any, read: Any, place: str = "") -> Iterator[str]:
    """Where two values differ. Floats are compared as float32; arrays with the lists they are read back as."""
    if isinstance(wrote, np.ndarray):
        yield from differences(_plain(wrote), read, place)
    elif isinstance(wrote, dict):
        if set(wrote) != set(read):
            yield f"{place}: fields {set(wrote) ^ set(read)}"
        for key in wrote:
            yield from differences(wrote[key], read.get(key), f"{place}.{key}")
    elif isinstance(wrote, (list, tuple)):
        if len(wrote) != len(read):
            yield f"{place}: {len(wrote)} entries, {len(read)} read"
        for index, (one, other) in enumerate(zip(wrote, read, strict=False)):
            yield from differences(one, other, f"{place}[{index}]")
    elif isinstance(wrote, float):
        if struct.pack("<f", wrote) != struct.pack("<f", read):
            yield f"{place}: {wrote} read as {read}"
    elif isinstance(wrote, bytes):
        if wrote != bytes(read):
            yield f"{place}: bytes differ"
    elif wrote != read:
        yield f"{place}: {wrote!r} read as {read!r}"


def _plain(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.names is None:
        return array.tolist()
    return [
        {name: dict(zip("xyz", cell, strict=True)) if np.ndim(cell) else cell.item() for name, cell in _cells(row)}
        for row in array
    ]


def _cells(row: Any) -> Iterator[tuple[str, Any]]:
    for name in row.dtype.names:
        yield name, row[name].tolist() if row[name].ndim else row[name]


def assert_reads_back(data: bytes, file: FileBuilder, what: str = "") -> int:
    """``data`` (a serialized file or a bundle) gives every object of ``file`` as written. Returns their number."""
    found = {reader.path_id: reader for reader in UnityPy.load(data).objects}
    assert found.keys() == file.objects.keys(), f"{what}: objects {found.keys() ^ file.objects.keys()}"
    for path_id, written in file.objects.items():
        assert int(found[path_id].class_id) == written.class_id
        assert found[path_id].get_raw_data() == written.data, f"{what}: the bytes of {path_id} differ"
        found_differences = list(differences(written.value, found[path_id].parse_as_dict(), str(path_id)))
        assert not found_differences, f"{what}: {found_differences[:5]}"
    return len(found)
