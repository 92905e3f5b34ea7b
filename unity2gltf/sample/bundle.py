"""Write UnityFS archives: the container of AssetBundles."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from UnityPy.helpers.CompressionHelper import COMPRESSION_MAP, chunk_based_compress
from UnityPy.helpers.UnityVersion import UnityVersion

COMPRESSIONS = {"none": 0, "lzma": 1, "lz4": 2, "lz4hc": 3}

DIRECTORY_COMBINED = 0x40
"""Archive flag: the directory follows the list of blocks, as in every archive of today."""

SERIALIZED_FILE = 4
"""Directory flag of an entry that is a SerializedFile; resources have 0."""


def archive_format(version: str) -> int:
    """The UnityFS format number that a Unity version writes."""
    parsed = UnityVersion.from_str(version)
    newer = (("2022.2.0a1", 8), ("2020.1.0a1", 7))
    return next((number for since, number in newer if parsed >= UnityVersion.from_str(since)), 6)


def unityfs(files: Mapping[str, bytes], version: str, compression: str = "lz4") -> bytes:
    """An archive of the named files (``CAB-..`` and its ``.resS``) with data in LZMA or in 128 KiB blocks of LZ4.

    ``compression`` is a key of :data:`COMPRESSIONS`. Files keep their order.
    """
    method = COMPRESSIONS[compression]
    stored, blocks = chunk_based_compress(b"".join(files.values()), method)
    directory = _directory(files, blocks)
    packed = COMPRESSION_MAP[method](directory)
    head = b"UnityFS\0" + struct.pack(">I", archive_format(version)) + b"5.x.x\0" + version.encode() + b"\0"
    start = len(head) + 20
    padding = bytes(-start % 16) if _aligned(version) else b""
    total = start + len(padding) + len(packed) + len(stored)
    sizes = struct.pack(">qIII", total, len(packed), len(directory), DIRECTORY_COMBINED | method)
    return b"".join((head, sizes, padding, packed, stored))


def _aligned(version: str) -> bool:
    """Whether the block list starts at a multiple of 16 bytes: format 7 on, and late releases of 2019.4."""
    parsed = UnityVersion.from_str(version)
    late = UnityVersion.from_str("2019.4.15") <= parsed < UnityVersion.from_str("2020.1.0a1")
    return archive_format(version) >= 7 or late


def _directory(files: Mapping[str, bytes], blocks: list[tuple[int, int, int]]) -> bytes:
    out = bytes(16) + struct.pack(">i", len(blocks))  # the hash of the data is left empty, as Unity does
    out += b"".join(struct.pack(">IIH", *block) for block in blocks)
    out += struct.pack(">i", len(files))
    offset = 0
    for name, data in files.items():
        flag = 0 if name.endswith((".resS", ".resource")) else SERIALIZED_FILE
        out += struct.pack(">qqI", offset, len(data), flag) + name.encode() + b"\0"
        offset += len(data)
    return out
