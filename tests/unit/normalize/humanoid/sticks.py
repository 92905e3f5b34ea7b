"""The stick figure as a body, and what its tests ask of turns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from tests.builders.humans import Joint, human, stick, with_masses
from tests.builders.raw import avatar as generic_avatar
from tests.builders.raw import source
from unity2gltf.ir import Curve
from unity2gltf.math3d import Array
from unity2gltf.normalize.humanoid.body import Body, make_body
from unity2gltf.raw import RawAvatar, RawHuman

HALF, THIRD, SIXTH = math.sqrt(1 / 2), math.sqrt(1 / 3), math.sqrt(1 / 6)
STRAIGHT = (0.0, 0.0, 0.0, 1.0)
QUARTER_X, QUARTER_Y, QUARTER_Z = (HALF, 0.0, 0.0, HALF), (0.0, HALF, 0.0, HALF), (0.0, 0.0, HALF, HALF)
"""Quarter turns: y to z, z to x, x to y."""

BACK_X, BACK_Y, BACK_Z = (-HALF, 0.0, 0.0, HALF), (0.0, -HALF, 0.0, HALF), (0.0, 0.0, -HALF, HALF)
"""The same the other way."""

HEAD = {"Head": 1.0}
"""All the mass at one joint, 1.8 m high, 0.8 m above the hips."""

NODES = {name: number for number, name in enumerate(stick())}


def turn(axis: str, degrees: float) -> tuple[float, float, float, float]:
    """About an axis of the world."""
    half = math.radians(degrees) / 2
    x, y, z = (math.sin(half) * (axis == name) for name in "xyz")
    return x, y, z, math.cos(half)


def avatar(record: RawHuman | None, name: str = "Stick", path_id: int = 400) -> RawAvatar:
    """An Avatar that has this human part, and says nothing else."""
    empty = generic_avatar(path_id, [])
    values = {field: getattr(empty, field) for field in ("parents", "ids", "positions", "rotations", "scales", "tos")}
    return RawAvatar(source=source(path_id, "Avatar"), name=name, human=record, **values)


def body(joints: Mapping[str, Joint] | None = None, masses: Mapping[str, float] = HEAD, **fields: Any) -> Body:
    """The stick, or other ``joints``, ready for posing. ``fields`` replace those of the record."""
    return make_body(avatar(human(with_masses(stick() if joints is None else joints, **masses), **fields)))


def steady(**values: float) -> dict[str, Array]:
    """Muscle values at one time; names with blanks and dots by ``**{..}``."""
    return {name: np.array([value]) for name, value in values.items()}


def same_turn(found: ArrayLike, wanted: ArrayLike, within: float = 1e-6) -> None:
    """Unit quaternions of the same rotation, whatever their sign."""
    one, other = np.broadcast_arrays(np.asarray(found, np.float64), np.asarray(wanted, np.float64))
    signs = np.where((one * other).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
    assert one == pytest.approx(signs * other, abs=within)


def close(found: ArrayLike, wanted: ArrayLike, within: float = 1e-6) -> None:
    assert np.asarray(found) == pytest.approx(
        np.broadcast_to(np.asarray(wanted, np.float64), np.shape(found)), abs=within
    )


def played(curve: Curve, time: float) -> float:
    """A curve at one time, as ``ir.Curve`` says."""
    row = max(int(np.searchsorted(curve.times, time, "right")) - 1, 0)
    d = max(time - float(curve.times[row]), 0.0)
    a, b, c, v = map(float, curve.coefficients[row])
    return ((a * d + b) * d + c) * d + v
