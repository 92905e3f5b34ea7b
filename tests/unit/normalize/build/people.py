"""The stick figure on real nodes, with an avatar, clips by the names of their muscles, and what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tests.builders.humans import Joint, human, stick, with_masses
from tests.builders.raw import FakeRoot, node, raw_mesh, renderer, source
from tests.reference.clip_writer import clip as raw_clip
from tests.reference.clip_writer import keys
from tests.unit.normalize.humanoid.sticks import HEAD, STRAIGHT, avatar, played
from unity2gltf.diagnostics import Diagnostic, Diagnostics
from unity2gltf.ir import Asset, Channel, Clip, MuscleCurves, Path
from unity2gltf.math3d import Array, name_hash
from unity2gltf.normalize.build.asset import build_hierarchy
from unity2gltf.normalize.build.context import AssetContext
from unity2gltf.normalize.build.nodes import add_nodes, objects_active
from unity2gltf.normalize.content import Library
from unity2gltf.options import Options
from unity2gltf.raw import (
    RawAnimator,
    RawAvatar,
    RawBlendShapes,
    RawClip,
    RawController,
    RawCurve,
    RawHierarchy,
    RawKeys,
    RawNode,
    RawState,
)
from unity2gltf.source import Reference, Source

FIGURE, AVATAR, MESH, CONTROLLER = (
    source(*place) for place in ((1, "GameObject"), (400, "Avatar"), (100, "Mesh"), (300, "AnimatorController"))
)


@dataclass(frozen=True)
class Pose:
    """A Transform's."""

    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = STRAIGHT
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)


STILL = Pose()


@dataclass
class People(FakeRoot):
    """A content root with avatars, clips and a controller."""

    def avatars(self) -> Sequence[Source]:
        return [wanted for wanted in self.objects if wanted.type == "Avatar"]

    def clip(self, wanted: Source) -> RawClip:
        return self._get(wanted)  # type: ignore[no-any-return]

    def controller(self, wanted: Source) -> RawController:
        return self._get(wanted)  # type: ignore[no-any-return]


@dataclass
class Figure:
    """The skeleton of ``joints`` (without its root) as GameObjects below ``Figure``, which has the Animator at ``top``.
    ``armature`` stands between it and the hips; ``between`` has objects above joints that no avatar knows of; ``rest``
    are the nodes' poses where they are not those of the joints; ``without``: joints that are not there, nor what is
    below them. ``Skin`` draws something."""

    joints: Mapping[str, Joint] = field(default_factory=stick)
    top: Pose = STILL
    armature: Pose = STILL
    between: Mapping[str, Sequence[tuple[str, Pose]]] = field(default_factory=dict)
    rest: Mapping[str, Pose] = field(default_factory=dict)
    without: Sequence[str] = ()
    avatar: Reference = AVATAR
    apply_root_motion: bool = False

    @property
    def paths(self) -> dict[str, str]:
        """Of the joints, below the Animator's object."""
        found = {"Top": "Armature"}
        for name, joint in list(self.joints.items())[1:]:
            objects = [found[joint.parent or "Top"], *(text for text, _ in self.between.get(name, ())), name]
            found[name] = "/".join(objects)
        return found

    def hierarchy(self) -> RawHierarchy:
        animator = RawAnimator(
            source=source(2000, "Animator"),
            avatar=self.avatar,
            has_transform_hierarchy=True,
            controller=CONTROLLER,
            apply_root_motion=self.apply_root_motion,
        )
        nodes: list[RawNode] = []

        def add(name: str, parent: int, pose: Pose, **more: Any) -> int:
            place: dict[str, Any] = {"position": pose.position, "rotation": pose.rotation, "scale": pose.scale}
            nodes.append(node(1 + 2 * len(nodes), name, parent, **place, **more))
            return len(nodes) - 1

        add("Figure", -1, self.top, animator=animator)
        add("Skin", 0, STILL, renderer=renderer(900, MESH, skinned=True))
        numbers = {"Top": add("Armature", 0, self.armature)}
        for name, joint in list(self.joints.items())[1:]:
            above = numbers.get(joint.parent or "Top")
            if above is None or name in self.without:
                continue
            for text, pose in self.between.get(name, ()):
                above = add(text, above, pose)
            x, y, z = joint.position
            numbers[name] = add(name, above, self.rest.get(name, Pose((x, y, z))))
        return RawHierarchy(nodes=tuple(nodes))

    def avatar_of(self, name: str = "Stick", path_id: int = 400, **fields: Any) -> RawAvatar:
        """The skeleton as an avatar, all mass in the head; ``fields`` replace those of its human part."""
        made = human(with_masses(self.joints, **HEAD), **({"root_position": (0.0, 1.8, 0.0)} | fields))
        ids = np.array([name_hash(path) for path in self.paths.values()], np.uint32)
        return avatar(replace(made, ids=ids), name, path_id)


# --- clips --------------------------------------------------------------------------------------------------------


def steady(value: float) -> RawKeys:
    return line(value, value)


def line(start: float, end: float, seconds: float = 1.0) -> RawKeys:
    slope = (end - start) / seconds
    return keys((0.0, start, slope, slope), (seconds, end, slope, slope))


UPRIGHT = {"RootT.y": steady(1.8)}
"""Of a figure of scale 1: the head where it is in the T-pose, 0.8 above the hips."""

GOALS = {
    "LeftFoot": (-0.1, -1.7), "RightFoot": (0.1, -1.7), "LeftHand": (-0.8, -0.2), "RightHand": (0.8, -0.2)
}  # fmt: skip
"""Where goals of the T-pose are, from the head; none is turned."""


def goals(**moved: float) -> dict[str, RawKeys]:
    """The goals of the T-pose, but for curves ``moved``."""
    values: dict[str, float] = {}
    for name, (x, y) in GOALS.items():
        values |= {f"{name}T.x": x, f"{name}T.y": y, f"{name}T.z": 0.0}
        values |= {f"{name}Q.x": 0.0, f"{name}Q.y": 0.0, f"{name}Q.z": 0.0, f"{name}Q.w": 1.0}
    return {name: steady(value) for name, value in (values | moved).items()}


def muscle_clip(own: Mapping[str, RawKeys], others: Sequence[RawCurve] = (), /, **fields: Any) -> RawClip:
    """A clip of a second with one key a second, in the editor's form."""
    floats = [RawCurve(kind="float", path="", keys=row, attribute=name, class_id=95) for name, row in own.items()]
    given: dict[str, Any] = {"sample_rate": 1.0, "name": "Move"} | fields
    path_id = given.pop("path_id", 70)
    return replace(raw_clip(curves=(*floats, *others), **given), source=source(path_id, "AnimationClip"))


def moved(path: str, kind: str, *columns: RawKeys, **fields: Any) -> RawCurve:
    """A curve of one object's Transform, by component; one component of anything else."""
    joined: dict[str, Any] = {
        name: np.hstack([getattr(column, name) for column in columns]) for name in ("values", "in_slopes", "out_slopes")
    }
    return RawCurve(kind=kind, path=path, keys=replace(columns[0], **joined), **fields)


# --- what becomes of them -----------------------------------------------------------------------------------------


@dataclass
class Built:
    """An asset, the muscles beside it, and what was told."""

    asset: Asset
    beside: list[MuscleCurves]
    items: list[Diagnostic]

    @property
    def clip(self) -> Clip:
        (clip,) = self.asset.clips
        return clip

    @property
    def report(self) -> dict[str, Any]:
        """How well the clip was baked."""
        return dict(self.clip.extras["humanoid"])

    def told(self, code: str) -> list[dict[str, Any]]:
        return [item.data for item in self.items if item.code.name == code]

    def messages(self, code: str) -> list[str]:
        return [item.message for item in self.items if item.code.name == code]

    def codes(self) -> set[str]:
        return {item.code.name for item in self.items}

    def channels(self) -> dict[tuple[str, str], Channel]:
        """By the node's name and the path."""
        nodes = self.asset.nodes
        found = {(nodes[channel.node].name, channel.path.value): channel for channel in self.clip.channels}
        assert len(found) == len(self.clip.channels) == len(self.clip.tracks)
        return found

    def at(self, name: str, path: Path, time: float = 0.0) -> Array:
        channel = self.channels()[name, path.value]
        return np.array([played(own, time) for own in channel.curves if own is not None])

    def turn(self, name: str, time: float = 0.0) -> Array:
        """Of unit length, as players take it."""
        value = self.at(name, Path.ROTATION, time)
        return np.asarray(value / np.linalg.norm(value))


SHAPES = RawBlendShapes(
    index=np.zeros(1, np.uint32),
    position=np.ones((1, 3), np.float32),
    normal=np.zeros((1, 3), np.float32),
    tangent=np.zeros((1, 3), np.float32),
    shapes=((0, 1, False, False),),
    channels=(("Smile", name_hash("Smile"), 0, 1),),
    full_weights=np.array([100.0], np.float32),
)


def build(
    figure: Figure | None = None,
    clip: RawClip | None = None,
    avatars: Sequence[RawAvatar] | None = None,
    states: Sequence[RawState] = (),
    **options: Any,
) -> Built:
    """The figure as a prefab, with a controller of one clip, or none. ``avatars`` of the game: the figure's own unless
    others are given."""
    figure = figure or Figure()
    root: Any = People().add(raw_mesh(shapes=SHAPES), *([figure.avatar_of()] if avatars is None else avatars))
    if clip is not None:
        root.add(clip)
    clips = () if clip is None else (clip.source,)
    root.add(RawController(source=CONTROLLER, name="Moves", clips=clips, states=tuple(states)))
    diagnostics = Diagnostics()
    asset, beside = build_hierarchy(
        figure.hierarchy(), "prefab", "Figure", FIGURE, Library(root), Options(**options), diagnostics
    )
    return Built(asset, [item for item in beside if isinstance(item, MuscleCurves)], diagnostics.items)


def context_of(figure: Figure, *records: Any) -> tuple[RawHierarchy, AssetContext]:
    """The figure's nodes and nothing else; the game has these ``records``."""
    raw = figure.hierarchy()
    root: Any = People().add(*records)
    context = AssetContext(Library(root), Options(), Diagnostics())
    add_nodes(raw, objects_active(raw, "prefab"), context)
    return raw, context
