"""Compressed skins and bind poses."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.mesh_writer import pack_floats, pack_ints, pack_skin
from unity2gltf import codes
from unity2gltf.diagnostics import Fault
from unity2gltf.normalize.mesh.packed_skin import unpack_bind_poses, unpack_skin


def test_skin_by_hand() -> None:
    # weights, 5 bits each:   31 | 20 11 | 10 10 5 (6 left) | 15 10 6
    # bones:                   3 |  1  2 |  4  5 6  7       |  1  2 3
    weights = pack_ints([31, 20, 11, 10, 10, 5, 15, 10, 6], 5)
    bones = pack_ints([3, 1, 2, 4, 5, 6, 7, 1, 2, 3], 8)
    skin = unpack_skin({"m_Weights": weights, "m_BoneIndices": bones}, 4)
    assert skin is not None
    assert np.rint(skin[0] * 31).tolist() == [[31, 0, 0, 0], [20, 11, 0, 0], [10, 10, 5, 6], [15, 10, 6, 0]]
    assert skin[1].tolist() == [[3, 0, 0, 0], [1, 2, 0, 0], [4, 5, 6, 7], [1, 2, 3, 0]]


def test_the_skin_writer_agrees_with_the_case_by_hand() -> None:
    vertices = [[(3, 31)], [(1, 20), (2, 11)], [(4, 10), (5, 10), (6, 5), (7, 6)], [(1, 15), (2, 10), (3, 6)]]
    written = pack_skin(vertices)
    assert written["m_Weights"].data.tolist() == pack_ints([31, 20, 11, 10, 10, 5, 15, 10, 6], 5).data.tolist()
    assert written["m_BoneIndices"].data.tolist() == [3, 1, 2, 4, 5, 6, 7, 1, 2, 3]


@pytest.mark.parametrize("missing", ["m_Weights", "m_BoneIndices"])
def test_no_skin_without_both_lists(missing: str) -> None:
    vectors = pack_skin([[(3, 31)]])
    del vectors[missing]
    assert unpack_skin(vectors, 1) is None


@pytest.mark.parametrize("vertices", [2, 100])
def test_a_skin_that_ends_before_the_vertices_do(vertices: int) -> None:
    with pytest.raises(Fault) as caught:
        unpack_skin(pack_skin([[(3, 31)]]), vertices)
    assert caught.value.code is codes.MESH_DATA_TRUNCATED


def test_a_skin_whose_last_vertex_is_cut_off() -> None:
    with pytest.raises(Fault):
        unpack_skin({"m_Weights": pack_ints([10, 10], 5), "m_BoneIndices": pack_ints([1, 2, 3, 4], 8)}, 1)
    with pytest.raises(Fault):
        unpack_skin({"m_Weights": pack_ints([10, 10, 1], 5), "m_BoneIndices": pack_ints([1, 2, 3], 8)}, 1)


@pytest.mark.parametrize("transposed", [False, True])
def test_bind_poses_show_their_own_order_by_their_last_row(transposed: bool) -> None:
    pose = np.array([[1, 0, 0, 5], [0, 1, 0, 6], [0, 0, 1, 7], [0, 0, 0, 1]], np.float64)
    stored = pose.T if transposed else pose
    poses = unpack_bind_poses({"m_BindPoses": pack_floats(stored.reshape(-1).tolist(), 16)})
    assert poses is not None
    assert poses.shape == (1, 4, 4)
    assert poses[0] == pytest.approx(pose, abs=7 / 65535)
