"""The mesh decoders once more, from the description of the formats alone: one plain Python step a number.

Nothing here imports the package. Slow on purpose; what the fast decoders are compared with.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

# Name of a format to (struct letter, divisor or 0).
LETTERS = {
    "Float": ("f", 0),
    "Float16": ("e", 0),
    "Color": ("B", 255),
    "UNorm8": ("B", 255),
    "SNorm8": ("b", 127),
    "UNorm16": ("H", 65535),
    "SNorm16": ("h", 32767),
    "UInt8": ("B", 0),
    "SInt8": ("b", 0),
    "UInt16": ("H", 0),
    "SInt16": ("h", 0),
    "UInt32": ("I", 0),
    "SInt32": ("i", 0),
}
ENUM_5 = ["Float", "Float16", "Color", "UInt8", "UInt32"]
ENUM_2017 = [
    "Float", "Float16", "Color", "UNorm8", "SNorm8", "UNorm16", "SNorm16",
    "UInt8", "SInt8", "UInt16", "SInt16", "UInt32", "SInt32",
]  # fmt: skip
ENUM_2019 = [name for name in ENUM_2017 if name != "Color"]


def enumeration(major: int) -> list[str]:
    """The vertex format names of a major version of Unity, by number."""
    if major >= 2019:
        return ENUM_2019
    return ENUM_2017 if major >= 2017 else ENUM_5


def number(data: bytes, at: int, name: str, order: str) -> float:
    """One stored component, normalised."""
    letter, divisor = LETTERS[name]
    (value,) = struct.unpack_from(order + letter, data, at)
    if divisor == 0:
        return float(value)
    return max(value / divisor, -1.0)


def vertex_rows(
    data: bytes, channels: Sequence[tuple[int, int, int, int]], major: int, count: int, order: str
) -> dict[int, list[list[float]]]:
    """Channel number to rows, for streams that are computed (5.0 on). A channel is (stream, offset, format, dim)."""
    names = enumeration(major)

    def width(channel: tuple[int, int, int, int]) -> int:
        return 4 if names[channel[2]] == "Color" and channel[3] & 15 else channel[3] & 15

    strides = {}
    for channel in channels:
        if width(channel):
            size = struct.calcsize("=" + LETTERS[names[channel[2]]][0]) * width(channel)
            strides[channel[0]] = strides.get(channel[0], 0) + size
    starts, at = {}, 0
    for stream in range(max(strides) + 1):
        starts[stream] = at
        at += count * strides.get(stream, 0)
        while at % 16:
            at += 1
    rows = {}
    for place, channel in enumerate(channels):
        if not width(channel):
            continue
        stream, offset, format_, _ = channel
        size = struct.calcsize("=" + LETTERS[names[format_]][0])
        rows[place] = [
            [
                number(data, starts[stream] + vertex * strides[stream] + offset + size * part, names[format_], order)
                for part in range(width(channel))
            ]
            for vertex in range(count)
        ]
    return rows


def packed_ints(data: bytes, bits: int, count: int) -> list[int]:
    values = []
    for item in range(count):
        value = 0
        for bit in range(bits):
            place = item * bits + bit
            value |= (data[place // 8] >> (place % 8) & 1) << bit
        values.append(value)
    return values


def packed_floats(data: bytes, bits: int, count: int, span: float, start: float) -> list[float]:
    if bits == 0:
        return [start] * count
    return [start + value * span / ((1 << bits) - 1) for value in packed_ints(data, bits, count)]


def unit_vector(x: float, y: float, sign: int) -> list[float]:
    """A compressed normal: z from x and y, negative where the sign bit is 0."""
    square = x * x + y * y
    if square > 1.0:
        length = math.sqrt(square)
        return [x / length, y / length, 0.0]
    z = math.sqrt(1.0 - square)
    return [x, y, z if sign else -z]


def compressed_skin(weights: Sequence[int], bones: Sequence[int], count: int) -> list[list[tuple[int, float]]]:
    """Read weights until the running sum is 31, or three are read and the fourth is the rest."""
    result = []
    at_weight = at_bone = 0
    for _ in range(count):
        vertex: list[tuple[int, float]] = []
        total = 0
        while total < 31 and len(vertex) < 3:
            vertex.append((bones[at_bone], weights[at_weight] / 31))
            total += weights[at_weight]
            at_weight += 1
            at_bone += 1
        if total < 31:
            vertex.append((bones[at_bone], (31 - total) / 31))
            at_bone += 1
        result.append(vertex)
    return result


def influences(vertices: Sequence[Sequence[tuple[int, float]]]) -> list[list[tuple[int, float]]]:
    """Each vertex's (joint, weight) list: bad weights out, joints merged, heaviest first, sum 1."""
    result = []
    for vertex in vertices:
        merged: dict[int, float] = {}
        for joint, weight in vertex:
            if math.isfinite(weight) and weight > 0:
                merged[joint] = merged.get(joint, 0.0) + weight
        total = sum(merged.values())
        ordered = sorted(merged.items(), key=lambda pair: -pair[1])
        result.append([(joint, weight / total) for joint, weight in ordered])
    return result


def variable(words: Sequence[int], count: int) -> list[list[tuple[int, float]]]:
    """Each vertex's (bone, weight) list of m_VariableBoneCountWeights."""
    return [
        [(word & 0xFFFF, (word >> 16) / 65535) for word in words[words[vertex] : words[vertex + 1]]]
        for vertex in range(count)
    ]


def primitives(indices: Sequence[int], topology: int) -> list[int]:
    """Unity's topologies 0 to 5 as triangles, lines or points, one primitive after another."""
    result: list[int] = []
    count = len(indices)
    if topology == 0:
        for at in range(0, count - 2, 3):
            result += indices[at : at + 3]
    elif topology == 1:
        for at in range(count - 2):
            a, b, c = indices[at : at + 3]
            if len({a, b, c}) == 3:
                result += [b, a, c] if at % 2 else [a, b, c]
    elif topology == 2:
        for at in range(0, count - 3, 4):
            a, b, c, d = indices[at : at + 4]
            result += [a, b, c, a, c, d]
    elif topology == 3:
        for at in range(0, count - 1, 2):
            result += indices[at : at + 2]
    elif topology == 4:
        result += indices if count > 1 else []
    else:
        result += indices
    return result
