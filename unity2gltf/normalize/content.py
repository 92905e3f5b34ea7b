"""Decoded meshes, materials, clips and images of one content root, made once and shared by the assets that use them.

What was reported while a thing was made is reported again in every asset that uses it, so that each asset's list of
diagnostics is complete. Caches hold at most a budget of bytes, oldest use out first.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from .. import codes
from ..diagnostics import Code, Diagnostic, Diagnostics
from ..ir import Geometry
from ..raw import RawController, RawMaterial, RawProvider
from ..source import Missing, Reference, Source
from .clips.decode import decode_clip
from .clips.decoded import DecodedClip
from .humanoid.body import Body, make_body
from .humanoid.goals import has_goals, rotation_residual
from .images import Images
from .mesh.builtin import builtin_mesh
from .mesh.decode import decode_mesh
from .missing import report_missing
from .terrain.decode import Terrain, decode_terrain
from .textures.image import Settings

T = TypeVar("T")

DEFAULT_RESOURCES = "unity default resources"
GEOMETRY_BUDGET = 96 << 20
MATERIAL_BUDGET = 16 << 20
CLIP_BUDGET = 16 << 20
BODY_BUDGET = 4 << 20


@dataclass(frozen=True, slots=True)
class _Made(Generic[T]):
    value: T | None  # None: could not be made; the diagnostics say why
    diagnostics: list[Diagnostic]
    size: int


class _Cache(Generic[T]):
    """Values by source with a byte budget. A failure is kept too: it is reported again, not tried again."""

    def __init__(self, provider: RawProvider, budget: int, size_of: Callable[[T], int]) -> None:
        self._provider = provider
        self._budget = budget
        self._size_of = size_of
        self._made: OrderedDict[Source, _Made[T]] = OrderedDict()
        self._bytes = 0

    def get(
        self, source: Source, unexpected: Code, make: Callable[[Diagnostics], T], diagnostics: Diagnostics
    ) -> T | None:
        made = self._made.get(source)
        if made is None:
            inner = Diagnostics()
            value: T | None = None
            with inner.guard(unexpected, source.place(self._provider.name(source)), source):
                value = make(inner)
            made = _Made(value, inner.items, 0 if value is None else self._size_of(value))
            self._made[source] = made
            self._bytes += made.size
            while self._bytes > self._budget and len(self._made) > 1:
                self._bytes -= self._made.popitem(last=False)[1].size
        self._made.move_to_end(source)
        diagnostics.extend(made.diagnostics)
        return made.value


class Library:
    """What ``normalize`` has made of a content root's objects. One a content root."""

    def __init__(self, provider: RawProvider) -> None:
        self.provider = provider
        self._geometries: _Cache[Geometry] = _Cache(provider, GEOMETRY_BUDGET, _geometry_bytes)
        self._terrains: _Cache[Terrain] = _Cache(provider, GEOMETRY_BUDGET, lambda t: _geometry_bytes(t.geometry))
        self._materials: _Cache[RawMaterial] = _Cache(provider, MATERIAL_BUDGET, lambda _: 2048)
        self._clips: _Cache[DecodedClip] = _Cache(provider, CLIP_BUDGET, _clip_bytes)
        self._controllers: _Cache[RawController] = _Cache(provider, CLIP_BUDGET, lambda _: 4096)
        self._bodies: _Cache[Body | None] = _Cache(provider, BODY_BUDGET, lambda _: 16384)
        self._misfits: dict[tuple[Source, Source], float] = {}
        self._images: dict[Settings, Images] = {}

    def geometry(self, reference: Reference, user: Source, diagnostics: Diagnostics) -> Geometry | None:
        """The decoded mesh, or None after a diagnostic. ``user`` is the renderer that asks."""
        if isinstance(reference, Missing):
            return self._builtin(reference, user, diagnostics)
        if reference is None:
            return None

        def make(inner: Diagnostics) -> Geometry:
            return decode_mesh(self.provider.mesh(reference), inner)

        return self._geometries.get(reference, codes.MESH_UNREADABLE, make, diagnostics)

    def _builtin(self, missing: Missing, user: Source, diagnostics: Diagnostics) -> Geometry | None:
        if missing.file.lower().rsplit("/", 1)[-1] == DEFAULT_RESOURCES:
            source = Source(user.input, DEFAULT_RESOURCES, missing.path_id, "Mesh")
            geometry = builtin_mesh(missing.path_id, source)
            if geometry is not None:
                diagnostics.add(codes.MESH_BUILTIN, f"built-in mesh {geometry.name} was generated", mesh=geometry.name)
                return geometry
        report_missing(missing, "mesh", diagnostics)
        return None

    def terrain(self, reference: Source, diagnostics: Diagnostics) -> Terrain | None:
        """The decoded terrain, or None after a diagnostic."""

        def make(inner: Diagnostics) -> Terrain:
            return decode_terrain(self.provider.terrain(reference), self.provider, inner)

        return self._terrains.get(reference, codes.TERRAIN_UNREADABLE, make, diagnostics)

    def material(self, reference: Source, diagnostics: Diagnostics) -> RawMaterial | None:
        return self._materials.get(
            reference, codes.MATERIAL_UNREADABLE, lambda _: self.provider.material(reference), diagnostics
        )

    def clip(self, reference: Source, diagnostics: Diagnostics) -> DecodedClip | None:
        """The decoded clip, or None after a diagnostic."""

        def make(inner: Diagnostics) -> DecodedClip:
            return decode_clip(self.provider.clip(reference), inner)

        return self._clips.get(reference, codes.CLIP_UNREADABLE, make, diagnostics)

    def body(self, avatar: Source, diagnostics: Diagnostics) -> Body | None:
        """The human part of an avatar; None for one that has none, and after a diagnostic."""

        def make(_: Diagnostics) -> Body | None:
            raw = self.provider.avatar(avatar)
            return None if raw.human is None else make_body(raw)

        return self._bodies.get(avatar, codes.AVATAR_INVALID, make, diagnostics)

    def bodies(self) -> list[Body]:
        """Every usable human avatar of the content root, in order. What is wrong with others is told where they are
        used."""
        made = (self.body(source, Diagnostics()) for source in self.provider.avatars())
        return [body for body in made if body is not None]

    def misfit(self, body: Body, clip: DecodedClip) -> float:
        """Degrees between a humanoid clip's goals and an avatar's hands and feet: least on the one it was made for.
        Infinite for a clip without goals."""
        key = body.source, clip.source
        if key not in self._misfits:
            known = has_goals(clip.muscles)
            self._misfits[key] = rotation_residual(body, clip.muscles, clip.duration) if known else math.inf
        return self._misfits[key]

    def controller(self, reference: Source, diagnostics: Diagnostics) -> RawController | None:
        return self._controllers.get(
            reference, codes.CLIP_UNREADABLE, lambda _: self.provider.controller(reference), diagnostics
        )

    def images(self, settings: Settings) -> Images:
        """The maker of this root's images under these settings."""
        if settings not in self._images:
            self._images[settings] = Images(self.provider, settings)
        return self._images[settings]


def _clip_bytes(clip: DecodedClip) -> int:
    parts = [part for curve in clip.curves for part in curve.curves] + list(clip.muscles.values())
    return sum(part.times.nbytes + part.coefficients.nbytes for part in parts)


def _geometry_bytes(geometry: Geometry) -> int:
    """About the memory a geometry holds."""
    arrays: list[NDArray[Any] | None] = [geometry.positions, geometry.normals, geometry.tangents, geometry.colors]
    arrays += geometry.uvs.values()
    arrays += [submesh.indices for submesh in geometry.submeshes]
    for influences in (geometry.channel_influences, geometry.variable_influences):
        if influences is not None:
            arrays += [influences.offsets, influences.joints, influences.weights]
    for shape in geometry.shapes:
        for frame in shape.frames:
            arrays += [frame.indices, frame.positions, frame.normals, frame.tangents]
    return sum(array.nbytes for array in arrays if array is not None)
