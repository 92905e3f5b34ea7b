"""Archives that hold a game's files: WebGL data, zip and apk."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from pathlib import Path
from struct import Struct
from struct import error as StructError
from typing import Protocol

from ..codes import INPUT_CORRUPT, INPUT_LIMIT, INPUT_UNSUPPORTED
from ..diagnostics import Fault
from .codecs import check_size

TOTAL = 64 << 30
"""Bytes that the members of one archive may declare together."""


class Container(Protocol):
    """``names`` in stored order; ``read`` raises :class:`Fault`; ``weight`` is the number of bytes held in memory."""

    names: tuple[str, ...]

    def read(self, name: str) -> memoryview: ...
    @property
    def weight(self) -> int: ...


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
                name = str(view[position : position + length], "utf-8", "backslashreplace")
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
