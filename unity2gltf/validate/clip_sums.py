"""What comparing the clips of one file comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..ir import Path


@dataclass(slots=True)
class Worst:
    """The largest differences of a set of channels, in metres, radians, and the values' own units."""

    channels: int = 0
    by_path: dict[Path, float] = field(default_factory=dict)
    max_vertex_m: float = 0.0

    def add(self, path: Path, error: float) -> None:
        path = Path.ROTATION if path is Path.EULER else path
        self.channels += 1
        self.by_path[path] = max(self.by_path.get(path, 0.0), error)

    def to_json(self) -> dict[str, Any]:
        worst = {path: self.by_path.get(path, 0.0) for path in Path}
        return {
            "max_translation_m": worst[Path.TRANSLATION],
            "max_rotation_deg": float(np.degrees(worst[Path.ROTATION])),
            "max_scale": worst[Path.SCALE],
            "max_weight": worst[Path.WEIGHTS],
            "max_pointer": worst[Path.POINTER],
            "max_vertex_m": self.max_vertex_m,
        }


@dataclass(slots=True)
class ClipSums:
    """Sums of one file. ``times`` at which channels were compared; ``thinned`` channels have more keys than that.

    ``approximate``: channels that are not exact by their own word, compared within the error that they state; its
    maxima include what the curves themselves are said to be off from the game.
    """

    count: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    times: int = 0
    thinned: int = 0
    vertices: int = 0
    exact: Worst = field(default_factory=Worst)
    approximate: Worst = field(default_factory=Worst)

    def to_json(self) -> dict[str, Any] | None:
        """JSON values; None without clips. ``vertices`` counts those posed, a vertex once a pose."""
        if not self.count:
            return None
        return {
            "count": self.count,
            "channels": self.exact.channels + self.approximate.channels,
            "kinds": dict(sorted(self.kinds.items())),
            "times": self.times,
            "thinned": self.thinned,
            "vertices": self.vertices,
            **self.exact.to_json(),
            "approximate": {"channels": self.approximate.channels, **self.approximate.to_json()},
        }
