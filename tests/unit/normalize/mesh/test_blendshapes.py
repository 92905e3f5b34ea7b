"""Blend shapes: channels and frames, and what keeps its place when it is broken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import BlendShape
from unity2gltf.normalize.mesh.blendshapes import decode_shapes
from unity2gltf.raw import RawBlendShapes

VERTICES = 10


def raw_shapes(**fields: Any) -> RawBlendShapes:
    """Six entries: vertices 0 to 5 moved by (1, 0, 0), (2, 0, 0) ..., normals and tangents 10 and 100 times that."""
    deltas = np.outer(np.arange(1, 7), [1, 0, 0]).astype(np.float32)
    defaults: dict[str, Any] = {
        "index": np.arange(6, dtype=np.uint32),
        "position": deltas,
        "normal": 10 * deltas,
        "tangent": 100 * deltas,
        "shapes": ((0, 2, True, True), (2, 2, True, False), (4, 2, False, False)),
        "channels": (("smile", 1, 0, 1), ("blink", 2, 1, 2)),
        "full_weights": np.array([100, 50, 100], np.float32),
    }
    return RawBlendShapes(**(defaults | fields))


def decode(raw: RawBlendShapes) -> tuple[tuple[BlendShape, ...], Diagnostics]:
    diagnostics = Diagnostics()
    shapes = decode_shapes(raw, VERTICES, diagnostics)
    assert [shape.name for shape in shapes] == [name for name, *_ in raw.channels]  # places never shift
    return shapes, diagnostics


def moved(shape: BlendShape) -> list[tuple[float, list[int]]]:
    return [(frame.full_weight, frame.indices.tolist()) for frame in shape.frames]


def test_channels_frames_and_flags() -> None:
    (smile, blink), diagnostics = decode(raw_shapes())
    assert moved(smile) == [(1.0, [0, 1])]
    assert moved(blink) == [(0.5, [2, 3]), (1.0, [4, 5])]
    assert smile.frames[0].positions.tolist() == [[1, 0, 0], [2, 0, 0]]
    assert smile.frames[0].normals is not None
    assert smile.frames[0].normals.tolist() == [[10, 0, 0], [20, 0, 0]]
    assert smile.frames[0].tangents is not None
    assert smile.frames[0].tangents.tolist() == [[100, 0, 0], [200, 0, 0]]
    assert blink.frames[0].tangents is None
    assert blink.frames[1].normals is None
    assert diagnostics.items == []


def test_frames_come_in_order_of_their_full_weight() -> None:
    (_, blink), _ = decode(raw_shapes(full_weights=np.array([100, 100, 50], np.float32)))
    assert moved(blink) == [(0.5, [4, 5]), (1.0, [2, 3])]


def test_channels_may_share_the_order_of_frames_differently() -> None:
    shapes, diagnostics = decode(raw_shapes(channels=(("late", 1, 2, 1), ("early", 2, 0, 2))))
    assert [moved(shape) for shape in shapes] == [[(1.0, [4, 5])], [(0.5, [2, 3]), (1.0, [0, 1])]]
    assert diagnostics.items == []


def test_entries_of_one_vertex_add_up_and_vertices_ascend() -> None:
    (smile, _), diagnostics = decode(raw_shapes(index=np.array([7, 7, 5, 3, 0, 1], np.uint32)))
    assert moved(smile) == [(1.0, [7])]
    assert smile.frames[0].positions.tolist() == [[3, 0, 0]]
    (_, blink), _ = decode(raw_shapes(index=np.array([0, 1, 5, 3, 0, 1], np.uint32)))
    assert moved(blink)[0] == (0.5, [3, 5])
    assert blink.frames[0].positions.tolist() == [[4, 0, 0], [3, 0, 0]]
    assert diagnostics.items == []


def test_a_big_endian_file() -> None:
    big = raw_shapes()
    big = raw_shapes(index=big.index.astype(">u4"), position=big.position.astype(">f4"))
    (smile, _), _ = decode(big)
    assert smile.frames[0].positions.dtype == np.dtype("<f4")
    assert smile.frames[0].positions.tolist() == [[1, 0, 0], [2, 0, 0]]


@pytest.mark.parametrize(
    ("fields", "still"),
    [
        ({"shapes": ((0, 2, True, True), (2, 5, True, False), (4, 2, False, False))}, [1]),  # past the end
        ({"shapes": ((0, 2, True, True), (1, 2, True, False), (4, 2, False, False))}, [1]),  # overlaps the first
        ({"shapes": ((0, 2, True, True), (4, 2, True, False), (4, 2, False, False))}, [2]),  # the same one twice
        ({"shapes": ((0, 2, True, True), (2, 2, True, False), (0xFFFFFFFF, 2, False, False))}, [2]),
        ({"index": np.array([0, VERTICES, 2, 3, 4, 5], np.uint32)}, [0]),
        ({"index": np.array([0, 1, 2, 0xFFFFFFFF, 4, 5], np.uint32)}, [1]),
        ({"full_weights": np.array([np.nan, 50, 100], np.float32)}, [0]),
        ({"full_weights": np.array([100, 50], np.float32)}, [2]),
    ],
)
def test_a_broken_frame_moves_nothing_and_keeps_its_place(fields: dict[str, Any], still: list[int]) -> None:
    shapes, diagnostics = decode(raw_shapes(**fields))
    frames = [frame for shape in shapes for frame in shape.frames]
    assert [number for number, frame in enumerate(frames) if len(frame.indices) == 0] == still
    assert [item.code for item in diagnostics.items] == [codes.SHAPE_INVALID]


@pytest.mark.parametrize("span", [(0, 0), (3, 1), (2, 2), (0, 1), (1, 0x7FFFFFFF), (-1, 1)])
def test_a_broken_channel_keeps_its_place_with_one_still_frame(span: tuple[int, int]) -> None:
    channels = (("smile", 1, 0, 1), ("bad", 9, *span), ("wink", 3, 1, 1))
    shapes, diagnostics = decode(raw_shapes(channels=channels))
    assert moved(shapes[1]) == [(1.0, [])]
    assert moved(shapes[2]) == [(0.5, [2, 3])]
    assert [(item.code, item.where) for item in diagnostics.items] == [(codes.SHAPE_INVALID, 'shape "bad"')]


def test_deltas_that_are_no_numbers_become_zero() -> None:
    position = raw_shapes().position.copy()
    position[0] = [np.nan, np.inf, 5]
    (smile, _), diagnostics = decode(raw_shapes(position=position))
    assert smile.frames[0].positions.tolist() == [[0, 0, 5], [2, 0, 0]]
    assert [(item.code, item.data["count"]) for item in diagnostics.items] == [(codes.MESH_NOT_FINITE, 2)]


def test_an_empty_frame_is_no_fault() -> None:
    shapes, diagnostics = decode(raw_shapes(shapes=((0, 0, False, False), (0, 2, True, False), (2, 4, False, False))))
    assert moved(shapes[0]) == [(1.0, [])]
    assert diagnostics.items == []
