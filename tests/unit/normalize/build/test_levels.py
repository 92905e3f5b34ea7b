"""``--lod msft``: levels of detail beside the scene, where the game shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.builders.proof import document_of, proven, written
from tests.builders.raw import IDENTITY, FakeRoot, hierarchy, node, raw_mesh, renderer, skin_of, source, transform
from tests.unit.normalize.build.test_hierarchy import build, codes_of
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.evaluate.gltf.pose import GltfPoser
from unity2gltf.ir import Asset, Channel, Clip, Curve, Interpolation, Path, Track
from unity2gltf.normalize.build.context import AssetContext
from unity2gltf.normalize.build.levels import attach_levels
from unity2gltf.normalize.build.nodes import add_nodes
from unity2gltf.normalize.build.renderers import draw_all
from unity2gltf.normalize.content import Library
from unity2gltf.options import Options
from unity2gltf.raw import RawHierarchy, RawLod, RawNode
from unity2gltf.validate.roundtrip import roundtrip

NEAR, FAR, FARTHEST = (source(100 + number, "Mesh") for number in range(3))
TURN = (0.0, math.sin(0.4), 0.0, math.cos(0.4))


def root() -> FakeRoot:
    return FakeRoot().add(*(raw_mesh(100 + number, f"Level{number}") for number in range(3)))


def group(*levels: tuple[float, Sequence[int]]) -> RawLod:
    """A LODGroup: (height, path ids of MeshRenderers) of each level."""
    stored = tuple((height, tuple(source(number, "MeshRenderer") for number in numbers)) for height, numbers in levels)
    return RawLod(source=source(50, "LODGroup"), levels=stored)


TREE = (
    node(1, "Tree", position=(10.0, 0.0, 5.0), rotation=TURN, scale=(2.0, 2.0, 2.0)),
    node(3, "Near", 0, position=(0.0, 1.0, 0.0), renderer=renderer(11, NEAR)),
    node(5, "Far", 0, position=(0.0, 2.0, 0.0), rotation=TURN, renderer=renderer(12, FAR)),
    node(7, "Farthest", 0, scale=(3.0, 1.0, 1.0), renderer=renderer(13, FARTHEST)),
)
LEVELS = group((0.5, (11,)), (0.25, (12,)), (0.125, (13,)))


def msft(*nodes: RawNode, lods: tuple[RawLod, ...] = (LEVELS,), **more: Any) -> tuple[Asset, Diagnostics]:
    return build(hierarchy(*nodes, lods=lods), more.pop("root", root()), lod="msft", **more)


def test_lower_levels_stand_outside_the_scene_below_the_same_parent() -> None:
    asset, diagnostics = msft(*TREE)
    assert codes_of(diagnostics) == []
    assert [n.name for n in asset.nodes] == ["Tree", "Near", "Far", "Farthest", "Far", "Farthest"]
    assert [n.mesh for n in asset.nodes] == [None, 0, None, None, 1, 2]
    assert asset.roots == [0]
    near, far = asset.nodes[1], asset.nodes[4]
    assert (near.levels, near.coverages) == ((4, 5), (0.5, 0.25, 0.125))
    assert (far.parent, far.frame, far.game_object, far.extras) == (-1, 2, 2, {"lod": 1})
    assert (far.translation, far.rotation) == ((0.0, 2.0, 0.0), TURN)
    assert far.source == far.renderer == source(12, "MeshRenderer")
    assert proven(asset).passed


def test_the_extension_names_them_on_level_0() -> None:
    json = document_of(msft(*TREE)[0]).json
    assert json["extensionsUsed"] == ["MSFT_lod"] and "extensionsRequired" not in json
    assert json["nodes"][1]["extensions"] == {"MSFT_lod": {"ids": [4, 5]}}
    assert json["nodes"][1]["extras"]["MSFT_screencoverage"] == [0.5, 0.25, 0.125]
    assert json["scenes"][0]["nodes"] == [0]
    assert "children" not in json["nodes"][4]


def test_our_reader_puts_a_level_where_unity_draws_it() -> None:
    """World of the tree (2 x, turned) times the level's own place: a vertex by hand."""
    asset, _ = msft(
        *(replace(TREE[0], rotation=(0.0, 0.0, 0.0, 1.0)), *TREE[1:3]), lods=(group((0.5, (11,)), (0.1, (12,))),)
    )
    poser = GltfPoser(written(asset))
    vertices = poser.vertices(3, poser.world(), [])
    angle = 0.8
    x, z = 2 * math.cos(angle), -2 * math.sin(angle)  # (1, 0, 0) of the quad, turned about y and doubled
    np.testing.assert_allclose(vertices[3], (-(10 + x), 4.0, 5 + z), atol=1e-6)


def test_level_0_on_the_group_itself_keeps_its_children_in_the_scene() -> None:
    nodes = (
        node(1, "Tree", renderer=renderer(11, NEAR), position=(1.0, 0.0, 0.0)),
        node(3, "Far", 0, position=(0.0, 0.0, 2.0), renderer=renderer(12, FAR)),
        node(5, "Nest", 0, renderer=renderer(14, NEAR)),
    )
    asset, _ = msft(*nodes, lods=(group((0.5, (11,)), (0.1, (12,))),))
    assert [n.mesh for n in asset.nodes] == [None, None, 0, 0, 1]
    carrier, far = asset.nodes[3], asset.nodes[4]
    assert (carrier.parent, carrier.game_object, carrier.levels) == (0, 0, (4,))
    assert (far.translation, far.frame) == ((0.0, 0.0, 2.0), 1)
    assert proven(asset).passed


def test_a_level_elsewhere_in_the_tree_gets_its_place_by_matrices() -> None:
    nodes = (
        node(1, "Tree", rotation=TURN),
        node(3, "High", 0, position=(3.0, 0.0, 0.0), rotation=TURN, scale=(2.0, 2.0, 2.0)),
        node(5, "Near", 1, renderer=renderer(11, NEAR)),
        node(7, "Low", 0, position=(0.0, 5.0, 0.0)),
        node(9, "Far", 3, rotation=TURN, scale=(0.5, 1.0, 1.0), renderer=renderer(12, FAR)),
    )
    asset, _ = msft(*nodes, lods=(group((0.5, (11,)), (0.1, (12,))),))
    assert asset.nodes[2].levels == (5,)
    assert proven(asset).passed


def test_a_place_that_shears_is_left_out() -> None:
    tilt = (math.sin(0.3), 0.0, 0.0, math.cos(0.3))
    nodes = (
        node(1, "Tree", scale=(1.0, 3.0, 1.0)),
        node(3, "Branch", 0, rotation=tilt),
        node(5, "Near", 1, renderer=renderer(11, NEAR)),
        node(7, "Far", rotation=tilt, renderer=renderer(12, FAR)),
    )
    asset, diagnostics = msft(*nodes, lods=(group((0.5, (11,)), (0.1, (12,))),))
    assert [item.data["reason"] for item in diagnostics.items] == ["LOD 1: its place below level 0's parent shears"]
    assert [n.mesh for n in asset.nodes] == [None, None, 0, None] and asset.nodes[3].extras == {"lod": 1}


def test_renderers_pair_by_order_and_the_rest_goes_with_the_last() -> None:
    nodes = (
        node(1, "House"),
        node(3, "Wall", 0, renderer=renderer(11, NEAR)),
        node(5, "Roof", 0, renderer=renderer(12, NEAR)),
        node(7, "Wall1", 0, position=(1.0, 0.0, 0.0), renderer=renderer(13, FAR)),
        node(9, "Roof1", 0, position=(2.0, 0.0, 0.0), renderer=renderer(14, FAR)),
        node(11, "Chimney1", 0, position=(3.0, 0.0, 0.0), renderer=renderer(15, FARTHEST)),
    )
    asset, _ = msft(*nodes, lods=(group((0.6, (11, 12)), (0.2, (13, 14, 15))),))
    wall, roof = asset.nodes[1], asset.nodes[2]
    assert [asset.nodes[i].name for i in wall.levels] == ["Wall1"]
    (both,) = roof.levels
    assert (asset.nodes[both].name, asset.nodes[both].mesh) == ("Roof LOD 1", None)
    below = [n for n in asset.nodes if n.parent == both]
    assert [(n.name, n.translation) for n in below] == [("Roof1", (2.0, 0.0, 0.0)), ("Chimney1", (3.0, 0.0, 0.0))]
    assert proven(asset).passed


def test_a_renderer_of_two_levels_stays_with_the_first() -> None:
    asset, _ = msft(*TREE[:3], lods=(group((0.5, (11,)), (0.2, (11, 12)), (0.1, (12,))),))
    assert asset.nodes[1].levels == (3,) and asset.nodes[1].coverages == (0.5, 0.2)


def test_levels_above_nothing_are_left_out() -> None:
    asset, diagnostics = msft(*TREE[:1], *TREE[2:], lods=(LEVELS,))
    assert {item.data["reason"] for item in diagnostics.items} == {
        "LOD 1: level 0 draws nothing",
        "LOD 2: level 0 draws nothing",
    }
    assert all(n.mesh is None for n in asset.nodes)


def skinned(number: int, mesh: int, bone: RawNode) -> Any:
    return renderer(number, source(mesh, "Mesh"), skinned=True, bones=(bone.transform,))


def test_skinned_levels_share_the_bones() -> None:
    bind = IDENTITY[None]
    content = FakeRoot().add(
        *(raw_mesh(100 + n, f"Body{n}", skin=skin_of([0] * 4), bind_poses=bind, bone_paths=["Hip"]) for n in range(2))
    )
    hip = node(3, "Hip", 0, position=(0.0, 1.0, 0.0))
    nodes = (
        node(1, "Hero"),
        hip,
        node(5, "Body", 0, renderer=skinned(11, 100, hip)),
        node(7, "Body1", 0, renderer=skinned(12, 101, hip)),
    )
    lod = RawLod(
        source=source(50, "LODGroup"),
        levels=((0.5, (source(11, "SkinnedMeshRenderer"),)), (0.1, (source(12, "SkinnedMeshRenderer"),))),
    )
    asset, _ = msft(*nodes, lods=(lod,), root=content)
    near, far = asset.nodes[4], asset.nodes[5]
    assert (near.levels, near.skin, far.skin, far.frame, far.parent) == ((5,), 0, 0, -1, -1)
    assert asset.roots == [0, 4]
    assert transform(3) == hip.transform
    assert proven(asset).passed


def test_numbers_that_are_none_are_not_written() -> None:
    asset, _ = msft(*TREE, lods=(group((float("nan"), (11,)), (0.2, (12,)), (0.1, (13,))),))
    assert asset.nodes[1].levels == (4, 5) and asset.nodes[1].coverages == ()
    assert "MSFT_screencoverage" not in document_of(asset).json["nodes"][1]["extras"]
    assert proven(asset).passed


def damaged(asset: Asset, change: Any) -> str:
    result = roundtrip(asset, written(asset, change), "quick", diagnostics=Diagnostics(), max_influences=8)
    assert not result.passed
    return " ".join(result.problems)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda json: json["nodes"][4].update(translation=[0, 3, 0]), "translation"),
        (lambda json: json["nodes"][1]["extensions"]["MSFT_lod"].update(ids=[5, 4]), "lower levels are [5, 4]"),
        (lambda json: json["nodes"][1]["extras"].update(MSFT_screencoverage=[1, 1, 1]), "coverages"),
        (lambda json: json["nodes"][2].update(extensions=json["nodes"][1].pop("extensions")), "lower levels are []"),
        (lambda json: json["scenes"][0].update(nodes=[0, 4]), "roots"),
    ],
)
def test_the_round_trip_sees_levels_that_went_wrong(change: Any, problem: str) -> None:
    assert problem in damaged(msft(*TREE)[0], change)


def test_without_levels_nothing_changes() -> None:
    raw: RawHierarchy = hierarchy(*TREE[:2])
    plain, _ = build(raw, root())
    asset, _ = build(raw, root(), lod="msft")
    assert asset.nodes == plain.nodes


def moving_clip(index: int, path: Path) -> Clip:
    curve = Curve(times=np.zeros(1), coefficients=np.zeros((1, 4)))
    channel = Channel(node=index, path=path, curves=(curve,) * 3)
    track = Track(
        node=index,
        path=path,
        interpolation=Interpolation.STEP,
        times=np.zeros(1, np.float32),
        values=np.zeros((1, 3), np.float32),
    )
    clip_source = source(70, "AnimationClip")
    return Clip(name="sway", source=clip_source, rig=0, duration=1.0, channels=(channel,), tracks=(track,))


def attached(*clips: Clip) -> tuple[AssetContext, tuple[Clip, ...]]:
    """The tree, drawn in full, then with its levels taken out while ``clips`` play."""
    raw = hierarchy(*TREE, lods=(LEVELS,))
    context = AssetContext(Library(root()), Options(lod="msft"), Diagnostics())
    add_nodes(raw, [True] * 4, context)
    draw_all(raw, [None] * 4, context)
    return context, attach_levels(raw.lods, context, clips)


def test_a_level_that_is_animated_alone_is_left_out() -> None:
    context, _ = attached(moving_clip(2, Path.TRANSLATION))
    assert [item.data["reason"] for item in context.diagnostics.items] == ["LOD 1: it does not move with level 0"]
    assert context.nodes[1].levels == (4,) and context.nodes[4].name == "Farthest"
    assert context.nodes[1].coverages == (0.5, 0.125)


@pytest.mark.parametrize("index", [0, 1])
def test_what_moves_level_0_or_all_levels_does_no_harm(index: int) -> None:
    context, _ = attached(moving_clip(index, Path.ROTATION))
    assert context.nodes[1].levels == (4, 5) and not context.diagnostics.items


def test_weights_are_animated_where_the_mesh_went() -> None:
    context, (clip,) = attached(moving_clip(2, Path.WEIGHTS))
    assert context.nodes[1].levels == (4, 5)
    assert (clip.channels[0].node, clip.tracks[0].node) == (4, 4)
