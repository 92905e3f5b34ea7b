"""Unity's player by numbers worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from unity2gltf.evaluate.unity.curves import ROTATION_ORDERS, UnityPlayer, curve_values, raw_values
from unity2gltf.ir import Channel, Path, Space

from .clip_by_hand import BODY, HIP, KNEE, PROP, curve, line, moving, steps, still, walk
from .handmade import figure

HALF = math.sqrt(0.5)


def sample(channel: Channel, *times: float) -> np.ndarray:
    return UnityPlayer(moving()).sample(channel, np.array(times, np.float64))


def channel(path: Path, *curves: Any, node: int = HIP, **more: Any) -> Channel:
    return Channel(node=node, path=path, curves=curves, **more)


def test_a_segment_is_its_cubic_about_its_own_time() -> None:
    cubic = curve((1, 0, 0, 1, 0), end=(3, 1))  # ease in and out: 3 s^2 - 2 s^3 of s = (t - 1) / 2
    values = curve_values(cubic, np.array([0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 9.0]))
    assert values.tolist() == [0, 0, 0.15625, 0.5, 0.84375, 1, 1]


def test_a_key_counts_from_its_own_time_on() -> None:
    stepped = steps((0, 1), (0.5, 2))
    before = np.nextafter(0.5, 0)
    assert curve_values(stepped, np.array([-1, 0, before, 0.5, 7])).tolist() == [1, 1, 1, 2, 2]


def test_before_the_first_key_a_curve_stands_still_whatever_its_slope() -> None:
    assert curve_values(line(3, 5), np.array([-100.0])).tolist() == [3]


def test_rotations_are_blended_by_component_and_normalised() -> None:
    turn = channel(Path.ROTATION, *map(line, (0, 0, 0, 1), (0, 1, 0, 0)))
    assert sample(turn, 0.5) == pytest.approx(np.array([[0, 0.25, 0, 0.75]]) / math.sqrt(0.625))


def test_a_zero_quaternion_is_the_identity() -> None:
    assert sample(channel(Path.ROTATION, *[still(0)] * 4), 0.0).tolist() == [[0, 0, 0, 1]]


@pytest.mark.parametrize(
    ("axis", "wanted"), [(0, (HALF, 0, 0, HALF)), (1, (0, HALF, 0, HALF)), (2, (0, 0, HALF, HALF))]
)
def test_one_euler_angle_turns_about_its_axis(axis: int, wanted: tuple[float, ...]) -> None:
    angles = [still(90 if place == axis else 0) for place in range(3)]
    assert sample(channel(Path.EULER, *angles), 0.0)[0] == pytest.approx(wanted)


def _turn(quaternion: np.ndarray, vector: np.ndarray) -> np.ndarray:
    v, w = quaternion[:3], quaternion[3]
    return vector + 2 * w * np.cross(v, vector) + 2 * np.cross(v, np.cross(v, vector))


@pytest.mark.parametrize("order", range(6))
def test_euler_angles_turn_one_after_the_other_about_fixed_axes(order: int) -> None:
    angles = (20.0, -50.0, 110.0)
    found = sample(channel(Path.EULER, *map(still, angles), rotation_order=order), 0.0)[0]
    vector = np.array([0.3, -0.7, 0.9])
    wanted = vector
    for axis in ["xyz", "xzy", "yzx", "yxz", "zxy", "zyx"][order]:
        place, angle = "xyz".index(axis), math.radians(angles["xyz".index(axis)])
        j, k = (place + 1) % 3, (place + 2) % 3
        turned = wanted.copy()
        turned[j] = math.cos(angle) * wanted[j] - math.sin(angle) * wanted[k]
        turned[k] = math.sin(angle) * wanted[j] + math.cos(angle) * wanted[k]
        wanted = turned
    assert _turn(found, vector) == pytest.approx(wanted)


def test_unity_s_own_order_is_z_then_x_then_y() -> None:
    assert ROTATION_ORDERS[Channel(node=0, path=Path.EULER, curves=()).rotation_order] == (2, 0, 1)


def test_weights_are_fractions_and_shapes_without_a_curve_keep_the_renderer_s() -> None:
    weights = channel(Path.WEIGHTS, line(0, 100), None, node=BODY)
    assert sample(weights, 0.0, 0.5, 2.0).tolist() == [[0, 1.2], [0.25, 1.2], [1, 1.2]]


def test_without_weights_of_its_own_a_renderer_has_its_mesh_s() -> None:
    asset = moving()
    nodes = [replace(node, weights=()) for node in asset.nodes]
    player = UnityPlayer(replace(asset, nodes=tuple(nodes)))
    assert player.sample(channel(Path.WEIGHTS, None, still(50), node=BODY), np.zeros(1)).tolist() == [[0.5, 0.5]]


def test_weights_stay_in_range_where_the_game_clamps() -> None:
    weights = channel(Path.WEIGHTS, line(-100, 300), still(250), node=BODY)
    asset = replace(moving(), clamp_weights=True)
    found = UnityPlayer(asset).sample(weights, np.array([0.0, 1.0, 2.0]))
    assert found.tolist() == [[0, 1], [1, 1], [1, 1]]
    assert sample(weights, 0.0).tolist() == [[-1, 2.5]]


def test_a_pose_replaces_what_the_clip_moves_and_keeps_the_rest() -> None:
    overrides, weights = UnityPlayer(moving()).pose(walk(), 1.0)
    assert sorted(overrides) == [HIP, KNEE, PROP] and list(weights) == [BODY]
    translation, rotation, scale = overrides[HIP]
    assert list(translation) == [5, 0.5, 2]
    assert list(rotation) == pytest.approx(np.array([1, 1, -1, 3]) / math.sqrt(12))
    assert scale == figure().nodes[HIP].scale
    assert overrides[KNEE][0] == figure().nodes[KNEE].translation
    assert list(overrides[KNEE][1]) == pytest.approx([0, math.sin(math.pi / 8), 0, math.cos(math.pi / 8)])
    assert list(overrides[KNEE][2]) == [2, 3, 4]
    assert weights[BODY] == (0.5, 1.2)


def test_many_times_at_once_are_the_same_as_one_by_one() -> None:
    player, times = UnityPlayer(moving()), np.linspace(-0.5, 2.5, 13)
    assert player.poses(walk(), times) == [player.pose(walk(), time) for time in times]


def test_a_curve_without_a_jump_is_smooth_across_its_keys() -> None:
    smooth = channel(Path.TRANSLATION, curve((0, 0, 1, 2, 3), (1, 2, 3, 5, 0), end=(2, 5)))
    times = np.linspace(0.999, 1.001, 21)
    values = raw_values(smooth, times)[:, 0]
    assert all(abs((b - a) - 3e-4) < 1e-6 for a, b in pairwise(values.tolist()))


def test_only_assets_in_unity_space_are_played() -> None:
    with pytest.raises(ValueError, match="Unity space"):
        UnityPlayer(replace(figure(), space=Space.GLTF))
