"""The round trip: Unity's side and the written file, posed alike by two evaluators that share nothing, compared.

Nodes and meshes correspond by index. Poses are made in Unity's space and mirrored for the file. Level ``quick``
compares every vertex at rest and in 2 random poses of the joints, each blend shape at its frames, every channel of
every clip at and between its keys, and vertices at 4 times of a clip; ``full`` has 16 random poses, each shape at
more weights, more times between the keys and around jumps, and vertices at 8 times of a clip. The numbers stand in
``poses``, ``clip_times`` and ``clip_vertices``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import codes
from ..diagnostics import Diagnostics
from ..evaluate.document import Gltf
from ..evaluate.fields import GlbError
from ..evaluate.gltf.pose import GltfPoser
from ..ir import Asset
from .claims import check_counts
from .compare import Comparison
from .measure import Problems


@dataclass(slots=True)
class RoundTrip:
    """The outcome. Errors are over all compared vertices whose influences were not cut, in metres; ``poses`` counts
    poses of the whole asset (rest included) and states of single blend shapes. ``cut``: how far cut influences moved
    vertices, or None. ``clips``: see ``clip_sums``; None without any. ``problems`` is empty exactly when it passed."""

    level: str
    max_error_m: float = 0.0
    rms_error_m: float = 0.0
    poses: int = 0
    vertices: int = 0
    tolerance_m: float = 0.0
    passed: bool = False
    cut: dict[str, Any] | None = None
    clips: dict[str, Any] | None = None
    problems: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The fields by name, JSON values only."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def roundtrip(unity: Asset, gltf: Gltf, level: str, *, diagnostics: Diagnostics, max_influences: int) -> RoundTrip:
    """Compare ``unity`` (in Unity space, every influence) with the file read back as ``gltf``.

    ``level`` is quick or full; vertices of more than ``max_influences`` (0 = all) influences may move
    by what the cut explains. Never raises for what is in the file. A failure is reported as ROUNDTRIP_FAILED.
    """
    problems = Problems()
    comparison: Comparison | None = None
    with np.errstate(all="ignore"):  # whatever is not finite becomes a problem of its own
        try:
            poser = GltfPoser(gltf)
            if check_counts(unity, poser, problems):
                comparison = Comparison(unity, poser, level, max_influences, problems)
                comparison.run()
        except GlbError as error:
            problems.add(str(error))
    result = _result(level, comparison, problems)
    if not result.passed:
        _report(result, problems, diagnostics)
    return result


def _result(level: str, comparison: Comparison | None, problems: Problems) -> RoundTrip:
    passed = problems.count == 0
    if comparison is None:
        return RoundTrip(level, passed=passed, problems=problems.sentences())
    measure = comparison.measure
    return RoundTrip(
        level=level,
        max_error_m=measure.exact.max_m,
        rms_error_m=measure.exact.rms_m,
        poses=comparison.poses,
        vertices=measure.exact.vertices + measure.cut.vertices,
        tolerance_m=measure.tolerance_m,
        passed=passed,
        cut=measure.cut_json(),
        clips=comparison.clips.sums.to_json(),
        problems=problems.sentences(),
    )


def _report(result: RoundTrip, problems: Problems, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        codes.ROUNDTRIP_FAILED,
        f"{problems.count} differences; the first: {result.problems[0]}",
        level=result.level,
        max_error_m=result.max_error_m,
        tolerance_m=result.tolerance_m,
        problems=result.problems[:5],
    )
