"""The pedestal as it stands in a scene: with an ornament on its rim and an Animation component that spins it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .figure import Props, add_static
from .hierarchy import Hierarchy, Item
from .meshdata import mesh_fields
from .motion import spin_clip
from .props import ORNAMENT, SWELL, ornament_mesh
from .values import ANIMATION, ANIMATION_CLIP, MESH, SKINNED_MESH_RENDERER, bounds, pptr
from .writer import FileBuilder


@dataclass(frozen=True, slots=True)
class Turntable:
    """Path ids of what makes a pedestal turn."""

    ornament: int
    spin: int


def add_turntable(file: FileBuilder) -> Turntable:
    """The ornament's mesh and the legacy clip."""
    ornament = file.add(MESH, mesh_fields(ornament_mesh(), file))
    return Turntable(ornament, file.add(ANIMATION_CLIP, spin_clip(ORNAMENT, SWELL)))


def place_pedestal(tree: Hierarchy, props: Props, turntable: Turntable, file_id: int = 0) -> Item:
    """The pedestal with its ornament: a SkinnedMeshRenderer without bones, for the sake of its blend shape."""
    pedestal = tree.add("Pedestal")
    add_static(tree, pedestal, props.pedestal, (props.stone,), file_id)
    ornament = tree.add(ORNAMENT, pedestal, position=(0.36, 0.24, 0.0))
    drawn = {
        "m_Mesh": pptr(turntable.ornament, file_id),
        "m_Materials": [pptr(props.stone, file_id)],
        "m_BlendShapeWeights": np.zeros(1, np.float32),
        "m_AABB": bounds(ornament_mesh().positions),
    }
    tree.component(ornament, SKINNED_MESH_RENDERER, drawn)
    spin = pptr(turntable.spin, file_id)
    tree.component(pedestal, ANIMATION, {"m_Animation": spin, "m_Animations": [spin], "m_PlayAutomatically": True})
    return pedestal
