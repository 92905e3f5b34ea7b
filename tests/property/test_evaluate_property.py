"""On random rigs, Unity's side mirrored equals glTF's side, and each equals a slow twin; random damage is caught."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.evaluate.handmade import asset, by_hand, frame, geometry, influences
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.evaluate.gltf.pose import GltfPoser
from unity2gltf.evaluate.unity.pose import UnityPoser
from unity2gltf.evaluate.unity.shapes import active_frames
from unity2gltf.ir import Asset, BlendShape, Mesh, Node, Primitive, Skin
from unity2gltf.math3d import frame_weights
from unity2gltf.validate.poses import random_pose, random_shape_weights, target_weights
from unity2gltf.validate.roundtrip import roundtrip

seeds = st.integers(0, 2**32 - 1)


def rig(seed: int) -> Asset:
    """A random tree of nodes, a skin over most of them, up to nine influences a vertex, shapes of one or two frames."""
    random = np.random.default_rng(seed)
    count, vertices = int(random.integers(2, 9)), int(random.integers(3, 12))

    def numbers(*shape: int, scale: float = 1.0) -> np.ndarray:
        return (random.normal(size=shape) * scale).astype(np.float32)

    def rotation() -> tuple[float, ...]:
        q = random.normal(size=4)
        return tuple((q / np.linalg.norm(q)).tolist())

    bones = [
        Node(
            name=f"bone {n}",
            parent=int(random.integers(-1, n)) if n else -1,
            translation=tuple(numbers(3).tolist()),  # type: ignore[arg-type]
            rotation=rotation(),  # type: ignore[arg-type]
            scale=tuple(random.uniform(0.5, 2, 3).astype(np.float32).tolist()),
        )
        for n in range(count)
    ]
    joints = tuple(int(j) for j in random.permutation(count)[: random.integers(1, count + 1)])
    inverse = np.tile(np.eye(4, dtype=np.float32), (len(joints), 1, 1))
    inverse[:, :3] += numbers(len(joints), 3, 4, scale=0.5)
    rows = []
    for _ in range(vertices):
        used = random.permutation(len(joints))[: random.integers(0, min(9, len(joints)) + 1)]
        weights = np.sort(random.dirichlet(np.ones(len(used))))[::-1] if len(used) else []
        rows.append([(int(joint), float(weight)) for joint, weight in zip(used, weights, strict=True)])
    shapes = tuple(
        BlendShape(
            name=f"shape {s}",
            frames=tuple(
                frame(full, {int(v): tuple(numbers(3).tolist()) for v in random.permutation(vertices)[:3]})  # type: ignore[misc]
                for full in ((1.0,), (0.5, 1.0))[int(random.integers(2))]
            ),
        )
        for s in range(int(random.integers(0, 3)))
    )
    body = Node(name="body", mesh=0, skin=0, weights=tuple(random.uniform(-0.5, 1.5, len(shapes)).tolist()))
    mesh = Mesh(
        geometry=0,
        primitives=(Primitive(submesh=0, material=None),),
        influences=influences(rows),
        weights=tuple(0.0 for _ in shapes),
    )
    shown = geometry(numbers(vertices, 3), shapes=shapes)
    skin = Skin(name="body", source=None, joints=joints, inverse_bind=inverse)
    return asset([*bones, body], geometries=(shown,), meshes=(mesh,), skins=(skin,))


def slow_vertices(unity: Asset, index: int, weights: list[float]) -> list[list[float]]:
    """Unity's definition, one number at a time, with the tree climbed anew for each joint."""
    node = unity.nodes[index]
    assert node.mesh is not None and node.skin is not None
    mesh, skin = unity.meshes[node.mesh], unity.skins[node.skin]
    shown, rows = unity.geometries[mesh.geometry], mesh.influences
    assert rows is not None
    result = []
    for vertex in range(shown.vertex_count):
        point = [float(value) for value in shown.positions[vertex]]
        for shape, weight in zip(shown.shapes, weights, strict=True):
            for one, factor in zip(
                shape.frames, frame_weights([f.full_weight for f in shape.frames], weight), strict=True
            ):
                for place, moved in enumerate(one.indices):
                    if moved == vertex:
                        point = [p + factor * float(d) for p, d in zip(point, one.positions[place], strict=True)]
        pairs = [
            (int(rows.joints[e]), float(rows.weights[e])) for e in range(rows.offsets[vertex], rows.offsets[vertex + 1])
        ]
        total = [0.0, 0.0, 0.0]
        for joint, weight in pairs or [(0, 1.0)]:
            bound = [
                sum(float(m) * p for m, p in zip(row, [*point, 1.0], strict=True)) for row in skin.inverse_bind[joint]
            ]
            place = climb(unity, skin.joints[joint], bound[:3])
            total = [t + weight * p for t, p in zip(total, place, strict=True)]
        result.append(total)
    return result


def climb(unity: Asset, index: int, point: list[float]) -> list[float]:
    """A point from a node's space to the world: scale, rotate by q p q^-1, translate, on to the parent."""
    while index >= 0:
        node = unity.nodes[index]
        x, y, z = (p * s for p, s in zip(point, node.scale, strict=True))
        a, b, c, w = node.rotation
        # q (x, y, z, 0)
        qx, qy, qz = w * x + b * z - c * y, w * y + c * x - a * z, w * z + a * y - b * x
        qw = -a * x - b * y - c * z
        point = [
            -qw * a + qx * w - qy * c + qz * b + node.translation[0],
            -qw * b + qy * w - qz * a + qx * c + node.translation[1],
            -qw * c + qz * w - qx * b + qy * a + node.translation[2],
        ]
        index = node.parent
    return point


@given(seeds)
def test_unity_mirrored_is_gltf(seed: int) -> None:
    unity = rig(seed)
    random = np.random.default_rng(seed)
    left, right = UnityPoser(unity), GltfPoser(parse_glb(by_hand(unity).glb()))
    pose = random_pose(unity, random)
    mirrored = {index: ([-t[0], t[1], t[2]], [q[0], -q[1], -q[2], q[3]], s) for index, (t, q, s) in pose.items()}
    weights = random_shape_weights(unity.geometries[0], random)
    targets = target_weights(unity.geometries[0], weights)
    index = len(unity.nodes) - 1
    one = left.vertices(index, left.world(pose), weights) * (-1, 1, 1)
    other = right.vertices(index, right.world(mirrored), targets)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-10 * (1 + np.abs(one).max()))


@given(seeds)
def test_the_vectorised_poser_is_the_slow_twin(seed: int) -> None:
    unity = rig(seed)
    poser, index = UnityPoser(unity), len(unity.nodes) - 1
    weights = list(unity.nodes[index].weights)
    wanted = np.array(slow_vertices(unity, index, weights))
    found = poser.vertices(index, poser.world(), weights)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10 * (1 + np.abs(wanted).max()))


@given(seeds)
def test_random_rigs_pass_the_round_trip(seed: int) -> None:
    unity = rig(seed)
    diagnostics = Diagnostics()
    gltf = parse_glb(by_hand(unity).glb())
    result = roundtrip(unity, gltf, "quick", diagnostics=diagnostics, max_influences=0)
    assert result.passed, result.problems
    assert result.max_error_m <= result.tolerance_m


@given(seeds)
def test_a_flipped_sign_anywhere_is_caught(seed: int) -> None:
    """Any number of the positions, matrices, deltas or weights that is worth a millimetre."""
    unity = rig(seed)
    random = np.random.default_rng(seed)
    draft = by_hand(unity)
    floats = [array for array in draft.arrays if array.dtype == np.float32 and array.size]
    array = floats[int(random.integers(len(floats)))]
    flat = array.reshape(-1)
    worthy = np.flatnonzero(np.abs(flat) > 1e-3)
    if len(worthy):
        flat[worthy[int(random.integers(len(worthy)))]] *= -1
        result = roundtrip(unity, parse_glb(draft.glb()), "full", diagnostics=Diagnostics(), max_influences=0)
        assert not result.passed


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=5, unique=True).map(sorted),
    st.integers(-80, 160).map(lambda w: w / 32),
)
def test_two_interpolations_of_frames_agree(full: list[int], weight: float) -> None:
    """``math3d.frame_weights``, which writes the files, and the evaluator's own."""
    shape = BlendShape(name="s", frames=tuple(frame(f / 16, {n: (0, 0, 0)}) for n, f in enumerate(full)))
    found = np.zeros(len(full))
    for one, factor in active_frames(shape, weight):
        found[one.indices[0]] += factor
    np.testing.assert_allclose(found, frame_weights([f / 16 for f in full], weight), atol=1e-12)


@given(seeds, st.integers(1, 4))
def test_cuts_stay_within_their_bound(seed: int, limit: int) -> None:
    unity = rig(seed)
    rows = unity.meshes[0].influences
    assert rows is not None
    short = []
    for begin, end in zip(rows.offsets, rows.offsets[1:], strict=False):
        kept = slice(int(begin), min(int(begin) + limit, int(end)))
        weights = rows.weights[kept].astype(float)
        short.append(list(zip(rows.joints[kept].tolist(), (weights / weights.sum()).tolist(), strict=True)))
    cut = replace(unity, meshes=(replace(unity.meshes[0], influences=influences(short)),))
    gltf = parse_glb(by_hand(cut).glb())
    result = roundtrip(unity, gltf, "quick", diagnostics=Diagnostics(), max_influences=limit)
    assert result.passed, result.problems
    assert (result.cut is None) == (rows.max_count <= limit)
