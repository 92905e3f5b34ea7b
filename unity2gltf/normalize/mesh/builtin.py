"""Unity's built-in meshes, generated: for games whose ``unity default resources`` is absent.

Sizes, vertex counts, UV directions and winding are those of Unity's own; vertex order and the lightmap UVs are not
kept. Unity is left-handed and draws clockwise faces, so that (b - a) x (c - a), by components, points outward.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...ir import Geometry, Submesh, Topology
from ...source import Source

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SPHERE_CELLS = 8  # of each of the six faces of the cube that is blown up to the sphere, along one side
CYLINDER_SIDES = 20
PLANE_CELLS = 10

# Normal, direction of u, direction of v of the cube's faces; v x u is the normal.
CUBE_FACES = (
    ((0, 0, 1), (-1, 0, 0), (0, 1, 0)),
    ((0, 1, 0), (-1, 0, 0), (0, 0, -1)),
    ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
    ((0, -1, 0), (-1, 0, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, 0, -1), (0, 1, 0)),
    ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A piece of a mesh: positions and normals (N, 3), UVs (N, 2), triangles (T, 3)."""

    positions: Floats
    normals: Floats
    uvs: Floats
    triangles: Ints


def _tangents(part: _Part) -> Floats:
    """(N, 4) unit vectors along u in the surface, and the sign with which normal x tangent points along v."""
    corners, uvs = part.positions[part.triangles], part.uvs[part.triangles]
    edges, steps = corners[:, 1:] - corners[:, :1], uvs[:, 1:] - uvs[:, :1]
    area = steps[:, 0, 0] * steps[:, 1, 1] - steps[:, 0, 1] * steps[:, 1, 0]
    sign = np.where(area < 0, -1.0, 1.0)[:, None]  # triangles weigh by their size, as edges do
    faces = {"u": (steps[:, 1, 1], -steps[:, 0, 1]), "v": (-steps[:, 1, 0], steps[:, 0, 0])}
    along = {}
    for axis, (first, second) in faces.items():
        direction = (edges[:, 0] * first[:, None] + edges[:, 1] * second[:, None]) * sign
        along[axis] = np.zeros_like(part.positions)
        np.add.at(along[axis], part.triangles, direction[:, None])
    normals = part.normals
    tangents = along["u"] - normals * (along["u"] * normals).sum(axis=1, keepdims=True)
    lengths = np.linalg.norm(tangents, axis=1, keepdims=True)
    tangents = np.where(lengths > 0, tangents / np.where(lengths > 0, lengths, 1), _any_across(normals))
    sides = (np.cross(normals, tangents) * along["v"]).sum(axis=1)
    return np.column_stack([tangents, np.where(sides < 0, -1.0, 1.0)])


def _any_across(normals: Floats) -> Floats:
    """(N, 3) some unit vector at right angles to each normal: at a pole, where u has no direction."""
    other = np.where(np.abs(normals[:, :1]) > 0.9, (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    across = np.cross(normals, np.cross(other, normals))
    unit: Floats = across / np.linalg.norm(across, axis=1, keepdims=True)
    return unit


def builtin_mesh(path_id: int, source: Source) -> Geometry | None:
    """The built-in mesh of that id in ``unity default resources``, in metres, marked with ``source``; None if there is
    none of that id."""
    if path_id not in BUILTINS:
        return None
    name, build = BUILTINS[path_id]
    part = build()
    return Geometry(
        source=source,
        name=name,
        positions=part.positions.astype(np.float32),
        normals=part.normals.astype(np.float32),
        tangents=_tangents(part).astype(np.float32),
        uvs={0: part.uvs.astype(np.float32)},
        submeshes=(
            Submesh(number=0, topology=Topology.TRIANGLES, indices=part.triangles.reshape(-1).astype(np.uint32)),
        ),
        bind_poses=np.zeros((0, 4, 4), np.float32),
        bone_hashes=np.zeros(0, np.uint32),
    )


def _join(parts: list[_Part]) -> _Part:
    starts = np.cumsum([0, *(len(part.positions) for part in parts)])
    return _Part(
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.uvs for part in parts]),
        np.concatenate([part.triangles + start for part, start in zip(parts, starts[:-1], strict=True)]),
    )


def _grid_triangles(rows: int, columns: int) -> Ints:
    """Two triangles a cell of a grid of vertices whose rows follow v and columns u."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
    up, across = corner + columns, corner + 1
    return np.stack([corner, up, up + 1, corner, up + 1, across], axis=1).reshape(-1, 3)


def _flat(normal: tuple[int, ...], u: tuple[int, ...], v: tuple[int, ...], size: float, cells: int) -> _Part:
    """A square of ``size`` metres about the origin, of ``cells`` x ``cells`` cells."""
    steps = np.linspace(0.0, 1.0, cells + 1)
    uvs = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    positions = size * ((uvs[:, :1] - 0.5) * np.array(u) + (uvs[:, 1:] - 0.5) * np.array(v))
    normals = np.tile(np.array(normal, np.float64), (len(uvs), 1))
    return _Part(positions, normals, uvs, _grid_triangles(cells + 1, cells + 1))


def _cube() -> _Part:
    parts = []
    for normal, u, v in CUBE_FACES:
        part = _flat(normal, u, v, 1.0, 1)
        parts.append(_Part(part.positions + 0.5 * part.normals, part.normals, part.uvs, part.triangles))
    return _join(parts)


def _cylinder() -> _Part:
    """The texture goes round twice. One side has a strip of its own, as in Unity's."""
    strips = [_side(0, 1), _side(1, CYLINDER_SIDES // 2), _side(CYLINDER_SIDES // 2, CYLINDER_SIDES)]
    return _join([*strips, _cap(1.0), _cap(-1.0)])


def _side(first: int, last: int) -> _Part:
    """The cylinder's sides from number ``first`` to ``last``, counted from -X towards -Z."""
    numbers = np.arange(first, last + 1)
    angles = numbers * (2 * np.pi / CYLINDER_SIDES)
    outward = np.stack([-np.cos(angles), np.zeros(len(angles)), -np.sin(angles)], axis=1)
    half = CYLINDER_SIDES / 2
    u = (numbers - first // half * half) / half
    positions = np.concatenate([0.5 * outward + [0, height, 0] for height in (-1, 1)])
    uvs = np.concatenate([np.stack([u, np.full(len(u), v)], axis=1) for v in (0.0, 1.0)])
    return _Part(positions, np.tile(outward, (2, 1)), uvs, _grid_triangles(2, len(u)))


def _cap(up: float) -> _Part:
    """A disc at y = ``up``, its centre last; u runs to -X above and to +X below."""
    angles = np.arange(CYLINDER_SIDES) * (2 * np.pi / CYLINDER_SIDES)
    rim = 0.5 * np.stack([np.cos(angles), np.zeros(len(angles)), np.sin(angles)], axis=1)
    positions = np.concatenate([rim, np.zeros((1, 3))]) + np.array([0, up, 0])
    uvs = np.stack([0.5 - up * positions[:, 0], 0.5 - positions[:, 2]], axis=1)
    this = np.arange(CYLINDER_SIDES)
    following, centre = np.roll(this, -1), np.full(CYLINDER_SIDES, CYLINDER_SIDES)
    triangles = np.stack([following, this, centre] if up > 0 else [this, following, centre], axis=1)
    return _Part(positions, np.tile([0.0, up, 0.0], (len(positions), 1)), uvs, triangles)


def _plane() -> _Part:
    return _flat((0, 1, 0), (-1, 0, 0), (0, 0, -1), 10.0, PLANE_CELLS)


def _quad() -> _Part:
    return _flat((0, 0, -1), (1, 0, 0), (0, 1, 0), 1.0, 1)


def _sphere() -> _Part:
    """The texture's seam is at -X."""
    part = _join([_face(face, 0.0) for face in CUBE_FACES])
    x, y, z = part.normals.T
    return _with_seam(part, np.arctan2(-z, -x) / (2 * np.pi) % 1.0, 0.5 + np.arcsin(y) / np.pi)


def _capsule() -> _Part:
    """The texture's seam is at +X."""
    part = _join([_face(face, 0.5) for face in CUBE_FACES])
    x, _, z = part.normals.T
    return _with_seam(part, np.arctan2(z, x) / (2 * np.pi) % 1.0, 0.5 + 0.5 * part.positions[:, 1])


def _face(face: tuple[tuple[int, int, int], ...], lift: float) -> _Part:
    """One face of a cube, blown up to a sphere of radius 0.5 whose halves are moved ``lift`` up and down.

    With a lift the faces at the sides have the equator twice, with the straight wall between. UVs are left 0.
    """
    normal, u, v = (np.array(axis, np.float64) for axis in face)
    columns = rows = np.tan(np.linspace(-np.pi / 4, np.pi / 4, SPHERE_CELLS + 1))
    half = SPHERE_CELLS // 2
    ups = np.full(len(rows), normal[1])
    if lift and normal[1] == 0:
        rows = np.concatenate([rows[: half + 1], rows[half:]])
        ups = v[1] * np.repeat([-1.0, 1.0], half + 1)
    points = normal + rows[:, None, None] * v + columns[:, None] * u
    normals = (points / np.linalg.norm(points, axis=-1, keepdims=True)).reshape(-1, 3)
    positions = 0.5 * normals
    positions[:, 1] += lift * np.repeat(ups, len(columns))
    triangles = _grid_triangles(len(rows), len(columns))
    if lift == 0 and normal[1] < 0:
        triangles = _toward_centre(triangles)
    return _Part(positions, normals, np.zeros((len(normals), 2)), triangles)


def _toward_centre(triangles: Ints) -> Ints:
    """A face's triangles with the two cells turned whose diagonal passes by the centre: the bottom of Unity's sphere
    has eight triangles at its pole and the top six, which is why it has 515 vertices."""
    turned = triangles.reshape(SPHERE_CELLS, SPHERE_CELLS, 6).copy()
    half = SPHERE_CELLS // 2
    for row, column in ((half - 1, half), (half, half - 1)):
        corner, up, opposite, _, _, across = turned[row, column]
        turned[row, column] = [corner, up, across, up, opposite, across]
    return turned.reshape(-1, 3)


def _with_seam(part: _Part, u: Floats, v: Floats) -> _Part:
    """Wrap a texture round: vertices on the seam (u = 0) also at u = 1, and at the poles one a triangle, at the middle
    of its other two."""
    corners = part.triangles
    around = u[corners]
    poles = np.hypot(part.normals[:, 0], part.normals[:, 2])[corners] < 1e-9
    around[poles] = np.nan
    high = np.nanmax(around, axis=1, keepdims=True)
    around[(high - around) > 0.5] += 1.0
    middle = np.nanmean(around, axis=1)
    around[poles] = np.broadcast_to(middle[:, None], around.shape)[poles]
    keys = np.stack([corners.reshape(-1), around.reshape(-1)], axis=1)
    unique, places = np.unique(keys, axis=0, return_inverse=True)
    vertices = unique[:, 0].astype(np.int64)
    uvs = np.stack([unique[:, 1], v[vertices]], axis=1)
    return _Part(part.positions[vertices], part.normals[vertices], uvs, places.reshape(-1, 3))


BUILTINS: dict[int, tuple[str, Callable[[], _Part]]] = {
    10202: ("Cube", _cube),
    10206: ("Cylinder", _cylinder),
    10207: ("Sphere", _sphere),
    10208: ("Capsule", _capsule),
    10209: ("Plane", _plane),
    10210: ("Quad", _quad),
}
