"""The last lines of ``convert``: what was made, how good it is, and what went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..codes import CODES
from ..diagnostics import Severity
from ..text import counted, millimetres


def result_lines(counts: dict[str, Any], out: Path) -> list[str]:
    """Assets by status, the errors that were measured, and where the report is."""
    assets = counts["assets"]
    told = ", ".join(f"{assets.get(status, 0):,} {status}" for status in ("exact", "lossy", "failed"))
    lines = [f"{counted(sum(assets.values()), 'asset')}: {told}"]
    if counts["max_error_m"] is not None:
        lines.append(f"worst round-trip error {counts['max_error_m']:.3g} m")
    if clips := counts["clips"]:
        worst, furthest = (max(clips[key], clips["approximate"][key]) for key in ("max_rotation_deg", "max_vertex_m"))
        told = f"{counted(clips['count'], 'clip')} of {counted(clips['channels'], 'channel')}"
        lines.append(f"{told}: rotations within {worst:.2g} degrees, vertices within {furthest:.2g} m")
    if counts["max_cut_m"] is not None:
        lines.append(f"influence cuts move vertices by up to {millimetres(counts['max_cut_m'])}")
    if left := _left(counts["contents"]):
        lines.append(f"in no file: {left} (report.json tells why)")
    lines.append(f"report: {out / 'report.json'}  page: {out / 'index.html'}")
    return lines


_PLURALS = {"Mesh": ("mesh", "meshes"), "Texture2D": ("texture", None), "AnimationClip": ("clip", None)}


def _left(contents: dict[str, dict[str, int]]) -> str:
    """What the input holds and no file got, most useful first; avatars are no loss."""
    kinds = ("AnimationClip", "Mesh", "Material", "Texture2D")
    left = ((kind, contents.get(kind, {}).get("skipped", 0)) for kind in kinds)
    return ", ".join(counted(number, *_PLURALS.get(kind, (kind.lower(), None))) for kind, number in left if number)


def trouble(counts: dict[str, Any], out: Path, *, lossy: bool) -> str | None:
    """One line that names all errors, or without any and if ``lossy`` what makes assets lossy; None for none."""
    errors = _found(counts, Severity.ERROR)
    if failed := counts["inputs"].get("failed", 0):
        errors.append(f"{counted(failed, 'input file')} could not be read")
    if errors:
        return f"errors: {', '.join(errors)} (see {out / 'report.json'})"
    losses = _found(counts, Severity.WARNING) if lossy else []
    return f"lossy: {', '.join(losses)} (see {out / 'report.json'})" if losses else None


def _found(counts: dict[str, Any], severity: Severity) -> list[str]:
    return [f"{number:,} {code}" for code, number in counts["diagnostics"].items() if CODES[code].severity is severity]
