"""A row of balls and cards with one material each, for the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .figure import add_static
from .hierarchy import Hierarchy, Item
from .materials import Shelf
from .meshdata import MeshContent, mesh_fields, surface_mesh
from .shapes import Surface, ellipsoid, normals
from .showcase import BALLS, BANNER, CARDS, TORN
from .values import MESH

SPACING, FRONT = 0.25, 0.75
RADIUS, HALF_WIDTH, HEIGHT = 0.1, 0.09, 0.24
"""Metres."""

_AHEAD, _BACK = (0.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 0.0)
"""Rotations: none, and half a turn about +Y."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One object of the row: its material's name, and the path ids of mesh and material."""

    name: str
    mesh: int
    material: int


def add_row(shelf: Shelf, *, broken: bool = False) -> list[Shown]:
    """The meshes and materials; ``broken``: with a card whose texture cannot be decoded."""
    ball, card = (shelf.file.add(MESH, mesh_fields(mesh, shelf.file)) for mesh in (ball_mesh(), card_mesh()))
    contents = [(content, ball) for content in BALLS]
    contents += [(content, card) for content in (*CARDS, *([TORN] if broken else []))]
    return [Shown(content.name, mesh, shelf.material(content)) for content, mesh in contents]


def place_row(tree: Hierarchy, row: Sequence[Shown], file_id: int = 0) -> Item:
    """The objects side by side on the ground under one root, ``Materials``; the banner shows its back."""
    root = tree.add("Materials", position=(0.0, 0.0, FRONT))
    for number, shown in enumerate(row):
        place = (SPACING * (number - (len(row) - 1) / 2), 0.0, 0.0)
        item = tree.add(shown.name, root, position=place, rotation=_BACK if shown.name == BANNER.name else _AHEAD)
        add_static(tree, item, shown.mesh, (shown.material,), file_id)
    return root


def ball_mesh() -> MeshContent:
    """A ball that stands on the ground."""
    return _mesh("Ball", ellipsoid((0.0, RADIUS, 0.0), (RADIUS, RADIUS, RADIUS), 24, 17))


def card_mesh() -> MeshContent:
    """An upright rectangle that shows its front towards +Z."""
    corners = [(-1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (-1.0, 1.0)]
    positions = np.array([(x * HALF_WIDTH, y * HEIGHT, 0.0) for x, y in corners])
    uv = np.array([((1.0 - x) / 2, y) for x, y in corners])  # who looks at the front has +X on the left
    return _mesh("Card", Surface(positions, uv, np.array([(0, 1, 2), (0, 2, 3)])))


def _mesh(name: str, surface: Surface) -> MeshContent:
    return surface_mesh(name, surface, normals(surface.positions, surface.triangles))
