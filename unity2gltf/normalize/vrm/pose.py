"""The rest pose of a VRM: the avatar's T-pose, with its rig upright at the origin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Humanoid, Node
from ...math3d import Array, conjugate, matrix_quaternions, multiply_quaternions, rotate, rotation_matrices
from ...text import counted
from ..chains import ancestors, chain_matrix

_STILL = 1e-6
"""Metres, and quaternion components, below which a rig is where it has to be."""

_UNIFORM = 1e-4
"""How far, relative to the largest, the scales along the axes may be apart."""

_LEVEL = 20.0
"""Degrees that the arms may be off level before that is worth a word."""


def stand(nodes: Sequence[Node], humanoid: Humanoid, diagnostics: Diagnostics) -> list[Node]:
    """The nodes in the avatar's T-pose, all moved and turned alike so that the rig stands upright at the origin; scales
    stay. Reports VRM_MOVED and VRM_SCALE."""
    posed = list(nodes)
    for index, (translation, rotation) in humanoid.t_pose.items():
        posed[index] = replace(posed[index], translation=translation, rotation=rotation)
    _report_scales(posed, diagnostics)
    return _at_origin(posed, humanoid.rig, diagnostics)


def report_pose(nodes: Sequence[Node], bones: Mapping[str, int], diagnostics: Diagnostics) -> None:
    """VRM_POSE where the avatar's T-pose (nodes in Unity's space, by VRM bone) is none: a figure that is not upright,
    or arms that do not stretch to its sides."""
    place = {bone: matrix_below(nodes, node)[:3, 3] for bone, node in bones.items()}
    upright = place["head"][1] > place["hips"][1] > max(place["leftFoot"][1], place["rightFoot"][1])
    angles = [
        _off_level(place[f"{side}Hand"] - place[f"{side}UpperArm"], way) for side, way in (("left", -1), ("right", 1))
    ]
    if not upright or max(angles) > _LEVEL:
        arms = f"its arms are {angles[0]:.0f} and {angles[1]:.0f} degrees off level"
        posture = arms if upright else f"its head, hips and feet are not above each other, and {arms}"
        text = f"the avatar's stored T-pose is not one: {posture}"
        diagnostics.add(codes.VRM_POSE, text, upright=bool(upright), left_arm_deg=angles[0], right_arm_deg=angles[1])


def _off_level(arm: Array, way: int) -> float:
    """Degrees between an arm and the x axis, in the direction ``way``."""
    return math.degrees(math.atan2(float(np.hypot(arm[1], arm[2])), way * float(arm[0])))


def matrix_below(nodes: Sequence[Node], node: int, above: int = -1) -> Array:
    """(4, 4) from the space of a node to that of one ``above`` it, or the scene's."""
    chain = ancestors(nodes, node)
    return chain_matrix(nodes, chain if above < 0 else chain[: chain.index(above)])


def _at_origin(nodes: list[Node], rig: int, diagnostics: Diagnostics) -> list[Node]:
    place, turn = matrix_below(nodes, rig)[:3, 3], _turn(nodes, rig)
    if np.abs(place).max() < _STILL and np.abs(turn[:3]).max() < _STILL:
        return nodes
    degrees = math.degrees(2 * math.atan2(float(np.linalg.norm(turn[:3])), abs(float(turn[3]))))
    told = ", ".join(f"{value:.3g}" for value in place)
    text = f"the rig stood at ({told}) m, turned by {degrees:.3g} degrees; it was put upright at the origin"
    diagnostics.add(codes.VRM_MOVED, text, translation=place.tolist(), rotation=turn.tolist())
    back = conjugate(turn)
    return [
        node if node.parent >= 0 or node.skin is not None else _moved(node, place, back, is_rig=index == rig)
        for index, node in enumerate(nodes)
    ]


def _turn(nodes: Sequence[Node], node: int) -> Array:
    """The rotation of a node in the scene, a unit quaternion."""
    turn = np.eye(3)
    for step in ancestors(nodes, node):
        turn = rotation_matrices(nodes[step].rotation) @ turn
    return matrix_quaternions(turn)


def _moved(node: Node, place: Array, back: Array, *, is_rig: bool) -> Node:
    """A root as seen from the rig; the rig itself without the rounding."""
    if is_rig:
        return replace(node, translation=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.0, 1.0))
    x, y, z = rotate(back, np.subtract(node.translation, place)).tolist()
    qx, qy, qz, qw = multiply_quaternions(back, node.rotation).tolist()
    return replace(node, translation=(x, y, z), rotation=(qx, qy, qz, qw))


def _report_scales(nodes: Sequence[Node], diagnostics: Diagnostics) -> None:
    scales = np.array([node.scale for node in nodes], np.float64).reshape(-1, 3)
    least, most = scales.min(axis=1), scales.max(axis=1)
    wrong = np.flatnonzero(~((least > 0) & (most - least <= _UNIFORM * most)))
    if len(wrong):
        names = [nodes[index].name for index in wrong[:5].tolist()]
        text = f"{counted(len(wrong), 'node')}, such as {names[0]!r}, keep scales that are not one above 0 for all axes"
        diagnostics.add(codes.VRM_SCALE, text, nodes=len(wrong), names=names)
