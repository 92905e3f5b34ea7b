"""What a file claims of nodes that stand for several: lower levels of detail, and instances with their marks."""

from __future__ import annotations

from collections.abc import Iterator

from ..evaluate.document import Gltf
from ..evaluate.fields import GlbError, Json, as_object, get_list, get_object, unity_extras
from ..ir import Asset, Node
from .measure import Problems


def check_levels(asset: Asset, gltf: Gltf, problems: Problems) -> None:
    """MSFT_lod with its coverages, and ``extras.unity.instances``, exactly where Unity's side has them."""
    for index, (node, item) in enumerate(zip(asset.nodes, gltf.items("nodes"), strict=True)):
        pointer = f"/nodes/{index}"
        try:
            for sentence in (*_levels(node, item, pointer), *_instances(node, item, pointer)):
                problems.add(sentence)
        except GlbError as error:
            problems.add(str(error))


def _levels(node: Node, item: Json, pointer: str) -> Iterator[str]:
    extensions = get_object(item, "extensions", pointer)
    ids = get_list(get_object(extensions, "MSFT_lod", pointer), "ids", f"{pointer}/extensions/MSFT_lod")
    if ids != list(node.levels):
        yield f"{pointer}: its lower levels are {ids}, wanted are {list(node.levels)}"
    coverages = get_list(get_object(item, "extras", pointer), "MSFT_screencoverage", f"{pointer}/extras")
    if coverages != (list(node.coverages) if node.levels else []):
        yield f"{pointer}: its coverages are {coverages}, wanted are {list(node.coverages)}"


def _instances(node: Node, item: Json, pointer: str) -> Iterator[str]:
    where = f"{pointer}/extras/unity/instances"
    told = get_list(unity_extras(item, pointer), "instances", f"{pointer}/extras/unity")
    if len(told) != len(node.instances):
        yield f"{where}: {len(told)} instances, wanted are {len(node.instances)}"
        return
    for place, (instance, value) in enumerate(zip(node.instances, told, strict=True)):
        found = as_object(value, f"{where}/{place}")
        mark = {} if instance.source is None else instance.source.mark()
        if {key: found.get(key) for key in mark} != mark:
            yield f"{where}/{place}: its source mark is not {mark}"
