"""A row for a shader that no row of the table speaks of, from what its properties are called.

The shader's object names each property and labels it for the editor, marks the base texture, the base colour and normal
maps, and gives each slot a default; where it is not there, the names of what the material stores must do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...raw import RawMaterial
from .columns import Family, Normals, Scalar, Tint
from .declared import HIDDEN, MAIN_COLOR, MAIN_TEXTURE, NORMAL_MAP, declared, first_of, flags_of

UNKNOWN = Family(
    name="unknown",
    shaders=r".*",
    colors=(
        *("_BaseColor", "_Color", "_MainColor", "_TintColor", "_Tint", "_AlbedoColor", "_DiffuseColor"),
        "_BaseColorFactor",
    ),
    textures=(
        *("_BaseMap", "_BaseColorMap", "_MainTex", "_Albedo", "_AlbedoMap", "_Diffuse", "_DiffuseMap"),
        *("_BaseTexture", "_MainTexture", "_BaseColorTexture"),
    ),
    cull=("_Cull", "_CullMode", "_Culling", "_DoubleSidedEnable"),
)
"""The usual names; what :func:`inferred` starts from."""

_LOOKS_LIKE_MAIN = re.compile(r"albedo|diffuse|base|main|colou?r ?(map|tex)", re.IGNORECASE)
_NOT_MAIN = re.compile(
    r"normal|bump|mask|detail|spec|emis|noise|ramp|shade|light|matcap|rough|metal|occlusion|gradient|cube|thickness"
    r"|height|flow|smooth",
    re.IGNORECASE,
)
_OF_A_KIND = re.compile(r"(spec|noise|shade|light|rough|metal|occlusion|thickness|smooth)\w*", re.IGNORECASE)
_ALBEDO = re.compile(r"(albedo|diffuse|base ?colou?r)( ?map| ?tex(ture)?)?", re.IGNORECASE)
"""What a name such as _MetalAlbedo ends in: the word before says what it is the albedo of."""
_NORMAL = re.compile(r"normal|bump", re.IGNORECASE)
_SPECIAL_NORMAL = re.compile(r"detail|second|blend|noise|2|layer|world", re.IGNORECASE)
_EMISSION_MAP = re.compile(r"emis(sion|sive)?( ?map| ?tex)?", re.IGNORECASE)
_EMISSION_SWITCHES = ("_EMISSION", "_UseEmission", "_EnableEmission")


def inferred(raw: RawMaterial) -> Family:
    """:data:`UNKNOWN` with the properties that the material or its shader's object tells."""
    main = _main_texture(raw)
    color = _marked(raw, MAIN_COLOR, raw.colors)
    floats = raw.floats
    return replace(
        UNKNOWN,
        textures=() if main is None else (main,),
        colors=UNKNOWN.colors if color is None else (color, *UNKNOWN.colors),
        metallic=tuple(_number(floats, ("_Metallic", "_Metalness", "_BaseMetallic"), 0.0, gamma=True)),
        smoothness=(
            *_number(floats, ("_Smoothness", "_Glossiness", "_BaseSmooth"), 0.5),
            *_number(floats, ("_Roughness",), 0.5, inverted=True),
        ),
        normals=tuple(Normals(map=name) for name in _normal_maps(raw)),
        emission=tuple(_emission(raw, main)),
    )


def text_of(raw: RawMaterial, name: str) -> str:
    """A property's name, split into words, and its label."""
    found = declared(raw, name)
    return f"{_words(name)} {found.label}" if found else _words(name)


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)


def _marked(raw: RawMaterial, flag: int, names: Iterable[str]) -> str | None:
    return next((name for name in names if flags_of(raw, name) & flag), None)


def _set_slots(raw: RawMaterial) -> list[str]:
    return [name for name, slot in raw.textures.items() if slot.texture is not None]


def _main_texture(raw: RawMaterial) -> str | None:
    """The slot that the shader marks as such; else, of those that are set, the first of a usual name, then the first
    of a name or label like one, then the only one that is not called otherwise."""
    set_ = _set_slots(raw)
    possible = [name for name in set_ if _may_be_main(raw, name) and not _is_normal_map(raw, name)]
    marked = _marked(raw, MAIN_TEXTURE, set_)
    usual = [name for name in UNKNOWN.textures if name in set_]
    similar = [name for name in possible if _LOOKS_LIKE_MAIN.search(text_of(raw, name))]
    only = possible if len(possible) == 1 else ()
    return next(iter(([marked] if marked else []) or usual or similar or only), None)


def _may_be_main(raw: RawMaterial, name: str) -> bool:
    words = _words(name)
    albedo = _ALBEDO.search(words)
    if albedo is not None and albedo.end() == len(words):
        return not _NOT_MAIN.search(_OF_A_KIND.sub("", words))
    return not _NOT_MAIN.search(text_of(raw, name))


def _is_normal_map(raw: RawMaterial, name: str) -> bool:
    found = declared(raw, name)
    return found is not None and (bool(found.flags & NORMAL_MAP) or found.texture == "bump")


def _normal_maps(raw: RawMaterial) -> Iterator[str]:
    """Slots marked or called normal maps; not those of details and layers."""
    for name in _set_slots(raw):
        text = text_of(raw, name)
        if (_is_normal_map(raw, name) or _NORMAL.search(text)) and not _SPECIAL_NORMAL.search(text):
            yield name


def _number(
    floats: Iterable[str], names: Iterable[str], default: float, *, gamma: bool = False, inverted: bool = False
) -> Iterator[Scalar]:
    name = first_of(names, floats)
    if name is not None:
        yield Scalar(number=name, default=default, gamma=gamma, inverted=inverted)


def _emission(raw: RawMaterial, main: str | None) -> Iterator[Tint]:
    """_EmissionColor, by the usual switches; a shader that declares it is taken to use it without, unless hidden."""
    color = first_of(("_EmissionColor", "_EmissiveColor"), raw.colors)
    if color is None:
        return
    map_ = next((n for n in _set_slots(raw) if n != main and _EMISSION_MAP.search(text_of(raw, n))), None)
    used = bool(raw.program and raw.program.properties) and not flags_of(raw, color) & HIDDEN
    yield Tint(color=color, map=map_, switch=() if used else _EMISSION_SWITCHES)
