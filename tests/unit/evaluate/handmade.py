"""Assets in Unity space, and the GLB that they must become, written out value by value with loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.builders.raw import source
from unity2gltf.ir import (
    Asset,
    BlendFrame,
    BlendShape,
    Geometry,
    Influences,
    Material,
    Mesh,
    Node,
    Primitive,
    Skin,
    Space,
    Submesh,
    Topology,
)

from .draft import Draft


def influences(rows: list[list[tuple[int, float]]]) -> Influences:
    """From (joint, weight) pairs, one list a vertex."""
    flat = [pair for row in rows for pair in row]
    return Influences(
        offsets=np.cumsum([0, *map(len, rows)]).astype(np.int64),
        joints=np.array([joint for joint, _ in flat], np.int32),
        weights=np.array([weight for _, weight in flat], np.float32),
    )


def frame(full_weight: float, deltas: dict[int, tuple[float, float, float]], **more: Any) -> BlendFrame:
    positions = np.array(list(deltas.values()), np.float32).reshape(-1, 3)
    return BlendFrame(full_weight=full_weight, indices=np.array(list(deltas), np.int64), positions=positions, **more)


def geometry(positions: Any, **more: Any) -> Geometry:
    fields: dict[str, Any] = {
        "submeshes": (Submesh(number=0, topology=Topology.TRIANGLES, indices=np.array([0, 1, 2], np.uint32)),),
        "bind_poses": np.zeros((0, 4, 4), np.float32),
        "bone_hashes": np.zeros(0, np.uint32),
        **more,
    }
    return Geometry(source=source(1, "Mesh"), name="Mesh", positions=np.array(positions, np.float32), **fields)


def asset(nodes: list[Node], **more: Any) -> Asset:
    return Asset(
        space=Space.UNITY, kind="prefab", name="Thing", source=source(9, "GameObject"), nodes=tuple(nodes), **more
    )


def figure() -> Asset:
    """A skinned strip of eight vertices with everything that a file can claim: two bones below a turned and scaled
    rig, shapes of one and two frames, all attributes, two submeshes (triangles and lines), a material."""
    half = float(np.float32(0.5**0.5))
    nodes = [
        Node(name="Rig", source=source(10, "GameObject"), translation=(1.0, 2.0, 3.0), scale=(2.0, 2.0, 2.0)),
        Node(name="Hip", source=source(11, "GameObject"), parent=0, rotation=(half, 0.0, 0.0, half)),
        Node(name="Knee", source=source(12, "GameObject"), parent=1, translation=(0.25, 1.0, 0.0)),
        Node(name="Body", source=source(13, "GameObject"), parent=0, translation=(5.0, 5.0, 5.0)),
        Node(
            name="Body",
            source=source(14, "SkinnedMeshRenderer"),
            mesh=0,
            skin=0,
            weights=(0.25, 1.2),
            game_object=3,
        ),
        Node(name="Prop", source=source(15, "GameObject"), parent=2, translation=(0.0, 0.5, 0.5), mesh=1),
    ]
    inverse = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    inverse[0, :3] = [(0.0, 0.5, 0.0, 0.125), (-0.5, 0.0, 0.0, 0.25), (0.0, 0.0, 0.5, -0.5)]
    inverse[1, :3] = [(0.0, 0.0, 1.0, -1.0), (0.0, 1.0, 0.0, -0.75), (-1.0, 0.0, 0.0, 0.5)]
    skin = Skin(name="Body", source=source(14, "SkinnedMeshRenderer"), joints=(1, 2), inverse_bind=inverse, skeleton=1)
    first = Primitive(submesh=0, material=0, vertex_colors=True)
    plain = Primitive(submesh=1, material=None)
    rows = [[(v % 2, 0.75), (1 - v % 2, 0.25)] if v % 3 else [(v % 2, 1.0)] for v in range(8)]
    meshes = (
        Mesh(geometry=0, primitives=(first, plain), influences=influences(rows), weights=(0.5, 0.0)),
        Mesh(geometry=0, primitives=(plain,), weights=(0.0, 0.0)),
    )
    material = Material(name="Skin", source=source(20, "Material"))
    return asset(nodes, geometries=(strip(),), meshes=meshes, skins=(skin,), materials=(material,))


def strip() -> Geometry:
    """Eight vertices of a ladder, with shapes, colours, UV sets 0 and 2, and triangles and lines."""
    positions = [(v // 2 + 0.125, float(v % 2), 0.25 * v) for v in range(8)]
    triangles = [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6, 6, 5, 7]
    normals = np.tile(np.array([0.6, 0.0, 0.8], np.float32), (8, 1))
    deltas = np.array([(0.5, 0.25, 0.0), (0.125, 0.0, 0.5)], np.float32)
    shapes = (
        BlendShape(name="Smile", frames=(frame(1.0, {2: (0.5, 0.0, 0.25), 5: (0.0, 1.0, 0.0)}, normals=deltas),)),
        BlendShape(name="Blink", frames=(frame(0.5, {1: (0.0, 0.0, 1.0)}), frame(1.0, {1: (1.0, 0.0, 0.0)}))),
    )
    return geometry(
        positions,
        normals=normals,
        tangents=np.tile(np.array([0.8, 0.0, -0.6, 1.0], np.float32), (8, 1)),
        colors=np.linspace(0.0, 1.0, 32, dtype=np.float32).reshape(8, 4),
        uvs={n: np.array([(v / 8, v / 16 + n / 8) for v in range(8)], np.float32) for n in (0, 2)},
        submeshes=(
            Submesh(number=0, topology=Topology.TRIANGLES, indices=np.array(triangles, np.uint32)),
            Submesh(number=3, topology=Topology.LINES, indices=np.array([0, 7, 1, 6], np.uint32)),
        ),
        shapes=shapes,
    )


def by_hand(unity: Asset) -> Draft:
    """The file that ``unity`` must become. All influences are kept; morph targets are dense."""
    draft = Draft()
    draft.json["scene"] = 0
    draft.json["scenes"] = [{"nodes": [i for i, node in enumerate(unity.nodes) if node.parent < 0]}]
    draft.json["nodes"] = [_node(unity, index) for index in range(len(unity.nodes))]
    shared = [_attributes(draft, shape) for shape in unity.geometries]
    if unity.meshes:
        draft.json["meshes"] = [_mesh(draft, unity, mesh, shared[mesh.geometry]) for mesh in unity.meshes]
    if unity.skins:
        draft.json["skins"] = [_skin(draft, skin) for skin in unity.skins]
    if unity.materials:
        draft.json["materials"] = [{"name": m.name, "extras": {"unity": m.source.mark()}} for m in unity.materials]
    return draft


def _node(unity: Asset, index: int) -> dict[str, Any]:
    node = unity.nodes[index]
    (x, y, z), (qx, qy, qz, qw) = node.translation, node.rotation
    item: dict[str, Any] = {
        "name": node.name,
        "translation": [-x, y, z],
        "rotation": [qx, -qy, -qz, qw],
        "scale": list(node.scale),
        "extras": {"unity": {**(node.source.mark() if node.source else {}), "node": node.game_object}},
    }
    children = [child for child, other in enumerate(unity.nodes) if other.parent == index]
    if children:
        item["children"] = children
    if node.mesh is not None:
        item["mesh"] = node.mesh
        if node.weights:
            item["weights"] = tents(unity.geometries[unity.meshes[node.mesh].geometry], node.weights)
    if node.skin is not None:
        item["skin"] = node.skin
        del item["translation"], item["rotation"], item["scale"]
    return item


def tents(shown: Geometry, weights: tuple[float, ...]) -> list[float]:
    """Target weights of shapes of one frame, or of two at 0.5 and 1."""
    result: list[float] = []
    for shape, weight in zip(shown.shapes, weights, strict=True):
        full = [one.full_weight for one in shape.frames]
        if len(full) == 1:
            result.append(weight / full[0])
        elif weight <= 0.5:
            result += [2 * weight, 0.0]
        else:
            result += [2 - 2 * weight, 2 * weight - 1] if weight <= 1 else [0.0, weight]
    return result


def _flip(vectors: Any) -> list[list[float]]:
    return [[-float(x), float(y), float(z)] for x, y, z in vectors]


def _attributes(draft: Draft, shown: Geometry) -> tuple[dict[str, int], list[dict[str, int]], int | None]:
    names = {"POSITION": draft.add(_flip(shown.positions), "f4", "VEC3", bounds=True)}
    if shown.normals is not None:
        names["NORMAL"] = draft.add(_flip(shown.normals), "f4", "VEC3")
    if shown.tangents is not None:
        names["TANGENT"] = draft.add([(-t[0], t[1], t[2], -t[3]) for t in shown.tangents.tolist()], "f4", "VEC4")
    for written, number in enumerate(sorted(shown.uvs)):
        flipped = [(u, np.float32(1) - np.float32(v)) for u, v in shown.uvs[number].tolist()]
        names[f"TEXCOORD_{written}"] = draft.add(flipped, "f4", "VEC2")
    colors = None if shown.colors is None else draft.add(np.rint(shown.colors * 255), "u1", "VEC4", normalized=True)
    has_normals = any(one.normals is not None for shape in shown.shapes for one in shape.frames)
    targets = [_target(draft, shown, one, has_normals) for shape in shown.shapes for one in shape.frames]
    return names, targets, colors


def _target(draft: Draft, shown: Geometry, one: BlendFrame, has_normals: bool) -> dict[str, int]:
    positions = [[0.0, 0.0, 0.0] for _ in shown.positions]
    normals = [[0.0, 0.0, 0.0] for _ in shown.positions]
    for place, vertex in enumerate(one.indices.tolist()):
        positions[vertex] = _flip([one.positions[place]])[0]
        if one.normals is not None:
            normals[vertex] = _flip([one.normals[place]])[0]
    target = {"POSITION": draft.add(positions, "f4", "VEC3", bounds=True)}
    return target | ({"NORMAL": draft.add(normals, "f4", "VEC3")} if has_normals else {})


def _mesh(draft: Draft, unity: Asset, mesh: Mesh, shared: tuple[Any, Any, Any]) -> dict[str, Any]:
    shown = unity.geometries[mesh.geometry]
    base, targets, colors = shared
    names = base | (_weights(draft, mesh.influences) if mesh.influences is not None else {})
    primitives = []
    for primitive in mesh.primitives:
        submesh = shown.submeshes[primitive.submesh]
        corners = submesh.indices.tolist()
        if submesh.topology is Topology.TRIANGLES:
            corners = [corners[t + k] for t in range(0, len(corners), 3) for k in (0, 2, 1)]
        item: dict[str, Any] = {
            "attributes": names | ({"COLOR_0" if primitive.vertex_colors else "_COLOR": colors} if colors else {}),
            "indices": draft.add(corners, "u2", "SCALAR"),
            "mode": int(submesh.topology),
            "extras": {
                "unity": {"submesh": submesh.number, "uv": {str(n): u for n, u in enumerate(sorted(shown.uvs))}}
            },
        }
        if targets:
            item["targets"] = list(targets)
        if primitive.material is not None:
            item["material"] = primitive.material
        primitives.append(item)
    extras: dict[str, Any] = {"unity": shown.source.mark()}
    result: dict[str, Any] = {"name": shown.name, "primitives": primitives, "extras": extras}
    if shown.shapes:
        result["weights"] = tents(shown, mesh.weights)
        extras["targetNames"] = [
            s.name if one is s.frames[-1] else f"{s.name}@50" for s in shown.shapes for one in s.frames
        ]
    return result


def _weights(draft: Draft, rows: Influences) -> dict[str, int]:
    sets = max(1, -(-rows.max_count // 4))
    count = len(rows.offsets) - 1
    joints, weights = np.zeros((sets, count, 4)), np.zeros((sets, count, 4))
    for vertex in range(count):
        begin, end = rows.offsets[vertex], rows.offsets[vertex + 1]
        if begin == end:
            weights[0, vertex, 0] = 1.0
        for slot in range(end - begin):
            joints[slot // 4, vertex, slot % 4] = rows.joints[begin + slot]
            weights[slot // 4, vertex, slot % 4] = rows.weights[begin + slot]
    names = {}
    for number in range(sets):
        names[f"JOINTS_{number}"] = draft.add(joints[number], "u1", "VEC4")
        names[f"WEIGHTS_{number}"] = draft.add(weights[number], "f4", "VEC4")
    return names


def _skin(draft: Draft, skin: Skin) -> dict[str, Any]:
    columns = []
    for matrix in skin.inverse_bind.astype(float):
        mirrored = [[-v if (r == 0) != (c == 0) else v for c, v in enumerate(row)] for r, row in enumerate(matrix)]
        columns.append([mirrored[r][c] for c in range(4) for r in range(4)])
    return {
        "name": skin.name,
        "joints": list(skin.joints),
        "inverseBindMatrices": draft.add(columns, "f4", "MAT4"),
        "extras": {"unity": skin.source.mark() if skin.source else {}},
    }
