"""The columns of the table of shader families: where a family's shaders keep what glTF asks for.

The same records are the rows of a ``--material-rules`` file (``rules.py``), with the same names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto


class AlphaRule(Enum):
    """Where a family keeps its transparency. ``alpha.py`` has one function each."""

    NAME = auto()  # fixed by the shader: Transparent or Cutout in its name
    OPAQUE = auto()  # never anything else
    MASK = auto()  # always cut out
    BLEND = auto()  # always blended
    STANDARD = auto()  # _Mode 0 opaque, 1 cutout, 2 fade, 3 transparent, with keywords
    URP = auto()  # _Surface and _AlphaClip, with keywords
    HDRP = auto()  # _SurfaceType and _AlphaCutoffEnable, with keywords
    MTOON = auto()  # _BlendMode or _AlphaMode 0 opaque, 1 cutout, 2 and up transparent
    EVIDENCE = auto()  # unknown: keywords, tag, queue, then the name


class Style(Enum):
    """What of a shader's lighting has no counterpart in glTF. Reported, never in silence."""

    TOON = auto()  # light in steps
    PHONG = auto()  # a highlight of exponent 128 x shininess, written as a roughness
    SIMPLE_LIT = auto()  # the same of exponent 2 ^ (10 x smoothness + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """One source of a number of 0..1 over the surface.

    With ``map``: that slot's ``channel`` (r, g, b or a), read while any of ``switch`` (keywords, or numbers of 0.5 and
    more) is on, or always if there are none; times the number ``scale``, or with 0 and 1 standing for the numbers
    ``low`` and ``high``. Without: the number ``number``, else ``default``. ``inverted``: 1 minus what is stored,
    and ``inverted_by``: the same, of a map, while any of these is on.
    ``gamma``: the number is stored in gamma. ``needs``: all of these must be on for the source to count. A shader that
    is not known by name is taken to read a map that is set whatever ``switch`` says, but not against ``needs``.
    """

    map: str | None = None
    channel: str = "r"
    switch: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    scale: str | None = None
    low: str | None = None
    high: str | None = None
    number: str | None = None
    default: float = 1.0
    inverted: bool = False
    inverted_by: tuple[str, ...] = ()
    gamma: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tint:
    """One source of a colour over the surface: ``color`` times ``map`` times ``mask`` times the number ``scale``, each
    where it is named, while any of ``switch`` is on. ``map_switch``: what the map needs besides. ``linear``: the colour
    is not stored in gamma ([HDR] properties); ``default``: the grey, as stored, of a colour that the material lacks.
    ``own_tiling``: the map has its own; ``uv``: the number of its UV set."""

    color: str | None = None
    map: str | None = None
    scale: str | None = None
    switch: tuple[str, ...] = ()
    map_switch: tuple[str, ...] = ()
    mask: Scalar | None = None
    linear: bool = False
    default: float = 0.0
    own_tiling: bool = False
    uv: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Normals:
    """A tangent-space normal map and the number that scales it. ``alpha_green``: x is in alpha and y in green, and red
    holds something else."""

    map: str = "_BumpMap"
    scale: str | None = "_BumpScale"
    switch: tuple[str, ...] = ()
    alpha_green: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Coat:
    """A clear coat; of several sources the first that applies counts."""

    strength: tuple[Scalar, ...]
    smoothness: tuple[Scalar, ...] = (Scalar(),)
    normals: Normals | None = None
    switch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One row. ``shaders`` matches a shader's whole name, case-insensitively; ``signature``: properties that together
    tell the family without a name, any group.

    ``colors`` and ``textures`` are the base colour's properties, the first that the material has counts. ``alpha_map``:
    sources that take the place of the texture's alpha; ``alpha_factor``: the colour's alpha counts besides;
    ``alpha_range``: the two numbers that 0 and 1 of alpha (the texture's times the colour's) stand for.
    ``clip_level``: the number that is added to alpha before the shader clips at one half, where that is not ``cutoff``.
    ``premultiplied``: its colours are stored times alpha. ``uv``: numbers that choose the UV set
    of the maps. ``own_tiling``: each map has its own tiling, not the base texture's. ``cull``: properties that select
    the culled face. ``unlit``: light does not change what it draws.

    ``metallic``, ``smoothness``, ``occlusion``, ``specular``, ``emission``: sources, the first that applies counts.
    ``specular`` stands for metallic while any of ``specular_switch`` is on, or always if there are none. ``coat`` and
    ``layers`` (keys of ``layers.registry``) are what lies on top.

    ``maps`` matches the whole names of further slots that its shaders may read, and ``numbers`` what changes the look
    when above 0: neither has a place in glTF, and both are reported; so are the maps of
    ``unwritten`` while their switches are on. ``style`` (while any of ``style_switch`` is on)
    and ``outline``, the number of an outline's width, are reported, too.
    """

    name: str
    shaders: str
    signature: tuple[frozenset[str], ...] = ()
    colors: tuple[str, ...] = ("_Color",)
    textures: tuple[str, ...] = ("_MainTex",)
    color_scale: float = 1.0
    alpha_map: tuple[Scalar, ...] = ()
    alpha_factor: bool = True
    alpha_range: tuple[str, ...] = ()
    premultiplied: bool = False
    uv: tuple[str, ...] = ()
    own_tiling: bool = False
    vertex_colors: bool = False
    unlit: bool = False
    alpha: AlphaRule = AlphaRule.EVIDENCE
    cutoff: tuple[str, ...] = ("_Cutoff",)
    clip_level: str | None = None
    cull: tuple[str, ...] = ()
    double_sided: bool = False
    metallic: tuple[Scalar, ...] = ()
    smoothness: tuple[Scalar, ...] = ()
    specular: tuple[Tint, ...] = ()
    specular_switch: tuple[str, ...] = ()
    occlusion: tuple[Scalar, ...] = ()
    occlusion_strength: str | None = None
    normals: tuple[Normals, ...] = ()
    emission: tuple[Tint, ...] = ()
    coat: Coat | None = None
    layers: tuple[str, ...] = ()
    style: Style | None = None
    style_switch: tuple[str, ...] = ()
    outline: str | None = None
    maps: str = r".*"
    numbers: tuple[str, ...] = ()
    unwritten: tuple[Scalar, ...] = ()

    def matches(self, shader: str) -> bool:
        """Does the row speak of the shader of this name?"""
        return re.fullmatch(self.shaders, shader, re.IGNORECASE) is not None
