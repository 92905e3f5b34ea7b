"""What a bone hangs in: from the skeleton's axes to those of the node's parent."""

from __future__ import annotations

import numpy as np

from tests.unit.normalize.humanoid.sticks import BACK_Y, HALF, QUARTER_X, QUARTER_Y, STRAIGHT, close, same_turn
from unity2gltf.normalize.humanoid.place import Frame

FRAME = Frame(position=np.array([1.0, 2.0, 3.0]), rotation=np.array(QUARTER_Y), scale=np.array([2.0, 4.0, -5.0]))


def test_nothing_between_changes_nothing() -> None:
    positions, rotations = Frame.still().inside(np.array([[1.0, 2.0, 3.0]]), np.array([QUARTER_X]))
    assert positions.tolist() == [[1.0, 2.0, 3.0]] and rotations.tolist() == [list(QUARTER_X)]


def test_a_moved_turned_and_stretched_object_is_taken_off() -> None:
    """(2, 6, 8) is (1, 4, 5) from the object; a quarter back about y makes that (-5, 4, 1), and its scale (-2.5, 1,
    -0.2). Of a quarter about x it is Ry(-90) Rx(90)."""
    positions, rotations = FRAME.inside(np.array([[2.0, 6.0, 8.0], [1.0, 2.0, 3.0]]), np.array([QUARTER_X, QUARTER_Y]))
    close(positions, [(-2.5, 1, -0.2), (0, 0, 0)])
    same_turn(rotations, [(0.5, -0.5, 0.5, 0.5), STRAIGHT])


def test_rotations_alone() -> None:
    same_turn(FRAME.rotation_inside(np.array([STRAIGHT, (0.0, 1.0, 0.0, 0.0)])), [BACK_Y, (0, HALF, 0, HALF)])
