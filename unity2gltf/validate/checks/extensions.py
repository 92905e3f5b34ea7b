"""Extensions: declared as used, and those that the Khronos validator does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...evaluate.document import Gltf
from ...evaluate.fields import Json, get_indices, get_list, get_object
from ..issues import Issue, issue

INSTANCING = "EXT_mesh_gpu_instancing"
LOD = "MSFT_lod"
_INSTANCE_ROWS = {"TRANSLATION": 3, "ROTATION": 4, "SCALE": 3}


def check_declarations(gltf: Gltf) -> Iterator[Issue]:
    """extensionsUsed holds all that occur, extensionsRequired a part of it."""
    used = [name for name in get_list(gltf.json, "extensionsUsed", "") if isinstance(name, str)]
    required = [name for name in get_list(gltf.json, "extensionsRequired", "") if isinstance(name, str)]
    found = dict(extensions_in(gltf.json))
    for name, pointer in found.items():
        if name not in used:
            yield issue("EXTENSION_UNDECLARED", pointer, f"{name} is not in extensionsUsed")
    for name in required:
        if name not in used:
            yield issue("EXTENSION_UNDECLARED", "/extensionsRequired", f"{name} is not in extensionsUsed")
    for name in used:
        if name not in found:
            yield issue("EXTENSION_UNUSED", "/extensionsUsed", f"{name} does not occur")


def extensions_in(document: Json) -> Iterator[tuple[str, str]]:
    """Names of the extensions in a document and where each is; what is in extras does not count."""
    stack: list[tuple[Any, str]] = [(document, "")]
    while stack:
        value, pointer = stack.pop()
        if isinstance(value, list):
            stack += [(item, f"{pointer}/{place}") for place, item in enumerate(value) if isinstance(item, dict | list)]
        elif isinstance(value, dict):
            inner = value.get("extensions")
            if isinstance(inner, dict):
                yield from ((name, f"{pointer}/extensions/{name}") for name in inner)
            stack += [
                (item, f"{pointer}/{key}")
                for key, item in value.items()
                if key != "extras" and isinstance(item, dict | list)
            ]


def check_instancing(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Attributes of EXT_mesh_gpu_instancing: as many of each, of the right shape."""
    extensions = get_object(item, "extensions", pointer)
    if INSTANCING not in extensions:
        return
    where = f"{pointer}/extensions/{INSTANCING}"
    attributes = get_object(get_object(extensions, INSTANCING, where), "attributes", where)
    layouts = {name: gltf.layout(accessor) for name, accessor in attributes.items()}
    if "mesh" not in item or not layouts or len({layout.count for layout in layouts.values()}) != 1:
        yield issue("INSTANCING_COUNT", where, "a mesh and attributes of one count are wanted")
    for name, rows in _INSTANCE_ROWS.items():
        if name in layouts and (layouts[name].rows, layouts[name].columns) != (rows, 1):
            yield issue("INSTANCING_COUNT", f"{where}/attributes/{name}", f"{rows} components are wanted")


def lower_levels(gltf: Gltf) -> set[int]:
    """The nodes that MSFT_lod names anywhere."""
    nodes, found = gltf.items("nodes"), set[int]()
    for index, node in enumerate(nodes):
        where = f"/nodes/{index}/extensions"
        level = get_object(get_object(node, "extensions", f"/nodes/{index}"), LOD, where)
        found.update(get_indices(level, "ids", f"{where}/{LOD}", len(nodes)))
    return found


def check_lod(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """MSFT_lod: other nodes, each once, that have no levels of their own, with a coverage for each level."""
    extensions = get_object(item, "extensions", pointer)
    if LOD not in extensions:
        return
    where = f"{pointer}/extensions/{LOD}"
    nodes = gltf.items("nodes")
    levels = get_indices(get_object(extensions, LOD, where), "ids", where, len(nodes))
    if not levels or len(set(levels)) != len(levels):
        yield issue("LOD_INVALID", where, "levels must be named, each once")
    for level in levels:
        if pointer == f"/nodes/{level}" or LOD in get_object(nodes[level], "extensions", f"/nodes/{level}"):
            yield issue("LOD_INVALID", where, f"node {level} has levels of its own: a circle, or it is its own level")
    extras = get_object(item, "extras", pointer)
    coverage = get_list(extras, "MSFT_screencoverage", f"{pointer}/extras")
    if "MSFT_screencoverage" in extras and len(coverage) not in (len(levels), len(levels) + 1):
        yield issue("LOD_INVALID", where, f"{len(coverage)} coverages for {len(levels) + 1} levels")
