"""From the sources that a row names to numbers, taps and texture uses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from ... import codes
from ...ir import PropertyTarget, TextureUse
from ...raw import RawTextureSlot
from ..textures.recipes import Color, Normal, Plane, Recipe, Tap, TextureKey
from .columns import Normals, Scalar, Tint
from .reading import Reading
from .values import finite_pair, hdr_to_linear, srgb_to_linear, unit_number

Request = Callable[[Recipe], int | None]
"""The index of a recipe's texture in the asset, or None when textures are not wanted."""

_CHANNELS = "rgba"

Rgb = tuple[float, float, float]
Tiling = tuple[tuple[float, float], tuple[float, float]]
"""(scale, offset)."""


class Maps:
    """What one material asks of its textures. ``main``: the slot whose tiling all maps share. ``properties``: where
    Unity's properties were written."""

    def __init__(self, reading: Reading, main: str | None, request: Request) -> None:
        self.reading = reading
        self.main = main
        self._request = request
        self.properties: dict[str, PropertyTarget] = {}
        self._slots: dict[TextureKey, str] = {}
        self._uv = self._uv_set(reading.family.uv)

    def _uv_set(self, names: Sequence[str]) -> int:
        name = self.reading.first(names, self.reading.raw.floats)
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
            if reading.reads_map(source.map, source.switch):
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
        if source.inverted:
            low, high = 1.0 - low, 1.0 - high
        slot = reading.slot(name)
        if slot is None or slot.texture is None:
            return min(max(low + (high - low) * reading.unset_value(name), 0.0), 1.0)
        self._note(name, slot.texture)
        return Tap(slot.texture, _CHANNELS.index(source.channel), low, high, missing)

    # --- colours -------------------------------------------------------------------------------------------------

    def tint(
        self, sources: Sequence[Tint], neutral: float = 1.0, written: str | None = None
    ) -> tuple[Rgb, TextureUse | None]:
        """The first source that applies: a linear colour of any size, and the map that it is multiplied with.
        ``neutral``: the linear grey of a map that cannot be had; ``written``: the pointer where the colour goes."""
        reading = self.reading
        for source in sources:
            if source.switch and not reading.is_on(source.switch):
                reading.used |= {source.map} if source.map and reading.named else set()  # it is not sampled
                continue
            wants_map = source.map is not None and reading.reads_map(source.map, source.map_switch)
            if source.color is None and not wants_map:
                continue
            color = self._color(source, written)
            if not wants_map or source.map is None:
                return color, None
            if not any(color):
                reading.used.add(source.map)  # black, whatever the map holds
                return color, None
            slot = reading.slot(source.map)
            if slot is None or slot.texture is None:
                unset = reading.unset_value(source.map)
                return (color[0] * unset, color[1] * unset, color[2] * unset), None
            self._note(source.map, slot.texture)
            masked = self.plane((source.mask,)) if source.mask is not None else 1.0
            if not isinstance(masked, Tap):
                color = (color[0] * masked, color[1] * masked, color[2] * masked)
            recipe = Color(slot.texture, alpha=1.0, neutral=neutral, mask=masked if isinstance(masked, Tap) else None)
            use = self._placed(recipe, source)
            return (color if use is not None else (color[0] * neutral, color[1] * neutral, color[2] * neutral)), use
        return (0.0, 0.0, 0.0), None

    def _color(self, source: Tint, written: str | None) -> Rgb:
        reading = self.reading
        scale = reading.number(source.scale, 1.0)
        if source.color is None:
            return (scale, scale, scale)
        stored = reading.color(source.color) or (source.default, source.default, source.default, 1.0)
        linear = reading.is_linear(source.color, source.linear)
        if written is not None:
            self.properties[source.color] = PropertyTarget(
                pointer=written, gamma=not linear, scale=scale, limits=(0.0, math.inf)
            )
        red, green, blue, _ = hdr_to_linear(source.color, stored, linear, reading.diagnostics)
        return red * scale, green * scale, blue * scale

    # --- textures ------------------------------------------------------------------------------------------------

    def normals(self, sources: Sequence[Normals]) -> tuple[TextureUse | None, float]:
        """The first normal map that is read and set, and its scale."""
        for source in sources:
            slot = self.reading.slot(source.map)
            if slot is not None and slot.texture is not None and self.reading.reads_map(source.map, source.switch):
                self._note(source.map, slot.texture)
                if source.scale is not None and source is sources[0]:
                    self.properties[source.scale] = PropertyTarget(
                        pointer="normalTexture/scale", limits=(-math.inf, math.inf)
                    )
                return self.use(Normal(slot.texture, source.alpha_green)), self.reading.number(source.scale, 1.0)
        return None, 1.0

    def use(self, recipe: Recipe, of: Tap | None = None) -> TextureUse | None:
        """The texture of a recipe with the tiling of its slot (``of`` tells which, else the recipe's first)."""
        index = self._request(recipe)
        if index is None:
            return None
        key = of.texture if of is not None else recipe.textures[0]
        slot = self._tiled(self._slots.get(key))
        scale, offset = self._tiling(slot)
        return TextureUse(texture=index, uv=self._uv, slot=slot, scale=scale, offset=offset)

    def _placed(self, recipe: Color, source: Tint) -> TextureUse | None:
        """The use of a colour map, which may have a tiling and a UV set of its own."""
        use = self.use(recipe)
        if use is None or not source.own_tiling:
            return use
        scale, offset = self._tiling(source.map or "")
        uv = self._uv_set((source.uv,) if source.uv else ())
        return replace(use, slot=source.map or "", scale=scale, offset=offset, uv=uv)

    def tile_alike(self, taps: Sequence[Tap]) -> bool:
        """Do the taps' slots share their tiling, so that one image can hold them?"""
        return len({self._tiling(self._tiled(self._slots.get(tap.texture))) for tap in taps}) == 1

    def take(self, name: str, slot: RawTextureSlot) -> TextureKey | None:
        """Note that a slot's texture is written, and give its key."""
        if slot.texture is not None:
            self._note(name, slot.texture)
        return slot.texture

    def _note(self, name: str, texture: TextureKey) -> None:
        self.reading.used.add(name)
        self._slots.setdefault(texture, name)

    def _tiled(self, name: str | None) -> str:
        """The slot whose tiling a map in the slot ``name`` has."""
        return (name if self.reading.family.own_tiling else self.main or name) or ""

    def _tiling(self, name: str) -> Tiling:
        slot = self.reading.raw.textures.get(name)
        if slot is None:
            return (1.0, 1.0), (0.0, 0.0)
        diagnostics = self.reading.diagnostics
        return (
            finite_pair(name, slot.scale, (1.0, 1.0), diagnostics),
            finite_pair(name, slot.offset, (0.0, 0.0), diagnostics),
        )
