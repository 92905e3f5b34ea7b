"""MSFT_lod: lower levels of detail of a node, and in its extras down to which screen coverage each level is shown.

Unity's numbers are heights relative to the screen's; the extension leaves open how coverage is measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir import Node
from .hooks import Json

if TYPE_CHECKING:
    from ..context import Context

NAME = "MSFT_lod"
COVERAGE = "MSFT_screencoverage"


def node_levels(context: Context, node: Node) -> Json:
    """A node's extensions, for its levels."""
    if not node.levels:
        return {}
    context.extensions.add(NAME)
    return {NAME: {"ids": list(node.levels)}}


def level_extras(node: Node) -> dict[str, Any]:
    """What stands in the extras beside ``unity``."""
    return {COVERAGE: list(node.coverages)} if node.levels and node.coverages else {}
