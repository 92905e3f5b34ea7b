"""The mesh decoders agree with their slow twins on whatever a writer can write."""

from __future__ import annotations

import itertools
import struct
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import mesh_twin as twin
from tests.reference.mesh_writer import make_raw, pack_ints, pack_skin, submesh, u16, u32, variable_words
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Influences
from unity2gltf.normalize.mesh.formats import channels_of
from unity2gltf.normalize.mesh.influences import cut_influences, dense_influences, variable_influences
from unity2gltf.normalize.mesh.packed import unpack_attributes, unpack_floats, unpack_ints
from unity2gltf.normalize.mesh.packed_skin import unpack_skin
from unity2gltf.normalize.mesh.primitives import decode_submeshes
from unity2gltf.normalize.mesh.vertex import read_attributes, to_float
from unity2gltf.raw import RawChannel, RawPacked

ROUNDING = 4e-7  # float32 weights near 1, after one went through the other's correction
VERSIONS = [(5, 6, 0), (2017, 4, 0), (2018, 4, 0), (2022, 3, 0)]
COUNTS = st.integers(1, 40)


def lists(influences: Influences) -> list[list[tuple[int, float]]]:
    pairs = list(zip(influences.joints.tolist(), influences.weights.tolist(), strict=True))
    ends = influences.offsets.tolist()
    return [pairs[start:end] for start, end in itertools.pairwise(ends)]


def assert_same_influences(found: Influences, expected: list[list[tuple[int, float]]]) -> None:
    """The same joints with the same weights; joints of equal weight may change places by a rounding."""
    for ours, theirs in zip(lists(found), expected, strict=True):
        assert len(ours) == len(theirs)
        weights = dict(theirs)
        assert len(weights) == len(ours)
        for joint, weight in ours:
            assert abs(weight - weights[joint]) <= ROUNDING
        for (_, before), (_, after) in itertools.pairwise(ours):
            assert before >= after - ROUNDING
        if ours:
            assert abs(float(np.sum([weight for _, weight in ours], dtype=np.float64)) - 1.0) <= 6e-8


@st.composite
def layouts(draw: st.DrawFn) -> tuple[tuple[int, int, int], list[tuple[int, int, int, int]]]:
    """A version and its channels as (stream, offset, format, dimension), packed as Unity packs them."""
    version = draw(st.sampled_from(VERSIONS))
    names = twin.enumeration(version[0])
    ends = [0, 0, 0]
    channels = []
    for _ in channels_of(version):
        if draw(st.booleans()):
            channels.append((0, 0, 0, 0))
            continue
        stream, format_ = draw(st.integers(0, 2)), draw(st.integers(0, len(names) - 1))
        dimension = 1 if names[format_] == "Color" else draw(st.integers(1, 4))
        size = struct.calcsize("=" + twin.LETTERS[names[format_]][0]) * (4 if names[format_] == "Color" else dimension)
        channels.append((stream, ends[stream], format_, dimension | draw(st.sampled_from([0, 0x30]))))
        ends[stream] += size
    return version, channels


@given(layouts(), COUNTS, st.booleans(), st.integers(0, 2**32 - 1))
def test_vertex_data(layout: Any, count: int, big_endian: bool, seed: int) -> None:
    version, channels = layout
    data = np.random.default_rng(seed).integers(0, 256, 40 * 64 * 16, dtype=np.uint8).tobytes()
    raw = make_raw(
        version=version,
        big_endian=big_endian,
        vertex_count=count,
        channels=tuple(RawChannel(stream=s, offset=o, format=f, dimension=d) for s, o, f, d in channels),
        vertex_data=data,
    )
    diagnostics = Diagnostics()
    with np.errstate(all="ignore"):
        found = {name: to_float(item) for name, item in read_attributes(raw, diagnostics).items()}
    assert diagnostics.items == []
    if not any(channel[3] for channel in channels):
        assert found == {}
        return
    rows = twin.vertex_rows(data, channels, version[0], count, ">" if big_endian else "<")
    names = channels_of(version)
    assert set(found) == {names[number] for number in rows}
    for number, expected in rows.items():
        np.testing.assert_array_equal(found[names[number]], np.array(expected, np.float32))


@given(st.integers(0, 32), st.integers(0, 70), st.integers(0, 2**32 - 1))
def test_packed_integers_come_back(bits: int, count: int, seed: int) -> None:
    values = [int(value) for value in np.random.default_rng(seed).integers(0, 1 << bits, count)]
    packed = pack_ints(values, bits)
    assert unpack_ints(packed).tolist() == values
    assert twin.packed_ints(packed.data.tobytes(), bits, count) == values


FLOATS = st.floats(-1e6, 1e6, width=32)


@given(st.integers(0, 32), st.integers(0, 40), FLOATS, FLOATS, st.binary(min_size=160, max_size=160))
def test_packed_floats(bits: int, count: int, span: float, start: float, data: bytes) -> None:
    packed = RawPacked(num_items=count, bit_size=bits, data=np.frombuffer(data, np.uint8), range=abs(span), start=start)
    expected = twin.packed_floats(data, bits, count, abs(span), start)
    np.testing.assert_allclose(unpack_floats(packed), expected, rtol=1e-14, atol=1e-9)


@given(st.integers(1, 12), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_compressed_normals_and_tangents(bits: int, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    items, signs = rng.integers(0, 1 << bits, 2 * count).tolist(), rng.integers(0, 2, 2 * count).tolist()
    packed = pack_ints(items, bits)
    vectors = {
        "m_Vertices": pack_ints([0] * (3 * count), 4),
        "m_Normals": RawPacked(num_items=2 * count, bit_size=bits, data=packed.data, range=2.0, start=-1.0),
        "m_NormalSigns": pack_ints(signs[:count], 1),
        "m_Tangents": RawPacked(num_items=2 * count, bit_size=bits, data=packed.data, range=2.0, start=-1.0),
        "m_TangentSigns": pack_ints(signs, 1),
    }
    diagnostics = Diagnostics()
    found = unpack_attributes(vectors, None, diagnostics)
    assert diagnostics.items == []
    xy = twin.packed_floats(packed.data.tobytes(), bits, 2 * count, 2.0, -1.0)
    for vertex in range(count):
        x, y = xy[2 * vertex : 2 * vertex + 2]
        np.testing.assert_allclose(found["normal"][vertex], twin.unit_vector(x, y, signs[vertex]), atol=2e-7)
        tangent = [*twin.unit_vector(x, y, signs[2 * vertex]), 1.0 if signs[2 * vertex + 1] else -1.0]
        np.testing.assert_allclose(found["tangent"][vertex], tangent, atol=2e-7)


@st.composite
def compressed_vertices(draw: st.DrawFn) -> list[list[tuple[int, int]]]:
    """(bone, weight out of 31) lists as Unity compresses them: of sum 31, the fourth one is the rest."""
    result = []
    for _ in range(draw(st.integers(1, 30))):
        left, vertex = 31, []
        while left > 0 and len(vertex) < 3:
            weight = draw(st.integers(0, left))
            vertex.append((draw(st.integers(0, 255)), weight))
            left -= weight
        if left:
            vertex.append((draw(st.integers(0, 255)), left))
        result.append(vertex)
    return result


@given(compressed_vertices())
def test_compressed_skins(vertices: list[list[tuple[int, int]]]) -> None:
    vectors = pack_skin(vertices)
    skin = unpack_skin(vectors, len(vertices))
    assert skin is not None
    weights = twin.packed_ints(vectors["m_Weights"].data.tobytes(), 5, vectors["m_Weights"].num_items)
    bones = twin.packed_ints(vectors["m_BoneIndices"].data.tobytes(), 8, vectors["m_BoneIndices"].num_items)
    read = twin.compressed_skin(weights, bones, len(vertices))
    assert [[(bone, round(weight * 31)) for bone, weight in vertex] for vertex in read] == vertices
    for row, slots, vertex in zip(skin[0].tolist(), skin[1].tolist(), read, strict=True):
        padded = [*vertex, *[(0, 0.0)] * (4 - len(vertex))]
        assert slots == [bone for bone, _ in padded]
        np.testing.assert_allclose(row, [weight for _, weight in padded], atol=1e-7)
    assert_same_influences(dense_influences(*skin, 1e-6, Diagnostics()), twin.influences(read))


BAD_WEIGHTS = [-1.0, float("nan"), float("inf")]
WEIGHTS = st.one_of(st.just(0.0), st.floats(2.0**-20, 1.0, width=32), st.sampled_from(BAD_WEIGHTS))
DENSE = st.lists(st.lists(st.tuples(st.integers(0, 6), WEIGHTS), min_size=4, max_size=4), min_size=1, max_size=40)


@given(DENSE)
def test_dense_influences(vertices: list[list[tuple[int, float]]]) -> None:
    weights = np.array([[weight for _, weight in vertex] for vertex in vertices], np.float32)
    joints = np.array([[joint for joint, _ in vertex] for vertex in vertices], np.uint8)
    exact = [list(zip(j, w, strict=True)) for j, w in zip(joints.tolist(), weights.tolist(), strict=True)]
    assert_same_influences(dense_influences(weights, joints, 1e-6, Diagnostics()), twin.influences(exact))


@st.composite
def variable_vertices(draw: st.DrawFn) -> list[list[tuple[int, int]]]:
    """(bone, weight out of 65535) lists of up to 12, descending, of sum 65535; some are empty, some repeat a bone."""
    result = []
    for _ in range(draw(st.integers(1, 20))):
        cuts = sorted(draw(st.lists(st.integers(0, 65535), max_size=11)))
        parts = [b - a for a, b in zip([0, *cuts], [*cuts, 65535], strict=True)]
        bones = st.integers(0, draw(st.sampled_from([3, 65535])))
        vertex = [(draw(bones), weight) for weight in sorted(parts, reverse=True)]
        result.append([] if draw(st.integers(0, 9)) == 0 else vertex)
    return result


@given(variable_vertices(), st.integers(1, 13))
def test_variable_influences_and_their_cut(vertices: list[list[tuple[int, int]]], limit: int) -> None:
    words = variable_words(vertices)
    diagnostics = Diagnostics()
    found = variable_influences(words, len(vertices), diagnostics)
    assert diagnostics.items == []
    assert found is not None
    expected = twin.influences(twin.variable(words.tolist(), len(vertices)))
    assert_same_influences(found, expected)
    cut, loss = cut_influences(found, limit)
    kept = [vertex[:limit] for vertex in lists(found)]
    assert_same_influences(cut, twin.influences(kept))
    assert loss.vertices == sum(len(vertex) > limit for vertex in expected)
    lost = [sum(weight for _, weight in vertex[limit:]) for vertex in expected]
    assert abs(loss.mass - max(lost)) <= ROUNDING * 12


@given(st.integers(0, 5), st.lists(st.integers(0, 6), max_size=40), st.integers(0, 3), st.booleans(), st.booleans())
def test_primitives(topology: int, indices: list[int], base: int, wide: bool, big_endian: bool) -> None:
    order = ">" if big_endian else "<"
    raw = make_raw(
        big_endian=big_endian,
        index_format=int(wide),
        index_buffer=b"\xff" * 4 + (u32(indices, order) if wide else u16(indices, order)),
        submeshes=(submesh(indices, topology, base=base, first=4),),
    )
    (result,) = decode_submeshes(raw, 10, Diagnostics())
    assert result.indices.tolist() == twin.primitives([index + base for index in indices], topology)
