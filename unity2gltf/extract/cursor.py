"""Numbers and texts of a SerializedFile's metadata, one after the other, every count checked."""

from __future__ import annotations

from struct import Struct
from struct import error as StructError
from typing import Any

from ..codes import INPUT_CORRUPT
from ..diagnostics import Fault


class Cursor:
    """A position in the file's bytes; running over the end raises ``struct.error``."""

    def __init__(self, data: memoryview, position: int, endian: str) -> None:
        self.data, self.position, self.endian = data, position, endian
        self._i32 = Struct(endian + "i")

    def _take(self, packed: Struct) -> Any:
        value = packed.unpack_from(self.data, self.position)[0]
        self.position += packed.size
        return value

    def i32(self) -> int:
        return int(self._take(self._i32))

    def byte(self) -> int:
        value = self.data[self.position : self.position + 1]
        self.position += 1
        if not value:
            raise StructError("end of file")
        return value[0]

    def skip(self, count: int) -> None:
        if count < 0 or self.position + count > len(self.data):
            raise StructError("end of file")
        self.position += count

    def align(self) -> None:
        self.position = (self.position + 3) & ~3

    def text(self) -> str:
        """A string that ends with a zero byte."""
        window = 256
        while True:
            chunk = bytes(self.data[self.position : self.position + window])
            stop = chunk.find(0)
            if stop >= 0:
                self.position += stop + 1
                return chunk[:stop].decode("utf-8", "surrogateescape")
            if len(chunk) < window or window > 1 << 16:
                raise StructError("a string does not end")
            window *= 4

    def count(self, smallest: int, what: str) -> int:
        """A count of entries that take at least ``smallest`` bytes each."""
        value = self.i32()
        left = len(self.data) - self.position
        if value < 0 or value * smallest > left:
            raise Fault(
                INPUT_CORRUPT, f"{value} {what} do not fit in the {left} bytes left", count=value, bytes_left=left
            )
        return value
