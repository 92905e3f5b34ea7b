"""How far a run is, by the bytes of its content roots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..pipeline import AssetResult, Job
from .records import RootKey

HIERARCHY_SHARE = 0.8  # of a root's work, at a guess; the rest is for meshes that nothing uses


@dataclass(frozen=True, slots=True)
class Step:
    """One job is done. ``results`` are empty when there was nothing to show; ``fraction`` of the run is behind us, 0 to
    1."""

    job: Job
    results: list[AssetResult]
    fraction: float


Progress = Callable[[Step], None]


class Meter:
    """``sizes``: bytes by content root. A root counts as its jobs get done."""

    def __init__(self, sizes: dict[RootKey, int]) -> None:
        self._sizes = sizes
        self._total = sum(sizes.values()) or 1
        self._shares: dict[RootKey, float] = {}
        self._sum = 0.0

    def done(self, root: RootKey, share: float) -> float:
        """The fraction of the run that is done, now that ``share`` (0 to 1) of the root is."""
        self._sum += self._sizes[root] * (share - self._shares.get(root, 0.0))
        self._shares[root] = share
        return min(self._sum / self._total, 1.0)
