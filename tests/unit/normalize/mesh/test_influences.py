"""Skin influences: both stored forms, what is wrong with them, which is drawn, and cutting."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.mesh_writer import SOURCE, variable_words
from unity2gltf import codes
from unity2gltf.diagnostics import Code, Diagnostics
from unity2gltf.ir import Geometry, Influences
from unity2gltf.normalize.mesh.formats import FLOAT, HALF, UNORM8, UNORM16
from unity2gltf.normalize.mesh.influences import (
    cut_influences,
    dense_influences,
    drawn_influences,
    rigid_influences,
    variable_influences,
)
from unity2gltf.options import UNLIMITED

Vertex = list[tuple[int, float]]


def lists(influences: Influences | None) -> list[Vertex]:
    """Each vertex's (joint, weight) list."""
    assert influences is not None
    assert (influences.offsets.dtype, influences.joints.dtype, influences.weights.dtype) == (
        np.dtype(np.int64),
        np.dtype(np.int32),
        np.dtype("<f4"),
    )
    ends = influences.offsets
    pairs = list(zip(influences.joints.tolist(), influences.weights.tolist(), strict=True))
    return [pairs[ends[vertex] : ends[vertex + 1]] for vertex in range(len(ends) - 1)]


def dense(
    weights: list[list[float]], joints: list[list[int]], step: float = FLOAT.step
) -> tuple[list[Vertex], list[tuple[Code, dict[str, object]]]]:
    diagnostics = Diagnostics()
    result = dense_influences(np.array(weights, np.float32), np.array(joints, np.int64), step, diagnostics)
    return lists(result), [(item.code, item.data) for item in diagnostics.items]


def ragged(*vertices: Vertex) -> Influences:
    counts = [len(vertex) for vertex in vertices]
    return Influences(
        offsets=np.cumsum([0, *counts]).astype(np.int64),
        joints=np.array([joint for vertex in vertices for joint, _ in vertex], np.int32),
        weights=np.array([weight for vertex in vertices for _, weight in vertex], np.float32),
    )


def test_zeros_go_and_the_heaviest_comes_first() -> None:
    vertices, reports = dense(
        [[0.25, 0.0, 0.75, 0.0], [1.0, 0, 0, 0], [0.5, 0.5, 0, 0]], [[7, 8, 9, 0], [3] * 4, [5, 4, 0, 0]]
    )
    assert vertices == [[(9, 0.75), (7, 0.25)], [(3, 1.0)], [(5, 0.5), (4, 0.5)]]  # equal ones keep their order
    assert reports == []


def test_a_joint_named_twice_is_merged_before_sorting() -> None:
    vertices, reports = dense([[0.375, 0.25, 0.25, 0.125]], [[1, 2, 2, 2]])
    assert vertices == [[(2, 0.625), (1, 0.375)]]
    assert reports == []


def test_a_vertex_without_weights_has_an_empty_range() -> None:
    vertices, reports = dense([[0, 0, 0, 0], [1, 0, 0, 0]], [[1, 2, 3, 4], [5, 0, 0, 0]])
    assert vertices == [[], [(5, 1.0)]]
    assert reports == []


@pytest.mark.parametrize(
    ("step", "silent", "loud"),
    [
        (FLOAT.step, 1e-6, 1e-5),
        (HALF.step, 1.9e-3, 2.1e-3),
        (UNORM8.step, 3.9 / 255, 4.1 / 255),
        (UNORM16.step, 3.9 / 65535, 5e-4),
    ],
)
def test_sums_off_by_more_than_their_format_rounds_are_reported(step: float, silent: float, loud: float) -> None:
    joints = [[1, 2, 3, 4]]
    vertices, reports = dense([[0.4, 0.3, 0.2, 0.1 + silent]], joints, step)
    assert reports == []
    assert sum(weight for _, weight in vertices[0]) == pytest.approx(1, abs=6e-8)
    vertices, reports = dense([[0.4, 0.3, 0.2, 0.1 - loud]], joints, step)
    assert sum(weight for _, weight in vertices[0]) == pytest.approx(1, abs=6e-8)
    ((code, data),) = reports
    assert (code, data["vertices"]) == (codes.SKIN_WEIGHTS_NORMALISED, 1)
    assert data["deviation"] == pytest.approx(loud, rel=0.05)


def test_weights_that_are_no_weights_count_as_zero() -> None:
    vertices, reports = dense([[0.5, np.nan, -0.5, np.inf], [0.5, 0.5, 0, 0]], [[1, 2, 3, 4], [1, 2, 0, 0]])
    assert vertices == [[(1, 1.0)], [(1, 0.5), (2, 0.5)]]
    assert [code for code, _ in reports] == [codes.SKIN_WEIGHTS_INVALID, codes.SKIN_WEIGHTS_NORMALISED]
    assert reports[0][1] == {"weights": 3}


def test_joints_that_no_skin_has_count_only_where_they_weigh_something() -> None:
    vertices, reports = dense([[0.5, 0.5], [1, 0]], [[1, -1], [2, 1 << 40]])
    assert vertices == [[(1, 1.0)], [(2, 1.0)]]
    assert reports[0] == (codes.SKIN_BONE_RANGE, {"influences": 1})


def test_the_sum_is_one_in_float32_with_rounding_on_the_heaviest() -> None:
    thirds = np.full((1, 3), 1 / 3, np.float32)
    result = dense_influences(thirds, np.array([[0, 1, 2]]), FLOAT.step, Diagnostics())
    assert float(result.weights.astype(np.float64).sum()) == 1.0


def test_many_vertices_pass_through_several_blocks() -> None:
    count = 40_000
    weights = np.zeros((count, 4), np.float32)
    weights[:, 1] = 1.0
    weights[::1000] = 0.0
    result = dense_influences(weights, np.arange(4 * count).reshape(-1, 4) % 60_000, FLOAT.step, Diagnostics())
    assert len(result.joints) == count - 40
    assert result.joints[-1] == (4 * (count - 1) + 1) % 60_000
    assert np.diff(result.offsets)[[0, 1, 1000, 39_999]].tolist() == [0, 1, 0, 1]


def test_indices_without_weights_are_rigid() -> None:
    assert lists(rigid_influences(np.array([[3], [0]], np.uint8), Diagnostics())) == [[(3, 1.0)], [(0, 1.0)]]
    assert lists(rigid_influences(np.array([[3, 9]], np.uint8), Diagnostics())) == [[(3, 1.0)]]


# --- the variable form ----------------------------------------------------------------------------------------------


def variable(words: list[int], vertices: int) -> tuple[Influences | None, Diagnostics]:
    diagnostics = Diagnostics()
    return variable_influences(np.array(words, np.uint32), vertices, diagnostics), diagnostics


def test_variable_weights_by_hand() -> None:
    words = [
        *(3, 4, 6),  # 2 vertices: the first begins at word 3, the second at 4, the end is 6
        0xFFFF_0007,  # vertex 0: bone 7, weight 65535
        0xCCCC_0100,  # vertex 1: bone 256, weight 52428 = 0.8
        0x3333_0002,  # vertex 1: bone 2, weight 13107 = 0.2
    ]
    result, diagnostics = variable(words, 2)
    assert lists(result) == [[(7, 1.0)], [(256, pytest.approx(0.8)), (2, pytest.approx(0.2))]]
    assert diagnostics.items == []


def test_the_writer_agrees_with_the_case_by_hand() -> None:
    words = variable_words([[(7, 65535)], [(256, 52428), (2, 13107)]])
    assert words.tolist() == [3, 4, 6, 0xFFFF0007, 0xCCCC0100, 0x33330002]


def test_variable_weights_of_zero_go_and_a_repeated_bone_is_merged() -> None:
    words = variable_words([[(5, 30000), (6, 30000), (5, 5535), (9, 0)], []]).tolist()
    result, diagnostics = variable(words, 2)
    assert lists(result) == [[(5, pytest.approx(35535 / 65535)), (6, pytest.approx(30000 / 65535))], []]
    assert diagnostics.items == []


GOOD = variable_words([[(7, 65535)], [(256, 52428), (2, 13107)]]).tolist()


@pytest.mark.parametrize(
    ("words", "vertices", "problem"),
    [
        (GOOD[:2], 2, "need 3 words"),
        ([], 2, "need 3 words"),
        ([4, *GOOD[1:]], 2, "not from 3 to 6"),
        (GOOD[:-1], 2, "not from 3 to 5"),
        ([*GOOD, 0], 2, "not from 3 to 7"),
        ([3, 7, 6, *GOOD[3:]], 2, "descend"),
        ([3, 0xFFFFFFFF, 6, *GOOD[3:]], 2, "descend"),
        ([3, 4, 6, GOOD[3], GOOD[5], GOOD[4]], 2, "do not descend"),
        ([3, 4, 6, GOOD[3], GOOD[4], GOOD[5] + (1 << 16)], 2, "1 vertex do not sum"),
        (GOOD, 3, "not from 4 to 6"),
    ],
)
def test_variable_weights_that_unity_would_not_write(words: list[int], vertices: int, problem: str) -> None:
    result, diagnostics = variable(words, vertices)
    assert result is None
    assert [item.code for item in diagnostics.items] == [codes.SKIN_VARIABLE_INVALID]
    assert problem in diagnostics.items[0].message


# --- which form is drawn ----------------------------------------------------------------------------------------------

CHANNELS = ragged([(1, 0.5), (2, 0.3), (3, 0.15), (4, 0.05)], [(9, 1.0)], [])
VARIABLE = ragged([(1, 0.4), (2, 0.3), (3, 0.1), (4, 0.1), (5, 0.1)], [(9, 1.0)], [])


def geometry(channels: Influences | None, variable: Influences | None) -> Geometry:
    return Geometry(
        source=SOURCE,
        name="mesh",
        positions=np.zeros((3, 3), np.float32),
        channel_influences=channels,
        variable_influences=variable,
        bind_poses=np.zeros((0, 4, 4), np.float32),
        bone_hashes=np.zeros(0, np.uint32),
    )


def test_unlimited_draws_the_variable_form_where_there_is_one() -> None:
    diagnostics = Diagnostics()
    assert drawn_influences(geometry(CHANNELS, VARIABLE), UNLIMITED, diagnostics) is VARIABLE
    assert drawn_influences(geometry(CHANNELS, None), UNLIMITED, diagnostics) is CHANNELS
    assert drawn_influences(geometry(None, None), UNLIMITED, diagnostics) is None
    assert drawn_influences(geometry(None, None), 4, diagnostics) is None
    assert diagnostics.items == []


def test_four_draws_the_channels_even_where_the_variable_form_has_more() -> None:
    diagnostics = Diagnostics()
    assert drawn_influences(geometry(CHANNELS, VARIABLE), 4, diagnostics) is CHANNELS
    (item,) = diagnostics.items
    assert (item.code, item.data) == (
        codes.SKIN_FORM,
        {"limit": 4, "stored": 5, "vertices_cut": 0, "mass": 0.0},
    )


def test_two_cuts_the_channels_and_renormalises() -> None:
    diagnostics = Diagnostics()
    drawn = drawn_influences(geometry(CHANNELS, VARIABLE), 2, diagnostics)
    assert lists(drawn) == [[(1, pytest.approx(0.625)), (2, pytest.approx(0.375))], [(9, 1.0)], []]
    assert diagnostics.items[0].data["vertices_cut"] == 1
    assert diagnostics.items[0].data["mass"] == pytest.approx(0.2)


def test_a_variable_form_without_channels_is_cut_itself() -> None:
    drawn = drawn_influences(geometry(None, VARIABLE), 1, Diagnostics())
    assert lists(drawn) == [[(1, 1.0)], [(9, 1.0)], []]


def test_a_cut_tells_what_it_took() -> None:
    cut, loss = cut_influences(VARIABLE, 3)
    assert lists(cut)[0] == [(1, pytest.approx(0.5)), (2, pytest.approx(0.375)), (3, pytest.approx(0.125))]
    assert (loss.vertices, loss.max_influences) == (1, 5)
    assert loss.mass == pytest.approx(0.2)
    assert cut_influences(VARIABLE, 5)[0] is VARIABLE
    assert cut_influences(VARIABLE, 8)[1] == (type(loss))(0, 5, 0.0)
