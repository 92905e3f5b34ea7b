"""A decoded clip: curves in Unity's units, not yet bound to nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...ir import Curve
from ...raw import RawEvent, RawMuscles
from ...source import Source

TRANSFORM, ANIMATOR, SKINNED_RENDERER = 4, 95, 137  # Unity's class ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecodedCurve:
    """The curves of one binding, in clip time (0 = start) and Unity's units.

    ``path`` is known text in legacy and editor form, else None; ``path_hash`` its CRC-32 (0 = the rig's own object);
    ``type_id`` Unity's class id (4 Transform, 137 SkinnedMeshRenderer, 95 Animator ...). ``attribute``: ``position``,
    ``rotation``, ``euler`` or ``scale`` of a Transform (3, 4, 3, 3 ``curves``); else the property's text, or its hash
    in compiled clips (1 curve). ``discrete``: integers or references, whose values step; references in editor form
    have no curves. ``exact`` False: the curves are within ``error`` of what Unity plays.
    """

    path: str | None
    path_hash: int
    type_id: int
    attribute: str | int
    custom_type: int
    curves: tuple[Curve, ...]
    rotation_order: int = 4
    discrete: bool = False
    exact: bool = True
    error: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecodedClip:
    """``kind``: legacy, generic, humanoid (it has muscle curves) or empty. ``events`` are in clip time.
    ``sample_rate``: frames a second, 0 where it is no number. ``extras``: sample_rate, wrap, original start and stop,
    Unity's loop and root-motion flags, number of muscle curves. ``muscles``: muscle, root and goal curves by name (see
    ``muscles.NAMES``); ``lost_muscles``: those that could not be read; ``humanoid``: what the clip says of them."""

    name: str
    source: Source
    kind: str
    duration: float
    curves: tuple[DecodedCurve, ...]
    events: tuple[RawEvent, ...] = ()
    sample_rate: float = 0.0
    extras: Mapping[str, Any] = field(default_factory=dict)
    muscles: Mapping[str, Curve] = field(default_factory=dict)
    lost_muscles: tuple[str, ...] = ()
    humanoid: RawMuscles = field(default_factory=RawMuscles)
