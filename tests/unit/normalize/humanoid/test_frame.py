"""What a bone hangs in: from the skeleton's axes to those of the node's parent."""

from __future__ import annotations

import numpy as np

from tests.unit.normalize.humanoid.sticks import BACK_Y, HALF, QUARTER_X, QUARTER_Y, STRAIGHT, close, same_turn
from unity2gltf.normalize.humanoid.frame import Frame, turn_signs

FRAME = Frame(position=np.array([1.0, 2.0, 3.0]), rotation=np.array(QUARTER_Y), scale=np.array([2.0, 4.0, 5.0]))


def test_nothing_between_changes_nothing() -> None:
    positions, rotations = Frame.still().inside(np.array([[1.0, 2.0, 3.0]]), np.array([QUARTER_X]))
    assert positions.tolist() == [[1.0, 2.0, 3.0]] and rotations.tolist() == [list(QUARTER_X)]


def test_a_moved_turned_and_stretched_object_is_taken_off() -> None:
    """(2, 6, 8) is (1, 4, 5) from the object; a quarter back about y makes that (-5, 4, 1), and its scale (-2.5, 1,
    0.2). Of a quarter about x it is Ry(-90) Rx(90)."""
    positions, rotations = FRAME.inside(np.array([[2.0, 6.0, 8.0], [1.0, 2.0, 3.0]]), np.array([QUARTER_X, QUARTER_Y]))
    close(positions, [(-2.5, 1, 0.2), (0, 0, 0)])
    same_turn(rotations, [(0.5, -0.5, 0.5, 0.5), STRAIGHT])


def test_rotations_alone() -> None:
    same_turn(FRAME.rotation_inside(np.array([STRAIGHT, (0.0, 1.0, 0.0, 0.0)])), [BACK_Y, (0, HALF, 0, HALF)])


def test_below_a_mirror_turns_go_the_other_way() -> None:
    """Mirrored along x: what turns about x turns as before, about y and z it turns back. Twice mirrored is a half turn
    about the third axis, thrice is a point mirror, which turns nothing round."""
    mirror = Frame(position=np.zeros(3), rotation=np.array(STRAIGHT), scale=np.array([-1.0, 1.0, 1.0]))
    positions, rotations = mirror.inside(np.array([[1.0, 2.0, 3.0]] * 2), np.array([QUARTER_X, QUARTER_Y]))
    close(positions, [(-1, 2, 3)] * 2)
    same_turn(rotations, [QUARTER_X, BACK_Y])
    assert turn_signs(np.array([-2.0, -3.0, 1.0])).tolist() == [-1, -1, 1, 1]
    assert turn_signs(np.array([-1.0, -1.0, -1.0])).tolist() == [1, 1, 1, 1]


def test_below_a_scale_of_0_a_position_is_none() -> None:
    flat = Frame(position=np.zeros(3), rotation=np.array(STRAIGHT), scale=np.array([0.0, 1.0, 2.0]))
    positions, _ = flat.inside(np.array([[1.0, 2.0, 3.0]]), np.array([STRAIGHT]))
    close(positions, [(0, 2, 1.5)])
