"""Clips by keys: which curve is what, and the clip's own span of time."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Curve
from ...math3d import name_hash
from ...raw import RawClip, RawCurve
from .decoded import ANIMATOR, TRANSFORM, DecodedCurve
from .legacy import KeyedCurve, finished_curves, key_span, keyed_curve
from .muscles import NAMES

MAX_EXTENDED = 1 << 18
"""Segments that the infinity modes may make in one clip (8 MiB of coefficients a component)."""
LEAST_EXTENDED = 256
FREE = re.compile(r"\w+TDOF\.[xyz]")
"""Translations of human bones, of which more may be named than clips number."""


def is_muscle(curve: RawCurve) -> bool:
    """Whether a float curve of the editor's form is a muscle, goal or root curve of a humanoid clip."""
    is_float = curve.kind == "float" and curve.class_id == ANIMATOR
    return is_float and (curve.attribute in NAMES or FREE.fullmatch(curve.attribute) is not None)


def keyed_curves(
    raw: RawClip, start: float, stop: float, tally: Counter[str], diagnostics: Diagnostics
) -> tuple[list[DecodedCurve], dict[str, Curve | None], float, float]:
    """The curves of every path, muscles by name (None: not readable), cut to the clip's span, and that span.

    A legacy clip starts at 0, or at its first key when that is earlier, and ends at its last key; the editor's form
    has its own start and stop, which hold when they are a span.
    """
    found: list[tuple[RawCurve, KeyedCurve | None]] = []
    for curve in raw.curves:
        with diagnostics.guard(codes.CLIP_UNREADABLE, f'{curve.kind} of "{curve.path}"'):
            keys = None if curve.keys is None else keyed_curve(curve.keys, tally)
            if keys is not None or curve.kind == "pptr":
                found.append((curve, keys))
    if raw.legacy or not stop > start:
        start, stop = _span(found)
    limit = max(LEAST_EXTENDED, MAX_EXTENDED // max(1, len(found)))
    decoded = [_decoded(curve, keys, start, stop, limit, tally) for curve, keys in found if not is_muscle(curve)]
    muscles: dict[str, Curve | None] = {curve.attribute: None for curve in raw.curves if is_muscle(curve)}
    for curve, keys in found:
        if keys is not None and is_muscle(curve):
            muscles[curve.attribute] = finished_curves(keys, start, stop, limit, tally)[0]
    return decoded, muscles, start, stop


def _span(found: list[tuple[RawCurve, KeyedCurve | None]]) -> tuple[float, float]:
    first, last = key_span(keys for _, keys in found if keys is not None) or (0.0, 0.0)
    for curve, _ in found:
        if curve.times is not None:
            last = max(last, float(np.max(curve.times[np.isfinite(curve.times)], initial=0.0)))
    return min(first, 0.0), max(last, min(first, 0.0))


def _decoded(
    curve: RawCurve, keys: KeyedCurve | None, start: float, stop: float, limit: int, tally: Counter[str]
) -> DecodedCurve:
    is_transform = curve.kind not in ("float", "pptr")
    return DecodedCurve(
        path=curve.path,
        path_hash=name_hash(curve.path),
        type_id=TRANSFORM if is_transform else curve.class_id,
        attribute=curve.kind if is_transform else curve.attribute,
        custom_type=0,
        curves=() if keys is None else finished_curves(keys, start, stop, limit, tally),
        rotation_order=4 if keys is None else keys.rotation_order,
        discrete=keys is None,
        exact=keys is None or keys.exact,
        error=0.0 if keys is None or not math.isfinite(keys.error) else keys.error,
    )
