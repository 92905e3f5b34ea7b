"""Lights and cameras of a file, compared with Unity's side: their numbers, and where they shine and look."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..evaluate.document import Gltf
from ..evaluate.fields import GlbError, Json, as_number, get_numbers, get_object, get_text
from ..evaluate.gltf.lights import LIGHTS, forward, lights, node_light
from ..evaluate.gltf.nodes import node_parents
from ..ir import Asset, Camera, Light
from .measure import Problems
from .mirror import mirrored_points

Array = NDArray[np.float64]

CLOSE = 1e-6
"""Numbers go through JSON as they are; directions through a few products of float64."""


def check_lights(asset: Asset, gltf: Gltf, problems: Problems) -> None:
    """Every light and camera has its numbers and its node."""
    try:
        found = lights(gltf)
        pairs = (("light", len(asset.lights), len(found)), ("camera", len(asset.cameras), len(gltf.items("cameras"))))
        for what, here, there in pairs:
            if here != there:
                problems.add(f"{here} {what}s in Unity, {there} in the file")
                return
        for sentence in _differences(asset, gltf, found):
            problems.add(sentence)
    except GlbError as error:
        problems.add(str(error))


def _differences(asset: Asset, gltf: Gltf, found: list[Json]) -> Iterator[str]:
    for index, (light, item) in enumerate(zip(asset.lights, found, strict=True)):
        yield from _light(light, item, f"/extensions/{LIGHTS}/lights/{index}")
    for index, (camera, item) in enumerate(zip(asset.cameras, gltf.items("cameras"), strict=True)):
        yield from _camera(camera, item, f"/cameras/{index}")
    for index, (node, item) in enumerate(zip(asset.nodes, gltf.items("nodes"), strict=True)):
        pointer = f"/nodes/{index}"
        if node_light(item, pointer, len(found)) != node.light or item.get("camera") != node.camera:
            yield f"{pointer}: its light or camera is not {node.light}, {node.camera}"


def _light(light: Light, item: Json, pointer: str) -> Iterator[str]:
    if get_text(item, "type", pointer) != light.kind.value:
        yield f"{pointer}: it is a {item['type']} light, wanted is {light.kind.value}"
    color = get_numbers(item, "color", pointer, 3, (1.0, 1.0, 1.0))
    yield from _numbers({"color": color}, {"color": light.color}, pointer)
    cone = get_object(item, "spot", pointer)
    wanted = {"intensity": light.intensity, "range": light.range}
    yield from _plain(item, {"intensity": 1.0}, wanted, pointer)
    if "spot" in item:
        angles = {"innerConeAngle": light.inner, "outerConeAngle": light.outer}
        yield from _plain(cone, {"innerConeAngle": 0.0, "outerConeAngle": math.pi / 4}, angles, f"{pointer}/spot")
    elif light.outer:
        yield f"{pointer}: it has no cone"


def _camera(camera: Camera, item: Json, pointer: str) -> Iterator[str]:
    kind = "orthographic" if camera.yfov is None else "perspective"
    if get_text(item, "type", pointer) != kind:
        yield f"{pointer}: it is {item['type']}, wanted is {kind}"
    wanted: dict[str, float | None] = {"znear": camera.near, "zfar": camera.far}
    if camera.yfov is None:
        wanted |= {"xmag": camera.xmag, "ymag": camera.ymag}
    else:
        wanted |= {"yfov": camera.yfov, "aspectRatio": camera.aspect}
    yield from _plain(get_object(item, kind, pointer), {}, wanted, f"{pointer}/{kind}")


def _plain(
    item: Json, defaults: Mapping[str, float], wanted: Mapping[str, float | None], pointer: str
) -> Iterator[str]:
    for key, value in wanted.items():
        stored = item.get(key, defaults.get(key))
        if stored is None or value is None:
            if stored != value:
                yield f"{pointer}/{key}: {stored} in the file, wanted is {value}"
        else:
            yield from _numbers({key: [as_number(stored, f"{pointer}/{key}")]}, {key: [value]}, pointer)


def _numbers(
    found: Mapping[str, Sequence[float]], wanted: Mapping[str, Sequence[float]], pointer: str
) -> Iterator[str]:
    for key, values in wanted.items():
        if not np.allclose(found[key], values, rtol=CLOSE, atol=0.0):
            yield f"{pointer}/{key}: {list(found[key])} in the file, wanted is {list(values)}"


def check_directions(asset: Asset, unity: Array, gltf: Array, document: Gltf, problems: Problems) -> None:
    """Each light and camera faces, in the file, along the mirrored +Z of the object that has it in Unity, which is
    told by the node above it. ``unity`` and ``gltf``: (N, 4, 4) world matrices of both sides."""
    parents = node_parents(document)
    for index, node in enumerate(asset.nodes):
        if (node.light is None and node.camera is None) or parents[index] < 0:
            continue
        wanted = _unit(mirrored_points(unity[parents[index], :3, 2][None])[0])
        found = _unit(forward(gltf, index))
        if wanted is not None and (found is None or not np.abs(wanted - found).max() <= CLOSE):
            shown = None if found is None else found.tolist()
            problems.add(f'node {index} "{node.name}": it faces {shown} in the file, wanted is {wanted.tolist()}')


def _unit(vector: Array) -> Array | None:
    """None for what has no direction: scaled to nothing, or not finite."""
    length = float(np.linalg.norm(vector))
    return vector / length if 0.0 < length < math.inf else None
