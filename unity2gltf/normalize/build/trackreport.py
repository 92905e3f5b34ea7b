"""What is told of a clip's tracks: what is no exact copy of Unity's curves, with the worst error."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ... import codes
from ...ir import Channel, Path, Track
from ...text import counted, millimetres
from .context import AssetContext

EULER_DEGREES = 0.01
"""What is promised of Euler curves that become quaternions."""

SLIGHT = 1e-3
"""Degrees or millimetres of what float32 or a redrawn segment costs a track, which no number of a bake shows."""

Pairs = Sequence[tuple[Channel, Track]]


def report_tracks(bones: Pairs, others: Pairs, without_place: int, context: AssetContext) -> None:
    """``bones``: baked of muscles, whose channels' own errors CLIP_BAKED tells. ``without_place``: how many curves glTF
    has no place for."""
    euler = [track.error for channel, track in others if channel.path is Path.EULER and track.error > 0]
    if euler:
        worst = math.degrees(max(euler))
        coarse = worst > EULER_DEGREES and not context.options.resample_hz
        context.diagnostics.add(
            codes.CLIP_EULER_COARSE if coarse else codes.CLIP_EULER,
            f"{counted(len(euler), 'Euler channel')} became quaternions, within {worst:.2g} degrees",
            count=len(euler),
            max_error_deg=worst,
        )
    off = [(channel.path, track.error) for channel, track in bones if track.error > 0]
    off += [
        (channel.path, max(track.error, channel.error))
        for channel, track in others
        if channel.path is not Path.EULER and (track.error > 0 or not channel.exact)
    ]
    if off:
        _report_resampled(off, context)
    if without_place:
        context.diagnostics.add(
            codes.CLIP_CURVE_KEPT,
            f"{counted(without_place, 'curve')} without a place in glTF kept in the extras",
            count=without_place,
        )


def _report_resampled(off: Sequence[tuple[Path, float]], context: AssetContext) -> None:
    turned = math.degrees(_worst(off, Path.ROTATION))
    moved = _worst(off, Path.TRANSLATION)
    other = _worst(off, *(path for path in Path if path not in (Path.ROTATION, Path.TRANSLATION)))
    parts = (
        [f"{turned:.2g} degrees"] * (turned > 0) + [millimetres(moved)] * (moved > 0) + [f"{other:.2g}"] * (other > 0)
    )
    context.diagnostics.add(
        codes.CLIP_RESAMPLED,
        f"{counted(len(off), 'channel')} within {', '.join(parts) or '0'} of the game's curves",
        count=len(off),
        max_error=max(error for _, error in off),
        max_rotation_deg=turned,
        max_translation_m=moved,
    )


def _worst(off: Sequence[tuple[Path, float]], *paths: Path) -> float:
    return max((error for path, error in off if path in paths), default=0.0)


def between_keys(report: Mapping[str, Any], bones: Pairs) -> dict[str, float]:
    """A bake's numbers of what lies between keys, as the tracks of its ``bones`` have it: those that were resampled are
    further off."""
    baked: dict[str, float] = report["between_keys"]
    added = [(channel.path, track.error) for channel, track in bones]
    turned, moved = math.degrees(_worst(added, Path.ROTATION)), 1000 * _worst(added, Path.TRANSLATION)
    if turned < SLIGHT and moved < SLIGHT:
        return baked
    more = {"max_deg": turned, "hips_mm": moved}  # the mean was not measured anew
    return {name: float(f"{baked[name] + extra:.5g}") for name, extra in more.items()}
