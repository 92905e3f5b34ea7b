"""Chains of nodes, from one up to what it hangs on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..ir import Node
from ..math3d import Array, compose


def ancestors(nodes: Sequence[Node], index: int) -> list[int]:
    """The node, its parent, and so on up to its root."""
    chain = []
    while index >= 0:
        chain.append(index)
        index = nodes[index].parent
    return chain


def chain_matrix(nodes: Sequence[Node], chain: Iterable[int]) -> Array:
    """(4, 4) from the space of the first node of a chain upwards to above its last."""
    matrix: Array = np.eye(4)
    for index in chain:
        node = nodes[index]
        matrix = compose(node.translation, node.rotation, node.scale) @ matrix
    return matrix
