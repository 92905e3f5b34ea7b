"""VRMC_vrm, which the Khronos validator does not know: the rules of VRM 1.0 for what unity2gltf writes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...evaluate.document import Gltf
from ...evaluate.fields import (
    Json,
    as_number,
    as_object,
    get_integer,
    get_list,
    get_numbers,
    get_object,
    get_text,
)
from ...evaluate.gltf.nodes import node_parents
from ...evaluate.gltf.pose import GltfPoser
from ...evaluate.gltf.streams import mesh_streams
from ..issues import Issue, issue
from .humanoids import is_below

VRM = "VRMC_vrm"
_WHERE = f"/extensions/{VRM}"
LICENSE = "https://vrm.dev/licenses/1.0/"
"""The one document that ``licenseUrl`` may name in VRM 1.0."""

_FINGERS = (
    "*ThumbMetacarpal *ThumbProximal! *ThumbDistal!",
    *(f"*{name}Proximal *{name}Intermediate! *{name}Distal!" for name in ("Index", "Middle", "Ring", "Little")),
)
_CHAINS = (
    "hips spine chest upperChest! neck head jaw",
    "head *Eye",
    "hips *UpperLeg *LowerLeg *Foot *Toes",
    "upperChest *Shoulder *UpperArm *LowerArm *Hand",
    *(f"*Hand {finger}" for finger in _FINGERS),
)
"""Bones from above to below. ``*``: left and right; ``!``: only where the one above is there, too."""

_REQUIRED = "hips spine head *UpperLeg *LowerLeg *Foot *UpperArm *LowerArm *Hand"
_PRESETS = frozenset(
    ("happy", "angry", "sad", "relaxed", "surprised", "neutral", "aa", "ih", "ou", "ee", "oh", "blink")
)
_PRESETS |= {"blinkLeft", "blinkRight", "lookUp", "lookDown", "lookLeft", "lookRight"}
_RANGES = tuple(f"rangeMap{way}" for way in ("HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"))
_ARM_DEGREES = 20.0
"""How far from level the arms of a T-pose may be before that is worth a word."""


def _sides(text: str) -> Iterator[list[str]]:
    for side in ("left", "right") if "*" in text else ("",):
        yield [word.replace("*", side) for word in text.split()]


_LINKS = [link for chain in _CHAINS for words in _sides(chain) for link in pairwise(words)]
_ABOVE = {below.rstrip("!"): above.rstrip("!") for above, below in _LINKS}
_BOUND = {below.rstrip("!") for _, below in _LINKS if below.endswith("!")}
_MUST = {bone for words in _sides(_REQUIRED) for bone in words}


def check_vrm(gltf: Gltf) -> Iterator[Issue]:
    """The extension of the document, where it is there."""
    extensions = get_object(gltf.json, "extensions", "")
    if VRM not in extensions:
        return
    vrm = get_object(extensions, VRM, "/extensions")
    if get_text(vrm, "specVersion", _WHERE) != "1.0":
        yield issue("VRM_INVALID", f"{_WHERE}/specVersion", "only 1.0 is known")
    yield from _meta(get_object(vrm, "meta", _WHERE), f"{_WHERE}/meta")
    bones = _nodes(gltf, get_object(vrm, "humanoid", _WHERE))
    yield from _bones(gltf, bones, f"{_WHERE}/humanoid/humanBones")
    yield from _expressions(gltf, get_object(vrm, "expressions", _WHERE), f"{_WHERE}/expressions")
    yield from _look_at(get_object(vrm, "lookAt", _WHERE), f"{_WHERE}/lookAt")
    if bones.keys() >= _MUST:
        yield from _pose(GltfPoser(gltf).world(), bones)


def _meta(meta: Json, pointer: str) -> Iterator[Issue]:
    authors = get_list(meta, "authors", pointer)
    if not get_text(meta, "name", pointer):
        yield issue("VRM_INVALID", f"{pointer}/name", "it has no name")
    if not authors or not all(isinstance(author, str) and author for author in authors):
        yield issue("VRM_INVALID", f"{pointer}/authors", "authors must be named")
    if get_text(meta, "licenseUrl", pointer) != LICENSE:
        yield issue("VRM_INVALID", f"{pointer}/licenseUrl", f"only {LICENSE} may stand here")


def _nodes(gltf: Gltf, humanoid: Json) -> dict[str, int]:
    where, count = f"{_WHERE}/humanoid/humanBones", len(gltf.items("nodes"))
    bones = get_object(humanoid, "humanBones", f"{_WHERE}/humanoid")
    return {
        bone: get_integer(as_object(value, f"{where}/{bone}"), "node", f"{where}/{bone}", below=count)
        for bone, value in bones.items()
    }


def _bones(gltf: Gltf, bones: Mapping[str, int], pointer: str) -> Iterator[Issue]:
    unknown, missing = bones.keys() - _ABOVE.keys() - {"hips"}, _MUST - bones.keys()
    for what, names in (("are no bones", unknown), ("are missing", missing)):
        if names:
            yield issue("VRM_INVALID", pointer, f"{', '.join(sorted(names))} {what}")
    if len(set(bones.values())) != len(bones):
        yield issue("VRM_INVALID", pointer, "two bones are one node")
    parents = node_parents(gltf).tolist()
    for bone in bones.keys() & _ABOVE.keys():
        above = _ABOVE[bone]
        if bone in _BOUND and above not in bones:
            yield issue("VRM_INVALID", f"{pointer}/{bone}", f"it cannot be there without {above}")
        while above not in bones and above in _ABOVE:
            above = _ABOVE[above]
        if above in bones and not is_below(bones[bone], bones[above], parents):
            yield issue("VRM_INVALID", f"{pointer}/{bone}", f"it is not below {above}")


def _expressions(gltf: Gltf, groups: Json, pointer: str) -> Iterator[Issue]:
    for group in ("preset", "custom"):
        for name, value in get_object(groups, group, pointer).items():
            where = f"{pointer}/{group}/{name}"
            if (name in _PRESETS) != (group == "preset"):
                yield issue("VRM_INVALID", where, f"{name!r} has no place among {group} expressions")
            binds = get_list(as_object(value, where), "morphTargetBinds", where)
            for place, bind in enumerate(binds):
                yield from _bind(gltf, as_object(bind, where), f"{where}/morphTargetBinds/{place}")


def _bind(gltf: Gltf, bind: Json, pointer: str) -> Iterator[Issue]:
    nodes, meshes = gltf.items("nodes"), len(gltf.items("meshes"))
    node = get_integer(bind, "node", pointer, below=len(nodes))
    mesh = get_integer(nodes[node], "mesh", f"/nodes/{node}", below=meshes)  # raises where it has none
    targets = [len(stream.targets) for stream in mesh_streams(gltf, mesh)]
    get_integer(bind, "index", pointer, below=min(targets, default=0))
    if not 0.0 <= as_number(bind.get("weight"), f"{pointer}/weight") <= 1.0:
        yield issue("VRM_INVALID", f"{pointer}/weight", "it is outside 0..1")


def _look_at(look: Json, pointer: str) -> Iterator[Issue]:
    if look and get_text(look, "type", pointer) not in ("bone", "expression"):
        yield issue("VRM_INVALID", f"{pointer}/type", "eyes are moved by bone or expression")
    get_numbers(look, "offsetFromHeadBone", pointer, 3)
    for name in _RANGES:
        values = get_object(look, name, pointer)
        for key in values.keys() & {"inputMaxValue", "outputScale"}:
            if as_number(values[key], f"{pointer}/{name}/{key}") < 0.0:
                yield issue("VRM_INVALID", f"{pointer}/{name}/{key}", "it is negative")


def _pose(world: NDArray[np.float64], bones: Mapping[str, int]) -> Iterator[Issue]:
    """Upright, facing +Z (the left is +X), arms level: else animations for VRM play wrongly."""
    places = {bone: world[node, :3, 3] for bone, node in bones.items()}
    if not places["head"][1] > places["hips"][1] > max(places["leftFoot"][1], places["rightFoot"][1]):
        yield issue("VRM_POSE", _WHERE, "the head is not above the hips, or these not above the feet")
    for side, sign in (("left", 1.0), ("right", -1.0)):
        arm = places[f"{side}Hand"] - places[f"{side}UpperArm"]
        degrees = math.degrees(math.atan2(float(np.linalg.norm(arm[1:])), sign * float(arm[0])))
        if not degrees <= _ARM_DEGREES:
            yield issue("VRM_POSE", _WHERE, f"the {side} arm is {degrees:.0f} degrees off a T-pose")
