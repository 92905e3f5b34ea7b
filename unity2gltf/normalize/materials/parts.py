"""What a material has that is not written: textures of other slots, emission, numbers without a place in glTF.

Saved properties outlive a change of shader, so only what the family's shaders may read counts; all of it does where
the shader is not known by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ... import codes
from ...diagnostics import Diagnostics
from ...raw import RawMaterial
from ...source import Source
from .columns import Emission, Family
from .family import is_named, main_texture
from .table import UNKNOWN
from .values import json_numbers

_SMOOTHNESS = ("_Glossiness", "_Smoothness", "_Shininess")
_DIELECTRIC, _NEAR = 0.2, 0.005  # the specular colour's default, in gamma: what glTF does without one


def report_parts_left(raw: RawMaterial, family: Family, unlit: bool, diagnostics: Diagnostics) -> None:
    """One MATERIAL_PARTS_LEFT where there is any. ``smoothness`` in its data is told beside it, never alone."""
    slots = list(_slots(raw, family))
    numbers = dict(_emission(raw, family)) | dict(() if unlit else _numbers(raw, family))
    keywords = [] if unlit else _map_keywords(raw, family)
    if not (slots or numbers or keywords):
        return
    names = [slot["slot"] for slot in slots] + sorted(numbers) + keywords
    message = f"the material's look also comes from {', '.join(names)}: not written, or not exactly"
    smoothness = {} if unlit else dict(_smoothness(raw, family))
    diagnostics.add(
        codes.MATERIAL_PARTS_LEFT, message, slots=slots, numbers=numbers, keywords=keywords, smoothness=smoothness
    )


def _slots(raw: RawMaterial, family: Family) -> Iterator[dict[str, str]]:
    """Textures of slots that may be read, but the base colour's and its copies under the usual names."""
    main = main_texture(raw, family)
    maps = re.compile(family.maps if is_named(raw, family) else r".*")
    for name, slot in sorted(raw.textures.items()):
        if slot.texture is None or name == main or not maps.fullmatch(name) or _is_dark(raw, family, name):
            continue
        if main is not None and name in UNKNOWN.textures and slot == raw.textures[main]:
            continue
        texture = str(slot.texture.path_id) if isinstance(slot.texture, Source) else slot.texture.file
        yield {"slot": name, "texture": texture}


def _is_dark(raw: RawMaterial, family: Family, slot: str) -> bool:
    """Is the slot an emission map that is surely not read, or multiplied by black?"""
    emission = family.emission
    return emission is not None and emission.map == slot and is_named(raw, family) and not _shines(raw, emission)


def _emission(raw: RawMaterial, family: Family) -> Iterator[tuple[str, Any]]:
    if family.emission and _shines(raw, family.emission):
        yield family.emission.color, json_numbers(raw.colors[family.emission.color])


def _shines(raw: RawMaterial, emission: Emission) -> bool:
    switches = emission.switches
    enabled = not switches or any(name in raw.keywords or raw.floats.get(name, 0) >= 0.5 for name in switches)
    return enabled and any(channel > 0 for channel in raw.colors.get(emission.color, ())[:3])


def _numbers(raw: RawMaterial, family: Family) -> Iterator[tuple[str, Any]]:
    """Metallic between 0 and 1 is written, but whether the shader takes it as gamma or linear is not in the file."""
    for name in family.numbers:
        if raw.floats.get(name, 0) > 0:
            yield name, json_numbers([raw.floats[name]])[0]
    surface = family.surface
    if surface is None or surface.metallic_map in raw.keywords:
        return
    if surface.is_specular(raw.keywords):
        color = raw.colors.get(surface.specular or "", ())
        if any(not abs(channel - _DIELECTRIC) <= _NEAR for channel in color[:3]):
            yield surface.specular or "", json_numbers(color)
    elif surface.metallic and 0 < raw.floats.get(surface.metallic, 0) < 1:
        yield surface.metallic, raw.floats[surface.metallic]


def _map_keywords(raw: RawMaterial, family: Family) -> list[str]:
    """Keywords that put a map, or the shader's default for one, in the place of a number."""
    surface = family.surface
    return sorted(raw.keywords & (surface.smoothness_maps | {surface.metallic_map})) if surface else []


def _smoothness(raw: RawMaterial, family: Family) -> Iterator[tuple[str, Any]]:
    surface = family.surface
    if surface is not None and not surface.smoothness_maps & raw.keywords:
        return  # written
    for name in (surface.smoothness,) if surface else _SMOOTHNESS:
        if name in raw.floats:
            yield name, json_numbers([raw.floats[name]])[0]
