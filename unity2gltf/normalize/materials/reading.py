"""A material as its shader reads it: values that count, with the shader's own defaults, and a note of what was used."""

from __future__ import annotations

from collections.abc import Iterable

from ...diagnostics import Diagnostics
from ...raw import RawMaterial, RawTextureSlot
from .columns import Family, Style
from .declared import GAMMA, HDR, declared
from .family import is_named
from .values import finite_number

Rgba = tuple[float, float, float, float]
_WHITE: Rgba = (1.0, 1.0, 1.0, 1.0)
_GREY: Rgba = (0.5, 0.5, 0.5, 0.5)
_DEFAULTS: dict[str, Rgba] = {
    "white": _WHITE,
    "black": (0.0, 0.0, 0.0, 0.0),
    "red": (1.0, 0.0, 0.0, 1.0),
    "bump": (0.5, 0.5, 1.0, 0.5),
}
"""Of texture slots, by the word in the shader; any other word, and none, is grey (Unity's manual, whose versions
disagree on the alpha of black and grey: 0 and 0.5 to 2019, 1 since)."""


class Reading:
    """One material under one row of the table. ``used``: the texture slots that were taken so far; ``left``: what
    counts and has no place in glTF, by the property's name.

    ``gamma_project``: Unity converts nothing. Its colours, [HDR] or not, are shown as they are, so they are gamma here;
    a [Gamma] number is what it says.
    """

    def __init__(
        self, raw: RawMaterial, family: Family, diagnostics: Diagnostics, *, gamma_project: bool = False
    ) -> None:
        self._gamma_project = gamma_project
        self.raw = raw
        self.family = family
        self.diagnostics = diagnostics
        self.named = is_named(raw, family)
        self.used: set[str] = set()
        self.left: dict[str, float | list[float | None] | None] = {}

    def number(self, name: str | None, default: float) -> float:
        """A number as it counts: the material's, else ``default``; what is not finite is reported."""
        if name is None or name not in self.raw.floats:
            return default
        return finite_number(name, self.raw.floats[name], default, self.diagnostics)

    def color(self, name: str) -> tuple[float, float, float, float] | None:
        return self.raw.colors.get(name)

    def is_on(self, switches: Iterable[str]) -> bool:
        """Is any of the keywords on, or any of the numbers 0.5 or more?"""
        floats = self.raw.floats
        return any(name in self.raw.keywords or floats.get(name, 0.0) >= 0.5 for name in switches)

    def slot(self, name: str | None) -> RawTextureSlot | None:
        """The texture slot where a texture is set."""
        slot = self.raw.textures.get(name or "")
        return slot if slot is not None and slot.texture is not None else None

    def reads_map(self, name: str | None, switch: tuple[str, ...]) -> bool:
        """Does the shader sample the slot? One that has the slot, where it is called for by the switch, or always; a
        shader that is not known by name is taken to read what is set."""
        if name is None:
            return False
        if switch and self.is_on(switch) and name in self.raw.textures:
            return True
        return self.slot(name) is not None and (not switch or not self.named)

    def unset_value(self, name: str) -> Rgba:
        """What a slot without a texture samples, by the shader's default; white where that is not known."""
        found = declared(self.raw, name)
        return _WHITE if found is None else _DEFAULTS.get(found.texture.lower(), _GREY)

    def is_linear(self, name: str, by_row: bool) -> bool:
        """Is a colour stored linear? By the shader's [HDR] mark where it is known, else by the row."""
        return self._is_marked(name, HDR, by_row)

    def is_gamma(self, name: str, by_row: bool) -> bool:
        """Is a number stored in gamma? By the shader's [Gamma] mark where it is known, else by the row."""
        return self._is_marked(name, GAMMA, by_row)

    def _is_marked(self, name: str, flag: int, by_row: bool) -> bool:
        found = declared(self.raw, name)
        marked = by_row if found is None else bool(found.flags & flag)
        return marked and not self._gamma_project


def style_of(reading: Reading) -> Style | None:
    """The family's style of lighting, where the material has it switched on."""
    family = reading.family
    return family.style if not family.style_switch or reading.is_on(family.style_switch) else None
