"""What must hold of any asset: values survive, views are aligned and inside, the same asset gives the same bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.assets import frame, geometry, one_mesh, ragged, shape, strip, submesh
from tests.reference.gltf_accessors import buffers_of, read_accessor
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import Document, build_document, glb_bytes
from unity2gltf.emit.influences import pad
from unity2gltf.ir import Asset, BlendFrame, BlendShape

JOINTS = 300
finite = st.floats(-1e6, 1e6, width=32)
vector = st.tuples(finite, finite, finite)


@st.composite
def influence_rows(draw: st.DrawFn, joints: int = JOINTS, most: int = 12) -> list[dict[int, float]]:
    """One ``{joint: weight}`` a vertex, heaviest first, sums 1 but for float32 rounding."""
    rows = []
    for _ in range(draw(st.integers(3, 12))):
        names = draw(st.lists(st.integers(0, joints - 1), max_size=most, unique=True))
        shares = sorted((draw(st.integers(1, 1000)) for _ in names), reverse=True)
        rows.append({name: share / sum(shares) for name, share in zip(names, shares, strict=True)})
    return rows


@st.composite
def blend_frames(draw: st.DrawFn, vertices: int, weight: float) -> BlendFrame:
    moves = draw(st.dictionaries(st.integers(0, vertices - 1), vector | st.just((0.0, 0.0, 0.0)), max_size=vertices))
    normals = [draw(vector) for _ in moves] if draw(st.booleans()) else None
    return frame(weight, dict(sorted(moves.items())), **({} if normals is None else {"normals": normals}))


@st.composite
def shaped_assets(draw: st.DrawFn) -> Asset:
    """Meshes of up to 40 vertices with normals and up to four shapes of one or two frames."""
    vertices = draw(st.integers(3, 40))
    shapes = []
    for number in range(draw(st.integers(1, 4))):
        frames = [draw(blend_frames(vertices, float(weight + 1))) for weight in range(draw(st.integers(1, 2)))]
        shapes.append(shape(f"shape{number % 3}", *frames))
    normals = np.tile(np.array([0, 1, 0], np.float32), (vertices, 1))
    positions = draw(st.lists(vector, min_size=vertices, max_size=vertices))
    return one_mesh(geometry(positions, [submesh([0, 1, 2])], normals=normals, shapes=tuple(shapes)))


def expected_deltas(shapes: tuple[BlendShape, ...], name: str, vertices: int) -> list[np.ndarray[Any, Any]]:
    """Every frame as a full array, row by row."""
    result = []
    for one in (each for item in shapes for each in item.frames):
        full = np.zeros((vertices, 3), np.float32)
        values = getattr(one, name)
        for row, vertex in enumerate(one.indices if values is not None else ()):
            full[vertex] = values[row]
        result.append(full)
    return result


def check_structure(document: Document) -> None:
    """Every view aligned and inside its buffer, apart from the others; every view and accessor in use."""
    views = document.json["bufferViews"]
    length = document.json["buffers"][0]["byteLength"]
    end = 0
    for view in views:
        start = view.get("byteOffset", 0)
        assert start % 4 == 0 and start >= end
        end = start + view["byteLength"]
    assert end <= length < end + 4
    used = set()
    for accessor in document.json["accessors"]:
        used.add(accessor["bufferView"])
        if "sparse" in accessor:
            used |= {accessor["sparse"][part]["bufferView"] for part in ("indices", "values")}
    assert used == set(range(len(views)))
    named = set()
    for mesh in document.json["meshes"]:
        for primitive in mesh["primitives"]:
            named.add(primitive["indices"])
            for attributes in (primitive["attributes"], *primitive.get("targets", ())):
                named |= set(attributes.values())
    named |= {skin["inverseBindMatrices"] for skin in document.json.get("skins", ())}
    assert named == set(range(len(document.json["accessors"])))


@given(influence_rows())
def test_padded_influences_equal_ragged_ones(rows: list[dict[int, float]]) -> None:
    joints, weights = pad(ragged(rows), np.uint16)
    for vertex, row in enumerate(rows):
        flat = [
            (int(j), float(w))
            for j, w in zip(joints[:, vertex].ravel(), weights[:, vertex].ravel(), strict=True)
            if w > 0
        ]
        expected = list(row.items()) or [(0, 1.0)]
        assert [joint for joint, _ in flat] == [joint for joint, _ in expected]
        np.testing.assert_allclose([w for _, w in flat], [w for _, w in expected], atol=3e-7)
        assert all(j == 0 for j in joints[:, vertex].ravel()[len(expected) :])
    sums = weights.sum(axis=(0, 2), dtype=np.float64)
    assert np.abs(sums - 1).max() <= 2**-24


@given(shaped_assets())
def test_targets_decode_to_the_stored_deltas(asset: Asset) -> None:
    document = build_document(asset, Diagnostics())
    check_structure(document)
    data = buffers_of(document.json, document.chunks)
    shown = asset.geometries[0]
    targets = document.json["meshes"][0]["primitives"][0]["targets"]
    for semantic, name in (("POSITION", "positions"), ("NORMAL", "normals")):
        for target, expected in zip(targets, expected_deltas(shown.shapes, name, shown.vertex_count), strict=True):
            if semantic in target:
                np.testing.assert_array_equal(read_accessor(document.json, data, target[semantic]), expected)
            else:
                assert not any(one.normals is not None for item in shown.shapes for one in item.frames)


@given(shaped_assets())
def test_bounds_are_those_of_the_decoded_values(asset: Asset) -> None:
    document = build_document(asset, Diagnostics())
    data = buffers_of(document.json, document.chunks)
    for index, accessor in enumerate(document.json["accessors"]):
        if "min" in accessor:
            values = read_accessor(document.json, data, index)
            assert accessor["min"] == values.min(axis=0).tolist() and accessor["max"] == values.max(axis=0).tolist()
        if "sparse" in accessor:
            view = document.chunks[accessor["sparse"]["indices"]["bufferView"]]
            assert (np.diff(np.frombuffer(view, "<u2").astype(int)) > 0).all()


@given(shaped_assets())
def test_sparse_never_makes_a_file_larger_than_dense(asset: Asset) -> None:
    document = build_document(asset, Diagnostics(), sparse_morphs=True)
    shown = asset.geometries[0]
    targets = document.json["meshes"][0]["primitives"][0]["targets"]
    target_views = sum(len(chunk) for chunk in document.chunks) - shown.vertex_count * 24 - 6
    dense = sum(len(target) for target in targets) * shown.vertex_count * 12
    assert target_views <= dense


@given(influence_rows(joints=12))
def test_skinned_documents_are_sound_and_repeatable(rows: list[dict[int, float]]) -> None:
    built = strip((1,) * len(rows))
    asset = replace(built, meshes=(replace(built.meshes[0], influences=ragged(rows)),))
    first, second = (build_document(asset, Diagnostics()) for _ in range(2))
    check_structure(first)
    assert b"".join(glb_bytes(first)[0]) == b"".join(glb_bytes(second)[0])
