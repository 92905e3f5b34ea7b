"""An Avatar's human part, checked and made ready for posing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ... import codes
from ...diagnostics import Fault
from ...math3d import Array, conjugate, multiply_quaternions
from ...raw import RawAvatar, RawHuman
from ...source import Source
from ..clips.muscles import AXES, BONES, REQUIRED, TWISTS, UPPER_CHEST, hand_bones

T = TypeVar("T")

_CARRIERS = frozenset(BONES) - {"LeftEye", "RightEye", "Jaw"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoneAxes:
    """How a bone answers to its muscles: local rotation = ``pre`` swing-twist ``post``^-1 (xyzw). ``signs``,
    ``minimum`` and ``maximum`` (3,) about x (twist), y, z in radians; ``length`` in metres."""

    pre: Array
    post: Array
    signs: Array
    minimum: Array
    maximum: Array
    length: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TakenTwist:
    """The ``share`` of a ``bone``'s twist that the next bone is turned by, about the x axis of ``axis`` (4,), as that
    next one's parent sees it."""

    bone: str
    share: float
    axis: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Body:
    """A humanoid skeleton of N nodes, parents first (-1 = the root), in its T-pose: ``positions`` (N, 3), ``rotations``
    (N, 4) and ``scales`` (N, 3), local; ``ids``: hashes of the nodes' paths below the Animator.

    ``nodes``: node of each human bone that is mapped, by name; ``axes`` and ``masses`` of those. ``given``: the share
    of its twist that a bone leaves to the next; ``taken``: what that next one takes over.
    ``root_position`` and ``root_rotation``: the body's in the T-pose; ``scale``: metres of a unit of the clip's RootT
    and goals.
    """

    source: Source
    name: str
    parents: tuple[int, ...]
    ids: tuple[int, ...]
    positions: Array
    rotations: Array
    scales: Array
    nodes: Mapping[str, int]
    axes: Mapping[str, BoneAxes]
    masses: Mapping[str, float]
    given: Mapping[str, float]
    taken: Mapping[str, TakenTwist]
    root_position: Array
    root_rotation: Array
    scale: float
    has_tdof: bool

    def has(self, *bones: str) -> bool:
        """Whether all of these are mapped."""
        return all(bone in self.nodes for bone in bones)

    def ancestors(self, node: int) -> Iterator[int]:
        """The nodes above a node, up to the root."""
        while (node := self.parents[node]) >= 0:
            yield node


def make_body(avatar: RawAvatar) -> Body:
    """Raises :class:`Fault` AVATAR_INVALID for an avatar that is no human, or whose numbers do not fit together."""
    human = avatar.human
    if human is None:
        raise Fault(codes.AVATAR_INVALID, f"avatar {avatar.name!r} has no human part")
    count = len(human.parents)
    _check_counts(human, count)
    nodes = dict(_mapped(human, count))
    if missing := [bone for bone in REQUIRED if bone not in nodes]:
        raise Fault(codes.AVATAR_INVALID, f"avatar {avatar.name!r} lacks {', '.join(missing)}", bones=missing)
    masses, twists = _with_upper_chest(human.masses, 0.0), list(_twists(human, nodes))
    body = Body(
        source=avatar.source,
        name=avatar.name,
        parents=tuple(human.parents.tolist()),
        ids=tuple(human.ids.tolist()),
        positions=human.positions.astype(np.float64),
        rotations=_unit(human.rotations),
        scales=human.scales.astype(np.float64),
        nodes=nodes,
        axes={bone: _bone_axes(human, bone, node) for bone, node in nodes.items() if bone in AXES},
        masses={bone: mass for bone, mass in zip(BONES, masses, strict=True) if bone in nodes},
        given={bone: factor for bone, _, factor in twists},
        taken={child: _taken(human, nodes, bone, child, factor) for bone, child, factor in twists},
        root_position=np.array(human.root_position),
        root_rotation=_unit(np.array(human.root_rotation)),
        scale=human.scale,
        has_tdof=human.has_tdof,
    )
    _check_numbers(body)
    return body


def without_details(body: Body) -> Body:
    """The body with those nodes only that its mass, its frame and its goals depend on: no fingers, eyes or jaw."""
    wanted = {node for bone, node in body.nodes.items() if bone in _CARRIERS}
    wanted |= {above for node in wanted for above in body.ancestors(node)}
    kept = sorted(wanted)
    renumber = {old: new for new, old in enumerate(kept)} | {-1: -1}
    nodes = {bone: renumber[node] for bone, node in body.nodes.items() if bone in _CARRIERS}
    return replace(
        body,
        parents=tuple(renumber[body.parents[node]] for node in kept),
        ids=tuple(body.ids[node] for node in kept),
        positions=body.positions[kept],
        rotations=body.rotations[kept],
        scales=body.scales[kept],
        nodes=nodes,
        axes={bone: axes for bone, axes in body.axes.items() if bone in nodes},
    )


def _check_counts(human: RawHuman, count: int) -> None:
    arrays = (human.axes, human.ids, human.positions, human.rotations, human.scales)
    limits = human.limits
    rows = {len(a) for a in (limits.pre, limits.post, limits.signs, limits.minimum, limits.maximum, limits.lengths)}
    sizes = len(human.bones), len(human.masses)
    if any(len(array) != count for array in arrays) or len(rows) != 1 or sizes not in ((24, 24), (25, 25)):
        raise Fault(codes.AVATAR_INVALID, "the parts of an avatar's human skeleton differ in length", nodes=count)
    if any(not -1 <= parent < node for node, parent in enumerate(human.parents.tolist())):
        raise Fault(codes.AVATAR_INVALID, "a node of an avatar's human skeleton comes before its parent", nodes=count)


def _mapped(human: RawHuman, count: int) -> Iterator[tuple[str, int]]:
    """Human bones with their nodes. Before 5.6 there is no UpperChest."""
    bones = [*BONES, *hand_bones("Left"), *hand_bones("Right")]
    hands = [hand or (-1,) * 15 for hand in (human.left_hand, human.right_hand)]
    indices = [*_with_upper_chest(human.bones, -1), *hands[0], *hands[1]]
    used = [index for index in indices if index >= 0]
    if len(indices) != len(bones) or max(used) >= count or len(set(used)) != len(used):
        raise Fault(codes.AVATAR_INVALID, "human bones of an avatar are no nodes of its skeleton", bones=len(indices))
    return ((bone, index) for bone, index in zip(bones, indices, strict=True) if index >= 0)


def _with_upper_chest(values: tuple[T, ...], absent: T) -> list[T]:
    padded = list(values)
    if len(padded) < len(BONES):
        padded.insert(UPPER_CHEST, absent)
    return padded


def _bone_axes(human: RawHuman, bone: str, node: int) -> BoneAxes:
    row, limits = int(human.axes[node]), human.limits
    if not 0 <= row < len(limits.pre):
        raise Fault(codes.AVATAR_INVALID, f"human bone {bone} has no axes", bone=bone, axes=row)
    return BoneAxes(
        pre=_unit(limits.pre[row]),
        post=_unit(limits.post[row]),
        signs=limits.signs[row].astype(np.float64),
        minimum=limits.minimum[row].astype(np.float64),
        maximum=limits.maximum[row].astype(np.float64),
        length=float(limits.lengths[row]),
    )


def _twists(human: RawHuman, nodes: Mapping[str, int]) -> Iterator[tuple[str, str, float]]:
    for bone, child, factor in TWISTS:
        if bone in nodes and child in nodes:
            yield bone, child, float(getattr(human, factor))


def _taken(human: RawHuman, nodes: Mapping[str, int], bone: str, child: str, share: float) -> TakenTwist:
    """Nodes between the two stand as in the T-pose; that the limb's end stays as it is decides how the axis is seen
    from below them."""
    axis = _unit(human.limits.post[human.axes[nodes[bone]]])
    between, node = [], int(human.parents[nodes[child]])
    while node >= 0 and node != nodes[bone]:
        between.append(node)
        node = int(human.parents[node])
    for node in reversed(between):
        axis = multiply_quaternions(conjugate(_unit(human.rotations[node])), axis)
    return TakenTwist(bone=bone, share=share, axis=axis)


def _unit(quaternions: np.ndarray) -> Array:
    """Normalised; one without direction becomes NaN, which the check of all numbers finds."""
    wide = quaternions.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit: Array = wide / np.linalg.norm(wide, axis=-1, keepdims=True)
    return unit


def _check_numbers(body: Body) -> None:
    """Everything that arithmetic touches is finite, and what it divides by is above 0."""
    rows = (np.concatenate([a.pre, a.post, a.signs, a.minimum, a.maximum, [a.length]]) for a in body.axes.values())
    numbers = [body.positions, body.rotations, body.scales, body.root_rotation, *rows]
    numbers += [np.array([body.scale, *body.masses.values(), *body.given.values()])]
    if not all(np.isfinite(part).all() for part in numbers) or not body.scale > 0:
        text = f"avatar {body.name!r} holds numbers that are not finite, rotations of no length, or a scale of 0"
        raise Fault(codes.AVATAR_INVALID, text)
