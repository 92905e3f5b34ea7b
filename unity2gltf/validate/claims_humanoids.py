"""What a file says of human bodies, compared with Unity's side: bones, muscle limits, and of an avatar all of VRM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..evaluate.document import Gltf
from ..evaluate.fields import GlbError, Json, get_object, unity_extras
from ..ir import Asset, Expression, Humanoid, LookAt, Vrm
from .checks.vrm import LICENSE
from .claims import utf8_text
from .measure import Problems


def check_humanoids(asset: Asset, gltf: Gltf, problems: Problems) -> None:
    """The file and each rig's node tell of the bodies that are there, and of no other; VRMC_vrm is Unity's avatar."""
    try:
        for sentence in (*_file(asset, gltf), *_rigs(asset, gltf), *_vrm(asset, gltf)):
            problems.add(sentence)
    except GlbError as error:
        problems.add(str(error))


def _file(asset: Asset, gltf: Gltf) -> Iterator[str]:
    unity = unity_extras(get_object(gltf.json, "asset", ""), "/asset")
    told = {key: unity[key] for key in ("humanoid", "muscle_limits") if key in unity}
    wanted = _body(asset.humanoids[0], "humanoid") if asset.humanoids else {}
    yield from _differences(told, wanted, "/asset/extras/unity")


def _rigs(asset: Asset, gltf: Gltf) -> Iterator[str]:
    rigs = {humanoid.rig: humanoid for humanoid in reversed(asset.humanoids)}
    for index, item in enumerate(gltf.items("nodes")):
        pointer = f"/nodes/{index}"
        told = get_object(unity_extras(item, pointer), "humanoid", f"{pointer}/extras/unity")
        wanted: Json = {}
        if index in rigs:
            about = {"avatar": utf8_text(rigs[index].avatar), "source": rigs[index].source.mark()}
            wanted = {**about, **_body(rigs[index], "bones")}
        yield from _differences(told, wanted, f"{pointer}/extras/unity/humanoid")


def _body(humanoid: Humanoid, bones: str) -> Json:
    limits = {muscle: [float(end) for end in limit] for muscle, limit in humanoid.limits.items()}
    return {bones: dict(humanoid.bones), "muscle_limits": limits}


def _vrm(asset: Asset, gltf: Gltf) -> Iterator[str]:
    told = get_object(get_object(gltf.json, "extensions", ""), "VRMC_vrm", "/extensions")
    wanted = {} if asset.vrm is None else _avatar(asset, asset.vrm)
    yield from _differences(told, wanted, "/extensions/VRMC_vrm")


def _avatar(asset: Asset, vrm: Vrm) -> Json:
    other = {} if vrm.license_url == LICENSE else {"otherLicenseUrl": vrm.license_url}
    meta = {"name": utf8_text(vrm.name), "authors": [*map(utf8_text, vrm.authors)], "licenseUrl": LICENSE, **other}
    wanted: Json = {
        "specVersion": "1.0",
        "meta": meta,
        "humanoid": {"humanBones": {bone: {"node": node} for bone, node in vrm.bones.items()}},
    }
    for expression in vrm.expressions:
        group = wanted.setdefault("expressions", {}).setdefault("preset" if expression.preset else "custom", {})
        group[utf8_text(expression.name)] = {"morphTargetBinds": [*_binds(asset, expression)]}
    return wanted if vrm.look_at is None else {**wanted, "lookAt": _gaze(vrm.look_at)}


def _binds(asset: Asset, expression: Expression) -> Iterator[Json]:
    """Morph targets are frames of all shapes in order; the last of a shape is the whole of it."""
    for node, number in expression.shapes:
        owners = [place for place, shape in enumerate(asset.geometry_of(node).shapes) for _ in shape.frames]
        last = max((target for target, owner in enumerate(owners) if owner == number), default=None)
        yield {"node": node, "index": last, "weight": 1.0}


def _gaze(look: LookAt) -> Json:
    told: Json = {"type": "bone" if look.bones else "expression"}
    if look.origin is not None:
        told["offsetFromHeadBone"] = [0.0 - look.origin[0], *look.origin[1:]]
    for way, most in look.ranges.items():
        told[f"rangeMap{way}"] = {"inputMaxValue": 90.0, "outputScale": most}
    return told


def _differences(found: Any, wanted: Any, pointer: str) -> Iterator[str]:
    """Where two JSON values differ, the first of a list only."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in sorted(found.keys() | wanted.keys()):
            yield from _differences(found.get(key), wanted.get(key), f"{pointer}/{key}")
    elif found != wanted:
        yield f"{pointer}: {found!r:.80} in the file, wanted is {wanted!r:.80}"
