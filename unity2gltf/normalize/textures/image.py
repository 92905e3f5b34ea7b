"""Recipes to encoded images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ... import codes
from ...diagnostics import Code, Diagnostics
from ...ir import Image
from ...raw import RawTexture
from ...source import Source
from ..srgb import linear_array_to_srgb
from .blend import GREY, blend
from .decode import decode_texture
from .encode import COLOR, DATA, encode_image
from .pack import (
    ASTC_NM,
    Pixels,
    as_srgb,
    is_opaque,
    look_up,
    masked,
    pack,
    ramp,
    srgb_ramp,
    undo_premultiplied,
    unpack_normals,
)
from .png import encode_png
from .recipes import ALPHA, Blend, Color, Normal, Packed, Recipe, Tap, TextureKey
from .resize import resize

LINEAR, SRGB = 0, 1  # Texture2D.m_ColorSpace


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How images are made: file format and longest side of ``Options``; ``gamma_project``: colours are not converted
    when the game samples a texture."""

    textures: str = "png"
    max_side: int = 0
    gamma_project: bool = False


def make_image(
    recipe: Recipe, raws: Mapping[TextureKey, RawTexture | None], settings: Settings, diagnostics: Diagnostics
) -> Image:
    """The image of a recipe; ``raws`` has every texture of it, None for one that cannot be had (and was reported).

    A texture that does not decode is reported, and its part is neutral. Where none is left the image is one pixel.
    """
    bench = _Bench(raws, settings, diagnostics)
    pixels = _pixels(recipe, bench)
    if pixels is None:
        return placeholder(recipe, raws)
    kind = COLOR if isinstance(recipe, Color | Blend) else DATA
    mime, data = encode_image(pixels, kind, textures=settings.textures, diagnostics=diagnostics)
    height, width = pixels.shape[:2]
    name, sources = _name(recipe, raws), _sources(recipe)
    return Image(name=name, sources=sources, mime=mime, data=data, width=width, height=height)


def placeholder(recipe: Recipe, raws: Mapping[TextureKey, RawTexture | None]) -> Image:
    """One pixel, for an image that cannot be made."""
    name, sources, data = _name(recipe, raws), _sources(recipe), encode_png(_neutral(recipe))
    return Image(name=name, sources=sources, mime="image/png", data=data, width=1, height=1, placeholder=True)


def _sources(recipe: Recipe) -> tuple[Source, ...]:
    return tuple(key for key in recipe.textures if isinstance(key, Source))


def _name(recipe: Recipe, raws: Mapping[TextureKey, RawTexture | None]) -> str:
    parts = [raw.name for key in recipe.textures if (raw := raws[key]) is not None]
    return recipe.name if isinstance(recipe, Blend) else " + ".join(parts)


class _Bench:
    """The decoded textures of one image: each once, gone with it."""

    def __init__(
        self, raws: Mapping[TextureKey, RawTexture | None], settings: Settings, diagnostics: Diagnostics
    ) -> None:
        self._raws = raws
        self._settings = settings
        self.diagnostics = diagnostics
        self._pixels: dict[TextureKey, Pixels | None] = {}
        self._decoded: set[TextureKey] = set()

    def raw(self, key: TextureKey) -> RawTexture | None:
        return self._raws[key]

    def pixels(self, key: TextureKey) -> Pixels | None:
        """(H, W, 4) as stored, or None after a diagnostic."""
        if key not in self._pixels:
            raw = self._raws[key]
            pixels: Pixels | None = None
            if raw is not None:
                with self.diagnostics.guard(codes.TEXTURE_UNREADABLE, raw.source.place(raw.name), raw.source):
                    pixels = decode_texture(raw, self.diagnostics, self._settings.max_side)
            self._pixels[key] = pixels
        return self._pixels[key]

    def tapped(self, tap: Tap) -> tuple[Pixels, bool] | None:
        """The pixels behind a tap, and whether the game decodes their colours from sRGB."""
        pixels = self.pixels(tap.texture)
        if pixels is None:
            return None
        srgb = self.space(tap.texture) == SRGB and tap.channel != ALPHA
        if srgb:
            self.report_decoded(tap.texture)
        return pixels, srgb

    def report_decoded(self, key: TextureKey) -> None:
        """TEXTURE_SRGB_DATA, once a texture."""
        if key in self._decoded:
            return
        self._decoded.add(key)
        message = "a map of numbers is marked sRGB: its colours are decoded, as the game does"
        self.report(key, codes.TEXTURE_SRGB_DATA, message)

    def report(self, key: TextureKey, code: Code, message: str, **data: object) -> None:
        """A diagnostic about one of the textures."""
        raw = self._raws[key]
        if raw is not None:
            with self.diagnostics.at(raw.source.place(raw.name), raw.source):
                self.diagnostics.add(code, message, **data)

    def stored_size(self, key: TextureKey) -> tuple[int, int] | None:
        raw = self._raws[key]
        return None if raw is None else (raw.width, raw.height)

    def colors(self, key: TextureKey, max_side: int) -> tuple[Pixels, bool] | None:
        """The pixels of the largest stored mip of a colour map that is no longer than ``max_side``, or of the smallest
        one, and whether they are sRGB. Not kept: a terrain has many layers, each looked at once."""
        raw = self._raws[key]
        pixels: Pixels | None = None
        if raw is not None:
            side, level = max(raw.width, raw.height), 0
            while level + 1 < raw.mip_count and side >> level > max(max_side, 1):
                level += 1
            with self.diagnostics.guard(codes.TEXTURE_UNREADABLE, raw.source.place(raw.name), raw.source):
                pixels = decode_texture(raw, self.diagnostics, max(side >> level, 1))
        return None if pixels is None else (pixels, self.space(key) != LINEAR)

    @property
    def is_gamma(self) -> bool:
        return self._settings.gamma_project

    def space(self, key: TextureKey) -> int | None:
        """In what space the game takes the colours of a texture to be; None where it makes no difference."""
        raw = self._raws[key]
        return None if raw is None or self._settings.gamma_project else raw.color_space


def _color(recipe: Color, bench: _Bench) -> Pixels | None:
    if recipe.texture is None:
        return _white(recipe, bench)
    pixels = bench.pixels(recipe.texture)
    if pixels is None:
        return None
    if recipe.premultiplied:
        pixels = _straight(pixels, recipe.texture, bench)
    if bench.space(recipe.texture) == LINEAR:
        pixels = as_srgb(pixels)
    if recipe.mask is not None:
        pixels = masked(pixels, pack((recipe.mask,), bench.tapped))
    if isinstance(recipe.alpha, Tap):
        alpha = resize(pack((recipe.alpha,), bench.tapped), pixels.shape[1], pixels.shape[0])
        pixels = np.dstack([pixels[..., :ALPHA], alpha])
    return pixels[..., :ALPHA] if recipe.alpha == 1.0 or is_opaque(pixels) else pixels


def _white(recipe: Color, bench: _Bench) -> Pixels | None:
    """A mask as the grey that it makes of white."""
    if recipe.mask is None or bench.pixels(recipe.mask.texture) is None:
        return None
    mask = pack((recipe.mask,), bench.tapped)
    return np.repeat(srgb_ramp()[mask], 3, axis=2)


def _straight(pixels: Pixels, key: TextureKey, bench: _Bench) -> Pixels:
    result, changed = undo_premultiplied(pixels)
    if changed:
        message = f"the colours of {changed:,} pixels were stored times alpha, and divided by it"
        bench.report(key, codes.TEXTURE_PREMULTIPLIED, message, pixels=changed)
    return result


def _normal(recipe: Normal, bench: _Bench) -> Pixels | None:
    pixels, raw = bench.pixels(recipe.texture), bench.raw(recipe.texture)
    if pixels is None or raw is None:
        return None
    if bench.space(recipe.texture) == SRGB:
        bench.report_decoded(recipe.texture)
        pixels = look_up(pixels, ramp(0.0, 1.0, True))
    return unpack_normals(pixels, ASTC_NM if recipe.alpha_green else raw.usage)


def _packed(recipe: Packed, bench: _Bench) -> Pixels | None:
    if all(bench.pixels(key) is None for key in recipe.textures):
        return None
    return pack(recipe.planes, bench.tapped)


def _pixels(recipe: Recipe, bench: _Bench) -> Pixels | None:
    """The pixels of a recipe, None when it has no texture left."""
    if isinstance(recipe, Color):
        return _color(recipe, bench)
    if isinstance(recipe, Blend):
        return blend(recipe, bench, encoded=not bench.is_gamma)
    return _normal(recipe, bench) if isinstance(recipe, Normal) else _packed(recipe, bench)


def _neutral(recipe: Recipe) -> Pixels:
    """(1, 1, 3 | 1) the pixel that changes nothing, or least."""
    if isinstance(recipe, Packed):
        return pack([p.neutral if isinstance(p, Tap) else p for p in recipe.planes], lambda _: None)
    if isinstance(recipe, Blend):
        return pack((GREY,) * 3, lambda _: None)
    if isinstance(recipe, Normal):
        return pack((0.5, 0.5, 1.0), lambda _: None)
    grey = float(linear_array_to_srgb(np.array(recipe.neutral)))
    return pack((grey,) * 3, lambda _: None)
