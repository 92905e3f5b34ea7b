"""What an image of a glTF material is made of: textures of Unity's, channel by channel.

A recipe is the key under which an image is made once and shared. Values are fractions; 0..255 in the files.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...source import Missing, Source

TextureKey = Source | Missing
"""A texture, or the reference to one that is not in the input."""

RED, GREEN, BLUE, ALPHA = range(4)


@dataclass(frozen=True, slots=True)
class Tap:
    """One channel of a texture: ``low`` where it is 0, ``high`` where it is 1, cut to 0..1; ``neutral`` where the
    texture cannot be had. Channels of colours are linear: what a texture stores as sRGB is decoded.

    ``slot``: the material's slot that it was found in. It tells the tiling, and is no part of what makes recipes equal.
    """

    texture: TextureKey
    channel: int
    low: float = 0.0
    high: float = 1.0
    neutral: float = 1.0
    slot: str = field(default="", compare=False)


Plane = Tap | float


@dataclass(frozen=True, slots=True)
class Packed:
    """Linear data: one plane a channel, of which at least one is a :class:`Tap`."""

    planes: tuple[Plane, ...]

    @property
    def textures(self) -> tuple[TextureKey, ...]:
        return tuple(dict.fromkeys(plane.texture for plane in self.planes if isinstance(plane, Tap)))


@dataclass(frozen=True, slots=True)
class Color:
    """A colour map, sRGB; white for None, where there is a ``mask``. ``alpha``: the plane in the place of the texture's
    own alpha (1.0 = none is written).
    ``premultiplied``: its colours may be stored times alpha, which is undone where they are. ``mask``: the plane
    that the linear colours are multiplied by. ``neutral``: the linear grey of the placeholder."""

    texture: TextureKey | None
    alpha: Plane | None = None
    premultiplied: bool = False
    mask: Tap | None = None
    neutral: float = 1.0

    @property
    def textures(self) -> tuple[TextureKey, ...]:
        own = () if self.texture is None else (self.texture,)
        others = (plane.texture for plane in (self.alpha, self.mask) if isinstance(plane, Tap))
        return tuple(dict.fromkeys((*own, *others)))


@dataclass(frozen=True, slots=True)
class Normal:
    """A tangent-space normal map in any of Unity's layouts, to x, y, z in red, green, blue. ``alpha_green``: x is in
    alpha and y in green, whatever the rest is."""

    texture: TextureKey
    alpha_green: bool = False

    @property
    def textures(self) -> tuple[TextureKey, ...]:
        return (self.texture,)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of a :class:`Blend`. ``color``: its texture, None = grey; ``weight``: the channel that says how much it
    shows (None = fully). The texture repeats ``tiles`` (u, v) times across the image and is moved by ``offset`` tiles.
    Its colours c, as the shader has them, are drawn as ``low`` + (``high`` - ``low``) c."""

    color: TextureKey | None
    weight: Tap | None
    tiles: tuple[float, float]
    offset: tuple[float, float] = (0.0, 0.0)
    low: tuple[float, float, float] = (0.0, 0.0, 0.0)
    high: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Blend:
    """Tiled colour maps, summed up by weights: the ground of a terrain. ``size``: the most pixels (width, height) of
    the image; ``centred``: the outermost pixels of the weights have their centres on its edges."""

    name: str
    layers: tuple[Layer, ...]
    size: tuple[int, int]
    centred: bool = True

    @property
    def textures(self) -> tuple[TextureKey, ...]:
        weights = (layer.weight.texture for layer in self.layers if layer.weight is not None)
        colors = (layer.color for layer in self.layers if layer.color is not None)
        return tuple(dict.fromkeys((*weights, *colors)))


Recipe = Packed | Color | Normal | Blend


def first_texture(recipe: Recipe) -> TextureKey:
    """The texture whose sampler and place in reports stand for the whole."""
    return recipe.textures[0]
