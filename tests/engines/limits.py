"""``limits.toml`` read, and the conditions that it names: what in a file meets an engine's limit."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .expected import Expected


@dataclass(frozen=True)
class Limit:
    """``tolerance`` replaces the engine's own for files that meet it; ``clips`` false: poses of clips are not gated;
    ``skip``: the file is not tried."""

    when: str
    reason: str
    tolerance: float | None = None
    clips: bool = True
    skip: bool = False


@dataclass(frozen=True)
class Limits:
    """What is asked of one engine."""

    influences: int
    known: tuple[Limit, ...]
    tolerance: float = 0.0
    between_keys: bool = False
    draws: bool = False

    def met(self, expected: Expected) -> list[Limit]:
        """The known limits that a file meets."""
        return [limit for limit in self.known if CONDITIONS[limit.when](expected)]


def read_limits() -> dict[str, Limits]:
    """By engine."""
    tables: dict[str, Any] = tomllib.loads(Path(__file__).with_name("limits.toml").read_text("utf-8"))
    limits = {}
    for name, table in tables.items():
        known = tuple(Limit(**limit) for limit in table.pop("limit", ()))
        limits[name] = Limits(known=known, **table)
    return limits


def joint_bound_twice(expected: Expected) -> bool:
    """Two skins bind one joint at different places."""
    bound: dict[int, Any] = {}
    for skin in expected.gltf.items("skins"):
        if "inverseBindMatrices" not in skin:
            continue
        for joint, matrix in zip(skin["joints"], expected.gltf.accessor(skin["inverseBindMatrices"]), strict=False):
            if not np.allclose(bound.setdefault(joint, matrix), matrix, atol=1e-5):
                return True
    return False


def weights_beyond_sliders(expected: Expected) -> bool:
    """An animated weight leaves the range from 0 to 1."""
    channels = (c for clip in range(len(expected.gltf.items("animations"))) for c in expected.player.channels(clip))
    return any(c.path == "weights" and (c.values.min() < -1e-6 or c.values.max() > 1 + 1e-6) for c in channels)


def cubic(expected: Expected) -> bool:
    return any(
        sampler.get("interpolation") == "CUBICSPLINE"
        for animation in expected.gltf.items("animations")
        for sampler in animation["samplers"]
    )


def more_than_four(expected: Expected) -> bool:
    return any("WEIGHTS_1" in attributes for attributes in _attributes(expected))


def custom_attributes(expected: Expected) -> bool:
    return any(name.startswith("_") for attributes in _attributes(expected) for name in attributes)


def _attributes(expected: Expected) -> list[dict[str, int]]:
    meshes = expected.gltf.items("meshes")
    return [primitive["attributes"] for mesh in meshes for primitive in mesh["primitives"]]


CONDITIONS: dict[str, Callable[[Expected], bool]] = {
    condition.__name__: condition
    for condition in (
        joint_bound_twice,
        weights_beyond_sliders,
        cubic,
        more_than_four,
        custom_attributes,
    )
}
