"""Which node, shape or property each curve of a clip moves, on one rig."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Channel, Curve, Path
from ...math3d import name_hash
from ...raw import Names
from ...text import counted
from .decoded import SKINNED_RENDERER, TRANSFORM, DecodedClip, DecodedCurve

BLEND_SHAPE_TYPE = 20  # GenericBinding.customType
BLEND_SHAPE_PREFIX = "blendShape."

_PATHS = {"position": Path.TRANSLATION, "rotation": Path.ROTATION, "euler": Path.EULER, "scale": Path.SCALE}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeTarget:
    """The node that carries a blend-shaped mesh, and the names of its shapes in order."""

    node: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rig:
    """What a clip can move: the node of the Animator or Animation component, the nodes below it by the CRC-32 of their
    path relative to it (0 = itself), and the blend-shaped meshes by the node of their GameObject."""

    node: int
    by_hash: Mapping[int, int]
    shapes: Mapping[int, tuple[ShapeTarget, ...]] = field(default_factory=dict)


def paths_below(root: int, nodes: Iterable[tuple[int, int, str]]) -> dict[int, str]:
    """Paths relative to ``root`` (itself: empty) of the nodes below it. ``nodes``: index, parent and name of any nodes,
    parents first."""
    paths = {root: ""}
    for index, parent, name in nodes:
        above = paths.get(parent)
        if above is not None and index != root:
            paths[index] = f"{above}/{name}" if above else name
    return paths


def by_path_hash(paths: Mapping[int, str]) -> dict[int, int]:
    """Nodes by the CRC-32 of their path; of several with one path the first."""
    by_hash: dict[int, int] = {}
    for index, path in paths.items():
        by_hash.setdefault(name_hash(path), index)
    return by_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """``channels`` of nodes and shapes; ``properties``: (node, curve) of everything else that the rig has;
    ``unresolved``: curves of paths and shapes that it does not have."""

    channels: tuple[Channel, ...]
    properties: tuple[tuple[int, DecodedCurve], ...]
    unresolved: tuple[DecodedCurve, ...]


def resolved_share(clip: DecodedClip, rig: Rig) -> float:
    """The part of the clip's curves (muscles apart) whose path, and blend shape, this rig has; 0 without curves."""
    if not clip.curves:
        return 0.0
    return sum(_is_resolved(curve, rig) for curve in clip.curves) / len(clip.curves)


def _is_resolved(curve: DecodedCurve, rig: Rig) -> bool:
    node = rig.by_hash.get(curve.path_hash)
    if node is None:
        return False
    return not is_blend_shape(curve) or any(_shape(curve, target) is not None for target in rig.shapes.get(node, ()))


def bind(clip: DecodedClip, rig: Rig, names: Names, diagnostics: Diagnostics) -> Bound:
    """The clip's curves on the rig's nodes.

    ``names`` is the name index of the content root (``lookup``), which tells what an unresolved hash may be called.
    Reports CLIP_HASH_UNRESOLVED, CLIP_DUPLICATE and CLIP_SHAPE_BY_PREFIX.
    """
    channels: dict[tuple[int, Path], Channel] = {}
    weights: dict[ShapeTarget, dict[int, DecodedCurve]] = defaultdict(dict)
    properties: list[tuple[int, DecodedCurve]] = []
    homeless: list[DecodedCurve] = []
    unresolved: dict[int, str] = {}
    tally: Counter[str] = Counter()
    for curve in clip.curves:
        node = rig.by_hash.get(curve.path_hash)
        if node is None:
            unresolved[curve.path_hash] = curve.path or _best_name(names, curve.path_hash)
            homeless.append(curve)
        elif is_blend_shape(curve):
            if not _take_shapes(curve, rig.shapes.get(node, ()), weights, tally):
                unresolved[_attribute_hash(curve)] = attribute_name(curve, names)
                homeless.append(curve)
        elif curve.type_id == TRANSFORM and isinstance(curve.attribute, str) and curve.attribute in _PATHS:
            channel = _transform_channel(curve, node)
            slot = (node, Path.ROTATION if channel.path is Path.EULER else channel.path)
            tally["duplicates"] += slot in channels
            channels.setdefault(slot, channel)
        else:
            properties.append((node, curve))
    result = [*channels.values(), *(_weights_channel(target, curves) for target, curves in weights.items())]
    _report(unresolved, tally, diagnostics)
    return Bound(channels=tuple(result), properties=tuple(properties), unresolved=tuple(homeless))


def _take_shapes(
    curve: DecodedCurve,
    targets: Sequence[ShapeTarget],
    weights: dict[ShapeTarget, dict[int, DecodedCurve]],
    tally: Counter[str],
) -> bool:
    """Whether any of the meshes has the curve's shape; it is added to ``weights`` of each that has."""
    found = [(target, hit) for target in targets if (hit := _shape(curve, target)) is not None]
    for target, (shape, prefixed) in found:
        tally["prefixed"] += prefixed
        tally["duplicates"] += shape in weights[target]
        weights[target].setdefault(shape, curve)
    return bool(found)


def is_blend_shape(curve: DecodedCurve) -> bool:
    """By customType in compiled clips, by the prefix of the attribute in the others."""
    if curve.type_id != SKINNED_RENDERER:
        return False
    if isinstance(curve.attribute, str):
        return curve.attribute.startswith(BLEND_SHAPE_PREFIX)
    return curve.custom_type == BLEND_SHAPE_TYPE


def _shape(curve: DecodedCurve, target: ShapeTarget) -> tuple[int, bool] | None:
    """The shape's index, and whether only the hash of its prefixed name fits."""
    if isinstance(curve.attribute, str):
        name = curve.attribute.removeprefix(BLEND_SHAPE_PREFIX)
        return (target.names.index(name), False) if name in target.names else None
    hashes = [name_hash(name) for name in target.names]
    if curve.attribute in hashes:
        return hashes.index(curve.attribute), False
    prefixed = [name_hash(BLEND_SHAPE_PREFIX + name) for name in target.names]
    return (prefixed.index(curve.attribute), True) if curve.attribute in prefixed else None


def _transform_channel(curve: DecodedCurve, node: int) -> Channel:
    return Channel(
        node=node,
        path=_PATHS[str(curve.attribute)],
        curves=curve.curves,
        rotation_order=curve.rotation_order,
        exact=curve.exact,
        error=curve.error,
    )


def _weights_channel(target: ShapeTarget, curves: Mapping[int, DecodedCurve]) -> Channel:
    """All shapes of a mesh in one channel; a shape that the clip leaves alone keeps the renderer's default."""
    return Channel(
        node=target.node,
        path=Path.WEIGHTS,
        curves=tuple(curves[i].curves[0] if i in curves else None for i in range(len(target.names))),
        exact=all(curve.exact for curve in curves.values()),
        error=max(curve.error for curve in curves.values()),
    )


def _attribute_hash(curve: DecodedCurve) -> int:
    return name_hash(curve.attribute) if isinstance(curve.attribute, str) else curve.attribute


def attribute_name(curve: DecodedCurve, names: Names) -> str:
    """What a curve moves, as text; empty where only a hash is known that nothing in the game has."""
    return curve.attribute if isinstance(curve.attribute, str) else _best_name(names, curve.attribute)


def _best_name(names: Names, hash_: int) -> str:
    known = names.lookup(hash_)
    return known[0] if known else ""


def curve_json(curve: DecodedCurve, names: Names) -> dict[str, Any]:
    """A curve as JSON, whole: what it moves by name or hash, times, and the cubic of each segment."""
    named = "" if isinstance(curve.attribute, str) else attribute_name(curve, names)
    return {
        "path": curve.path if curve.path is not None else _best_name(names, curve.path_hash),
        "path_hash": curve.path_hash,
        "type_id": curve.type_id,
        "attribute": curve.attribute,
        **({"attribute_name": named} if named else {}),
        "curves": [_numbers(part) for part in curve.curves],
    }


def _numbers(curve: Curve) -> dict[str, Any]:
    return {"times": curve.times.tolist(), "coefficients": curve.coefficients.tolist()}


def _some(unresolved: Mapping[int, str]) -> str:
    """The first few by name, else by hash, which ``unity2gltf names`` looks up."""
    first = [name or f"hash {hash_}" for hash_, name in sorted(unresolved.items())[:3]]
    return ", ".join(first) + (" ..." if len(unresolved) > len(first) else "")


def _report(unresolved: Mapping[int, str], tally: Counter[str], diagnostics: Diagnostics) -> None:
    if unresolved:
        listed = [{"hash": hash_, "name": name} for hash_, name in sorted(unresolved.items())]
        diagnostics.add(
            codes.CLIP_HASH_UNRESOLVED,
            f"{counted(len(unresolved), 'path or shape', 'paths or shapes')} not on this rig: {_some(unresolved)}",
            count=len(unresolved),
            hashes=listed[:50],
        )
    if duplicates := tally["duplicates"]:
        text = f"{counted(duplicates, 'curve')} of what another moves"
        diagnostics.add(codes.CLIP_DUPLICATE, text, count=duplicates)
    if prefixed := tally["prefixed"]:
        text = f"{counted(prefixed, 'shape')} found by the prefixed name"
        diagnostics.add(codes.CLIP_SHAPE_BY_PREFIX, text, count=prefixed)
