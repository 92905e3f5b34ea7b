"""Meshes: attributes, indices, morph targets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...evaluate.document import Gltf, Layout
from ...evaluate.fields import Json, as_object, get_integer, get_list, get_numbers, get_object
from ..issues import Issue, issue

FLOAT, BYTES, SHORTS = "f4", ("u1", "i1"), ("u2", "i2")
_UNIT = ("f4", "u1n", "u2n")

ATTRIBUTES: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "POSITION": ((3,), ("f4",)),
    "NORMAL": ((3,), ("f4",)),
    "TANGENT": ((4,), ("f4",)),
    "TEXCOORD": ((2,), _UNIT),
    "COLOR": ((3, 4), _UNIT),
    "JOINTS": ((4,), ("u1", "u2")),
    "WEIGHTS": ((4,), _UNIT),
}
"""Semantics to allowed component counts and types, ``n`` = normalised (glTF 2.0, 3.7.2.1)."""


def check_mesh(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Primitives one by one, and what they must have in common."""
    primitives = get_list(item, "primitives", pointer)
    if not primitives:
        yield issue("FORMAT_BROKEN", pointer, "a mesh needs a primitive")
    counts: list[int] = []
    for place, value in enumerate(primitives):
        where = f"{pointer}/primitives/{place}"
        primitive = as_object(value, where)
        counts.append(len(get_list(primitive, "targets", where)))
        yield from _primitive(gltf, primitive, where)
    yield from _targets(item, pointer, counts)


def _targets(item: Json, pointer: str, counts: list[int]) -> Iterator[Issue]:
    targets = counts[0] if counts else 0
    if len(set(counts)) > 1:
        yield issue("TARGET_COUNT", pointer, f"its primitives have {counts} morph targets")
    weights = len(get_numbers(item, "weights", pointer))
    if weights not in (0, targets) or ("weights" in item and weights != targets):
        yield issue("TARGET_COUNT", f"{pointer}/weights", f"{weights} weights for {targets} morph targets")
    extras = get_object(item, "extras", pointer)
    names = get_list(extras, "targetNames", f"{pointer}/extras")
    where = f"{pointer}/extras/targetNames"
    if "targetNames" in extras and len(names) != targets:
        yield issue("TARGET_COUNT", where, f"{len(names)} names for {targets} morph targets")
    texts = [name for name in names if isinstance(name, str)]
    if len(texts) != len(names) or len(set(texts)) != len(texts):
        yield issue("TARGET_NAMES", where, "names must be strings, each once")


def _primitive(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    attributes = get_object(item, "attributes", pointer)
    vertices = gltf.layout(get_integer(attributes, "POSITION", f"{pointer}/attributes")).count
    yield from _attributes(gltf, attributes, f"{pointer}/attributes", vertices, bounds="POSITION")
    for place, value in enumerate(get_list(item, "targets", pointer)):
        where = f"{pointer}/targets/{place}"
        target = as_object(value, where)
        yield from _attributes(gltf, target, where, vertices, bounds="POSITION", morph=True)
        if not target.keys() <= attributes.keys():
            yield issue("ATTRIBUTE_TYPE", where, "a delta of an attribute that the primitive does not have")
    yield from _sets(attributes, f"{pointer}/attributes")
    yield from _indices(gltf, item, pointer, vertices)


def _attributes(
    gltf: Gltf, attributes: Json, pointer: str, vertices: int, *, bounds: str, morph: bool = False
) -> Iterator[Issue]:
    for name in attributes:
        where = f"{pointer}/{name}"
        accessor = get_integer(attributes, name, pointer)
        layout = gltf.layout(accessor)
        item = gltf.items("accessors")[accessor]
        if layout.count != vertices:
            yield issue("ATTRIBUTE_COUNT", where, f"{layout.count} elements for {vertices} vertices")
        if name == bounds and not {"min", "max"} <= item.keys():
            yield issue("ACCESSOR_MIN_MAX", where, "POSITION needs min and max")
        if problem := _type_problem(name, layout, bool(item.get("normalized", False)), morph):
            yield issue("ATTRIBUTE_TYPE", where, problem)


def _type_problem(name: str, layout: Layout, normalized: bool, morph: bool) -> str | None:
    if name.startswith("_"):
        return None
    semantic, _, number = name.partition("_")
    allowed = ATTRIBUTES.get(semantic)
    if allowed is None or (semantic in ("POSITION", "NORMAL", "TANGENT")) != (number == ""):
        return "this is no attribute of the format"
    sizes, kinds = ((3,), ("f4",)) if morph else allowed
    kind = layout.dtype.str[1:] + ("n" if normalized else "")
    if layout.columns != 1 or layout.rows not in sizes or kind not in kinds:
        return f"{layout.rows} components of {kind} are not allowed"
    return None


def _sets(attributes: Json, pointer: str) -> Iterator[Issue]:
    for semantic in ("TEXCOORD", "COLOR", "JOINTS", "WEIGHTS"):
        names = {name for name in attributes if name.startswith(semantic + "_")}
        if names != {f"{semantic}_{number}" for number in range(len(names))}:
            yield issue("ATTRIBUTE_TYPE", pointer, f"{semantic} sets are not numbered from 0 without gaps")
    joints = {name[6:] for name in attributes if name.startswith("JOINTS_")}
    if joints != {name[7:] for name in attributes if name.startswith("WEIGHTS_")}:
        yield issue("JOINTS_SETS", pointer, "JOINTS and WEIGHTS sets differ in number")


def _indices(gltf: Gltf, item: Json, pointer: str, vertices: int) -> Iterator[Issue]:
    mode, count = get_integer(item, "mode", pointer, 4, below=7), vertices
    if "indices" in item:
        indices = gltf.accessor(get_integer(item, "indices", pointer))
        count = len(indices)
        if indices.ndim != 1 or indices.dtype.kind != "u":
            yield issue("ATTRIBUTE_TYPE", f"{pointer}/indices", "indices are unsigned integers")
        elif indices.max() >= vertices or indices.max() == np.iinfo(indices.dtype).max:
            yield issue("INDEX_RANGE", f"{pointer}/indices", f"index {indices.max()} of {vertices} vertices")
    fits = {0: count >= 1, 1: count >= 2 and count % 2 == 0, 4: count >= 3 and count % 3 == 0}
    if not fits.get(mode, count >= (2 if mode in (2, 3) else 3)):
        yield issue("INDEX_COUNT", pointer, f"{count} corners do not fit mode {mode}")
