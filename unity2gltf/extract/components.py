"""The components of a GameObject that make a node: renderers, animators, animations, level-of-detail groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..codes import OBJECT_CORRUPT, OBJECT_UNREADABLE
from ..diagnostics import Diagnostics, Fault
from ..raw import (
    RawAnimation,
    RawAnimator,
    RawCamera,
    RawLight,
    RawLightmap,
    RawLod,
    RawRenderer,
    RawTerrain,
)
from ..source import Reference, Source
from .lights import read_camera, read_light
from .objects import expect_fields

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

TRANSFORMS = ("Transform", "RectTransform")
SHADOWS_ONLY = 3
"""m_CastShadows from 5.0 on; before, the field is a flag."""

_OBJECT = frozenset(("m_Component", "m_Name", "m_IsActive", "m_Tag", "m_TagString", "m_Layer", "m_StaticEditorFlags"))
_NO_LIGHTMAP = (0xFFFE, 0xFFFF, 0xFE, 0xFF)
"""Numbers that say that a renderer has none: not lit by one, or only counted for others; of a byte before 5.0."""

_RENDERER = frozenset(
    [
        "m_Enabled",
        "m_CastShadows",
        "m_Materials",
        "m_StaticBatchInfo",
        "m_SubsetIndices",
        "m_StaticBatchRoot",
        "m_Quality",
        "m_LightmapIndex",
        "m_LightmapTilingOffset",
        "m_LightmapIndexDynamic",
        "m_LightmapTilingOffsetDynamic",
        "m_Mesh",
        "m_Bones",
        "m_RootBone",
        "m_BlendShapeWeights",
    ]
)
_ANIMATOR = frozenset(("m_Avatar", "m_HasTransformHierarchy", "m_Controller", "m_ApplyRootMotion"))
_ANIMATION = frozenset(("m_Animation", "m_Animations", "m_WrapMode", "m_PlayAutomatically"))
_TERRAIN = frozenset(("m_Enabled", "m_DrawHeightmap", "m_TerrainData", "m_MaterialTemplate"))
_NO_WEIGHTS = np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class Owner:
    """A GameObject: what it is called, and its components: the first of each class, and all in order."""

    source: Source
    name: str
    active: bool
    parts: dict[str, Source]
    every: tuple[Source, ...]
    tag: int | str = 0
    layer: int = 0
    static: int | None = None


class Components:
    """Reads the components of one file's GameObjects."""

    def __init__(self, root: ContentRoot, file: GameFile) -> None:
        self._root = root
        self._file = file

    def game_object(self, pointer: Mapping[str, int]) -> Owner:
        """The object that a Transform belongs to. Raises Fault."""
        owner = self._root.resolve(self._file, pointer)
        if not isinstance(owner, Source) or owner.type != "GameObject":
            raise Fault(OBJECT_CORRUPT, f"a Transform belongs to no GameObject ({owner})")
        with expect_fields(owner):
            fields = self._root.read(owner, _OBJECT)
            every = self._every(fields["m_Component"])
            return Owner(
                source=owner,
                name=str(fields["m_Name"]),
                active=bool(fields["m_IsActive"]),
                parts=_first_of_each(every),
                every=every,
                tag=fields.get("m_TagString", fields.get("m_Tag", 0)),
                layer=fields.get("m_Layer", 0),
                static=fields.get("m_StaticEditorFlags"),
            )

    def transform_of(self, owner: Source) -> Source:
        """The Transform of a GameObject. Raises Fault."""
        with expect_fields(owner):
            parts = _first_of_each(self._every(self._root.read(owner, frozenset(("m_Component",)))["m_Component"]))
        transform = parts.get("Transform") or parts.get("RectTransform")
        if transform is None:
            raise Fault(OBJECT_CORRUPT, "a GameObject has no Transform")
        return transform

    def _every(self, array: Any) -> tuple[Source, ...]:
        """``second`` beside the class number before 5.5, ``component`` after."""
        column = "component" if "component" in array.dtype.names else "second"
        parts = (self._root.resolve(self._file, pointer) for pointer in array[column].tolist())
        return tuple(part for part in parts if isinstance(part, Source))

    def renderer(self, parts: dict[str, Source], diagnostics: Diagnostics) -> RawRenderer | None:
        """The skinned renderer, else the MeshRenderer that draws a MeshFilter's mesh."""
        skinned = parts.get("SkinnedMeshRenderer")
        source = skinned or (parts.get("MeshRenderer") if "MeshFilter" in parts else None)
        if source is None:
            return None
        read: RawRenderer | None = None
        with diagnostics.guard(OBJECT_UNREADABLE, source.type, source):
            fields = self._root.read(source, _RENDERER)
            mesh = fields if skinned else self._root.read(parts["MeshFilter"], frozenset(("m_Mesh",)))
            read = self._renderer(source, fields, self._to(mesh["m_Mesh"]), skinned is not None)
        return read  # noqa: RET504 - None when the guard met something

    def _renderer(self, source: Source, fields: dict[str, Any], mesh: Reference, skinned: bool) -> RawRenderer:
        cast = fields.get("m_CastShadows", 0)
        weights = fields.get("m_BlendShapeWeights", _NO_WEIGHTS)
        return RawRenderer(
            source=source,
            skinned=skinned,
            enabled=bool(fields["m_Enabled"]),
            shadows_only=not isinstance(cast, bool) and cast == SHADOWS_ONLY,
            mesh=mesh,
            materials=self._all(fields["m_Materials"]),
            submeshes=_batch(fields),
            static_batch_root=self._to(fields.get("m_StaticBatchRoot")),
            bones=self._all(fields.get("m_Bones", ())),
            root_bone=self._to(fields.get("m_RootBone")),
            quality=int(fields.get("m_Quality", 0)),
            lightmap=_lightmap(fields, ""),
            realtime_lightmap=_lightmap(fields, "Dynamic"),
            blend_shape_weights=np.asarray(weights, np.float32),
        )

    def animator(self, parts: dict[str, Source], diagnostics: Diagnostics) -> RawAnimator | None:
        source = parts.get("Animator")
        if source is None:
            return None
        read: RawAnimator | None = None
        with diagnostics.guard(OBJECT_UNREADABLE, "Animator", source):
            fields = self._root.read(source, _ANIMATOR)
            read = RawAnimator(
                source=source,
                avatar=self._to(fields["m_Avatar"]),
                has_transform_hierarchy=bool(fields.get("m_HasTransformHierarchy", True)),
                controller=self._to(fields["m_Controller"]),
                apply_root_motion=bool(fields["m_ApplyRootMotion"]),
            )
        return read  # noqa: RET504 - None when the guard met something

    def animation(self, parts: dict[str, Source], diagnostics: Diagnostics) -> RawAnimation | None:
        source = parts.get("Animation")
        if source is None:
            return None
        read: RawAnimation | None = None
        with diagnostics.guard(OBJECT_UNREADABLE, "Animation", source):
            fields = self._root.read(source, _ANIMATION)
            read = RawAnimation(
                source=source,
                clips=self._all(fields["m_Animations"]),
                default=self._to(fields["m_Animation"]),
                wrap_mode=int(fields["m_WrapMode"]),
                play_automatically=bool(fields["m_PlayAutomatically"]),
            )
        return read  # noqa: RET504 - None when the guard met something

    def terrain(self, parts: dict[str, Source], diagnostics: Diagnostics) -> RawTerrain | None:
        source = parts.get("Terrain")
        if source is None:
            return None
        read: RawTerrain | None = None
        with diagnostics.guard(OBJECT_UNREADABLE, "Terrain", source):
            fields = self._root.read(source, _TERRAIN)
            read = RawTerrain(
                source=source,
                enabled=bool(fields["m_Enabled"]),
                draws_ground=bool(fields.get("m_DrawHeightmap", True)),
                data=self._to(fields["m_TerrainData"]),
                material=self._to(fields.get("m_MaterialTemplate")),
            )
        return read  # noqa: RET504 - None when the guard met something

    def light(self, owner: Owner, diagnostics: Diagnostics) -> RawLight | None:
        """The Light, or None when there is none or it cannot be read."""
        source = owner.parts.get("Light")
        read: RawLight | None = None
        if source is not None:
            with diagnostics.guard(OBJECT_UNREADABLE, "Light", source):
                read = read_light(self._root, self._file, source, owner.every)
        return read

    def camera(self, owner: Owner, diagnostics: Diagnostics) -> RawCamera | None:
        """The Camera, or None when there is none or it cannot be read."""
        source = owner.parts.get("Camera")
        read: RawCamera | None = None
        if source is not None:
            with diagnostics.guard(OBJECT_UNREADABLE, "Camera", source):
                read = read_camera(self._root, self._file, source)
        return read

    def lods(self, source: Source, diagnostics: Diagnostics) -> list[RawLod]:
        """The LODGroup, or nothing when it cannot be read."""
        read: list[RawLod] = []
        with diagnostics.guard(OBJECT_UNREADABLE, "LODGroup", source):
            stored = self._root.read(source, frozenset(("m_LODs",)))["m_LODs"]
            levels = tuple((float(x["screenRelativeHeight"]), self._all(x["renderers"]["renderer"])) for x in stored)
            read.append(RawLod(source=source, levels=levels))
        return read

    def _to(self, pointer: Mapping[str, int] | None) -> Reference:
        return None if pointer is None else self._root.resolve(self._file, pointer)

    def _all(self, pointers: Any) -> tuple[Reference, ...]:
        return tuple(self._root.resolve(self._file, pointer) for pointer in getattr(pointers, "tolist", tuple)())


def _first_of_each(every: tuple[Source, ...]) -> dict[str, Source]:
    """The first component of each class."""
    parts: dict[str, Source] = {}
    for part in every:
        parts.setdefault(part.type, part)
    return parts


def _lightmap(fields: dict[str, Any], kind: str) -> RawLightmap | None:
    """``kind``: empty for the baked lightmap, ``Dynamic`` for that of realtime global illumination."""
    index = fields.get(f"m_LightmapIndex{kind}")
    placed = fields.get(f"m_LightmapTilingOffset{kind}")
    if index is None or placed is None or index in _NO_LIGHTMAP:
        return None
    return RawLightmap(index=int(index), scale_offset=placed)


def _batch(fields: dict[str, Any]) -> tuple[int, ...] | None:
    """Submeshes left by static batching: a range from 5.5 on, a list before; None when the whole mesh is drawn."""
    info = fields.get("m_StaticBatchInfo")
    if info is not None:
        first, count = info["firstSubMesh"], info["subMeshCount"]
        return tuple(range(first, first + count)) if count else None
    return tuple(fields.get("m_SubsetIndices", _NO_WEIGHTS).tolist()) or None
