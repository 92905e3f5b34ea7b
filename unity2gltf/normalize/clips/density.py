"""How many pieces a segment needs so that readers which ignore tangents, and draw straight lines from key to key,
stay within a tolerance. The curve does not change: the pieces are cut exactly.

A line over a piece of h seconds is off by at most h^2 / 8 times the largest second derivative, and that of a cubic is
largest at an end: the number of pieces follows without trying.
"""

from __future__ import annotations

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...text import counted
from .cubics import Array
from .piecewise import Ints, Spline

MOST_PIECES = 256
"""Pieces of one segment, for the sake of density alone."""

SPARE_KEYS = 65536
"""A track may grow to four times its keys and this many more."""


def whole_pieces(wanted: Array, most: int = MOST_PIECES) -> Ints:
    """Wanted numbers of pieces, rounded up to 1..``most``; what is no number (of broken curves) is 1."""
    pieces: Ints = np.ceil(np.clip(np.nan_to_num(wanted, nan=1.0), 1.0, most)).astype(np.int64)
    return pieces


def limit_total(pieces: Ints, keys: int) -> Ints:
    """Fewer pieces, in proportion, where all together pass what a track of ``keys`` may come to."""
    limit, total = 4 * keys + SPARE_KEYS, int(pieces.sum())
    return pieces if total <= limit else np.maximum(pieces * limit // total, 1)


def choose_pieces(wanted: Array, diagnostics: Diagnostics) -> Ints:
    """Whole numbers of pieces, (K - 1,), within the limits. Reports where these are felt."""
    pieces = limit_total(whole_pieces(wanted), len(wanted))
    report_short(int((wanted > pieces).sum()), diagnostics)
    return pieces


def report_short(segments: int, diagnostics: Diagnostics) -> None:
    """CLIP_KEYS_CAPPED, if there are any."""
    if segments:
        diagnostics.add(
            codes.CLIP_KEYS_CAPPED,
            f"{counted(segments, 'segment')} with fewer keys than readers that ignore tangents would need",
            segments=segments,
        )


def line_pieces(spline: Spline, tolerance: float, jointly: bool) -> Array:
    """(K - 1,) pieces a segment wants, not yet whole or limited, so that lines stay within ``tolerance``.

    ``jointly``: the distance of the components together (positions); else each for itself. ``tolerance`` in the
    spline's own unit; 0 asks for nothing.
    """
    if not tolerance > 0 or not spline.bends:
        return np.ones(len(spline.times) - 1)
    a, b = spline.coefficients[:2, :-1]
    length = spline.lengths
    bends = np.stack([2 * b, 2 * b + 6 * a * length[:, None]])
    sizes = np.sqrt((bends**2).sum(axis=-1)) if jointly else np.abs(bends).max(axis=-1, initial=0.0)
    wanted: Array = length * np.sqrt(sizes.max(axis=0) / (8 * tolerance))
    return wanted
