"""The mip levels of a texture: where each lies in its data, and which one to decode for a size that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .formats import Format


@dataclass(frozen=True, slots=True)
class Level:
    """Mip ``number`` of ``width`` x ``height`` pixels: ``size`` bytes from ``offset`` on."""

    number: int
    width: int
    height: int
    offset: int
    size: int

    @property
    def side(self) -> int:
        """The longer side, in pixels."""
        return max(self.width, self.height)


def level_sizes(width: int, height: int, count: int) -> list[tuple[int, int]]:
    """(width, height) of each level: half of the one before, rounded down, at least 1.

    A ``count`` below 1 or past the level of 1 x 1 pixel is none that a texture can have; it is cut to what can be.
    """
    count = min(max(count, 1), max(width, height).bit_length())
    return [(max(width >> number, 1), max(height >> number, 1)) for number in range(count)]


def lay_out(form: Format, width: int, height: int, count: int) -> list[Level]:
    """The levels one after the other without gaps, the largest first, as Unity stores them."""
    levels: list[Level] = []
    offset = 0
    for number, (across, down) in enumerate(level_sizes(width, height, count)):
        size = form.size(across, down)
        levels.append(Level(number, across, down, offset, size))
        offset += size
    return levels


def without_first(levels: Sequence[Level], count: int) -> list[Level]:
    """The levels from number ``count`` on, of data that begins there; ``count`` must leave one."""
    kept = levels[count:]
    return [replace(level, offset=level.offset - kept[0].offset) for level in kept]


def choose(levels: Sequence[Level], max_side: int) -> Level:
    """The largest level whose longer side is at most ``max_side``, else the smallest; the first where that is 0."""
    if max_side <= 0:
        return levels[0]
    return next((level for level in levels if level.side <= max_side), levels[-1])
