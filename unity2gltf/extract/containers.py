"""Files that hold other files: Unity bundles, WebGL data, zip archives, and gzip or brotli around any of them.

Members are listed first and decompressed on first use. What decompresses must have the size it was declared with,
and nothing may pass :data:`RATIO` or :data:`LARGEST`.
"""

from __future__ import annotations

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from struct import error as StructError
from typing import Any, Protocol

import brotli  # type: ignore[import-untyped]
import lz4.block  # type: ignore[import-untyped]
from isal import isal_zlib
from UnityPy.files.BundleFile import BundleFile
from UnityPy.helpers.UnityVersion import UnityVersion
from UnityPy.streams.EndianBinaryReader import EndianBinaryReader_Memoryview

from ..codes import INPUT_CORRUPT, INPUT_LIMIT, INPUT_TRUNCATED, INPUT_UNSUPPORTED
from ..diagnostics import Fault

RATIO = 1000
"""Decompressed bytes allowed for each compressed byte, beyond the first :data:`FREE` bytes."""
FREE = 1 << 20
LARGEST = 4 << 30
"""Bytes allowed for one decompressed file or bundle."""
TOTAL = 64 << 30
"""Bytes that the members of one archive may declare together."""


class Container(Protocol):
    """``names`` in stored order; ``read`` raises :class:`Fault`; ``weight`` is the number of bytes held in memory."""

    names: tuple[str, ...]

    def read(self, name: str) -> memoryview: ...
    @property
    def weight(self) -> int: ...


def check_size(size: int, compressed: int, what: str) -> None:
    """Raise INPUT_LIMIT when ``size`` bytes out of ``compressed`` bytes is more than any honest file needs."""
    if size > LARGEST or size > FREE + RATIO * compressed:
        raise Fault(
            INPUT_LIMIT, f"{what} decompresses to {size} bytes from {compressed}", size=size, compressed=compressed
        )


# --- codecs -------------------------------------------------------------------------------------------------------


def _lzma(data: memoryview, size: int, header: int) -> bytes:
    """Raw LZMA1 after ``header`` bytes, of which the first five hold the properties."""
    if len(data) < header:
        raise Fault(INPUT_TRUNCATED, "an LZMA stream has no header", size=len(data))
    properties, dictionary = Struct("<BI").unpack_from(data)
    if properties >= 225:
        raise Fault(INPUT_CORRUPT, "an LZMA stream has invalid properties", properties=properties)
    stream = lzma.LZMADecompressor(
        lzma.FORMAT_RAW,
        filters=[
            {
                "id": lzma.FILTER_LZMA1,
                "dict_size": max(4096, min(dictionary, size)),  # no more is needed, whatever the header asks for
                "lc": properties % 9,
                "lp": properties // 9 % 5,
                "pb": properties // 45,
            }
        ],
    )
    pieces = [stream.decompress(data[header:], max_length=size)]
    while not stream.needs_input and not stream.eof and sum(map(len, pieces)) < size:
        pieces.append(stream.decompress(b"", max_length=size - sum(map(len, pieces))))
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def decompress_block(data: memoryview, size: int, method: int) -> bytes | memoryview:
    """One block of a bundle; raises :class:`Fault` unless it gives exactly ``size`` bytes."""
    check_size(size, len(data), "a block")
    if (method in (2, 3) and size > 255 * len(data)) or (method == 0 and size != len(data)):
        raise Fault(INPUT_CORRUPT, f"a block of {len(data)} bytes cannot give {size}", size=len(data), expected=size)
    try:
        if method == 0:
            out: bytes | memoryview = data
        elif method == 1:
            out = _lzma(data, size, 5)
        elif method in (2, 3):
            out = lz4.block.decompress(data, uncompressed_size=size)
        else:
            name = "LZHAM" if method == 4 else f"method {method}"
            raise Fault(INPUT_UNSUPPORTED, f"the bundle is compressed with {name}, which is not read", method=method)
    except (lzma.LZMAError, lz4.block.LZ4BlockError, ValueError) as error:
        raise Fault(INPUT_CORRUPT, f"a block does not decompress: {error}", size=size) from None
    if len(out) != size:
        raise Fault(INPUT_CORRUPT, f"a block gave {len(out)} bytes instead of {size}", size=len(out), expected=size)
    return out


def gunzip(data: memoryview, limit: int | None = None) -> bytes:
    """A gzip file's contents, or their first ``limit`` bytes. Raises :class:`Fault`."""
    most = min(LARGEST, FREE + RATIO * len(data)) if limit is None else limit
    stream = isal_zlib.decompressobj(31)
    try:
        out = stream.decompress(data, most + 1)
    except isal_zlib.IsalError as error:  # type: ignore[misc]  # its stub gives it no type
        raise Fault(INPUT_CORRUPT, f"gzip data does not decompress: {error}") from None
    if limit is not None:
        return bytes(out[:limit])
    if len(out) > most:
        check_size(len(out) + LARGEST, len(data), "gzip data")
    if not stream.eof:
        raise Fault(INPUT_TRUNCATED, "gzip data ends early", size=len(data))
    return bytes(out)


def unbrotli(data: memoryview, limit: int | None = None) -> bytes:
    """A brotli file's contents, or their first ``limit`` bytes. Raises :class:`Fault`."""
    most = min(LARGEST, FREE + RATIO * len(data)) if limit is None else limit
    stream = brotli.Decompressor()
    pieces: list[bytes] = []
    total = 0
    source: memoryview | bytes = data[: 1 << 16] if limit is not None else data
    try:
        while total <= most:
            piece = stream.process(source, output_buffer_limit=1 << 24)
            source = b""
            pieces.append(piece)
            total += len(piece)
            if limit is not None and total >= limit:
                return b"".join(pieces)[:limit]
            if stream.is_finished() or (not piece and stream.can_accept_more_data()):
                break
    except brotli.error as error:
        raise Fault(INPUT_CORRUPT, f"brotli data does not decompress: {error}") from None
    if limit is not None:
        return b"".join(pieces)[:limit]
    if total > most:
        check_size(total + LARGEST, len(data), "brotli data")
    if not stream.is_finished():
        raise Fault(INPUT_TRUNCATED, "brotli data ends early", size=len(data))
    return b"".join(pieces)


# --- bundles ------------------------------------------------------------------------------------------------------


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
                data = memoryview(_lzma(stored, size, 13))
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
            self._ranges[str(node.path)] = (int(node.offset), int(node.size))

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


# --- archives -----------------------------------------------------------------------------------------------------


class WebData:
    """A WebGL build's data file, unwrapped: names, offsets and sizes in a little-endian table."""

    def __init__(self, view: memoryview) -> None:
        self._view = view
        self._ranges: dict[str, tuple[int, int]] = {}
        start = bytes(view[:32]).find(0) + 1
        try:
            (stop,) = Struct("<i").unpack_from(view, start)
            position = start + 4
            while position < stop:
                offset, size, length = Struct("<3i").unpack_from(view, position)
                position += 12
                if min(offset, size, length) < 0 or offset + size > len(view) or position + length > stop:
                    raise Fault(INPUT_CORRUPT, "a member lies outside of the data file", offset=offset, size=size)
                name = str(view[position : position + length], "utf-8", "surrogateescape")
                self._ranges[name] = (offset, size)
                position += length
        except StructError:
            raise Fault(INPUT_CORRUPT, "the table of the data file runs over its end", size=len(view)) from None
        self.names = tuple(self._ranges)
        self.weight = 4096

    def read(self, name: str) -> memoryview:
        offset, size = self._ranges[name]
        return self._view[offset : offset + size]


class Zip:
    """A zip or apk; members are decompressed one by one. ``source``: a path, or the bytes of a nested archive."""

    def __init__(self, source: Path | memoryview) -> None:
        try:
            self._zip = zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise Fault(INPUT_CORRUPT, f"the zip archive cannot be read: {error}") from None
        self.weight = 4096 if isinstance(source, Path) else len(source)
        infos = [info for info in self._zip.infolist() if not info.is_dir()]
        total = sum(info.file_size for info in infos)
        if total > TOTAL:
            raise Fault(INPUT_LIMIT, f"the archive's members come to {total} bytes", size=total)
        self._infos = {info.filename: info for info in infos}
        self.names = tuple(self._infos)

    def head(self, name: str, size: int) -> bytes:
        """The first bytes of a member, for recognising it."""
        return self._read(name, size)

    def size(self, name: str) -> int:
        return self._infos[name].file_size

    def read(self, name: str) -> memoryview:
        info = self._infos[name]
        check_size(info.file_size, info.compress_size, f"member {name!r}")
        data = self._read(name, info.file_size + 1)
        if len(data) != info.file_size:
            raise Fault(
                INPUT_CORRUPT, f"member {name!r} gave {len(data)} bytes instead of {info.file_size}", size=len(data)
            )
        return memoryview(data)

    def _read(self, name: str, size: int) -> bytes:
        info = self._infos[name]
        if info.flag_bits & 1:
            raise Fault(INPUT_UNSUPPORTED, f"member {name!r} is encrypted")
        try:
            with self._zip.open(info) as stream:
                return stream.read(size)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError) as error:
            raise Fault(INPUT_CORRUPT, f"member {name!r} cannot be read: {error}") from None
