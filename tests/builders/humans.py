"""Small human skeletons, node by node: a stick figure whose poses can be worked out on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tests.builders.raw import source
from unity2gltf.extract.game import open_game
from unity2gltf.raw import RawAvatar, RawAxes, RawClip, RawHuman
from unity2gltf.sample import FileBuilder
from unity2gltf.sample.humanoid import add_avatar, add_clips

BONES = 25
"""Human bones from 5.6 on."""

STRAIGHT = (0.0, 0.0, 0.0, 1.0)
DEGREE = float(np.pi / 180)


@dataclass(frozen=True, slots=True)
class Axes:
    """How a node answers to its muscles; limits in degrees."""

    pre: Sequence[float] = STRAIGHT
    post: Sequence[float] = STRAIGHT
    signs: Sequence[float] = (1.0, 1.0, 1.0)
    minimum: Sequence[float] = (-90.0, -90.0, -90.0)
    maximum: Sequence[float] = (90.0, 90.0, 90.0)
    length: float = 0.0


@dataclass(frozen=True, slots=True)
class Joint:
    """A node of the T-pose: ``bone`` is its number in m_HumanBoneIndex (None = no human bone), ``finger`` a hand
    (0 left, 1 right) and a place in m_HandBoneIndex."""

    parent: str | None
    position: Sequence[float]
    bone: int | None = None
    rotation: Sequence[float] = STRAIGHT
    scale: Sequence[float] = (1.0, 1.0, 1.0)
    axes: Axes | None = None
    mass: float = 0.0
    finger: tuple[int, int] | None = None


def stick() -> dict[str, Joint]:
    """Two metres of straight sticks: every node unturned, its axes those of the world, a muscle of 1 90 degrees."""
    joints = {
        "Top": Joint(None, (0.0, 0.0, 0.0)),
        "Hips": Joint("Top", (0.0, 1.0, 0.0), 0, axes=Axes()),
        "Spine": Joint("Hips", (0.0, 0.2, 0.0), 7, axes=Axes()),
        "Chest": Joint("Spine", (0.0, 0.2, 0.0), 8, axes=Axes()),
        "Neck": Joint("Chest", (0.0, 0.3, 0.0), 10, axes=Axes()),
        "Head": Joint("Neck", (0.0, 0.1, 0.0), 11, axes=Axes()),
    }
    for k, (side, sign) in enumerate((("Left", -1.0), ("Right", 1.0))):
        joints[side + "UpperLeg"] = Joint("Hips", (sign * 0.1, 0.0, 0.0), 1 + k, axes=Axes())
        joints[side + "LowerLeg"] = Joint(side + "UpperLeg", (0.0, -0.5, 0.0), 3 + k, axes=Axes())
        joints[side + "Foot"] = Joint(side + "LowerLeg", (0.0, -0.4, 0.0), 5 + k, axes=Axes())
        joints[side + "UpperArm"] = Joint("Chest", (sign * 0.2, 0.2, 0.0), 14 + k, axes=Axes())
        joints[side + "LowerArm"] = Joint(side + "UpperArm", (sign * 0.3, 0.0, 0.0), 16 + k, axes=Axes())
        joints[side + "Hand"] = Joint(side + "LowerArm", (sign * 0.3, 0.0, 0.0), 18 + k, axes=Axes())
    return joints


def with_masses(joints: Mapping[str, Joint], **masses: float) -> dict[str, Joint]:
    return {name: replace(joint, mass=masses.get(name, 0.0)) for name, joint in joints.items()}


def human(joints: Mapping[str, Joint], **fields: Any) -> RawHuman:
    """The record of a human skeleton; ``joints`` parents first. ``fields`` replace those of the record."""
    names, rows = list(joints), list(joints.values())
    kinds = [row.axes for row in rows if row.axes is not None]
    numbers = np.cumsum([row.axes is not None for row in rows]) - 1
    bones, masses = [-1] * BONES, [0.0] * BONES
    hands = ([-1] * 15, [-1] * 15)
    for node, row in enumerate(rows):
        if row.bone is not None:
            bones[row.bone], masses[row.bone] = node, row.mass
        if row.finger is not None:
            hands[row.finger[0]][row.finger[1]] = node
    whole: dict[str, Any] = {
        "parents": np.array([-1 if row.parent is None else names.index(row.parent) for row in rows], np.int32),
        "axes": np.array([-1 if row.axes is None else numbers[n] for n, row in enumerate(rows)], np.int32),
        "ids": np.arange(len(rows), dtype=np.uint32),
        "positions": np.array([row.position for row in rows], np.float32),
        "rotations": np.array([row.rotation for row in rows], np.float32),
        "scales": np.array([row.scale for row in rows], np.float32),
        "limits": RawAxes(
            pre=np.array([kind.pre for kind in kinds], np.float32),
            post=np.array([kind.post for kind in kinds], np.float32),
            signs=np.array([kind.signs for kind in kinds], np.float32),
            minimum=np.array([kind.minimum for kind in kinds], np.float32) * np.float32(DEGREE),
            maximum=np.array([kind.maximum for kind in kinds], np.float32) * np.float32(DEGREE),
            lengths=np.array([kind.length for kind in kinds], np.float32),
        ),
        "bones": tuple(bones),
        "masses": tuple(masses),
        "left_hand": tuple(hands[0]),
        "right_hand": tuple(hands[1]),
        "root_position": (0.0, 0.0, 0.0),
        "root_rotation": STRAIGHT,
        "scale": 1.0,
        "arm_twist": 0.5,
        "fore_arm_twist": 0.5,
        "upper_leg_twist": 0.5,
        "leg_twist": 0.5,
    }
    return RawHuman(**(whole | fields))


def avatar_of(made: RawHuman, name: str) -> RawAvatar:
    """An Avatar whose own skeleton is that of its human part."""
    return RawAvatar(
        source=source(9, "Avatar"),
        name=name,
        parents=made.parents,
        ids=made.ids,
        positions=made.positions,
        rotations=made.rotations,
        scales=made.scales,
        tos={},
        human=made,
    )


@cache
def sample_humanoid(version: str) -> tuple[RawAvatar, dict[str, RawClip]]:
    """The sample's avatar and its humanoid clips by name, as this package reads them."""
    file = FileBuilder(version)
    add_avatar(file)
    add_clips(file)
    with TemporaryDirectory() as folder:
        (Path(folder) / "a.assets").write_bytes(file.to_bytes())
        (root,) = open_game(Path(folder)).roots
        (avatar,) = map(root.avatar, root.objects("Avatar"))
        clips = {clip.name: clip for clip in map(root.clip, root.objects("AnimationClip"))}
        root.close()
    return avatar, clips
