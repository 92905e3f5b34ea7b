"""Tracks: what they must keep to so that a valid sampler can come of them, and their input and output accessors."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..codes import CLIP_INVALID
from ..diagnostics import Fault
from ..ir import F32, Clip, Interpolation, Path, Track
from .accessors import add_accessor
from .buffers import as_chunk
from .context import Context
from .extensions.animation_pointer import is_boolean, is_list, reserve

_WIDTHS = {Path.TRANSLATION: 3, Path.ROTATION: 4, Path.SCALE: 3}
_WIDEST = 4  # components of the largest vector type


def check_tracks(context: Context, clip: Clip) -> None:
    """Raises :class:`Fault` on anything that would make an invalid file, before a byte of the clip is written."""
    _require(0 <= clip.rig < len(context.asset.nodes), "a clip names a rig that does not exist", rig=clip.rig)
    targets: set[tuple[int, Path, str]] = set()
    for number, track in enumerate(clip.tracks):
        pointer = track.pointer if track.path is Path.POINTER else ""
        target = (-1 if pointer else track.node, track.path, pointer)
        _require(target not in targets, "two tracks of a clip move the same thing", track=number)
        targets.add(target)
        _check_target(context, track, number)
        _check_keys(track, number)


def input_accessor(context: Context, track: Track) -> int:
    """Key times, with min and max; one accessor for all tracks of the file that have the same."""
    return _shared(context, track.times, bounds=True)


def output_accessor(context: Context, track: Track) -> int:
    """Values; for CUBICSPLINE each key's in-tangent, value and out-tangent. Weights are flat: one scalar a target."""
    values: NDArray[Any] = track.values
    if track.in_tangents is not None and track.out_tangents is not None:
        values = np.empty((len(values), 3, values.shape[1]), np.float32)
        values[:, 0], values[:, 1], values[:, 2] = track.in_tangents, track.values, track.out_tangents
    if track.path is Path.POINTER and is_boolean(track.pointer):
        values = (values != 0).astype(np.uint8)
    flat = values.shape[-1] == 1 or _is_flat(track)
    return _shared(context, values.reshape(-1) if flat else values.reshape(-1, values.shape[-1]))


def _shared(context: Context, array: NDArray[Any], *, bounds: bool = False) -> int:
    """One accessor for all arrays of a file that are equal bit by bit."""
    digest = blake2b(as_chunk(array), digest_size=16).digest()
    key = ("animation", bounds, array.dtype.str, array.shape, digest)
    return context.once(key, lambda: add_accessor(context, array, bounds=bounds))


def _is_flat(track: Track) -> bool:
    return track.path is Path.WEIGHTS or (track.path is Path.POINTER and is_list(track.pointer))


def _check_target(context: Context, track: Track, number: int) -> None:
    width = track.values.shape[1] if track.values.ndim == 2 else 0
    if track.path is Path.POINTER:
        _require(reserve(context, track.pointer), "a track's pointer leads nowhere", pointer=track.pointer)
        fits = 1 <= width <= _WIDEST or (width > 0 and is_list(track.pointer))
        boolean = is_boolean(track.pointer)
        _require(not boolean or track.interpolation is Interpolation.STEP, "truth values are not stepped", track=number)
    else:
        _require(0 <= track.node < len(context.asset.nodes), "a track names no node", track=number, node=track.node)
        wanted = _target_count(context, track.node) if track.path is Path.WEIGHTS else _WIDTHS.get(track.path, 0)
        fits = width == wanted > 0
    _require(fits, "a track has the wrong number of components for its target", track=number, components=width)


def _target_count(context: Context, node: int) -> int:
    """Morph targets of a node's mesh; 0 without a mesh."""
    mesh = context.asset.nodes[node].mesh
    return 0 if mesh is None else len(context.morphs.get(context.asset.meshes[mesh].geometry, ()))


def _check_keys(track: Track, number: int) -> None:
    times, values = track.times, track.values
    cubic = track.interpolation is Interpolation.CUBICSPLINE
    least = 2 if cubic else 1
    _require(times.ndim == 1 and len(times) >= least, "a track has too few keys", track=number, keys=times.size)
    rising = bool(np.isfinite(times[-1])) and times[0] >= 0 and bool((times[1:] > times[:-1]).all())
    _require(rising, "a track's times do not rise strictly from 0 or later", track=number)
    tangents = (track.in_tangents, track.out_tangents)
    given = [tangent for tangent in tangents if tangent is not None]
    _require(len(given) == (2 if cubic else 0), "a track's tangents do not fit its interpolation", track=number)
    for array in (values, *given):
        _require(array.shape == (len(times), values.shape[1]), "a track has not one value a key", track=number)
    _require(_sound(times, values, *given), "a track's numbers are not finite float32 numbers", track=number)


def _sound(*arrays: F32) -> bool:
    return all(array.dtype == np.float32 and bool(np.isfinite(array).all()) for array in arrays)


def _require(condition: bool, sentence: str, **data: Any) -> None:
    if not condition:
        raise Fault(CLIP_INVALID, sentence, **data)
