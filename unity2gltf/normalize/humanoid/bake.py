"""A humanoid clip sampled into curves of real bones.

Between two keys the bones move along cubics whose values and slopes at both ends are those of the muscles, so that
half-way they are a few thousandths of a degree off where straight lines are tenths. How far is measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ir import Curve
from ...math3d import Array
from ..clips.decoded import DecodedClip
from ..clips.muscles import AXES, ROOT_CURVES, moves_object, places_body
from .body import Body, without_details
from .follow import Moved, follow
from .frame import Frame
from .pose import Pose, Values, bone_rotation, pose_body
from .rootmotion import RootMotion, relative
from .sampling import key_times, sample, turning_points

DEFAULT_RATE = 30.0
"""Keys a second of a clip that names no rate: Unity's own default is 60 for new clips, most imported ones have 30."""

HIPS = "Hips"
HIPS_POSITION, OBJECT, OBJECT_POSITION = "hips position", "object", "object position"
"""Names of what moves beside the rotations of human bones."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MuscleClip:
    """What is baked: ``curves`` by the muscles' names, on 0..``duration`` seconds; ``rate``: keys a second; ``flags``
    by Unity's names."""

    curves: Mapping[str, Curve]
    duration: float
    rate: float
    flags: Mapping[str, Any]

    @classmethod
    def of(cls, clip: DecodedClip) -> MuscleClip:
        """The muscles of a decoded clip."""
        return cls(curves=clip.muscles, duration=clip.duration, rate=clip.sample_rate, flags=clip.extras)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baked:
    """``bones``: local rotations by human bone, the hips' relative to their parent; ``hips``: their translation, in the
    same; ``object_position`` and ``object_rotation``: the Animator's object since the start, where it is to move.
    ``keys`` (K,): seconds at which all of them have a key."""

    bones: Mapping[str, Moved]
    hips: Moved | None
    object_position: Moved | None
    object_rotation: Moved | None
    keys: Array


def bake(body: Body, clip: MuscleClip, frames: Mapping[str, Frame], root_motion: str) -> Baked:
    """Sample the clip on the bones of ``frames``, each with what it hangs in. ``root_motion``: ``keep`` leaves all
    motion on the hips, ``split`` gives the object its own, ``strip`` takes that away.

    Raises :class:`Fault` CLIP_INVALID for a clip with too many keys.
    """
    keys = key_times(clip.curves, clip.duration, clip.rate if clip.rate > 0 else DEFAULT_RATE)
    bones = {
        bone: _bone(body, bone, clip, frames[bone], keys) for bone in driven_bones(body, clip.curves) if bone in frames
    }
    whole: dict[str, Moved] = {}
    has_place, moves = places_body(clip.curves), root_motion == "split" and moves_object(clip.curves)
    if HIPS in frames and (has_place or moves):
        whole = _whole_body(body, clip, frames[HIPS], root_motion != "keep", keys)
        bones |= {HIPS: whole[HIPS]} if has_place else {}
    return Baked(
        bones=bones,
        hips=whole.get(HIPS_POSITION) if has_place else None,
        object_position=whole.get(OBJECT_POSITION) if root_motion == "split" else None,
        object_rotation=whole.get(OBJECT) if root_motion == "split" else None,
        keys=keys,
    )


def driven_bones(body: Body, curves: Mapping[str, Curve]) -> list[str]:
    """Human bones, the hips aside, that the clip turns: those with a muscle in it, and those that take a share of such
    a bone's twist."""
    return [bone for bone in body.axes if any(name in curves for name in muscles_of(body, bone))]


def muscles_of(body: Body, bone: str) -> list[str]:
    """The muscles that turn a bone, with the twist it takes over."""
    own = [name for name in AXES[bone] if name]
    return [*own, AXES[body.taken[bone].bone][0]] if bone in body.taken else own


def _bone(body: Body, bone: str, clip: MuscleClip, frame: Frame, keys: Array) -> Moved:
    """One bone's rotation: its muscles alone decide, with keys of its own where they change their range."""
    curves = {name: clip.curves[name] for name in muscles_of(body, bone) if name in clip.curves}

    def posed(times: Array, within: Array) -> dict[str, Array]:
        rotations = bone_rotation(body, bone, sample(curves, times, within), len(times))
        return {bone: frame.rotation_inside(rotations)}

    return follow(np.union1d(keys, turning_points(curves, keys)), posed, body.scale)[bone]


def _whole_body(body: Body, clip: MuscleClip, frame: Frame, splits: bool, keys: Array) -> dict[str, Moved]:
    """The hips, and the object that ``splits`` off their motion, by name."""
    body = without_details(body)
    moving = {name for bone in body.axes for name in muscles_of(body, bone)} | set(ROOT_CURVES)
    curves = {name: curve for name, curve in clip.curves.items() if name in moving}
    motion: RootMotion | None = None
    if splits:
        first = sample(curves, np.zeros(1))
        motion = RootMotion(body, clip.flags, pose_body(body, first, 1), first)

    def posed(times: Array, within: Array) -> dict[str, Array]:
        values = sample(curves, times, within)
        return dict(_moving(body, pose_body(body, values, len(times)), values, motion, frame))

    return follow(keys, posed, body.scale)


def _moving(
    body: Body, pose: Pose, values: Values, motion: RootMotion | None, frame: Frame
) -> Iterator[tuple[str, Array]]:
    """What moves as a whole, by name: (N, 3) positions and (N, 4) rotations, the hips' relative to their parent."""
    position, rotation = pose.positions[:, body.nodes[HIPS]], pose.rotations[:, body.nodes[HIPS]]
    if motion is not None:
        moved = motion.at(pose, values)
        position, rotation = relative(moved, position, rotation)
        yield from ((OBJECT, moved.rotation), (OBJECT_POSITION, moved.position))
    position, rotation = frame.inside(position, rotation)
    yield from ((HIPS, rotation), (HIPS_POSITION, position))
