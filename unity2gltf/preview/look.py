"""What the pictures shall be like, and how the command line says it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ..errors import UsageError

SMALLEST, LARGEST = 16, 4096
"""Pixels of a side. Software renderers draw no more than 8192, of which four samples a pixel take 1 GiB."""

MOST_FRAMES = 360

Colour = tuple[int, int, int, int]
"""sRGB and opacity, 0 to 255 each."""

BACKGROUND = "#4a505a"
"""Neutral, and dark enough for white things, which outnumber black ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """``frames`` views around the model when it is more than one; ``clip`` posed at ``time`` seconds, or at rest."""

    width: int = 512
    height: int = 512
    frames: int = 1
    clip: str | None = None
    time: float = 0.0
    background: Colour = (0x4A, 0x50, 0x5A, 0xFF)

    def __post_init__(self) -> None:
        if not all(SMALLEST <= side <= LARGEST for side in (self.width, self.height)):
            raise UsageError(f"a picture has sides of {SMALLEST} to {LARGEST} pixels, not {self.width}x{self.height}")
        if not 1 <= self.frames <= MOST_FRAMES:
            raise UsageError(f"a turntable has 2 to {MOST_FRAMES} views, not {self.frames}")
        if not (math.isfinite(self.time) and self.time >= 0):
            raise UsageError(f"a time is seconds from the start of the clip, not {self.time:g}")


def parse_size(text: str) -> tuple[int, int]:
    """Width and height in pixels of ``512`` or ``640x480``. Raises UsageError."""
    found = re.fullmatch(r"(\d{1,5})(?:x(\d{1,5}))?", text.strip().lower())
    if not found:
        raise UsageError(f"a size is a number of pixels such as 512, or 640x480, not {text!r}")
    width = int(found[1])
    return width, int(found[2]) if found[2] else width


def parse_background(text: str) -> Colour:
    """``transparent``, ``#rrggbb``, ``#rrggbbaa`` or the CSS name of a colour. Raises UsageError."""
    from PIL import ImageColor

    if text.strip().lower() == "transparent":
        return (0, 0, 0, 0)
    try:
        red, green, blue, *opacity = ImageColor.getrgb(text.strip())
    except ValueError:
        raise UsageError(f"a background is a colour such as #4a505a or white, or transparent, not {text!r}") from None
    return red, green, blue, opacity[0] if opacity else 255
