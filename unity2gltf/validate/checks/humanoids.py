"""Human bones that the extras name: nodes that are there, each once, at or below their rig; and limits of muscles."""

from __future__ import annotations

from collections.abc import Iterator

from ...evaluate.document import Gltf
from ...evaluate.fields import Json, as_integer, get_numbers, get_object, unity_extras
from ...evaluate.gltf.nodes import node_parents
from ..issues import Issue, issue


def check_file_humanoid(gltf: Gltf) -> Iterator[Issue]:
    """``asset.extras.unity``: the bones and limits of the first rig."""
    unity, where = unity_extras(get_object(gltf.json, "asset", ""), "/asset"), "/asset/extras/unity"
    yield from _bones(gltf, get_object(unity, "humanoid", where), f"{where}/humanoid")
    _read_limits(get_object(unity, "muscle_limits", where), f"{where}/muscle_limits")


def check_rig(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """``extras.unity.humanoid`` of a rig's node."""
    unity, where = unity_extras(item, pointer), f"{pointer}/extras/unity/humanoid"
    if "humanoid" not in unity:
        return
    body = get_object(unity, "humanoid", f"{pointer}/extras/unity")
    bones = get_object(body, "bones", where)
    yield from _bones(gltf, bones, f"{where}/bones")
    _read_limits(get_object(body, "muscle_limits", where), f"{where}/muscle_limits")
    parents = node_parents(gltf).tolist()
    rig = int(pointer.rsplit("/", 1)[1])
    for bone, node in bones.items():
        if not is_below(node, rig, parents):
            yield issue("HUMANOID_INVALID", f"{where}/bones/{bone}", f"node {node} is not below the rig")


def is_below(node: int, above: int, parents: list[int]) -> bool:
    """Whether a node is ``above``, or below it; in a circle, it is not."""
    for _ in parents:
        if node in (above, -1):
            break
        node = parents[node]
    return node == above


def _bones(gltf: Gltf, bones: Json, pointer: str) -> Iterator[Issue]:
    count = len(gltf.items("nodes"))
    nodes = [as_integer(node, f"{pointer}/{bone}", 0, count) for bone, node in bones.items()]
    if len(set(nodes)) != len(nodes):
        yield issue("HUMANOID_INVALID", pointer, "two bones are one node")


def _read_limits(limits: Json, pointer: str) -> None:
    """Two finite numbers each (raises where not)."""
    for muscle in limits:
        get_numbers(limits, muscle, pointer, 2)
