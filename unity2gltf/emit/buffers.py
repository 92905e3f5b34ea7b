"""Buffer views: a list of memory ranges, each starting at a multiple of four bytes; nothing is copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pygltflib
from numpy.typing import NDArray

Chunk = bytes | memoryview
"""A piece of a file. Memory of numpy arrays is passed on as a flat memoryview of bytes."""

ALIGNMENT = 4


def aligned(size: int) -> int:
    """``size`` rounded up to the alignment of every view and GLB chunk."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def as_chunk(data: bytes | NDArray[Any]) -> Chunk:
    """The bytes of an array in little-endian order; the memory is shared when it is already laid out so."""
    if isinstance(data, bytes):
        return data
    little = np.ascontiguousarray(data, dtype=data.dtype.newbyteorder("<"))
    return little.reshape(-1).view(np.uint8).data


class Buffers:
    """Collects the views of one file; ``chunks[i]`` holds the bytes of ``views[i]``."""

    def __init__(self) -> None:
        self.views: list[pygltflib.BufferView] = []
        self.chunks: list[Chunk] = []

    def add(self, data: bytes | NDArray[Any], *, target: int | None = None, stride: int | None = None) -> int:
        """Append a view and return its index. Offsets are given later, by :func:`lay_out`."""
        chunk = as_chunk(data)
        self.views.append(pygltflib.BufferView(byteLength=len(chunk), target=target, byteStride=stride))
        self.chunks.append(chunk)
        return len(self.views) - 1


def lay_out(sizes: Iterable[int], limit: int | None = None) -> tuple[list[tuple[int, int]], list[int]]:
    """Place views one after the other: (buffer, offset) of each view, and the length of each buffer.

    A buffer that would pass ``limit`` bytes is closed and the next one begun; a single view above the limit stands
    alone in its buffer, since a view cannot be split.
    """
    places: list[tuple[int, int]] = []
    lengths: list[int] = []
    for size in sizes:
        room = aligned(size)
        if not lengths or (limit is not None and lengths[-1] > 0 and lengths[-1] + room > limit):
            lengths.append(0)
        places.append((len(lengths) - 1, lengths[-1]))
        lengths[-1] += room
    return places, lengths


def padded(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """The chunks with zero bytes between them, as :func:`lay_out` places them."""
    for chunk in chunks:
        yield chunk
        if rest := -len(chunk) % ALIGNMENT:
            yield bytes(rest)
