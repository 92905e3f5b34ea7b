"""m_VertexData: streams of interleaved channels to one array an attribute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import F32
from ...raw import RawChannel, RawMesh, RawStream
from .formats import FLOAT, MASKED_CHANNELS, UNORM8, VertexFormat, channels_of, formats_of

STREAM_ALIGNMENT = 16  # bytes, from 5.0 on


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute as stored: ``values`` (V, count) is a view of the file's bytes in the format's own type."""

    format: VertexFormat
    values: NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Slot:
    """Where a channel lies: its vertex v starts ``offset`` bytes into stream ``stream``'s vertex v."""

    name: str
    stream: int
    offset: int
    format: VertexFormat
    count: int

    @property
    def size(self) -> int:
        return self.format.size * self.count


def read_attributes(raw: RawMesh, diagnostics: Diagnostics) -> dict[str, Attribute]:
    """Every attribute that ``raw`` stores uncompressed, by name (``position``, ``uv0``, ``blend_weight`` ...).

    Reports and leaves out what has an unknown format (MESH_FORMAT_UNKNOWN) or lies outside the data
    (MESH_DATA_TRUNCATED).
    """
    attributes = _separate(raw.separate)
    if raw.vertex_count == 0 or len(raw.vertex_data) == 0:
        return attributes
    channels = raw.channels or _masked_channels(raw.streams or ())
    slots = _slots(raw, channels, diagnostics)
    places = _explicit_places(raw.streams) if raw.streams is not None else _packed_places(raw, channels)
    for slot in slots:
        values = _view(raw, slot, places.get(slot.stream), diagnostics)
        if values is not None:
            attributes[slot.name] = Attribute(slot.format, values)
    return attributes


def to_float(attribute: Attribute) -> F32:
    """The attribute's values as C-contiguous, aligned, native float32; normalised formats to 0..1 or -1..1."""
    values, divisor = attribute.values, attribute.format.divisor
    if divisor == 0:
        if values.dtype == np.float32 and values.strides[-1] == values.itemsize:
            rows = values.view(f"V{values.itemsize * values.shape[1]}")  # copies in half the time of single floats
            values = np.ascontiguousarray(rows).view(np.float32)
        return np.require(values, dtype=np.float32, requirements=["C", "A"])
    result: F32 = np.divide(values, np.float32(divisor), dtype=np.float32, order="C")
    if values.dtype.kind == "i":
        np.maximum(result, np.float32(-1), out=result)  # -128 and -127 both mean -1
    return result


def _separate(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Attribute]:
    """The arrays of 3.4 and before, under this module's names."""
    names = {"vertices": "position", "normals": "normal", "tangents": "tangent", "uv": "uv0", "uv1": "uv1"}
    found = {name: Attribute(FLOAT, arrays[key]) for key, name in names.items() if len(arrays.get(key, ()))}
    if len(arrays.get("colors", ())):
        found["color"] = Attribute(UNORM8, arrays["colors"])
    return found


def _masked_channels(streams: tuple[RawStream, ...]) -> tuple[RawChannel, ...]:
    """The channels of 3.5: in a stream, those of its mask follow each other in order of their numbers."""
    channels = [RawChannel(stream=0, offset=0, format=0, dimension=0)] * len(MASKED_CHANNELS)
    for number, stream in enumerate(streams):
        offset = 0
        for channel, (format_, dimension) in enumerate(MASKED_CHANNELS):
            if stream.channel_mask >> channel & 1:
                channels[channel] = RawChannel(stream=number, offset=offset, format=format_, dimension=dimension)
                offset += 4 * dimension  # floats, or one RGBA32
    return tuple(channels)


def _count(channel: RawChannel, format_: VertexFormat) -> int:
    """Components of a channel; the high nibble of the dimension is a flag."""
    dimension = channel.dimension & 0xF
    return (format_.fixed or dimension) if dimension else 0


def _slots(raw: RawMesh, channels: tuple[RawChannel, ...], diagnostics: Diagnostics) -> list[_Slot]:
    formats, names, slots = formats_of(raw.version), channels_of(raw.version), []
    for number, channel in enumerate(channels):
        if channel.dimension & 0xF == 0:
            continue
        if number >= len(names) or channel.format >= len(formats):
            diagnostics.add(
                codes.MESH_FORMAT_UNKNOWN,
                f"vertex channel {number} has format {channel.format}, which this version of Unity does not know",
                channel=number,
                format=channel.format,
            )
            continue
        format_ = formats[channel.format]
        slots.append(_Slot(names[number], channel.stream, channel.offset, format_, _count(channel, format_)))
    return slots


def _explicit_places(streams: tuple[RawStream, ...]) -> dict[int, tuple[int, int]]:
    """Stream number to (offset, stride), as 3.5 to 4.x store them."""
    return {number: (stream.offset, stream.stride) for number, stream in enumerate(streams)}


def _packed_places(raw: RawMesh, channels: tuple[RawChannel, ...]) -> dict[int, tuple[int, int]]:
    """Stream number to (offset, stride) from 5.0 on: a stride is the sum of the stream's channels.

    A channel of unknown format hides its own stream and those behind it.
    """
    formats = formats_of(raw.version)
    present = [channel for channel in channels if channel.dimension & 0xF]
    places: dict[int, tuple[int, int]] = {}
    offset = 0
    for number in range(1 + max((channel.stream for channel in present), default=-1)):
        members = [channel for channel in present if channel.stream == number]
        if any(channel.format >= len(formats) for channel in members):
            break
        stride = sum(formats[channel.format].size * _count(channel, formats[channel.format]) for channel in members)
        places[number] = (offset, stride)
        offset += -(-raw.vertex_count * stride // STREAM_ALIGNMENT) * STREAM_ALIGNMENT
    return places


def _view(raw: RawMesh, slot: _Slot, place: tuple[int, int] | None, diagnostics: Diagnostics) -> NDArray[Any] | None:
    """The slot's numbers as a strided view (V, count) of the vertex data, or None with a diagnostic."""
    if place is None:
        diagnostics.add(
            codes.MESH_FORMAT_UNKNOWN,
            f"{slot.name} lies in vertex stream {slot.stream}, whose layout is not known",
            attribute=slot.name,
            stream=slot.stream,
        )
        return None
    start, stride = place[0] + slot.offset, place[1]
    end = start + (raw.vertex_count - 1) * stride + slot.size
    if slot.offset + slot.size > stride or end > len(raw.vertex_data):
        diagnostics.add(
            codes.MESH_DATA_TRUNCATED,
            f"{slot.name} of {raw.vertex_count} vertices does not fit the {len(raw.vertex_data)} bytes of vertex data",
            attribute=slot.name,
            needed=end,
            present=len(raw.vertex_data),
        )
        return None
    order = ">" if raw.big_endian else "<"
    shape, strides = (raw.vertex_count, slot.count), (stride, slot.format.size)
    return np.ndarray(shape, np.dtype(order + slot.format.code), _buffer(raw), start, strides)


def _buffer(raw: RawMesh) -> memoryview:
    """The vertex data as flat bytes, without a copy."""
    return memoryview(raw.vertex_data).cast("B")  # type: ignore[arg-type]
