"""A humanoid clip sampled into curves of real bones.

Between two keys the bones move along cubics whose values and slopes at both ends are those of the muscles, so that
half-way they are a few thousandths of a degree off where straight lines are tenths. How far is measured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ir import Curve
from ...math3d import Array
from ...raw import RawMuscles
from ..clips.cubics import hermite, value_at
from ..clips.fit import angles
from ..clips.muscles import AXES, ROOT_CURVES
from .body import Body, without_details
from .place import Frame
from .pose import Pose, Values, bone_rotation, pose_body
from .rootmotion import RootMotion, relative, root_motion
from .sampling import key_times, sample, turning_points

SLOPE_SECONDS = 1e-5
"""Over which slopes are taken, at most a hundredth of what lies between two keys."""

CHUNK = 1024
"""Segments posed at a time, which bounds the memory."""

START, AFTER, MIDDLE, BEFORE, END = range(5)
"""Where a segment is posed: at its ends, beside them, and half-way."""

DEFAULT_RATE = 30.0

NEAR_RADIANS, NEAR_METRES = float(np.radians(0.1)), 5e-4
"""How far bones may be off half-way between keys: turned, and the hips per metre of the body's scale. Segments further
off are halved."""

ROUNDS = 4
"""How often, at most."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MuscleClip:
    """What is baked: ``curves`` by the muscles' names, on 0..``duration`` seconds; ``rate``: keys a second; ``flags``
    and ``muscles`` as the clip stores them."""

    curves: Mapping[str, Curve]
    duration: float
    rate: float
    flags: Mapping[str, Any]
    muscles: RawMuscles


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moved:
    """Numbers over time: W ``curves``, within ``error`` of what they stand for half-way between keys (radians for
    rotations, else metres), ``mean_error`` on average."""

    curves: tuple[Curve, ...]
    error: float
    mean_error: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baked:
    """``bones``: local rotations by human bone, the hips' relative to their parent; ``hips``: their translation, in the
    same; ``object_position`` and ``object_rotation``: the Animator's object since the start, where it is to move.
    ``keys`` (K,): seconds at which the body as a whole is posed."""

    bones: Mapping[str, Moved]
    hips: Moved | None
    object_position: Moved | None
    object_rotation: Moved | None
    keys: Array


HIPS = "Hips"


def bake(body: Body, clip: MuscleClip, frames: Mapping[str, Frame], root: str) -> Baked:
    """Sample the clip on the bones of ``frames``, each with what it hangs in. ``root``: ``keep`` leaves all motion on
    the hips, ``split`` gives the object its own, ``strip`` takes that away.

    Raises :class:`Fault` CLIP_INVALID for a clip with too many keys.
    """
    keys = key_times(clip.curves, clip.duration, clip.rate if clip.rate > 0 else DEFAULT_RATE)
    bones = {
        bone: _bone(body, bone, clip, frames[bone], keys) for bone in driven_bones(body, clip.curves) if bone in frames
    }
    whole: dict[str, Moved] = {}
    if HIPS in frames and places_body(clip.curves):
        whole = _whole_body(body, clip, frames[HIPS], root, keys)
        bones[HIPS] = whole[HIPS]
    return Baked(
        bones=bones,
        hips=whole.get(HIPS_POSITION),
        object_position=whole.get(OBJECT_POSITION) if root == "split" else None,
        object_rotation=whole.get(OBJECT) if root == "split" else None,
        keys=keys,
    )


def driven_bones(body: Body, curves: Mapping[str, Curve]) -> list[str]:
    """Human bones, the hips aside, that the clip turns: those with a muscle in it, and those that take a share of such
    a bone's twist."""
    return [bone for bone in body.axes if any(name in curves for name in muscles_of(body, bone))]


def places_body(curves: Mapping[str, Curve]) -> bool:
    """Whether the clip says where the body is as a whole, and so moves the hips."""
    return any(name.startswith("Root") for name in curves)


def muscles_of(body: Body, bone: str) -> list[str]:
    """The muscles that turn a bone, with the twist it takes over."""
    own = [name for name in AXES[bone] if name]
    return [*own, AXES[body.taken[bone].bone][0]] if bone in body.taken else own


def _bone(body: Body, bone: str, clip: MuscleClip, frame: Frame, keys: Array) -> Moved:
    """One bone's rotation: its muscles alone decide, with keys of its own where they change their range."""
    curves = {name: clip.curves[name] for name in muscles_of(body, bone) if name in clip.curves}
    times = np.union1d(keys, turning_points(curves, keys))

    def sampled(times: Array) -> dict[str, list[_Piece]]:
        span = _Span(times)
        rotations = bone_rotation(body, bone, sample(curves, span.times, span.within), len(span.times))
        return {bone: [span.piece(frame.rotation_inside(rotations), is_rotation=True)]}

    return _followed(times, sampled, body.scale)[bone]


HIPS_POSITION, OBJECT, OBJECT_POSITION = "hips position", "object", "object position"
_POSITIONS = (HIPS_POSITION, OBJECT_POSITION)


def _whole_body(body: Body, clip: MuscleClip, frame: Frame, root: str, keys: Array) -> dict[str, Moved]:
    """Hips and object by name."""
    body = without_details(body)
    moving = {name for bone in body.axes for name in muscles_of(body, bone)} | set(ROOT_CURVES)
    curves = {name: curve for name, curve in clip.curves.items() if name in moving}
    motion = None if root == "keep" else _root_motion(body, clip)

    def sampled(times: Array) -> dict[str, list[_Piece]]:
        made: dict[str, list[_Piece]] = defaultdict(list)
        for begin in range(0, max(len(times) - 1, 1), CHUNK):
            span = _Span(times[begin : begin + CHUNK + 1])
            values = sample(curves, span.times, span.within)
            pose = pose_body(body, values, len(span.times))
            for name, numbers in _moving(body, pose, values, motion, frame):
                made[name].append(span.piece(numbers, is_rotation=name not in _POSITIONS))
        return made

    return _followed(keys, sampled, body.scale)


def _root_motion(body: Body, clip: MuscleClip) -> RootMotion:
    first = sample(clip.curves, np.zeros(1))
    return root_motion(body, pose_body(body, first, 1), first, clip.flags, clip.muscles)


def _moving(
    body: Body, pose: Pose, values: Values, motion: RootMotion | None, frame: Frame
) -> Iterator[tuple[str, Array]]:
    """What moves as a whole, by name: (N, 3) positions and (N, 4) rotations, the hips' relative to their parent."""
    position, rotation = pose.positions[:, body.nodes[HIPS]], pose.rotations[:, body.nodes[HIPS]]
    if motion is not None:
        moved = motion.at(body, pose, values)
        position, rotation = relative(moved, position, rotation)
        yield from ((OBJECT, moved.rotation), (OBJECT_POSITION, moved.position))
    position, rotation = frame.inside(position, rotation)
    yield from ((HIPS, rotation), (HIPS_POSITION, position))


# --- keys and what lies between them ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """Cubics (4, K, W) of K segments, the numbers (W,) at their end, and how far (K,) they are off half-way."""

    coefficients: Array
    end: Array
    errors: Array


def _followed(times: Array, sampled: Callable[[Array], dict[str, list[_Piece]]], scale: float) -> dict[str, Moved]:
    """What is ``sampled`` at keys, of which there are more where the cubics would be too far off half-way."""
    made = sampled(times)
    for _ in range(ROUNDS):
        off = np.zeros(len(times) - 1)
        for name, pieces in made.items():
            allowed = NEAR_METRES * scale if name in _POSITIONS else NEAR_RADIANS
            off = np.maximum(off, np.concatenate([piece.errors for piece in pieces]) / allowed)
        if not (off > 1).any():
            break
        times = np.union1d(times, ((times[:-1] + times[1:]) / 2)[off > 1])
        made = sampled(times)
    return {name: _joined(pieces, times) for name, pieces in made.items()}


class _Span:
    """K segments between K + 1 keys (or a single key), each posed at five times: ``times`` (5 K,), of which each counts
    as ``within`` its segment, so that jumps at keys belong to the right side."""

    def __init__(self, keys: Array) -> None:
        starts, ends = (keys[:-1], keys[1:]) if len(keys) > 1 else (keys, keys)
        self.lengths = ends - starts
        self.steps = np.minimum(SLOPE_SECONDS, self.lengths / 100)
        middle = (starts + ends) / 2
        self.times = np.concatenate([starts, starts + self.steps, middle, ends - self.steps, ends])
        self.within = np.tile(middle, 5)

    def piece(self, numbers: Array, *, is_rotation: bool) -> _Piece:
        """The cubics through ``numbers`` (5 K, W)."""
        posed = numbers.reshape(5, len(self.lengths), -1)
        if is_rotation:
            posed = posed * np.where(np.einsum("skw,kw->sk", posed, posed[START]) < 0, -1.0, 1.0)[..., None]
        if not self.lengths.any():
            return _Piece(np.zeros((4, 0, posed.shape[-1])), posed[END, -1], np.zeros(0))
        lengths, steps = self.lengths[:, None], self.steps[:, None]
        leaving, arriving = (posed[AFTER] - posed[START]) / steps, (posed[END] - posed[BEFORE]) / steps
        cubics = hermite(lengths, posed[START], posed[END], leaving, arriving)
        middle = value_at(cubics, lengths / 2)
        off = angles(middle, posed[MIDDLE]) if is_rotation else np.linalg.norm(middle - posed[MIDDLE], axis=-1)
        return _Piece(cubics, posed[END, -1], off)


def _joined(pieces: list[_Piece], times: Array) -> Moved:
    """The pieces one after the other, and the last key."""
    last = np.zeros((4, 1, len(pieces[-1].end)))
    last[3, 0] = pieces[-1].end
    cubics = np.concatenate([*(piece.coefficients for piece in pieces), last], axis=1)
    errors = np.concatenate([piece.errors for piece in pieces])
    return Moved(
        curves=tuple(
            Curve(times=times, coefficients=np.ascontiguousarray(own.T)) for own in np.moveaxis(cubics, -1, 0)
        ),
        error=float(errors.max(initial=0.0)),
        mean_error=float(errors.mean()) if len(errors) else 0.0,
    )
