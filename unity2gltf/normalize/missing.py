"""How a reference that leads nowhere is reported."""

from __future__ import annotations

from .. import codes
from ..diagnostics import Code, Diagnostics
from ..source import Missing


def report_missing(missing: Missing, what: str, diagnostics: Diagnostics, code: Code | None = None) -> None:
    """One sentence that names the file wanted, under the ``code`` of its kind or one that tells why it is missing."""
    why = codes.REFERENCE_AMBIGUOUS if missing.reason == "ambiguous" else codes.REFERENCE_MISSING
    diagnostics.add(
        code or why,
        f"{what} not found: {missing}",
        wanted=missing.file,
        path_id=str(missing.path_id),
        reason=missing.reason,
    )
