"""Parts that a user may have installed or not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why an optional part cannot be used, and how to get it, as a sentence."""

    reason: str
