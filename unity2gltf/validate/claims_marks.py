"""What a file says of its origin: source marks, submesh numbers, UV sets, names of morph targets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..evaluate.document import Gltf
from ..evaluate.fields import GlbError, Json, as_object, get_list, get_object, unity_extras
from ..ir import Asset, Geometry, Mesh
from ..source import Source
from .claims import utf8_text
from .measure import Problems


def check_marks(asset: Asset, gltf: Gltf, problems: Problems) -> None:
    """Every mark is that of the Unity object at the same index, and every name of a morph target its frame's."""
    sources: dict[str, Sequence[Source | None]] = {
        "nodes": [node.source for node in asset.nodes],
        "meshes": [asset.geometries[mesh.geometry].source for mesh in asset.meshes],
        "skins": [skin.source for skin in asset.skins],
        "materials": [material.source for material in asset.materials],
    }
    for collection, wanted in sources.items():
        for index, (source, item) in enumerate(zip(wanted, gltf.items(collection), strict=False)):
            _report(_mark(item, source, f"/{collection}/{index}"), problems)
    for index, node in enumerate(asset.nodes):
        _report(_node(gltf.items("nodes")[index], node.game_object, f"/nodes/{index}"), problems)
    for index, mesh in enumerate(asset.meshes):
        item, pointer = gltf.items("meshes")[index], f"/meshes/{index}"
        _report(_primitives(item, mesh, asset.geometries[mesh.geometry], pointer), problems)
        _report(_target_names(item, asset.geometries[mesh.geometry], pointer), problems)


def _report(found: Iterator[str], problems: Problems) -> None:
    try:
        for sentence in found:
            problems.add(sentence)
    except GlbError as error:
        problems.add(str(error))


def _mark(item: Json, source: Source | None, pointer: str) -> Iterator[str]:
    mark = source.mark() if source else {}
    unity = unity_extras(item, pointer)
    if {key: unity.get(key) for key in mark} != mark:
        yield f"{pointer}: its source mark is not {mark}"


def _node(item: Json, game_object: int | None, pointer: str) -> Iterator[str]:
    found = unity_extras(item, pointer).get("node")
    if found != game_object:
        yield f"{pointer}: it names node {found} as its GameObject's, wanted is {game_object}"


def _primitives(item: Json, mesh: Mesh, geometry: Geometry, pointer: str) -> Iterator[str]:
    """Numbers of submeshes, and where UV sets are not Unity's the map from glTF's to Unity's."""
    sets = {str(written): number for written, number in enumerate(sorted(geometry.uvs))}
    renumbered = any(written != str(number) for written, number in sets.items())
    for place, (primitive, value) in enumerate(
        zip(mesh.primitives, get_list(item, "primitives", pointer), strict=False)
    ):
        where = f"{pointer}/primitives/{place}"
        unity = unity_extras(as_object(value, where), where)
        number = geometry.submeshes[primitive.submesh].number
        if unity.get("submesh") != number:
            yield f"{where}: its submesh is {unity.get('submesh')}, wanted is {number}"
        if renumbered and unity.get("uv") != sets:
            yield f"{where}: its UV sets are {unity.get('uv')}, wanted are {sets}"


def _target_names(item: Json, geometry: Geometry, pointer: str) -> Iterator[str]:
    """The last frame of a shape has its name, earlier ones the name and their weight; a clash adds a number."""
    names = get_list(get_object(item, "extras", pointer), "targetNames", f"{pointer}/extras")
    wanted: list[str] = []
    for shape in geometry.shapes:
        name = utf8_text(shape.name)
        wanted += [f"{name}@{frame.full_weight * 100:g}" for frame in shape.frames[:-1]] + [name] * bool(shape.frames)
    if len(names) != len(wanted):
        yield f"{pointer}: {len(wanted)} morph targets have {len(names)} names"
    for found, name in zip(names, wanted, strict=False):
        if not re.fullmatch(re.escape(name) + r"(#\d+)?", found if isinstance(found, str) else ""):
            yield f"{pointer}: a morph target is called {found!r}, wanted is {name!r}"
