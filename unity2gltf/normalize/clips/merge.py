"""From channels, the exact piecewise cubics that Unity plays, to tracks, the samplers that glTF plays.

Exact but for float32 rounding wherever glTF can say it: positions, scales, properties, blend-shape weights, and
quaternions component by component. Euler angles, quaternions far from unit length and tracks resampled on request are
within ``Track.error`` of their channel. Everything stays in Unity's space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics, Fault
from ...ir import BlendShape, Channel, Path, Track
from ...text import counted
from .density import choose_pieces, line_pieces
from .euler import ORDERS, quaternions, to_quaternions
from .keys import Keys, write_keys
from .piecewise import Spline, snap, subdivide, unite
from .resample import resample, resample_rotation
from .rotation import normalise, to_unit, zero_keys
from .weights import fill_targets, to_targets

MOST_CELLS = 1 << 24
"""Keys times components of one track."""

WIDTHS = {Path.TRANSLATION: 3, Path.SCALE: 3, Path.EULER: 3, Path.ROTATION: 4}

DEGREES = 0.1
LENGTHS = 1e-4
SHARE = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackOptions:
    """``key_tolerance`` scales how far straight lines between the keys may be from the curve: at 1.0 0.1 degrees,
    1e-4 of ``rig_size`` (metres), 0.1 % of a weight or of a property's or scale's largest value; 0 = original keys
    only. ``resample_hz``: where STEP and LINEAR are not exact, LINEAR keys at this rate instead of a cubic spline.
    ``clamp_weights``: the game clamps blend-shape weights to the range of their shape."""

    key_tolerance: float
    resample_hz: float | None
    rig_size: float
    clamp_weights: bool = False


def make_track(
    channel: Channel,
    duration: float,
    geometry_shapes: Sequence[BlendShape],
    default_weights: Sequence[float],
    options: TrackOptions,
    diagnostics: Diagnostics,
) -> Track | None:
    """The track of a channel over 0..``duration`` seconds, in Unity's space; its first key is at 0, its last at the
    duration (as float32).

    ``geometry_shapes`` and ``default_weights`` (fractions) are those of the channel's mesh, for WEIGHTS: the targets
    are the frames of all shapes, in order. None where nothing moves a shape, or where the curves are broken or too
    many (CLIP_INVALID). Quaternions without direction become the identity (CLIP_INVALID, too); CLIP_KEYS_CAPPED says
    where limits left a track sparse.
    """
    track = None
    with diagnostics.guard(codes.CLIP_UNREADABLE), np.errstate(over="ignore", invalid="ignore"):
        _check(channel, duration, len(geometry_shapes))
        curves = [curve for curve in channel.curves if curve is not None]
        if curves:
            united = unite(curves, duration)
            if channel.path in (Path.ROTATION, Path.EULER):
                keys, error = _rotation(channel, united, options, diagnostics)
            elif channel.path is Path.WEIGHTS:
                keys, error = _weights(channel, united, geometry_shapes, default_weights, options, diagnostics)
            else:
                keys, error = _numbers(channel.path, united, options, diagnostics)
            track = _track(channel, keys, error)
    return track


def _check(channel: Channel, duration: float, shapes: int) -> None:
    """Fault when the channel is not what :class:`ir.Channel` promises, or too large."""
    expected = WIDTHS.get(channel.path, shapes if channel.path is Path.WEIGHTS else len(channel.curves))
    present = [curve for curve in channel.curves if curve is not None]
    if len(channel.curves) != expected or (channel.path is not Path.WEIGHTS and len(present) != expected):
        raise _fault(channel, f"{counted(len(present), 'curve')} where {expected} belong", curves=len(present))
    if not 0.0 <= duration <= np.finfo(np.float32).max:
        raise _fault(channel, "the clip's duration is no number of seconds", duration=duration)
    if channel.path is Path.EULER and not 0 <= channel.rotation_order < len(ORDERS):
        raise _fault(channel, f"there is no rotation order {channel.rotation_order}", order=channel.rotation_order)
    if sum(len(curve.times) for curve in present) * len(present) > MOST_CELLS:
        raise _fault(channel, "the curves have too many keys", curves=len(present))
    for curve in present:
        if not len(curve.times) or curve.coefficients.shape != (len(curve.times), 4):
            raise _fault(channel, "a curve has no keys")
        if not (np.isfinite(curve.times).all() and np.isfinite(curve.coefficients).all()):
            raise _fault(channel, "a curve has numbers that are not finite")
        if not (np.diff(curve.times) > 0).all():
            raise _fault(channel, "the times of a curve do not rise")


def _fault(channel: Channel, problem: str, **data: float) -> Fault:
    return Fault(codes.CLIP_INVALID, problem, node=channel.node, path=channel.path.value, **data)


def _numbers(path: Path, united: Spline, options: TrackOptions, diagnostics: Diagnostics) -> tuple[Keys, float]:
    """What is written as it is: positions, scales, properties and morph weights."""
    spline, jointly = snap(united), path is Path.TRANSLATION
    if options.resample_hz and spline.bends:
        return resample(spline, options.resample_hz, jointly)
    tolerance = options.key_tolerance * _unit(path, spline, options)
    pieces = choose_pieces(line_pieces(spline, tolerance, jointly), diagnostics)
    return write_keys(subdivide(spline, pieces), linear=True), 0.0


def _unit(path: Path, spline: Spline, options: TrackOptions) -> float:
    if path is Path.TRANSLATION:
        return LENGTHS * options.rig_size
    return SHARE if path is Path.WEIGHTS else SHARE * float(np.abs(spline.coefficients[3]).max())


def _rotation(channel: Channel, united: Spline, options: TrackOptions, diagnostics: Diagnostics) -> tuple[Keys, float]:
    euler = channel.path is Path.EULER
    if not euler and (zeros := zero_keys(united)):
        text = f"{counted(zeros, 'quaternion')} of length 0 became the identity"
        diagnostics.add(codes.CLIP_INVALID, text, node=channel.node, keys=zeros)
    if options.resample_hz and united.moves:
        orient = partial(quaternions, order=channel.rotation_order) if euler else normalise
        return resample_rotation(united, options.resample_hz, orient)
    spline, error = to_quaternions(united, channel.rotation_order, diagnostics) if euler else (united, 0.0)
    spline, fitted = to_unit(snap(spline), np.radians(DEGREES) * options.key_tolerance, diagnostics)
    return write_keys(spline, linear=False), error + fitted


def _weights(
    channel: Channel,
    united: Spline,
    shapes: Sequence[BlendShape],
    defaults: Sequence[float],
    options: TrackOptions,
    diagnostics: Diagnostics,
) -> tuple[Keys, float]:
    driven = np.array([curve is not None for curve in channel.curves])
    moved = [shape for shape, curve in zip(shapes, channel.curves, strict=True) if curve is not None]
    targets = to_targets(united, moved, options.clamp_weights)
    keys, error = _numbers(Path.WEIGHTS, targets, options, diagnostics)
    return fill_targets(keys, shapes, driven, defaults), error


def _track(channel: Channel, keys: Keys, error: float) -> Track:
    arrays = (keys.values, keys.in_tangents, keys.out_tangents)
    if not all(array is None or np.isfinite(array).all() for array in arrays):
        raise _fault(channel, "the curves pass what float32 can hold")
    return Track(
        node=channel.node,
        path=Path.ROTATION if channel.path is Path.EULER else channel.path,
        interpolation=keys.interpolation,
        times=keys.times,
        values=keys.values,
        in_tangents=keys.in_tangents,
        out_tangents=keys.out_tangents,
        pointer=channel.pointer,
        error=error,
    )
