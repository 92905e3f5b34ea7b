"""Blend shapes to the expressions of a VRM: presets by their usual names, all others by their own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ...ir import Asset, Expression
from .names import PRESETS, readings

_KNOWN = {name for ways in PRESETS.values() for way in ways for name in way}
_PREFIX = re.compile(r"[^.]*blend_?shapes?_?\d*\.(?=.)", re.IGNORECASE)
"""What Maya puts before the name of a shape: the name of the deformer (``blendShape1.``, ``Face_blendShape.``)."""


def make_expressions(asset: Asset) -> tuple[Expression, ...]:
    """The expressions of all meshes, presets first; those of one name move the shapes of several meshes. A shape that
    is no preset by itself is a custom expression, even if it is a part of a preset."""
    presets: dict[str, list[tuple[int, int]]] = {}
    customs: dict[str, list[tuple[int, int]]] = {}
    for node, names in _shapes(asset):
        found = _find_presets(names)
        for preset, numbers in found.items():
            presets.setdefault(preset, []).extend((node, number) for number in numbers)
        alone = {numbers[0] for numbers in found.values() if len(numbers) == 1}
        for name, number in _custom_names(names, alone).items():
            customs.setdefault(name, []).append((node, number))
    return (
        *(Expression(name=name, preset=True, shapes=tuple(presets[name])) for name in PRESETS if name in presets),
        *(Expression(name=name, preset=False, shapes=tuple(shapes)) for name, shapes in customs.items()),
    )


def _shapes(asset: Asset) -> Iterator[tuple[int, dict[int, str]]]:
    """(node, names of its blend shapes by number); a shape without a frame has no morph target."""
    for index, node in enumerate(asset.nodes):
        if node.mesh is not None:
            shapes = enumerate(asset.geometry_of(index).shapes)
            yield index, {number: _text(shape.name) for number, shape in shapes if shape.frames}


def _find_presets(names: Mapping[int, str]) -> dict[str, tuple[int, ...]]:
    """Numbers of the shapes that make each preset, by the best way that the mesh has all shapes for."""
    known: dict[str, int] = {}
    for number, name in names.items():
        for reading in readings(name):
            if reading in _KNOWN:
                known.setdefault(reading, number)
                break
    found: dict[str, tuple[int, ...]] = {}
    for preset, ways in PRESETS.items():
        way = next((way for way in ways if known.keys() >= set(way)), None)
        if way is not None:
            found[preset] = tuple(known[name] for name in way)
    return found


def _custom_names(names: Mapping[int, str], taken: set[int]) -> dict[str, int]:
    """The shapes of one mesh that are not ``taken``, by a name each that no other has, nor a preset."""
    result: dict[str, int] = {}
    reserved = set(PRESETS)
    for number, name in names.items():
        if number not in taken:
            unique = _unique(_PREFIX.sub("", name, count=1) or "shape", reserved)
            reserved.add(unique)
            result[unique] = number
    return result


def _unique(name: str, taken: Collection[str]) -> str:
    number, unique = 2, name
    while unique in taken:
        unique, number = f"{name}#{number}", number + 1
    return unique


def _text(name: str) -> str:
    """With U+FFFD for each lone surrogate, as it is written: names must differ in the file, too."""
    return name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
