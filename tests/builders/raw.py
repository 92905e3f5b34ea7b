"""Raw records for tests, and a provider that serves them as a content root does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unity2gltf import codes
from unity2gltf.diagnostics import Fault
from unity2gltf.math3d import name_hash
from unity2gltf.raw import (
    RawAnimator,
    RawAvatar,
    RawChannel,
    RawHierarchy,
    RawMaterial,
    RawMesh,
    RawNode,
    RawRenderer,
    RawSettings,
    RawSubMesh,
    RawTerrain,
    RawTerrainData,
    RawTerrainLayer,
    RawTexture,
)
from unity2gltf.source import Reference, Source

QUAD = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]], np.float32)
QUAD_INDICES = np.array([0, 1, 2, 0, 2, 3], np.uint16)
IDENTITY = np.eye(4, dtype=np.float32)


def source(path_id: int, type_: str) -> Source:
    return Source("game/level0", "level0", path_id, type_)


def raw_mesh(
    path_id: int = 100,
    name: str = "Quad",
    *,
    positions: np.ndarray = QUAD,
    submeshes: Sequence[np.ndarray] = (QUAD_INDICES,),
    skin: tuple[np.ndarray, np.ndarray] | None = None,
    bind_poses: np.ndarray | None = None,
    bone_paths: Sequence[str] = (),
    **changes: Any,
) -> RawMesh:
    """A 2017 mesh: positions in one float channel, 16-bit indices, m_Skin beside them."""
    parts, first = [], 0
    for indices in submeshes:
        parts.append(RawSubMesh(first_byte=first, index_count=len(indices), topology=0, vertex_count=len(positions)))
        first += indices.nbytes
    values: dict[str, Any] = {
        "source": source(path_id, "Mesh"),
        "name": name,
        "version": (2017, 4, 0),
        "big_endian": False,
        "submeshes": tuple(parts),
        "index_buffer": b"".join(indices.astype("<u2").tobytes() for indices in submeshes),
        "index_format": 0,
        "vertex_count": len(positions),
        "channels": (RawChannel(stream=0, offset=0, format=0, dimension=3),)
        + (RawChannel(stream=0, offset=0, format=0, dimension=0),) * 7,
        "streams": None,
        "vertex_data": positions.astype("<f4").tobytes(),
        "skin": skin,
        "bind_poses": np.zeros((0, 4, 4), np.float32) if bind_poses is None else bind_poses,
        "bone_name_hashes": np.array([name_hash(path) for path in bone_paths], np.uint32),
    }
    return RawMesh(**(values | changes))


def skin_of(joints: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """m_Skin with one influence of weight 1 a vertex."""
    weights = np.zeros((len(joints), 4), np.float32)
    weights[:, 0] = 1
    indices = np.zeros((len(joints), 4), np.int32)
    indices[:, 0] = joints
    return weights, indices


def node(
    path_id: int,
    name: str,
    parent: int = -1,
    *,
    position: tuple[float, float, float] = (0.0, 0.0, 0.0),
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0),
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    active: bool = True,
    renderer: RawRenderer | None = None,
    animator: RawAnimator | None = None,
    terrain: RawTerrain | None = None,
) -> RawNode:
    """A GameObject ``path_id`` with the Transform ``path_id + 1``."""
    return RawNode(
        source=source(path_id, "GameObject"),
        transform=transform(path_id),
        name=name,
        active=active,
        parent=parent,
        position=position,
        rotation=rotation,
        scale=scale,
        renderer=renderer,
        animator=animator,
        terrain=terrain,
    )


def transform(path_id: int) -> Source:
    return source(path_id + 1, "Transform")


def renderer(path_id: int, mesh: Reference, *, skinned: bool = False, **changes: Any) -> RawRenderer:
    values: dict[str, Any] = {
        "source": source(path_id, "SkinnedMeshRenderer" if skinned else "MeshRenderer"),
        "skinned": skinned,
        "enabled": True,
        "shadows_only": False,
        "mesh": mesh,
        "materials": (None,),
    }
    return RawRenderer(**(values | changes))


def hierarchy(*nodes: RawNode, **changes: Any) -> RawHierarchy:
    return RawHierarchy(nodes=nodes, **changes)


def avatar(path_id: int, bones: Sequence[tuple[str, int, tuple[float, float, float]]]) -> RawAvatar:
    """``bones``: (path, parent, position); the first has the empty path and parent -1."""
    count = len(bones)
    hashes = np.array([name_hash(path) for path, _, _ in bones], np.uint32)
    return RawAvatar(
        source=source(path_id, "Avatar"),
        name="Avatar",
        parents=np.array([parent for _, parent, _ in bones], np.int32),
        ids=hashes,
        positions=np.array([position for _, _, position in bones], np.float32).reshape(count, 3),
        rotations=np.tile(np.array([0, 0, 0, 1], np.float32), (count, 1)),
        scales=np.ones((count, 3), np.float32),
        tos={int(hash_): path for hash_, (path, _, _) in zip(hashes, bones, strict=True)},
    )


@dataclass
class FakeNames:
    paths: Sequence[str] = ()

    def lookup(self, hash_: int) -> Sequence[str]:
        return [path for path in self.paths if name_hash(path) == hash_]


@dataclass
class FakeRoot:
    """Serves the records it is given; anything else is a fault, as in a real content root."""

    objects: dict[Source, Any] = field(default_factory=dict)
    settings: RawSettings = field(default_factory=RawSettings)
    names: FakeNames = field(default_factory=FakeNames)

    def add(self, *records: Any) -> FakeRoot:
        self.objects |= {record.source: record for record in records}
        return self

    def name(self, wanted: Source) -> str:
        record = self.objects.get(wanted)
        return record.name if record is not None else ""

    def _get(self, wanted: Source) -> Any:
        if wanted not in self.objects:
            raise Fault(codes.OBJECT_CORRUPT, f"no record for {wanted}")
        return self.objects[wanted]

    def mesh(self, wanted: Source) -> RawMesh:
        return self._get(wanted)  # type: ignore[no-any-return]

    def terrain(self, wanted: Source) -> RawTerrainData:
        return self._get(wanted)  # type: ignore[no-any-return]

    def terrain_layer(self, wanted: Source) -> RawTerrainLayer:
        return self._get(wanted)  # type: ignore[no-any-return]

    def material(self, wanted: Source) -> RawMaterial:
        return self._get(wanted)  # type: ignore[no-any-return]

    def texture(self, wanted: Source) -> RawTexture:
        return self._get(wanted)  # type: ignore[no-any-return]

    def avatar(self, wanted: Source) -> RawAvatar:
        return self._get(wanted)  # type: ignore[no-any-return]
