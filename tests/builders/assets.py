"""Small hand-made assets in glTF space, whose every number can be checked by eye.

Pieces (``geometry``, ``shape``, ``ragged``, ``texture``) build the parts; the functions named after a thing
(``triangle``, ``quad``, ``strip``, ``faces``, ``painted``) build whole assets.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from unity2gltf.ir import (
    AlphaMode,
    Asset,
    BlendFrame,
    BlendShape,
    Geometry,
    Image,
    Influences,
    Material,
    Mesh,
    Node,
    Primitive,
    Skin,
    Space,
    Submesh,
    Texture,
    TextureUse,
    Topology,
)

from .raw import source

LINEAR, REPEAT, CLAMP = 9729, 10497, 33071


def submesh(indices: Sequence[int], number: int = 0, topology: Topology = Topology.TRIANGLES) -> Submesh:
    return Submesh(number=number, topology=topology, indices=np.array(indices, np.uint32))


def geometry(
    positions: Any, submeshes: Sequence[Submesh], *, name: str = "Mesh", path_id: int = 1, **more: Any
) -> Geometry:
    """A geometry of (V, 3) ``positions`` without bind poses, unless ``more`` gives them."""
    fields = {"bind_poses": np.zeros((0, 4, 4), np.float32), "bone_hashes": np.zeros(0, np.uint32), **more}
    return Geometry(
        source=source(path_id, "Mesh"),
        name=name,
        positions=np.array(positions, np.float32).reshape(-1, 3),
        submeshes=tuple(submeshes),
        **fields,
    )


def ragged(rows: Sequence[Mapping[int, float]]) -> Influences:
    """Influences from one ``{joint: weight}`` a vertex, heaviest first."""
    offsets = np.cumsum([0, *(len(row) for row in rows)])
    return Influences(
        offsets=offsets.astype(np.int64),
        joints=np.array([joint for row in rows for joint in row], np.int32),
        weights=np.array([weight for row in rows for weight in row.values()], np.float32),
    )


def frame(full_weight: float, moves: Mapping[int, Sequence[float]], **more: Any) -> BlendFrame:
    """A frame from ``{vertex: delta}``; ``normals`` and ``tangents`` (K, 3) by keyword."""
    return BlendFrame(
        full_weight=full_weight,
        indices=np.array(list(moves), np.int64),
        positions=np.array(list(moves.values()), np.float32).reshape(-1, 3),
        **{key: np.array(value, np.float32).reshape(-1, 3) for key, value in more.items()},
    )


def shape(name: str, *frames: BlendFrame) -> BlendShape:
    return BlendShape(name=name, frames=frames)


def png(width: int, height: int, color: tuple[int, int, int]) -> bytes:
    """The smallest honest PNG: one colour, 8-bit RGB, no filter."""
    rows = (b"\x00" + bytes(color) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def image(name: str = "Bricks", color: tuple[int, int, int] = (200, 40, 20), *path_ids: int) -> Image:
    sources = tuple(source(path_id, "Texture2D") for path_id in path_ids or (30,))
    return Image(name=name, sources=sources, mime="image/png", data=png(4, 2, color), width=4, height=2)


def texture(image_index: int = 0, wrap: tuple[int, int] = (REPEAT, REPEAT)) -> Texture:
    return Texture(image=image_index, wrap=wrap, mag_filter=LINEAR, min_filter=LINEAR)


def material(name: str = "Paint", *, path_id: int = 20, **more: Any) -> Material:
    return Material(name=name, source=source(path_id, "Material"), **more)


def asset(nodes: Sequence[Node], *, name: str = "Thing", space: Space = Space.GLTF, **more: Any) -> Asset:
    return Asset(space=space, kind="prefab", name=name, source=source(100, "GameObject"), nodes=tuple(nodes), **more)


def one_mesh(shown: Geometry, *, weights: tuple[float, ...] = (), **more: Any) -> Asset:
    """An asset of one node that shows all submeshes of a geometry without a material."""
    primitives = tuple(Primitive(submesh=index, material=None) for index in range(len(shown.submeshes)))
    mesh = Mesh(geometry=0, primitives=primitives, weights=weights)
    return asset(
        [Node(name=shown.name, source=source(10, "GameObject"), mesh=0)], geometries=(shown,), meshes=(mesh,), **more
    )


# --- whole assets ---------------------------------------------------------------------------------------------------

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
UP = np.tile(np.array([0, 0, 1], np.float32), (4, 1))


def triangle() -> Asset:
    """Positions and indices, and nothing else."""
    return one_mesh(geometry(SQUARE[:3], [submesh([0, 1, 2])], name="Triangle"))


def quad_geometry(**more: Any) -> Geometry:
    """A unit square of two submeshes, a triangle each, with normals, tangents, two UV sets and colours."""
    return geometry(
        SQUARE,
        [submesh([0, 1, 2], 0), submesh([0, 2, 3], 1)],
        **{
            "name": "Quad",
            "normals": UP.copy(),
            "tangents": np.tile(np.array([1, 0, 0, 1], np.float32), (4, 1)),
            "uvs": {0: np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)},
            "colors": np.array([(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 1, 1)], np.float32),
            **more,
        },
    )


def quad() -> Asset:
    """Two meshes over one geometry: both submeshes with two materials, and the second submesh alone; below a parent."""
    meshes = (
        Mesh(
            geometry=0,
            primitives=(Primitive(submesh=0, material=0), Primitive(submesh=1, material=1, vertex_colors=True)),
        ),
        Mesh(geometry=0, primitives=(Primitive(submesh=1, material=None),)),
    )
    nodes = [
        Node(name="Room", source=source(10, "GameObject"), translation=(1.0, 2.0, 3.0), extras={"layer": 5}),
        Node(name="Wall", source=source(11, "GameObject"), parent=0, mesh=0, scale=(2.0, 2.0, 2.0)),
        Node(name="", source=source(12, "GameObject"), parent=0, mesh=1, rotation=(0.0, 1.0, 0.0, 0.0)),
        Node(name="Hidden", source=source(13, "GameObject"), parent=1, active=False),
    ]
    materials = (
        material("Red", path_id=20, base_color=(1.0, 0.0, 0.0, 1.0)),
        material("Glass", path_id=21, alpha_mode=AlphaMode.BLEND, double_sided=True, roughness=0.25),
    )
    return asset(nodes, geometries=(quad_geometry(),), meshes=meshes, materials=materials)


def strip_geometry(vertices: int = 6, **more: Any) -> Geometry:
    """A ladder of triangles along +X: vertex v stands at (v // 2, v % 2, 0)."""
    triangles = [
        index for v in range(vertices - 2) for index in ((v, v + 1, v + 2) if v % 2 == 0 else (v, v + 2, v + 1))
    ]
    positions = [(v // 2, v % 2, 0) for v in range(vertices)]
    return geometry(positions, [submesh(triangles)], **{"name": "Strip", **more})


def spread(count: int, first: int = 0) -> dict[int, float]:
    """``count`` influences on joints from ``first``, heaviest first, of weights proportional to count, .., 2, 1."""
    total = count * (count + 1) / 2
    return {first + slot: (count - slot) / total for slot in range(count)}


def strip(counts: Sequence[int] = (1, 4, 5, 8, 12, 0), joint_count: int = 12) -> Asset:
    """A skinned strip: vertex v has ``counts[v]`` influences; joint j stands at x = j, one below the other."""
    rows = [spread(count) for count in counts]
    joints = [
        Node(name=f"bone{j}", source=source(50 + j, "GameObject"), parent=j, translation=(float(j > 0), 0.0, 0.0))
        for j in range(joint_count)
    ]
    nodes = [
        Node(name="Rig", source=source(10, "GameObject")),
        *joints,
        Node(name="Body", source=source(11, "GameObject"), parent=0, translation=(0.0, 5.0, 0.0)),
        Node(name="Body", source=source(12, "SkinnedMeshRenderer"), mesh=0, skin=0, game_object=joint_count + 1),
    ]
    inverse = np.tile(np.eye(4, dtype=np.float32), (joint_count, 1, 1))
    inverse[:, 0, 3] = -np.arange(joint_count)
    skin = Skin(
        name="Body",
        source=source(12, "SkinnedMeshRenderer"),
        joints=tuple(range(1, joint_count + 1)),
        inverse_bind=inverse,
        skeleton=1,
    )
    mesh = Mesh(geometry=0, primitives=(Primitive(submesh=0, material=None),), influences=ragged(rows))
    return asset(nodes, geometries=(strip_geometry(len(counts)),), meshes=(mesh,), skins=(skin,))


def faces(vertices: int = 40) -> Asset:
    """Shapes on a strip: ``Smile`` of two frames, ``Blink`` with normals, ``Nothing`` that moves no vertex."""
    normals = np.tile(np.array([0, 0, 1], np.float32), (vertices, 1))
    everywhere = {v: (0.0, 0.0, v / 8) for v in range(vertices)}
    shapes = (
        shape("Smile", frame(0.5, {1: (0, 1, 0)}), frame(1.0, {1: (0, 2, 0), 3: (0, -1, 0.25)})),
        shape("Blink", frame(1.0, {2: (0, 0, 1)}, normals=[(0.5, 0, 0)])),
        shape("Nothing", frame(1.0, {})),
        shape("Puff", frame(1.0, everywhere)),
    )
    shown = strip_geometry(vertices, name="Face", normals=normals, shapes=shapes)
    built = one_mesh(shown, weights=(0.75, 0.5))
    own = Node(name="Twin", source=source(11, "GameObject"), mesh=0, weights=(0.25, 0.0, 0.0, 1.0))
    return asset([*built.nodes, own], geometries=built.geometries, meshes=built.meshes)


def painted() -> Asset:
    """A tiled, cut-out texture on Unity's UV set 1 of a mesh with sets 1 and 3 (of three components), and the same
    material on a mesh with sets 0 and 1; one image from two textures, one of the same bytes."""
    sets = {n: np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32) * (n + 1) / 4 for n in (0, 1)}
    deep = np.hstack([sets[0], np.full((4, 1), 0.5, np.float32)])
    gaps = quad_geometry(name="Gaps", path_id=1, uvs={1: sets[1], 3: deep}, colors=None)
    whole = quad_geometry(name="Whole", path_id=2, uvs=sets, colors=None)
    use = TextureUse(texture=0, uv=1, scale=(2.0, 3.0), offset=(0.0, 0.5))
    materials = (material("Leaf", base_color_texture=use, alpha_mode=AlphaMode.MASK, alpha_cutoff=0.25),)
    meshes = tuple(Mesh(geometry=g, primitives=(Primitive(submesh=0, material=0),)) for g in (0, 1))
    return asset(
        [Node(name=name, source=source(10 + n, "GameObject"), mesh=n) for n, name in enumerate(("Gaps", "Whole"))],
        geometries=(gaps, whole),
        meshes=meshes,
        materials=materials,
        textures=(texture(0), texture(1, (CLAMP, REPEAT)), texture(2)),
        images=(image("Leaf", (20, 200, 40), 30, 31), image("Bark"), image("Copy of bark", (200, 40, 20), 32)),
    )


EXAMPLES = {"triangle": triangle, "quad": quad, "strip": strip, "faces": faces, "painted": painted}
"""Every whole asset by name."""
