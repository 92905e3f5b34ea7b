"""What a file claims apart from where vertices end up: nodes, skins and counts, compared with Unity's side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..evaluate.document import Gltf
from ..evaluate.fields import GlbError, get_index, get_integer, get_list, get_object, get_text
from ..evaluate.gltf.nodes import node_trs
from ..evaluate.gltf.pose import GltfPoser
from ..ir import Asset, Node, Skin
from .claims_levels import check_levels
from .measure import Problems
from .mirror import mirrored_matrices, mirrored_trs

ROTATION_TOLERANCE = 1e-6
"""Components of a unit quaternion: normalising and rounding to float32 move them by less than 2e-7."""


def check_counts(asset: Asset, poser: GltfPoser, problems: Problems) -> bool:
    """Whether both sides have as many nodes, meshes and skins; comparing goes on only if they do.

    A file may have more materials: copies for meshes whose UV sets are numbered otherwise.
    """
    pairs = {"nodes": len(asset.nodes), "meshes": len(asset.meshes), "skins": len(asset.skins)}
    before = problems.count
    if len(poser.gltf.items("materials")) < len(asset.materials):
        problems.add(f"{len(asset.materials)} materials in Unity, {len(poser.gltf.items('materials'))} in the file")
    for collection, count in pairs.items():
        there = len(poser.gltf.items(collection))
        if there != count:
            problems.add(f"{count} {collection} in Unity, {there} in the file")
    return problems.count == before


def check_nodes(asset: Asset, poser: GltfPoser, problems: Problems) -> None:
    """Names, parents, mirrored transforms and references of every node, and the scene's roots."""
    for index, (node, item) in enumerate(zip(asset.nodes, poser.gltf.items("nodes"), strict=True)):
        pointer = f"/nodes/{index}"
        label = f'node {index} "{node.name}"'
        if get_text(item, "name", pointer, "") != utf8_text(node.name):
            problems.add(f"{label}: it is called {item.get('name')!r} in the file")
        if poser.parents[index] != node.parent:
            problems.add(f"{label}: its parent is {node.parent} in Unity, {poser.parents[index]} in the file")
        skin = node.skin if node.mesh is not None else None  # a skin on a node without a mesh means nothing
        for key, wanted, count in (("mesh", node.mesh, len(asset.meshes)), ("skin", skin, len(asset.skins))):
            found = get_index(item, key, pointer, count)
            if found != wanted:
                problems.add(f"{label}: its {key} is {wanted} in Unity, {found} in the file")
        if "matrix" in item:
            problems.add(f"{label}: it is written as a matrix")
        else:
            _check_trs(node, node_trs(item, pointer), label, problems)
    _check_roots(asset, poser, problems)
    check_levels(asset, poser.gltf, problems)


def check_unlit(asset: Asset, gltf: Gltf, problems: Problems) -> None:
    """KHR_materials_unlit is there exactly where Unity's material is unlit."""
    for index, (material, item) in enumerate(zip(asset.materials, gltf.items("materials"), strict=False)):
        pointer = f"/materials/{index}"
        try:
            found = "KHR_materials_unlit" in get_object(item, "extensions", pointer)
        except GlbError as error:
            problems.add(str(error))
            continue
        if found != material.unlit:
            problems.add(f"{pointer}: unlit is {material.unlit} in Unity, {found} in the file")


def utf8_text(name: str) -> str:
    """A game's text with U+FFFD for each lone surrogate, which UTF-8 cannot hold."""
    return "".join("\ufffd" if 0xD800 <= ord(letter) < 0xE000 else letter for letter in name)


def _check_trs(
    node: Node, written: tuple[list[float], list[float], list[float]], label: str, problems: Problems
) -> None:
    translation, rotation, scale = mirrored_trs((node.translation, node.rotation, node.scale))
    for what, wanted, found in (("translation", translation, written[0]), ("scale", scale, written[2])):
        if not np.array_equal(np.asarray(wanted, np.float32), np.asarray(found, np.float32)):
            problems.add(f"{label}: its {what} is {found} in the file, wanted is {list(wanted)}")
    wanted_unit = np.array(rotation, np.float64)
    length = float(np.linalg.norm(wanted_unit))
    wanted_unit = wanted_unit / length if length else np.array([0.0, 0.0, 0.0, 1.0])
    if not np.abs(wanted_unit - written[1]).max() <= ROTATION_TOLERANCE:
        problems.add(f"{label}: its rotation is {written[1]} in the file, wanted is {wanted_unit.tolist()}")


def _check_roots(asset: Asset, poser: GltfPoser, problems: Problems) -> None:
    gltf = poser.gltf
    scenes = gltf.items("scenes")
    if not scenes:
        problems.add("the file has no scene")
        return
    scene = get_integer(gltf.json, "scene", "", 0, below=len(scenes))
    if get_list(scenes[scene], "nodes", f"/scenes/{scene}") != asset.roots:
        problems.add("the scene's roots differ from Unity's")


def check_skins(asset: Asset, poser: GltfPoser, problems: Problems) -> None:
    """Joints in the order of Unity's bone slots, and each inverse bind matrix mirrored, unused ones included."""
    for index, skin in enumerate(asset.skins):
        label = f'skin {index} "{skin.name}"'
        try:
            joints, inverse = poser.skin(index)
        except GlbError as error:
            problems.add(f"{label}: {error}")
            continue
        if joints != list(skin.joints):
            problems.add(f"{label}: its joints differ ({len(skin.joints)} in Unity, {len(joints)} in the file)")
        else:
            _check_inverse(skin, inverse, label, problems)


def _check_inverse(skin: Skin, inverse: NDArray[np.float64], label: str, problems: Problems) -> None:
    wanted = mirrored_matrices(skin.inverse_bind)
    # The last row may be snapped to (0, 0, 0, 1), which Unity does not read and the format demands.
    wrong = np.flatnonzero(
        np.any(wanted[:, :3] != inverse[:, :3], axis=(1, 2)) | np.any(inverse[:, 3] != (0, 0, 0, 1), axis=1)
    )
    if len(wrong):
        problems.add(f"{label}: {len(wrong)} inverse bind matrices differ, the first is number {wrong[0]}")
