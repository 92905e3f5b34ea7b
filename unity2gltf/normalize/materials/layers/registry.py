"""The layers that a row of the table may name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....registry import Registry
from ..maps import Maps
from ..reading import Reading

Layer = Callable[[Reading, Maps], dict[str, Any]]
"""Fields of :class:`ir.Material`; none where the material does not use the layer."""

LAYERS: Registry[str, Layer] = Registry("material layer")
