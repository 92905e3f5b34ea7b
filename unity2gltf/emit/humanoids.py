"""Which nodes are which bones of a human body, in ``extras.unity``: of the file, and of the node of each rig."""

from __future__ import annotations

from typing import Any

from ..ir import Asset, Humanoid
from .context import Context


def file_extras(asset: Asset) -> dict[str, Any]:
    """``extras`` of the glTF's ``asset``: bones and muscle limits of the first rig; empty without one."""
    return {"unity": _body(asset.humanoids[0])} if asset.humanoids else {}


def rig_extras(context: Context, index: int) -> dict[str, Any]:
    """What stands in ``extras.unity`` of the node of that index, if it is a rig."""
    humanoid = next((item for item in context.asset.humanoids if item.rig == index), None)
    if humanoid is None:
        return {}
    body = _body(humanoid)
    about = {"avatar": context.text(humanoid.avatar), "source": humanoid.source.mark()}
    return {"humanoid": {**about, "bones": body["humanoid"], "muscle_limits": body["muscle_limits"]}}


def _body(humanoid: Humanoid) -> dict[str, Any]:
    limits = {muscle: list(limit) for muscle, limit in humanoid.limits.items()}
    return {"humanoid": dict(humanoid.bones), "muscle_limits": limits}
