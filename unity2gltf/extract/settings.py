"""Project settings of a content root. What fails is SETTINGS_UNREADABLE and left at its default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..codes import SETTINGS_UNREADABLE
from ..raw import RawSettings
from ..source import Source
from .lights import script_class

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
    lighting: dict[str, Any] = {}
    tags: dict[str, Any] = {}
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
        for source in file.sources("GraphicsSettings"):
            with root.diagnostics.guard(SETTINGS_UNREADABLE, source.place("GraphicsSettings"), source):
                lighting = lighting or _lighting(root, file, source)
        for source in file.sources("TagManager"):
            with root.diagnostics.guard(SETTINGS_UNREADABLE, source.place("TagManager"), source):
                tags = tags or _tags(root.read(source))
    return RawSettings(
        skin_weights=skin_weights, clamp_blend_shapes=clamp, linear=linear, scenes=scenes, **lighting, **tags
    )


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


def _lighting(root: ContentRoot, file: GameFile, source: Source) -> dict[str, Any]:
    """How the numbers of lights count, and the class of the render pipeline's asset (empty: the built-in one)."""
    linear = root.peek(source, "m_LightsUseLinearIntensity")
    warm = root.peek(source, "m_LightsUseColorTemperature")
    pointer = root.peek(source, "m_CustomRenderPipeline")
    asset = None if pointer is None else root.resolve(file, pointer)
    pipeline = "" if asset is None else None  # an asset whose class is not in the input
    if isinstance(asset, Source):
        pipeline = script_class(root, asset) or None
    return {
        "linear_intensity": bool(linear),  # before 5.6 there is no such setting, and it is off
        "color_temperature": bool(warm),
        "pipeline": pipeline,
    }


def _tags(fields: dict[str, Any]) -> dict[str, Any]:
    """Names of the project's own tags, and of its layers by number: a list from 5.0 on, before that a field each."""
    layers = fields.get("layers")
    if layers is None:
        numbered = ((f"Builtin Layer {n}" if n < 8 else f"User Layer {n}") for n in range(32))
        layers = [fields.get(name, "") for name in numbered]
    return {"tags": tuple(map(str, fields.get("tags", ()))), "layers": tuple(map(str, layers))}


def _scenes(fields: dict[str, Any]) -> tuple[str, ...]:
    return tuple(map(str, fields.get("scenes", fields.get("levels", ()))))
