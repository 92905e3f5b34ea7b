"""Scaling of decoded pixels."""

from __future__ import annotations

import numpy as np
import pytest

from unity2gltf.normalize.textures.resize import fitted, resize


def _pixels(*rows: list[int], channels: int = 1) -> np.ndarray:
    return np.repeat(np.array(rows, np.uint8)[..., None], channels, axis=-1)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_down_is_the_mean_of_what_is_covered(channels: int) -> None:
    pixels = _pixels([0, 100, 10, 10], [100, 200, 20, 20], channels=channels)
    assert resize(pixels, 2, 1).tolist() == _pixels([100, 15], channels=channels).tolist()
    assert resize(pixels, 4, 1)[0, :, -1].tolist() == [50, 150, 15, 15]


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_up_is_linear_between_the_centres(channels: int) -> None:
    grown = resize(_pixels([0, 100], channels=channels), 4, 2)
    assert grown[..., 0].tolist() == [[0, 25, 75, 100]] * 2
    assert grown.shape == (2, 4, channels)


def test_one_side_up_and_one_down() -> None:
    assert resize(_pixels([0], [40]), 3, 1).tolist() == [[[20]] * 3]


def test_the_same_size_is_not_copied() -> None:
    pixels = np.zeros((3, 5, 4), np.uint8)
    assert resize(pixels, 5, 3) is pixels


def test_views_of_any_strides() -> None:
    pixels = np.arange(96, dtype=np.uint8).reshape(4, 6, 4)
    for view in (pixels[::-1], pixels[..., :3], pixels[:, ::2], pixels[..., [2, 1, 0]], pixels[..., 1:2]):
        np.testing.assert_array_equal(resize(view, 2, 2), resize(np.ascontiguousarray(view), 2, 2))


def test_fitted() -> None:
    assert fitted(100, 50, 0) == fitted(100, 50, 100) == (100, 50)
    assert fitted(100, 50, 10) == (10, 5)
    assert fitted(5000, 1, 10) == (10, 1)
    assert fitted(1, 5000, 1) == (1, 1)
