"""Decompression within limits: what comes out has the size it was declared with, or is a :class:`Fault`.

Nothing may pass :data:`RATIO` or :data:`LARGEST`.
"""

from __future__ import annotations

import lzma
from struct import Struct

import brotli  # type: ignore[import-untyped]
import lz4.block  # type: ignore[import-untyped]
from isal import isal_zlib

from ..codes import INPUT_CORRUPT, INPUT_LIMIT, INPUT_TRUNCATED, INPUT_UNSUPPORTED
from ..diagnostics import Fault

RATIO = 1000
"""Decompressed bytes allowed for each compressed byte, beyond the first :data:`FREE` bytes."""
FREE = 1 << 20
LARGEST = 4 << 30
"""Bytes allowed for one decompressed file or bundle."""


def readable(name: str) -> str:
    """A stored name as text that every encoding can hold: bytes that are no UTF-8 become ``\\xff``."""
    try:
        stored = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a UTF-16 pair, which Windows lets file names have
        stored = name.encode("utf-8", "surrogatepass")
    return stored.decode("utf-8", "backslashreplace")


def check_size(size: int, compressed: int, what: str) -> None:
    """Raise INPUT_LIMIT when ``size`` bytes out of ``compressed`` bytes is more than any honest file needs."""
    if size > LARGEST or size > FREE + RATIO * compressed:
        raise Fault(
            INPUT_LIMIT, f"{what} decompresses to {size} bytes from {compressed}", size=size, compressed=compressed
        )


def unlzma(data: memoryview, size: int, header: int) -> bytes:
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
            out = unlzma(data, size, 5)
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
