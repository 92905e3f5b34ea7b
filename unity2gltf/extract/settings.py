"""Project settings of a content root. What fails is SETTINGS_UNREADABLE and left at its default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..codes import SETTINGS_UNREADABLE
from ..raw import RawSettings
from ..source import Source

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

MANAGERS = ("globalgamemanagers", "mainData")
"""Files that hold the managers; also looked for when a single file of a player folder is the input."""

OLD_LEVELS = ("Fastest", "Fast", "Simple", "Good", "Beautiful", "Fantastic")
"""Quality levels before 3.5, each a field of its own."""


def read_settings(root: ContentRoot) -> RawSettings:
    """Quality levels, blend-shape clamping, colour space and scenes, of the first file that has them."""
    files = list(_files(root))
    skin_weights: tuple[tuple[str, int], ...] = ()
    clamp: bool | None = None
    linear: bool | None = None
    scenes: tuple[str, ...] = ()
    for file in files:
        for source in file.sources("QualitySettings"):
            with root.diagnostics.guard(SETTINGS_UNREADABLE, source.place("QualitySettings"), source):
                skin_weights = skin_weights or _skin_weights(root.read(source))
        for source in file.sources("PlayerSettings"):
            with root.diagnostics.guard(SETTINGS_UNREADABLE, source.place("PlayerSettings"), source):
                clamp = _clamp(root, source) if clamp is None else clamp
                linear = _linear(root, source) if linear is None else linear
        for source in file.sources("BuildSettings"):
            with root.diagnostics.guard(SETTINGS_UNREADABLE, source.place("BuildSettings"), source):
                scenes = scenes or _scenes(root.read(source, frozenset(("scenes", "levels"))))
    return RawSettings(skin_weights=skin_weights, clamp_blend_shapes=clamp, linear=linear, scenes=scenes)


def _files(root: ContentRoot) -> Iterator[GameFile]:
    seen = set()
    for file in root.files:
        seen.add(file.entry)
        yield file
    for name in MANAGERS:
        for entry in root.resolver.named(name):
            file_beside = root.open(entry) if entry not in seen else None
            if file_beside is not None:
                yield file_beside


def _skin_weights(fields: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    """``skinWeights`` from 2019.1, ``blendWeights`` before."""
    levels = fields.get("m_QualitySettings")
    if levels is None:
        levels = [fields[name] | {"name": name} for name in OLD_LEVELS if name in fields]
    return tuple((str(level["name"]), int(level.get("skinWeights", level.get("blendWeights", 4)))) for level in levels)


def _clamp(root: ContentRoot, source: Source) -> bool:
    """Before 2018.3 there is no such setting, and the game clamps."""
    value = root.peek(source, "legacyClampBlendShapeWeights")
    return True if value is None else bool(value)


def _linear(root: ContentRoot, source: Source) -> bool | None:
    """m_ActiveColorSpace is 0 for gamma, 1 for linear."""
    value = root.peek(source, "m_ActiveColorSpace")
    return None if value is None else int(value) == 1


def _scenes(fields: dict[str, Any]) -> tuple[str, ...]:
    return tuple(map(str, fields.get("scenes", fields.get("levels", ()))))
