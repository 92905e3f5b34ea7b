"""Vertex attributes and morph target deltas of a file, compared value by value with a geometry in Unity space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ir import BlendFrame, Geometry
from .mirror import mirrored_points

Check = Callable[[NDArray[Any]], str | None]
"""Takes the values of an accessor and returns what is wrong with them, or None."""

UNIT_TOLERANCE = 1e-6
"""Components of unit vectors: a rounded division moves them by less than 1.2e-7, length included."""

COLOR_TOLERANCE = 0.5 / 255 + 1e-6
"""Colours may become bytes."""


def expected_attributes(geometry: Geometry, *, vertex_colors: bool, points: bool) -> tuple[dict[str, Check], set[str]]:
    """A check for every attribute that a primitive of ``geometry`` must have, and the names that may be absent.

    JOINTS_n and WEIGHTS_n are not among them: posing proves them. ``points``: the primitive draws points, where glTF
    has no use for tangents. UV sets are numbered without gaps in the order of Unity's.
    """
    checks: dict[str, Check] = {"POSITION": _same(mirrored_points(geometry.positions))}
    optional: set[str] = set()
    if geometry.normals is not None:
        checks["NORMAL"] = _directions(geometry.normals)
    if geometry.tangents is not None:
        checks["TANGENT"] = _tangents(geometry.tangents)
        if geometry.normals is None or points:
            optional.add("TANGENT")
    for written, (number, uv) in enumerate(sorted(geometry.uvs.items())):
        flipped = _flipped(uv)
        checks[f"TEXCOORD_{written}"] = _same(flipped[:, :2])
        if uv.shape[1] > 2:
            checks[f"_UV{number}"] = _same(flipped)
    if geometry.colors is not None:
        checks["COLOR_0" if vertex_colors else "_COLOR"] = _colors(geometry.colors)
    return checks, optional


def expected_target(geometry: Geometry, frame: BlendFrame) -> dict[str, Check]:
    """Checks for the normal and tangent deltas of one frame. Position deltas are proven by morphing."""
    checks: dict[str, Check] = {}
    deltas: Mapping[str, NDArray[np.float32] | None] = {"NORMAL": frame.normals, "TANGENT": frame.tangents}
    for semantic, values in deltas.items():
        dense = np.zeros((geometry.vertex_count, 3))
        if values is not None:
            np.add.at(dense, frame.indices, values.astype(np.float64))
        checks[semantic] = _same(mirrored_points(dense))
    return checks


def _same(wanted: NDArray[Any]) -> Check:
    def check(found: NDArray[Any]) -> str | None:
        if found.shape != wanted.shape:
            return f"its shape is {found.shape}, wanted is {wanted.shape}"
        wrong = np.flatnonzero(np.any(found != wanted, axis=1))
        if not len(wrong):
            return None
        first = wrong[0]
        return f"{len(wrong)} of {len(found)} differ, the first is {found[first].tolist()} at vertex {first}"

    return check


def _directions(wanted: NDArray[np.float32]) -> Check:
    """Mirrored unit vectors. What had no direction in Unity may have any."""

    def check(found: NDArray[Any]) -> str | None:
        if found.shape != wanted.shape:
            return f"its shape is {found.shape}, wanted is {wanted.shape}"
        mirrored = mirrored_points(wanted)
        lengths = np.linalg.norm(mirrored, axis=1)
        directed = lengths > 1e-20
        unit = mirrored / np.where(directed, lengths, 1.0)[:, None]
        given = found / np.maximum(np.linalg.norm(found.astype(np.float64), axis=1), 1e-30)[:, None]
        wrong = np.flatnonzero(directed & ~(np.abs(given - unit).max(axis=1, initial=0.0) <= UNIT_TOLERANCE))
        if not len(wrong):
            return None
        return f"{len(wrong)} of {len(found)} point elsewhere, the first is {found[wrong[0]].tolist()} at {wrong[0]}"

    return check


def _tangents(wanted: NDArray[np.float32]) -> Check:
    directions = _directions(wanted[:, :3])

    def check(found: NDArray[Any]) -> str | None:
        if found.shape != wanted.shape:
            return f"its shape is {found.shape}, wanted is {wanted.shape}"
        sign = -np.sign(wanted[:, 3])
        wrong = np.count_nonzero((np.abs(found[:, 3]) != 1) | ((sign != 0) & (found[:, 3] != sign)))
        return f"{wrong} of {len(found)} have the wrong handedness" if wrong else directions(found[:, :3])

    return check


def _colors(wanted: NDArray[np.float32]) -> Check:
    def check(found: NDArray[Any]) -> str | None:
        if found.shape != wanted.shape:
            return f"its shape is {found.shape}, wanted is {wanted.shape}"
        worst = float(np.abs(found - wanted.astype(np.float64)).max(initial=0.0))
        return None if worst <= COLOR_TOLERANCE else f"colours are up to {worst:.4g} off"

    return check


def _flipped(uv: NDArray[np.float32]) -> NDArray[np.float32]:
    """v runs down in glTF: 1 - v, rounded once to float32."""
    result = uv.copy()
    result[:, 1] = (1.0 - uv[:, 1].astype(np.float64)).astype(np.float32)
    return result
