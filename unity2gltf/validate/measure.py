"""Errors of compared vertices, and the tolerance that float32 rounding justifies."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

EPS32 = float(np.finfo(np.float32).eps)
SMALLEST32 = float(np.finfo(np.float32).smallest_subnormal)
"""Steps of float32 around 0."""

FACTOR = 32.0
"""Tolerance = FACTOR x eps32 x size, size = the largest coordinate that enters the sums.

Both sides compute in float64 and mirroring is exact, so they can differ only by what was rounded to float32 (half an
eps, u) between them. Counted in u, as shares of size:

* weights: renormalised, each off by 2 u of itself, the largest absorbs the rest, and Unity's stored sum may be 2e-7
  (4 u) away from 1: together below 10 u;
* each node above a joint: a rotation that Unity normalises and a file may carry rounded (4 u on directions), and a
  translation (1 u): chains of ten such joints that all err the same way take 50 u.

That is 60 u; 64 u are 32 eps. A wrong sign, order or index errs by the size of the model itself, a million times more.
"""

MOST_PROBLEMS = 20
LARGEST_ERROR = 1e150
"""Metres; what is beyond counts as not finite, as its square would be."""


def tolerance(size: float) -> float:
    """Metres of difference that rounding explains when coordinates reach ``size`` metres (none if not finite)."""
    return FACTOR * EPS32 * size if size < LARGEST_ERROR else 0.0


@dataclass(slots=True)
class Problems:
    """Sentences on what does not match; beyond :data:`MOST_PROBLEMS` they are only counted."""

    kept: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, sentence: str) -> None:
        self.count += 1
        if len(self.kept) < MOST_PROBLEMS:
            self.kept.append(sentence)

    def sentences(self) -> list[str]:
        more = self.count - len(self.kept)
        return [*self.kept, f"and {more} more"] if more else list(self.kept)


@dataclass(slots=True)
class Spread:
    """Maximum and root mean square of a set of errors, fed in pieces."""

    max_m: float = 0.0
    vertices: int = 0
    _squares: float = 0.0

    def add(self, errors: Array) -> None:
        if len(errors):
            self.max_m = max(self.max_m, float(errors.max()))
            self.vertices += len(errors)
            self._squares += float(np.square(errors).sum())  # a dot product's last digit depends on BLAS's threads

    @property
    def rms_m(self) -> float:
        return math.sqrt(self._squares / self.vertices) if self.vertices else 0.0


@dataclass(slots=True)
class Measure:
    """What the comparisons of one file come to. ``tolerance_m`` is the largest that was granted to any of them."""

    problems: Problems
    exact: Spread = field(default_factory=Spread)
    cut: Spread = field(default_factory=Spread)
    tolerance_m: float = 0.0

    def compare(self, what: str, unity: Array, gltf: Array, limit: float, allowance: Array | None = None) -> None:
        """Compare (V, 3) mirrored Unity positions with the file's. ``allowance`` (V,): metres by which cut influences
        may move a vertex further than ``limit``, NaN where none were cut."""
        if unity.shape != gltf.shape:
            self.problems.add(f"{what}: {len(unity)} vertices in Unity, {len(gltf)} in the file")
            return
        errors = np.sqrt(np.square(unity - gltf).sum(axis=1))
        finite = errors < LARGEST_ERROR
        if not finite.all():
            self.problems.add(f"{what}: {int((~finite).sum())} vertices are not finite")
        self.tolerance_m = max(self.tolerance_m, limit)
        cut = np.zeros(len(errors), bool) if allowance is None else np.isfinite(allowance)
        self.exact.add(errors[finite & ~cut])
        self.cut.add(errors[finite & cut])
        bounds = limit if allowance is None else np.where(cut, allowance, 0.0) + limit
        wrong = finite & (errors > bounds)
        if wrong.any():
            worst = int(np.argmax(np.where(wrong, errors, -1.0)))
            self.problems.add(
                f"{what}: {int(wrong.sum())} of {len(errors)} vertices are up to {errors[worst]:.6g} m off "
                f"(vertex {worst}, tolerance {limit:.3g} m)"
            )

    def cut_json(self) -> dict[str, Any] | None:
        """Displacement by cut influences, or None where nothing was cut."""
        if not self.cut.vertices:
            return None
        return {"max_m": self.cut.max_m, "rms_m": self.cut.rms_m, "vertices": self.cut.vertices}
