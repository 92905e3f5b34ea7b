"""Vertex formats and channel orders by Unity version: a row a format, a row a version group."""

from __future__ import annotations

from dataclasses import dataclass

from ...raw import Version


@dataclass(frozen=True, slots=True)
class VertexFormat:
    """How one component is stored.

    ``code`` is numpy's type code without byte order. Stored integers are divided by ``divisor`` (0 = taken as they
    are). ``step`` is the rounding of one stored number near 1: how far a weight may be off without being wrong.
    ``fixed`` is a component count that overrides the channel's dimension (0 = the dimension counts).
    """

    name: str
    code: str
    divisor: int = 0
    step: float = 1e-6
    fixed: int = 0

    @property
    def size(self) -> int:
        """Bytes of one component."""
        return int(self.code[1:])


FLOAT = VertexFormat("Float", "f4")
HALF = VertexFormat("Float16", "f2", step=2.0**-11)
COLOR = VertexFormat("Color", "u1", divisor=255, step=1 / 255, fixed=4)  # one RGBA32: bytes r, g, b, a, dimension 1
UNORM8 = VertexFormat("UNorm8", "u1", divisor=255, step=1 / 255)
SNORM8 = VertexFormat("SNorm8", "i1", divisor=127, step=1 / 127)
UNORM16 = VertexFormat("UNorm16", "u2", divisor=65535, step=1 / 65535)
SNORM16 = VertexFormat("SNorm16", "i2", divisor=32767, step=1 / 32767)
UINT8 = VertexFormat("UInt8", "u1")
SINT8 = VertexFormat("SInt8", "i1")
UINT16 = VertexFormat("UInt16", "u2")
SINT16 = VertexFormat("SInt16", "i2")
UINT32 = VertexFormat("UInt32", "u4")
SINT32 = VertexFormat("SInt32", "i4")

_SIZED = (UNORM8, SNORM8, UNORM16, SNORM16, UINT8, SINT8, UINT16, SINT16, UINT32, SINT32)

# First version of each enumeration, newest first; a format's number is its place in the row.
FORMATS: tuple[tuple[Version, tuple[VertexFormat, ...]], ...] = (
    ((2019, 0, 0), (FLOAT, HALF, *_SIZED)),
    ((2017, 0, 0), (FLOAT, HALF, COLOR, *_SIZED)),
    ((0, 0, 0), (FLOAT, HALF, COLOR, UINT8, UINT32)),
)

_UVS = tuple(f"uv{number}" for number in range(8))

# First version of each channel order, newest first; a channel's number is its place in the row.
CHANNELS: tuple[tuple[Version, tuple[str, ...]], ...] = (
    ((2018, 0, 0), ("position", "normal", "tangent", "color", *_UVS, "blend_weight", "blend_indices")),
    ((5, 0, 0), ("position", "normal", "color", *_UVS[:4], "tangent")),
    ((0, 0, 0), ("position", "normal", "color", *_UVS[:2], "tangent")),
)

# Before 4.0 a stream names its channels by a mask alone; their formats and dimensions do not vary.
MASKED_CHANNELS: tuple[tuple[int, int], ...] = ((0, 3), (0, 3), (2, 1), (0, 2), (0, 2), (0, 4))  # (format, dimension)


def formats_of(version: Version) -> tuple[VertexFormat, ...]:
    """The vertex format enumeration that ``version`` uses."""
    return next(formats for since, formats in FORMATS if version >= since)


def channels_of(version: Version) -> tuple[str, ...]:
    """The names of the vertex channels of ``version``, in order of their numbers."""
    return next(channels for since, channels in CHANNELS if version >= since)
