"""Left and right exchanged in a clip's muscle curves, as a clip with Unity's "Mirror" flag plays them."""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import Curve
from ..clips.muscles import GOAL_CURVES, NAMES

_TURNED = frozenset(
    [name for name in NAMES if name.endswith("Left-Right")]
    + [f"{root}{curve}" for root in ("Root", "Motion") for curve in ("T.x", "Q.y", "Q.z")]
)
"""What changes its sign: muscles of the middle that lean or turn to a side, and the root."""


def mirrored(curves: Mapping[str, Curve]) -> dict[str, Curve]:
    """The muscle and root curves with left and right exchanged. Goals are left out: they are told in the axes of their
    bones, which a mirror does not keep."""
    return {
        _other_side(name): _negated(curve) if name in _TURNED else curve
        for name, curve in curves.items()
        if name not in GOAL_CURVES
    }


def _other_side(name: str) -> str:
    for side, other in (("Left", "Right"), ("Right", "Left")):
        if name.startswith(side):
            return other + name.removeprefix(side)
    return name


def _negated(curve: Curve) -> Curve:
    return Curve(times=curve.times, coefficients=-curve.coefficients)
