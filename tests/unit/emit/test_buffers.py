"""Views: alignment, layout in one or several buffers, memory shared."""

from __future__ import annotations

import numpy as np

from unity2gltf.emit.buffers import Buffers, aligned, as_chunk, lay_out, padded


def test_alignment_rounds_up_to_words() -> None:
    assert [aligned(n) for n in (0, 1, 4, 5)] == [0, 4, 4, 8]


def test_views_start_on_words_and_padding_fills_the_gaps() -> None:
    places, lengths = lay_out([5, 4, 3])
    assert places == [(0, 0), (0, 8), (0, 12)] and lengths == [16]
    assert b"".join(padded([b"aaaaa", b"bbbb", b"ccc"])) == b"aaaaa\0\0\0bbbbccc\0"


def test_a_buffer_closes_before_it_passes_the_limit() -> None:
    places, lengths = lay_out([8, 8, 8, 100, 4], limit=16)
    assert places == [(0, 0), (0, 8), (1, 0), (2, 0), (3, 0)]
    assert lengths == [16, 8, 100, 4]  # the view of 100 cannot be split and stands alone


def test_no_views_make_no_buffer() -> None:
    assert lay_out([]) == ([], [])


def test_memory_is_shared_when_it_is_laid_out_already() -> None:
    array = np.arange(6, dtype="<f4").reshape(2, 3)
    chunk = as_chunk(array)
    array[0, 0] = 9
    assert bytes(chunk[:4]) == np.float32(9).tobytes()


def test_strided_and_big_endian_arrays_are_brought_to_order() -> None:
    array = np.arange(6, dtype=">f4").reshape(2, 3)[:, :2]
    assert bytes(as_chunk(array)) == np.array([0, 1, 3, 4], "<f4").tobytes()


def test_add_keeps_views_and_chunks_side_by_side() -> None:
    buffers = Buffers()
    assert [buffers.add(b"abc"), buffers.add(np.zeros(2, np.uint16), target=34963)] == [0, 1]
    assert [view.byteLength for view in buffers.views] == [3, 4]
    assert buffers.views[1].target == 34963
