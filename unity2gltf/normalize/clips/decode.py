"""A clip as stored to curves in clip time: :func:`decode_clip`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ... import codes
from ...diagnostics import Code, Diagnostics
from ...ir import Curve
from ...raw import RawClip, RawEvent
from ...text import counted
from . import compiled, keyed
from .decoded import DecodedClip, DecodedCurve
from .muscles import ROOT_CURVES

_NOTES = frozenset(("moving", "unlanded", "repeated", "repeated groups", "compressed", "truncated"))
"""What a tally counts besides faults."""


def decode_clip(raw: RawClip, diagnostics: Diagnostics) -> DecodedClip:
    """Every curve of the clip as exact cubics on [0, duration], muscle curves apart.

    The compiled form when there is one with bindings, else the curves by path. Broken parts are left out and
    reported with their numbers; the caller has entered the clip's place.
    """
    tally: Counter[str] = Counter()
    start, stop = _span(raw, tally)
    if raw.compiled is not None and (raw.bindings or not raw.curves):
        stop = max(start, stop)
        curves, muscles = compiled.compiled_curves(raw, raw.compiled, start, stop, tally)
        _note(diagnostics, codes.CLIP_DUPLICATE, len(raw.curves), "curve", "by path beside the compiled ones in use")
    else:
        curves, muscles, start, stop = keyed.keyed_curves(raw, start, stop, tally, diagnostics)
    events = tuple(_shifted(event, start) for event in raw.events if math.isfinite(event.time))
    tally["events without a time"] += len(raw.events) - len(events)
    _report(tally, curves, diagnostics)
    return DecodedClip(
        name=raw.name,
        source=raw.source,
        kind=_kind(raw, curves, muscles),
        duration=stop - start,
        curves=tuple(curves),
        events=events,
        sample_rate=_rate(raw),
        extras=_extras(raw, start, stop, muscles, curves),
        muscles={name: curve for name, curve in muscles.items() if curve is not None},
        lost_muscles=tuple(name for name, curve in muscles.items() if curve is None),
        humanoid=raw.muscles,
    )


def _span(raw: RawClip, tally: Counter[str]) -> tuple[float, float]:
    """Start and stop as stored; a time that is not finite, or a stop before the start, is counted and mended."""
    start = raw.start if math.isfinite(raw.start) else 0.0
    stop = raw.stop if math.isfinite(raw.stop) else start
    is_broken = (start, stop) != (raw.start, raw.stop) or stop < start
    tally["starts or stops that are no time"] += is_broken and not raw.legacy
    return start, stop


def _shifted(event: RawEvent, start: float) -> RawEvent:
    return replace(event, time=event.time - start)


def _kind(raw: RawClip, curves: list[DecodedCurve], muscles: Mapping[str, Curve | None]) -> str:
    """Generic clips have root curves, too, which say where their root node is."""
    if muscles.keys() - set(ROOT_CURVES) or (muscles and not curves):
        return "humanoid"
    if not curves:
        return "empty"
    return "legacy" if raw.legacy else "generic"


def _rate(raw: RawClip) -> float:
    return raw.sample_rate if math.isfinite(raw.sample_rate) else 0.0


def _extras(
    raw: RawClip, start: float, stop: float, muscles: Mapping[str, Curve | None], curves: list[DecodedCurve]
) -> dict[str, Any]:
    references = sum(curve.discrete and not curve.curves for curve in curves)
    return {
        "sample_rate": _rate(raw),
        "wrap": raw.wrap_mode,
        "start": start,
        "stop": stop,
        **({"muscles": len(muscles)} if muscles else {}),
        **({"reference_curves": references} if references else {}),
        **{name: value for name, value in raw.flags.items() if _is_json(value)},
    }


def _is_json(value: Any) -> bool:
    return isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value))


# --- what is told -------------------------------------------------------------------------------------------------


def _report(tally: Counter[str], curves: list[DecodedCurve], diagnostics: Diagnostics) -> None:
    faults = {name: count for name, count in sorted(tally.items()) if count and name not in _NOTES}
    if tally["truncated"]:
        diagnostics.add(codes.CLIP_TRUNCATED, "the streamed curves end before their last frame; whole records are kept")
    if faults:
        listed = ", ".join(f"{count} {name}" for name, count in faults.items())
        diagnostics.add(codes.CLIP_INVALID, f"left out or mended: {listed}", **_identifiers(faults))
    _note(
        diagnostics, codes.CLIP_UNLANDED, tally["unlanded"], "segment", "short of the next key", moving=tally["moving"]
    )
    groups = tally["repeated groups"]
    _note(diagnostics, codes.CLIP_REPEATED, tally["repeated"], "record", "beside another of its frame", groups=groups)
    bent = [curve for curve in curves if not curve.exact]
    worst = max((curve.error for curve in bent), default=0.0)
    _note(diagnostics, codes.CLIP_RESAMPLED, len(bent), "curve", "with weighted tangents", error=worst)
    _note(diagnostics, codes.CLIP_COMPRESSED, tally["compressed"], "rotation curve", "in compressed form")


def _note(diagnostics: Diagnostics, code: Code, count: int, what: str, how: str, **data: Any) -> None:
    if count:
        diagnostics.add(code, f"{counted(count, what)} {how}", count=count, **data)


def _identifiers(counts: dict[str, int]) -> dict[str, int]:
    return {name.replace(" ", "_"): count for name, count in counts.items()}
