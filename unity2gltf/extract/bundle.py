"""Unity's bundles: UnityFS, and UnityWeb and UnityRaw of old.

Members are listed first, and decompressed on first use.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from UnityPy.files.BundleFile import BundleFile
from UnityPy.helpers.UnityVersion import UnityVersion
from UnityPy.streams.EndianBinaryReader import EndianBinaryReader_Memoryview

from ..codes import INPUT_CORRUPT, INPUT_TRUNCATED, INPUT_UNSUPPORTED
from ..diagnostics import Fault
from .codecs import check_size, decompress_block, readable, unlzma


class _ViewReader(EndianBinaryReader_Memoryview):  # type: ignore[misc]  # UnityPy has no types here
    """UnityPy's reader, but slices are views instead of copies, and reading over the end is a Fault."""

    Position: int

    def __new__(cls, *_: Any) -> _ViewReader:
        return object.__new__(cls)

    def read(self, size: int | None = -1, /) -> Any:
        if size is None or size < 0:
            size = int(self.Length - self.Position)
        start: int = self.Position
        if start < 0 or start + size > self.Length:
            raise Fault(INPUT_TRUNCATED, f"{size} bytes at {start} lie past the end", size=self.Length)
        self.Position = start + size
        return self.view[start : start + size]


@dataclass(frozen=True, slots=True)
class _Block:
    data: memoryview
    size: int
    method: int


class Bundle(BundleFile):  # type: ignore[misc]  # UnityPy has no types here
    """A UnityFS, UnityWeb or UnityRaw bundle over ``view``: names at once, blocks on first use.

    UnityPy reads the headers; what it would do with each member (parse it, print, swallow errors) is replaced by
    recording where the member lies. ``fallback`` is used for a bundle whose Unity version is stripped.
    """

    def __init__(self, view: memoryview, fallback: str | None = None) -> None:
        self._fallback = fallback or "2021.3.2f1"
        self._blocks: list[_Block] = []
        self._listed = False
        self._data: memoryview | None = None
        self._ranges: dict[str, tuple[int, int]] = {}
        self._length = len(view)
        _check_file_size(view)
        try:
            super().__init__(_ViewReader(view), None, "")
        except Fault:
            raise
        except Exception as error:  # noqa: BLE001 - UnityPy raises anything; all of it means a header we cannot read
            if self._encrypted():
                raise Fault(INPUT_UNSUPPORTED, "the bundle is encrypted") from None
            raise Fault(INPUT_CORRUPT, f"the bundle's header cannot be read: {error}") from None
        self.names: tuple[str, ...] = tuple(self._ranges)

    def _encrypted(self) -> bool:
        flags = getattr(self, "dataflags", None)
        return flags is not None and bool(flags & flags.UsesAssetBundleEncryption)

    @property
    def version_text(self) -> str:
        return str(self.version_engine)

    @property
    def weight(self) -> int:
        return len(self._data) if self._data is not None and self._blocks_cost() else 4096

    def _blocks_cost(self) -> bool:
        return len(self._blocks) != 1 or self._blocks[0].method != 0

    def parse_version(self) -> UnityVersion:
        for text in (self.version_engine, self._fallback):
            try:
                version = UnityVersion.from_str(text)
            except ValueError:
                continue
            if version.major:
                return version
        return UnityVersion.from_str("2021.3.2f1")

    def read_web_raw(self, reader: Any) -> tuple[list[Any], Any]:
        """UnityWeb (one LZMA stream) and UnityRaw, up to Unity 5.2."""
        if self.version >= 4:
            reader.read_bytes(20)
        reader.read_u_int()
        header_size = reader.read_u_int()
        reader.read_u_int()
        levels = reader.read_int()
        if not 1 <= levels <= 4096:
            raise Fault(INPUT_CORRUPT, f"the bundle lists {levels} levels", levels=levels)
        reader.read_bytes(8 * (levels - 1))
        compressed, size = reader.read_u_int(), reader.read_u_int()
        reader.Position = header_size
        stored = reader.read_bytes(compressed)
        if self.signature == "UnityWeb":
            check_size(size, compressed, "the bundle")
            try:
                data = memoryview(unlzma(stored, size, 13))
            except lzma.LZMAError as error:
                raise Fault(INPUT_CORRUPT, f"the bundle does not decompress: {error}") from None
            if len(data) != size:
                raise Fault(INPUT_CORRUPT, f"the bundle gave {len(data)} bytes instead of {size}", expected=size)
            self._blocks = [_Block(stored, size, 1)]
        else:
            data = stored
            self._blocks = [_Block(stored, len(stored), 0)]
        self._data = data
        directory = _ViewReader(data)
        count = directory.read_int()
        if not 0 <= count <= len(data) // 9:
            raise Fault(INPUT_CORRUPT, f"the bundle lists {count} files", files=count)
        nodes = [
            _Node(directory.read_string_to_null(), directory.read_u_int(), directory.read_u_int()) for _ in range(count)
        ]
        return nodes, directory

    def decompress_data(self, compressed_data: Any, uncompressed_size: int, flags: int, index: int = 0) -> bytes:
        """First called for the block list, which is wanted now; then for each block, which is kept for later."""
        if self._encrypted():
            raise Fault(INPUT_UNSUPPORTED, "the bundle is encrypted")
        view, method = memoryview(compressed_data), int(flags) & 0x3F
        if not self._listed:
            self._listed = True
            return bytes(decompress_block(view, uncompressed_size, method))
        self._blocks.append(_Block(view, uncompressed_size, method))
        return b""

    def read_files(self, reader: Any, files: Iterable[Any]) -> None:
        """Record where members lie; UnityPy would parse them here."""
        total = sum(block.size for block in self._blocks)
        for node in files:
            if node.offset < 0 or node.size < 0 or node.offset + node.size > total:
                raise Fault(
                    INPUT_CORRUPT,
                    f"member {node.path!r} lies outside of the bundle's {total} bytes",
                    offset=int(node.offset),
                    size=int(node.size),
                    total=total,
                )
            self._ranges[self._name(readable(str(node.path)))] = (int(node.offset), int(node.size))

    def _name(self, path: str) -> str:
        """The path, or where an earlier member has it too, with a number."""
        name, number = path, 1
        while name in self._ranges:
            number += 1
            name = f"{path}#{number}"
        return name

    def read(self, name: str) -> memoryview:
        """A member's bytes; the first call decompresses the whole bundle."""
        offset, size = self._ranges[name]
        return self._whole()[offset : offset + size]

    def _whole(self) -> memoryview:
        if self._data is None:
            total = sum(block.size for block in self._blocks)
            check_size(total, self._length, "the bundle")
            if len(self._blocks) == 1:
                block = self._blocks[0]
                self._data = memoryview(decompress_block(block.data, block.size, block.method))
            else:
                self._data = self._join(total)
        return self._data

    def _join(self, total: int) -> memoryview:
        out, position = bytearray(total), 0
        for block in self._blocks:
            out[position : position + block.size] = decompress_block(block.data, block.size, block.method)
            position += block.size
        return memoryview(out).toreadonly()


@dataclass(frozen=True, slots=True)
class _Node:
    path: str
    offset: int
    size: int


_HEADER = re.compile(rb"(?s)UnityFS\0(.{4})[^\0]{0,64}\0[^\0]{0,64}\0(.{8})")


def _check_file_size(view: memoryview) -> None:
    match = _HEADER.match(view[:256])
    if match is None:
        return
    size = int.from_bytes(match[2], "big")
    if size > len(view):
        raise Fault(
            INPUT_TRUNCATED, f"the header says {size} bytes, but there are {len(view)}", expected=size, size=len(view)
        )
