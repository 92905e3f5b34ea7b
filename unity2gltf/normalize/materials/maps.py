"""From the sources that a row names to numbers, taps and texture uses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ... import codes
from ...ir import PropertyTarget, TextureUse
from ..srgb import srgb_to_linear
from ..textures.recipes import Color, Normal, Plane, Recipe, Tap, TextureKey
from .columns import Normals, Scalar, Tint
from .declared import first_of
from .reading import Reading
from .values import finite_pair, hdr_to_linear, in_unit, positive_number, unit_color, unit_number

Request = Callable[[Recipe], int | None]
"""The index of a recipe's texture in the asset, or None when textures are not wanted."""

_CHANNELS = "rgba"
_SAME_AS_BASE = 6  # HDRP's UVEmissiveMapping

Rgb = tuple[float, float, float]
Tiling = tuple[tuple[float, float], tuple[float, float]]
"""(scale, offset)."""


@dataclass(frozen=True, slots=True)
class Mix:
    """A linear colour of any size, and the recipe of the map that it is multiplied with, if any; ``slots``: where its
    textures are, the first with the tiling."""

    color: Rgb
    recipe: Color | None = None
    source: Tint = field(default_factory=Tint)
    slots: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Of the property that tells the colour, for reports."""
        return self.source.color or self.source.map or ""


class Maps:
    """What one material asks of its textures. ``main``: the slot whose tiling all maps share. ``properties``: where
    Unity's properties were written."""

    def __init__(self, reading: Reading, main: str | None, request: Request) -> None:
        self.reading = reading
        self.main = main
        self._request = request
        self.properties: dict[str, PropertyTarget] = {}
        self._tilings: dict[str, Tiling] = {}
        self._uv = self._uv_set(reading.family.uv)

    def _uv_set(self, names: Sequence[str]) -> int:
        name = first_of(names, self.reading.raw.floats)
        stored = self.reading.number(name, 0.0)
        if 0 <= stored < 4:
            return int(stored)
        message = f"{name} {stored:g}: planar and triplanar coordinates are not written; UV set 0 is used"
        self.reading.diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=name, stored=stored)
        return 0

    # --- numbers -------------------------------------------------------------------------------------------------

    def plane(self, sources: Sequence[Scalar], missing: float = 1.0, written: PropertyTarget | None = None) -> Plane:
        """The first source that applies, as a number or a tap. ``missing``: the value where a texture cannot be had;
        ``written``: where the number goes."""
        reading = self.reading
        for source in sources:
            if not all(reading.is_on((need,)) for need in source.needs):
                continue
            if source.map is None:
                return self._number(source, written)
            called_for = bool(source.needs) and not source.switch and source.map in reading.raw.textures
            if called_for or reading.reads_map(source.map, source.switch):
                return self._mapped(source, source.map, missing)
        return sources[-1].default

    def _number(self, source: Scalar, written: PropertyTarget | None) -> float:
        reading = self.reading
        if source.number is None:
            return source.default
        gamma = reading.is_gamma(source.number, source.gamma)
        if written is not None:
            inverted = written.inverted != source.inverted
            self.properties[source.number] = replace(written, gamma=gamma, inverted=inverted)
        value = unit_number(
            source.number, reading.raw.floats.get(source.number, source.default), source.default, reading.diagnostics
        )
        if gamma:
            value = srgb_to_linear(value)
        return 1.0 - value if source.inverted else value

    def _mapped(self, source: Scalar, name: str, missing: float) -> Plane:
        reading = self.reading
        low = reading.number(source.low, 0.0)
        high = reading.number(source.high, 1.0) * reading.number(source.scale, 1.0)
        if source.inverted != reading.is_on(source.inverted_by):
            low, high = 1.0 - low, 1.0 - high
        channel = _CHANNELS.index(source.channel)
        texture = self.take(name)
        if texture is None:
            return in_unit(low + (high - low) * reading.unset_value(name)[channel])
        return Tap(texture, channel, low, high, missing, name)

    # --- colours -------------------------------------------------------------------------------------------------

    def tint(
        self, sources: Sequence[Tint], neutral: float = 1.0, written: str | None = None
    ) -> tuple[Rgb, TextureUse | None]:
        """The first source that applies: a linear colour of any size, and the map that it is multiplied with.
        ``neutral``: the linear grey of a map that cannot be had; ``written``: the pointer where the colour goes."""
        mix = self.mix(sources, neutral, written)
        if mix.recipe is None:
            return mix.color, None
        use = self.placed(mix)
        return (mix.color if use is not None else _times(mix.color, neutral)), use

    def unit_color(self, source: Tint) -> Rgb:
        """The linear colour of a source that has no map, in 0..1; what lies beyond is cut and reported."""
        color, _ = self.tint((source,))
        return unit_color(source.color or "", color, self.reading.diagnostics)

    def mix(self, sources: Sequence[Tint], neutral: float = 1.0, written: str | None = None) -> Mix:
        """Like :meth:`tint`, without asking for the image."""
        reading = self.reading
        for source in sources:
            if source.switch and not reading.is_on(source.switch):
                reading.used |= {source.map} if source.map and reading.named else set()  # it is not sampled
                continue
            wants_map = source.map is not None and reading.reads_map(source.map, source.map_switch)
            if source.color is None and not wants_map:
                continue
            color = self._color(source, written)
            if not any(color):  # black, whatever the maps hold
                maps = (source.map if wants_map else None, source.mask.map if source.mask else None)
                reading.used |= {name for name in maps if name}
                return Mix(color, None, source)
            return self._mapped_mix(source, color, source.map if wants_map else None, neutral)
        return Mix((0.0, 0.0, 0.0))

    def _mapped_mix(self, source: Tint, color: Rgb, map_: str | None, neutral: float) -> Mix:
        """A colour with the map ``map_``, if any, and the source's mask."""
        texture = self.take(map_)
        slots = []
        if map_ is not None and texture is not None:
            slots.append(map_)
        elif map_ is not None:
            unset = self.reading.unset_value(map_)
            color = (color[0] * unset[0], color[1] * unset[1], color[2] * unset[2])
        masked = self.plane((source.mask,)) if source.mask is not None else 1.0
        if isinstance(masked, Tap):
            slots.append(masked.slot)
            return Mix(color, Color(texture, alpha=1.0, neutral=neutral, mask=masked), source, tuple(slots))
        color = _times(color, masked)
        return Mix(color, Color(texture, alpha=1.0, neutral=neutral) if texture else None, source, tuple(slots))

    def _color(self, source: Tint, written: str | None) -> Rgb:
        reading = self.reading
        scale = 1.0
        if source.scale is not None:
            scale = positive_number(source.scale, reading.number(source.scale, 1.0), reading.diagnostics)
        if source.color is None:
            return (scale, scale, scale)
        stored = reading.color(source.color) or (source.default, source.default, source.default, 1.0)
        linear = reading.is_linear(source.color, source.linear)
        if written is not None:
            self.properties[source.color] = PropertyTarget(
                pointer=written, gamma=not linear, scale=scale, limits=(0.0, math.inf)
            )
        red, green, blue, _ = hdr_to_linear(source.color, stored, linear, reading.diagnostics)
        return _times((red, green, blue), scale)

    # --- textures ------------------------------------------------------------------------------------------------

    def normals(
        self, sources: Sequence[Normals], written: str = "normalTexture/scale"
    ) -> tuple[TextureUse | None, float]:
        """The first normal map that is read and set, and its scale, of which ``written`` is the pointer."""
        for source in sources:
            texture = self.take(source.map) if self.reading.reads_map(source.map, source.switch) else None
            if texture is not None:
                if source.scale is not None and source is sources[0]:
                    self.properties[source.scale] = PropertyTarget(pointer=written, limits=(-math.inf, math.inf))
                use = self.use(Normal(texture, source.alpha_green), source.map)
                return use, self.reading.number(source.scale, 1.0)
        return None, 1.0

    def use(self, recipe: Recipe, *slots: str) -> TextureUse | None:
        """The texture of a recipe of the maps in ``slots``, with the tiling of the first; reported where another's
        differs."""
        index = self._request(recipe)
        if index is None:
            return None
        if not self.tile_alike(slots):
            message = f"{' and '.join(slots)} are one image and differ in their tiling; that of {slots[0]} is used"
            self.reading.diagnostics.add(codes.MATERIAL_VALUE_FIXED, message, property=slots[-1])
        slot = self._tiled(slots[0])
        scale, offset = self._tiling(slot)
        return TextureUse(texture=index, uv=self._uv, slot=slot, scale=scale, offset=offset)

    def placed(self, mix: Mix) -> TextureUse | None:
        """The use of a colour's map, which may have a tiling and a UV set of its own."""
        use = self.use(mix.recipe, *mix.slots) if mix.recipe is not None else None
        if use is None or not self._is_apart(mix):
            return use
        scale, offset = self._tiling(mix.slots[0])
        return replace(use, slot=mix.slots[0], scale=scale, offset=offset, uv=self._own_uv(mix))

    def is_placed_as_base(self, mix: Mix) -> bool:
        """Does a colour's map lie on the surface as the base texture does?"""
        name = mix.slots[0] if self._is_apart(mix) else self._tiled(mix.slots[0])
        alike = self._tiling(name) == self._tiling(self.main or "")
        return alike and (not self._is_apart(mix) or self._own_uv(mix) == self._uv)

    def _is_apart(self, mix: Mix) -> bool:
        source = mix.source
        return source.own_tiling and self.reading.number(source.uv, 0.0) != _SAME_AS_BASE

    def _own_uv(self, mix: Mix) -> int:
        return self._uv_set((mix.source.uv,) if mix.source.uv else ())

    def tile_alike(self, slots: Sequence[str]) -> bool:
        """Do the maps in these slots share their tiling, so that one image can hold them?"""
        return len({self._tiling(self._tiled(name)) for name in slots}) <= 1

    def take(self, name: str | None) -> TextureKey | None:
        """The texture that is set in a slot, noted as written; None where there is none."""
        slot = self.reading.slot(name)
        if name is None or slot is None:
            return None
        self.reading.used.add(name)
        return slot.texture

    def _tiled(self, name: str) -> str:
        """The slot whose tiling a map in the slot ``name`` has."""
        return name if self.reading.family.own_tiling else self.main or name

    def _tiling(self, name: str) -> Tiling:
        slot = self.reading.raw.textures.get(name)
        if slot is None:
            return (1.0, 1.0), (0.0, 0.0)
        if name not in self._tilings:
            diagnostics = self.reading.diagnostics
            scale = finite_pair(name, slot.scale, (1.0, 1.0), diagnostics)
            self._tilings[name] = scale, finite_pair(name, slot.offset, (0.0, 0.0), diagnostics)
        return self._tilings[name]


def _times(color: Rgb, factor: float) -> Rgb:
    red, green, blue = color
    return red * factor, green * factor, blue * factor
