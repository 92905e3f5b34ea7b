"""VRMC_vrm (VRM 1.0): who made an avatar, its human bones, its expressions and how its eyes follow a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir import Expression, LookAt, Vrm
from ..morphs import last_target
from .hooks import Json

if TYPE_CHECKING:
    from ..context import Context

NAME = "VRMC_vrm"

LICENSE = "https://vrm.dev/licenses/1.0/"
"""The one document that ``licenseUrl`` may name; another licence is the ``otherLicenseUrl`` beside it."""

_LOOK_DEGREES = 90.0
"""How far from straight ahead something is when the eyes have turned as far as they can."""


def write_vrm(context: Context) -> None:
    """The extension of the file, where the asset is an avatar."""
    vrm = context.asset.vrm
    if vrm is None:
        return
    context.extensions.add(NAME)
    said: Json = {
        "specVersion": "1.0",
        "meta": _meta(context, vrm),
        "humanoid": {"humanBones": {bone: {"node": node} for bone, node in vrm.bones.items()}},
    }
    if vrm.expressions:
        said["expressions"] = _expressions(context, vrm)
    if vrm.look_at is not None:
        said["lookAt"] = _look_at(vrm.look_at)
    context.gltf.extensions = {**context.gltf.extensions, NAME: said}


def _meta(context: Context, vrm: Vrm) -> Json:
    other = {} if vrm.license_url == LICENSE else {"otherLicenseUrl": vrm.license_url}
    authors = [context.text(author) for author in vrm.authors]
    return {"name": context.text(vrm.name), "authors": authors, "licenseUrl": LICENSE, **other}


def _expressions(context: Context, vrm: Vrm) -> Json:
    groups: Json = {}
    for expression in vrm.expressions:
        group = groups.setdefault("preset" if expression.preset else "custom", {})
        group[context.text(expression.name)] = {"morphTargetBinds": _binds(context, expression)}
    return groups


def _binds(context: Context, expression: Expression) -> list[Json]:
    return [
        {"node": node, "index": last_target(context.asset.geometry_of(node).shapes, shape), "weight": 1.0}
        for node, shape in expression.shapes
    ]


def _look_at(look: LookAt) -> Json:
    ranges = {
        f"rangeMap{direction}": {"inputMaxValue": _LOOK_DEGREES, "outputScale": most}
        for direction, most in look.ranges.items()
    }
    origin = {} if look.origin is None else {"offsetFromHeadBone": list(look.origin)}
    return {"type": "bone" if look.bones else "expression", **origin, **ranges}
