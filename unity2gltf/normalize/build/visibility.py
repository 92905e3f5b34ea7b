"""Flags of objects and components as KHR_node_visibility."""

from __future__ import annotations

import numpy as np

from ...ir import Channel, Curve, Path
from ..clips.decoded import DecodedCurve

NODE = "{node}"  # stands for the node's index until the nodes have their last numbers
VISIBLE = f"/nodes/{NODE}/extensions/KHR_node_visibility/visible"


def visibility(node: int, curve: DecodedCurve) -> Channel:
    """The channel that shows and hides a node by a curve of Unity's flag."""
    return Channel(node=node, path=Path.POINTER, curves=(_truth(curve.curves[0]),), pointer=VISIBLE)


def _truth(curve: Curve) -> Curve:
    """0 or 1, stepping where the curve's keys do."""
    coefficients = np.zeros_like(curve.coefficients)
    coefficients[:, 3] = curve.coefficients[:, 3] != 0
    return Curve(times=curve.times, coefficients=coefficients)
