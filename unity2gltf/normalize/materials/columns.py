"""The columns of the table of shader families."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto


class AlphaRule(Enum):
    """Where a family keeps its transparency. ``alpha.py`` has one function each."""

    NAME = auto()  # fixed by the shader: Transparent or Cutout in its name
    MASK = auto()  # always cut out
    BLEND = auto()  # always blended
    STANDARD = auto()  # _Mode 0 opaque, 1 cutout, 2 fade, 3 transparent, with keywords
    URP = auto()  # _Surface and _AlphaClip, with keywords
    HDRP = auto()  # _SurfaceType and _AlphaCutoffEnable, with keywords
    MTOON = auto()  # _BlendMode or _AlphaMode 0 opaque, 1 cutout, 2 and up transparent
    EVIDENCE = auto()  # unknown: keywords, tag, queue, then the name


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Where a family keeps metallic and smoothness as plain numbers of glTF's meaning.

    A number counts while no keyword gives its place to a map: ``metallic_map``, or one of ``smoothness_maps``.
    ``inverted``: the number is a roughness. ``gamma``: the metallic number is stored in gamma. ``specular``: the
    colour that stands for metallic, always if ``metallic`` is None, else where ``specular_keyword`` is on.
    """

    metallic: str | None = "_Metallic"
    smoothness: str = "_Glossiness"
    inverted: bool = False
    gamma: bool = True
    metallic_map: str = "_METALLICGLOSSMAP"
    smoothness_maps: frozenset[str] = frozenset({"_METALLICGLOSSMAP", "_SMOOTHNESS_TEXTURE_ALBEDO_CHANNEL_A"})
    specular: str | None = None
    specular_keyword: str | None = None

    def is_specular(self, keywords: frozenset[str]) -> bool:
        """Does the specular colour stand for metallic?"""
        return self.metallic is None or self.specular_keyword in keywords


@dataclass(frozen=True, slots=True, kw_only=True)
class Emission:
    """``color`` is added to the light when any of ``switches`` (keywords, or numbers of 1) is on; always, if there are
    none. ``map`` is read only then; None where that is not sure."""

    color: str
    map: str | None = None
    switches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One row. ``shaders`` matches a shader's whole name, case-insensitively; ``colors`` and ``textures`` are the base
    colour's properties, the first that the material has counts; ``cull`` the properties
    that select the culled face. ``signature``: properties that together tell the family without a name, any group.

    ``unlit``: light does not change what it draws. ``maps`` matches the whole names of the other texture slots that
    its shaders may read. ``numbers``: what changes the look when above 0 and has no place in glTF here.
    """

    name: str
    shaders: str
    colors: tuple[str, ...] = ("_Color",)
    textures: tuple[str, ...] = ("_MainTex",)
    color_scale: float = 1.0
    vertex_colors: bool = False
    unlit: bool = False
    alpha: AlphaRule = AlphaRule.EVIDENCE
    cull: tuple[str, ...] = ()
    double_sided: bool = False
    cutoff: tuple[str, ...] = ("_Cutoff",)
    maps: str = r".*"
    surface: Surface | None = None
    emission: Emission | None = None
    numbers: tuple[str, ...] = ()
    signature: tuple[frozenset[str], ...] = ()

    def matches(self, shader: str) -> bool:
        """Does the row speak of the shader of this name?"""
        return re.fullmatch(self.shaders, shader, re.IGNORECASE) is not None
