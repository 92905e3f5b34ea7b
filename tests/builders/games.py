"""Small game files of any version, byte order and container."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Mapping

from UnityPy.helpers.CompressionHelper import compress_lzma

from unity2gltf.sample.hierarchy import Hierarchy
from unity2gltf.sample.writer import FileBuilder


def add_prefab(file: FileBuilder) -> None:
    """``Top`` with one ``Child`` at (1, 2, 3)."""
    tree = Hierarchy(file)
    top = tree.add("Top")
    tree.add("Child", top, position=(1.0, 2.0, 3.0))
    tree.write()


def plain_file(version: str, type_trees: bool = True, *, big_endian: bool = False) -> bytes:
    """A little-endian file with the prefab of :func:`add_prefab`."""
    file = FileBuilder(version, type_trees, big_endian)
    add_prefab(file)
    return file.to_bytes()


def big_endian_file(version: str, type_trees: bool = True) -> bytes:
    """The same in big-endian order."""
    return plain_file(version, type_trees, big_endian=True)


def web_data(files: Mapping[str, bytes]) -> bytes:
    """WebGL data: a table of offset, size and name, then the files."""
    signature = b"UnityWebData1.0\0"
    head = len(signature) + 4 + sum(12 + len(name.encode()) for name in files)
    out, offset = bytearray(signature + struct.pack("<i", head)), head
    for name, data in files.items():
        out += struct.pack("<3i", offset, len(data), len(name.encode())) + name.encode()
        offset += len(data)
    return bytes(out) + b"".join(files.values())


def gzip_twice(data: bytes) -> bytes:
    """As some web servers' files are."""
    return gzip.compress(gzip.compress(data))


def old_bundle(signature: str, files: Mapping[str, bytes], version: str = "4.7.2f1") -> bytes:
    """A bundle of Unity 3 or 4: ``UnityRaw``, or ``UnityWeb`` as one LZMA stream."""
    directory = struct.pack(">i", len(files))
    start = 4 + sum(len(name.encode()) + 9 for name in files)
    start += -start % 4
    offset = start
    for name, data in files.items():
        directory += name.encode() + b"\0" + struct.pack(">II", offset, len(data))
        offset += len(data)
    content = directory.ljust(start, b"\0") + b"".join(files.values())
    stored = compress_lzma(content, True) if signature == "UnityWeb" else content
    head = signature.encode() + b"\0" + struct.pack(">I", 3) + b"3.x.x\0" + version.encode() + b"\0"
    size = len(head) + 36
    size += -size % 4
    numbers = (size + len(stored), size, 1, 1, len(stored), len(content), size + len(stored), start)
    return (head + struct.pack(">8I", *numbers)).ljust(size, b"\0") + stored
