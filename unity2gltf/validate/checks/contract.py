"""What our own output promises beyond the format: source marks, and where skinned meshes sit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...evaluate.document import Gltf
from ...evaluate.fields import Json, as_object, get_indices, get_list, unity_extras
from ...evaluate.gltf.nodes import node_parents, node_trs
from ..issues import Issue, issue
from .extensions import lower_levels

KEYS = ("input", "file", "path_id", "type")
_PATH_ID = re.compile(r"-?\d{1,20}", re.ASCII)
_IDENTITY = ([0, 0, 0], [0, 0, 0, 1], [1, 1, 1])  # equal to the lists of floats that are read


def check_mark(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """The mark of something that always comes from a Unity object."""
    yield from _mark(unity_extras(item, pointer), f"{pointer}/extras/unity")


def check_node_mark(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """The mark of a node, or none: some are made up (roots above joints, placeholders of missing bones)."""
    unity = unity_extras(item, pointer)
    if unity.keys() & set(KEYS):
        yield from _mark(unity, f"{pointer}/extras/unity")


def check_image_mark(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """An image's mark, or a list of the marks of the textures that it was made from."""
    unity, where = unity_extras(item, pointer), f"{pointer}/extras/unity"
    if "sources" not in unity:
        yield from _mark(unity, where)
    for place, source in enumerate(get_list(unity, "sources", where)):
        yield from _mark(as_object(source, f"{where}/sources/{place}"), f"{where}/sources/{place}")


def check_submesh_numbers(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """``primitive.extras.unity.submesh`` of every primitive."""
    for place, value in enumerate(get_list(item, "primitives", pointer)):
        where = f"{pointer}/primitives/{place}"
        number = unity_extras(as_object(value, where), where).get("submesh")
        if type(number) is not int or number < 0:
            yield issue("SOURCE_MARK", f"{where}/extras/unity/submesh", "the submesh's number is missing")


def check_skin_nodes(gltf: Gltf) -> Iterator[Issue]:
    """A skinned mesh sits on a childless identity node at a scene's root and names its GameObject's node."""
    nodes, parents = gltf.items("nodes"), node_parents(gltf)
    scenes = enumerate(gltf.items("scenes"))
    roots = {root for place, scene in scenes for root in get_indices(scene, "nodes", f"/scenes/{place}", len(nodes))}
    levels = lower_levels(gltf)
    for index, item in enumerate(nodes):
        if "skin" not in item:
            continue
        pointer = f"/nodes/{index}"
        moved = "matrix" in item or node_trs(item, pointer) != _IDENTITY
        if moved or item.get("children") or parents[index] >= 0:
            yield issue("SKIN_NODE", pointer, "a skinned mesh's node is a childless identity at the scene root")
        if index not in roots and index not in levels:
            yield issue("SKIN_NODE", pointer, "no scene has this root")
        if not _names_object(unity_extras(item, pointer), index, len(nodes)):
            yield issue("SKIN_NODE", f"{pointer}/extras/unity/node", "it does not name its GameObject's node")


def _names_object(unity: Json, index: int, nodes: int) -> bool:
    """Whether the mark of a renderer's node names another node. Meshes outside of hierarchies have none to name."""
    node: Any = unity.get("node")
    return unity.get("type") != "SkinnedMeshRenderer" or (type(node) is int and 0 <= node < nodes and node != index)


def _mark(unity: Json, pointer: str) -> Iterator[Issue]:
    wrong = [key for key in KEYS if not isinstance(unity.get(key), str)]
    if wrong:
        yield issue("SOURCE_MARK", pointer, f"{', '.join(wrong)} must be text")
    elif not _PATH_ID.fullmatch(unity["path_id"]):
        yield issue("SOURCE_MARK", f"{pointer}/path_id", f"{unity['path_id'][:40]!r} is no decimal number")
