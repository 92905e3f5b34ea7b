"""Clips to animations: one channel a track; samplers shared within an animation, accessors over the whole file."""

from __future__ import annotations

from typing import Any

import pygltflib

from ..codes import CLIP_UNREADABLE
from ..ir import Clip, Path, Track
from .context import Context
from .extensions.animation_pointer import pointer_target
from .tracks import check_tracks, input_accessor, output_accessor


def write_animations(context: Context) -> None:
    """One animation for each clip that has tracks, in order. A clip that breaks its contract is reported and left
    out. Nodes, meshes and materials must have been written."""
    names = AnimationNames()
    for clip in context.asset.clips:
        with context.diagnostics.guard(CLIP_UNREADABLE, clip.source.place(clip.name), clip.source):
            check_tracks(context, clip)
            if clip.tracks:
                rig = context.text(context.asset.nodes[clip.rig].name)
                name = names.unique(context.text(clip.name), rig)
                context.gltf.animations.append(_animation(context, clip, name))


class AnimationNames:
    """Makes names unique in a file: ``walk``, then ``walk@<rig>``, then ``walk@<rig>#2`` and on."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def unique(self, name: str, rig: str) -> str:
        """A name not given before; ``rig`` is the name of the clip's rig node."""
        base = candidate = name
        if name in self._taken:
            base = candidate = f"{name}@{rig}"
        while candidate in self._taken:
            number = self._numbers[base] = self._numbers.get(base, 1) + 1
            candidate = f"{base}#{number}"
        self._taken.add(candidate)
        return candidate


def _animation(context: Context, clip: Clip, name: str) -> pygltflib.Animation:
    samplers: dict[tuple[int, int, str], int] = {}
    channels = []
    for track in clip.tracks:
        key = (input_accessor(context, track), output_accessor(context, track), track.interpolation.value)
        sampler = samplers.setdefault(key, len(samplers))
        channels.append(pygltflib.AnimationChannel(sampler=sampler, target=_target(context, track)))
    return pygltflib.Animation(
        name=name,
        channels=channels,
        samplers=[
            pygltflib.AnimationSampler(input=times, output=values, interpolation=mode)
            for times, values, mode in samplers
        ],
        extras={"unity": _extras(clip)},
    )


def _target(context: Context, track: Track) -> pygltflib.AnimationChannelTarget:
    if track.path is Path.POINTER:
        return pointer_target(context, track.pointer)
    return pygltflib.AnimationChannelTarget(node=track.node, path=track.path.value)


def _extras(clip: Clip) -> dict[str, Any]:
    """The clip's own extras cannot hide where it comes from."""
    mark = clip.source.mark()
    return {**mark, **clip.extras, **mark, "rig": clip.rig}
