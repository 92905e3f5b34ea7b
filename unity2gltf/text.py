"""Numbers in sentences for people: diagnostics, summaries and the page say them in one way."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 asset``, ``1,234 assets``; ``many`` where the plural does not just add an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def millimetres(metres: float) -> str:
    """A small length: ``9.2 mm``, ``1,250.0 mm``, ``0.031 mm``."""
    length = 1000.0 * metres
    return f"{length:,.1f} mm" if length >= 1 else f"{length:.2g} mm"
