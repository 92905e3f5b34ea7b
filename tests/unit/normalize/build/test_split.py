"""Files of animations alone: the rig's nodes, and a stub where shapes are driven."""

from __future__ import annotations

import numpy as np

from tests.builders.raw import source
from unity2gltf.ir import (
    Asset,
    BlendFrame,
    BlendShape,
    Channel,
    Clip,
    Curve,
    Geometry,
    Influences,
    Interpolation,
    Mesh,
    Node,
    Path,
    Primitive,
    Skin,
    Space,
    Submesh,
    Topology,
    Track,
)
from unity2gltf.normalize.build.split import split_clip

STILL = Curve(times=np.zeros(1), coefficients=np.zeros((1, 4)))
TIMES = np.array([0, 1], np.float32)


def track(node: int, path: Path, width: int) -> Track:
    values = np.zeros((2, width), np.float32)
    return Track(node=node, path=path, interpolation=Interpolation.LINEAR, times=TIMES, values=values)


def asset() -> Asset:
    """World / Rig / Bone, Rig / Body with its skinned mesh at the scene root, and a prop that is no part of the rig."""
    frame = BlendFrame(full_weight=1.0, indices=np.array([1]), positions=np.ones((1, 3), np.float32))
    geometry = Geometry(
        source=source(100, "Mesh"),
        name="Body",
        positions=np.zeros((3, 3), np.float32),
        submeshes=(Submesh(number=0, topology=Topology.TRIANGLES, indices=np.arange(3, dtype=np.uint32)),),
        shapes=(BlendShape(name="Smile", frames=(frame, frame)), BlendShape(name="Blink", frames=(frame,))),
        bind_poses=np.eye(4, dtype=np.float32)[None],
        bone_hashes=np.zeros(0, np.uint32),
    )
    influences = Influences(offsets=np.arange(4), joints=np.zeros(3, np.int32), weights=np.ones(3, np.float32))
    return Asset(
        space=Space.UNITY,
        kind="prefab",
        name="World",
        source=source(1, "GameObject"),
        nodes=(
            Node(name="World"),
            Node(name="Prop", parent=0, mesh=0),
            Node(name="Rig", parent=0),
            Node(name="Bone", parent=2),
            Node(name="Body", parent=2),
            Node(name="Body", mesh=0, skin=0, weights=(0.0, 0.5), game_object=4),
        ),
        geometries=(geometry,),
        meshes=(Mesh(geometry=0, primitives=(Primitive(submesh=0, material=None),), influences=influences),),
        skins=(Skin(name="S", source=None, joints=(3,), inverse_bind=np.eye(4, dtype=np.float32)[None]),),
        clips=(
            Clip(
                name="Talk",
                source=source(70, "AnimationClip"),
                rig=2,
                duration=1.0,
                channels=(
                    Channel(node=3, path=Path.TRANSLATION, curves=(STILL,) * 3),
                    Channel(node=5, path=Path.WEIGHTS, curves=(STILL, None)),
                ),
                tracks=(track(3, Path.TRANSLATION, 3), track(5, Path.WEIGHTS, 3)),
            ),
            Clip(
                name="Nod",
                source=source(71, "AnimationClip"),
                rig=2,
                duration=1.0,
                channels=(Channel(node=3, path=Path.TRANSLATION, curves=(STILL,) * 3),),
                tracks=(track(3, Path.TRANSLATION, 3),),
            ),
        ),
    )


def test_each_clip_is_an_asset_with_the_rigs_nodes_only() -> None:
    (path, talk), (other, nod) = (split_clip(asset(), clip) for clip in asset().clips)
    assert (path, other) == ("Rig/Talk", "Rig/Nod")
    assert (talk.kind, talk.name, talk.source.path_id) == ("animation", "Talk", 70)
    assert [n.name for n in nod.nodes] == ["Rig", "Bone", "Body"]
    assert [n.parent for n in nod.nodes] == [-1, 0, 0]
    assert nod.meshes == () and nod.skins == () and nod.geometries == ()
    assert (nod.clips[0].rig, nod.clips[0].tracks[0].node, nod.clips[0].channels[0].node) == (0, 1, 1)


def test_driven_shapes_get_a_stub_with_the_same_shapes() -> None:
    talk = split_clip(asset(), asset().clips[0])[1]
    carrier = talk.nodes[3]
    assert (carrier.name, carrier.mesh, carrier.skin, carrier.weights, carrier.game_object) == (
        "Body",
        0,
        None,
        (0.0, 0.5),
        2,
    )
    geometry = talk.geometries[0]
    assert geometry.stub and geometry.vertex_count == 3 and not geometry.positions.any()
    assert [(s.name, len(s.frames)) for s in geometry.shapes] == [("Smile", 2), ("Blink", 1)]
    assert all(len(frame.indices) == 0 for s in geometry.shapes for frame in s.frames)
    assert [t.node for t in talk.clips[0].tracks] == [1, 3]
